"""Optimisers with torch.optim's names and state, made of the C library's; lr_scheduler and swa_utils beside them."""

_NATIVE = ("ASGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "LBFGS", "Muon", "NAdam", "RAdam", "RMSprop", "Rprop", "SGD",
           "SparseAdam")
_MODULES = ("lr_scheduler", "optimizer", "swa_utils")


def __getattr__(name):
    import importlib
    if name in _MODULES:
        return importlib.import_module(f"tenon.optim.{name}")
    if name in _NATIVE or name == "Optimizer":
        home = "_kinds" if name in _NATIVE else "optimizer"
        value = getattr(importlib.import_module(f"tenon.optim.{home}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'tenon.optim' has no attribute {name!r}")


def __dir__():
    return sorted([*_NATIVE, *_MODULES, "Optimizer"])


__all__ = [*_NATIVE, "Optimizer"]
