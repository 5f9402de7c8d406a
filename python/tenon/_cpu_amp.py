"""torch.cpu.amp: the older forms of tenon.amp, for the CPU."""

from tenon import _core, amp as _amp

__all__ = ["GradScaler", "autocast"]


class autocast(_amp.autocast):
    """tenon.amp.autocast("cpu", ...)."""

    def __init__(self, enabled=True, dtype=_core.bfloat16, cache_enabled=True):
        super().__init__("cpu", dtype, enabled, cache_enabled)


class GradScaler(_amp.GradScaler):
    """tenon.amp.GradScaler("cpu", ...)."""

    def __init__(self, init_scale=65536.0, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        super().__init__("cpu", init_scale, growth_factor, backoff_factor, growth_interval, enabled)
