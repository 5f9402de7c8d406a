"""A batch norm that no longer learns, inside the layer before it."""

import copy

from tenon import _core
from tenon.nn.parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def _fused(layer, bn, weights):
    if layer.training or bn.training:
        raise AssertionError("both layers must be in eval mode")
    made = copy.deepcopy(layer)
    made.weight, made.bias = weights(made.weight, made.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias)
    return made


def fuse_conv_bn_eval(conv, bn, transpose=False):
    """A convolution that does what conv and bn do together."""
    return _fused(conv, bn, lambda *args: fuse_conv_bn_weights(*args, transpose))


def fuse_conv_bn_weights(conv_w, conv_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b, transpose=False):
    """Its weight and bias."""
    conv_b = _core.zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = _core.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = _core.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = bn_w * _core.rsqrt(bn_rv + bn_eps)
    shape = [1, -1] + [1] * (conv_w.dim() - 2) if transpose else [-1, 1] + [1] * (conv_w.dim() - 2)
    weight = (conv_w * scale.reshape(shape)).to(conv_w.dtype)
    bias = ((conv_b - bn_rm) * scale + bn_b).to(conv_b.dtype)
    return Parameter(weight, conv_w.requires_grad), Parameter(bias, conv_b.requires_grad)


def fuse_linear_bn_eval(linear, bn):
    """A Linear that does what linear and bn do together."""
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError(f"a Linear of {linear.out_features} features and a norm of {bn.num_features} cannot be one")
    return _fused(linear, bn, fuse_linear_bn_weights)


def fuse_linear_bn_weights(linear_w, linear_b, bn_rm, bn_rv, bn_eps, bn_w, bn_b):
    """Its weight and bias."""
    linear_b = _core.zeros_like(bn_rm) if linear_b is None else linear_b
    bn_w = _core.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = _core.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = bn_w * _core.rsqrt(bn_rv + bn_eps)
    weight = (linear_w * scale.unsqueeze(-1)).to(linear_w.dtype)
    bias = ((linear_b - bn_rm) * scale + bn_b).to(linear_b.dtype)
    return Parameter(weight, linear_w.requires_grad), Parameter(bias, linear_b.requires_grad)
