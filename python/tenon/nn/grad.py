"""torch.nn.grad: the gradients of convolutions, as functions."""

from tenon import _core

__all__ = ["conv1d_input", "conv1d_weight", "conv2d_input", "conv2d_weight", "conv3d_input", "conv3d_weight"]


def _several(value, count):
    return [value] * count if isinstance(value, int) else list(value)


def _gradient(place, input, weight, grad_output, stride, padding, dilation, groups):
    count = grad_output.dim() - 2
    mask = [int(i == place) for i in range(3)]
    return _core.convolution_backward(grad_output, input, weight, [], _several(stride, count), _several(padding, count),
                                      _several(dilation, count), False, [0] * count, groups, mask)[place]


def _pair(name):
    def of_input(input_size, weight, grad_output, stride=1, padding=0, dilation=1, groups=1):
        input = grad_output.new_empty(1).expand(tuple(input_size))
        return _gradient(0, input, weight, grad_output, stride, padding, dilation, groups)

    def of_weight(input, weight_size, grad_output, stride=1, padding=0, dilation=1, groups=1):
        weight = grad_output.new_empty(1).expand(tuple(weight_size))
        return _gradient(1, input, weight, grad_output, stride, padding, dilation, groups)

    for function, what in ((of_input, "input"), (of_weight, "weight")):
        function.__name__ = function.__qualname__ = f"{name}_{what}"
        function.__doc__ = f"The gradient of {name} with respect to its {what}, of the given sizes."
    return of_input, of_weight


conv1d_input, conv1d_weight = _pair("conv1d")
conv2d_input, conv2d_weight = _pair("conv2d")
conv3d_input, conv3d_weight = _pair("conv3d")
