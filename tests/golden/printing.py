"""Writes what NumPy prints, as the truth for tests/io/printing_test.cpp.

    python3 printing.py [--out printing.txt] [--random 320] [--seed 1]

One case a line, fields separated by tabs: dtype, shape, strides in bytes, offset of the first element
in bytes, the memory in hex, options that are not NumPy's defaults (name=value;...), str(a), repr(a).
A backslash and a newline within a field are written \\\\ and \\n. Needs NumPy >= 2.4 and ml_dtypes.
"""
import argparse
import pathlib

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided

INTS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "bfloat16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
TYPES = ["bool", *INTS, *FLOATS, *COMPLEX]


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


def field(text):
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def numbers(values):
    return ",".join(str(v) for v in values)


def case(memory, view, options):
    """One line: `view` is a view of the contiguous array `memory`."""
    offset = view.__array_interface__["data"][0] - memory.__array_interface__["data"][0]
    with np.printoptions(**options):
        texts = str(view), repr(view)
    options = ";".join(f"{k}={int(v) if isinstance(v, bool) else v}" for k, v in options.items())
    fields = [view.dtype.name, numbers(view.shape), numbers(view.strides), str(offset)]
    fields += [memory.tobytes().hex(), options, *texts]
    return "\t".join(field(f) for f in fields)


def plain(values, name, shape=None, **options):
    with np.errstate(all="ignore"):
        a = np.array(values).astype(dtype_of(name))
    a = a if shape is None else a.reshape(shape)
    return case(a, a, options)


def scalars():
    values = [0.0, -0.0, 1.5, -2, 1 / 3, 999, 999.5, 1000, 65504, 1e-4, 9.9e-5, 123456, 999999.9, 1e6,
              1e7, 1e8, 123456789, 1e15, 9999999999999998, 1e16, 1e23, 5e-324, 1e-320, 1e-45, 6e-8,
              1e308, np.inf, -np.inf, np.nan]
    for name in FLOATS + COMPLEX:
        for value in values:
            yield plain(value, name)
    for name in COMPLEX:
        for re in [0.0, -0.0, 2.0, np.nan, -np.inf]:
            for im in [0.0, -0.0, 1e-5, np.nan, -np.inf, np.inf]:
                yield plain(complex(re, im), name)
    for name in INTS:
        yield plain(np.iinfo(name).max, name)
        yield plain(np.iinfo(name).min, name, sign=" ")
    yield plain(True, "bool")
    yield plain(False, "bool")
    yield plain(5, "int64", threshold=0)


def empties():
    for name in ["bool", "int64", "float32", "bfloat16", "complex128"]:
        for shape in [(0,), (0, 3), (3, 0), (1, 0), (2, 0, 4)]:
            yield plain([], name, shape)
    yield plain([], "float64", (0, 3), linewidth=20)


def layouts():
    """Wrapping, summaries and nesting, on values whose own text is simple."""
    for shape in [(40,), (3, 14), (2, 3, 4), (2, 1, 2, 2), (1, 1, 1, 1, 1)]:
        count = int(np.prod(shape))
        for linewidth in [10, 20, 75]:
            yield plain(range(count), "int64", shape, linewidth=linewidth)
            yield plain(range(count), "int8", shape, linewidth=linewidth)
        for edgeitems in [0, 1, 2, 7]:
            yield plain(range(count), "float64", shape, threshold=5, edgeitems=edgeitems)
            yield plain(range(count), "int16", shape, threshold=5, edgeitems=edgeitems, linewidth=12)
    for length in range(60, 72):  # where repr's dtype moves to a line of its own
        yield plain([10 ** (length % 18)] * (length // 6), "uint64", linewidth=length)
    yield plain([1], "int32", linewidth=-1)
    yield plain([1, 2], "int32", threshold=-1)


def giants():
    """Huge by broadcasting: printing must read the corners alone."""
    one = np.array([1.5], "float32")
    yield case(one, as_strided(one, (2**31,), (0,)), {})
    yield case(one, as_strided(one, (2**20, 2**20), (0, 0)), {})
    few = np.arange(1001, dtype="int16")
    yield case(few, few[::-1], {})
    yield case(few, as_strided(few, (2**33, 7), (0, 2)), {})


def powers_of_two():
    """Where the neighbours are unequally far away."""
    for name, low, high in [("float64", -1074, 1024), ("float32", -149, 128), ("float16", -24, 16)]:
        values = np.ldexp(1.0, np.arange(low, high, max(1, (high - low) // 48)))
        for mode in ["unique", "maxprec", "fixed"]:
            yield plain(values, name, floatmode=mode, threshold=10**4, linewidth=100)
    yield plain(np.ldexp(1.0, np.arange(-13, 10)), "float16", floatmode="maxprec_equal", precision=16)


def ties():
    values = [0.5, 1.5, 2.5, 0.25, 0.75, 0.125, 0.375, 0.0625, -0.5, 0.05, 0.005, 5e-9, 1e-9]
    for precision in [0, 1, 2, 8]:
        for mode in ["fixed", "maxprec", "maxprec_equal"]:
            yield plain(values, "float64", precision=precision, floatmode=mode, suppress=True)
            yield plain(values[:10], "float32", precision=precision, floatmode=mode)


def notation_limits():
    """Around the magnitudes and ratios where exponents begin, rounded as the type rounds them."""
    for name in ["float16", "float32", "float64", "complex64"]:
        real = np.dtype(name).type(0).real.dtype.type
        for limit in [1e-4, 1e3, 1e6, 1e8]:
            with np.errstate(over="ignore"):
                x = real(limit)
            for value in [np.nextafter(x, real(0)), x, np.nextafter(x, real(np.inf))]:
                yield plain([value], name)
                yield plain([value], name, suppress=True)
                yield plain(value, name)
    for low, high in [(0.5, 500), (0.5, 500.5), (0.10162353515625, 101.625), (0.1, 100)]:
        for name in ["float16", "float32", "float64"]:
            yield plain([low, high], name)


def random_floats(rng, name, count):
    """Values of one flavour, so that both notations and all magnitudes come up."""
    limit = {"float16": 4, "float32": 38, "bfloat16": 38}.get(name, 307)
    flavour = rng.integers(0, 9)
    if flavour == 0:
        values = rng.standard_normal(count)
    elif flavour == 1:
        values = 10.0 ** rng.uniform(-limit, limit, count)
    elif flavour == 2:
        values = rng.integers(-2000, 2000, count) / rng.choice([1, 2, 8, 10, 100])
    elif flavour == 3:
        values = np.ldexp(1.0, rng.integers(-limit, limit, count) * 3)
    elif flavour == 4:
        edge = rng.choice([1e-4, 1e3, 1e6, 1e8])
        values = edge * (1 + rng.integers(-3, 4, count) * rng.choice([1e-16, 1e-7, 1e-3, 0.1]))
    elif flavour == 5:
        values = rng.uniform(0.1, 10, count) * 10.0 ** rng.integers(-limit, limit)
    elif flavour == 6:
        values = rng.integers(1, 2000, count) * {"float16": 2.0**-24, "float32": 2.0**-149,
                                                 "bfloat16": 2.0**-133}.get(name, 5e-324)
    elif flavour == 7:
        values = rng.integers(-10**9, 10**9, count) * 10.0 ** rng.integers(-9, 1)
    else:
        values = rng.choice([0.0, -0.0, 1.0, -1.0, 0.1, 1e10], count)
    values = np.where(rng.random(count) < 0.3, -values, values)
    special = rng.choice([np.nan, np.inf, -np.inf, 0.0, -0.0], count)
    return np.where(rng.random(count) < rng.choice([0, 0, 0.2, 1], p=[0.4, 0.3, 0.28, 0.02]), special, values)


def random_memory(rng, name, count):
    if name == "bool":
        return rng.random(count) < 0.5
    if name in INTS:
        bits = np.iinfo(name).bits
        values = rng.integers(0, 2**63, count, dtype=np.uint64) >> np.uint64(rng.integers(64 - bits, 64))
        return (values * rng.choice(np.array([1, -1, 2]).astype(np.uint64), count)).astype(name)
    with np.errstate(all="ignore"):
        if name in COMPLEX:
            part = "float32" if name == "complex64" else "float64"
            parts = [random_floats(rng, part, count).astype(part) for _ in range(2)]
            memory = np.empty(count, name)
            memory.real, memory.imag = parts
            return memory
        return random_floats(rng, name, count).astype(dtype_of(name))


def random_view(rng, memory, shape):
    view = memory.reshape(shape)
    for axis in range(view.ndim):
        step = rng.choice([1, 1, 1, -1, 2, -2])
        view = view[(slice(None),) * axis + (slice(None, None, step),)]
    if rng.random() < 0.3:
        view = view.T
    if rng.random() < 0.15:
        view = np.broadcast_to(view, (rng.integers(1, 4), *view.shape))
    return view


def random_options(rng):
    choices = {
        "precision": lambda: int(rng.choice([0, 1, 2, 3, 4, 6, 8, 10, 16, 17, 20, 30])),
        "threshold": lambda: int(rng.choice([0, 3, 5, 10])),
        "edgeitems": lambda: int(rng.choice([0, 1, 2, 3])),
        "linewidth": lambda: int(rng.integers(1, 120)),
        "suppress": lambda: True,
        "nanstr": lambda: str(rng.choice(["NaN", "n", "", "not a number"])),
        "infstr": lambda: str(rng.choice(["Inf", "oo", "", "infinite"])),
        "sign": lambda: str(rng.choice(["+", " "])),
        "floatmode": lambda: str(rng.choice(["fixed", "unique", "maxprec_equal"])),
    }
    chance = rng.choice([0, 0.1, 0.3, 0.6])
    return {name: make() for name, make in choices.items() if rng.random() < chance}


def random_cases(rng, count):
    for i in range(count):
        name = TYPES[i % len(TYPES)] if i % 3 == 0 else rng.choice(FLOATS + COMPLEX)
        ndim = rng.choice([0, 1, 2, 3, 4], p=[0.05, 0.5, 0.25, 0.15, 0.05])
        shape = tuple(int(n) for n in rng.integers(1, [24, 24, 6, 4, 3][ndim], ndim))
        memory = random_memory(rng, name, int(np.prod(shape)))
        yield case(memory, random_view(rng, memory, shape), random_options(rng))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=pathlib.Path(__file__).with_name("printing.txt"))
    parser.add_argument("--random", type=int, default=320)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = [*scalars(), *empties(), *layouts(), *giants(), *powers_of_two(), *ties(), *notation_limits()]
    lines += random_cases(np.random.default_rng(arguments.seed), arguments.random)
    pathlib.Path(arguments.out).write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
