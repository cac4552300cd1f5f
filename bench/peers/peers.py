"""The cases of bench/*_bench.cpp in NumPy, CuPy and PyTorch.

python3 peers.py LIBRARY [--threads N] > LIBRARY.json
Prints {"case": microseconds}: medians after warm-up; small_* are host time per call, issued back to back.
"""

import argparse
import itertools
import json
import sys
import time


def library(name):
    """The module, a function that waits, and whether arrays live on a GPU."""
    if name == "numpy":
        import numpy
        return numpy, lambda: None, False
    if name == "cupy":
        import cupy
        return cupy, cupy.cuda.Device().synchronize, True
    import torch
    return torch, torch.cuda.synchronize if torch.cuda.is_available() else (lambda: None), torch.cuda.is_available()


def median_us(call, wait, small):
    start = time.perf_counter()
    call()
    wait()
    slow = time.perf_counter() - start > 0.1
    for _ in range(0 if slow else 2):
        call()
    wait()
    if small:
        rounds = []
        for _ in range(7):
            start = time.perf_counter()
            for _ in range(1000):
                call()
            rounds.append((time.perf_counter() - start) * 1e3)
            wait()
        return sorted(rounds)[3]
    times = []
    for _ in range(3 if slow else 15):
        start = time.perf_counter()
        call()
        wait()
        times.append((time.perf_counter() - start) * 1e6)
    return sorted(times)[len(times) // 2]


def values(n, seed):
    """As bench::values: integers mixed and scaled to [0, 1)."""
    import numpy
    i = numpy.arange(n, dtype=numpy.uint32)
    mixed = (i * numpy.uint32(2654435761) + numpy.uint32(seed * 40503)) >> numpy.uint32(8)
    return mixed.astype(numpy.float32) * numpy.float32(1 / (1 << 24))


def array_cases(xp, log2, n, side, sq, size):
    """Written for NumPy's interface, which CuPy shares."""
    f = lambda s, *shape: xp.asarray(values(int(__import__("math").prod(shape)), s).reshape(shape))
    a, b, c, d = f(1, n), f(2, n), f(3, n), f(4, n)
    out = xp.empty_like(a)
    m, row = f(4, side, side), f(5, side)
    col = row.reshape(side, 1)
    levels = a * 255
    u8 = levels.astype(xp.uint8)
    half = a[: n // 2].copy()
    mask = half > 0.5
    target = half.copy()
    other = half[::-1].copy()
    halves = "_f32_2x2^%d" % (log2 - 1)
    cube = m.reshape(64, -1, 256)
    s, t, u = f(7, 1024), f(8, 1024), f(9, 1024)
    sout = xp.empty_like(s)
    sm, srow = f(10, 32, 32), f(11, 32)
    copy = lambda x: xp.ascontiguousarray(x)
    rng = xp.random.default_rng(1)

    def assign():
        target[mask] = 0

    return {
        "copy" + size: lambda: a.copy(), "add" + size: lambda: a + b,
        "add_out" + size: lambda: xp.add(a, b, out=out), "mul_scalar" + size: lambda: a * xp.float32(2.5),
        "sqrt" + size: lambda: xp.sqrt(a), "exp" + size: lambda: xp.exp(a), "log" + size: lambda: xp.log(a),
        "sin" + size: lambda: xp.sin(a), "tanh" + size: lambda: xp.tanh(a), "power" + size: lambda: xp.power(a, b),
        "greater" + size: lambda: a > b, "maximum" + size: lambda: xp.maximum(a, b),
        "fma" + size: lambda: a * b + c, "three_ops" + size: lambda: a * b + c - d,
        "sqrt_square_minus" + size: lambda: xp.sqrt(a * a + 1) - b,
        "trig" + size: lambda: xp.sin(a) * xp.cos(a) + xp.exp(-a), "where" + size: lambda: xp.where(a > 0.5, a, b),
        "add_row" + sq: lambda: m + row, "add_col" + sq: lambda: m + col, "add_transposed" + sq: lambda: m + m.T,
        "astype_u8_f32_2^%d" % log2: lambda: u8.astype(xp.float32),
        "astype_f32_u8_2^%d" % log2: lambda: levels.astype(xp.uint8),
        "u8_to_f32_div255_2^%d" % log2: lambda: u8.astype(xp.float32) / xp.float32(255),
        "sum" + size: lambda: a.sum(), "sumsq" + size: lambda: (a * a).sum(), "max" + size: lambda: a.max(),
        "argmax" + size: lambda: a.argmax(), "mean" + size: lambda: a.mean(), "var" + size: lambda: a.var(),
        "sum_axis0" + sq: lambda: m.sum(0), "sum_axis1" + sq: lambda: m.sum(1), "var_axis1" + sq: lambda: m.var(1),
        "argmax_axis1" + sq: lambda: m.argmax(1), "sum_axis02_f32_64x_x256": lambda: cube.sum((0, 2)),
        "transpose" + sq: lambda: copy(m.T), "transpose3d_210_f32": lambda: copy(cube.transpose()),
        "flip_axis1" + sq: lambda: copy(xp.flip(m, 1)), "strided_copy_f32_2^%d" % (log2 - 1): lambda: a[::2].copy(),
        "mask_select_f32_2^%d" % (log2 - 1): lambda: half[mask], "mask_assign_f32_2^%d" % (log2 - 1): assign,
        "concatenate" + halves: lambda: xp.concatenate([half, other]),
        "stack_last" + halves: lambda: xp.stack([half, other], axis=-1),
        "tile" + size: lambda: xp.tile(half, 2), "repeat" + size: lambda: xp.repeat(half, 2),
        "roll" + size: lambda: xp.roll(a, 1001), "roll_axis1" + sq: lambda: xp.roll(m, 1001, 1),
        "pad_constant" + sq: lambda: xp.pad(m, 1), "pad_reflect" + sq: lambda: xp.pad(m, 3, mode="reflect"),
        "random_f32_2^%d" % (log2 - 2): lambda: rng.random(n // 4, dtype=xp.float32),
        "random_f64_2^%d" % (log2 - 2): lambda: rng.random(n // 4),
        "normal_f32_2^%d" % (log2 - 2): lambda: rng.standard_normal(n // 4, dtype=xp.float32),
        "normal_f64_2^%d" % (log2 - 2): lambda: rng.standard_normal(n // 4),
        "integers_i32_2^%d" % (log2 - 2): lambda: rng.integers(0, 1000, n // 4, dtype=xp.int32),
        "small_add_1024": lambda: s + t, "small_add_out_1024": lambda: xp.add(s, t, out=sout),
        "small_fma_1024": lambda: s * t + u, "small_four_ops_1024": lambda: xp.sqrt(s * s + t) - u,
        "small_bcast_32x32": lambda: sm + srow, "small_slice": lambda: s[2:500], "small_sum_1024": lambda: s.sum(),
    }


TYPES = {"f32": "float32", "f64": "float64", "f16": "float16", "bf16": "bfloat16", "i32": "int32",
         "c64": "complex64"}


def matmul_cases(xp, convert, gpu):
    """bench/matmul_bench.cpp; convert(numpy array, type) puts it where the library computes."""
    big = 4096 if gpu else 1024
    sizes = [(1, 1, 1), (31,) * 3, (33,) * 3, (1000,) * 3, (big,) * 3, (big + 1,) * 3, (big, 16, big),
             (16, big * 16, 16), (1, big, big)]
    for short, name in TYPES.items():
        if not hasattr(xp, name):
            continue
        scale = 9 if short == "i32" else 1
        for m, k, n in sizes:
            a = convert(values(m * k, 12).reshape(m, k) * scale, getattr(xp, name))
            b = convert(values(k * n, 13).reshape(k, n) * scale, getattr(xp, name))
            shape = str(m) if m == k == n else f"{m}x{k}x{n}"
            small = "small_" if 2 * m * k * n < 1e6 else ""
            yield f"{small}matmul_{short}_{shape}", lambda a=a, b=b: a @ b


def memory_cases(name, xp, gpu):
    """bench/memory_bench.cpp, without the first call."""
    import numpy
    if name == "torch":
        yield "alloc_free_1MiB", lambda: xp.empty(1 << 20, dtype=xp.uint8, device="cuda" if gpu else "cpu")
    else:
        yield "alloc_free_1MiB", lambda: xp.empty(1 << 20, dtype=xp.uint8)
    if not gpu:
        return
    host = numpy.full(1 << 27, 0.5, numpy.float32)
    if name == "torch":
        device = xp.full((1 << 27,), 0.5, device="cuda")
        for kind, h in (("pageable", xp.from_numpy(host)), ("pinned", xp.from_numpy(host).pin_memory())):
            yield f"h2d_{kind}_512MiB", lambda h=h: device.copy_(h)
            yield f"d2h_{kind}_512MiB", lambda h=h: h.copy_(device)
        return
    device = xp.asarray(host)
    locked = numpy.frombuffer(xp.cuda.alloc_pinned_memory(host.nbytes), numpy.float32, host.size)
    locked[...] = host
    for kind, h in (("pageable", host), ("pinned", locked)):
        yield f"h2d_{kind}_512MiB", lambda h=h: device.set(h)
        yield f"d2h_{kind}_512MiB", lambda h=h: device.get(out=h)


def index_cases(name, xp, gpu):
    """bench/indexing_bench.cpp."""
    import numpy
    log2 = 26 if gpu else 22
    n, side = 1 << log2, 1 << log2 // 2
    convert = (lambda x: xp.from_numpy(x).to("cuda" if gpu else "cpu")) if name == "torch" else xp.asarray
    rng = numpy.random.default_rng(1)
    a, v = convert(values(n, 1)), convert(values(n, 2))
    places, lines = convert(rng.integers(0, n, n)), convert(rng.integers(0, side, side))
    target, m, size, square = a + 0, a.reshape(side, side), "_f32_2^%d" % log2, "_f32_%d" % side

    def put():
        target[places] = v

    def add_at():
        target.index_add_(0, places, v) if name == "torch" else xp.add.at(target, places, v)

    yield "take_i64" + size, lambda: a[places]
    yield "put_i64" + size, put
    yield "add_at_i64" + size, add_at
    yield "take_rows" + square, lambda: m[lines]
    yield "take_columns" + square, lambda: m[:, lines]


def converter(name, xp, gpu):
    if name == "torch":
        return lambda x, t: xp.from_numpy(x).to(device="cuda" if gpu else "cpu", dtype=t)
    return lambda x, t: xp.asarray(x).astype(t)


def first_call_us(name, xp, wait, gpu):
    """One call of a function that the process has not used yet."""
    if name == "torch":
        a = xp.full((10,), 0.5, dtype=xp.float64, device="cuda" if gpu else "cpu")
    else:
        a = xp.full(10, 0.5)
    wait()
    start = time.perf_counter()
    xp.tanh(a)
    wait()
    return (time.perf_counter() - start) * 1e6


def torch_cases(torch, gpu, log2, n, side, sq, size):
    dev = "cuda" if gpu else "cpu"
    f = lambda s, *shape: torch.from_numpy(values(int(__import__("math").prod(shape)), s).reshape(shape)).to(dev)
    a, b, c, d = f(1, n), f(2, n), f(3, n), f(4, n)
    out = torch.empty_like(a)
    m, row = f(4, side, side), f(5, side)
    levels = a * 255
    u8 = levels.to(torch.uint8)
    half = a[: n // 2].clone()
    mask = half > 0.5
    target = half.clone()
    other = half.flip(0)
    halves = "_f32_2x2^%d" % (log2 - 1)
    pad = torch.nn.functional.pad
    cube = m.reshape(64, -1, 256)
    s, t, u = f(7, 1024), f(8, 1024), f(9, 1024)
    sout = torch.empty_like(s)

    def assign():
        target[mask] = 0

    return {
        "copy" + size: lambda: a.clone(), "add" + size: lambda: a + b,
        "add_out" + size: lambda: torch.add(a, b, out=out), "mul_scalar" + size: lambda: a * 2.5,
        "sqrt" + size: lambda: torch.sqrt(a), "exp" + size: lambda: torch.exp(a), "log" + size: lambda: torch.log(a),
        "sin" + size: lambda: torch.sin(a), "tanh" + size: lambda: torch.tanh(a), "power" + size: lambda: torch.pow(a, b),
        "greater" + size: lambda: a > b, "maximum" + size: lambda: torch.maximum(a, b),
        "fma" + size: lambda: torch.addcmul(c, a, b), "three_ops" + size: lambda: a * b + c - d,
        "sqrt_square_minus" + size: lambda: torch.sqrt(a * a + 1) - b,
        "trig" + size: lambda: torch.sin(a) * torch.cos(a) + torch.exp(-a),
        "where" + size: lambda: torch.where(a > 0.5, a, b),
        "add_row" + sq: lambda: m + row, "add_col" + sq: lambda: m + row[:, None], "add_transposed" + sq: lambda: m + m.T,
        "astype_u8_f32_2^%d" % log2: lambda: u8.to(torch.float32),
        "astype_f32_u8_2^%d" % log2: lambda: levels.to(torch.uint8),
        "u8_to_f32_div255_2^%d" % log2: lambda: u8.to(torch.float32) / 255,
        "sum" + size: lambda: a.sum(), "sumsq" + size: lambda: torch.dot(a, a), "max" + size: lambda: a.max(),
        "argmax" + size: lambda: a.argmax(), "mean" + size: lambda: a.mean(), "var" + size: lambda: a.var(unbiased=False),
        "sum_axis0" + sq: lambda: m.sum(0), "sum_axis1" + sq: lambda: m.sum(1),
        "var_axis1" + sq: lambda: m.var(1, unbiased=False), "argmax_axis1" + sq: lambda: m.argmax(1),
        "sum_axis02_f32_64x_x256": lambda: cube.sum((0, 2)),
        "transpose" + sq: lambda: m.T.contiguous(), "transpose3d_210_f32": lambda: cube.permute(2, 1, 0).contiguous(),
        "flip_axis1" + sq: lambda: m.flip(1), "strided_copy_f32_2^%d" % (log2 - 1): lambda: a[::2].clone(),
        "mask_select_f32_2^%d" % (log2 - 1): lambda: half[mask], "mask_assign_f32_2^%d" % (log2 - 1): assign,
        "concatenate" + halves: lambda: torch.cat([half, other]),
        "stack_last" + halves: lambda: torch.stack([half, other], dim=-1),
        "tile" + size: lambda: half.repeat(2), "repeat" + size: lambda: half.repeat_interleave(2),
        "roll" + size: lambda: torch.roll(a, 1001), "roll_axis1" + sq: lambda: torch.roll(m, 1001, 1),
        "pad_constant" + sq: lambda: pad(m, (1, 1, 1, 1)),
        "pad_reflect" + sq: lambda: pad(m[None], (3, 3, 3, 3), mode="reflect"),
        "random_f32_2^%d" % (log2 - 2): lambda: torch.rand(n // 4, device=dev),
        "random_f64_2^%d" % (log2 - 2): lambda: torch.rand(n // 4, device=dev, dtype=torch.float64),
        "normal_f32_2^%d" % (log2 - 2): lambda: torch.randn(n // 4, device=dev),
        "normal_f64_2^%d" % (log2 - 2): lambda: torch.randn(n // 4, device=dev, dtype=torch.float64),
        "integers_i32_2^%d" % (log2 - 2): lambda: torch.randint(0, 1000, (n // 4,), device=dev, dtype=torch.int32),
        "small_add_1024": lambda: s + t, "small_add_out_1024": lambda: torch.add(s, t, out=sout),
        "small_fma_1024": lambda: s * t + u, "small_four_ops_1024": lambda: torch.sqrt(s * s + t) - u,
        "small_bcast_32x32": lambda: s.view(32, 32) + t[:32], "small_slice": lambda: s[2:500],
        "small_sum_1024": lambda: s.sum(),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=["numpy", "cupy", "torch"])
    parser.add_argument("--only", default="")
    args = parser.parse_args()
    module, wait, gpu = library(args.library)
    first_us = first_call_us(args.library, module, wait, gpu)
    log2, side = (28, 16384) if gpu else (24, 4096)
    names = (log2, 1 << log2, side, "_f32_%d" % side, "_f32_2^%d" % log2)
    cases = torch_cases(module, gpu, *names) if args.library == "torch" else array_cases(module, *names)
    result = {"first_call_new_ufunc": first_us}
    for name, call in cases.items():
        if args.only in name:
            result[name] = median_us(call, wait, name.startswith(("small_", "alloc_")))
    more = [memory_cases(args.library, module, gpu), index_cases(args.library, module, gpu),
            matmul_cases(module, converter(args.library, module, gpu), gpu)]
    for name, call in itertools.chain(*more):  # one by one: each holds its own arrays
        if args.only not in name:
            continue
        try:
            result[name] = median_us(call, wait, name.startswith(("small_", "alloc_")))
        except NotImplementedError as missing:  # PyTorch has no product of integers on a GPU
            print(f"{name}: {missing}", file=sys.stderr)
    json.dump(result, sys.stdout, indent=1)


if __name__ == "__main__":
    main()
