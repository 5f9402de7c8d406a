"""torch.nn.attention: which way attention is computed. There is one here, so the choice has no effect."""

import contextlib
import enum

__all__ = ["SDPBackend", "sdpa_kernel"]


class SDPBackend(enum.IntEnum):
    """The ways there are elsewhere."""

    ERROR, MATH, FLASH_ATTENTION, EFFICIENT_ATTENTION, CUDNN_ATTENTION, OVERRIDEABLE = range(-1, 5)


@contextlib.contextmanager
def sdpa_kernel(backends, set_priority=False):
    """A context without an effect."""
    yield {}
