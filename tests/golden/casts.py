"""casts.npz: astype between all pairs of element types. See README.md."""

import numpy as np

from common import (Npz, TYPES, complexes, convert, dtype_of, edge_floats, integer_limits, kind_of,
                    outcome, random_floats, random_integers, real_name, rng_for)

INF, NAN = float("inf"), float("nan")


def float_values(name):
    """Halves and ties of every narrower type, limits of the integers, random."""
    ties = [2049.0, 2051, 257, 259, 2.0**24 + 1, 2.0**24 + 3, 2.0**53 - 1, 65504, 65519.99, 65520,
            65536, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-8, 1 + 3 * 2.0**-8, 1 + 2.0**-24,
            1 + 3 * 2.0**-24, 2.0**-25, 1.5 * 2.0**-25, 2.0**-149, 2.0**-150, 1.5 * 2.0**-150,
            3.4028235677973366e38, 3.39e38, 3.4e38, 1e39]
    near = [0.0, -0.0, 1, -1, 0.5, -0.5, 0.99, -0.99, 1.5, 2.5, -1.5, -2.5, 100.9, -100.9, 127,
            127.9, 128, -128, -128.9, 255, 255.5, 32767, -32768, 65535, 2.0**31 - 1, 2.0**31 - 128,
            -(2.0**31), 2.0**32 - 256, 2.0**62, -(2.0**63), 2.0**63 - 1024, 2.0**63, 2.0**64 - 2048]
    rng = rng_for("casts", name)
    fixed = near + ties + [INF, -INF, NAN] + edge_floats(name)
    return convert(np.concatenate([fixed, random_floats(name, 16, rng)]), name)


def integer_values(name):
    i = np.iinfo(name)
    fixed = [0, 1, -1, 2, 100, -100, 127, 128, 255, 256, 257, 259, 2049, 2051, 32767, 32768, 65519,
             65520, 65535, 65536, 2**24 + 1, 2**24 + 3, 2**31 - 1, 2**31, 2**32 - 1, 2**32,
             2**53 + 1, 2**53 + 3, 2**63 - 513, -(2**53) - 1, -32769, -129]
    fixed = [v for v in fixed if i.min <= v <= i.max] + integer_limits(name)
    return np.concatenate([np.array(fixed, name),
                           random_integers(name, 16, rng_for("casts", name))])


def values(name):
    kind = kind_of(name)
    if kind == "b":
        return np.array([False, True])
    if kind == "f":
        return float_values(name)
    if kind == "c":
        real = float_values(real_name(name)).astype(np.float64)
        return complexes(real, np.roll(real, 5), name)
    return integer_values(name)


def in_range(array, target):
    """Which elements C defines the conversion of: those whose integer part the target holds."""
    i = np.iinfo(target)
    real = np.trunc(array.real.astype(np.float64))
    return (real >= float(i.min)) & (real < float(i.max) + (1 if i.max < 2**53 else 0))


def defined(array, source, target):
    if kind_of(source) in "fc" and kind_of(target) in "iu":
        with np.errstate(all="ignore"):
            return array[in_range(array, target)]
    return array


def write(folder):
    with Npz(folder / "casts.npz") as npz:
        for source in TYPES:
            array = values(source)
            npz[f"inputs/{source}"] = array
            for target in TYPES:
                operand = defined(array, source, target)
                if len(operand) != len(array):
                    npz[f"{source}/{target}/in"] = operand
                result = outcome(lambda: operand.astype(dtype_of(target)))
                npz.put(f"{source}/{target}", result)
