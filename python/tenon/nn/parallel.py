"""torch.nn.parallel: on one CPU a network that is spread over devices is the network itself."""

from tenon.nn.modules.module import Module

__all__ = ["DataParallel", "DistributedDataParallel", "data_parallel"]


class DataParallel(Module):
    """The module it is given: there are no devices to spread it over."""

    def __init__(self, module, device_ids=None, output_device=None, dim=0):
        super().__init__()
        self.module, self.dim, self.device_ids, self.output_device = module, dim, [], output_device

    def forward(self, *inputs, **kwargs):
        return self.module(*inputs, **kwargs)


def data_parallel(module, inputs, device_ids=None, output_device=None, dim=0, module_kwargs=None):
    """The call of a module."""
    return module(*(inputs if isinstance(inputs, tuple) else (inputs,)), **(module_kwargs or {}))


class DistributedDataParallel(Module):
    """Training in several processes, which is not there."""

    def __init__(self, module, *args, **kwargs):
        raise RuntimeError("DistributedDataParallel: there are no process groups here (torch.distributed.is_available() is False)")


def _spreads(name):
    def call(*args, **kwargs):
        raise RuntimeError(f"nn.parallel.{name} spreads work over devices, and there is only the CPU here")
    call.__name__ = call.__qualname__ = name
    return call


gather, parallel_apply, replicate, scatter, scatter_kwargs = map(_spreads, ("gather", "parallel_apply", "replicate", "scatter", "scatter_kwargs"))


def __getattr__(name):
    if name == "distributed":
        import sys
        return sys.modules[__name__]
    raise AttributeError(f"module 'tenon.nn.parallel' has no attribute {name!r}")
