"""reductions.npz and reductions.txt: the reductions over shapes, axes, views and types."""

import numpy as np

import recipes
from common import (BFLOAT16, Lines, Npz, TYPES, complexes, convert, dtype_of, error_name,
                    integer_limits, joined, kind_of, real_name, rng_for)

INF, NAN = float("inf"), float("nan")

ABOUT = """
The cases of reductions.npz; README.md tells how its arrays are laid out. Fields are separated by
'|', numbers by ','; "-" is an empty list.
op|<name>|<function>|<ddof, or "-">
input|<name>|<kinds of the types it exists for>|<base array>|<recipe of steps, as in views.txt>
case|<number>|<input>|<axis: "none", an axis, or axes in parentheses>|<keepdims 0 or 1>|<shape>
  The shape stands also where an op throws; it is "error" where all do.
error|<op>|<number of the case>|<types, or "*" for all>|<class>|<message>
argmin and argmax have only the cases whose axis is "none" or a single axis.
"""

# name: (function, ddof)
OPS = {"sum": ("sum", None), "prod": ("prod", None), "min": ("min", None), "max": ("max", None),
       "mean": ("mean", None), "var": ("var", 0), "std": ("std", 0), "var1": ("var", 1),
       "std1": ("std", 1), "any": ("any", None), "all": ("all", None),
       "argmin": ("argmin", None), "argmax": ("argmax", None),
       "count_nonzero": ("count_nonzero", None)}

SHAPES = {"0d": (), "0": (0,), "1": (1,), "31": (31,), "33": (33,), "3x4x5": (3, 4, 5),
          "2x0x3": (2, 0, 3), "7x1x6": (7, 1, 6)}

# name: (kinds, base, recipe)
INPUTS = {name: ("biufc", name, "-") for name in SHAPES}
INPUTS |= {
    "limits": ("iu", "limits", "-"), "rough": ("fc", "rough", "-"),
    "zeros": ("biufc", "zeros", "-"), "mixed_zeros": ("iufc", "mixed_zeros", "-"),
    "inf": ("fc", "inf", "-"), "nan_first": ("fc", "nan_first", "-"),
    "nan_middle": ("fc", "nan_middle", "-"), "nan_last": ("fc", "nan_last", "-"),
    "nan_only": ("fc", "nan_only", "-"), "nan_3x4x5": ("fc", "nan_3x4x5", "-"),
    "fortran": ("biufc", "3x4x5", "forder"), "transposed": ("biufc", "3x4x5", "transpose 1,2,0"),
    "reversed": ("biufc", "3x4x5", "index ::-1,:,::-1"),
    "strided": ("biufc", "3x4x5", "index :,::2,1::3"),
    "reversed_33": ("biufc", "33", "index ::-1"), "strided_33": ("biufc", "33", "index 1::2"),
    "back_33": ("biufc", "33", "index 28:3:-3"), "empty_33": ("biufc", "33", "index 5:5"),
    "broadcast": ("biufc", "1", "broadcast_to 4,3"),
    "nan_reversed": ("fc", "nan_3x4x5", "index ::-1,::2,::-1"),
}

# input: axes. None is NumPy's None.
CASES = {
    "0d": [None, (), 0], "0": [None, 0, ()], "1": [None, 0], "31": [None, 0, -1, 1],
    "33": [None, 0], "2x0x3": [None, 0, 1, 2, (0, 2), (1, 2), (0, 1, 2)],
    "3x4x5": [None, 0, 1, 2, -1, -3, (0, 1), (0, 2), (1, 2), (2, 0), (0, 1, 2), (), 3, -4, (0, 0),
              (0, -3), (0, 5)],
    "7x1x6": [None, 0, 1, 2, (0, 1), (1, 2), (0, 2)],
    "limits": [None], "rough": [None], "zeros": [None, 1], "mixed_zeros": [None], "inf": [None],
    "nan_first": [None], "nan_middle": [None], "nan_last": [None], "nan_only": [None],
    "nan_3x4x5": [None, 0, 1, 2, (0, 2)], "fortran": [None, 0, 1, 2, (0, 1)],
    "transposed": [None, 0, 2, (1, 2)], "reversed": [None, 0, 2, (0, 1)],
    "strided": [None, 0, 1, 2], "reversed_33": [None], "strided_33": [None], "back_33": [None, 0],
    "empty_33": [None, 0], "broadcast": [None, 0, 1], "nan_reversed": [None, 0, 1, 2],
}
KEEPDIMS = ["0d", "33", "2x0x3", "3x4x5"]


# ---- inputs ----

def exact_floats(count, rng):
    """Eighths from 0.5 to 1.5 with signs: sums are exact in float16, ties occur, products stay."""
    return rng.integers(4, 13, count) / 8 * rng.choice([-1, 1], count)


def numbers(name, count, rng):
    """Random elements of the type."""
    kind = kind_of(name)
    if kind == "b":
        return rng.integers(0, 2, count).astype(bool)
    if kind == "f":
        return convert(exact_floats(count, rng), name)
    if kind == "c":
        return complexes(exact_floats(count, rng), exact_floats(count, rng), name)
    return rng.integers(max(np.iinfo(name).min, -9), 10, count).astype(name)


def special(name, parts):
    """Real parts; a complex type gets 1 as the imaginary part of all but the NaNs."""
    parts = np.array(parts, float)
    if kind_of(name) == "c":
        return complexes(parts, np.where(np.isnan(parts), 0, 1), name)
    return convert(parts, name)


def with_nan(name, places, rng, shape=(33,)):
    """In every second place of a complex type only the imaginary part is NaN."""
    array = numbers(name, int(np.prod(shape)), rng)
    for k, place in enumerate(places):
        array[place] = complex(2, NAN) if kind_of(name) == "c" and k % 2 == 0 else NAN
    return array.reshape(shape)


def float_bases(name, rng):
    real = real_name(name)
    rough = convert(rng.normal(0, 1, 200), real)
    both = complexes(rough, rough[::-1], name) if kind_of(name) == "c" else rough
    return {"rough": both, "inf": special(name, [1, INF, 2, -INF, INF, -3]),
            "nan_first": with_nan(name, [0, 32], rng), "nan_middle": with_nan(name, [16, 20], rng),
            "nan_last": with_nan(name, [32], rng), "nan_only": special(name, [NAN] * 3),
            "nan_3x4x5": with_nan(name, [0, 13, 37, 59], rng, (3, 4, 5))}


def bases(name):
    rng = rng_for("reductions", name)
    out = {base: numbers(name, int(np.prod(shape)), rng).reshape(shape)
           for base, shape in SHAPES.items()}
    out["zeros"] = np.zeros((2, 3), dtype_of(name))
    if kind_of(name) != "b":
        zeros = numbers(name, 40, rng)
        zeros[::3] = 0
        out["mixed_zeros"] = zeros
    if kind_of(name) in "iu":
        out["limits"] = rng.permutation(np.array(integer_limits(name) * 3, name))
    if kind_of(name) in "fc":
        out |= float_bases(name, rng)
    return out


# ---- cases and results ----

def cases():
    """(number, input, axis, keepdims)"""
    plain = [(name, axis, False) for name, axes in CASES.items() for axis in axes]
    kept = [(name, axis, True) for name in KEEPDIMS for axis in CASES[name]]
    return [(number, *case) for number, case in enumerate(plain + kept)]


def axis_text(axis):
    if isinstance(axis, tuple):
        return f"({joined(axis)})"
    return "none" if axis is None else str(axis)


def applies(op, axis):
    return not (op in ("argmin", "argmax") and isinstance(axis, tuple))


def result_shape(name, axis, keepdims):
    base, recipe = INPUTS[name][1:]
    array = recipes.apply(bases("float64" if "f" in INPUTS[name][0] else "int64")[base], recipe)
    try:
        return joined(np.sum(array, axis=axis, keepdims=keepdims).shape)
    except Exception:
        return "error"


def reduce(op, array, axis, keepdims):
    """NumPy's answer. bfloat16 is reduced in float32 and rounded once: ml_dtypes would round after
    every step."""
    function, ddof = OPS[op]
    options = {} if ddof is None else {"ddof": ddof}
    wide = array.astype(np.float32) if array.dtype == BFLOAT16 else array
    result = np.asarray(getattr(np, function)(wide, axis=axis, keepdims=keepdims, **options))
    if array.dtype == BFLOAT16 and result.dtype == np.float32:
        return result.astype(BFLOAT16)
    return result


def reduce_all(op, name, arrays, errors):
    """All results of an op on a type, one after the other; errors are noted."""
    parts = []
    for number, input_name, axis, keepdims in cases():
        kinds, base, recipe = INPUTS[input_name]
        if kind_of(name) not in kinds or not applies(op, axis):
            continue
        try:
            with np.errstate(all="ignore"):
                result = reduce(op, recipes.apply(arrays[base], recipe), axis, keepdims)
            parts.append(np.ravel(result))
        except Exception as error:
            text = (error_name(error), str(error).strip())
            errors.setdefault((op, number, *text), []).append(name)
    assert len({part.dtype for part in parts}) == 1, (op, name)
    return np.concatenate(parts)


def write_errors(lines, errors):
    kinds_of = {number: INPUTS[name][0] for number, name, _, _ in cases()}
    for (op, number, kind, message), names in errors.items():
        possible = [name for name in TYPES if kind_of(name) in kinds_of[number]]
        lines.add("error", op, number, "*" if names == possible else ",".join(names), kind, message)


def write(folder):
    with Npz(folder / "reductions.npz") as npz, Lines(folder / "reductions.txt", ABOUT) as lines:
        for op, (function, ddof) in OPS.items():
            lines.add("op", op, function, "-" if ddof is None else ddof)
        for name, fields in INPUTS.items():
            lines.add("input", name, *fields)
        for number, name, axis, keepdims in cases():
            lines.add("case", number, name, axis_text(axis), int(keepdims),
                      result_shape(name, axis, keepdims))
        errors = {}
        for name in TYPES:
            arrays = bases(name)
            for base, array in arrays.items():
                npz[f"base/{name}/{base}"] = array
            for op in OPS:
                npz[f"out/{op}/{name}"] = reduce_all(op, name, arrays, errors)
        write_errors(lines, errors)
