"""How a view is written down so that a test in C++ can rebuild it: steps joined by ';'.

index <items>        comma-separated: 3  1:  ::-2  1:4:2  newaxis  ...
reshape <extents>    transpose [<axes>]    moveaxis <from> <to>    swapaxes <axis> <axis>
squeeze [<axes>]     expand_dims <axes>    flip [<axes>]           broadcast_to <extents>
ravel                forder (a copy of the array in Fortran order)
Lists are comma-separated; "-" is the empty list.
"""

import numpy as np


def numbers(text):
    return () if text == "-" else tuple(int(n) for n in text.split(","))


def index_item(text):
    if text == "newaxis":
        return None
    if text == "...":
        return Ellipsis
    if ":" in text:
        return slice(*[int(part) if part else None for part in text.split(":")])
    return int(text)


def index_items(text):
    return () if text == "-" else tuple(index_item(item) for item in text.split(","))


def index_text(items):
    """The inverse of index_items."""
    def one(item):
        if item is None or item is Ellipsis:
            return "newaxis" if item is None else "..."
        if isinstance(item, slice):
            parts = ["" if p is None else str(p) for p in (item.start, item.stop, item.step)]
            return ":".join(parts if parts[2] else parts[:2])
        return str(item)
    return ",".join(one(item) for item in items) or "-"


def one_or_all(text):
    """A single axis as an int: NumPy's messages tell it from a tuple."""
    axes = numbers(text)
    return axes[0] if len(axes) == 1 else axes


STEPS = {
    "index": lambda a, items: a[index_items(items)],
    "reshape": lambda a, shape: a.reshape(numbers(shape)),
    "transpose": lambda a, *axes: a.transpose(*map(numbers, axes)),
    "moveaxis": lambda a, source, to: np.moveaxis(a, one_or_all(source), one_or_all(to)),
    "swapaxes": lambda a, first, second: np.swapaxes(a, int(first), int(second)),
    "squeeze": lambda a, *axes: np.squeeze(a, *map(one_or_all, axes)),
    "expand_dims": lambda a, axes: np.expand_dims(a, one_or_all(axes)),
    "flip": lambda a, *axes: np.flip(a, *map(one_or_all, axes)),
    "broadcast_to": lambda a, shape: np.broadcast_to(a, numbers(shape)),
    "ravel": lambda a: a.ravel(),
    "forder": lambda a: np.asfortranarray(a),
}


def apply(array, recipe):
    for step in recipe.split(";"):
        if step != "-":
            name, *arguments = step.split(" ")
            array = STEPS[name](array, *arguments)
    return array
