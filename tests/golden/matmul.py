"""matmul.npz and matmul.txt: matmul, dot, inner, vdot and outer."""

import numpy as np

from common import BFLOAT16, Lines, Npz, TYPES, convert, joined, kind_of, outcome, rng_for

ABOUT = """
Fields are separated by '|'; shapes are extents, "-" for 0-d. Operand i (0 or 1) is base/<type>/<i>
of matmul.npz, cut to the first elements of the shape and reshaped.
case|<function>|<type of 0>|<type of 1>|<shape of 0>|<shape of 1>|<shape of the result>
    Its elements are the next ones of out/<function>/<type of 0>/<type of 1>, which is flat.
error|<function>|<type of 0>|<type of 1>|<shape of 0>|<shape of 1>|<class: message>
"""

SHAPES = [((3, 4), (4, 5)), ((4,), (4, 5)), ((3, 4), (4,)), ((4,), (4,)), ((1, 1), (1, 1)),
          ((2, 3, 4), (4, 5)), ((3, 4), (2, 4, 5)), ((2, 3, 4), (2, 4, 2)), ((2, 1, 3, 4), (3, 4, 2)),
          ((4,), (2, 4, 3)), ((2, 3, 4), (4,)), ((3, 0), (0, 2)), ((0, 3), (3, 2)), ((0,), (0,)),
          ((0, 2, 3), (3, 2)), ((2, 2, 0), (0,)), ((1, 7), (7, 1)), ((7, 1), (1, 7)), ((), (3,)),
          ((2, 3), ()), ((), ()),
          ((3, 4), (5,)), ((3,), (4,)), ((3, 4), (3, 4)), ((2, 3, 4), (3, 4, 2)), ((4,), (5, 6)),
          ((2, 3, 4), (5, 6, 7)), ((5, 2, 3, 4), (3, 4, 2)), ((0,), (1,)), ((3, 1), (2, 3)),
          ((3, 4), (2, 4)), ((3, 4), (2, 5, 4)), ((3, 4), (4, 3)), ((2, 3), (6,))]
FUNCTIONS = ["matmul", "dot", "inner", "vdot", "outer"]
PAIRS = [("int8", "uint8"), ("int64", "uint64"), ("bool", "float16"), ("int32", "float32"),
         ("float32", "complex64"), ("float16", "int16"), ("uint8", "bool"), ("complex64", "float64")]


def operand(name, index):
    """Integers whose sums of products every floating type holds; those of 8 bits wrap around."""
    rng = rng_for("matmul", name, str(index))
    if kind_of(name) in "iu":
        low = 0 if kind_of(name) == "u" else -128
        return rng.integers(low, low + 256, 256).astype(name)
    values = rng.integers(-9, 10, 256)
    if kind_of(name) == "c":
        return (values + 1j * rng.integers(-9, 10, 256)).astype(name)
    return (values % 3 == 0) if name == "bool" else convert(values, name)


def call(function, a, b):
    """NumPy lacks most loops of bfloat16: float32, rounded once."""
    if a.dtype != BFLOAT16:
        return getattr(np, function)(a, b)
    return np.asarray(getattr(np, function)(a.astype("f4"), b.astype("f4"))).astype(BFLOAT16)


def write_cases(npz, lines, function, names, bases):
    results = []
    for shapes in SHAPES if names[0] in ("float64", "int8") else SHAPES[:21:2]:
        if function == "outer" and max(map(len, shapes)) > 2:
            continue
        a, b = (base[:int(np.prod(shape))].reshape(shape) for base, shape in zip(bases, shapes))
        result = outcome(lambda: call(function, a, b))
        kind, last = ("error", result) if isinstance(result, str) else ("case", joined(result.shape))
        lines.add(kind, function, *names, *map(joined, shapes), last)
        if kind == "case":
            results.append(result.ravel())
    npz["/".join(["out", function, *names])] = np.concatenate(results)


def write(folder):
    with Npz(folder / "matmul.npz") as npz, Lines(folder / "matmul.txt", ABOUT) as lines:
        bases = {name: [operand(name, i) for i in (0, 1)] for name in TYPES}
        for name, both in bases.items():
            for i in (0, 1):
                npz[f"base/{name}/{i}"] = both[i]
        for left, right in [(name, name) for name in TYPES] + PAIRS:
            for function in FUNCTIONS:
                write_cases(npz, lines, function, (left, right), (bases[left][0], bases[right][1]))
