"""Gradients made smaller where they are too large."""

import warnings

from tenon import _core
from tenon.nn.modules.module import _core_no_grad

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "get_total_norm"]

_norm = _core.linalg_vector_norm


def _several(parameters):
    if isinstance(parameters, _core.Tensor):
        return [parameters]
    return list(parameters)


def get_total_norm(tensors, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The norm of all tensors as of one vector."""
    tensors, norm_type = _several(tensors), float(norm_type)
    if not tensors:
        return _core.tensor(0.0)
    with _core_no_grad():
        total = _norm(_core.stack([_norm(one, norm_type) for one in tensors]), norm_type)
        if error_if_nonfinite and not bool(total.isfinite()):
            raise RuntimeError(f"the norm of order {norm_type} of the gradients is not finite, so they cannot be scaled by it")
    return total


def clip_grads_with_norm_(parameters, max_norm, total_norm, foreach=None):
    """Scales gradients so that their norm, which is known, is at most max_norm."""
    grads = [p.grad for p in _several(parameters) if p.grad is not None]
    if not grads:
        return
    with _core_no_grad():
        factor = (float(max_norm) / (total_norm + 1e-6)).clamp(max=1.0)
        for grad in grads:
            grad.mul_(factor)


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales gradients so that their norm together is at most max_norm; returns what it was."""
    if not isinstance(parameters, _core.Tensor):
        parameters = list(parameters)
        if not parameters:
            warnings.warn("clip_grad_norm_: there are no parameters", stacklevel=2)
    parameters = _several(parameters)
    total = get_total_norm([p.grad for p in parameters if p.grad is not None], norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_norm(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """The old name of clip_grad_norm_."""
    warnings.warn("clip_grad_norm is an old name of clip_grad_norm_", FutureWarning, stacklevel=2)
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite)


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Brings every element of the gradients between -clip_value and clip_value."""
    clip_value = float(clip_value)
    with _core_no_grad():
        for p in _several(parameters):
            if p.grad is not None:
                p.grad.clamp_(-clip_value, clip_value)
