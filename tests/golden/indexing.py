"""indexing.txt: subscripts with arrays among them, read, assigned to and updated in place.
indexing_functions.txt: take, put and their like."""

import itertools

import numpy as np

import recipes
from common import Lines, error_name, joined, rng_for

ABOUT = """
Subscripts with arrays of integers and bools among them. Fields are separated by '|', numbers by ',';
"-" is an empty list. The base is arange(n).reshape(<base shape>), int64. Items are separated by ';': 3
1:  ::-2  newaxis  ... and arrays as "<type> <shape> <elements>" (bools as 0 and 1).
get|<base shape>|<items>|<shape>|<elements in C order>          base[items], a copy
set|<base shape>|<items>|<value shape>|<elements of the base>   base[items] = -1 - arange(n).reshape(<value shape>)
add|<base shape>|<items>|<value shape>|<elements of the base>   base[items] += the same values
<ufunc>.at|<base shape>|<items>|<value shape>|<elements of the base>   np.<ufunc>.at(base, items, the same values)
Instead of the last two fields of get, and of the last one of the others, stands
error|<class>|<message> if NumPy refuses.
"""

FUNCTIONS_ABOUT = """
Functions of indices. Arrays are written as in indexing.txt and separated by ';'.
<function>|<arrays>|<axis>|<mode>|<shape>|<elements in C order>
  axis: "none" is NumPy's None, "-" is not given; mode: "-" is not given
  put, put_along_axis, putmask, place: the first array is written to, and is the result
  nonzero: the arrays that it gives as rows of one; choose: the choices are the arrays after the first
Instead of the last two fields stands error|<class>|<message> if NumPy refuses.
"""

INTEGERS = ["int64", "int64", "int32", "int16", "int8", "uint8", "uint16", "uint32", "uint64"]
EXTENTS = (3, 2, 4, 2, 3)
UPDATES = ["add.at", "subtract.at", "multiply.at", "maximum.at", "bitwise_xor.at", "remainder.at", "less.at"]


def item_text(item):
    if isinstance(item, np.ndarray):
        return f"{item.dtype.name} {joined(item.shape)} {joined(item.ravel())}"
    return recipes.index_text([item])


def values_for(shape):
    return -1 - np.arange(int(np.prod(shape))).reshape(shape)


def base_for(shape):
    return np.arange(int(np.prod(shape))).reshape(shape)


def write_get(lines, shape, items):
    fields = ["get", joined(shape), ";".join(map(item_text, items))]
    try:
        out = np.asarray(base_for(shape)[tuple(items)])
        lines.add(*fields, joined(out.shape), joined(out.ravel()))
        return out.shape
    except Exception as error:
        lines.add(*fields, "error", error_name(error), str(error).strip())
        return None


def write_change(lines, what, shape, items, value_shape):
    fields = [what, joined(shape), ";".join(map(item_text, items)), joined(value_shape)]
    base, items = base_for(shape), tuple(items)
    try:
        if what.endswith(".at"):
            getattr(np, what[:-3]).at(base, items, values_for(value_shape))
        elif what == "set":
            base[items] = values_for(value_shape)
        else:
            base[items] += values_for(value_shape)
        lines.add(*fields, joined(base.ravel()))
    except Exception as error:
        lines.add(*fields, "error", error_name(error), str(error).strip())


# ---- every order of every kind of item ----

KINDS = "integer slice newaxis ellipsis indices mask".split()


def random_indices(rng, extent, index_shape):
    name = rng.choice(INTEGERS)
    low = 0 if name.startswith("u") else -extent
    return rng.integers(low, extent, index_shape).astype(name)


def random_mask(rng, shape):
    """One or two true elements: as many as the other arrays have, so that they broadcast."""
    mask = np.zeros(shape, bool)
    mask.ravel()[rng.choice(mask.size, int(rng.choice([1, 2, 2])), replace=False)] = True
    return mask


def fill_in(rng, kinds, shape):
    """An item of each kind for the axes of a shape, or None where they do not fit."""
    used = sum(k in ("integer", "slice", "indices", "mask") for k in kinds)
    if used > len(shape) or kinds.count("ellipsis") > 1:
        return None
    items, axis = [], 0
    for position, kind in enumerate(kinds):
        extent = shape[axis] if axis < len(shape) else 0
        if kind == "newaxis":
            items.append(None)
        elif kind == "ellipsis":
            items.append(Ellipsis)
            axis = len(shape) - sum(k in ("integer", "slice", "indices", "mask")
                                    for k in kinds[position:])
        else:
            if kind == "integer":
                items.append(int(rng.integers(-extent, extent)))
            elif kind == "slice":
                items.append([slice(1, None), slice(None, None, -1), slice(None, 2)][rng.integers(3)])
            elif kind == "indices":
                index_shape = [(2,), (2,), (2, 1), (1,), ()][rng.integers(5)]
                items.append(random_indices(rng, extent, index_shape))
            else:
                items.append(random_mask(rng, (extent,)))
            axis += 1
    return items


def widen_masks(rng, items, shape):
    """Some one-dimensional masks become two-dimensional where the next item is a slice."""
    out, axis, skip = [], 0, False
    for k, item in enumerate(items):
        if skip:
            skip = False
            axis += 1
            continue
        next_item = items[k + 1] if k + 1 < len(items) else None
        if (isinstance(item, np.ndarray) and item.dtype == bool and isinstance(next_item, slice)
                and not any(i is Ellipsis for i in items[:k]) and rng.random() < 0.5):
            item, skip = random_mask(rng, shape[axis:axis + 2]), True
        out.append(item)
        axis += item is not None and item is not Ellipsis
    return out


def value_shape(rng, shape):
    """The result's shape, or one that broadcasts to it."""
    kind = rng.integers(5)
    if kind == 0:
        return ()
    if kind == 1:
        return shape[int(rng.integers(0, len(shape) + 1)):]
    if kind == 2:
        return tuple(1 if rng.random() < 0.4 else n for n in shape)
    return shape


def write_permutations(lines):
    rng = rng_for("indexing")
    count = 0
    for rank, length in itertools.product(range(1, 6), range(1, 5)):
        shape = EXTENTS[:rank]
        for kinds in itertools.product(KINDS, repeat=length):
            if not {"indices", "mask"} & set(kinds):
                continue
            items = fill_in(rng, kinds, shape)
            if items is None:
                continue
            items = widen_masks(rng, items, shape)
            out = write_get(lines, shape, items) if base_for(shape)[tuple(items)].size < 60 else None
            count += 1
            if out is not None and count % 9 == 1:
                write_change(lines, rng.choice(UPDATES), shape, items, value_shape(rng, out))
            if out is not None and count % 3 == 0:
                what = "set" if rng.random() < 0.7 else "add"
                write_change(lines, what, shape, items, value_shape(rng, out))


# ---- what chance would not meet ----

def I(*values, t="int64"):
    return np.array(values[0] if len(values) == 1 else values, t)


def B(values):
    return np.array(values, bool)


NONE = np.zeros(0, np.int64)
EMPTIES = [
    ((3,), [[NONE], [np.zeros((0, 2), np.int8)], [np.zeros((2, 0), np.int64)], [B([False] * 3)],
            [NONE, None], [None, NONE, Ellipsis], [B(False)], [B(True)], [B(False), I([0, 1])],
            [B(True), I([0, 1])], [I([0, 1]), B(True)], [B(True), B(False)], [B(True), 1],
            [Ellipsis, B(True)], [I(5), NONE], [I([7]), B(False)], [np.array(2)],
            [np.array(-1), None]]),
    ((3, 4), [[NONE], [NONE, 0], [0, NONE], [NONE, NONE], [slice(None), NONE], [NONE, slice(1, 1)],
              [slice(2, 2), I([0, 3])], [I([[0], [2]]), NONE], [I([0, 2]), slice(4, None)],
              [B([False] * 3)], [B([False] * 3), I([1])], [B([False] * 3), I([1, 2])],
              [B([[False] * 4] * 3)], [B([[True] * 4] * 3)], [B([[True] * 4] * 3), None],
              [None, B([[True] * 4] * 3)], [B([True] * 3), B([True, False, True, True])],
              [np.array(1)], [np.array(1), slice(None)], [np.array(1), np.array(2)],
              [1, np.array(2)], [slice(None), np.array(-1)], [B(True), slice(1, 3)],
              [slice(1, 3), B(True)], [1, B(True)], [B(False), 1], [B(True), None, I([1])]]),
    ((0,), [[NONE], [B([])], [I([], t="int8")], [I([[]])], [B(True)], [B(False)], [NONE, None]]),
    ((0, 3), [[NONE], [slice(None), I([2, 0])], [B(np.zeros((0, 3)))], [B([])],
              [NONE, I([1])], [NONE, slice(None)], [slice(None), B([True, False, True])]]),
    ((3, 0), [[I([2, 1])], [I([2, 1]), slice(None)], [slice(None), NONE], [B([True, False, True])],
              [I([0]), NONE], [B(np.zeros((3, 0)))]]),
    ((2, 0, 3), [[I([1, 0])], [slice(None), NONE, I([2])], [I([1]), slice(None), I([2, 0])],
                 [1, slice(None), I([2, 0])], [Ellipsis, I([[1]])], [B([True, True])]]),
    ((), [[B(True)], [B(False)], [B(True), None], [None, B(True)], [Ellipsis, B(True)],
          [B(True), B(True)]]),
    ((1,), [[I([0, 0, -1, 0])], [I([[0]]), None], [B([True])], [np.array(0)]]),
]

ERRORS = [
    ((3,), [[I([3])], [I([0, -4])], [I([0, 1, 2, 10])], [I([127], t="int8")], [I([3], t="uint64")],
            [np.array(3)], [I([0]), I([0])], [B([True, False])], [B([True] * 4)],
            [B([[True], [True], [False]])], [I([0]), Ellipsis, Ellipsis], [I([0]), 0],
            [I([[0, 1], [2, 3]]), None], [I([-2**63])]]),
    ((3, 4), [[I([3])], [I([0, 1]), I([0, 4])], [I([0, 1]), I([-5, 0])], [I([3, 0]), I([0, 0])],
              [slice(None), I([4])], [I([1]), 4], [3, I([1])], [I([0, 1]), I([0, 1, 2])],
              [I([[0, 1]]), I([[0, 1, 2]])], [B([True] * 3), I([0, 1])],
              [B([[True] * 4] * 3), I([0])], [B([True] * 4)], [slice(None), B([True] * 3)],
              [B([[True] * 3] * 3)], [B([[True] * 4] * 4)], [I([0]), I([0]), I([0])],
              [I([0]), slice(None), slice(None)], [I([9]), NONE], [slice(4, 4), I([9])],
              [slice(0, 0), I([9])], [I([[5], [0]]), slice(None, 0)], [None, I([7])],
              [I([7]), None, I([1])], [slice(None, None, -1), I([-5])]]),
    ((2, 0), [[I([2])], [I([0]), I([0])], [slice(None), I([0])], [NONE, I([0])]]),
    ((0,), [[I([0])], [I([-1])], [B([True])]]),
    ((), [[I([0])], [B([True])], [np.array(0)]]),
]

CHANGES = [
    ((3,), [I([0, 0, 2])], [(), (3,), (1,), (2,), (1, 3), (2, 3), (0,)]),
    ((3,), [I([1, 1, 1, 1])], [(4,), (1,), (3,)]),
    ((3,), [NONE], [(), (0,), (1,), (2,)]),
    ((3,), [B(True)], [(), (3,), (1, 3), (2, 3), (2,)]),
    ((3,), [B(False)], [(), (3,), (0, 3), (2,)]),
    ((3,), [B([True, False, True])], [(), (1,), (2,), (3,), (1, 2), (0,)]),
    ((3, 4), [I([[0, 2], [0, 2]])], [(), (4,), (2, 4), (2, 2, 4), (2, 1, 1), (3,), (2, 2), (1, 2, 2, 4)]),
    ((3, 4), [I([0, 1, 0]), I([1, 1, 1])], [(), (3,), (1,), (2,), (3, 1)]),
    ((3, 4), [slice(None), I([3, 3, 0])], [(3, 3), (3,), (3, 1), (2,), (4, 3), ()]),
    ((3, 4), [I([2, 2]), slice(None, None, 2)], [(2, 2), (2,), (1,), (2, 1), (3,)]),
    ((3, 4), [B([True, False, True])], [(4,), (2, 4), (2, 1), (3,), (2,)]),
    ((3, 4), [B([True, False, True]), 1], [(2,), (1,), (), (3,)]),
    ((3, 4), [slice(1, None), B([True, False, True, True])], [(2, 3), (3,), (2, 1), (2,)]),
    ((3, 4), [B([[True, False, True, True]] * 3)], [(9,), (1,), (), (8,), (1, 9), (3, 3)]),
    ((2, 3, 4), [I([1, 1]), slice(None), I([0, 0])], [(2, 3), (3,), (2, 1), (2,), (3, 2)]),
    ((2, 3, 4), [slice(None), I([1, 1]), I([0, 0])], [(2, 2), (2,), (2, 1), (3,)]),
    ((3,), [I([0, 5])], [(), (2,)]),
    ((3, 4), [I([0, 1]), I([0, -9])], [(), (2,)]),
    ((3, 0), [I([5])], [()]),
]


# ---- functions ----

def A(*shape, t="int64", start=0):
    return (start + np.arange(int(np.prod(shape)))).reshape(shape).astype(t)


def D(values, t="int64"):
    return np.array(values, t)


CALLS = {
    "take": lambda a, i, **k: np.take(a, i, **k),
    "take_along_axis": lambda a, i, **k: np.take_along_axis(a, i, **k),
    "compress": lambda a, c, **k: np.compress(c, a, **k),
    "extract": lambda a, c: np.extract(c, a),
    "choose": lambda a, *choices, **k: np.choose(a, choices, **k),
    "nonzero": lambda a: np.array(np.nonzero(a)),
    "flatnonzero": np.flatnonzero,
    "argwhere": np.argwhere,
    "put": np.put,
    "put_along_axis": np.put_along_axis,
    "putmask": np.putmask,
    "place": np.place,
}
WRITING = ("put", "put_along_axis", "putmask", "place")
MODES = [None, "wrap", "clip"]


def write_call(lines, name, arrays, **keywords):
    fields = [name, ";".join(map(item_text, arrays)),
              {None: "none"}.get(keywords["axis"], keywords["axis"]) if "axis" in keywords else "-",
              keywords.get("mode", "-")]
    try:
        out = CALLS[name](*arrays, **keywords)
        out = np.asarray(arrays[0] if name in WRITING else out)
        lines.add(*fields, joined(out.shape), joined(out.ravel()))
    except Exception as error:
        lines.add(*fields, "error", error_name(error), str(error).strip())


def write_functions(lines):
    indices = [D([]), D([0]), D([2, 0, -1], "int32"), D([[0, 1], [-2, 1]], "int8"), D(1), D([5]),
               D([-7]), D([0, 3, 100, -100], "int16")]
    for shape, axes in [((4,), [None, 0, -1, 1]), ((2, 3), [None, 0, 1, -1, 2]), ((2, 0), [None, 0, 1]),
                        ((0, 3), [0, 1]), ((), [None]), ((3, 2, 2), [None, 0, 1, -1])]:
        for axis in axes:
            for i in indices:
                for mode in MODES:
                    write_call(lines, "take", [A(*shape), i], axis=axis,
                               **({"mode": mode} if mode else {}))
    for shape in [(5,), (2, 3), (0,), ()]:
        for i in indices:
            for values in [D([7, 8]), D([9]), D(6), D([]), A(9, start=20), D([[1], [2]])]:
                for mode in MODES:
                    write_call(lines, "put", [A(*shape), i, values], **({"mode": mode} if mode else {}))
    for axis, shapes in {0: [(2, 3), (1, 3), (5, 3), (2, 1), (0, 3), (2, 2)],
                         1: [(2, 2), (1, 2), (2, 0), (3, 2)], -1: [(2, 4)], None: [(4,), (2, 2), (0,)],
                         2: [(2, 2)]}.items():
        for n, index_shape in enumerate(shapes):
            extent = 6 if axis is None else 2 if axis == 0 else 3
            i = (A(*index_shape, t="int16") * 5 % (2 * extent)) - extent
            write_call(lines, "take_along_axis", [A(2, 3), i], axis=axis)
            for values in [i * 10, D(7), D([5, 6])]:
                write_call(lines, "put_along_axis", [A(2, 3), i, values], axis=axis)
    write_call(lines, "take_along_axis", [A(2, 3), D([[3], [0]])], axis=1)
    write_call(lines, "put_along_axis", [A(2, 3), D([[3], [0]]), D(1)], axis=1)
    write_call(lines, "take_along_axis", [A(2, 3), D([0])], axis=1)
    write_call(lines, "take_along_axis", [A(2, 3, 2), D([[[1], [0], [2]], [[0], [0], [1]]])], axis=1)
    conditions = [B([True, False, True]), B([False, True]), B([]), D([0, 2, 0]), B([True] * 4), B([[True]]),
                  B([False, False])]
    for c in conditions:
        for a, axis in [(A(3), 0), (A(2, 3), 1), (A(3, 2), 0), (A(2, 3), None), (A(2, 3), 5), (A(3, 0), 0)]:
            write_call(lines, "compress", [a, c], axis=axis)
        for a in [A(3), A(2, 2), A(0)]:
            write_call(lines, "extract", [a, c])
    masks = [A(2, 3) % 2 == 0, A(2, 3) > 9, A(2, 3) >= 0, B([True]), A(2, 3) % 3, A(6) % 2 == 1]
    for m in masks:
        for values in [D([7, 8]), D([9]), D([]), A(2, 3, start=50), A(4, start=10), D(3), A(9, start=30)]:
            write_call(lines, "place", [A(2, 3), m, values])
            write_call(lines, "putmask", [A(2, 3), m, values])
        for name in ["nonzero", "flatnonzero", "argwhere"]:
            write_call(lines, name, [m])
    for a in [D(0), D(4), A(0), A(2, 0), A(2, 2, 3) % 4 == 0, A(5, t="float32"), np.zeros((3, 3), bool),
              A(2, 3, 2, 2, t="int8") % 5]:
        for name in ["nonzero", "flatnonzero", "argwhere"]:
            write_call(lines, name, [a])
    for a in [D([0, 1, 2, 1]), D([[0], [2]]), D(1), D([]), D([3]), D([-1, 0], "int8"), B([True, False, True, True])]:
        for choices in [[A(4), A(4, start=10), A(4, start=20)], [D(1), D(2), D(3)],
                        [A(2, 1), A(4), D(9)], [A(3), A(4), A(4)]]:
            for mode in MODES:
                write_call(lines, "choose", [a, *choices], **({"mode": mode} if mode else {}))


def write(folder):
    with Lines(folder / "indexing_functions.txt", FUNCTIONS_ABOUT) as lines:
        write_functions(lines)
    with Lines(folder / "indexing.txt", ABOUT) as lines:
        write_permutations(lines)
        for shape, cases in EMPTIES + ERRORS:
            for items in cases:
                out = write_get(lines, shape, items)
                write_change(lines, "set", shape, items, ())
                if out is not None:
                    write_change(lines, "add", shape, items, out)
        for shape, items, values in CHANGES:
            for value in values:
                write_change(lines, "set", shape, items, value)
                write_change(lines, "add", shape, items, value)
                for update in UPDATES[:-1]:
                    write_change(lines, update, shape, items, value)
