"""Parametrizations that are there already: weight_norm and spectral_norm."""

from tenon import _core
from tenon.nn.modules.module import Module, _core_no_grad
from tenon.nn.utils import parametrize

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def _norm_except(v, dim):
    """The norm of each slice along dim; of everything for -1."""
    if dim == -1:
        return _core.linalg_vector_norm(v)
    dims = [d for d in range(v.dim()) if d != dim % v.dim()]
    return _core.linalg_vector_norm(v, 2, dims, True) if dims else v.abs()


class _WeightNorm(Module):
    def __init__(self, dim=0):
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g, weight_v):
        return weight_v * (weight_g / _norm_except(weight_v, self.dim))

    def right_inverse(self, weight):
        return _norm_except(weight, self.dim), weight


def weight_norm(module, name="weight", dim=0):
    """The weight as a length times a direction: original0 and original1."""
    parametrize.register_parametrization(module, name, _WeightNorm(dim), unsafe=True)

    def old_names(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
        g, v = f"{prefix}{name}_g", f"{prefix}{name}_v"
        if g in state_dict and v in state_dict:
            state_dict[f"{prefix}parametrizations.{name}.original0"] = state_dict.pop(g)
            state_dict[f"{prefix}parametrizations.{name}.original1"] = state_dict.pop(v)

    module._register_load_state_dict_pre_hook(old_names)
    return module


class _SpectralNorm(Module):
    """The weight divided by its largest singular value, which is kept up with by power iterations while training."""

    def __init__(self, weight, n_power_iterations=1, dim=0, eps=1e-12):
        super().__init__()
        if not -weight.dim() <= dim < weight.dim():
            raise IndexError(f"dim {dim} is out of range for {weight.dim()} dimensions")
        if n_power_iterations <= 0:
            raise ValueError(f"n_power_iterations is positive, not {n_power_iterations}")
        self.dim, self.eps = dim % weight.dim(), eps
        if weight.dim() > 1:
            self.n_power_iterations = n_power_iterations
            matrix = self._matrix(weight)
            rows, columns = matrix.shape
            u, v = matrix.new_empty(rows).normal_(0, 1), matrix.new_empty(columns).normal_(0, 1)
            self.register_buffer("_u", _unit(u, eps))
            self.register_buffer("_v", _unit(v, eps))
            self._power_method(matrix, 15)

    def _matrix(self, weight):
        if self.dim != 0:
            weight = weight.permute(self.dim, *(d for d in range(weight.dim()) if d != self.dim))
        return weight.flatten(1)

    def _power_method(self, matrix, times):
        with _core_no_grad():
            matrix = matrix.detach()
            for _ in range(times):
                self._u.copy_(_unit(_core.mv(matrix, self._v), self.eps))
                self._v.copy_(_unit(_core.mv(matrix.T, self._u), self.eps))

    def forward(self, weight):
        if weight.dim() == 1:
            return weight / _core.linalg_vector_norm(weight).clamp(min=self.eps)
        matrix = self._matrix(weight)
        if self.training:
            self._power_method(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / _core.vdot(u, _core.mv(matrix, v))

    def right_inverse(self, value):
        return value


def _unit(vector, eps):
    return vector / _core.linalg_vector_norm(vector).clamp(min=eps)


def spectral_norm(module, name="weight", n_power_iterations=1, eps=1e-12, dim=None):
    """The weight divided by its largest singular value."""
    from tenon import nn
    weight = getattr(module, name, None)
    if not isinstance(weight, _core.Tensor):
        raise ValueError(f"{type(module).__name__} has no parameter or buffer {name!r}")
    if dim is None:
        dim = 1 if isinstance(module, (nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d)) else 0
    with _core_no_grad():
        norm = _SpectralNorm(weight.detach(), n_power_iterations, dim, eps)
    return parametrize.register_parametrization(module, name, norm)


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """Not there: it needs decompositions of matrices."""
    raise NotImplementedError("parametrizations.orthogonal needs the operators matrix_exp and linalg.qr with derivatives")
