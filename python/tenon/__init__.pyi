# What type checkers see of the package: everything of the core, and what __init__.py loads on first use.
from typing import Any

from tenon import accelerator as accelerator, amp as amp, array_api as array_api, autograd as autograd, backends as backends
from tenon import compiler as compiler, cuda as cuda, distributed as distributed, distributions as distributions, fft as fft
from tenon import func as func, library as library, linalg as linalg, mps as mps, multiprocessing as multiprocessing, nn as nn
from tenon import ops as ops, optim as optim, random as random, special as special, storage as storage, utils as utils
from tenon import version as version, xpu as xpu
from tenon.amp import GradScaler as GradScaler, autocast as autocast
from tenon.compiler import compile as compile
from tenon.func import vmap as vmap
from tenon._core import *
from tenon._grad import (
    enable_grad as enable_grad, inference_mode as inference_mode, is_grad_enabled as is_grad_enabled,
    is_inference_mode_enabled as is_inference_mode_enabled, no_grad as no_grad, set_grad_enabled as set_grad_enabled)
from tenon.autograd.anomaly_mode import (
    is_anomaly_check_nan_enabled as is_anomaly_check_nan_enabled, is_anomaly_enabled as is_anomaly_enabled)
from tenon._info import finfo as finfo, iinfo as iinfo
from tenon._products import einsum_path as einsum_path
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

__version__: str
default_generator: Generator
__array_api_version__: str

def __array_namespace_info__() -> Any: ...
