"""Versions: of PyTorch's interface, and of what is not there."""

from tenon.torch_version import TorchVersion

__version__ = TorchVersion("2.13.0+tenon")
cuda = hip = rocm = xpu = git_version = None
debug = False
