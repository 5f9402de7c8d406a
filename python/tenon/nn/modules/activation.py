"""Activations, and MultiheadAttention."""

import warnings

from tenon import _core
from tenon.nn import functional as F
from tenon.nn import init
from tenon.nn.modules.linear import NonDynamicallyQuantizableLinear
from tenon.nn.modules.module import Module
from tenon.nn.parameter import Parameter

__all__ = ["CELU", "ELU", "GELU", "GLU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU", "LogSigmoid",
           "LogSoftmax", "Mish", "MultiheadAttention", "PReLU", "RReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid", "Softmax",
           "Softmax2d", "Softmin", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold"]


def _inplace(self, first=""):
    return ", ".join(filter(None, [first, "inplace=True" if self.inplace else ""]))


class _Plain(Module):
    """An activation whose only argument is inplace."""

    __constants__ = ["inplace"]

    def __init__(self, inplace=False):
        super().__init__()
        self.inplace = inplace

    def extra_repr(self):
        return _inplace(self)


class Threshold(Module):
    """What is at most threshold becomes value."""

    __constants__ = ["threshold", "value", "inplace"]

    def __init__(self, threshold, value, inplace=False):
        super().__init__()
        self.threshold, self.value, self.inplace = threshold, value, inplace

    def forward(self, input):
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self):
        return _inplace(self, f"threshold={self.threshold}, value={self.value}")


class ReLU(_Plain):
    """max(0, x)."""

    def forward(self, input):
        return _core.relu_(input) if self.inplace else _core.relu(input)


class RReLU(Module):
    """Leaky, with a random slope while training."""

    __constants__ = ["lower", "upper", "inplace"]

    def __init__(self, lower=1.0 / 8, upper=1.0 / 3, inplace=False):
        super().__init__()
        self.lower, self.upper, self.inplace = lower, upper, inplace

    def forward(self, input):
        return (_core.rrelu_ if self.inplace else _core.rrelu)(input, self.lower, self.upper, self.training)

    def extra_repr(self):
        return _inplace(self, f"lower={self.lower}, upper={self.upper}")


class Hardtanh(Module):
    """x between min_val and max_val."""

    __constants__ = ["min_val", "max_val", "inplace"]

    def __init__(self, min_val=-1.0, max_val=1.0, inplace=False, min_value=None, max_value=None):
        super().__init__()
        if min_value is not None:
            warnings.warn("Hardtanh: min_value is an old name of min_val", FutureWarning, stacklevel=2)
            min_val = min_value
        if max_value is not None:
            warnings.warn("Hardtanh: max_value is an old name of max_val", FutureWarning, stacklevel=2)
            max_val = max_value
        if max_val <= min_val:
            raise AssertionError(f"Hardtanh: max_val {max_val} must be more than min_val {min_val}")
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace

    def forward(self, input):
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self):
        return _inplace(self, f"min_val={self.min_val}, max_val={self.max_val}")


class ReLU6(Hardtanh):
    """x between 0 and 6."""

    def __init__(self, inplace=False):
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self):
        return _inplace(self)


class Sigmoid(Module):
    """1 / (1 + exp(-x))."""

    def forward(self, input):
        return _core.sigmoid(input)


class Hardsigmoid(_Plain):
    """A sigmoid in straight lines."""

    def forward(self, input):
        return F.hardsigmoid(input, self.inplace)

    def extra_repr(self):
        return ""


class Tanh(Module):
    """tanh(x)."""

    def forward(self, input):
        return _core.tanh(input)


class SiLU(_Plain):
    """x * sigmoid(x)."""

    def forward(self, input):
        return F.silu(input, inplace=self.inplace)


class Mish(_Plain):
    """x * tanh(softplus(x))."""

    def forward(self, input):
        return F.mish(input, inplace=self.inplace)


class Hardswish(_Plain):
    """SiLU in pieces."""

    def forward(self, input):
        return F.hardswish(input, self.inplace)

    def extra_repr(self):
        return ""


class ELU(Module):
    """x, or alpha * (exp(x) - 1) where it is negative."""

    __constants__ = ["alpha", "inplace"]

    def __init__(self, alpha=1.0, inplace=False):
        super().__init__()
        self.alpha, self.inplace = alpha, inplace

    def forward(self, input):
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self):
        return _inplace(self, f"alpha={self.alpha}")


class CELU(ELU):
    """x, or alpha * (exp(x / alpha) - 1) where it is negative."""

    def forward(self, input):
        return F.celu(input, self.alpha, self.inplace)


class SELU(_Plain):
    """The ELU that keeps mean and variance."""

    def forward(self, input):
        return F.selu(input, self.inplace)


class GLU(Module):
    """The first half times the sigmoid of the second."""

    __constants__ = ["dim"]

    def __init__(self, dim=-1):
        super().__init__()
        self.dim = dim

    def forward(self, input):
        return _core.glu(input, self.dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class GELU(Module):
    """x times the normal distribution function of x."""

    __constants__ = ["approximate"]

    def __init__(self, approximate="none"):
        super().__init__()
        self.approximate = approximate

    def forward(self, input):
        return _core.gelu(input, approximate=self.approximate)

    def extra_repr(self):
        return f"approximate={self.approximate!r}"


class Hardshrink(Module):
    """0 between -lambd and lambd."""

    __constants__ = ["lambd"]

    def __init__(self, lambd=0.5):
        super().__init__()
        self.lambd = lambd

    def forward(self, input):
        return _core.hardshrink(input, self.lambd)

    def extra_repr(self):
        return f"{self.lambd}"


class LeakyReLU(Module):
    """x, or negative_slope * x where it is negative."""

    __constants__ = ["inplace", "negative_slope"]

    def __init__(self, negative_slope=0.01, inplace=False):
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace

    def forward(self, input):
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self):
        return _inplace(self, f"negative_slope={self.negative_slope}")


class LogSigmoid(Module):
    """log(sigmoid(x))."""

    def forward(self, input):
        return F.logsigmoid(input)


class Softplus(Module):
    """log(1 + exp(beta * x)) / beta."""

    __constants__ = ["beta", "threshold"]

    def __init__(self, beta=1.0, threshold=20.0):
        super().__init__()
        self.beta, self.threshold = beta, threshold

    def forward(self, input):
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self):
        return f"beta={self.beta}, threshold={self.threshold}"


class Softshrink(Hardshrink):
    """x nearer to 0 by lambd."""

    def forward(self, input):
        return F.softshrink(input, self.lambd)


class PReLU(Module):
    """Leaky, with slopes that are learned."""

    __constants__ = ["num_parameters"]

    def __init__(self, num_parameters=1, init=0.25, device=None, dtype=None):
        super().__init__()
        self.num_parameters, self.init = num_parameters, init
        self.weight = Parameter(_core.empty(num_parameters, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self):
        """The first slopes."""
        init.constant_(self.weight, self.init)

    def forward(self, input):
        return _core.prelu(input, self.weight)

    def extra_repr(self):
        return f"num_parameters={self.num_parameters}"


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input):
        return F.softsign(input)


class Tanhshrink(Module):
    """x - tanh(x)."""

    def forward(self, input):
        return F.tanhshrink(input)


def _dim_of(name, ndim):
    """The dimension that torch took before one had to say which."""
    warnings.warn(f"{name}: say which dim; it is guessed from the number of dimensions", stacklevel=4)
    return 0 if ndim in (0, 1, 3) else 1


class _AlongDim(Module):
    __constants__ = ["dim"]

    def __init__(self, dim=None):
        super().__init__()
        self.dim = dim

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("dim", None)

    def forward(self, input):
        dim = _dim_of(type(self).__name__, input.dim()) if self.dim is None else self.dim
        return self._function(input, dim)

    def extra_repr(self):
        return f"dim={self.dim}"


class Softmin(_AlongDim):
    """softmax(-x)."""

    def _function(self, input, dim):
        return _core.softmax(-input, dim)


class Softmax(_AlongDim):
    """exp(x), scaled to the sum 1."""

    def _function(self, input, dim):
        return _core.softmax(input, dim)


class LogSoftmax(_AlongDim):
    """log(softmax(x))."""

    def _function(self, input, dim):
        return _core.log_softmax(input, dim)


class Softmax2d(Module):
    """softmax over the channels of images."""

    def forward(self, input):
        if input.dim() not in (3, 4):
            raise ValueError(f"Softmax2d: images have 3 or 4 dimensions, not {input.dim()}")
        return _core.softmax(input, -3)


class MultiheadAttention(Module):
    """Attention of several heads: query, key and value are projected, attended to, joined and projected again."""

    __constants__ = ["batch_first"]

    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, add_bias_kv=False, add_zero_attn=False, kdim=None, vdim=None,
                 batch_first=False, device=None, dtype=None):
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(f"MultiheadAttention: embed_dim {embed_dim} and num_heads {num_heads} must be positive")
        super().__init__()
        where = {"device": device, "dtype": dtype}
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError(f"MultiheadAttention: embed_dim {embed_dim} must be a multiple of num_heads {num_heads}")
        if self._qkv_same_embed_dim:
            self.in_proj_weight = Parameter(_core.empty((3 * embed_dim, embed_dim), **where))
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = Parameter(_core.empty((embed_dim, embed_dim), **where))
            self.k_proj_weight = Parameter(_core.empty((embed_dim, self.kdim), **where))
            self.v_proj_weight = Parameter(_core.empty((embed_dim, self.vdim), **where))
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = Parameter(_core.empty(3 * embed_dim, **where))
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, **where)
        if add_bias_kv:
            self.bias_k = Parameter(_core.empty((1, 1, embed_dim), **where))
            self.bias_v = Parameter(_core.empty((1, 1, embed_dim), **where))
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self):
        if self._qkv_same_embed_dim:
            init.xavier_uniform_(self.in_proj_weight)
        else:
            init.xavier_uniform_(self.q_proj_weight)
            init.xavier_uniform_(self.k_proj_weight)
            init.xavier_uniform_(self.v_proj_weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        if self.bias_k is not None:
            init.xavier_normal_(self.bias_k)
        if self.bias_v is not None:
            init.xavier_normal_(self.bias_v)

    def __setstate__(self, state):
        state.setdefault("_qkv_same_embed_dim", True)
        super().__setstate__(state)

    def forward(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True,
                is_causal=False):
        batched = query.dim() == 3
        if self.batch_first and batched:
            if key is value:
                if query is key:
                    query = key = value = query.transpose(1, 0)
                else:
                    query, key = query.transpose(1, 0), key.transpose(1, 0)
                    value = key
            else:
                query, key, value = query.transpose(1, 0), key.transpose(1, 0), value.transpose(1, 0)
        separate = {} if self._qkv_same_embed_dim else dict(
            use_separate_proj_weight=True, q_proj_weight=self.q_proj_weight, k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight)
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k, self.bias_v,
            self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias, training=self.training,
            key_padding_mask=key_padding_mask, need_weights=need_weights, attn_mask=attn_mask,
            average_attn_weights=average_attn_weights, is_causal=is_causal, **separate)
        if self.batch_first and batched:
            output = output.transpose(1, 0)
        return output, weights
