"""logic.npz, logic.txt: isclose, array_equal and their relatives."""

import itertools

import numpy as np

from common import Lines, Npz, TYPES, dtype_of, error_name, joined, kind_of, text_array

ABOUT = """
Inputs in logic.npz: in/<type>, one-dimensional. Results <number>/out or <number>/error.
isclose: <number>|<type>|<type>|<rtol>|<atol>|<equal_nan>; the first input in rows, the second in columns:
  all pairs
isclose_scalar|isclose_from_scalar: <number>|<type>|<scalar>
array_equal|array_equiv: <number>|<type>|<shape>|<type>|<shape>|<equal_nan>|<0 or 1>; numbers i % 3
isposinf|isneginf|isreal|iscomplex: <number>|<type>
"""

SPECIAL = [0.0, -0.0, 1.0, 1.00001, 1.00002, 0.99998, -1.0, 1e-8, 2e-8, 1e4, 1e4 + 1, np.inf, -np.inf, np.nan, 3.0, -3.0]


def inputs(name):
    kind = kind_of(name)
    if kind == "b":
        return np.array([True, False, True])
    if kind in "iu":
        i = np.iinfo(name)
        return np.array([0, 1, 2, 100, i.max, i.max - 1, i.min], name)
    with np.errstate(all="ignore"):
        values = np.array(SPECIAL).astype(dtype_of(name))
        if kind == "c":
            values = np.concatenate([values, values * 0 + 1 + 1j, [1 + 1.00001j, complex(0, np.nan), complex(np.inf, 1)]])
            values = np.asarray(values, name)
    return values


def add(npz, lines, number, function, fields, call):
    try:
        with np.errstate(all="ignore"):
            npz[f"{number}/out"] = np.asarray(call())
    except Exception as error:
        npz[f"{number}/error"] = text_array(f"{error_name(error)}: {str(error).strip()}")
    lines.add(function, number, *fields)


def write(folder):
    numbers = itertools.count()
    with Npz(folder / "logic.npz") as npz, Lines(folder / "logic.txt", ABOUT) as lines:
        given = {name: inputs(name) for name in TYPES}
        for name, values in given.items():
            npz["in/" + name] = values
        pairs = [(name, name) for name in TYPES if name != "bfloat16"] + [("int8", "float64"), ("float64", "int8"), ("float32", "float64"), ("float64", "float32"),
                 ("complex64", "float32"), ("int64", "uint8"), ("float16", "complex128"), ("uint8", "float16")]
        for (x, y), (rtol, atol, equal_nan) in itertools.product(pairs, [(1e-5, 1e-8, 0), (0.01, 0.5, 1), (0.0, 0.0, 0)]):
            add(npz, lines, next(numbers), "isclose", [x, y, rtol, atol, equal_nan],
                lambda: np.isclose(given[x][:, None], given[y], rtol, atol, bool(equal_nan)))
        for name, scalar in itertools.product(["int8", "int64", "float16", "float32", "float64", "complex64"], [0, 1, 1.00001, np.inf, np.nan, -1.0]):
            add(npz, lines, next(numbers), "isclose_scalar", [name, scalar], lambda: np.isclose(given[name], scalar))
            add(npz, lines, next(numbers), "isclose_from_scalar", [name, scalar], lambda: np.isclose(scalar, given[name]))
        for s1, s2 in itertools.product([(), (3,), (2, 3), (1, 3), (0,), (4,)], repeat=2):
            a, b = [(np.arange(int(np.prod(s))) % 3).reshape(s) for s in (s1, s2)]
            for name in ["array_equal", "array_equiv"]:
                add(npz, lines, next(numbers), name, ["int64", joined(s1), "float32", joined(s2)],
                    lambda: getattr(np, name)(a, b.astype("float32")))
        for name in ["isposinf", "isneginf", "isreal", "iscomplex"]:
            for t in TYPES:
                add(npz, lines, next(numbers), name, [t], lambda: getattr(np, name)(given[t]))
