"""torch.cuda.amp: the older forms of tenon.amp, for a device that is not there."""

from tenon import _core, amp as _amp
from tenon.amp import is_autocast_available  # noqa: F401

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd"]


class autocast(_amp.autocast):
    """tenon.amp.autocast("cuda", ...), which does nothing here."""

    def __init__(self, enabled=True, dtype=_core.float16, cache_enabled=True):
        super().__init__("cuda", dtype, enabled, cache_enabled)


class GradScaler(_amp.GradScaler):
    """tenon.amp.GradScaler("cuda", ...), which scales nothing here."""

    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__("cuda", init_scale, growth_factor, backoff_factor, growth_interval, enabled)


def custom_fwd(fwd=None, *, cast_inputs=None):
    """tenon.amp.custom_fwd for CUDA."""
    return _amp.custom_fwd(fwd, device_type="cuda", cast_inputs=cast_inputs)


def custom_bwd(bwd):
    """tenon.amp.custom_bwd for CUDA."""
    return _amp.custom_bwd(bwd, device_type="cuda")
