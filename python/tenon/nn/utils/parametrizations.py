"""Parametrizations that are there already: orthogonal, spectral_norm and weight_norm."""

from tenon import _core
from tenon._info import finfo
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


def _orthonormal(matrix):
    """Q of matrix = Q R, with a positive diagonal of R."""
    factors, tau = _core.geqrf(matrix)
    return _core.linalg_householder_product(factors, tau) * factors.diagonal(dim1=-2, dim2=-1).sgn().unsqueeze(-2)


def _is_orthogonal(matrix):
    n, k = matrix.shape[-2:]
    near = 10 * n * finfo(matrix.dtype).eps
    return _core.allclose(matrix.mH @ matrix, _core.eye(k, dtype=matrix.dtype), atol=near)


_MAPS = ("matrix_exp", "cayley", "householder")


class _Orthogonal(Module):
    """A matrix with orthonormal columns, or rows where it has more columns than rows, made of one that may be any: by the exponential or
    the Cayley transform of a skew-symmetric matrix, or by reflections. With `base` it is multiplied with that from the left, so
    that the map starts from the identity (Lezcano-Casado 2019)."""

    def __init__(self, weight, orthogonal_map, *, use_trivialization=True):
        super().__init__()
        if weight.is_complex() and orthogonal_map == "householder":
            raise ValueError("parametrizations.orthogonal: the map householder is of real matrices: take matrix_exp or cayley")
        self.shape, self.orthogonal_map = weight.shape, orthogonal_map
        if use_trivialization:
            self.register_buffer("base", None)

    def _by_skew(self, x):
        n, k = x.shape[-2:]
        x = x.tril()
        if n != k:
            x = _core.cat([x, x.new_zeros(n, n - k).expand((*x.shape[:-2], n, n - k))], -1)
        skew = x - x.mH
        if self.orthogonal_map == "matrix_exp":
            made = _core.linalg_matrix_exp(skew)
        else:
            one = _core.eye(n, dtype=skew.dtype)
            made = _core.linalg_solve(one - 0.5 * skew, one + 0.5 * skew)
        return made if n == k else made[..., :k]

    @staticmethod
    def _by_reflections(x):
        below = x.tril(-1)
        made = _core.linalg_householder_product(below, 2.0 / (1.0 + (below * below).sum(-2)))
        return made * x.diagonal(dim1=-2, dim2=-1).int().unsqueeze(-2)  # 1 and -1, which do not learn

    def forward(self, X):
        wide = X.shape[-2] < X.shape[-1]
        tall = X.mT if wide else X
        made = self._by_reflections(tall) if self.orthogonal_map == "householder" else self._by_skew(tall)
        if hasattr(self, "base"):
            made = self.base @ made
        return made.mT if wide else made

    def right_inverse(self, Q):
        if Q.shape != self.shape:
            raise ValueError(f"parametrizations.orthogonal: the matrix has the sizes {tuple(self.shape)}, not {tuple(Q.shape)}")
        wide = Q.shape[-2] < Q.shape[-1]
        tall = Q.mT if wide else Q
        n, k = tall.shape[-2:]
        if not hasattr(self, "base"):
            if self.orthogonal_map != "householder":
                raise NotImplementedError(f"with use_trivialization=False nothing can be assigned: {self.orthogonal_map} has no inverse")
            factors, tau = _core.geqrf(tall)
            signs = factors.diagonal(dim1=-2, dim2=-1).sign()  # R's: where nothing was reflected, the column has the opposite one
            factors.diagonal(dim1=-2, dim2=-1).copy_(_core.where(tau == 0, -signs, signs))
            return factors.mT if wide else factors
        if n != k:
            more = _core.randn((*tall.shape[:-2], n, n - k), dtype=tall.dtype)
            self.base = _orthonormal(_core.cat([tall, more], -1))
        else:
            self.base = tall.clone() if _is_orthogonal(tall) else _orthonormal(tall)
        made = _core.zeros_like(Q)
        made.diagonal(dim1=-2, dim2=-1).fill_(-1.0)  # of which reflections make the identity, and a skew-symmetric matrix is 0
        return made


def orthogonal(module, name="weight", orthogonal_map=None, *, use_trivialization=True):
    """The weight has orthonormal columns, or rows where those are fewer. orthogonal_map: "matrix_exp", "cayley" or "householder"."""
    weight = getattr(module, name, None)
    if not isinstance(weight, _core.Tensor):
        raise ValueError(f"{type(module).__name__} has no parameter or buffer {name!r}")
    if weight.dim() < 2:
        raise ValueError(f"parametrizations.orthogonal: {name} has two dimensions or more, not {weight.dim()}")
    if orthogonal_map is None:
        orthogonal_map = "matrix_exp" if weight.shape[-2] == weight.shape[-1] or weight.is_complex() else "householder"
    if orthogonal_map not in _MAPS:
        raise ValueError(f"parametrizations.orthogonal: orthogonal_map is one of {', '.join(_MAPS)}, not {orthogonal_map!r}")
    made = _Orthogonal(weight, orthogonal_map, use_trivialization=use_trivialization)
    parametrize.register_parametrization(module, name, made, unsafe=True)
    return module
