"""promote.npz and promote.txt: operands of two types, and arrays with Python scalars."""

import numpy as np

from common import (Lines, Npz, TYPES, complexes, convert, crossed, dtype_of, integer_limits,
                    kind_of, name_of, outcome)

OPS = ["add", "subtract", "divide", "power", "less", "equal", "maximum"]
SCALAR_OPS = ["add", "subtract", "divide", "power", "less", "equal", "maximum"]
REFLECTED = ["subtract", "less"]  # with the scalar on the left
NAN = float("nan")

# NEP 50: the kind of a Python scalar counts, its size must fit.
SCALARS = [True, False, 0, 2, -1, 200, 300, 70000, 2**31, 2**40, 2**53 + 1, 2**63 - 1, 2**63,
           2**64 - 1, -(2**63), 0.0, 0.5, 2.5, -3.0, 1e5, 1e39, 1e300, float("inf"), NAN, 1 + 2j,
           -0.5j]

ABOUT = """
Types and scalars of promote.npz; README.md describes the arrays.
promote|<type>|<type>|<numpy.promote_types, or "none">
scalar|<number k>|<kind: bool, int, float or complex>|<value; complex: real,imag>
"""


def integers(name):
    """Neighbours that float64 cannot tell apart, the limits, and small values."""
    i = np.iinfo(name)
    fixed = [v for v in (0, 1, 2, -1, 5, 100, 2**53, 2**53 + 1) if i.min <= v <= i.max]
    return np.array(fixed + integer_limits(name)[::3], name)


def floats(name):
    return convert([0.0, -0.0, 1, -1, 2.5, 2.0**53, 2.0**63, 2.0**64, float("inf"), NAN], name)


def values(name):
    kind = kind_of(name)
    if kind == "b":
        return np.array([False, True])
    if kind == "f":
        return floats(name)
    if kind == "c":
        return complexes([0.0, 1, 2.5, -1, 2.0**53, NAN], [0.0, -1, 0, 0, 0, 1], name)
    return integers(name)


def exponents(name):
    """Small and not negative, so that integer power is defined for every pair."""
    return np.array([0, 1, 2, 3] if kind_of(name) != "b" else [0, 1]).astype(dtype_of(name))


def scalar_fields(scalar):
    kind = type(scalar).__name__
    if kind == "complex":
        return kind, f"{scalar.real!r},{scalar.imag!r}"
    return kind, repr(scalar)


def promoted(left, right):
    result = outcome(lambda: np.empty(0, np.promote_types(dtype_of(left), dtype_of(right))))
    return "none" if isinstance(result, str) else name_of(result.dtype)


def write_pairs(npz, lines):
    for left in TYPES:
        npz[f"inputs/{left}/value"] = values(left)
        npz[f"inputs/{left}/exponent"] = exponents(left)
        for right in TYPES:
            lines.add("promote", left, right, promoted(left, right))
            for op in OPS:
                second = exponents(right) if op == "power" else values(right)
                operands = crossed(values(left), second)
                result = outcome(lambda: getattr(np, op)(*operands))
                npz.put(f"{op}/{left}/{right}", result)


def scalar_operand(name):
    return values(name)[:6]


def write_scalars(npz, lines):
    for k, scalar in enumerate(SCALARS):
        lines.add("scalar", k, *scalar_fields(scalar))
    for name in TYPES:
        array = scalar_operand(name)
        npz[f"inputs/{name}/scalar"] = array
        for k, scalar in enumerate(SCALARS):
            for op in SCALAR_OPS:
                result = outcome(lambda: getattr(np, op)(array, scalar))
                npz.put(f"scalar/{op}/{name}/{k}", result)
            for op in REFLECTED:
                result = outcome(lambda: getattr(np, op)(scalar, array))
                npz.put(f"scalar/r_{op}/{name}/{k}", result)


def write(folder):
    with Npz(folder / "promote.npz") as npz, Lines(folder / "promote.txt", ABOUT) as lines:
        write_pairs(npz, lines)
        write_scalars(npz, lines)
