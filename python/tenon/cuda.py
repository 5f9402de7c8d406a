"""What programs ask before they choose a device: there is only the CPU here.

Questions are answered truthfully; what would do something on a device is an error, except where nothing is what it would do.
"""

__all__ = ["device_count", "empty_cache", "is_available", "is_bf16_supported", "is_initialized", "manual_seed", "manual_seed_all"]


def is_available():
    """False."""
    return False


def is_initialized():
    """False."""
    return False


def device_count():
    """0."""
    return 0


def is_bf16_supported(including_emulation=True):
    """False."""
    return False


def manual_seed(seed):
    """Nothing: the CPU's generator is seeded by tenon.manual_seed."""


def manual_seed_all(seed):
    """Nothing: the CPU's generator is seeded by tenon.manual_seed."""


def empty_cache():
    """Nothing: the CPU's cache is emptied by tenon.empty_cache."""


def _zero(device=None):
    """0: nothing is allocated on a device."""
    return 0


memory_allocated = max_memory_allocated = memory_reserved = max_memory_reserved = _zero


def _cannot(name):
    def call(*args, **kwargs):
        raise RuntimeError(f"cuda.{name}: there is no CUDA device here (cuda.is_available() is False)")
    call.__name__ = call.__qualname__ = name
    return call


def seed():
    """Nothing: the CPU's generator is seeded by tenon.seed."""


seed_all = seed
default_generators = ()
has_half = has_magma = False


def is_tf32_supported():
    """False."""
    return False


is_current_stream_capturing = is_tf32_supported


def get_arch_list():
    """[]."""
    return []


def get_rng_state_all():
    """[]: there are no generators of devices."""
    return []


def set_rng_state_all(new_states):
    """Nothing for no states; an error for those of a device."""
    if len(list(new_states)):
        _cannot("set_rng_state_all")()


def memory_stats(device=None):
    """{}: nothing is allocated on a device."""
    return {}


class nvtx:
    """Marks for a profiler of CUDA, of which there is none."""

    @staticmethod
    def range_push(msg):
        _cannot("nvtx.range_push")()

    @staticmethod
    def range_pop():
        _cannot("nvtx.range_pop")()

    @staticmethod
    def mark(msg):
        _cannot("nvtx.mark")()


class OutOfMemoryError(RuntimeError):
    """A CUDA device has no memory left, which never happens here."""


_CALLS = """caching_allocator_alloc caching_allocator_delete caching_allocator_disabled caching_allocator_enable
    can_device_access_peer change_current_allocator check_error clock_rate cudaStatus cudart current_blas_handle
    current_device current_solver_handle current_stream default_stream device device_memory_used device_of
    get_allocator_backend get_device_capability get_device_name get_device_properties get_gencode_flags
    get_per_process_memory_fraction get_rng_state memory_summary graph get_stream_from_external get_sync_debug_mode
    graph_pool_handle host_memory_stats host_memory_stats_as_nested_dict init initial_seed ipc_collect
    list_gpu_processes make_graphed_callables max_memory_cached mem_get_info memory_cached memory_snapshot
    memory_stats_as_nested_dict memory_usage power_draw reset_accumulated_host_memory_stats
    reset_accumulated_memory_stats reset_max_memory_allocated reset_max_memory_cached reset_peak_host_memory_stats
    reset_peak_memory_stats set_device set_per_process_memory_fraction set_rng_state set_stream
    set_sync_debug_mode stream synchronize temperature use_mem_pool utilization""".split()
_CLASSES = """BFloat16Tensor BoolTensor ByteTensor CUDAGraph CharTensor DoubleTensor Event ExternalStream FloatTensor HalfTensor IntTensor LongTensor
    ShortTensor Stream StreamContext CUDAPluggableAllocator MemPool""".split()


def __getattr__(name):
    if name == "amp":
        import importlib
        return importlib.import_module("tenon._cuda_amp")
    if name in _CALLS:
        return _cannot(name)
    if name in _CLASSES:  # to be named in annotations and isinstance; none can be made
        made = type(name, (), {"__init__": _cannot(name), "__module__": __name__})
        globals()[name] = made
        return made
    raise AttributeError(f"module 'tenon.cuda' has no attribute {name!r}")
