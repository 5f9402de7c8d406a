"""torch.overrides: there are no overrides of functions here (subclasses of Tensor inherit its operators), and questions say so."""

from tenon import _core

__all__ = ["handle_torch_function", "has_torch_function", "is_tensor_like", "is_tensor_method_or_property"]


def has_torch_function(relevant_args):
    """False."""
    return False


has_torch_function_unary = has_torch_function


def has_torch_function_variadic(*args):
    """False."""
    return False


def handle_torch_function(public_api, relevant_args, *args, **kwargs):
    """An error: nothing has __torch_function__ here."""
    raise TypeError(f"no implementation of {getattr(public_api, '__name__', public_api)} by __torch_function__: there are no overrides here")


def is_tensor_like(inp):
    """Whether it is a tensor."""
    return isinstance(inp, _core.Tensor)


def is_tensor_method_or_property(func):
    """Whether it belongs to Tensor."""
    name = getattr(func, "__name__", None)
    return name == "__get__" or (name is not None and getattr(_core.Tensor, name, None) is func)
