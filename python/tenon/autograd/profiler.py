"""torch.autograd.profiler: the names of tenon.profiler."""

from tenon.profiler import profile, record_function

__all__ = ["profile", "record_function"]
