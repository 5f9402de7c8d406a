"""Pooling, norms, resampling and losses beside PyTorch: random sizes and arguments, results and gradients, plain and channels last."""

import random

import pytest
import torch
import torch.nn.functional as F

import tenon

TOLERANCE = {torch.float32: 1e-4, torch.float64: 1e-9}


def here(value):
    """The same in Tenon, strides included; a leaf where it is one in PyTorch."""
    if isinstance(value, torch.Tensor):
        made = tenon.from_dlpack(value.detach().clone())
        return made.requires_grad_() if value.requires_grad else made
    return type(value)(map(here, value)) if isinstance(value, (tuple, list)) else value


def tensor(generator, *sizes, dtype=torch.float64, positive=False):
    made = torch.tensor([generator.uniform(0.05 if positive else -2, 2) for _ in range(torch.Size(sizes).numel())], dtype=dtype)
    made = made.reshape(sizes)
    if len(sizes) == 4 and generator.random() < 0.4:
        made = made.contiguous(memory_format=torch.channels_last)
    return made.requires_grad_()


def image(generator, dims, dtype, least=3, most=9):
    return tensor(generator, generator.randint(1, 3), generator.randint(1, 4), *(generator.randint(least, most) for _ in range(dims)), dtype=dtype)


def pooling(generator, dtype):
    dims = generator.randint(1, 3)
    x, kernel = image(generator, dims, dtype), generator.randint(1, 3)
    kind = generator.choice(["max_pool", "avg_pool", "lp_pool", "adaptive_avg_pool", "adaptive_max_pool"])
    name = f"{kind}{dims}d"
    if kind.startswith("adaptive"):
        return name, (x, [generator.randint(1, 4) for _ in range(dims)] if dims > 1 else generator.randint(1, 4)), {}
    if kind == "lp_pool":
        return name, (x, float(generator.randint(1, 3)), kernel, generator.randint(1, 3), generator.random() < 0.5), {}
    more = {"padding": generator.randint(0, kernel // 2), "ceil_mode": generator.random() < 0.5}
    if kind == "avg_pool":
        more["count_include_pad"] = generator.random() < 0.5
    else:
        more["dilation"] = generator.randint(1, 1 if kernel == 3 else 2)
    return name, (x, kernel, generator.randint(1, 3)), more


def norms(generator, dtype):
    x = image(generator, generator.randint(1, 3), dtype, 2, 5)
    channels = x.shape[1]
    weight, bias = (tensor(generator, channels, dtype=dtype) for _ in range(2)) if generator.random() < 0.7 else (None, None)
    kind = generator.choice(["batch_norm", "instance_norm", "group_norm", "layer_norm", "rms_norm", "local_response_norm"])
    if kind == "group_norm":
        return kind, (x, generator.choice([n for n in range(1, channels + 1) if channels % n == 0]), weight, bias), {}
    if kind in ("layer_norm", "rms_norm"):
        shape = x.shape[-generator.randint(1, x.ndim - 1):]
        parameters = [tensor(generator, *shape, dtype=dtype).detach().contiguous().requires_grad_() for _ in range(2 if kind == "layer_norm" else 1)]
        return kind, (x, tuple(shape), *parameters), {"eps": 1e-3}
    if kind == "local_response_norm":
        return kind, (x, generator.randint(1, channels + 1)), {"alpha": 0.1, "k": 1.5}
    mean, var = tensor(generator, channels, dtype=dtype).detach(), tensor(generator, channels, dtype=dtype, positive=True).detach()
    training = generator.random() < 0.5
    name = "training" if kind == "batch_norm" else "use_input_stats"
    return kind, (x, mean, var, weight, bias), {name: training, "momentum": 0.3}


def resampling(generator, dtype):
    if generator.random() < 0.4:
        dims = generator.randint(2, 3)
        x = image(generator, dims, dtype)
        grid = tensor(generator, x.shape[0], *(generator.randint(1, 4) for _ in range(dims)), dims, dtype=dtype)
        modes = ["bilinear", "nearest", "bicubic"][:3 if dims == 2 else 2]
        return "grid_sample", (x, grid), {"mode": generator.choice(modes), "padding_mode": generator.choice(["zeros", "border", "reflection"]),
                                          "align_corners": generator.random() < 0.5}
    mode, dims = generator.choice([("nearest", 1), ("nearest", 2), ("nearest", 3), ("nearest-exact", 2), ("linear", 1), ("bilinear", 2),
                                   ("trilinear", 3), ("bicubic", 2), ("area", 2)])
    x = image(generator, dims, dtype)
    more = {"mode": mode}
    if "linear" in mode or mode == "bicubic":
        more["align_corners"] = generator.random() < 0.5
        more["antialias"] = dims == 2 and generator.random() < 0.3
    if generator.random() < 0.5:
        more["size"] = [generator.randint(2, 12) for _ in range(dims)]  # one column, antialiased, is all the same in PyTorch
    else:
        # PyTorch's gradients of nearest lines and volumes are not those of its results where sizes are rounded: its gradcheck says so.
        more["scale_factor"] = generator.choice([0.5, 1.5, 2.0, 2.3] if mode != "nearest" or dims == 2 else [2.0])
    return "interpolate", (x,), more


def losses(generator, dtype):
    rows, classes = generator.randint(1, 5), generator.randint(2, 6)
    x, reduction = tensor(generator, rows, classes, dtype=dtype), generator.choice(["none", "mean", "sum"])
    kind = generator.choice(["cross_entropy", "chances", "nll_loss", "mse_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy_with_logits",
                             "kl_div", "multi_margin_loss", "triplet_margin_loss", "cosine_embedding_loss", "ctc_loss", "soft_margin_loss"])
    target = torch.tensor([generator.randrange(classes) for _ in range(rows)])
    if kind in ("cross_entropy", "nll_loss"):
        more = {"weight": tensor(generator, classes, dtype=dtype, positive=True).detach(), "ignore_index": generator.randrange(-1, classes)}
        if bool((target == more["ignore_index"]).all()) and reduction == "mean":
            more["ignore_index"] = -100
        if kind == "cross_entropy":
            more["label_smoothing"] = generator.choice([0.0, 0.2])
        return kind, (x, target), {"reduction": reduction, **more}
    if kind == "chances":
        return "cross_entropy", (x, tensor(generator, rows, classes, dtype=dtype).detach().softmax(1)), {"reduction": reduction}
    if kind == "multi_margin_loss":
        return kind, (x, target), {"reduction": reduction, "p": generator.randint(1, 2)}
    if kind == "triplet_margin_loss":
        return kind, (x, *(tensor(generator, rows, classes, dtype=dtype) for _ in range(2))), {"reduction": reduction, "swap": True}
    if kind == "cosine_embedding_loss":
        sign = torch.tensor([generator.choice([-1, 1]) for _ in range(rows)])
        return kind, (x, tensor(generator, rows, classes, dtype=dtype), sign), {"reduction": reduction, "margin": 0.1}
    if kind == "ctc_loss":
        steps, lengths = generator.randint(6, 9), [generator.randint(0, 3) for _ in range(rows)]
        logs = tensor(generator, steps, rows, classes, dtype=dtype).detach().log_softmax(2).requires_grad_()
        targets = torch.tensor([[generator.randrange(1, classes) for _ in range(3)] for _ in range(rows)])
        return kind, (logs, targets, [generator.randint(6, steps) for _ in range(rows)], lengths), {"reduction": reduction, "zero_infinity": True}
    other = tensor(generator, rows, classes, dtype=dtype, positive=True).detach()
    return kind, (x, other / 2 if "binary" in kind else other), {"reduction": reduction}


@pytest.mark.parametrize("draw", [pooling, norms, resampling, losses])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_results_and_gradients(draw, dtype):
    for number in range(150):
        generator = random.Random(f"{draw.__name__} {number} {dtype}")
        name, arguments, more = draw(generator, dtype)
        own = tuple(map(here, arguments)), {key: here(value) for key, value in more.items()}
        try:
            wanted = getattr(F, name)(*arguments, **more)
        except (RuntimeError, ValueError):
            with pytest.raises((RuntimeError, ValueError)):
                getattr(tenon.nn.functional, name)(*own[0], **own[1])
            continue
        made = getattr(tenon.nn.functional, name)(*own[0], **own[1])
        where = f"{name} of {[tuple(a.shape) if isinstance(a, torch.Tensor) else a for a in arguments]}, {more}, draw {number}"
        agree(made, wanted, TOLERANCE[dtype], where)
        weights = torch.linspace(0.5, 1.5, wanted.numel(), dtype=dtype).reshape(wanted.shape)
        (wanted * weights).sum().backward()
        (made * here(weights)).sum().backward()
        for given, ours in zip([*arguments, *more.values()], [*own[0], *own[1].values()], strict=True):
            if isinstance(given, torch.Tensor) and given.grad is not None:
                agree(ours.grad, given.grad, 20 * TOLERANCE[dtype], "gradient of " + where)
            elif isinstance(given, torch.Tensor) and name in ("batch_norm", "instance_norm"):
                agree(ours, given, TOLERANCE[dtype], "statistics of " + where)


def agree(made, wanted, tolerance, where):
    assert tuple(made.shape) == tuple(wanted.shape), where
    flat = torch.tensor(made.detach().tolist(), dtype=wanted.dtype).reshape(wanted.shape)
    assert torch.allclose(flat, wanted.detach(), rtol=tolerance, atol=tolerance, equal_nan=True), (where, flat, wanted)
