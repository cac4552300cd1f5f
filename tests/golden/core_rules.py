"""Writes the tables of tests/core: NumPy's result types, special values and accurate values.

Usage: core_rules.py [folder]. Needs ml_dtypes for the rows of bfloat16, and x86-64, where
longdouble has more bits than double.
"""

import pathlib
import sys
import warnings

import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "core"
NAMES = ("bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
         "float16 bfloat16 float32 float64 complex64 complex128").split()
TYPES = [np.dtype(ml_dtypes.bfloat16 if n == "bfloat16" else n) for n in NAMES]
BFLOAT16 = NAMES.index("bfloat16")
LETTERS = "TbhilBHILegfdFD"  # one a type, in the order above; "?" would make trigraphs

UNARY = """negative positive absolute fabs sign square sqrt cbrt reciprocal conjugate exp exp2 expm1
 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh degrees
 radians floor ceil trunc rint logical_not isnan isinf isfinite signbit invert real imag""".split()
BINARY = """add subtract multiply divide floor_divide remainder fmod power logaddexp logaddexp2
 arctan2 hypot maximum minimum fmax fmin equal not_equal less less_equal greater greater_equal
 logical_and logical_or logical_xor copysign nextafter heaviside bitwise_and bitwise_or bitwise_xor
 left_shift right_shift gcd lcm""".split()
COMPLEX_UNARY = """sign square sqrt reciprocal exp exp2 expm1 log log2 log10 log1p sin cos tan arcsin
 arccos arctan sinh cosh tanh arcsinh arccosh arctanh""".split()


def letter(dtype):
    return LETTERS[TYPES.index(dtype)] if dtype in TYPES else "!"


def answer(function, *args):
    """The letter of what a function gives, '-' where NumPy refuses."""
    try:
        return letter(np.asarray(function(*args)).dtype)
    except TypeError:
        return "-"


def promoted(a, b):
    try:
        return letter(np.promote_types(a, b))
    except TypeError:
        return "-"


def tag(name):
    return "bool_" if name == "bool" else name


def one(dtype):
    return np.ones(1, dtype)


def without_bfloat16(row):
    """ml_dtypes has loops of its own: '.' stands for not compared."""
    return row[:BFLOAT16] + "." + row[BFLOAT16 + 1:]


def rule_rows():
    for a, name in zip(TYPES, NAMES):
        yield f'NW_PROMOTE({tag(name)}, "{"".join(promoted(a, b) for b in TYPES)}")'
    for kind, scalar in (("b", True), ("i", 1), ("f", 1.0), ("c", 1j)):
        row = "".join(letter(np.result_type(one(a), scalar)) for a in TYPES)
        if kind == "f":  # NumPy does not know that a Python float is weak beside bfloat16
            row = without_bfloat16(row)
        yield f"NW_WEAK('{kind}', \"{row}\")"
    for op in UNARY:
        row = "".join(answer(getattr(np, op), one(a)) for a in TYPES)
        yield f'NW_RESULT({op}, "{without_bfloat16(row)}")'
    for op in BINARY:
        row = "".join(answer(getattr(np, op), one(a), one(a)) for a in TYPES)
        yield f'NW_RESULT({op}, "{without_bfloat16(row)}")'
        for a, name in zip(TYPES, NAMES):
            if name == "bfloat16":
                continue
            row = "".join(answer(getattr(np, op), one(a), one(b)) for b in TYPES)
            yield f'NW_PAIR({op}, {tag(name)}, "{without_bfloat16(row)}")'
    others = {"clip": lambda a: np.clip(a, a, a), "where": lambda a: np.where([True], a, a)}
    for op, f in others.items():
        row = "".join(answer(f, one(a)) for a in TYPES)
        yield f'NW_RESULT({op}, "{without_bfloat16(row)}")'


def bits(array):
    return array.view(f"u{array.itemsize}")


def numbers(name):
    if name[0] in "iu":
        i = np.iinfo(name)
        fixed = [0, 1, -1, 2, -2, 3, -3, 5, 7, 8, -8, 31, 32, 63, 64, 100, i.max, i.max - 1, i.min,
                 i.min + 1]
        return np.array([v for v in dict.fromkeys(fixed) if i.min <= v <= i.max], name)
    f = np.finfo(name)
    fixed = [0.0, -0.0, 1, -1, 0.1, -0.1, 0.5, 1.5, 3, -3, 4.4, -4.4, f.max, -f.max, f.tiny,
             f.smallest_subnormal, np.inf, -np.inf, np.nan]
    return np.array(fixed).astype(name)


def value_rows():
    """All pairs of a list of numbers: bits of the numbers, and of the results row by row."""
    cases = [(op, name) for op in ("floor_divide", "remainder", "fmod")
             for name in ("float16", "float32", "float64", "int8", "int64", "uint8")]
    cases += [("nextafter", name) for name in ("float16", "float32", "float64")]
    cases += [("heaviside", "float32"), ("copysign", "float64")]
    cases += [(op, name) for op in ("left_shift", "right_shift", "gcd", "lcm", "power")
              for name in ("int8", "int32", "uint8", "int64")]
    for op, name in cases:
        v = numbers(name)
        a, b = np.repeat(v, len(v)), np.tile(v, len(v))
        if op == "power":  # a negative exponent is an error in NumPy
            b = np.where(b < 0, v.dtype.type(0), b)
        r = getattr(np, op)(a, b)
        yield f"NW_VALUES({op}, {name},"
        yield '  "' + " ".join(f"{x:x}" for x in bits(v)) + '",'
        yield '  "' + " ".join(f"{x:x}" for x in bits(r)) + '")'


def half_rows():
    """Halfway points of float16 and their neighbours in float64, with the float16 they round to."""
    h = np.arange(0x7c00, dtype=np.uint16).view(np.float16).astype(np.float64)
    middle = (h[1:] + h[:-1]) / 2
    some = np.unique(np.concatenate([np.arange(40), np.arange(1000, 1050),
                                     np.arange(0x7be0, 0x7bff), np.arange(0, 0x7bff, 977)]))
    near = middle[some]
    x = np.concatenate([near, np.nextafter(near, np.inf), np.nextafter(near, 0),
                        [65519.999, 65520, 1e5, 1e300, np.inf, 5e-324, 2.0**-25, 2.0**-26]])
    for source in ("float64", "float32"):
        y = x.astype(source)
        yield f"NW_HALF({source},"
        yield '  "' + " ".join(f"{v:x}" for v in bits(y)) + '",'
        yield '  "' + " ".join(f"{v:x}" for v in bits(y.astype(np.float16))) + '")'


def text(x):
    x = float(x)
    return "nan" if np.isnan(x) else f"{x:.17g}"


def lines(values):
    parts = [text(p) for z in values for p in (z.real, z.imag)]
    for i in range(0, len(parts), 10):
        yield '  "' + " ".join(parts[i:i + 10]) + ' "'


def complex_row(macro, op, values):
    yield f"{macro}({op},"
    yield from lines(values)
    yield ")"


def special_complex(parts):
    return np.array([complex(re, im) for re in parts for im in parts])


def special_rows():
    inf, nan = np.inf, np.nan
    z = special_complex([0.0, -0.0, 1, -1, 2.5, -2.5, inf, -inf, nan])
    yield from complex_row("NW_SPECIAL", "inputs", z)
    for op in COMPLEX_UNARY:
        yield from complex_row("NW_SPECIAL", op, getattr(np, op)(z))
    z = special_complex([0.0, -0.0, 1, -2.5, inf, -inf, nan])
    yield from complex_row("NW_SPECIAL_PAIR", "inputs", z)
    a, b = np.repeat(z, len(z)), np.tile(z, len(z))
    for op in ("multiply", "divide", "power"):
        yield from complex_row("NW_SPECIAL_PAIR", op, getattr(np, op)(a, b))


def accurate_inputs():
    """Near the unit circle, the real axis at +-1, the axes, zero, and at large."""
    rng = np.random.default_rng(1)
    n = 10
    circle = np.exp(1j * rng.uniform(-3, 3, n)) * (1 + 1e-3 * rng.normal(size=n))
    box = 3 * (rng.normal(size=n) + 1j * rng.normal(size=n))
    wide = np.exp(rng.uniform(-8, 2.5, n)) * np.exp(1j * rng.uniform(-3, 3, n))
    ends = rng.choice([-1, 1], n) * (1 + 1e-3 * rng.normal(size=n)) + 1e-4j * rng.normal(size=n)
    return np.concatenate([circle, box, wide, ends]).astype(np.complex64)


def accurate_rows():
    z = accurate_inputs()
    wide = z.astype(np.clongdouble)
    yield from complex_row("NW_ACCURATE", "inputs", z)
    for op in COMPLEX_UNARY:
        if op == "log1p":  # NumPy's own adds 1 too, but takes the logarithm of a rounded modulus
            yield from complex_row("NW_ACCURATE", op, np.log(1 + wide))
        else:
            yield from complex_row("NW_ACCURATE", op, getattr(np, op)(wide))
    for op in ("multiply", "divide", "power"):
        yield from complex_row("NW_ACCURATE_PAIR", op, getattr(np, op)(wide, np.roll(wide, -7)))


TABLES = {"type_rules": rule_rows, "values": value_rows, "halves": half_rows,
          "complex_special": special_rows, "complex_accurate": accurate_rows}


def write(folder):
    warnings.simplefilter("ignore")
    with np.errstate(all="ignore"):
        for name, rows in TABLES.items():
            head = "// Written by tests/golden/core_rules.py from what NumPy answers. Do not edit.\n"
            body = "\n".join(rows()) + "\n"
            (pathlib.Path(folder) / f"{name}_golden.inc").write_text(head + body)


if __name__ == "__main__":
    write(sys.argv[1] if len(sys.argv) > 1 else FOLDER)
