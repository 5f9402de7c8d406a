"""Instance normalisation."""

import warnings

from tenon.nn import functional as F
from tenon.nn.modules.batchnorm import _lazy, _NormBase

__all__ = ["InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LazyInstanceNorm1d", "LazyInstanceNorm2d", "LazyInstanceNorm3d"]


class _InstanceNorm(_NormBase):
    def __init__(self, num_features, eps=1e-5, momentum=0.1, affine=False, track_running_stats=False, device=None, dtype=None, *, bias=True):
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _load_from_state_dict(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        if local_metadata.get("version", None) is None and not self.track_running_stats:
            stale = [prefix + name for name in ("running_mean", "running_var") if prefix + name in state_dict]
            for key in stale:
                error_msgs.append(f"{key} is in the state_dict of {type(self).__name__}, which keeps no statistics: take it out of "
                                  "the state_dict, or use track_running_stats=True")
                state_dict.pop(key)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)

    def _apply_instance_norm(self, input):
        return F.instance_norm(input, self.running_mean, self.running_var, self.weight, self.bias, self.training or not self.track_running_stats,
                               self.momentum if self.momentum is not None else 0.0, self.eps)

    def _check_input_dim(self, input):
        if input.dim() not in (self._dims + 1, self._dims + 2):
            raise ValueError(f"{type(self).__name__}: the input has {input.dim()} dimensions, and not {self._dims + 1} or {self._dims + 2}")

    def forward(self, input):
        self._check_input_dim(input)
        channels = input.dim() - self._dims - 1
        if input.shape[channels] != self.num_features:
            if self.affine:
                raise ValueError(f"{type(self).__name__}: the input has {input.shape[channels]} channels, and num_features is {self.num_features}")
            warnings.warn(f"{type(self).__name__}: the input has {input.shape[channels]} channels, and num_features, which is not used "
                          f"without affine, is {self.num_features}", stacklevel=2)
        if input.dim() == self._dims + 1:
            return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_instance_norm(input)


class InstanceNorm1d(_InstanceNorm):
    """Each channel of each sequence to mean 0 and variance 1."""

    _dims = 1


class InstanceNorm2d(_InstanceNorm):
    """Each channel of each image to mean 0 and variance 1."""

    _dims = 2


class InstanceNorm3d(_InstanceNorm):
    """Each channel of each volume to mean 0 and variance 1."""

    _dims = 3


LazyInstanceNorm1d, LazyInstanceNorm2d, LazyInstanceNorm3d = (_lazy(base, __name__) for base in (InstanceNorm1d, InstanceNorm2d, InstanceNorm3d))
