"""reductions_where.npz: reductions of the elements that a mask chooses."""

import numpy as np

from common import BFLOAT16, Npz, TYPES, rng_for
from reductions import numbers, special

SHAPE = (3, 4, 5)
AXES = [None, 0, 2, (0, 2), (0, 1, 2)]
# name: (function, its options)
OPS = {"sum": ("sum", {}), "prod": ("prod", {}), "any": ("any", {}), "all": ("all", {}),
       "sum_from": ("sum", {"initial": 2}), "prod_from": ("prod", {"initial": 2}),
       "min_from": ("min", {"initial": 1}), "max_from": ("max", {"initial": 1}),
       "mean": ("mean", {}), "var": ("var", {}), "std": ("std", {}),
       "var1": ("var", {"ddof": 1}), "std1": ("std", {"ddof": 1})}


def masks():
    rng = rng_for("reductions_where")
    return {"none": np.zeros(SHAPE, bool), "some": rng.integers(0, 2, SHAPE).astype(bool),
            "row": np.array([1, 0, 0, 1, 1], bool)}


def inputs(name):
    """With an infinity and a NaN where the type has them, at places that "row" leaves out."""
    array = numbers(name, 60, rng_for("reductions_where", name)).reshape(SHAPE)
    if name.startswith(("float", "bfloat", "complex")):
        array[0, 1, 1], array[2, 3, 2] = special(name, [np.inf, np.nan])
    return array


def reduce(function, array, **options):
    wide = array.astype(np.float32) if array.dtype == BFLOAT16 else array
    with np.errstate(all="ignore"):
        result = np.asarray(getattr(np, function)(wide, **options))
    return result.astype(BFLOAT16) if array.dtype == BFLOAT16 and result.dtype == np.float32 else result


def write(folder):
    with Npz(folder / "reductions_where.npz") as npz:
        for mask_name, mask in masks().items():
            npz[f"mask/{mask_name}"] = mask
        for name in TYPES:
            array = inputs(name)
            npz[f"in/{name}"] = array
            for op, (function, options) in OPS.items():
                for mask_name, mask in masks().items():
                    npz[f"out/{op}/{name}/{mask_name}"] = np.concatenate(
                        [np.ravel(reduce(function, array, axis=axis, where=mask, **options))
                         for axis in AXES])
