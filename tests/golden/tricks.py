"""tricks.txt and tricks.npz: matrices, grids, diagonals, index arithmetic, views by strides."""

import itertools

import numpy as np
from numpy.lib.stride_tricks import as_strided, sliding_window_view

import recipes
from common import Lines, Npz, TYPES, dtype_of, error_name, joined, kind_of, text_array

ABOUT = """
The cases of tricks.npz: <number>/<k>/out, for k from 0 on where a function gives several arrays, or
<number>/error. The last field holds the strides of each result, joined by ';' ("-": not compared).
An input is <type>|<shape>|<recipe>: the numbers i % 11 - 4 of that type, seen through a recipe of
recipes.py. A list of index arrays is joined by ';', each <shape>@<values>. "-" elsewhere: not given.
diag|diagflat|tril|triu: <number>|<input>|<k>
diagonal: <number>|<input>|<offset>|<axis1>|<axis2>
trace: <number>|<input>|<offset>|<axis1>|<axis2>|<dtype>
tri: <number>|<type>|<N>|<M>|<k>
vander: <number>|<input>|<N>|<increasing>
fill_diagonal: <number>|<input>|<type of the values>|<their shape>|<wrap>; the whole array is the result
mgrid|ogrid: <number>|<start:stop:step of each axis, joined by ';'>, a number of points as 5j
indices: <number>|<type>|<shape>|<sparse>
logspace: <number>|<type>|<start>|<stop>|<num>|<endpoint>|<base>
geomspace: <number>|<type>|<start>|<stop>|<num>|<endpoint>
linspace_of|logspace_of|geomspace_of: <number>|<type of the result or '-'>|<types of start, stop and base>|
  <start, stop and base as index arrays; complex ones times 1 + 0.5j>|<num>|<endpoint>|<axis>
meshgrid: <number>|<shapes of int64 inputs, joined by ';'>|<indexing>|<sparse>|<copy>
ravel_multi_index: <number>|<type>|<index arrays>|<dims>|<modes>|<order>
unravel_index: <number>|<type>|<index array>|<shape>|<order>
tril_indices|triu_indices: <number>|<n>|<k>|<m>
ix_: <number>|<types>|<index arrays>
select: <number>|<type>|<shapes of conditions>|<shapes of choices>|<default>; condition k is
  i % (k + 2) == 0, choice k is i + 10 k
as_strided: <number>|<input>|<shape>|<strides>
sliding_window_view: <number>|<input>|<window>|<axis>
"""

SHAPES = [(), (0,), (1,), (4,), (3, 4), (4, 3), (3, 3), (0, 3), (3, 0), (1, 5), (2, 3, 4), (2, 0, 3)]
VIEWS = [((4, 6), "transpose"), ((4, 6), "index ::2,::-1"), ((4, 6), "forder"), ((3,), "broadcast_to 4,3"),
         ((8,), "index ::-2"), ((2, 3, 4), "transpose 1,2,0"), ((2, 3, 4), "transpose 2,0,1"),
         ((2, 3, 4), "forder"), ((2, 3, 4), "index :,::-1,1:")]


def numbers(type_name, shape, recipe="-"):
    values = (np.arange(int(np.prod(shape))) % 11 - 4).reshape(shape)
    return recipes.apply(values.astype(dtype_of(type_name)), recipe)


class Cases:
    def __init__(self, npz, lines):
        self.npz, self.lines, self.number = npz, lines, 0

    def add(self, function, fields, call, layout=True):
        strides = "-"
        try:
            with np.errstate(all="ignore"):
                results = call()
            results = results if isinstance(results, (tuple, list)) else [results]
            results = [np.asarray(r) for r in results]
            if layout and results:
                strides = ";".join(joined(r.strides) for r in results)
            for k, result in enumerate(results):
                self.npz[f"{self.number}/{k}/out"] = result
        except Exception as error:
            self.npz[f"{self.number}/error"] = text_array(f"{error_name(error)}: {str(error).strip()}")
        self.lines.add(function, self.number, *fields, strides)
        self.number += 1


def inputs():
    """All shapes of one type, some of all."""
    plain = [("int64", shape, "-") for shape in SHAPES] + [("float64", *view) for view in VIEWS]
    return plain + [(name, (3, 4), "-") for name in TYPES]


def add_matrices(cases):
    functions = {"diag": np.diag, "diagflat": np.diagflat, "tril": np.tril, "triu": np.triu}
    for name, function in functions.items():
        for source in inputs():
            for k in [0, 1, -1, 2, -3, 5, -7] if source[0] == "int64" else [0, -1]:
                if name in ("tril", "triu") and source[1] == ():
                    continue  # NumPy's own call fails
                cases.add(name, [source[0], joined(source[1]), source[2], k],
                          lambda: function(numbers(*source), k))
    for name in TYPES:
        cases.add("tri", [name, 3, 4, 1], lambda: np.tri(3, 4, 1, dtype_of(name)))
    for n, m, k in itertools.product([0, 1, 4, -2], [None, 0, 1, 6], [0, 1, -2, 9, -9]):
        cases.add("tri", ["float64", n, "-" if m is None else m, k], lambda: np.tri(n, m, k))
    for source in [(name, (4,), "-") for name in TYPES if name != "bfloat16"] + [
            ("float32", (5,), "index ::-1"), ("int64", (0,), "-"), ("int64", (2, 2), "-"), ("int64", (), "-")]:
        for n, increasing in itertools.product([None, 0, 1, 2, 3, 11, -1], [0, 1]):
            cases.add("vander", [source[0], joined(source[1]), source[2], "-" if n is None else n, increasing],
                      lambda: np.vander(numbers(*source), n, bool(increasing)), layout=False)


def add_diagonals(cases):
    arguments = [(0, 0, 1), (1, 0, 1), (-2, 0, 1), (0, 1, 0), (9, 0, 1), (-9, 0, 1), (0, -1, -2), (1, 0, 2),
                 (0, 0, 0), (0, 2, -1), (0, 0, 3), (0, -4, 1), (2**30, 0, 1), (-(2**30), 1, 0)]
    for source in inputs():
        for offset, axis1, axis2 in arguments if source[0] == "int64" else arguments[:4]:
            fields = [source[0], joined(source[1]), source[2], offset, axis1, axis2]
            cases.add("diagonal", fields, lambda: np.diagonal(numbers(*source), offset, axis1, axis2))
            cases.add("trace", [*fields, "-"], lambda: np.trace(numbers(*source), offset, axis1, axis2),
                      layout=False)
    for name in ["int8", "float32", "complex64", "float16"]:
        cases.add("trace", ["int32", "3,4", "-", 1, 0, 1, name],
                  lambda: np.trace(numbers("int32", (3, 4)), 1, dtype=name), layout=False)


def fill(source, values, wrap):
    base = numbers(source[0], source[1])
    np.fill_diagonal(recipes.apply(base, source[2]), values, bool(wrap))
    return base


def add_fills(cases):
    shapes = [("int64", shape, "-") for shape in
              [(3, 3), (7, 3), (8, 3), (3, 7), (4, 4, 4), (2, 3, 4), (5,), (), (0, 3), (3, 0), (9, 1), (1, 4)]]
    views = [("float64", (7, 3), "index ::-1"), ("float64", (3, 8), "transpose"), ("float64", (6, 6), "index ::2,1:")]
    for source in shapes + views:
        for values, wrap in itertools.product([("int64", ()), ("float64", (2,)), ("int64", (20,)), ("int64", (2, 3)),
                                               ("int64", (0,))], [0, 1]):
            cases.add("fill_diagonal", [source[0], joined(source[1]), source[2], values[0], joined(values[1]), wrap],
                      lambda: fill(source, numbers(*values), wrap), layout=False)
    for name in TYPES:
        cases.add("fill_diagonal", [name, "4,3", "-", "int64", "2", 0],
                  lambda: fill((name, (4, 3), "-"), numbers("int64", (2,)), 0), layout=False)


def key(text):
    def number(part):
        return complex(part) if "j" in part else float(part) if "." in part else int(part)
    return slice(*map(number, text.split(":")))


def add_grids(cases):
    for text in ["0:5:1;0:3:1", "0:5:2;1:-3:-1", "0:1:0.25;0:2:1", "0:1:5j;0:3:1", "-1:1:3j;-2:2:4j", "0:1:1j;0:1:0j",
                 "5:0:1;0:3:1", "0:2:1;0:3:1;1:3:1", "0.0:1:0.1;3:4:0.3", "0:3:1;0:2:1;0:1:2j;0:2:1;0:1:1",
                 "4611686018427387904:4611686018427387907:1;0:2:1", "0:2:1;0:2:1;0:2:1;0:2:1;0:1:1;0:2:1;0:1:1;0:1:1;0:1:1;0:2:1"]:
        keys = tuple(key(part) for part in text.split(";"))
        cases.add("ogrid", [text], lambda: np.ogrid[keys], layout=False)
        if "5:0:1" not in text:  # negative extents, where ogrid is empty
            cases.add("mgrid", [text], lambda: np.mgrid[keys], layout=False)
    for shape in [(2, 3), (0, 3), (4,), (2, 1, 3), (2, 2, 1, 2, 1, 2, 1, 2, 2, 1), (-1, 2)]:
        for name, sparse in itertools.product(["int64", "float32", "uint8", "complex64", "float16"], [0, 1]):
            if sparse and shape[0] < 0:
                continue  # empty in NumPy
            cases.add("indices", [name, joined(shape), sparse],
                      lambda: np.indices(shape, dtype_of(name), bool(sparse)), layout=False)
    for shapes, indexing, sparse, copy in itertools.product(
            [[(3,)], [(3,), (2,)], [(3,), (2,), (4,)], [(2, 2), ()], [(0,), (2,)], [(2,), (1,), (3,), (2,)]],
            ["xy", "ij"], [0, 1], [0, 1]):
        cases.add("meshgrid", [";".join(map(joined, shapes)), indexing, sparse, copy],
                  lambda: np.meshgrid(*[numbers("int64", shape) for shape in shapes], indexing=indexing,
                                      sparse=bool(sparse), copy=bool(copy)))


def add_logarithmic(cases):
    for start, stop, num, endpoint, base in [(0, 3, 4, 1, 10.0), (0, 3, 4, 0, 10.0), (2.0, 3.0, 5, 1, 2), (1, -2, 7, 1, 10.0),
                                             (0, 1, 1, 1, 10.0), (0, 1, 0, 1, 10.0), (0, 1, -1, 1, 10.0),
                                             (-1.5, 2.25, 9, 0, 3.5), (0, 2, 3, 1, -2.0), (0, 1, 50, 1, 10.0)]:
        for name in ["float64", "float32", "float16", "complex128"]:
            cases.add("logspace", [name, start, stop, num, endpoint, base],
                      lambda: np.logspace(start, stop, num, bool(endpoint), base, dtype_of(name)), layout=False)
    cases.add("logspace", ["int64", 0, 10, 11, 1, 2], lambda: np.logspace(0, 10, 11, base=2, dtype=int), layout=False)
    for start, stop, num, endpoint in [(1, 1000, 4, 1), (1, 1000, 3, 0), (1, 256, 9, 1), (256, 1, 5, 1), (-1000, -1, 4, 1),
                                       (0.001, 5.5, 8, 1), (3, 3, 3, 1), (2, 8, 1, 1), (2, 8, 0, 1), (0, 8, 3, 1),
                                       (1, 0.0, 3, 1), (1, 8, -3, 1), (1e-300, 1e300, 5, 1), (1, 10, 50, 1)]:
        for name in ["float64", "float32", "float16"]:
            cases.add("geomspace", [name, start, stop, num, endpoint],
                      lambda: np.geomspace(start, stop, num, bool(endpoint), dtype_of(name)), layout=False)


def add_wide_spaces(cases):
    def end(type_name, values):
        a = np.array(values).astype(dtype_of(type_name))
        return a * a.dtype.type(1 + 0.5j) if a.dtype.kind == "c" else a

    ends = [("int64,int64", [1, 2, 3], [9, 16, 5]), ("float32,int64", [1, 4], [7]), ("float32,float32", [[2], [5]], [3, 8, 9]),
            ("float16,float16", [2, 3], [32, 9]), ("float64,float64", [1, 5], [1, 7]), ("complex128,float64", 3, 8),
            ("complex64,complex64", [1, -2], [-3, 4]), ("float64,complex128", [-3], [[2], [4]]),
            ("float64,float64", [-8, -2], [-1, -64]), ("float64,float64", [0, 1], [4, 2])]
    for (types, start, stop), (num, endpoint, axis, out) in itertools.product(
            ends, [(5, 1, 0, "-"), (4, 0, -1, "-"), (1, 1, 0, "-"), (0, 1, 0, "-"), (3, 1, 1, "complex128"), (-1, 1, 0, "-"),
                   (3, 1, 7, "-")]):
        if out != "-" and ("complex64" in types or "float32" in types):
            continue  # a power of single precision, compared as one of double
        names, dtype = types.split(","), None if out == "-" else dtype_of(out)
        a, b = end(names[0], start), end(names[1], stop)
        fields = [out, types, index_text([np.array(start), np.array(stop)]), num, endpoint, axis]
        for function in (np.linspace, np.logspace, np.geomspace):
            cases.add(function.__name__ + "_of", fields, lambda: function(a, b, num, bool(endpoint), dtype=dtype, axis=axis),
                      layout=False)
    for types, start, stop, base in [("float64,float64,int64", 0, 3, [2, 3]), ("float32,float32,float32", [1, 2], [3, 4], [[2], [5], [10]]),
                                     ("float64,complex64,complex64", 1, 2, [2, 3])]:
        names = types.split(",")
        a, b, c = end(names[0], start), end(names[1], stop), end(names[2], base)
        for num, endpoint, axis in [(4, 1, 0), (3, 0, -1), (3, 1, 1)]:
            cases.add("logspace_of", ["-", types, index_text([np.array(start), np.array(stop), np.array(base)]), num, endpoint, axis],
                      lambda: np.logspace(a, b, num, bool(endpoint), base=c, axis=axis), layout=False)
    cases.add("linspace_of", ["int32", "float64,float64", index_text([np.array([-3, 2]), np.array([4, 9])]), 5, 1, 0],
              lambda: np.linspace([-3.0, 2], [4.0, 9], 5, dtype=np.int32), layout=False)


def index_text(arrays):
    return ";".join(joined(a.shape) + "@" + joined(a.ravel()) for a in arrays)


def add_ravels(cases):
    i, j = np.array([[3, 6, 6], [4, 5, 1]])
    column = np.array([[0], [2]])
    wild = np.array([-9, -7, -1, 0, 5, 6, 7, 13, 15])
    for arrays, dims in [([i, j], (7, 6)), ([i, j], (7, 4)), ([i, j], (6, 6)), ([np.array(3), np.array(1)], (4, 2)),
                         ([column, np.array([1, 0, 3])], (3, 4)), ([i], (7,)), ([i, j], (7,)), ([i], (7, 6)),
                         ([wild, wild], (7, 6)), ([wild, wild, wild], (3, 1, 5)), ([i[:0], j[:0]], (7, 6)),
                         ([i[:0], j[:0]], (0, 6)), ([i, j], (0, 6)), ([i, np.array([1, 2])], (7, 6)), ([i, j], (2**40, 2**40)),
                         ([np.array(-1), np.array(0)], (3, 4)), ([np.array(0), np.array(-1)], (3, 4))]:
        for mode, order in itertools.product(["raise", "wrap", "clip", "raise,wrap", "clip,raise", "wrap,clip,wrap"], "CF"):
            modes = tuple(mode.split(",")) if "," in mode else mode
            cases.add("ravel_multi_index", ["int64", index_text(arrays), joined(dims), mode, order],
                      lambda: np.ravel_multi_index(tuple(arrays), dims, modes, order), layout=False)
    for name in ["int8", "uint8", "int32", "uint64", "bool", "float64"]:
        arrays = [np.array([0, 1, 1]), np.array([1, 0, 1])]
        typed = [a.astype(name) for a in arrays]
        cases.add("ravel_multi_index", [name, index_text(arrays), "2,3", "raise", "C"],
                  lambda: np.ravel_multi_index(tuple(typed), (2, 3)), layout=False)
        cases.add("unravel_index", [name, index_text(arrays[:1]), "2,3", "C"],
                  lambda: np.unravel_index(typed[0], (2, 3)), layout=False)
    for index, shape in [([22, 41, 37], (7, 6)), ([22, 41, 37], (6, 7)), ([3, 22, 50, -1], (3, 4)), ([3, -1, 22], (3, 4)),
                         ([[0, 5], [7, 23]], (2, 3, 4)), (1621, (6, 7, 8, 9)), (0, ()), ([0], ()), ([1], (0, 3)), (5, (6,)),
                         ([0, 2**40, 2**59], (2**20, 2**40)), ([1], (2**40, 2**40)), (12, (12,)), (3, (1, 4, 1))]:
        for order in "CF":
            cases.add("unravel_index", ["int64", index_text([np.array(index)]), joined(shape), order],
                      lambda: np.unravel_index(np.array(index), shape, order), layout=False)
    cases.add("unravel_index", ["int64", "0@-", "3,4", "C"], lambda: np.unravel_index(np.zeros(0, int), (3, 4)), layout=False)
    cases.add("unravel_index", ["int64", "0@-", "0,4", "C"], lambda: np.unravel_index(np.zeros(0, int), (0, 4)), layout=False)


def add_triangles(cases):
    for n, m, k in itertools.product([0, 1, 3, 5, -1], [None, 0, 1, 4, 7], [0, 1, -1, 2, -3, 6, -8]):
        for name, function in {"tril_indices": np.tril_indices, "triu_indices": np.triu_indices}.items():
            if m is not None and n < 0:
                continue
            cases.add(name, [n, k, "-" if m is None else m], lambda: function(n, k, m), layout=False)
    for n, m, k in [(60, 40, 9), (40, 60, -13), (1, 100, -5), (100, 3, 20)]:
        cases.add("tril_indices", [n, k, m], lambda: np.tril_indices(n, k, m), layout=False)
        cases.add("triu_indices", [n, k, m], lambda: np.triu_indices(n, k, m), layout=False)


def add_choices(cases):
    for types, arrays in [("int64,int64", [[1, 4, 0], [2, 5]]), ("int64,bool", [[1, 4], [0, 1, 1]]), ("int8", [[3, 2]]),
                          ("uint64,int16,int64", [[1], [2, 0], [3]]), ("bool,bool", [[0, 0], [1, 0]]),
                          ("int64,int64", [[1], [[2, 5]]]), ("int64,int64", [[], [1]])]:
        arrays = [np.array(a, int) for a in arrays]
        typed = [a.astype(t) for a, t in zip(arrays, types.split(","))]
        cases.add("ix_", [types, index_text(arrays)], lambda: np.ix_(*typed), layout=False)
    shapes = [([(6,)], [(6,)]), ([(6,), (6,)], [(6,), (6,)]), ([(3, 1), (4,)], [(4,), (3, 1)]), ([(6,)], [()]),
              ([()], [(6,)]), ([(0,)], [(0,)]), ([(6,)] * 20, [(6,)] * 20), ([(6,)], [(6,), (6,)]), ([], []),
              ([(6,)], [(5,)]), ([(2, 3)] * 35, [(2, 1)] * 35)]
    for conditions, choices in shapes:
        for name, default in [("int64", 0), ("int64", 0.5), ("float32", -1), ("bool", 0), ("uint8", 7), ("complex64", 1.5)]:
            def call():
                return np.select([np.arange(int(np.prod(s))).reshape(s) % (k + 2) == 0 for k, s in enumerate(conditions)],
                                 [(np.arange(int(np.prod(s))).reshape(s) + 10 * k).astype(name) for k, s in enumerate(choices)],
                                 default)
            cases.add("select", [name, ";".join(map(joined, conditions)) or "none", ";".join(map(joined, choices)) or "none",
                                 default], call)


def add_strides(cases):
    for source, shape, strides in [(((12,), "-"), (3, 4), (32, 8)), (((12,), "-"), (10, 3), (8, 8)), (((12,), "index 4:"), (3, 2), (-16, 8)),
                                   (((12,), "-"), (), ()), (((12,), "-"), (5,), (0,)), (((3, 4), "transpose"), (2, 2), (8, 40)),
                                   (((12,), "-"), (0, 7), (8, 8)), (((12,), "index ::-1"), (12,), (-8,)), (((), "-"), (4,), (0,))]:
        cases.add("as_strided", ["int64", joined(source[0]), source[1], joined(shape), joined(strides)],
                  lambda: as_strided(numbers("int64", *source), shape, strides))
    for source, window, axis in [(((5,), "-"), (3,), None), (((5,), "-"), (0,), None), (((5,), "-"), (6,), None), (((5,), "-"), (-1,), None),
                                 (((4, 5), "-"), (2, 3), None), (((4, 5), "-"), (2,), None), (((4, 5), "-"), (2,), 0), (((4, 5), "-"), (2,), -1),
                                 (((4, 5), "-"), (2, 2), (1, 1)), (((4, 5), "-"), (3, 2), (1, 0)), (((4, 5), "-"), (4, 2), (1, 1)),
                                 (((4, 5), "-"), (2, 3), (0,)), (((4, 5), "-"), (2,), 2), (((4, 5), "transpose"), (2, 3), None),
                                 (((8,), "index ::-2"), (2,), None), (((), "-"), (), None), (((0,), "-"), (0,), None), (((0,), "-"), (1,), None),
                                 (((3,), "broadcast_to 4,3"), (2, 2), None)]:
        field = "-" if axis is None else joined(axis) if isinstance(axis, tuple) else axis
        cases.add("sliding_window_view", ["int64", joined(source[0]), source[1], joined(window), field],
                  lambda: sliding_window_view(numbers("int64", *source), window, axis))


def write(folder):
    with Npz(folder / "tricks.npz") as npz, Lines(folder / "tricks.txt", ABOUT) as lines:
        cases = Cases(npz, lines)
        for add in [add_matrices, add_diagonals, add_fills, add_grids, add_logarithmic, add_ravels, add_triangles,
                    add_choices, add_strides, add_wide_spaces]:
            add(cases)
