# What type checkers see of the package: everything of the core, and what __init__.py loads on first use.
from typing import Any

from tenon import accelerator as accelerator, amp as amp, array_api as array_api, autograd as autograd, backends as backends
from tenon import compiler as compiler, cuda as cuda, distributed as distributed, distributions as distributions, fft as fft
from tenon import func as func, library as library, linalg as linalg, mps as mps, multiprocessing as multiprocessing, nn as nn
from tenon import cpu as cpu, ops as ops, optim as optim, overrides as overrides, profiler as profiler, random as random
from tenon import signal as signal, special as special, storage as storage, testing as testing, types as types, utils as utils
from tenon import version as version, xpu as xpu
from tenon.amp import GradScaler as GradScaler, autocast as autocast
from tenon.compiler import compile as compile
from tenon.func import vmap as vmap
from tenon._grad import (
    enable_grad as enable_grad, inference_mode as inference_mode, is_grad_enabled as is_grad_enabled,
    is_inference as is_inference, is_inference_mode_enabled as is_inference_mode_enabled, no_grad as no_grad, set_grad_enabled as set_grad_enabled)
from tenon.autograd.anomaly_mode import (
    is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled, is_anomaly_enabled as is_anomaly_enabled)
from tenon._info import finfo as finfo, iinfo as iinfo
from tenon._aten import cdist as cdist, ctc_loss as ctc_loss
from tenon._products import einsum as einsum, einsum_path as einsum_path, tensordot as tensordot
from tenon._linalg_names import lobpcg as lobpcg, lu as lu, pca_lowrank as pca_lowrank, svd_lowrank as svd_lowrank
from tenon._special import (
    gradient as gradient, histogramdd as histogramdd, polygamma as polygamma, unravel_index as unravel_index)
from tenon._settings import (
    SymBool as SymBool, SymFloat as SymFloat, SymInt as SymInt, are_deterministic_algorithms_enabled as
    are_deterministic_algorithms_enabled, clear_autocast_cache as clear_autocast_cache, cond as cond, detach_ as detach_,
    empty_permuted as empty_permuted, from_file as from_file, get_autocast_cpu_dtype as get_autocast_cpu_dtype,
    get_autocast_dtype as get_autocast_dtype, get_autocast_gpu_dtype as get_autocast_gpu_dtype, get_deterministic_debug_mode
    as get_deterministic_debug_mode, get_device as get_device, get_float32_matmul_precision as get_float32_matmul_precision,
    get_num_interop_threads as get_num_interop_threads, is_autocast_cache_enabled as
    is_autocast_cache_enabled, is_autocast_cpu_enabled as is_autocast_cpu_enabled, is_autocast_enabled as
    is_autocast_enabled, is_conj as is_conj, is_deterministic_algorithms_warn_only_enabled as
    is_deterministic_algorithms_warn_only_enabled, is_distributed as is_distributed, is_inference as is_inference, is_neg as
    is_neg, is_signed as is_signed, is_warn_always_enabled as is_warn_always_enabled,
    norm_except_dim as norm_except_dim, resolve_conj as resolve_conj, resolve_neg as resolve_neg, set_autocast_cache_enabled
    as set_autocast_cache_enabled, set_autocast_cpu_dtype as set_autocast_cpu_dtype, set_autocast_cpu_enabled as
    set_autocast_cpu_enabled, set_autocast_dtype as set_autocast_dtype, set_autocast_enabled as set_autocast_enabled,
    set_autocast_gpu_dtype as set_autocast_gpu_dtype, set_default_tensor_type as set_default_tensor_type,
    set_deterministic_debug_mode as set_deterministic_debug_mode, set_float32_matmul_precision as
    set_float32_matmul_precision, set_flush_denormal as set_flush_denormal, set_num_interop_threads as
    set_num_interop_threads, set_warn_always as set_warn_always, spmm as spmm, sym_float as sym_float, sym_int as sym_int,
    sym_max as sym_max, sym_min as sym_min, sym_not as sym_not, sym_sum as sym_sum, typename as typename,
    unsafe_chunk as unsafe_chunk, unsafe_split as unsafe_split, unsafe_split_with_sizes as
    unsafe_split_with_sizes, use_deterministic_algorithms as use_deterministic_algorithms, while_loop as while_loop)
from tenon.serialization import load as load, save as save
from tenon._types import (
    BFloat16Tensor as BFloat16Tensor, BoolTensor as BoolTensor, ByteTensor as ByteTensor, CharTensor as CharTensor,
    DoubleTensor as DoubleTensor, FloatTensor as FloatTensor, HalfTensor as HalfTensor, IntTensor as IntTensor,
    LongTensor as LongTensor, ShortTensor as ShortTensor)
from tenon.storage import (
    BFloat16Storage as BFloat16Storage, BoolStorage as BoolStorage, ByteStorage as ByteStorage, CharStorage as CharStorage,
    ComplexDoubleStorage as ComplexDoubleStorage, ComplexFloatStorage as ComplexFloatStorage, DoubleStorage as DoubleStorage,
    FloatStorage as FloatStorage, HalfStorage as HalfStorage, IntStorage as IntStorage, LongStorage as LongStorage,
    ShortStorage as ShortStorage, TypedStorage as TypedStorage, is_storage as is_storage)
from tenon.array_api import (
    astype as astype, bitwise_invert as bitwise_invert, broadcast_arrays as broadcast_arrays, cumulative_prod as cumulative_prod,
    cumulative_sum as cumulative_sum, expand_dims as expand_dims, isdtype as isdtype, matrix_transpose as matrix_transpose,
    permute_dims as permute_dims, take_along_axis as take_along_axis, unique_all as unique_all, unique_counts as unique_counts,
    unique_inverse as unique_inverse, unique_values as unique_values, unstack as unstack, vecdot as vecdot)
from tenon._core import *  # type: ignore  # last: what the modules above have takes more forms than the table

__version__: str
default_generator: Generator
__array_api_version__: str

def __array_namespace_info__() -> Any: ...
