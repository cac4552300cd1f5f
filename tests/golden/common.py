"""What the generators share: element types, input values, writing .npz and .txt files."""

import io
import pathlib
import zipfile
import zlib

import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
REPOSITORY = FOLDER.parent.parent

BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
TYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "float16", "bfloat16", "float32", "float64", "complex64", "complex128"]


def dtype_of(name):
    return BFLOAT16 if name == "bfloat16" else np.dtype(name)


def name_of(dtype):
    return "bfloat16" if dtype == BFLOAT16 else np.dtype(dtype).name


def kind_of(name):
    """b bool, i signed, u unsigned, f floating (bfloat16 too), c complex."""
    return "f" if name == "bfloat16" else np.dtype(name).kind


def rng_for(*words):
    """A generator of its own for each data set, so that one does not move another's numbers."""
    return np.random.default_rng(zlib.crc32("/".join(words).encode()))


# ---- values ----

def finfo(name):
    return ml_dtypes.finfo(dtype_of(name))


def real_name(name):
    return {"complex64": "float32", "complex128": "float64"}.get(name, name)


def edge_floats(name):
    """Limits of the type: least subnormal, largest subnormal, least normal, largest, around 1."""
    f = finfo(name)
    tiny, big, eps = (float(x) for x in (f.smallest_subnormal, f.max, f.eps))
    normal = float(f.smallest_normal)
    return [tiny, -tiny, normal - tiny, normal, -normal, big, -big, 1 + eps, 1 - eps / 2]


def random_floats(name, count, rng):
    """Half near 1, half spread over a good part of the exponents."""
    near = rng.normal(0, 2, count // 2)
    decades = {"float16": 3, "bfloat16": 15, "float32": 15}.get(name, 100)
    far = rng.choice([-1, 1], count - count // 2) * 10 ** rng.uniform(-decades, decades,
                                                                    count - count // 2)
    return np.concatenate([near, far])


def integer_limits(name):
    i = np.iinfo(name)
    return [i.min, i.min + 1, i.max - 1, i.max]


def random_integers(name, count, rng):
    """Half small, half over the whole range."""
    i = np.iinfo(name)
    small = rng.integers(max(i.min, -20), 100, count // 2, dtype=np.int64).astype(name)
    return np.concatenate([small, rng.integers(i.min, i.max, count - count // 2, dtype=name,
                                               endpoint=True)])


def convert(values, name):
    with np.errstate(all="ignore"):
        return np.asarray(values, np.float64).astype(dtype_of(name))


def complexes(reals, imags, name):
    """From parts, because 1j * inf would make NaN of the real part."""
    out = np.empty(len(reals), name)
    with np.errstate(all="ignore"):
        out.real, out.imag = reals, imags
    return out


def crossed(left, right):
    """All pairs, as two arrays."""
    return np.repeat(left, len(right)), np.tile(right, len(left))


# ---- results and errors ----

def outcome(call):
    """The array a call gives, or its error as the text "ValueError: message"."""
    try:
        with np.errstate(all="ignore"):
            return np.asarray(call())
    except Exception as error:
        return f"{error_name(error)}: {str(error).strip()}"


def error_name(error):
    """The public name of the class NumPy throws; its refinements of TypeError are private."""
    if isinstance(error, TypeError):
        return "TypeError"
    return type(error).__name__


def text_array(text):
    return np.frombuffer(text.encode("ascii"), np.uint8)


# ---- files ----

class Npz:
    """An .npz whose members are stored, not compressed, with plain 32-bit zip headers."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_STORED)
        self.seen = set()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.zip.close()

    def __setitem__(self, name, array):
        assert name not in self.seen, name
        self.seen.add(name)
        stream = io.BytesIO()
        np.lib.format.write_array(stream, np.asarray(array, order="C"), allow_pickle=False)
        info = zipfile.ZipInfo(name + ".npy", date_time=(1980, 1, 1, 0, 0, 0))
        self.zip.writestr(info, stream.getvalue())

    def put(self, name, result):
        """<name>/out for an array, <name>/error for an error."""
        if isinstance(result, str):
            self[name + "/error"] = text_array(result)
        else:
            self[name + "/out"] = result


class Lines:
    """A text file of lines whose fields are separated by '|'; '#' begins a comment line."""

    def __init__(self, path, about):
        self.path = path
        self.lines = ["# " + line if line else "#" for line in about.strip().split("\n")]

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.path.write_text("\n".join(self.lines) + "\n", "ascii")

    def add(self, *fields):
        fields = [str(field).replace("\n", " ") for field in fields]
        assert not any("|" in field for field in fields), fields
        self.lines.append("|".join(fields))


def joined(numbers):
    """"3,4,5"; "-" stands for nothing, so that no field is empty."""
    return ",".join(str(int(n)) for n in numbers) or "-"
