"""Writes coverage.md: which names of numpy.__all__ exist in the public headers.

python3 docs/coverage.py           writes the page
python3 docs/coverage.py --check   exits 1 if the page is out of date
"""

import pathlib
import re
import sys

import numpy as np

HERE = pathlib.Path(__file__).parent
INCLUDE = HERE.parent / "include" / "numwarp"

# Names that an array library in C++ has no use for.
NO_USE = {
    "text, objects, dates, records": """
        bytes_ character flexible object_ str_ void datetime64 timedelta64 datetime_as_string
        datetime_data busday_count busday_offset busdaycalendar is_busday isnat recarray record rec
        char chararray strings core""",
    "names of C's types": """
        byte ubyte short ushort intc uintc int_ uint long ulong longlong ulonglong intp uintp half
        single double longdouble csingle cdouble clongdouble
        float96 float128 complex192 complex256""",
    "classes of the type hierarchy": """
        generic number integer signedinteger unsignedinteger inexact floating complexfloating
        typecodes sctypeDict ScalarType dtypes typename""",
    "Python": """
        ndarray flatiter nditer ndenumerate ndindex nested_iters frompyfunc broadcast
        matrix bmat asmatrix mat memmap ufunc test get_include show_config show_runtime info
        getbufsize setbufsize geterr seterr geterrcall seterrcall errstate from_dlpack fromiter
        frombuffer iterable little_endian False_ True_ bool_ __array_namespace_info__ typing exceptions ctypeslib f2py testing lib emath
        polynomial ma isfortran asanyarray s_ index_exp may_share_memory apply_along_axis
        apply_over_axes piecewise
        mintypecode iscomplexobj isrealobj isscalar __version__""",
}


def declarations(text):
    """What is declared at namespace scope: no comments, macros, bodies, nor namespace detail."""
    text = re.sub(r"^#.*?(?<!\\\\)\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^namespace detail \{.*?^\}  // namespace detail", "", text, flags=re.M | re.S)
    text = re.sub(r"^namespace [\w:]+ \{|^\}  // namespace.*|//.*", "", text, flags=re.M)
    before = None
    while text != before:
        before, text = text, re.sub(r"\{[^{}]*\}", ";", text)
    return text


def names_of(path):
    text = path.read_text()
    if path.suffix == ".def":
        return set(re.findall(r"^NW_(?:UNARY|BINARY|TERNARY|REDUCE)\((\w+),", text, flags=re.M))
    found = set(re.findall(r"^NW_\w+\((\w+)[,)]", text, flags=re.M))  # by a macro of the header
    text = declarations(text)
    found |= set(re.findall(r"^inline constexpr [\w&:<> ]+? (\w+)\s*[=;]", text, flags=re.M))
    found |= set(re.findall(r"^using (\w+) =", text, flags=re.M))
    found |= set(re.findall(r"[\w>&*] [*&]?(\w+)\(", text))
    found |= set(re.findall(r"^class (\w+)\b", text, flags=re.M))
    return found | {name.removesuffix("_") for name in found}  # a keyword of C++ gets an underscore


def table():
    wanted = set(np.__all__)
    rows, have = [], set()
    headers = [INCLUDE / "core" / "ops.def", INCLUDE / "core" / "reduce_ops.def",
               *sorted(p for p in INCLUDE.glob("*.hpp") if p.name != "operators.hpp")]
    for path in headers:
        names = (names_of(path) & wanted) - have
        # An enum, a keyword of C++, a type of the core, classes, a namespace.
        names |= {"dtype.hpp": {"dtype", "bool", "float16"}, "ndarray.hpp": {"ndarray"},
                  "random.hpp": {"random"}}.get(
            path.name, set()) & wanted
        if names:
            rows.append((path.relative_to(INCLUDE).as_posix(), sorted(names, key=str.lower)))
        have |= names
    text = (INCLUDE / "ndarray.hpp").read_text()
    methods = {name for name in wanted - have if re.search(rf"^  .*[\w>&] {name}\(", text, flags=re.M)}
    rows.append(("ndarray.hpp, as methods only", sorted(methods)))
    return rows, have | methods, wanted - have - methods


def methods_of_generator():
    """Of numpy.random.Generator: those that exist, and the others."""
    wanted = {name for name in dir(np.random.Generator) if not name.startswith("_")}
    text = (INCLUDE / "random.hpp").read_text()
    have = {name for name in wanted if re.search(rf"^  .*[\w>] {name}\(", text, flags=re.M)}
    return sorted(have), sorted(wanted - have)


def listed(names):
    return " ".join(f"`{name}`" for name in names)


def page():
    rows, have, missing = table()
    unused = {why: sorted(set(text.split()) & missing, key=str.lower)
              for why, text in NO_USE.items()}
    left = sorted(missing - {n for names in unused.values() for n in names}, key=str.lower)
    lines = ["# Names of NumPy that exist", "",
             f"Written by `docs/coverage.py` from the headers and `numpy.__all__` of NumPy {np.__version__}: "
             f"{len(have)} names exist, {len(left)} do not yet.",
             "That a name exists says nothing of its options: see the header, and `differences.md`.", "",
             "| header | names |", "|---|---|"]
    lines += [f"| {header} | {listed(names)} |" for header, names in rows]
    drawn, not_drawn = methods_of_generator()
    lines += ["", "## Not yet", "", listed(left), "",
              "## numpy.random.Generator", "",
              f"`default_rng` gives one. Its methods are {listed(drawn)}. Not yet: {listed(not_drawn)}.", "", "## No use in C++", "",
              "| what | names |", "|---|---|"]
    lines += [f"| {why} | {listed(names)} |" for why, names in unused.items()]
    return "\n".join(lines) + "\n"


def main():
    target = HERE / "coverage.md"
    if "--check" in sys.argv[1:]:
        if target.read_text() != page():
            sys.exit("docs/coverage.md is out of date: python3 docs/coverage.py")
    else:
        target.write_text(page())


main()
