"""Errors of scans, softmax and layer_norm against long double: the last table of docs/accuracy.md.

    PYTHONPATH=build/python python3 tools/accuracy/scan.py        with NumPy and PyTorch
"""

import numpy as np
import tenon
import tenon.nn.functional
import torch

COUNT = 1_000_000


def relative(got, exact, dtype):
    difference = np.abs(np.asarray(got, dtype=np.longdouble) - exact) / np.abs(exact)
    return float(np.max(difference) / np.finfo(dtype).eps)


def absolute(got, exact):
    return float(np.max(np.abs(np.asarray(got, dtype=np.longdouble) - exact)) / np.finfo(np.float32).eps)


def show(name, dtype, *errors):
    print(f"| {name} | {np.dtype(dtype).name} | " + " | ".join("" if e is None else f"{e:.2f}" for e in errors) + " |")


def scans(random):
    uniform, far = random.random(COUNT), random.normal(1000, 1, COUNT)
    factors = np.exp(random.normal(0, 0.001, COUNT))
    rows = [("cumsum, uniform in [0, 1)", uniform, "cumsum"), ("cumsum, mean 1000", far, "cumsum"), ("cumprod, near 1", factors, "cumprod")]
    for name, values, operator in rows:
        for dtype in (np.float32, np.float64):
            x = values.astype(dtype)
            exact = getattr(np, operator)(x.astype(np.longdouble))
            ours, theirs = tenon.from_numpy(x), torch.from_numpy(x)
            got = [getattr(ours, operator)(0).numpy(), getattr(theirs, operator)(0).numpy(), getattr(np, operator)(x)]
            show(name, dtype, *(relative(one, exact, dtype) for one in got))


def lines(random):
    x = random.normal(0, 3, (200, 5000)).astype(np.float32)
    wide = x.astype(np.longdouble)
    most = wide.max(1, keepdims=True)
    powers = np.exp(wide - most)
    total = powers.sum(1, keepdims=True)
    ours, theirs = tenon.from_numpy(x), torch.from_numpy(x)
    for name, exact in (
        ("softmax", powers / total),
        ("log_softmax", wide - most - np.log(total)),
        ("logsumexp", (most + np.log(total))[:, 0]),
    ):
        got = [getattr(one, name)(1).numpy() for one in (ours, theirs)]
        show(name, np.float32, *(relative(one, exact, np.float32) for one in got), None)
    mean = wide.mean(1, keepdims=True)
    exact = (wide - mean) / np.sqrt(((wide - mean) ** 2).mean(1, keepdims=True) + 1e-5)
    got = [library.nn.functional.layer_norm(one, (5000,)).numpy() for library, one in ((tenon, ours), (torch, theirs))]
    show("layer_norm, absolute", np.float32, *(absolute(one, exact) for one in got), None)


if __name__ == "__main__":
    torch.set_num_threads(1)
    print("| | dtype | Tenon | PyTorch | NumPy |\n|---|---|---|---|---|")
    scans(np.random.default_rng(3))
    lines(np.random.default_rng(4))
