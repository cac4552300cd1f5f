"""Sets numwarp's figures beside the peers' of the same run.

python3 compare.py OURS.json [OURS.json ...] --peers numpy.json cupy.json ... > table.md
OURS are Google Benchmark's JSON files (--benchmark_out=... --benchmark_out_format=json), the peers those
of peers/peers.py. A ratio is the peer's time over ours: above 1 we are faster.
"""

import argparse
import json
import pathlib


def ours(files):
    """{case: (microseconds, rate as text)}; a case that failed its launch check is an error, not a figure."""
    table = {}
    for file in files:
        for row in json.loads(pathlib.Path(file).read_text())["benchmarks"]:
            name = row["name"].split("/")[0]
            if row.get("error_occurred"):
                raise SystemExit(f"{name}: {row['error_message']}")
            rate = f"{row['GB/s']:.0f} GB/s" if "GB/s" in row else ""
            if "TFLOP/s" in row:
                rate = f"{row['TFLOP/s']:.2f} TFLOP/s"
            table[name] = (row["real_time"], rate)
    return table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("ours", nargs="+")
    parser.add_argument("--peers", nargs="*", default=[])
    args = parser.parse_args()
    table = ours(args.ours)
    peers = {pathlib.Path(p).stem: json.loads(pathlib.Path(p).read_text()) for p in args.peers}
    print("| case | numwarp us | rate | " + " | ".join(f"{p} us | ratio" for p in peers) + " |")
    print("|---|---|---|" + "---|---|" * len(peers))
    for name, (us, rate) in table.items():
        cells = []
        for figures in peers.values():
            theirs = figures.get(name)
            cells += [f"{theirs:.1f}", f"{theirs / us:.2f}"] if theirs else ["", ""]
        print(f"| {name} | {us:.2f} | {rate} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
