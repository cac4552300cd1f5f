"""Writes the golden data: what NumPy answers. README.md describes each file.

Usage: generate.py [--check] [name ...]
Names are those of the modules below; without names, all. --check compares instead of writing.
"""

import argparse
import pathlib
import sys
import tempfile
import warnings

import ml_dtypes
import numpy as np

import casts
import creation
import indexing
import logic
import manipulation
import matmul
import orders
import promote
import random_streams
import reductions
import reductions_where
import tricks
import ufuncs
import views
from common import FOLDER

MODULES = {"ufuncs": ufuncs, "casts": casts, "promote": promote, "reductions": reductions,
           "reductions_where": reductions_where, "views": views, "indexing": indexing,
           "creation": creation, "matmul": matmul, "manipulation": manipulation,
           "random": random_streams, "tricks": tricks, "orders": orders, "logic": logic}

# NumPy picks its loops by processor, and they differ in the last places of exp, sin and the like.
ULPS = 8


def as_numbers(array):
    """bfloat16, which .npy holds as two opaque bytes, as float32."""
    return array.view(ml_dtypes.bfloat16).astype(np.float32) if array.dtype.kind == "V" else array


def ulp(array):
    size = {"float16": 2.0**-10, "float32": 2.0**-23}.get(array.dtype.name, 2.0**-52)
    return np.maximum(np.abs(array.astype(np.float64)) * size, 1e-300)


def same_floats(a, b):
    both_nan = np.isnan(a) & np.isnan(b)
    near = np.abs(a.astype(np.float64) - b) <= ULPS * ulp(a)
    return bool((both_nan | (a == b) | near).all())


def same(a, b):
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    a, b = as_numbers(a), as_numbers(b)
    if a.dtype.kind == "c":
        return same_floats(a.real, b.real) and same_floats(a.imag, b.imag)
    return same_floats(a, b) if a.dtype.kind == "f" else bool((a == b).all())


def different_members(fresh, committed):
    with np.load(fresh) as a, np.load(committed) as b, np.errstate(all="ignore"):
        names = dict.fromkeys(a.files + b.files)
        return [n for n in names if n not in a or n not in b or not same(a[n], b[n])]


def different(fresh):
    """Complaints about one file, empty if the committed one holds the same."""
    committed = FOLDER / fresh.name
    if not committed.exists():
        return [f"{fresh.name} is missing"]
    if fresh.suffix == ".npz":
        return [f"{fresh.name}: {name} differs" for name in different_members(fresh, committed)]
    return [] if fresh.read_bytes() == committed.read_bytes() else [f"{fresh.name} differs"]


def check(names):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for name in names:
            MODULES[name].write(folder)
        complaints = [line for path in sorted(folder.iterdir()) for line in different(path)]
    print(*complaints[:50], sep="\n", end="\n" if complaints else "")
    if complaints:
        print(f"{len(complaints)} differences; NumPy here is {np.__version__}, "
              f"ml_dtypes {ml_dtypes.__version__}; README.md names those of the files")
    return 1 if complaints else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="name", help=" ".join(MODULES))
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    names = arguments.names or list(MODULES)
    warnings.simplefilter("ignore")
    if arguments.check:
        return check(names)
    for name in names:
        MODULES[name].write(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
