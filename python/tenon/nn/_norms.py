"""Norms as torch.nn.functional has them: statistics before parameters, and None for what is missing."""

from tenon import _core


def _check_samples(input, name, size):
    """Training needs more than one element for each mean."""
    if size == 1:
        raise ValueError(f"{name}(): one value for each mean is not enough in training: input has the sizes {tuple(input.shape)}")


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-05):
    """Each channel with mean 0 and variance 1, by its own statistics in training, by running_mean and running_var otherwise."""
    if training:
        _check_samples(input, "batch_norm", input.numel() // max(input.shape[1], 1) if input.ndim > 1 else 0)
    return _core.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, False)


def instance_norm(input, running_mean=None, running_var=None, weight=None, bias=None, use_input_stats=True, momentum=0.1, eps=1e-05):
    """Each channel of each input with mean 0 and variance 1."""
    if use_input_stats:
        size = 1
        for length in input.shape[2:]:
            size *= length
        _check_samples(input, "instance_norm", size)
    return _core.instance_norm(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, False)


def group_norm(input, num_groups, weight=None, bias=None, eps=1e-05):
    """Each group of channels of each input with mean 0 and variance 1."""
    if input.ndim < 2:
        raise RuntimeError(f"group_norm(): input has {input.ndim} dimensions, and channels are the second")
    if num_groups > 0:
        size = input.shape[0] * input.shape[1] // num_groups
        for length in input.shape[2:]:
            size *= length
        _check_samples(input, "group_norm", size)
    return _core.group_norm(input, num_groups, weight, bias, eps, False)


def local_response_norm(input, size, alpha=1e-4, beta=0.75, k=1.0):
    """Each element by the mean of the squares of the channels around its own."""
    return _core.local_response_norm(input, size, alpha, beta, k)
