"""Losses of torch.nn.functional, whose reduction is a word; the operators of the table take its number."""

import math
import warnings

from tenon import _core

_REDUCTIONS = {"none": 0, "mean": 1, "elementwise_mean": 1, "sum": 2}


def _number(reduction):
    try:
        return _REDUCTIONS[reduction]
    except (KeyError, TypeError):
        raise ValueError(f"{reduction!r} is not a reduction: 'none', 'mean' or 'sum'") from None


def _old(size_average, reduce, reduction):
    """What the arguments that reduction replaced would mean."""
    if size_average is None and reduce is None:
        return reduction
    warnings.warn("size_average and reduce are replaced by reduction", stacklevel=3)
    return "none" if reduce is False else "sum" if size_average is False else "mean"


def _reduced(loss, reduction):
    return loss if _number(reduction) == 0 else loss.mean() if _number(reduction) == 1 else loss.sum()


def _alike(name, input, target):
    if input.shape != target.shape:
        warnings.warn(f"{name}(): target {tuple(target.shape)} is broadcast with input {tuple(input.shape)}", stacklevel=3)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean of the squares of input - target."""
    _alike("mse_loss", input, target)
    reduction = _old(size_average, reduce, reduction)
    if weight is not None:
        return _weighted((input - target) ** 2, weight, reduction)
    return _core.mse_loss(input, target, _number(reduction))


def _weighted(loss, weight, reduction):
    if weight.shape != loss.shape:
        raise ValueError(f"weight {tuple(weight.shape)} must have the sizes of the losses {tuple(loss.shape)}")
    loss = loss * weight
    return loss.sum() / weight.sum() if reduction == "mean" else _reduced(loss, reduction)


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    """The mean of the magnitudes of input - target."""
    _alike("l1_loss", input, target)
    reduction = _old(size_average, reduce, reduction)
    if weight is not None:
        return _weighted((input - target).abs(), weight, reduction)
    return _core.l1_loss(input, target, _number(reduction))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    """As l1_loss; below beta, squares over 2 beta."""
    _alike("smooth_l1_loss", input, target)
    return _core.smooth_l1_loss(input, target, _number(_old(size_average, reduce, reduction)), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    """Half the square of input - target up to delta, and linear from there on."""
    _alike("huber_loss", input, target)
    if weight is not None:
        return _weighted(_core.huber_loss(input, target, 0, delta), weight, reduction)
    return _core.huber_loss(input, target, _number(reduction), delta)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    """The negative of input at the class that target has."""
    return _core.nll_loss_nd(input, target, weight, _number(_old(size_average, reduce, reduction)), ignore_index)


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
    """nll_loss of log_softmax; target has numbers of classes, or probabilities."""
    return _core.cross_entropy_loss(input, target, weight, _number(_old(size_average, reduce, reduction)), ignore_index, label_smoothing)


def linear_cross_entropy(input, linear_weight, target, *, linear_bias=None, weight=None, reduction="mean", ignore_index=None,
                         label_smoothing=0.0, options=None):
    """cross_entropy of a product: of linear(input, linear_weight, linear_bias)."""
    extra = tuple(linear_weight.shape[1:-1])
    logits = _core.linear(input, linear_weight.reshape(-1, linear_weight.shape[-1]), None if linear_bias is None else linear_bias.reshape(-1))
    if extra:
        logits = logits.reshape(*input.shape[:-1], linear_weight.shape[0], *extra)
    return cross_entropy(logits, target, weight, ignore_index=-100 if ignore_index is None else ignore_index, reduction=reduction,
                         label_smoothing=label_smoothing)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """-(target log input + (1 - target) log(1 - input))."""
    if input.shape != target.shape:
        raise ValueError(f"binary_cross_entropy(): target {tuple(target.shape)} must have the sizes of input {tuple(input.shape)}")
    return _core.binary_cross_entropy(input, target, weight, _number(_old(size_average, reduce, reduction)))


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
    """binary_cross_entropy of sigmoid(input)."""
    if input.shape != target.shape:
        raise ValueError(f"binary_cross_entropy_with_logits(): target {tuple(target.shape)} must have the sizes of input {tuple(input.shape)}")
    return _core.binary_cross_entropy_with_logits(input, target, weight, pos_weight, _number(_old(size_average, reduce, reduction)))


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """target (log target - input), input being a logarithm."""
    reduction = _old(size_average, reduce, reduction)
    if reduction == "batchmean":
        loss = _core.kl_div(input, target, 2, log_target=log_target)
        return loss / input.shape[0] if input.ndim else loss
    return _core.kl_div(input, target, _number(reduction), log_target=log_target)


def poisson_nll_loss(input, target, log_input=True, full=False, size_average=None, eps=1e-8, reduce=None, reduction="mean"):
    """The negative logarithm of the likelihood of counts."""
    return _core.poisson_nll_loss(input, target, log_input, full, eps, _number(_old(size_average, reduce, reduction)))


def gaussian_nll_loss(input, target, var, full=False, eps=1e-6, reduction="mean"):
    """The negative logarithm of the likelihood of normal numbers; var is their variance, at least eps."""
    number = _number(reduction)
    if not isinstance(var, _core.Tensor):
        if var < 0:
            raise ValueError("gaussian_nll_loss(): var has negative numbers")
        var = _core.full_like(input, var)
    elif bool((var < 0).any()):
        raise ValueError("gaussian_nll_loss(): var has negative numbers")
    if tuple(var.shape) != tuple(input.shape):
        if tuple(input.shape[:-1]) == tuple(var.shape):
            var = var.unsqueeze(-1)
        elif not (input.ndim == var.ndim and all(size in (1, other) for size, other in zip(var.shape, input.shape))):
            raise ValueError(f"gaussian_nll_loss(): var {tuple(var.shape)} does not fit input {tuple(input.shape)}")
    var = var.clone()
    var = _core.where(var.detach() < eps, _core.full_like(var, eps), var) if hasattr(var, "detach") else var.clamp(min=eps)
    loss = 0.5 * (_core.log(var) + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return loss if number == 0 else loss.mean() if number == 1 else loss.sum()


def hinge_embedding_loss(input, target, margin=1.0, size_average=None, reduce=None, reduction="mean"):
    """input where target is 1, what it is below margin where target is -1."""
    return _core.hinge_embedding_loss(input, target, margin, _number(_old(size_average, reduce, reduction)))


def cosine_embedding_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """1 less the cosine where target is 1, what it is above margin where target is -1."""
    return _core.cosine_embedding_loss(input1, input2, target, margin, _number(_old(size_average, reduce, reduction)))


def margin_ranking_loss(input1, input2, target, margin=0, size_average=None, reduce=None, reduction="mean"):
    """What -target * (input1 - input2) + margin is above 0."""
    if not input1.ndim == input2.ndim == target.ndim:
        raise RuntimeError(f"margin_ranking_loss(): input1, input2 and target must have one rank, not {input1.ndim}, {input2.ndim} and {target.ndim}")
    return _core.margin_ranking_loss(input1, input2, target, margin, _number(_old(size_average, reduce, reduction)))


def soft_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """log(1 + e^(-target * input))."""
    return _core.soft_margin_loss(input, target, _number(_old(size_average, reduce, reduction)))


def triplet_margin_loss(anchor, positive, negative, margin=1.0, p=2, eps=1e-6, swap=False, size_average=None, reduce=None, reduction="mean"):
    """What the distance to positive, less that to negative, plus margin is above 0."""
    if margin <= 0:
        raise ValueError(f"triplet_margin_loss(): margin is {margin}, and must be above 0")
    return _core.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, _number(_old(size_average, reduce, reduction)))


def triplet_margin_with_distance_loss(anchor, positive, negative, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
    """triplet_margin_loss with a distance of your own."""
    if margin <= 0:
        raise ValueError(f"triplet_margin_with_distance_loss(): margin is {margin}, and must be above 0")
    distance = distance_function or _core.pairwise_distance
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = _core.minimum(far, distance(positive, negative))
    return _reduced(_core.clamp_min(near - far + margin, 0), reduction)


def ctc_loss(log_probs, targets, input_lengths, target_lengths, blank=0, reduction="mean", zero_infinity=False):
    """The negative logarithm of the chance of targets, whatever their alignment with the steps of log_probs. Lengths are tensors or lists."""
    lengths = [n if isinstance(n, _core.Tensor) else _core.tensor(n, dtype=_core.int64) for n in (input_lengths, target_lengths)]
    return _core.ctc_loss(log_probs, targets, *lengths, blank, _number(reduction), zero_infinity)


def multi_margin_loss(input, target, p=1, margin=1.0, weight=None, size_average=None, reduce=None, reduction="mean"):
    """What other classes are above that of target less margin, to the power p."""
    if p not in (1, 2):
        raise ValueError(f"multi_margin_loss(): p is {p}, and must be 1 or 2")
    return _core.multi_margin_loss(input, target, p, margin, weight, _number(_old(size_average, reduce, reduction)))


def multilabel_margin_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    """What classes outside of target are above those inside less 1."""
    return _core.multilabel_margin_loss(input, target, _number(_old(size_average, reduce, reduction)))


def multilabel_soft_margin_loss(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    """binary_cross_entropy_with_logits, averaged over classes."""
    loss = -(target * _core.logsigmoid(input) + (1 - target) * _core.logsigmoid(-input))
    if weight is not None:
        loss = loss * weight
    return _reduced(loss.sum(-1) / input.shape[-1], _old(size_average, reduce, reduction))


__all__ = [name for name in dir() if not name.startswith("_") and name not in ("math", "warnings")]
