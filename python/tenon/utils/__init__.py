"""torch.utils, as far as it is about tensors: utils.dlpack."""


def __getattr__(name):
    if name == "dlpack":
        import importlib
        return importlib.import_module("tenon.utils.dlpack")
    raise AttributeError(f"module 'tenon.utils' has no attribute {name!r}")


def __dir__():
    return ["dlpack"]
