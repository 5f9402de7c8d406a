"""The speed of layers beside PyTorch's: both in turns in one process, one thread, the best of many rounds in CPU time.

    PYTHONPATH=build/python python bench/python_layers.py [part of a name] [--seconds 1] [--threads 1]

A figure above 1 says how many times faster Tenon is. With more threads it is the time of the clock that counts.
"""

import argparse
import time

import numpy as np
import torch

import tenon


def both(*sizes, channels_last=False, grad=False):
    data = np.random.default_rng(0).standard_normal(sizes, dtype=np.float32)
    pair = [torch.from_numpy(data.copy()), tenon.tensor(data)]
    if channels_last:
        pair = [pair[0].to(memory_format=torch.channels_last), pair[1].to(memory_format=tenon.channels_last)]
    return [x.requires_grad_() if grad else x for x in pair]


CASES = {}


def case(name, call, *tensors, backward=False):
    """call(library, its nn.functional, tensors...) for both libraries; with backward, also the gradients of all tensors that want one."""

    def run(i, library):
        inputs = [t[i] for t in tensors]
        wanted = [t for t in inputs if t.requires_grad]

        def forward():
            return call(library, library.nn.functional, *inputs)

        if not backward:
            return forward
        grad = None

        def step():
            nonlocal grad
            y = forward()
            if grad is None:
                grad = library.ones_like(y)
            return library.autograd.grad(y, wanted, grad)

        return step

    CASES[name] = lambda: [run(0, torch), run(1, tenon)]


def convolutions():
    for batch in 1, 16:
        def conv(name, x, w, *rest, turned=False, last=False):
            CASES[f"{name}, batch {batch}"] = lambda pair=pair: pair(x, w, rest, turned, last)

        def pair(x, w, rest, turned, last, batch=batch):
            xs, ws = both(batch, *x, channels_last=last), both(*w, channels_last=last)
            name = "conv1d" if len(x) == 2 else "conv_transpose2d" if turned else "conv2d"
            return [lambda f=getattr(m.nn.functional, name), a=a, b=b: f(a, b, None, *rest) for m, a, b in zip((torch, tenon), xs, ws)]

        conv("conv 3x3", (64, 56, 56), (64, 64, 3, 3), 1, 1)
        conv("conv 3x3 channels last", (64, 56, 56), (64, 64, 3, 3), 1, 1, last=True)
        conv("conv 1x1", (64, 56, 56), (64, 64, 1, 1))
        conv("conv 5x5 stride 2", (64, 56, 56), (64, 64, 5, 5), 2, 2)
        conv("conv 7x7 stride 2", (3, 224, 224), (64, 3, 7, 7), 2, 3)
        conv("conv depthwise 3x3", (128, 56, 56), (128, 1, 3, 3), 1, 1, 1, 128)
        conv("conv depthwise 3x3 stride 2", (128, 56, 56), (128, 1, 3, 3), 2, 1, 1, 128)
        conv("conv depthwise 5x5", (128, 28, 28), (128, 1, 5, 5), 1, 2, 1, 128)
        conv("conv depthwise 3x3 channels last", (128, 56, 56), (128, 1, 3, 3), 1, 1, 1, 128, last=True)
        conv("conv 32 groups of 4", (128, 56, 56), (128, 4, 3, 3), 1, 1, 1, 32)
        conv("conv 8 groups of 16", (128, 56, 56), (128, 16, 3, 3), 1, 1, 1, 8)
        conv("conv 32 groups of 4 channels last", (128, 56, 56), (128, 4, 3, 3), 1, 1, 1, 32, last=True)
        conv("conv dilated", (64, 56, 56), (64, 64, 3, 3), 1, 2, 2)
        conv("conv1d 9", (64, 16000), (64, 64, 9), 1, 4)
        conv("conv transposed 4x4", (64, 28, 28), (64, 64, 4, 4), 2, 1, turned=True)


def layers():
    for last in False, True:
        end = " channels last" if last else ""
        x, g = both(16, 64, 56, 56, channels_last=last), both(16, 64, 56, 56, channels_last=last, grad=True)
        for back in False, True:
            t, tail = (g, end + ", backward") if back else (x, end)
            case("max_pool2d" + tail, lambda m, f, a: f.max_pool2d(a, 3, 2, 1), t, backward=back)
            case("avg_pool2d" + tail, lambda m, f, a: f.avg_pool2d(a, 2), t, backward=back)
            case("avg_pool2d 3x3" + tail, lambda m, f, a: f.avg_pool2d(a, 3, 2, 1), t, backward=back)
            case("adaptive_avg_pool2d" + tail, lambda m, f, a: f.adaptive_avg_pool2d(a, 7), t, backward=back)
            case("bilinear" + tail, lambda m, f, a: f.interpolate(a, scale_factor=2, mode="bilinear"), t, backward=back)
        case("max_pool2d indices" + end, lambda m, f, a: f.max_pool2d(a, 3, 2, 1, return_indices=True)[0], x)
        mean, var = both(64), [torch.ones(64), tenon.ones(64)]
        case("batch_norm given" + end, lambda m, f, a, b, c: f.batch_norm(a, b, c), x, mean, var)
        case("batch_norm training" + end, lambda m, f, a: f.batch_norm(a, None, None, training=True), x)
        case("batch_norm training" + end + ", backward", lambda m, f, a: f.batch_norm(a, None, None, training=True), g, backward=True)
        case("group_norm" + end + ", backward", lambda m, f, a: f.group_norm(a, 8), g, backward=True)
    lines, grads = both(4096, 256), both(4096, 256, grad=True)
    weight, bias = both(256, grad=True), both(256, grad=True)
    case("layer_norm", lambda m, f, a, b, c: f.layer_norm(a, (256,), b.detach(), c.detach()), lines, weight, bias)
    case("layer_norm, backward", lambda m, f, a, b, c: f.layer_norm(a, (256,), b, c), grads, weight, bias, backward=True)
    case("layer_norm without weight, backward", lambda m, f, a: f.layer_norm(a, (256,)), grads, backward=True)
    case("rms_norm, backward", lambda m, f, a, b: f.rms_norm(a, (256,), b), grads, weight, backward=True)
    many, other = both(1000, 1000, grad=True), both(1000, 1000)
    case("mse_loss", lambda m, f, a, b: f.mse_loss(a.detach(), b), many, other)
    case("mse_loss, backward", lambda m, f, a, b: f.mse_loss(a, b), many, other, backward=True)
    case("l1_loss, backward", lambda m, f, a, b: f.l1_loss(a, b), many, other, backward=True)
    case("smooth_l1_loss, backward", lambda m, f, a, b: f.smooth_l1_loss(a, b), many, other, backward=True)
    images, grid = both(4, 32, 64, 64), both(4, 64, 64, 2)
    for mode in "bilinear", "nearest", "bicubic":
        case(f"grid_sample {mode}", lambda m, f, a, b, mode=mode: f.grid_sample(a, b, mode=mode, align_corners=False), images, grid)
    gi, gg = both(4, 32, 64, 64, grad=True), both(4, 64, 64, 2, grad=True)
    case("grid_sample bilinear, backward", lambda m, f, a, b: f.grid_sample(a, b, align_corners=False), gi, gg, backward=True)


def recurrent():
    for kind in "LSTM", "GRU", "RNN":
        def pair(kind=kind, batch=16, steps=64, size=256, cell=False, grad=False):
            a = getattr(torch.nn, kind)(size, size)
            b = getattr(tenon.nn, kind)(size, size)
            for p, q in zip(a.parameters(), b.parameters()):
                q.data = tenon.tensor(p.detach().numpy())
            xs = both(batch, size) if cell else both(steps, batch, size)
            if grad:
                def step(l, m, x):
                    p = list(l.parameters())
                    return lambda: m.autograd.grad(l(x)[0].sum(), p)
                return [step(a, torch, xs[0]), step(b, tenon, xs[1])]

            def plain(l, m, x):
                def run():
                    with m.no_grad():
                        return l(x)
                return run
            return [plain(a, torch, xs[0]), plain(b, tenon, xs[1])]

        CASES[f"{kind} 256, 64 steps, batch 16"] = pair
        CASES[f"{kind} 256, 64 steps, batch 1"] = lambda pair=pair: pair(batch=1)
        CASES[f"{kind} 256, 64 steps, batch 16, backward"] = lambda pair=pair: pair(grad=True)
        CASES[f"{kind}Cell 64, batch 1"] = lambda pair=pair, kind=kind: pair(kind + "Cell", 1, size=64, cell=True)


def measure(calls, seconds, clock):
    best, times = [1e9, 1e9], [1, 1]
    for i, call in enumerate(calls):
        call()
        begin = clock()
        call()
        times[i] = max(1, int(2e-3 / max(clock() - begin, 1e-7)))
    end = time.perf_counter() + seconds
    rounds = 0
    while rounds < 5 or time.perf_counter() < end:
        for i, call in enumerate(calls):
            begin = clock()
            for _ in range(times[i]):
                call()
            best[i] = min(best[i], (clock() - begin) / times[i])
        rounds += 1
    return best


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", nargs="?", default="")
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--threads", type=int, default=1)
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    tenon.set_num_threads(chosen.threads)
    clock = time.thread_time if chosen.threads == 1 else time.perf_counter
    convolutions()
    layers()
    recurrent()
    for name, make in CASES.items():
        if chosen.part in name:
            theirs, ours = measure(make(), chosen.seconds, clock)
            print(f"{name:45} PyTorch {theirs * 1e6:10.1f} us   Tenon {ours * 1e6:10.1f} us   {theirs / ours:6.2f}", flush=True)


if __name__ == "__main__":
    main()
