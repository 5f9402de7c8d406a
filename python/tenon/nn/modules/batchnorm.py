"""Batch normalisation."""

from tenon import _core
from tenon.nn import functional as F
from tenon.nn import init
from tenon.nn.modules.lazy import LazyModuleMixin
from tenon.nn.modules.module import Module
from tenon.nn.parameter import Parameter, UninitializedBuffer, UninitializedParameter

__all__ = ["BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "SyncBatchNorm"]


class _NormBase(Module):
    _version = 2
    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        where = {"device": device, "dtype": dtype}
        if affine:
            self.weight = Parameter(_core.empty(num_features, **where))
            if bias:
                self.bias = Parameter(_core.empty(num_features, **where))
            else:
                self.register_parameter("bias", None)
        else:
            self.register_parameter("weight", None)
            self.register_parameter("bias", None)
        if track_running_stats:
            self.register_buffer("running_mean", _core.zeros(num_features, **where))
            self.register_buffer("running_var", _core.ones(num_features, **where))
            self.register_buffer("num_batches_tracked", _core.tensor(0, dtype=_core.int64, device=device))
        else:
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                self.register_buffer(name, None)
        self.reset_parameters()

    def reset_running_stats(self):
        """Forgets what was seen while training."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self):
        """Weight 1, bias 0."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input):
        raise NotImplementedError

    def extra_repr(self):
        return f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, bias={self.bias is not None}, " \
               f"track_running_stats={self.track_running_stats}"

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        version = local_metadata.get("version", None)
        key = prefix + "num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            state_dict[key] = self.num_batches_tracked if self.num_batches_tracked is not None else _core.tensor(0)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)


class _BatchNorm(_NormBase):
    def forward(self, input):
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / float(self.num_batches_tracked)
        own = self.training or (self.running_mean is None and self.running_var is None)
        kept = not self.training or self.track_running_stats
        return F.batch_norm(input, self.running_mean if kept else None, self.running_var if kept else None, self.weight, self.bias, own,
                            factor, self.eps)


def _checks(*allowed):
    def _check_input_dim(self, input):
        if input.dim() not in allowed:
            raise ValueError(f"{type(self).__name__}: the input has {input.dim()} dimensions, and not {' or '.join(map(str, allowed))}")
    return _check_input_dim


class BatchNorm1d(_BatchNorm):
    """Each channel of (batch, channels) or (batch, channels, length) to mean 0 and variance 1."""

    _check_input_dim = _checks(2, 3)


class BatchNorm2d(_BatchNorm):
    """Each channel of images to mean 0 and variance 1."""

    _check_input_dim = _checks(4)


class BatchNorm3d(_BatchNorm):
    """Each channel of volumes to mean 0 and variance 1."""

    _check_input_dim = _checks(5)


class SyncBatchNorm(_BatchNorm):
    """BatchNorm over several processes, of which there is one here."""

    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, process_group=None, device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input):
        if input.dim() < 2:
            raise ValueError(f"SyncBatchNorm: the input has {input.dim()} dimensions, and not 2 or more")

    def forward(self, input):
        if self.training:
            raise ValueError("SyncBatchNorm: training needs processes on GPUs, which are not there; use BatchNorm")
        return super().forward(input)

    @classmethod
    def convert_sync_batchnorm(cls, module, process_group=None):
        """A network with SyncBatchNorm in the place of BatchNorm."""
        made = module
        if isinstance(module, _BatchNorm):
            made = cls(module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats, process_group)
            if module.affine:
                made.weight, made.bias = module.weight, module.bias
            made.running_mean, made.running_var = module.running_mean, module.running_var
            made.num_batches_tracked, made.training = module.num_batches_tracked, module.training
        for name, child in module.named_children():
            made.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return made


class _LazyNormBase(LazyModuleMixin, _NormBase):
    def __init__(self, eps=1e-5, momentum=0.1, affine=True, track_running_stats=True, device=None, dtype=None, *, bias=True):
        super().__init__(0, eps, momentum, False, False)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = _core.tensor(0, dtype=_core.int64)

    def reset_parameters(self):
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input):
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for name in ("weight", "bias") if self.affine else ():
            if getattr(self, name) is not None:
                getattr(self, name).materialize((self.num_features,))
        for name in ("running_mean", "running_var") if self.track_running_stats else ():
            getattr(self, name).materialize((self.num_features,))
        self.reset_parameters()


def _lazy(base, module):
    return type("Lazy" + base.__name__, (_LazyNormBase, base), {
        "__doc__": f"{base.__name__} that learns num_features from its first input.", "cls_to_become": base, "__module__": module})


LazyBatchNorm1d, LazyBatchNorm2d, LazyBatchNorm3d = (_lazy(base, __name__) for base in (BatchNorm1d, BatchNorm2d, BatchNorm3d))
