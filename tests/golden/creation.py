"""creation.npz and creation.txt: arange, linspace, eye and full."""

import numpy as np

from common import Lines, Npz, TYPES, dtype_of, joined, kind_of, outcome

INF, NAN = float("inf"), float("nan")

ABOUT = """
The cases of creation.npz, whose arrays are <number>/out or <number>/error. Fields are separated by
'|'; the type "-" is the default for the arguments; "-" elsewhere: not given. A number is an int of
Python if it has no point, no exponent and is not inf or nan.
arange|<number>|<type>|<start>|<stop>|<step>
linspace|<number>|<type>|<start>|<stop>|<num>|<endpoint 0 or 1>
eye|<number>|<type>|<rows>|<columns>|<k>
full|<number>|<type>|<shape, "-" for 0-d>|<value>
"""

ARANGES = [(0, 5, 1), (2, 7, 1), (0, 10, 3), (0, 9, 3), (10, 0, -3), (5, 0, 1), (0, 5, -1),
           (0, 0, 1), (-3, 4, 2), (3, -4, -2), (0.0, 1.0, 0.1), (0, 1, 0.1), (1, 0, -0.1),
           (0.0, 5.0, 1.0), (0.5, 5, 1), (1.0, 1.3, 0.1), (0, 0.3, 0.1), (0.0, 1.0, 0.3),
           (-1.5, 1.5, 0.25), (0, 2.5, 1), (0.1, 0.1, 0.5), (1e10, 1e10 + 5, 1.0),
           (0, 1e-3, 2.5e-4), (2**53, 2**53 + 4, 1), (-(2**62), 2**62, 2**61), (0, 100, 33),
           (9, 10, 0.09), (0, 5, INF), (5.0, 4.0, 1.0), (0, 40, 1)]
ARANGE_ERRORS = [(0, 5, 0), (0.0, 5.0, 0.0), (0, INF, 1), (0, NAN, 1), (NAN, 5, 1), (0, 1e30, 1e-3)]
ARANGE_TYPES = [("float32", (0, 1, 0.1)), ("float32", (0.0, 3.0, 0.7)), ("float16", (0, 2, 0.25)),
                ("float32", (1e8, 1e8 + 64, 16)), ("int8", (0, 100, 7)), ("int8", (-100, 100, 50)),
                ("int32", (0, 5.5, 1)), ("int32", (0.5, 5.5, 1)), ("int64", (0, 1, 0.25)),
                ("uint8", (250, 256, 1)), ("int8", (0, 200, 50)), ("bool", (0, 2, 1)),
                ("bool", (0, 3, 1)), ("complex128", (0, 1, 0.1)), ("bfloat16", (0, 1, 0.125))]

LINSPACES = [(0, 1, 5, 1), (0, 1, 5, 0), (0, 1, 11, 1), (0, 1, 10, 0), (2.0, 3.0, 7, 1),
             (1, -1, 9, 1), (1, -1, 8, 0), (0, 10, 1, 1), (0, 10, 1, 0), (0, 10, 0, 1),
             (3, 3, 4, 1),
             (0, 0.1, 6, 1), (-1.5, 2.5, 33, 1), (0, 1e300, 3, 1), (-1e308, 1e308, 5, 1),
             (0, 5e-324, 4, 1), (0, INF, 3, 1), (0, NAN, 3, 1), (0, 1, 50, 1), (1e-5, 1e5, 4, 1),
             (0, 1, 2, 1), (0, 1, 2, 0), (0, 1, -1, 1), (5, 0, 6, 1)]
LINSPACE_TYPES = [("int64", (0, 10, 4, 1)), ("int64", (-10, 10, 7, 1)), ("int32", (0, 1, 5, 1)),
                  ("int8", (-5, 5, 4, 0)), ("uint8", (0, 255, 6, 1)), ("bool", (0, 1, 3, 1)),
                  ("complex64", (0, 1, 5, 1)), ("float32", (0, 1, 7, 1)), ("float16", (0, 1, 7, 1)),
                  ("float32", (0.1, 0.7, 9, 0)), ("bfloat16", (0, 1, 7, 1))]

EYES = [(3, None, 0), (3, 4, 0), (4, 3, 0), (3, 3, 1), (3, 3, -1), (3, 5, 2), (5, 3, -3), (3, 3, 5),
        (3, 3, -5), (0, None, 0), (0, 3, 0), (3, 0, 0), (1, None, 0), (-1, None, 0), (3, 3, -3),
        (3, 3, 3)]

FULLS = [((2, 3), 7), ((), 2.5), ((0, 3), 1), ((3,), True), ((2,), -1), ((2,), 1e39), ((2,), 300),
         ((2,), 2**63), ((2,), INF), ((2,), NAN), ((2,), 0.1), ((-1,), 0), ((2, -3), 0)]


def as_field(number):
    return "-" if number is None else repr(number)


class Cases:
    """Numbers the cases and writes line and result together."""

    def __init__(self, npz, lines):
        self.npz, self.lines, self.number = npz, lines, 0

    def add(self, function, name, fields, call):
        dtype = None if name == "-" else dtype_of(name)
        self.lines.add(function, self.number, name, *fields)
        self.npz.put(str(self.number), outcome(lambda: call(dtype)))
        self.number += 1


def write_aranges(cases):
    default = [("-", arguments) for arguments in ARANGES + ARANGE_ERRORS]
    small = [(name, arguments) for name in TYPES if name != "bool"
             for arguments in [(0, 5, 1), (1, 12, 3), (0, 0, 1)]]
    for name, arguments in default + small + ARANGE_TYPES:
        cases.add("arange", name, map(repr, arguments),
                  lambda dtype: np.arange(*arguments, dtype=dtype))


def write_linspaces(cases):
    default = [("-", arguments) for arguments in LINSPACES]
    small = [(name, (0, 8, 5, 1)) for name in TYPES if name != "bool"]
    for name, (start, stop, num, endpoint) in default + small + LINSPACE_TYPES:
        cases.add("linspace", name, [repr(start), repr(stop), num, endpoint],
                  lambda dtype: np.linspace(start, stop, num, bool(endpoint), dtype=dtype))


def write_eyes(cases):
    for arguments in EYES:
        cases.add("eye", "-", map(as_field, arguments),
                  lambda dtype: np.eye(*arguments, dtype=float))
    for name in TYPES:
        cases.add("eye", name, ["2", "3", "1"], lambda dtype: np.eye(2, 3, 1, dtype=dtype))


def defined(name, value):
    """NaN and infinity have no integer, and 1e39 none of 64 bits."""
    return kind_of(name) not in "iu" or isinstance(value, int) or abs(value) < 100


def write_fulls(cases):
    for shape, value in FULLS:
        for name in ["-", *TYPES]:
            if name == "-" or defined(name, value):
                cases.add("full", name, [joined(shape), repr(value)],
                          lambda dtype: np.full(shape, value, dtype))


def write(folder):
    with Npz(folder / "creation.npz") as npz, Lines(folder / "creation.txt", ABOUT) as lines:
        cases = Cases(npz, lines)
        write_aranges(cases)
        write_linspaces(cases)
        write_eyes(cases)
        write_fulls(cases)
