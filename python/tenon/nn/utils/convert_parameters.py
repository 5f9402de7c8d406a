"""All parameters as one vector and back."""

from tenon import _core

__all__ = ["parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters):
    """The elements of all parameters one after the other."""
    return _core.cat([param.view(-1) for param in parameters])


def vector_to_parameters(vec, parameters):
    """The parameters look at parts of a vector from now on."""
    if not isinstance(vec, _core.Tensor):
        raise TypeError(f"vector_to_parameters takes a tensor, not {type(vec).__name__}")
    start = 0
    for param in parameters:
        count = param.numel()
        param.data = vec[start:start + count].view_as(param).data
        start += count
