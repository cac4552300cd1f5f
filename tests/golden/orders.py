"""orders.txt: how results lie in memory."""

import itertools

import numpy as np

import recipes
from common import Lines, joined

ABOUT = """
Strides and elements of results. A base array is arange(n) of float64, reshaped, and seen through a recipe
of recipes.py; elements are written in C order. order: C, F, A or K.
copy|astype|ravel|flatten|negative: <shape>|<recipe>|<order>|<strides>|<elements>   (astype: to float32)
reshape: <shape>|<recipe>|<new shape>|<order>|<strides>|<elements>
empty_like: <shape>|<recipe>|<order>|<new shape or same>|<strides>
add: <shape>|<recipe>|<shape>|<recipe>|<order>|<strides>
sum|argmax: <shape>|<recipe>|<axes>|<strides>
"""

INPUTS = [((), "-"), ((5,), "-"), ((5,), "index ::-1"), ((3, 4), "-"), ((3, 4), "transpose"), ((3, 4), "forder"),
          ((3, 4), "index :,::-1"), ((4, 6), "index ::2,::3"), ((4, 6), "transpose;index ::2"), ((4,), "broadcast_to 3,4"),
          ((3, 1), "broadcast_to 3,4"), ((2, 3, 4), "-"), ((2, 3, 4), "transpose"), ((2, 3, 4), "forder"),
          ((2, 3, 4), "transpose 1,0,2"), ((2, 3, 4), "transpose 1,2,0"), ((2, 3, 4), "transpose 2,0,1"),
          ((2, 3, 4), "index ::-1,:,1:;transpose 0,2,1"), ((2, 4), "index :,newaxis;broadcast_to 2,3,4"),
          ((2, 3), "index :,:,newaxis;broadcast_to 2,3,4;transpose 2,0,1"), ((2, 1, 4), "-"), ((2, 1, 4), "transpose"),
          ((1, 3, 1), "forder"), ((2, 0, 3), "-"), ((2, 0, 3), "transpose"), ((1, 1), "broadcast_to 3,4"),
          ((2, 3, 2, 2), "transpose 3,1,0,2"), ((2, 3, 2, 2), "forder;transpose 2,0,3,1")]


def base(shape):
    return np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape)


def views():
    return [(shape, recipe, recipes.apply(base(shape), recipe)) for shape, recipe in INPUTS]


def write_one(lines):
    functions = {"copy": lambda a, o: a.copy(o), "astype": lambda a, o: a.astype(np.float32, o),
                 "ravel": lambda a, o: a.ravel(o), "flatten": lambda a, o: a.flatten(o),
                 "negative": lambda a, o: np.negative(a, order=o)}
    for name, call in functions.items():
        for (shape, recipe, view), o in itertools.product(views(), "CFAK"):
            result = np.asarray(call(view, o))
            lines.add(name, joined(shape), recipe, o, joined(result.strides), joined(result.ravel()))
    for (shape, recipe, view), o in itertools.product(views(), "CFA"):
        if view.size in (12, 24):
            for to in [(view.size,), (2, -1), (-1, 3), (3, 2, -1)]:
                result = view.reshape(to, order=o)
                lines.add("reshape", joined(shape), recipe, joined(to), o, joined(result.strides), joined(result.ravel()))
    for (shape, recipe, view), o, to in itertools.product(views(), "CFAK", [None, (2, 3), (4, 2, 3)]):
        result = np.empty_like(view, order=o, shape=to)
        lines.add("empty_like", joined(shape), recipe, o, "same" if to is None else joined(to), joined(result.strides))


def write_pairs(lines):
    for (s1, r1, a), (s2, r2, b) in itertools.product(views(), repeat=2):
        try:
            results = {o: np.add(a, b, order=o) for o in ("CFAK" if a.shape == b.shape else "K")}
        except ValueError:
            continue
        for o, result in results.items():
            lines.add("add", joined(s1), r1, joined(s2), r2, o, joined(result.strides))


def write_reductions(lines):
    for (shape, recipe, view), axis in itertools.product(views(), [(0,), (1,), (2,), (0, 1), (0, 2), (1, 3)]):
        if max(axis) >= view.ndim or view.size == 0:
            continue
        lines.add("sum", joined(shape), recipe, joined(axis), joined(np.asarray(view.sum(axis)).strides))
        if len(axis) == 1:
            lines.add("argmax", joined(shape), recipe, joined(axis), joined(np.asarray(view.argmax(axis[0])).strides))


def write(folder):
    with Lines(folder / "orders.txt", ABOUT) as lines:
        write_one(lines)
        write_pairs(lines)
        write_reductions(lines)
