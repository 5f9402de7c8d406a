"""Settings that PyTorch has and few programs need, and small functions about tensors. What a setting would choose between is the
same here: products are always in full precision, and every result is the same for any number of threads."""

import warnings

from tenon import _core

_state = {"deterministic": False, "warn_only": False, "precision": "highest", "interop": 1, "always": False}


def use_deterministic_algorithms(mode, *, warn_only=False):
    """Remembered, and nothing else: operators give the same results every time."""
    _state["deterministic"], _state["warn_only"] = bool(mode), bool(warn_only)


def are_deterministic_algorithms_enabled():
    """What use_deterministic_algorithms was told."""
    return _state["deterministic"]


def is_deterministic_algorithms_warn_only_enabled():
    """What use_deterministic_algorithms was told about warnings."""
    return _state["warn_only"]


def set_deterministic_debug_mode(debug_mode):
    """The same by a number or a name: 0 'default', 1 'warn', 2 'error'."""
    names = ("default", "warn", "error")
    if isinstance(debug_mode, str):
        if debug_mode not in names:
            raise RuntimeError(f"debug_mode is 'default', 'warn' or 'error', not {debug_mode!r}")
        debug_mode = names.index(debug_mode)
    if debug_mode not in (0, 1, 2):
        raise RuntimeError(f"debug_mode is 0, 1 or 2, not {debug_mode}")
    use_deterministic_algorithms(debug_mode > 0, warn_only=debug_mode == 1)


def get_deterministic_debug_mode():
    """0, 1 or 2."""
    return 0 if not _state["deterministic"] else 1 if _state["warn_only"] else 2


def set_float32_matmul_precision(precision):
    """Remembered, and nothing else: products of float32 are computed in float32."""
    if precision not in ("highest", "high", "medium"):
        warnings.warn(f"precision is 'highest', 'high' or 'medium', not {precision!r}, so nothing is set", stacklevel=2)
        return
    _state["precision"] = precision


def get_float32_matmul_precision():
    """What set_float32_matmul_precision was told."""
    return _state["precision"]


def set_num_interop_threads(threads):
    """Remembered, and nothing else: calls run one after the other."""
    if threads <= 0:
        raise RuntimeError(f"the number of threads is positive, not {threads}")
    _state["interop"] = int(threads)


def get_num_interop_threads():
    """What set_num_interop_threads was told."""
    return _state["interop"]


def set_flush_denormal(mode):
    """Small numbers are kept: True where that was asked for, and False, that is not possible, otherwise."""
    return not mode


def set_warn_always(b):
    """Remembered, and nothing else."""
    _state["always"] = bool(b)


def is_warn_always_enabled():
    """What set_warn_always was told."""
    return _state["always"]


def set_default_tensor_type(t):
    """The old form of set_default_dtype: torch.DoubleTensor, or its name."""
    if isinstance(t, str):
        from tenon import _types
        name = t.rpartition(".")[2]
        if ".cuda." in t or not hasattr(_types, name):
            raise TypeError(f"set_default_tensor_type: there is no type {t!r} here")
        t = getattr(_types, name)
    if not getattr(type(t), "_is_tensor_type", False):
        raise TypeError(f"set_default_tensor_type wants a type such as torch.DoubleTensor, not {t!r}")
    _core.set_default_dtype(t.dtype)


def typename(obj, /):
    """The name of a class, and that of a tensor's type."""
    if isinstance(obj, _core.Tensor):
        return obj.type()
    kind = obj if isinstance(obj, type) or hasattr(obj, "__qualname__") else type(obj)
    module = getattr(kind, "__module__", None) or ""
    return kind.__qualname__ if module in ("", "builtins", "__builtin__") else f"{module}.{kind.__qualname__}"


def _by_method(name, text):
    def call(input, /):
        return getattr(input, name)()
    call.__name__ = call.__qualname__ = name
    call.__doc__ = text
    return call


is_conj = _by_method("is_conj", "False: conj computes at once.")
is_neg = _by_method("is_neg", "False: negation computes at once.")
is_signed = _by_method("is_signed", "Whether the dtype has negative numbers.")
is_inference = _by_method("is_inference", "Whether it was made in inference mode.")
resolve_conj = _by_method("resolve_conj", "The tensor itself: conj computes at once.")
resolve_neg = _by_method("resolve_neg", "The tensor itself: negation computes at once.")
get_device = _by_method("get_device", "-1: the CPU.")
detach_ = _by_method("detach_", "Forgets how it was computed.")


def is_distributed(input, /):
    """False."""
    return False


def cond(pred, true_fn, false_fn, operands=()):
    """true_fn(*operands) or false_fn(*operands)."""
    return (true_fn if bool(pred) else false_fn)(*operands)


def while_loop(cond_fn, body_fn, carried_inputs):
    """carried_inputs = body_fn(*carried_inputs), as long as cond_fn(*carried_inputs) is true."""
    values = tuple(carried_inputs)
    while bool(cond_fn(*values)):
        made = body_fn(*values)
        values = tuple(made) if isinstance(made, (tuple, list)) else (made,)
    return values


class SymInt:
    """A size that is not known yet: there are none here."""


class SymFloat:
    """A number that is not known yet: there are none here."""


class SymBool:
    """A truth that is not known yet: there are none here."""


def sym_int(a):
    """int(a)."""
    return int(a)


def sym_float(a):
    """float(a)."""
    return float(a)


def sym_not(a):
    """not a."""
    return not a


def sym_max(a, b):
    """The larger of two numbers."""
    return max(a, b)


def sym_min(a, b):
    """The smaller of two numbers."""
    return min(a, b)


def sym_sum(args):
    """The sum of numbers."""
    return sum(args)


# ---- autocast, as far as programs ask for it


def is_autocast_enabled(device_type=None):
    """Whether autocast is on for a device; without one, for CUDA: False."""
    return device_type == "cpu" and _core._get_autocast() is not None


def is_autocast_cpu_enabled():
    """Whether autocast is on for the CPU."""
    return _core._get_autocast() is not None


def get_autocast_dtype(device_type):
    """The dtype of autocast for a device."""
    from tenon import amp
    return amp._dtype_of(device_type)


def get_autocast_cpu_dtype():
    """The dtype of autocast for the CPU."""
    return get_autocast_dtype("cpu")


def get_autocast_gpu_dtype():
    """float16."""
    return get_autocast_dtype("cuda")


def set_autocast_dtype(device_type, dtype):
    """The dtype that autocast takes for a device where none is given."""
    from tenon import amp
    amp._set_dtype(device_type, dtype)


def set_autocast_cpu_dtype(dtype):
    """The dtype that autocast takes for the CPU where none is given."""
    set_autocast_dtype("cpu", dtype)


def set_autocast_gpu_dtype(dtype):
    """Remembered."""
    set_autocast_dtype("cuda", dtype)


def set_autocast_enabled(device_type, enabled=None):
    """Turns autocast on or off for the CPU; other devices are not there."""
    if enabled is None:
        device_type, enabled = "cuda", device_type
    if device_type == "cpu":
        _core._set_autocast(get_autocast_dtype("cpu") if enabled else None)
    elif enabled:
        raise RuntimeError(f"set_autocast_enabled: there is no {device_type} device here")


def set_autocast_cpu_enabled(enabled):
    """Turns autocast on or off for the CPU."""
    set_autocast_enabled("cpu", enabled)


def is_autocast_cache_enabled():
    """Whether weights that autocast has cast are kept until it ends."""
    return _core._set_autocast_cache(None)


def set_autocast_cache_enabled(enabled):
    """Whether weights that autocast casts are kept until it ends."""
    _core._set_autocast_cache(bool(enabled))


def clear_autocast_cache():
    """Forgets weights that autocast has cast."""
    _core._clear_autocast_cache()


# ---- shapes


def empty_permuted(size, physical_layout, *, dtype=None, layout=None, device=None, requires_grad=False, pin_memory=False):
    """A tensor without values whose dimensions lie in memory in the order of physical_layout, the largest stride first."""
    if sorted(physical_layout) != list(range(len(size))):
        raise RuntimeError(f"physical_layout {tuple(physical_layout)} does not name every dimension of {tuple(size)} once")
    strides, step = [0] * len(size), 1
    for dim in reversed(physical_layout):
        strides[dim] = step
        step *= max(size[dim], 1)
    return _core.empty_strided(tuple(size), tuple(strides), dtype=dtype, device=device, requires_grad=requires_grad)


def spmm(input, mat2):
    """mm: there are no sparse tensors here."""
    return _core.mm(input, mat2)


def unsafe_split(tensor, split_size_or_sections, dim=0):
    """split."""
    return _core.split(tensor, split_size_or_sections, dim)


def unsafe_chunk(input, chunks, dim=0):
    """chunk."""
    return _core.chunk(input, chunks, dim)


def unsafe_split_with_sizes(input, split_sizes, dim=0):
    """split_with_sizes."""
    return _core.split(input, list(split_sizes), dim)


def norm_except_dim(v, pow=2, dim=0):
    """The norms of the slices along a dimension; of everything for -1."""
    if dim == -1:
        return _core.linalg_vector_norm(v, pow)
    dims = [d for d in range(v.dim()) if d != dim % v.dim()]
    return _core.linalg_vector_norm(v, pow, dims, True) if dims else v.abs()


def from_file(filename, shared=None, size=0, *, dtype=None, layout=None, device=None, pin_memory=False):
    """A tensor of `size` elements that looks into a file; with shared=True what is written goes there."""
    import mmap
    dtype = _core.get_default_dtype() if dtype is None else dtype
    wanted = size * dtype.itemsize
    if wanted == 0:
        return _core.empty(0, dtype=dtype)
    with open(filename, "r+b" if shared else "rb") as file:
        file.seek(0, 2)
        if file.tell() < wanted:
            if not shared:
                raise RuntimeError(f"{filename} has {file.tell()} bytes, and {size} elements of {dtype} take {wanted}")
            file.truncate(wanted)
        memory = mmap.mmap(file.fileno(), wanted, access=mmap.ACCESS_WRITE if shared else mmap.ACCESS_COPY)
    return _core.frombuffer(memory, dtype=dtype, count=size)


def sym_ite(b, t, f):
    """t if b, otherwise f."""
    return t if b else f


def sym_sqrt(x):
    """The square root of a number."""
    import math
    return math.sqrt(x)


def get_device_module(device=None):
    """torch.cpu: the module of the device."""
    from tenon import cpu
    if device is not None and _core.device(device).type not in ("cpu", "meta"):
        raise RuntimeError(f"get_device_module: there is no device {device} here")
    return cpu
