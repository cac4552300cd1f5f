"""Writes the examples' input, sample.png and week.npy, always the same: python3 examples/data/make.py

sample.png  64 x 48, grey, 8 bits: a ramp from left to right, a bright disc, a dark box, a thin line
week.npy    float32, (7, 24): degrees Celsius of seven days, hour by hour, to a tenth; three are nan
"""

import pathlib
import struct
import zlib

import numpy as np

HERE = pathlib.Path(__file__).parent


def picture():
    y, x = np.mgrid[0:48, 0:64]
    grey = 32 + 2 * x
    grey[(x - 16) ** 2 + (y - 16) ** 2 <= 10**2] = 240
    grey[28:42, 30:44] = 16
    grey[(x == 56) & (y > 4) & (y < 44)] = 255
    return grey.astype(np.uint8)


def write_png(path, grey):
    """Rows of filter type 0, as in section 9 of the PNG specification (W3C, third edition)."""

    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))

    height, width = grey.shape
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
                     chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def week():
    day, hour = np.mgrid[0:7, 0:24]
    noise = (7919 * (24 * day + hour) + 104729) % 101 / 50 - 1  # -1 to 1
    warm = 11 + np.array([0, 1, 2.5, 3, 1, -1.5, -2])[:, None]
    degrees = warm + 5 * np.sin((hour - 9) * np.pi / 12) + noise
    degrees[1, 3] = degrees[4, 16] = degrees[4, 17] = np.nan  # the sensor was off
    return np.round(degrees, 1).astype(np.float32)


write_png(HERE / "sample.png", picture())
np.save(HERE / "week.npy", week())
