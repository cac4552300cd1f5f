"""Writes the .npy files of tests/golden/npy with NumPy; tests/io/npy_*_test.cpp read them.

<type>_<order>_<c|f>.npy   shape (2, 3), order "little" or "big", C or Fortran order
<type>_0d.npy <type>_empty.npy   shapes () and (3, 0)
v1.npy v2.npy v3.npy       int32 of shape (5,) in each version of the format
descr_none.npy descr_native.npy descr_bar.npy   '<i4' spelt 'i4', '=i4' and '|i4'
headers.txt                one line each: type, order, shape, header as hexadecimal digits

The elements of an array, in C order, are the bytes (7 * i + 1) % 251 for i = 0, 1, ... read as
little-endian elements; of bool, i % 2. So a test needs no table of values, and a byte that lands
in the wrong place is seen.

Usage: npy.py [--check]
"""

import argparse
import filecmp
import io
import pathlib
import sys
import tempfile

import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent / "npy"
TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]
HEADER_SHAPES = [(), (0,), (1,), (5,), (123456789012,), (2, 3), (3, 0), (10, 1, 10),
                 (1,) * 32, tuple(range(64)), (2**62, 0), (0, 2**62), (1,) * 10 + (7,),
                 (12,) * 15, (1,) * 12 + (12,), (1,) * 20 + (123,)]


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


def pattern(name, shape):
    """The little-endian array described at the top of this file."""
    count = int(np.prod(shape))
    if name == "bool":
        return (np.arange(count) % 2).astype(bool).reshape(shape)
    dtype = dtype_of(name)
    raw = bytes((7 * i + 1) % 251 for i in range(count * dtype.itemsize))
    return np.frombuffer(raw, dtype).reshape(shape)


def big_endian(array):
    """The same values in the other byte order, without passing through a conversion."""
    swapped = array.byteswap()
    return swapped.view(array.dtype.newbyteorder(">"))


def write_orders(folder, name):
    little = pattern(name, (2, 3))
    orders = {"little": little}
    if little.dtype.itemsize > 1 and name != "bfloat16":  # '<V2' has no other byte order
        orders["big"] = big_endian(little)
    for order, array in orders.items():
        np.save(folder / f"{name}_{order}_c.npy", array)
        np.save(folder / f"{name}_{order}_f.npy", np.asfortranarray(array))


def write_versions(folder):
    array = pattern("int32", (5,))
    for major in (1, 2, 3):
        with open(folder / f"v{major}.npy", "wb") as file:
            np.lib.format.write_array(file, array, version=(major, 0))


def write_spellings(folder):
    """Same length as '<i4' with its padding, so that the header's length stays right."""
    stream = io.BytesIO()
    np.save(stream, pattern("int32", (5,)))
    for name, descr in {"none": b"'i4' ", "native": b"'=i4'", "bar": b"'|i4'"}.items():
        raw = stream.getvalue().replace(b"'<i4'", descr)
        assert (np.load(io.BytesIO(raw)) == pattern("int32", (5,))).all()
        (folder / f"descr_{name}.npy").write_bytes(raw)


def header_line(name, shape, fortran_order):
    stream = io.BytesIO()
    fields = {"descr": np.lib.format.dtype_to_descr(dtype_of(name)),
              "fortran_order": fortran_order, "shape": shape}
    np.lib.format.write_array_header_1_0(stream, fields)
    extents = ",".join(map(str, shape)) or "-"
    return f"{name} {'F' if fortran_order else 'C'} {extents} {stream.getvalue().hex()}\n"


def write_headers(folder):
    lines = [header_line(name, (2, 3), order) for name in TYPES for order in (False, True)]
    lines += [header_line("float32", shape, order)
              for shape in HEADER_SHAPES for order in (False, True)]
    lines += [header_line("int8", (7,) * rank, False) for rank in range(1, 65)]  # every padding
    (folder / "headers.txt").write_text("".join(lines), "ascii")


def write_all(folder):
    for name in TYPES:
        write_orders(folder, name)
        np.save(folder / f"{name}_0d.npy", pattern(name, ()))
        np.save(folder / f"{name}_empty.npy", pattern(name, (3, 0)))
    write_versions(folder)
    write_spellings(folder)
    write_headers(folder)


def check():
    """0 if the committed files are what this NumPy writes."""
    with tempfile.TemporaryDirectory() as temporary:
        fresh = pathlib.Path(temporary)
        write_all(fresh)
        names = sorted({p.name for folder in (fresh, FOLDER) for p in folder.iterdir()})
        _, different, missing = filecmp.cmpfiles(fresh, FOLDER, names, shallow=False)
    for name in different + missing:
        print("differs or is missing:", name)
    return 1 if different or missing else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    arguments = parser.parse_args()
    if arguments.check:
        return check()
    FOLDER.mkdir(exist_ok=True)
    write_all(FOLDER)
    return 0


if __name__ == "__main__":
    sys.exit(main())
