"""Mixed precision: autocast, which lets some operators compute in half precision, and GradScaler, which keeps small gradients."""

import functools
import warnings
from collections import abc, defaultdict

from tenon import _core

__all__ = ["GradScaler", "autocast", "custom_bwd", "custom_fwd", "is_autocast_available"]


_DTYPES = {"cpu": _core.bfloat16, "cuda": _core.float16, "mps": _core.float16, "xpu": _core.bfloat16}


def _dtype_of(device_type):
    """The dtype of autocast for a device: the one it is in, or the one it would take."""
    if device_type not in _DTYPES:
        raise RuntimeError(f"autocast: there is no device {device_type!r}")
    return (_core._get_autocast() if device_type == "cpu" else None) or _DTYPES[device_type]


def _set_dtype(device_type, dtype):
    if device_type not in _DTYPES:
        raise RuntimeError(f"autocast: there is no device {device_type!r}")
    _DTYPES[device_type] = dtype


def is_autocast_available(device_type):
    """Whether autocast does something for a device: only for the CPU."""
    return device_type == "cpu"


class autocast:
    """Inside, products and convolutions of float32 tensors compute in dtype (bfloat16, or float16), what needs precision in float32,
    and where operands differ the wider dtype is taken. A context and a decorator."""

    def __init__(self, device_type="cuda", dtype=None, enabled=True, cache_enabled=None):
        if not isinstance(device_type, str):
            raise ValueError(f"autocast: device_type is a text such as 'cpu', not {device_type!r}")
        if device_type not in _DTYPES:
            raise RuntimeError(f"autocast: there is no device {device_type!r}")
        self.device, self.fast_dtype = device_type, dtype
        if device_type != "cpu":
            if enabled:
                warnings.warn(f"autocast: there is no {device_type} device here, so it does nothing", stacklevel=2)
            enabled = False
        if dtype is None:
            self.fast_dtype = _DTYPES[device_type]
        if enabled and self.fast_dtype not in (_core.bfloat16, _core.float16, _core.float32):
            warnings.warn(f"autocast: on the CPU dtype is bfloat16 or float16, not {self.fast_dtype}, so it does nothing", stacklevel=2)
            enabled = False
        self._enabled = enabled
        self._cache_enabled = _core._set_autocast_cache(None) if cache_enabled is None else cache_enabled
        self._before = []

    def __enter__(self):
        if self.device == "cpu":
            self._before.append((_core._get_autocast(), _core._set_autocast_cache(None)))  # first: there may be no memory for it
            _core._set_autocast(self.fast_dtype if self._enabled else None)
            _core._set_autocast_cache(self._cache_enabled)
        return self

    def __exit__(self, *ignored):
        if self.device == "cpu":
            dtype, kept = self._before.pop()
            _core._set_autocast(dtype)
            _core._set_autocast_cache(kept)
        return False

    def __call__(self, function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            with autocast(self.device, self.fast_dtype, self._enabled, self._cache_enabled) if self.device == "cpu" else self:
                return function(*args, **kwargs)
        return call


def custom_fwd(fwd=None, *, device_type, cast_inputs=None):
    """For forward of an autograd.Function: outside of autocast, with inputs in a dtype, where cast_inputs is given."""
    if fwd is None:
        return functools.partial(custom_fwd, device_type=device_type, cast_inputs=cast_inputs)

    def cast(value):
        if isinstance(value, _core.Tensor):
            return value.to(cast_inputs) if value.is_floating_point() and value.dtype != _core.float64 else value
        if isinstance(value, str):
            return value
        if isinstance(value, abc.Mapping):
            return {cast(key): cast(one) for key, one in value.items()}
        if isinstance(value, abc.Iterable):
            made = map(cast, value)
            return type(value)(made) if isinstance(value, (list, tuple)) else made
        return value

    @functools.wraps(fwd)
    def call(*args, **kwargs):
        now = _core._get_autocast()
        args[0]._dtype = now
        if cast_inputs is None:
            args[0]._fwd_used_autocast = now is not None
            return fwd(*args, **kwargs)
        args[0]._fwd_used_autocast = False
        if now is None:
            return fwd(*args, **kwargs)
        with autocast(device_type, enabled=False):
            return fwd(*(cast(arg) for arg in args), **{key: cast(value) for key, value in kwargs.items()})
    return call


def custom_bwd(bwd=None, *, device_type):
    """For backward of an autograd.Function: with the autocast that forward had."""
    if bwd is None:
        return functools.partial(custom_bwd, device_type=device_type)

    @functools.wraps(bwd)
    def call(*args, **kwargs):
        with autocast(device_type, dtype=args[0]._dtype, enabled=args[0]._fwd_used_autocast):
            return bwd(*args, **kwargs)
    return call


_READY, _UNSCALED, _STEPPED = range(3)


class GradScaler:
    """Losses times a number, so that gradients in float16 do not vanish; steps whose gradients are not finite are left out, and
    then the number becomes less."""

    def __init__(self, device="cuda", init_scale=2.0 ** 16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000, enabled=True):
        self._device = device
        if enabled and device == "cuda":
            warnings.warn("GradScaler: there is no CUDA device here, so it does nothing; say device='cpu'", stacklevel=2)
            enabled = False
        self._enabled = enabled
        if enabled:
            if growth_factor <= 1.0:
                raise AssertionError(f"GradScaler: growth_factor is more than 1, not {growth_factor}")
            if backoff_factor >= 1.0:
                raise AssertionError(f"GradScaler: backoff_factor is less than 1, not {backoff_factor}")
            self._init_scale, self._scale = init_scale, None
            self._growth_factor, self._backoff_factor, self._growth_interval = growth_factor, backoff_factor, growth_interval
            self._init_growth_tracker, self._growth_tracker = 0, None
            self._per_optimizer_states = defaultdict(self._fresh)

    @staticmethod
    def _fresh():
        return {"stage": _READY, "found_inf": None}

    def _begin(self):
        if self._scale is None:
            self._scale = _core.full((), self._init_scale, dtype=_core.float32)
            self._growth_tracker = self._init_growth_tracker

    def scale(self, outputs):
        """Losses times the scale."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, _core.Tensor):
            self._begin()
            return outputs * self._scale
        if isinstance(outputs, abc.Iterable):
            made = map(self.scale, outputs)
            return type(outputs)(made) if isinstance(outputs, (list, tuple)) else made
        raise ValueError("GradScaler.scale takes tensors and lists of them")

    def unscale_(self, optimizer):
        """Divides the gradients of an optimiser by the scale."""
        if not self._enabled:
            return
        if self._scale is None:
            raise AssertionError("GradScaler.unscale_: nothing has been scaled yet")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] == _UNSCALED:
            raise RuntimeError("GradScaler.unscale_ was called for this optimiser already, since the last update()")
        if state["stage"] == _STEPPED:
            raise RuntimeError("GradScaler.unscale_ is called before step()")
        factor, found = self._scale.double().reciprocal().float(), False
        before = _core._set_grad_mode(0)
        try:
            for group in optimizer.param_groups:
                for param in group["params"]:
                    grad = param.grad
                    if grad is None:
                        continue
                    if grad.dtype == _core.float16:
                        raise ValueError("GradScaler.unscale_: gradients are float16; keep parameters in float32")
                    found = found or not bool(grad.isfinite().all())
                    grad.mul_(factor)
        finally:
            _core._set_grad_mode(before)
        state["found_inf"], state["stage"] = found, _UNSCALED

    def step(self, optimizer, *args, **kwargs):
        """optimizer.step(), unless gradients are not finite."""
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs:
            raise RuntimeError("GradScaler.step takes no closure")
        if self._scale is None:
            raise AssertionError("GradScaler.step: nothing has been scaled yet")
        state = self._per_optimizer_states[id(optimizer)]
        if state["stage"] == _STEPPED:
            raise RuntimeError("GradScaler.step was called for this optimiser already, since the last update()")
        if state["stage"] == _READY:
            self.unscale_(optimizer)
        result = None if state["found_inf"] else optimizer.step(*args, **kwargs)
        state["stage"] = _STEPPED
        return result

    def update(self, new_scale=None):
        """The scale of the next iteration."""
        if not self._enabled:
            return
        if self._scale is None:
            raise AssertionError("GradScaler.update: nothing has been scaled yet")
        if new_scale is not None:
            self._scale.fill_(float(new_scale))
        else:
            found = [state["found_inf"] for state in self._per_optimizer_states.values() if state["found_inf"] is not None]
            if not found:
                raise AssertionError("GradScaler.update: no gradients have been looked at since the last update()")
            if any(found):
                self._scale.mul_(self._backoff_factor)
                self._growth_tracker = 0
            else:
                self._growth_tracker += 1
                if self._growth_tracker == self._growth_interval:
                    grown = self._scale * self._growth_factor
                    if bool(grown.isfinite()):
                        self._scale.copy_(grown)
                    self._growth_tracker = 0
        self._per_optimizer_states = defaultdict(self._fresh)

    def get_scale(self):
        """The scale, a number."""
        if not self._enabled:
            return 1.0
        return self._init_scale if self._scale is None else float(self._scale)

    def get_growth_factor(self):
        return self._growth_factor

    def set_growth_factor(self, new_factor):
        self._growth_factor = new_factor

    def get_backoff_factor(self):
        return self._backoff_factor

    def set_backoff_factor(self, new_factor):
        self._backoff_factor = new_factor

    def get_growth_interval(self):
        return self._growth_interval

    def set_growth_interval(self, new_interval):
        self._growth_interval = new_interval

    def is_enabled(self):
        """Whether it does something."""
        return self._enabled

    def state_dict(self):
        """What load_state_dict takes."""
        if not self._enabled:
            return {}
        return {"scale": self.get_scale(), "growth_factor": self._growth_factor, "backoff_factor": self._backoff_factor,
                "growth_interval": self._growth_interval,
                "_growth_tracker": self._init_growth_tracker if self._growth_tracker is None else self._growth_tracker}

    def load_state_dict(self, state_dict):
        """Takes over what state_dict gave."""
        if not self._enabled:
            return
        if not state_dict:
            raise RuntimeError("GradScaler.load_state_dict: the state is empty, perhaps from a scaler that was not enabled")
        self._init_scale = state_dict["scale"]
        if self._scale is not None:
            self._scale.fill_(state_dict["scale"])
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval = state_dict["growth_interval"]
        self._init_growth_tracker = state_dict["_growth_tracker"]
        if self._growth_tracker is not None:
            self._growth_tracker = state_dict["_growth_tracker"]


_FILES_OF_TORCH = ("autocast_mode", "grad_scaler")
