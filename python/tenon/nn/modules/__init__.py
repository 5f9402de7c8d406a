"""The modules of torch.nn.modules, each in its file; all names are found here too."""

_FILES = ("activation", "adaptive", "batchnorm", "channelshuffle", "container", "conv", "distance", "dropout", "flatten", "fold", "instancenorm",
          "lazy", "linear", "loss", "module", "normalization", "padding", "pixelshuffle", "pooling", "rnn", "sparse", "transformer",
          "upsampling", "utils")


def __getattr__(name):
    import importlib
    if name in _FILES:
        return importlib.import_module(f"tenon.nn.modules.{name}")
    from tenon import nn
    if nn._PLACES.get(name, "").startswith("modules."):
        return getattr(nn, name)
    raise AttributeError(f"module 'tenon.nn.modules' has no attribute {name!r}")


def __dir__():
    from tenon import nn
    return sorted([*_FILES, *[name for name, home in nn._PLACES.items() if home.startswith("modules.")]])
