"""manipulation.txt: what NumPy's manipulation routines give: elements, types, orders, views, errors."""

import collections
import itertools
import re

import numpy as np

import recipes
from common import TYPES, Lines, dtype_of, error_name, joined, name_of

ABOUT = """
Calls of NumPy's manipulation routines. Fields are separated by '|', numbers by ','; "-" is an empty
list.
call|<function>|<arguments>|<operands>|<results>       or
error|<function>|<arguments>|<operands>|<class>|<message>
  arguments: name=value, joined by ' '; a list is "1,2", a list of one "1,", a pair of ends for each
    axis "1,2/3,4", a slice "1:5:2", no axis "none", blocks as nested lists of operands' numbers
  operands, joined by ' & ': <type> <shape> <recipe>; operand k is 100 * k + arange(n), in C order, of
    that type, seen through the recipe (recipes.py). "=1,2,3" in place of the recipe: these elements.
  results, joined by ' & ': <type> <shape> <order> <memory> <elements in C order>
    order: C, F, CF or -, as the flags say; memory: "view" of an operand, "copy", or "empty" (no
    elements: the question does not arise)
"""


# ---- arguments ----

def number(text):
    return float(text) if "." in text else int(text)


def value(text):
    """A number, a list, pairs, a slice, none or a word."""
    if text in ("none", "-"):
        return None if text == "none" else []
    if text[0] == "[":
        return eval(text)
    if ":" in text:
        return slice(*[int(part) if part else None for part in text.split(":")])
    if "/" in text:
        return [[number(n) for n in pair.split(",")] for pair in text.split("/")]
    if text[0] not in "-0123456789.":
        return text
    return [number(n) for n in text.split(",") if n] if "," in text else number(text)


def arguments(text):
    return {} if text == "-" else {k: value(v) for k, v in (p.split("=") for p in text.split(" "))}


def axis_of(a):
    """A list as a tuple, which is what NumPy takes for several axes."""
    return {k: tuple(v) if isinstance(v, list) and k in ("axis", "axes", "shift") else v
            for k, v in a.items()}


# ---- operands ----

def operand(k, text):
    """The array and the one that holds its elements."""
    type_name, shape, recipe = text.split(" ", 2)
    shape = recipes.numbers(shape)
    if recipe.startswith("="):
        base = np.array([number(n) for n in recipe[1:].split(",")]).reshape(shape)
        recipe = "-"
    else:
        base = (100 * k + np.arange(int(np.prod(shape)))).reshape(shape)
    base = base.astype(dtype_of(type_name))
    return recipes.apply(base, recipe), base


# ---- functions ----

def nested(structure, arrays):
    return [nested(s, arrays) for s in structure] if isinstance(structure, list) else arrays[structure]


def typed(a):
    """dtype= as NumPy's type."""
    return {k: dtype_of(v) if k == "dtype" else v for k, v in a.items()}


def copyto(x, casting="same_kind"):
    np.copyto(x[0], x[1], casting=casting, **({"where": x[2]} if len(x) > 2 else {}))
    return x[0]


def joined_into(x, axis=0, casting="same_kind"):
    """The last operand is out=."""
    return np.concatenate(x[:-1], axis=axis, out=x[-1], casting=casting)


FUNCTIONS = {
    "concatenate": lambda x, **a: np.concatenate(x, **typed(a)),
    "concatenate_out": joined_into,
    "stack": lambda x, **a: np.stack(x, **typed(a)),
    "vstack": lambda x, **a: np.vstack(x, **typed(a)),
    "hstack": lambda x, **a: np.hstack(x, **typed(a)),
    "dstack": lambda x: np.dstack(x),
    "column_stack": lambda x: np.column_stack(x),
    "block": lambda x, of: np.block(nested(of, x)),
    "append": lambda x, **a: np.append(*x, **a),
    "split": lambda x, at, **a: np.split(x[0], at, **a),
    "array_split": lambda x, at, **a: np.array_split(x[0], at, **a),
    "hsplit": lambda x, at: np.hsplit(x[0], at),
    "vsplit": lambda x, at: np.vsplit(x[0], at),
    "dsplit": lambda x, at: np.dsplit(x[0], at),
    "unstack": lambda x, **a: np.unstack(x[0], **a),
    "roll": lambda x, shift, **a: np.roll(x[0], shift, **a),
    "rot90": lambda x, **a: np.rot90(x[0], **a),
    "tile": lambda x, reps: np.tile(x[0], reps),
    "repeat": lambda x, counts, **a: np.repeat(x[0], counts, **a),
    "resize": lambda x, shape: np.resize(x[0], shape),
    "delete": lambda x, at, **a: np.delete(x[0], at, **a),
    "delete_mask": lambda x, **a: np.delete(x[0], x[1], **a),
    "insert": lambda x, at, **a: np.insert(x[0], at, x[1], **a),
    "insert_mask": lambda x, **a: np.insert(x[0], x[2], x[1], **a),
    "trim_zeros": lambda x, **a: np.trim_zeros(x[0], **a),
    "pad": lambda x, width, **a: np.pad(x[0], width, **a),
    "fliplr": lambda x: np.fliplr(x[0]),
    "flipud": lambda x: np.flipud(x[0]),
    "atleast_1d": lambda x: np.atleast_1d(x[0]),
    "atleast_2d": lambda x: np.atleast_2d(x[0]),
    "atleast_3d": lambda x: np.atleast_3d(x[0]),
    "matrix_transpose": lambda x: np.matrix_transpose(x[0]),
    "rollaxis": lambda x, **a: np.rollaxis(x[0], **a),
    "asfortranarray": lambda x: np.asfortranarray(x[0]),
    "reshape": lambda x, shape, copy=None, **a: np.reshape(
        x[0], shape, copy={None: None, "true": True, "false": False}[copy], **a),
    "copyto": copyto,
}


# ---- lines ----

def plain(x):
    """An element as text: a whole number, or a float that reads back the same."""
    x = complex(x)
    assert x.imag == 0 or x != x, x
    return str(int(x.real)) if x.real == x.real and abs(x.real) < 1e15 and x.real == int(x.real) else repr(x.real)


def described(result, bases):
    flags = ("C" if result.flags.c_contiguous else "") + ("F" if result.flags.f_contiguous else "")
    # A scalar of NumPy's is a copy; here it is a 0-d view.
    shares = isinstance(result, np.generic) or any(np.shares_memory(result, base) for base in bases)
    memory = "empty" if result.size == 0 else "view" if shares else "copy"
    return " ".join([name_of(result.dtype), joined(result.shape), flags or "-", memory,
                     ",".join(map(plain, result.ravel())) or "-"])


def said_often(function, error, seen=collections.Counter()):
    """Whether three errors of this kind are there: more would say nothing new."""
    kind = (function, type(error), re.sub(r"\d+", "N", str(error)))
    seen[kind] += 1
    return seen[kind] > 3


def write_call(lines, function, text, *operands):
    pairs = [operand(k, o) for k, o in enumerate(operands)]
    fields = [function, text, " & ".join(operands)]
    try:
        result = FUNCTIONS[function]([a for a, _ in pairs], **axis_of(arguments(text)))
    except Exception as error:
        if not said_often(function, error):
            lines.add("error", *fields, error_name(error), str(error).strip())
        return
    results = result if isinstance(result, (list, tuple)) else [result]
    lines.add("call", *fields, " & ".join(described(r, [base for _, base in pairs]) for r in results))


def ints(*shapes):
    """Operands of int64."""
    return [o if " " in o else f"int64 {o} -" for o in shapes]


ANY_SHAPE = ["-", "0", "1", "5", "3,4", "2,0", "2,3,4", "2,1,3,2"]


def write_joining(lines):
    for shapes, axes in [(["3", "2"], [0, -1, 1, "none"]), (["2,3", "2,3"], [0, 1, -2, 2, -3, "none"]),
                         (["2,3", "4,3", "0,3"], [0, 1]), (["2,3,4", "2,1,4"], [1, 0, -2]),
                         (["2,3", "3"], [0]), (["-", "-"], [0, "none"]), (["3", "-"], [0, "none"]),
                         (["3"], [0]), (["0", "0"], [0]), (["2,0", "2,2"], [1]),
                         (["1,2,1,3", "1,2,2,3"], [2, 3])]:
        for axis in axes:
            write_call(lines, "concatenate", f"axis={axis}", *ints(*shapes))
    for left, right in itertools.product(["3,4 -", "4,3 transpose", "3,4 forder", "6,4 index ::2",
                                          "3,4 index :,::-1", "4 broadcast_to 3,4"], repeat=2):
        for axis in (0, 1, "none"):
            write_call(lines, "concatenate", f"axis={axis}", "int64 " + left, "int64 " + right)
    for views in [("2,3,4 transpose 2,0,1", "2,3,4 transpose 2,0,1"), ("2,3,4 forder", "2,3,4 forder"),
                  ("2,3,4 transpose 1,0,2", "2,3,4 forder;transpose 1,0,2"),
                  ("1,3,4 forder", "2,3,4 forder"), ("4,3,2 transpose", "2,3,4 -")]:
        for axis in range(3):
            write_call(lines, "concatenate", f"axis={axis}", *("int64 " + v for v in views))
            write_call(lines, "stack", f"axis={axis}", *("int64 " + v for v in views))
    for a, b, c in [("int8", "uint8", "int8"), ("int16", "uint16", "float32"), ("float32", "int64", "bool"),
                    ("complex64", "int16", "int32"), ("bool", "bool", "uint8"), ("float16", "int8", "uint8"),
                    ("int64", "uint64", "int8"), ("bfloat16", "uint8", "bool"), ("bfloat16", "float32", "float32")]:
        write_call(lines, "concatenate", "-", f"{a} 2 =1,0", f"{b} 3 =1,2,3", f"{c} 1 =1")
    for t, rule in [("float32", "same_kind"), ("int32", "same_kind"), ("int32", "unsafe"), ("float32", "safe"),
                    ("float64", "no"), ("float32", "no"), ("complex64", "same_kind"), ("float64", "safe")]:
        for name in ("concatenate", "stack", "vstack", "hstack"):
            write_call(lines, name, f"dtype={t} casting={rule}", "float64 3 -", "float64 3 -")
    for out in ["int64 5 -", "int64 10 index ::2", "float64 5 -", "int8 5 -", "int64 4 -", "int64 1,5 -"]:
        write_call(lines, "concatenate_out", "axis=0", "int64 2 -", "int64 3 -", out)
        write_call(lines, "concatenate_out", "axis=none", "int64 2,1 -", "int64 3 -", out)
    write_call(lines, "concatenate_out", "axis=1", "int64 2,1 -", "int64 2,2 -", "int64 3,2 transpose")
    for shapes, axes in [(["3", "3"], [0, 1, -1, -2, 2]), (["2,3", "2,3", "2,3"], [0, 1, 2, -1, -3, 3]),
                         (["-", "-"], [0, -1, 1]), (["3", "2"], [0]), (["0", "0"], [0, 1]), (["2,3"], [1])]:
        for axis in axes:
            write_call(lines, "stack", f"axis={axis}", *ints(*shapes))
    for shapes in [["-", "-"], ["3", "3"], ["1", "3"], ["2,3", "1,3"], ["2,3", "3"], ["2,3,4", "2,3,4"],
                   ["2,1", "2,3"], ["2", "2,3"], ["0", "0"], ["3"], ["2,3", "2,3", "2,3"], ["2,3", "2,2"],
                   ["-", "3"], ["2,3,1", "2,3"]]:
        for name in ("vstack", "hstack", "dstack", "column_stack"):
            write_call(lines, name, "-", *ints(*shapes))
        write_call(lines, "append", "-", *ints(*(shapes * 2)[:2]))
        write_call(lines, "append", "axis=0", *ints(*(shapes * 2)[:2]))
    for of, shapes in [("[0,1]", ["3", "2"]), ("[[0,1],[2,3]]", ["2,3", "2,1", "1,3", "1,1"]),
                       ("[[0,1],[2]]", ["2,3", "2,1", "1,4"]), ("[[0,1],[2]]", ["2,3", "2,1", "1,3"]),
                       ("[[0,1],[2,3]]", ["2,3", "3,1", "1,3", "1,1"]), ("[0,[1]]", ["3", "3"]),
                       ("[[0],1]", ["3", "3"]), ("[0,1]", ["-", "-"]), ("[[0],[1]]", ["3", "3"]),
                       ("[[[0,1]],[[2,3]]]", ["2,3", "2,1", "2,3", "2,1"]), ("[]", ["1"]), ("[[],[0]]", ["1"]),
                       ("[[0,1]]", ["2,3,4", "2,3,1"]), ("[0]", ["2,3"]), ("[[0],[1]]", ["2,3,4", "2,1,4"]),
                       ("[[[0],[1]],[[2],[3]]]", ["1,2,3", "1,1,3", "2,2,3", "2,1,3"])]:
        write_call(lines, "block", f"of={of}", *ints(*shapes))


def write_splitting(lines):
    for shape, name in itertools.product(["6", "4,6", "6,4,2", "2,3,4,6", "0", "0,3", "-", "1"],
                                         ["split", "array_split", "hsplit", "vsplit", "dsplit"]):
        for at in ["1", "2", "3", "4", "0", "-1", "2,", "2,3", "3,2", "-", "1,9", "-2,", "-4,-1", "0,0,2"]:
            write_call(lines, name, f"at={at}", *ints(shape))
    for axis in (0, 1, -1, -2):
        for name, at in itertools.product(["split", "array_split"], ["2", "3", "1,3", "5"]):
            write_call(lines, name, f"at={at} axis={axis}", "int64 4,6 transpose")
    for shape in ANY_SHAPE:
        for axis in (0, 1, -1, 4):
            write_call(lines, "unstack", f"axis={axis}", *ints(shape))


def write_moving(lines):
    views = ["5 -", "10 index ::-2", "3,4 -", "4,3 transpose", "3,4 index ::-1,1:", "4 broadcast_to 3,4",
             "2,3,4 transpose 2,0,1", "- -", "0 -", "2,0,3 -", "1,3 -"]
    for view in views:
        for shift in ["0", "1", "-1", "2", "7", "-100"]:
            for axis in ["none", "0", "1", "-1"]:
                write_call(lines, "roll", f"shift={shift} axis={axis}", "int64 " + view)
        for k in range(-1, 5):
            write_call(lines, "rot90", f"k={k}", "int64 " + view)
        for axes in ["1,0", "-1,0", "0,0", "0,2", "0,-2", "1,", "0,1,2"]:
            write_call(lines, "rot90", f"axes={axes}", "int64 " + view)
        for name in ["fliplr", "flipud", "atleast_1d", "atleast_2d", "atleast_3d", "matrix_transpose",
                     "asfortranarray"]:
            write_call(lines, name, "-", "int64 " + view)
        for axis, start in [(0, 0), (1, 0), (-1, 0), (0, 2), (0, 3), (2, 1), (1, -1), (0, 9), (0, -4), (4, 0)]:
            write_call(lines, "rollaxis", f"axis={axis} start={start}", "int64 " + view)
        for copy in ("true", "false"):
            for shape, order in itertools.product(["-1", "4,3", "2,6", "5"], "CF"):
                write_call(lines, "reshape", f"shape={shape} order={order} copy={copy}", "int64 " + view)
    for text in ["shift=1,2 axis=0,1", "shift=1,2 axis=0,0", "shift=1 axis=0,1", "shift=1,2 axis=0",
                 "shift=1,2 axis=0,1,1", "shift=1, axis=1,", "shift=1,2,3 axis=0,1,-1", "shift=1,2", "shift=1 axis=3",
                 "shift=-1,5,2 axis=2,1,0"]:
        for view in ["2,3,4 -", "2,3,4 forder", "3,4 -"]:
            write_call(lines, "roll", text, "int64 " + view)


def write_repeating(lines):
    for view in ["3 -", "6 index ::-2", "2,3 -", "3,2 transpose", "- -", "0 -", "2,0 -", "2,1,3 -"]:
        for reps in ["0", "1", "2", "2,3", "1,1", "1,2,1", "2,1,1,2", "-", "-1", "1,0", "3,-1"]:
            write_call(lines, "tile", f"reps={reps}", "int64 " + view)
        for counts in ["0", "1", "3", "-1", "1,2,3", "0,2", "2,", "1,-2,0", "-", "4,0,1"]:
            if counts == "-1" and view in ("0 -", "2,0 -"):  # passes in NumPy, is refused here
                continue
            for axis in ["none", "0", "1", "-1", "3"]:
                write_call(lines, "repeat", f"counts={counts} axis={axis}", "int64 " + view)
        for shape in ["-", "0", "2", "7", "3,4", "2,0", "-1", "2,-1", "2,2,2", "17"]:
            write_call(lines, "resize", f"shape={shape}", "int64 " + view)


def write_editing(lines):
    for view in ["12 index ::-2", "4,6 -", "6,4 transpose", "2,3,6 -", "0 -", "- -"]:
        for at in ["0", "2", "-1", "5", "6", "-7", "1,", "-1,", "1,3", "3,1", "0,0,2", "-", "1,9", "-9,1",
                   "1:3", ":", "::2", "4:1:-1", "::-2", "3:3", "5:2", "2:9"]:
            for axis in ["none", "0", "1", "-1"]:
                write_call(lines, "delete", f"at={at} axis={axis}", "int64 " + view)
    for mask in ["1,0,1,0,0,0", "0,0,0,0,0,0", "1,1,1,1,1,1", "0,0,0,0,1,0"]:
        write_call(lines, "delete_mask", "axis=0", "int64 6 -", f"bool 6 ={mask}")
        write_call(lines, "delete_mask", "axis=1", "int64 4,6 -", f"bool 6 ={mask}")
        write_call(lines, "delete_mask", "axis=0", "int64 4,6 -", f"bool 6 ={mask}")
        write_call(lines, "delete_mask", "axis=0", "int64 6 -", f"bool 2,3 ={mask}")
        write_call(lines, "insert_mask", "axis=0", "int64 6 -", "int64 1 =99", f"bool 6 ={mask}")
        write_call(lines, "insert_mask", "axis=1", "int64 4,6 -", "int64 - =99", f"bool 6 ={mask}")
    places = ["0", "2", "-1", "6", "7", "1,", "1,3", "3,1", "2,2", "-1,0,6", "-", "1:3", "::2", "4:1:-1", "1,1,0,1"]
    for view, values in [("6 -", ["-", "1", "2", "3", "4", "1,2", "2,1"]),
                         ("4,6 -", ["-", "2", "4", "6", "4,1", "4,2", "2,6", "1,1,6"]),
                         ("6,4 transpose", ["-", "4", "6", "4,1"]), ("2,3 forder", ["2", "3"]), ("0 -", ["-", "2"])]:
        for at, v, axis in itertools.product(places, values, ["none", "0", "1"]):
            write_call(lines, "insert", f"at={at} axis={axis}", "int64 " + view, f"int64 {v} -")
    write_call(lines, "insert", "at=1", "int64 3 -", "float64 - =2.75")
    write_call(lines, "insert", "at=1,2", "float32 3 -", "int8 2 -")
    for view in ["8 =0,0,1,2,0,3,0,0", "3 =0,0,0", "0 -", "1 =5", "1 =0", "4,5 =" + ",".join(
            "0,0,0,0,0,0,0,1,0,0,0,2,0,3,0,0,0,0,0,0".split(",")), "2,2 =0,0,0,0", "- =0", "- =3"]:
        for trim in ["fb", "bf", "f", "b", "x"]:
            write_call(lines, "trim_zeros", f"trim={trim}", "int64 " + view)
            write_call(lines, "trim_zeros", f"trim={trim} axis=0", "int64 " + view)
        for axis in ["1", "-1", "0,1", "1,1", "-"]:
            write_call(lines, "trim_zeros", f"axis={axis}", "int64 " + view)


MODES = ["constant", "edge", "linear_ramp", "maximum", "mean", "median", "minimum", "reflect", "symmetric",
         "wrap", "empty"]


def write_padding(lines):
    for view in ["5 -", "1 -", "6 index ::-2", "3,4 -", "4,3 transpose", "3,4 forder", "2,3,2 -", "0 -", "2,0 -",
                 "- -", "2,1 -"]:
        for mode in MODES:
            if mode == "empty":  # only its shape could be compared
                continue
            widths = ["0", "2,3", "0,2", "-1", "1,-1", "1,2/0,3", "1,2/3,4/2,0"]
            for width in widths + (["7", "13,1"] if view in ("5 -", "1 -", "6 index ::-2", "2,1 -") else []):
                write_call(lines, "pad", f"width={width} mode={mode}", "int64 " + view)
    for t in ["float32", "float64", "int8", "uint8", "float16", "complex64", "bool"]:
        for mode in MODES[:-1]:
            if t in ("complex64", "bool") and mode in ("linear_ramp", "median"):
                continue
            write_call(lines, "pad", f"width=2 mode={mode}", f"{t} 3,2 =7,1,2,9,4,3")
    for mode, extra in itertools.product(["reflect", "symmetric"], ["reflect_type=odd", "reflect_type=even"]):
        for view, width in itertools.product(["5 -", "1 -", "2 -", "3,4 -", "2,1,3 index ::-1"], ["1", "3,2", "11", "9,0"]):
            write_call(lines, "pad", f"width={width} mode={mode} {extra}", "int64 " + view)
    for mode, length in itertools.product(["maximum", "mean", "median", "minimum"], ["1", "2", "2,3", "9", "0", "1,2/3,1"]):
        if length == "0" and mode in ("mean", "median"):  # of nothing: NaN with a warning
            continue
        for view in ["float64 6 =3,1,4,1,5,9", "int64 6 =3,1,4,1,5,9", "float64 3,4 =3,1,4,1,5,9,2,6,5,3,5,8"]:
            write_call(lines, "pad", f"width=2 mode={mode} stat_length={length}", view)
    for width, values in itertools.product(["2", "1,2", "1,0/2,3"], ["7", "7,8", "7,8/9,10", "1.5", "1,2/3,4/5,6"]):
        for view in ["2,3 -", "3,2 transpose"]:
            write_call(lines, "pad", f"width={width} mode=constant constant_values={values}", "int64 " + view)
            write_call(lines, "pad", f"width={width} mode=linear_ramp end_values={values}", "float64 " + view)
    write_call(lines, "pad", "width=1 mode=other", "int64 3 -")


def write_types(lines):
    """The same calls on every element type."""
    for t in TYPES:
        write_call(lines, "concatenate", "axis=1", f"{t} 2,3 =1,0,1,1,0,0", f"{t} 2,2 =0,1,1,0")
        write_call(lines, "stack", "axis=-1", f"{t} 3 =1,0,1", f"{t} 3 =0,0,1")
        write_call(lines, "roll", "shift=2", f"{t} 5 =1,0,0,1,0")
        write_call(lines, "roll", "shift=1,2 axis=0,1", f"{t} 2,3 =1,0,0,1,1,0")
        write_call(lines, "tile", "reps=2,2", f"{t} 3 =1,0,0")
        write_call(lines, "repeat", "counts=3", f"{t} 3 =1,0,1")
        write_call(lines, "repeat", "counts=0,1,2", f"{t} 3 =1,0,1")
        write_call(lines, "resize", "shape=2,4", f"{t} 3 =1,0,1")
        write_call(lines, "delete", "at=1", f"{t} 4 =1,0,0,1")
        write_call(lines, "delete", "at=0,2", f"{t} 4 =1,0,0,1")
        write_call(lines, "insert", "at=1,3", f"{t} 4 =1,0,0,1", f"{t} 2 =0,1")
        write_call(lines, "trim_zeros", "-", f"{t} 4 =0,0,1,0")
        write_call(lines, "pad", "width=2,1 mode=constant constant_values=1", f"{t} 2,2 =1,0,0,1")
        for mode in ("edge", "reflect", "wrap", "symmetric"):
            write_call(lines, "pad", f"width=3,2 mode={mode}", f"{t} 3 =1,0,1")
        for other in TYPES:
            if t == other or "bfloat16" not in (t, other):  # its kind is floating here
                write_call(lines, "copyto", "-", f"{t} 2 =0,1", f"{other} 2 =1,0")
            write_call(lines, "copyto", "casting=unsafe", f"{t} 2 =0,1", f"{other} 2 =1,0", "bool 2 =0,1")


def write_copyto(lines):
    for shapes in itertools.product(["3", "2,3", "-", "0"], ["3", "1", "-", "2,3", "1,1,3", "2,1", "4", "2,2,3"],
                                    ["none", "3", "-", "2,1", "4", "1,3"]):
        target, source, mask = shapes
        operands = ints(target, source)
        if mask != "none":
            n = int(np.prod(recipes.numbers(mask)))
            operands.append(f"bool {mask} =" + ",".join(str((k + 1) % 2) for k in range(n)))
        write_call(lines, "copyto", "-", *operands)
    for rule in ["no", "equiv", "safe", "same_kind", "unsafe"]:
        for pair in [("int32", "int64"), ("int64", "int32"), ("float32", "int64"), ("int64", "float32"),
                     ("uint8", "int8"), ("int8", "uint8"), ("float32", "float32"), ("complex64", "float64")]:
            write_call(lines, "copyto", f"casting={rule}", *(f"{t} 2 -" for t in pair))


def write(folder):
    with Lines(folder / "manipulation.txt", ABOUT) as lines:
        for part in (write_joining, write_splitting, write_moving, write_repeating, write_editing, write_padding,
                     write_types, write_copyto):
            part(lines)
