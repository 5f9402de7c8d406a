"""Names of the package that are loaded on first use, and where they are."""

import importlib
import sys

_MODULES = [
    "accelerator", "amp", "array_api", "autograd", "backends", "compiler", "cpu", "cuda", "distributed", "distributions", "fft", "files", "func", "library",
    "linalg", "mps", "multiprocessing", "nn", "ops", "optim", "overrides", "profiler", "random", "safetensors", "serialization", "signal",
    "special", "storage", "testing", "types", "utils", "version", "xpu",
]

# The names of "array_api" are those that PyTorch does not use.
_HOMES = {
    "amp": ["GradScaler", "autocast"],
    "compiler": ["compile"],
    "_aten": ["_local_scalar_dense", "cdist", "ctc_loss", "sym_is_contiguous", "sym_numel", "sym_size", "sym_storage_offset", "sym_stride"],
    "_grad": ["enable_grad", "inference_mode", "is_grad_enabled", "is_inference", "is_inference_mode_enabled", "no_grad", "set_grad_enabled"],
    "func": ["vmap"],
    "autograd.anomaly_mode": ["is_anomaly_check_nan_enabled", "is_anomaly_enabled"],
    "_info": ["finfo", "iinfo"],
    "serialization": ["load", "save"],
    "_special": ["gradient", "histogramdd", "polygamma", "unravel_index"],
    "_products": ["einsum", "einsum_path", "tensordot"],
    "_settings": [
        "SymBool", "SymFloat", "SymInt", "are_deterministic_algorithms_enabled", "clear_autocast_cache", "cond",
        "detach_", "empty_permuted", "from_file", "get_autocast_cpu_dtype", "get_autocast_dtype",
        "get_autocast_gpu_dtype", "get_deterministic_debug_mode", "get_device", "get_float32_matmul_precision",
        "get_device_module", "get_num_interop_threads", "is_autocast_cache_enabled", "is_autocast_cpu_enabled",
        "is_autocast_enabled", "is_conj", "is_deterministic_algorithms_warn_only_enabled", "is_distributed",
        "is_inference", "is_neg", "is_signed", "is_warn_always_enabled", "norm_except_dim",
        "resolve_conj", "resolve_neg", "set_autocast_cache_enabled", "set_autocast_cpu_dtype",
        "set_autocast_cpu_enabled", "set_autocast_dtype", "set_autocast_enabled", "set_autocast_gpu_dtype",
        "set_default_tensor_type", "set_deterministic_debug_mode", "set_float32_matmul_precision",
        "set_flush_denormal", "set_num_interop_threads", "set_warn_always", "spmm", "sym_float", "sym_int", "sym_ite", "sym_sqrt", "sym_max",
        "sym_min", "sym_not", "sym_sum", "typename", "unsafe_chunk", "unsafe_split",
        "unsafe_split_with_sizes", "use_deterministic_algorithms", "while_loop",
    ],
    "_linalg_names": ["frobenius_norm", "lobpcg", "lu", "nuclear_norm", "pca_lowrank", "svd_lowrank"],
    "_types": [
        "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor", "HalfTensor", "IntTensor",
        "LongTensor", "ShortTensor",
    ],
    "storage": [
        "BFloat16Storage", "BoolStorage", "ByteStorage", "CharStorage", "ComplexDoubleStorage", "ComplexFloatStorage",
        "DoubleStorage", "FloatStorage", "HalfStorage", "IntStorage", "LongStorage", "ShortStorage", "TypedStorage", "is_storage",
    ],
    "array_api": [
        "__array_api_version__",
        "__array_namespace_info__",
        "astype",
        "bitwise_invert",
        "broadcast_arrays",
        "cumulative_prod",
        "cumulative_sum",
        "expand_dims",
        "isdtype",
        "matrix_transpose",
        "permute_dims",
        "take_along_axis",
        "unique_all",
        "unique_counts",
        "unique_inverse",
        "unique_values",
        "unstack",
        "vecdot",
    ],
}


def names():
    return [name for home in _HOMES.values() for name in home] + _MODULES + ["default_generator"]


def find(name):
    if name == "default_generator":  # which may be exchanged
        return sys.modules["tenon"].get_default_generator()
    if name in _MODULES:
        return importlib.import_module(f"tenon.{name}")
    for home, held in _HOMES.items():
        if name in held:
            value = getattr(importlib.import_module(f"tenon.{home}"), name)
            setattr(sys.modules["tenon"], name, value)
            return value
    raise AttributeError(f"module 'tenon' has no attribute {name!r}")


def table(module, prefix, others=()):
    """__getattr__ and __dir__ of a module whose functions are operators of the table: linalg.cross is linalg_cross there."""
    from tenon import _core

    def find_operator(name):
        for known in ((prefix + name,) if prefix else ()) + ((name,) if name in others else ()):
            if not name.startswith("_") and hasattr(_core, known):
                return getattr(_core, known)
        raise AttributeError(f"module {module!r} has no attribute {name!r}: the operator table does not have it yet")

    def list_operators():
        return sorted(
            [name.removeprefix(prefix) for name in dir(_core) if prefix and name.startswith(prefix)]
            + [name for name in others if hasattr(_core, name)]
        )

    return find_operator, list_operators
