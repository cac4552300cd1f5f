"""views.txt and broadcast.txt: what views and broadcasts give, with NumPy's error messages."""

import numpy as np

import recipes
from common import Lines, error_name, joined, rng_for

ABOUT = """
Views of arange(n).reshape(<base shape>), int64. Fields are separated by '|', numbers by ','; "-" is
an empty list. The recipe is made of steps joined by ';', applied from left to right:
""" + "".join(f"  {line}\n" for line in recipes.__doc__.split("\n")[2:] if line) + """
view|<base shape>|<recipe>|<memory>|<shape>|<strides in bytes>|<elements in C order>
  memory: "view" of the base, "copy", or "empty" (no elements: the question does not arise)
  strides: of extents 0 and 1 they are NumPy's and have no meaning
error|<base shape>|<recipe>|<class>|<message>
"""

BROADCAST_ABOUT = """
Broadcasting. Fields are separated by '|', numbers by ','; "-" is an empty list, as the shape of a
0-d array. Operands of type int64: a[i] = i, b[i] = 100 + i, c[i] = -1 - i in C order.
add|<shape a>|<shape b>|<shape>|<elements>                 a + b
where|<shapes a, b, c, each a field>|<shape>|<elements>    where(a % 3 == 0, b, c)
iadd|<shape a>|<shape b>|<shape>|<elements>                a += b
assign|<shape a>|<shape b>|<shape>|<elements>              a[...] = b
broadcast_shapes|<number of shapes>|<shapes, each a field>|<shape>
Instead of the last two fields, or the shape, stands error|<class>|<message> if NumPy refuses.
"""


# ---- views ----

def write_view(lines, shape, recipe):
    base = np.arange(int(np.prod(shape))).reshape(shape)
    try:
        view = np.asarray(recipes.apply(base, recipe))
    except Exception as error:
        lines.add("error", joined(shape), recipe, error_name(error), str(error).strip())
        return
    # A full integer index gives a scalar in NumPy, which is a copy; here it is a 0-d view.
    scalar = view.ndim == 0 and recipe.split(" ")[0] in ("index", "flip")
    memory = "view" if scalar or np.shares_memory(base, view) else "copy"
    lines.add("view", joined(shape), recipe, memory if view.size else "empty", joined(view.shape),
              joined(view.strides), joined(view.ravel()))


def random_bound(rng, extent):
    return None if rng.random() < 0.35 else int(rng.integers(-extent - 2, extent + 3))


def random_slice(rng, extent):
    step = int(rng.choice([1, 1, 2, 3, -1, -1, -2, -3, extent + 1]))
    start, stop = random_bound(rng, extent), random_bound(rng, extent)
    return slice(start, stop, None if step == 1 and rng.random() < 0.7 else step)


def random_item(rng, extent):
    if extent and rng.random() < 0.3:
        return int(rng.integers(-extent, extent))
    return random_slice(rng, extent)


def random_index(rng, shape):
    items = [random_item(rng, extent) for extent in shape]
    if rng.random() < 0.35:  # an ellipsis in place of some axes
        first, last = sorted(rng.integers(0, len(items) + 1, 2))
        items[first:last] = [Ellipsis]
    elif rng.random() < 0.3:
        items = items[:rng.integers(0, len(items) + 1)]
    for _ in range(int(rng.choice([0, 0, 0, 1, 2]))):
        items.insert(int(rng.integers(0, len(items) + 1)), None)
    return "index " + recipes.index_text(items)


def random_shape(rng):
    return tuple(int(n) for n in rng.choice([1, 2, 3, 4, 5, 5, 0], rng.integers(1, 5),
                                            p=[.15, .2, .2, .15, .15, .12, .03]))


def result_size(shape, recipe):
    return recipes.apply(np.empty(shape), recipe).size


def write_random_indices(lines, count=450):
    """Few of the results are empty: chance alone would make half of them so."""
    rng = rng_for("views")
    while count > 0:
        shape = random_shape(rng)
        recipe = random_index(rng, shape)
        if result_size(shape, recipe) > 0 or rng.random() < 0.15:
            write_view(lines, shape, recipe)
            count -= 1


INDEX_ERRORS = [
    ((3,), ["3", "-4", "0,0", "newaxis,3", "...,...", "::0", "9223372036854775807"]),
    ((3, 4), ["3", "0,4", "-4,0", "0,-5", "0,0,0", ":,:,:", "...,0,0,0", "3,4", ":,4", "...,4",
              "...,0,...", "newaxis,0,newaxis,4", "::0,0", "0,::0", "5,::0"]),
    ((2, 0, 3), ["0,0", ":,-1", "2", "...,3", "0,0,0"]),
    ((), ["0", ":", "0,0", "...", "-", "newaxis", "...,newaxis", "newaxis,...,newaxis", "...,0"]),
]

# (base shape, recipes)
SHAPING = [
    ((12,), ["reshape 3,4", "reshape 2,2,3", "reshape -1,6", "reshape 4,-1", "reshape 12",
             "reshape -1", "reshape 1,12,1", "reshape 5,2", "reshape -1,5", "reshape -1,-1",
             "reshape 0,-1", "reshape -", "reshape 3,-1,0", "reshape 12,1,1,1",
             "index ::-1;reshape 3,4", "index ::2;reshape 2,3", "index ::2;reshape 3,2,1",
             "index 2:8;reshape 2,3", "broadcast_to 2,12", "broadcast_to 12", "broadcast_to 1,12",
             "broadcast_to 12,1", "broadcast_to 11", "broadcast_to 3,4", "broadcast_to -",
             "ravel", "index ::-1;ravel", "flip", "flip 0", "flip -1", "flip 1", "transpose",
             "transpose 0", "transpose 0,1", "expand_dims 0", "expand_dims -1", "expand_dims 0,2",
             "expand_dims 3", "expand_dims -3", "expand_dims 0,0", "squeeze", "squeeze 0"]),
    ((), ["reshape 1", "reshape 1,1", "reshape -1", "reshape -", "reshape 2", "reshape 0",
          "broadcast_to 3", "broadcast_to 2,0", "ravel", "transpose", "flip", "flip 0", "squeeze",
          "squeeze 0", "expand_dims 0", "expand_dims -1", "expand_dims 0,1", "expand_dims 1"]),
    ((1,), ["squeeze", "squeeze 0", "squeeze -1", "squeeze 1", "reshape -", "broadcast_to 4",
            "broadcast_to 0", "broadcast_to 2,3"]),
    ((3, 4), ["transpose", "transpose 1,0", "transpose 0,1", "transpose -1,0", "transpose 0,0",
              "transpose 0", "transpose 0,1,2", "transpose 2,0", "transpose -3,0", "swapaxes 0 1",
              "swapaxes 0 0", "swapaxes -1 -2", "swapaxes 0 2", "swapaxes -3 0", "moveaxis 0 1",
              "moveaxis 1 0", "moveaxis 0 -1", "moveaxis 0,1 1,0", "moveaxis 0 2", "moveaxis 2 0",
              "moveaxis 0,0 1,0", "moveaxis 0,1 0", "flip", "flip 0", "flip 1", "flip 0,1",
              "flip -1", "flip 2", "flip 0,0", "squeeze", "squeeze 0", "squeeze 0,1",
              "transpose;reshape 12", "transpose;reshape 4,3", "transpose;reshape 2,6",
              "transpose;reshape 4,1,3", "transpose;reshape 2,2,3", "transpose;ravel",
              "index :,::2;reshape 6", "index :,::2;reshape 3,2,1", "index :,:2;reshape 3,1,2",
              "index ::2;reshape 2,2,2", "index ::2;reshape 8", "index ::-1;reshape 12",
              "index :,::-1;reshape 3,2,2", "index 1;reshape 2,2", "forder;reshape 12",
              "forder;transpose;reshape 12", "forder", "forder;index 1:,::-1", "flip;transpose",
              "broadcast_to 2,3,4", "broadcast_to 5,1,3,4", "broadcast_to 3,1", "broadcast_to 4",
              "broadcast_to 4,3", "broadcast_to -1,4", "index newaxis,:,0;broadcast_to 2,3",
              "index :,0,newaxis;broadcast_to 3,5", "index 0;broadcast_to 2,4;reshape 8",
              "index 0;broadcast_to 2,4;transpose;index ::-1", "expand_dims 1",
              "expand_dims 0,3", "expand_dims -1,0", "expand_dims 1,1", "expand_dims 4",
              "expand_dims 0;squeeze", "expand_dims 1;squeeze 1", "expand_dims 1;squeeze 0"]),
    ((2, 3, 4), ["transpose", "transpose 1,2,0", "transpose 2,0,1", "transpose 0,2,1",
                 "transpose 1,0,2", "transpose -1,-2,-3", "transpose 0,1,1", "moveaxis 0 -1",
                 "moveaxis -1 0", "moveaxis 0,1 -1,-2", "moveaxis 2,0 0,1", "moveaxis 1 1",
                 "moveaxis 0,1,2 2,1,0", "moveaxis 3 0", "moveaxis 0 -4", "swapaxes 0 2",
                 "swapaxes 1 -1", "swapaxes 3 0", "flip 0,2", "flip 1", "flip -4", "reshape 6,4",
                 "reshape 2,12", "reshape 24", "reshape 4,3,2", "reshape 3,8", "reshape 5,5",
                 "reshape -1,7", "transpose 1,0,2;reshape 6,4", "transpose 0,2,1;reshape 2,12",
                 "transpose 2,0,1;reshape 4,6", "transpose 1,2,0;reshape 12,2",
                 "transpose 2,0,1;reshape 2,2,6", "index :,1;reshape 8", "index :,1;reshape 2,2,2",
                 "index :,:,1;reshape 6", "index :,:,::-1;reshape 6,4", "index 1,::2;ravel",
                 "index :,::2,::2;ravel", "index ::-1,::-1,::-1;ravel",
                 "index 1,...,newaxis,0;broadcast_to 4,3,3", "broadcast_to 2,2,3,4",
                 "broadcast_to 2,3,4,1", "broadcast_to 3,4", "index :,:1;broadcast_to 2,3,4",
                 "index 1:;broadcast_to 6,3,4;index ::2,1", "forder;transpose 1,0,2;ravel",
                 "squeeze", "squeeze 1", "index :1;squeeze", "index :1,:,:1;squeeze 0",
                 "index :1,:,:1;squeeze 0,2", "index :1,:,:1;squeeze 2,-1", "expand_dims 1,3",
                 "expand_dims 0,-1;squeeze 0", "index 1,1;expand_dims 0"]),
    ((1, 3, 1, 2), ["squeeze", "squeeze 0", "squeeze 2", "squeeze 0,2", "squeeze -2", "squeeze 1",
                    "squeeze 0,1", "squeeze 0,0", "squeeze 4", "squeeze -5", "squeeze -",
                    "reshape 3,2", "reshape 6", "transpose;reshape 6", "transpose;squeeze",
                    "broadcast_to 4,3,5,2", "broadcast_to 2,1,3,1,2", "broadcast_to 1,3,0,2"]),
    ((2, 0, 3), ["reshape 0", "reshape 3,0", "reshape 0,7", "reshape -1", "reshape -1,0",
                 "reshape 0,-1", "reshape 1", "reshape -1,3", "transpose", "flip", "ravel",
                 "index :,:,0", "index ::-1", "squeeze", "broadcast_to 2,0,3",
                 "broadcast_to 2,1,3", "broadcast_to 4,2,0,3", "expand_dims 0"]),
]


def write_views(folder):
    with Lines(folder / "views.txt", ABOUT) as lines:
        write_random_indices(lines)
        for shape, items in INDEX_ERRORS:
            for item in items:
                write_view(lines, shape, "index " + item)
        for shape, steps in SHAPING:
            for recipe in steps:
                write_view(lines, shape, recipe)


# ---- broadcasting ----

PAIRS = [((), ()), ((), (3,)), ((3,), ()), ((3,), (3,)), ((1,), (3,)), ((3,), (1,)), ((3,), (4,)),
         ((3, 4), (4,)), ((3, 4), (3,)), ((3, 4), (3, 1)), ((3, 1), (1, 4)), ((3, 1), (4,)),
         ((3, 4), (5,)), ((4,), (3, 4)), ((2, 3, 4), (3, 4)), ((2, 3, 4), (3, 1)),
         ((2, 3, 4), (2, 1, 1)), ((2, 3, 4), (2, 1, 3)), ((2, 1, 4), (3, 1)), ((0,), (1,)),
         ((0,), ()), ((0,), (0,)), ((0,), (2,)), ((1, 0), (3, 1)), ((2, 0), (2, 1)),
         ((2, 0), (3, 1)), ((5, 1, 3, 1), (2, 1, 4)), ((1, 1, 1), (2,)), ((2,), (1, 1, 1)),
         ((1, 2, 1, 2, 1), (2, 1, 2)),
         ((2, 3), (2, 3, 1)), ((1,), (1,)), ((1, 1), (1,)), ((33,), (1,)), ((8, 1), (31,)),
         ((2, 1), (2, 1)), ((3, 2), (2, 3)), ((1, 3), (3, 1)), ((4, 1, 1), (1, 5, 1))]

TRIPLES = [((3,), (), ()), ((), (3,), (3,)), ((3, 1), (4,), ()), ((3, 4), (3, 1), (4,)),
           ((2, 1, 1), (3, 1), (4,)), ((3,), (4,), (3,)), ((2,), (3,), (4,)), ((0,), (1,), (1,)),
           ((1,), (1,), (5,)), ((2, 3), (2, 3), (2, 3)), ((2, 3), (3, 2), ()), ((), (), ()),
           ((4, 1), (1, 2), (4, 2)), ((4, 1), (1, 2), (3, 2))]

SHAPE_LISTS = [[(3,)], [(2,), (3,)], [(3, 1), (1, 4), (2, 1, 1)], [(1,), (1,), (7,)],
               [(2, 3), (3,), (4,)], [(), ()], [(0,), (1,)], [(0,), (2,)], [(5, 1), (3,), (5, 3)],
               [(2,), (1,), (2,), (3,)]]


def operand(k, shape):
    i = np.arange(int(np.prod(shape))).reshape(shape)
    return [i, 100 + i, -1 - i][k]


def iadd(a, b):
    a += b
    return a


def assign(a, b):
    a[...] = b
    return a


def write_result(lines, fields, call, contents=True):
    try:
        result = call()
    except Exception as error:
        lines.add(*fields, "error", error_name(error), str(error).strip())
        return
    shape = result.shape if contents else result
    lines.add(*fields, joined(shape), *([joined(np.ravel(result))] if contents else []))


def write_broadcast(folder):
    with Lines(folder / "broadcast.txt", BROADCAST_ABOUT) as lines:
        for name, call in {"add": np.add, "iadd": iadd, "assign": assign}.items():
            for shapes in PAIRS:
                operands = [np.asarray(operand(k, shape)) for k, shape in enumerate(shapes)]
                write_result(lines, [name, *map(joined, shapes)], lambda: call(*operands))
        for shapes in TRIPLES:
            a, b, c = [operand(k, shape) for k, shape in enumerate(shapes)]
            write_result(lines, ["where", *map(joined, shapes)],
                         lambda: np.where(a % 3 == 0, b, c))
        for shapes in SHAPE_LISTS:
            write_result(lines, ["broadcast_shapes", len(shapes), *map(joined, shapes)],
                         lambda: np.broadcast_shapes(*shapes), contents=False)


def write(folder):
    write_views(folder)
    write_broadcast(folder)
