"""Modules without first values."""

__all__ = ["skip_init"]


def skip_init(module_cls, *args, **kwargs):
    """A module whose parameters have no values yet; no random numbers are drawn."""
    import inspect

    from tenon.nn.modules.module import Module
    if not issubclass(module_cls, Module):
        raise RuntimeError(f"{module_cls} is not a Module")
    if "device" not in inspect.signature(module_cls).parameters:
        raise RuntimeError(f"{module_cls.__name__} takes no device")
    final = kwargs.pop("device", "cpu")
    kwargs["device"] = "meta"
    return module_cls(*args, **kwargs).to_empty(device=final)
