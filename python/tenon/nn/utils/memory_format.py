"""Weights of convolutions in another order of dimensions in memory."""

__all__ = ["convert_conv2d_weight_memory_format", "convert_conv3d_weight_memory_format"]


def _convert(module, memory_format, classes):
    if isinstance(module, classes):
        module.weight.data = module.weight.detach().clone().contiguous(memory_format=memory_format)
    for child in module.children():
        _convert(child, memory_format, classes)
    return module


def convert_conv2d_weight_memory_format(module, memory_format):
    """The weights of all Conv2d inside."""
    from tenon import nn
    return _convert(module, memory_format, (nn.Conv2d, nn.ConvTranspose2d))


def convert_conv3d_weight_memory_format(module, memory_format):
    """The weights of all Conv3d inside."""
    from tenon import nn
    return _convert(module, memory_format, (nn.Conv3d, nn.ConvTranspose3d))
