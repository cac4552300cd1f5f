"""Sets numwarp's figures beside the peers' and the machine's floors of the same run.

python3 compare.py OURS.json [OURS.json ...] [--peers numpy.json cupy.json ...] [--floors floor.json] > table.md
OURS are Google Benchmark's JSON files (--benchmark_out=... --benchmark_out_format=json), the peers those of
peers/peers.py, the floors what bench/floor prints. A ratio is the peer's time over ours: above 1 we are faster. A
share is the floor's time over ours, for as many bytes: 100% is the hardware's limit.
"""

import argparse
import json
import pathlib
import re

BYTES = 4 << 28  # of one array in the floors


def ours(files):
    """{case: (microseconds, GB/s or None, rate as text)}; a case that failed its launch check is an error."""
    table = {}
    for file in files:
        for row in json.loads(pathlib.Path(file).read_text())["benchmarks"]:
            name = row["name"].split("/")[0]
            if row.get("error_occurred"):
                raise SystemExit(f"{name}: {row['error_message']}")
            rate = f"{row['GB/s']:.0f} GB/s" if "GB/s" in row else ""
            if "TFLOP/s" in row:
                rate = f"{row['TFLOP/s']:.2f} TFLOP/s"
            table[name] = (row["real_time"], row.get("GB/s"), rate)
    return table


def share(name, us, rate, floors):
    """The floor's time for this case over ours, as text: the plain kernel that moves memory in the same way, a bare
    launch for small cases, the bus for transfers."""
    if "floor_" + name in floors and "2^" not in name:
        return f"{floors['floor_' + name] / us:.0%}"
    if name.startswith("small_") and "slice" not in name and "floor_launch" in floors:
        return f"{floors['floor_launch'] / us:.0%}"
    if name.startswith(("h2d_", "d2h_")):
        bus = floors.get(f"floor_{name[:3]}_pinned_512MiB")
        return f"{bus / us:.0%}" if bus else ""
    if rate is None:
        return ""
    reads = re.match(r"(sum|max|min|mean|var|argm)", name)
    kind, arrays = ("read", 1) if reads else ("add", 3) if re.match(r"add(_out)?_f", name) else ("copy", 2)
    floor = floors.get(f"floor_{kind}_f32_2^28")
    return f"{rate / (arrays * BYTES / floor / 1e3):.0%}" if floor else ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours", nargs="+")
    parser.add_argument("--peers", nargs="*", default=[])
    parser.add_argument("--floors")
    args = parser.parse_args()
    table = ours(args.ours)
    peers = {pathlib.Path(p).stem: json.loads(pathlib.Path(p).read_text()) for p in args.peers}
    floors = json.loads(pathlib.Path(args.floors).read_text()) if args.floors else {}
    for name, us in floors.items():
        print(f"{name}: {us:.2f} us  ")
    print("| case | numwarp us | rate | of floor | " + " | ".join(f"{p} us | ratio" for p in peers) + " |")
    print("|---|---|---|---|" + "---|---|" * len(peers))
    for name, (us, rate, text) in table.items():
        cells = []
        for figures in peers.values():
            theirs = figures.get(name)
            cells += [f"{theirs:.1f}", f"{theirs / us:.2f}"] if theirs else ["", ""]
        print(f"| {name} | {us:.2f} | {text} | {share(name, us, rate, floors)} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
