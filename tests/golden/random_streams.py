"""random.npz and random.txt: the numbers of nw::random by the rules of its documentation.

NumPy has other streams, so this is a second implementation, one element after the other in Python's
integers. Philox is checked against the vectors of its authors; logarithm, sine and cosine are NumPy's
long double.
"""

import numpy as np

from common import Lines, Npz

ABOUT = """
The cases of random.npz, <number>/out: draws of default_rng(seed) after <before> elements of float32.
random|<number>|<type>|<seed>|<before>|<n>
uniform|<number>|<type>|<seed>|<before>|<n>|<low>|<high>
normal|<number>|<type>|<seed>|<before>|<n>; standard normal, as float64 of more digits than the type
integers|<number>|<type>|<seed>|<before>|<n>|<low>|<high>, both included
spawn|<number>|float64|<seed>|<children>; the first random() of each child
"""

WORD = 2**32 - 1

# (counter, key, output) of philox4x32-10 in Random123's kat_vectors.
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((WORD,) * 4, (WORD,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344), (0xA4093822, 0x299F31D0),
     (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1)),
]


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & WORD, (p >> 32) ^ c[3] ^ k[1], p & WORD]
        k = [(k[0] + 0x9E3779B9) & WORD, (k[1] + 0xBB67AE85) & WORD]
    return tuple(c)


def word(seed, place, attempt=0, purpose=0):
    """Word `place` of the stream."""
    block = place // 4
    return philox((block & WORD, block >> 32, attempt, purpose), (seed & WORD, seed >> 32))[place % 4]


def wide(seed, place, attempt=0, purpose=0):
    """Words 2 place and 2 place + 1, the first one low."""
    return (word(seed, 2 * place, attempt, purpose) |
            word(seed, 2 * place + 1, attempt, purpose) << 32)


def elements(before, n, width):
    """The places of n elements of `width` words, where `before` words have been taken."""
    first = -(-before // width)
    return range(first, first + n)


def random(dtype, seed, before, n):
    if dtype == "float32":
        return np.array([np.float32((word(seed, i) >> 8) * 2.0**-24)
                         for i in elements(before, n, 1)], dtype)
    return np.array([(wide(seed, i) >> 11) * 2.0**-53 for i in elements(before, n, 2)], dtype)


def uniform(dtype, seed, before, n, low, high):
    low, high = np.dtype(dtype).type(low), np.dtype(dtype).type(high)
    values = low + (high - low) * random(dtype, seed, before, n)
    return np.minimum(values, np.nextafter(high, low))


def normal(dtype, seed, before, n):
    bits = 32 if dtype == "float32" else 64
    draw = word if bits == 32 else wide
    exact, turn = np.longdouble, 2 * np.arccos(np.longdouble(-1))
    out = []
    for i in elements(before, n, bits // 32):
        u, v = (exact(2 * draw(seed, k) + 1) / exact(2 ** (bits + 1)) for k in (i & ~1, i | 1))
        out.append(np.sqrt(-2 * np.log(u)) * (np.sin if i & 1 else np.cos)(turn * v))
    return np.array(out).astype(np.float64)


def integers(dtype, seed, before, n, low, last):
    count = last - low + 1
    bits = 64 if count > 2**32 else 32
    draw, out = wide if bits == 64 else word, []
    for i in elements(before, n, bits // 32):
        attempt = 0
        while draw(seed, i, attempt) * count % 2**bits < 2**bits % count:
            attempt += 1
        out.append(low + (draw(seed, i, attempt) * count >> bits))
    return np.array(out, dtype)


def spawn(dtype, seed, children):
    return np.array([(wide(wide(seed, 2 * k, 0, 1), 0) >> 11) * 2.0**-53 for k in range(children)])


SEEDS = [0, 42, 2**64 - 1, 0x9E3779B97F4A7C15]
RANGES = [("int8", -128, 127), ("int8", -3, 3), ("uint8", 0, 255), ("uint8", 7, 7),
          ("int16", -1000, 999), ("uint16", 0, 65535), ("int32", -(2**31), 2**31 - 1),
          ("int32", -(2**30), 2**31 - 1), ("uint32", 5, 2**32 - 1), ("uint32", 0, 2**31),
          ("int64", -10, 10), ("int64", -(2**63), 2**63 - 1), ("int64", 0, 2**32 - 1),
          ("int64", -1, 2**32 - 1), ("int64", -(2**62), 2**62), ("uint64", 0, 2**64 - 1),
          ("uint64", 2**63, 2**64 - 1), ("uint64", 1, 3 * 2**62)]


def write(folder):
    assert all(philox(counter, key) == out for counter, key, out in KNOWN)
    with Npz(folder / "random.npz") as npz, Lines(folder / "random.txt", ABOUT) as lines:
        number = 0

        def add(function, dtype, *arguments):
            nonlocal number
            lines.add(function.__name__, number, dtype, *arguments)
            npz.put(str(number), function(dtype, *arguments))
            number += 1

        for dtype in ["float32", "float64"]:
            for seed in SEEDS:
                for before in [0, 1, 2, 3, 5]:
                    add(random, dtype, seed, before, 9)
                    add(normal, dtype, seed, before, 9)
            add(random, dtype, 42, 0, 2)
            add(normal, dtype, 1, 0, 500)
            for low, high in [(-1.0, 1.0), (3.0, 3.0), (1e6, 1e6 + 1), (-1e30, 1e30)]:
                add(uniform, dtype, 7, 0, 50, low, high)
        for k, (dtype, low, last) in enumerate(RANGES):
            add(integers, dtype, SEEDS[k % 4], k % 6, 50, low, last)
        add(spawn, "float64", 42, 5)
