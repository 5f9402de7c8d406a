"""torch.backends: what libraries there are, and settings of theirs that can be set and have no effect."""

import types

__all__ = ["cpu", "cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp", "opt_einsum"]


class _Settings(types.ModuleType):
    """Settings without an effect, and questions with an answer."""

    def __init__(self, name, **values):
        super().__init__(f"tenon.backends.{name}", "Settings that have no effect here.")
        self.__dict__.update(values)


class _Flags:
    """A context that sets nothing."""

    def __init__(self, *args, **kwargs):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *ignored):
        pass


def _no():
    return False


def _none():
    return None


def _sdp(name):
    return {f"enable_{name}_sdp": lambda enabled: None, f"{name}_sdp_enabled": _no}


cuda = _Settings("cuda", is_built=_no, matmul=types.SimpleNamespace(allow_tf32=False, allow_fp16_reduced_precision_reduction=True,
                                                                    allow_bf16_reduced_precision_reduction=True, fp32_precision="none"),
                 is_flash_attention_available=_no, can_use_flash_attention=lambda params, debug=False: False,
                 can_use_efficient_attention=lambda params, debug=False: False, can_use_cudnn_attention=lambda params, debug=False: False,
                 preferred_linalg_library=lambda backend=None: None, preferred_blas_library=lambda backend=None: None, sdp_kernel=_Flags, **_sdp("flash"), **_sdp("mem_efficient"), **_sdp("math"), **_sdp("cudnn"))
cudnn = _Settings("cudnn", enabled=True, benchmark=False, deterministic=False, allow_tf32=True, benchmark_limit=10, is_available=_no, version=_none,
                  flags=_Flags, conv=types.SimpleNamespace(fp32_precision="none"), rnn=types.SimpleNamespace(fp32_precision="none"))
mps = _Settings("mps", is_available=_no, is_built=_no, is_macos_or_newer=lambda *version: False)
mkl = _Settings("mkl", is_available=_no)
mkldnn = _Settings("mkldnn", is_available=_no, enabled=False, flags=_Flags)
openmp = _Settings("openmp", is_available=_no)
opt_einsum = _Settings("opt_einsum", is_available=_no, enabled=False, strategy=None)


def _capability():
    from tenon import _core
    return _core.cpu_capability() if hasattr(_core, "cpu_capability") else "DEFAULT"


cpu = _Settings("cpu", get_cpu_capability=_capability)
_FILES_OF_TORCH = tuple(__all__)
import sys  # noqa: E402

for _name in __all__:
    sys.modules[f"{__name__}.{_name}"] = globals()[_name]
