"""Versions: of PyTorch's interface, and of what is not there."""

__version__ = "2.13.0"
cuda = hip = xpu = git_version = None
debug = False
