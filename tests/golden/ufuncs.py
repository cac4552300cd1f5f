"""ufuncs.npz: every op of include/numwarp/core/ops.def on every element type. See README.md."""

import re
from fractions import Fraction

import numpy as np

from common import (BFLOAT16, Npz, REPOSITORY, TYPES, complexes, convert, crossed, dtype_of,
                    edge_floats, finfo, integer_limits, kind_of, outcome, random_floats,
                    random_integers, real_name, rng_for, text_array)

ARITY = {"UNARY": 1, "BINARY": 2, "TERNARY": 3}
INF, NAN = float("inf"), float("nan")


def ops():
    """(name, number of operands) in the order of the table."""
    text = (REPOSITORY / "include/numwarp/core/ops.def").read_text("ascii")
    rows = re.findall(r"^NW_(UNARY|BINARY|TERNARY)\((\w+),", text, re.MULTILINE)
    return [(name, ARITY[arity]) for arity, name in rows]


# ---- inputs ----

def unary_floats(name):
    log_max = float(np.log(float(finfo(name).max)))
    fixed = [0.0, -0.0, INF, -INF, NAN, -NAN, 1, -1, 2, -2, 3, -3, 10, 16, 100, -100, 1000,
             0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.5, 0.25, -0.75, 0.1, -0.1, 1e-3, -1e-5, 1e-7,
             0.49999997, np.pi, -np.pi, np.pi / 2, np.pi / 4, np.e, 180, log_max * 0.999,
             log_max * 1.01, -log_max, 2 * -log_max, 30.5, 20000.7, 1e5, 1e10, 2.0**24 + 1,
             2.0**53 - 1]
    rng = rng_for("unary", name)
    return np.concatenate([fixed, edge_floats(name), random_floats(name, 16, rng)])


def binary_floats(name):
    specials = [0.0, -0.0, 1, -1, INF, -INF, NAN, 0.5, -2.5, 3, 4.4, 0.1]
    specials += [float(finfo(name).max), float(finfo(name).smallest_subnormal)]
    left, right = crossed(specials, specials)
    rng = rng_for("binary", name)
    x, y = random_floats(name, 40, rng), rng.permutation(random_floats(name, 40, rng))
    multiples = [-6.0, 6, 0.75, 1e4, 9, 2**11], [3.0, -3, 0.25, 10, 0.5, 3]
    return (np.concatenate([left, x, multiples[0]]), np.concatenate([right, y, multiples[1]]))


def ternary_floats(name):
    rng = rng_for("ternary", name)
    columns = np.array(np.meshgrid([0.0, -1.5, INF, NAN], [-0.0, 1, -2, NAN, -INF],
                                   [0.5, 3, NAN, INF])).reshape(3, -1)
    big, tiny = float(finfo(name).max), float(finfo(name).smallest_subnormal)
    edges = [[big, big, tiny, 1 + 2.0**-7, -0.0, 3, tiny], [2, 1, 0.5, 1 - 2.0**-7, 5, 5, -tiny],
             [-big, big, tiny, -1, -0.0, -15, 1]]
    values = [random_floats(name, 30, rng), random_floats(name, 30, rng)]
    cancelling = -values[0] * values[1]
    cancelling[::2] = random_floats(name, 15, rng)
    return [np.concatenate(c) for c in zip(columns, edges, [*values, cancelling])]


def unary_integers(name):
    small = [v for v in (0, 1, -1, 2, -2, 3, -3, 4, 7, 9, 10, 16, 27, 63, 64, 65, 100, -100, 127)
             if v >= np.iinfo(name).min]
    powers = [2**p + d for p in (8, 15, 16, 24, 31, 32, 53, 62) for d in (-1, 0, 1)]
    powers = [v for v in powers if v <= np.iinfo(name).max]
    fixed = np.array(small + powers + integer_limits(name), name)
    return np.concatenate([fixed, random_integers(name, 16, rng_for("unary", name))])


def binary_integers(name):
    fixed = [v for v in (0, 1, -1, 2, -3, 7, 12, 31, 64, -100) if v >= np.iinfo(name).min]
    specials = np.array(fixed + integer_limits(name), name)
    left, right = crossed(specials, specials)
    rng = rng_for("binary", name)
    x, y = random_integers(name, 30, rng), rng.permutation(random_integers(name, 30, rng))
    return np.concatenate([left, x]), np.concatenate([right, y])


def ternary_integers(name):
    values = np.array([0, 1, 7, 100] + integer_limits(name), name)
    grid = np.array(np.meshgrid(values, values, values[::2])).reshape(3, -1)
    return list(grid)


def unary_complex(name):
    axis = [0.0, -0.0, 1, -1, INF, -INF, NAN]
    re_, im = crossed(axis, axis)
    real = real_name(name)
    rng = rng_for("unary", name)
    edges = [e for e in edge_floats(real) if e > 0]
    zeros = [0.0] * len(edges)
    x = np.concatenate([re_, edges, [0.5, 3, 0, 2], zeros, random_floats(real, 20, rng)])
    y = np.concatenate([im, zeros, [-2.5, 4, 2, 0], edges, random_floats(real, 20, rng)])
    return complexes(x, y, name)


def binary_complex(name):
    parts = [(0.0, 0.0), (-0.0, 0.0), (0, -0.0), (1, 0), (-1, -0.0), (0, 1), (1.5, -2), (3, 4),
             (INF, 0), (INF, NAN), (-INF, INF), (NAN, 0), (1, NAN), (float(finfo(name).max), 1)]
    specials = complexes(*zip(*parts), name)
    left, right = crossed(specials, specials)
    rng = rng_for("binary", name)
    x, y = [complexes(random_floats(real_name(name), 30, rng),
                      random_floats(real_name(name), 30, rng), name) for _ in range(2)]
    return np.concatenate([left, x]), np.concatenate([right, y])


def ternary_complex(name):
    left, right = binary_complex(name)
    return [left[::3], right[::3], left[::-3]]


def inputs(name):
    """Three tuples of arrays: the operands of unary, binary and ternary ops."""
    kind = kind_of(name)
    if kind == "b":
        grid = np.array(np.meshgrid(*[[False, True]] * 3, indexing="ij")).reshape(3, -1)
        return [(np.array([False, True]),), crossed(np.array([False, True]), [False, True]),
                list(grid)]
    if kind == "f":
        as_type = lambda arrays: [convert(a, name) for a in arrays]
        return [as_type([unary_floats(name)]), as_type(binary_floats(name)),
                as_type(ternary_floats(name))]
    if kind == "c":
        return [(unary_complex(name),), binary_complex(name), ternary_complex(name)]
    return [(unary_integers(name),), binary_integers(name), ternary_integers(name)]


# ---- results ----

def round_to(value, name):
    """A Fraction rounded once, half to even, to float32 or float64; beyond the largest: inf."""
    if value == 0:
        return 0.0
    f = np.finfo(name)
    exponent = abs(value.numerator).bit_length() - value.denominator.bit_length()
    if abs(value) < Fraction(2) ** exponent:
        exponent -= 1
    unit = Fraction(2) ** (max(exponent, f.minexp) - f.nmant)
    rounded = round(value / unit) * unit  # Python rounds a Fraction half to even
    if abs(rounded) > Fraction(float(f.max)):
        return INF if value > 0 else -INF
    return float(rounded) if rounded else -0.0 if value < 0 else 0.0


def fma_one(a, b, c, name):
    a, b, c = float(a), float(b), float(c)
    if not np.isfinite([a, b, c]).all():
        # A product of float64 that overflows stays finite before the addition of an infinity.
        return a * b + c if not np.isfinite([a, b]).all() else c
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    if exact == 0:
        return 0.0 if a * b != 0 or c != 0 else a * b + c
    return round_to(exact, name)


def fma(a, b, c):
    """NumPy has none: exact, by fractions."""
    if a.dtype not in (np.float32, np.float64):
        raise NotImplementedError
    name = a.dtype.name
    return np.array([fma_one(*row, name) for row in zip(a, b, c)], a.dtype)


CALLS = {"fma": fma}


def apply(op, operands):
    """(result or None where NumPy has no loop, whether it was computed in float32 and rounded).

    Only bfloat16 may be: ml_dtypes lacks some loops, and NumPy then goes to float32.
    """
    function = CALLS.get(op) or getattr(np, op)
    result = outcome(lambda: function(*operands))
    if isinstance(result, str):
        assert result.startswith("TypeError"), (op, operands[0].dtype, result)
        return None, False
    if operands[-1].dtype == BFLOAT16 and result.dtype == np.float32:
        return result.astype(BFLOAT16), True
    return result, False


def skipped(op, operands):
    """Elements that NumPy refuses or leaves undefined: True where they are left out."""
    last = operands[-1]
    if last.dtype.kind in "iu" and op == "power":
        return last < 0
    if last.dtype.kind in "iu" and op == "reciprocal":
        return last == 0
    return np.zeros(len(last), bool)


def operands_of(op, name, sets, arity):
    operands = list(sets[arity - 1])
    if op == "where":
        operands[0] = np.arange(len(operands[1])) % 3 == 0
    return operands


def write_op(npz, op, arity, name, sets):
    """Stores what NumPy gives; own operands only where they are not the shared ones."""
    operands = operands_of(op, name, sets, arity)
    skip = skipped(op, operands)
    if skip.any():
        operands = [operand[~skip] for operand in operands]
    own = operands if skip.any() else operands[:1] if op == "where" else []
    result, rounded = apply(op, operands)
    if result is None:
        npz[f"{op}/{name}/none"] = np.empty(0, np.uint8)
        return rounded
    for i, operand in enumerate(own):
        npz[f"{op}/{name}/{i}"] = operand
    npz[f"{op}/{name}/out"] = result
    return rounded


def write(folder):
    with Npz(folder / "ufuncs.npz") as npz:
        rounded = set()
        for name in TYPES:
            sets = inputs(name)
            for arity, arrays in enumerate(sets, 1):
                for i, array in enumerate(arrays):
                    assert array.dtype == dtype_of(name)
                    npz[f"inputs/{name}/{arity}/{i}"] = array
            for op, arity in ops():
                if op == "fma" and name not in ("float32", "float64"):
                    continue
                if write_op(npz, op, arity, name, sets):
                    rounded.add(op)
        npz["rounded_from_float32"] = text_array(" ".join(sorted(rounded)))
