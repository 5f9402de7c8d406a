"""Convolutions and transposed convolutions."""

import math

from tenon import _core
from tenon.nn import init
from tenon.nn.modules.lazy import LazyModuleMixin
from tenon.nn.modules.module import Module, _core_no_grad
from tenon.nn.modules.utils import _ntuple, _reverse_repeat_tuple
from tenon.nn.parameter import Parameter, UninitializedParameter

__all__ = [f"{lazy}{kind}{n}d" for lazy in ("", "Lazy") for kind in ("Conv", "ConvTranspose") for n in (1, 2, 3)]


class _ConvNd(Module):
    __constants__ = ["stride", "padding", "dilation", "groups", "padding_mode", "output_padding", "in_channels", "out_channels",
                     "kernel_size"]

    def __init__(self, in_channels, out_channels, kernel_size, stride, padding, dilation, transposed, output_padding, groups, bias,
                 padding_mode, device=None, dtype=None):
        super().__init__()
        name = type(self).__name__
        if groups <= 0:
            raise ValueError(f"{name}: groups must be positive, not {groups}")
        if in_channels % groups != 0 or out_channels % groups != 0:
            raise ValueError(f"{name}: in_channels {in_channels} and out_channels {out_channels} must be multiples of groups {groups}")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"{name}: padding is numbers, 'same' or 'valid', not {padding!r}")
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError(f"{name}: padding 'same' needs a stride of 1, not {stride}")
        modes = ("zeros", "reflect", "replicate", "circular")
        if padding_mode not in modes:
            raise ValueError(f"{name}: padding_mode is one of {modes}, not {padding_mode!r}")
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, kernel_size
        self.stride, self.padding, self.dilation, self.transposed = stride, padding, dilation, transposed
        self.output_padding, self.groups, self.padding_mode = output_padding, groups, padding_mode
        if isinstance(padding, str):
            around = [0, 0] * len(kernel_size)
            if padding == "same":
                for d, k, i in zip(dilation, kernel_size, range(len(kernel_size) - 1, -1, -1)):
                    total = d * (k - 1)
                    around[2 * i], around[2 * i + 1] = total // 2, total - total // 2
            self._reversed_padding_repeated_twice = around
        else:
            self._reversed_padding_repeated_twice = _reverse_repeat_tuple(padding, 2)
        first, second = (in_channels, out_channels // groups) if transposed else (out_channels, in_channels // groups)
        self.weight = Parameter(_core.empty((first, second, *kernel_size), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(_core.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self):
        """New random values."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            inputs = math.prod(self.weight.shape[1:])
            if inputs != 0:
                bound = 1 / math.sqrt(inputs)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self):
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * len(self.padding):
            text += f", padding={self.padding}"
        if self.dilation != (1,) * len(self.dilation):
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * len(self.output_padding):
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text

    def __setstate__(self, state):
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")


class _Conv(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True,
                 padding_mode="zeros", device=None, dtype=None):
        each = _ntuple(self._dims)
        super().__init__(in_channels, out_channels, each(kernel_size), each(stride), padding if isinstance(padding, str) else each(padding),
                         each(dilation), False, (0,) * self._dims, groups, bias, padding_mode, device, dtype)

    def _conv_forward(self, input, weight, bias):
        if self.padding_mode != "zeros":
            padded = _core.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            return self._function(padded, weight, bias, self.stride, (0,) * self._dims, self.dilation, self.groups)
        return self._function(input, weight, bias, self.stride, self.padding, self.dilation, self.groups)

    def forward(self, input):
        return self._conv_forward(input, self.weight, self.bias)


class Conv1d(_Conv):
    """Convolution of (batch, channels, length)."""

    _dims, _function = 1, staticmethod(_core.conv1d)


class Conv2d(_Conv):
    """Convolution of images (batch, channels, height, width)."""

    _dims, _function = 2, staticmethod(_core.conv2d)


class Conv3d(_Conv):
    """Convolution of volumes."""

    _dims, _function = 3, staticmethod(_core.conv3d)


class _ConvTransposeNd(_ConvNd):
    def __init__(self, in_channels, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode="zeros", device=None, dtype=None):
        if padding_mode != "zeros":
            raise ValueError(f"{type(self).__name__}: only padding_mode 'zeros' is possible, not {padding_mode!r}")
        each = _ntuple(self._dims)
        super().__init__(in_channels, out_channels, each(kernel_size), each(stride), each(padding), each(dilation), True,
                         each(output_padding), groups, bias, padding_mode, device, dtype)

    def _output_padding(self, input, output_size):
        if output_size is None:
            return self.output_padding
        dims, name = self._dims, type(self).__name__
        output_size = list(output_size)
        if len(output_size) == input.dim():
            output_size = output_size[-dims:]
        if len(output_size) != dims:
            raise ValueError(f"{name}: output_size has {dims} or {input.dim()} numbers, not {len(output_size)}")
        least = [(input.shape[input.dim() - dims + d] - 1) * self.stride[d] - 2 * self.padding[d] + self.dilation[d] * (self.kernel_size[d] - 1) + 1
                 for d in range(dims)]
        for size, low, stride in zip(output_size, least, self.stride):
            if not low <= size <= low + stride - 1:
                raise ValueError(f"{name}: output_size {output_size} is outside what is possible, {least} to "
                                 f"{[m + s - 1 for m, s in zip(least, self.stride)]}")
        return tuple(size - low for size, low in zip(output_size, least))

    def forward(self, input, output_size=None):
        return self._function(input, self.weight, self.bias, self.stride, self.padding, self._output_padding(input, output_size),
                              self.groups, self.dilation)


class ConvTranspose1d(_ConvTransposeNd):
    """The transpose of Conv1d."""

    _dims, _function = 1, staticmethod(_core.conv_transpose1d)


class ConvTranspose2d(_ConvTransposeNd):
    """The transpose of Conv2d."""

    _dims, _function = 2, staticmethod(_core.conv_transpose2d)


class ConvTranspose3d(_ConvTransposeNd):
    """The transpose of Conv3d."""

    _dims, _function = 3, staticmethod(_core.conv_transpose3d)


class _LazyConvXdMixin(LazyModuleMixin):
    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()

    def initialize_parameters(self, input, *args, **kwargs):
        if not self.has_uninitialized_params():
            return
        with _core_no_grad():
            if input.dim() not in (self._dims + 1, self._dims + 2):
                raise RuntimeError(f"{type(self).__name__}: the input has {input.dim()} dimensions, and not {self._dims + 1} or {self._dims + 2}")
            self.in_channels = input.shape[-self._dims - 1]
            if self.in_channels % self.groups != 0:
                raise ValueError(f"{type(self).__name__}: the {self.in_channels} channels of the input are not a multiple of groups {self.groups}")
            a, b = self.in_channels, self.out_channels
            first, second = (a, b // self.groups) if self.transposed else (b, a // self.groups)
            self.weight.materialize((first, second, *self.kernel_size))
            if self.bias is not None:
                self.bias.materialize((self.out_channels,))
            self.reset_parameters()

    def _begin(self, out_channels, bias, device, dtype):
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)


class _LazyConv(_LazyConvXdMixin):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True, padding_mode="zeros",
                 device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, dilation, groups, False, padding_mode)
        self._begin(out_channels, bias, device, dtype)


class _LazyConvTranspose(_LazyConvXdMixin):
    def __init__(self, out_channels, kernel_size, stride=1, padding=0, output_padding=0, groups=1, bias=True, dilation=1,
                 padding_mode="zeros", device=None, dtype=None):
        super().__init__(0, 0, kernel_size, stride, padding, output_padding, groups, False, dilation, padding_mode)
        self._begin(out_channels, bias, device, dtype)


for _mixin, _bases in ((_LazyConv, (Conv1d, Conv2d, Conv3d)), (_LazyConvTranspose, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d))):
    for _base in _bases:
        globals()["Lazy" + _base.__name__] = type("Lazy" + _base.__name__, (_mixin, _base), {
            "__doc__": f"{_base.__name__} that learns in_channels from its first input.", "cls_to_become": _base, "__module__": __name__})
