"""Transforms of values, with their inverses and the logarithms of their derivatives."""

import math
import weakref

from tenon import _core
from tenon._info import finfo as _finfo
from tenon.distributions import constraints
from tenon.distributions._base import _sum_rightmost

__all__ = ["AbsTransform", "AffineTransform", "CatTransform", "ComposeTransform", "CorrCholeskyTransform", "CumulativeDistributionTransform",
           "ExpTransform", "IndependentTransform", "LowerCholeskyTransform", "PositiveDefiniteTransform", "PowerTransform", "ReshapeTransform",
           "SigmoidTransform", "SoftmaxTransform", "SoftplusTransform", "StackTransform", "StickBreakingTransform", "TanhTransform", "Transform",
           "identity_transform"]


def _are_equal(a, b):
    found = a == b
    return bool(found.all()) if isinstance(found, _core.Tensor) else bool(found)


class Transform:
    """A function of values; bijective ones have inv."""

    bijective = False
    domain = codomain = constraints.real

    def __init__(self, cache_size=0):
        self._cache_size, self._cached, self._inv = cache_size, (None, None), None

    @property
    def event_dim(self):
        """How many dimensions one value has."""
        return self.domain.event_dim

    @property
    def inv(self):
        """The inverse."""
        found = self._inv() if self._inv is not None else None
        if found is None:
            found = _InverseTransform(self)
            self._inv = weakref.ref(found)
        return found

    @property
    def sign(self):
        """1 where it rises, -1 where it falls."""
        raise NotImplementedError(f"{type(self).__name__} neither rises nor falls")

    def __call__(self, x):
        if self._cache_size and x is self._cached[0]:
            return self._cached[1]
        y = self._call(x)
        self._cached = (x, y)
        return y

    def _inv_call(self, y):
        if y is self._cached[1]:
            return self._cached[0]
        return self._inverse(y)

    def log_abs_det_jacobian(self, x, y):
        """log |dy/dx|."""
        raise NotImplementedError

    def forward_shape(self, shape):
        """The sizes of what it gives."""
        return shape

    def inverse_shape(self, shape):
        """The sizes of what gives this."""
        return shape

    _what = None  # the attributes that make two of a class equal; None: nothing does

    def __eq__(self, other):
        if self is other or type(self) is not type(other) or self._what is None:
            return self is other
        return all(_are_equal(getattr(self, name), getattr(other, name)) for name in self._what)

    def __hash__(self):
        return id(self)

    def __repr__(self):
        return type(self).__name__ + "()"


class _InverseTransform(Transform):
    _what = ("_of",)

    def __init__(self, transform):
        super().__init__()
        self._inv, self._of = None, transform

    domain = property(lambda self: self._of.codomain)
    codomain = property(lambda self: self._of.domain)
    bijective = property(lambda self: self._of.bijective)
    sign = property(lambda self: self._of.sign)

    @property
    def inv(self):
        return self._of

    def __call__(self, x):
        return self._of._inv_call(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._of.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._of.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._of.forward_shape(shape)


class ComposeTransform(Transform):
    """One transform after the other."""

    _what = ("parts",)

    def __init__(self, parts, cache_size=0):
        super().__init__(cache_size)
        self.parts = parts

    @property
    def domain(self):
        if not self.parts:
            return constraints.real
        found, dims = self.parts[0].domain, self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            dims = max(dims + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        return constraints.independent(found, dims - found.event_dim) if dims > found.event_dim else found

    @property
    def codomain(self):
        if not self.parts:
            return constraints.real
        found, dims = self.parts[-1].codomain, self.parts[0].domain.event_dim
        for part in self.parts:
            dims = max(dims + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        return constraints.independent(found, dims - found.event_dim) if dims > found.event_dim else found

    @property
    def bijective(self):
        return all(part.bijective for part in self.parts)

    @property
    def sign(self):
        found = 1
        for part in self.parts:
            found = found * part.sign
        return found

    def _call(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def _inverse(self, y):
        for part in reversed(self.parts):
            y = part.inv(y)
        return y

    def log_abs_det_jacobian(self, x, y):
        if not self.parts:
            return _core.zeros_like(x)
        values = [x]
        for part in self.parts[:-1]:
            values.append(part(values[-1]))
        values.append(y)
        total, dims = 0, self.domain.event_dim
        for part, a, b in zip(self.parts, values[:-1], values[1:]):
            total = total + _sum_rightmost(part.log_abs_det_jacobian(a, b), dims - part.domain.event_dim)
            dims += part.codomain.event_dim - part.domain.event_dim
        return total

    def forward_shape(self, shape):
        for part in self.parts:
            shape = part.forward_shape(shape)
        return shape

    def inverse_shape(self, shape):
        for part in reversed(self.parts):
            shape = part.inverse_shape(shape)
        return shape


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform with more dimensions in one value."""

    _what = ("base_transform", "reinterpreted_batch_ndims")

    def __init__(self, base_transform, reinterpreted_batch_ndims, cache_size=0):
        super().__init__(cache_size)
        self.base_transform, self.reinterpreted_batch_ndims = base_transform, reinterpreted_batch_ndims

    domain = property(lambda self: constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims))
    codomain = property(lambda self: constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims))
    bijective = property(lambda self: self.base_transform.bijective)
    sign = property(lambda self: self.base_transform.sign)

    def _call(self, x):
        return self.base_transform(x)

    def _inverse(self, y):
        return self.base_transform.inv(y)

    def log_abs_det_jacobian(self, x, y):
        return _sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)


class ReshapeTransform(Transform):
    """Values in another shape."""

    _what = ("in_shape", "out_shape")
    bijective = True

    def __init__(self, in_shape, out_shape, cache_size=0):
        super().__init__(cache_size)
        self.in_shape, self.out_shape = _core.Size(in_shape), _core.Size(out_shape)
        if math.prod(self.in_shape) != math.prod(self.out_shape):
            raise ValueError(f"ReshapeTransform: {tuple(in_shape)} and {tuple(out_shape)} have different numbers of elements")

    domain = property(lambda self: constraints.independent(constraints.real, len(self.in_shape)))
    codomain = property(lambda self: constraints.independent(constraints.real, len(self.out_shape)))

    def _call(self, x):
        return x.reshape((*x.shape[:x.dim() - len(self.in_shape)], *self.out_shape))

    def _inverse(self, y):
        return y.reshape((*y.shape[:y.dim() - len(self.out_shape)], *self.in_shape))

    def log_abs_det_jacobian(self, x, y):
        return x.new_zeros(x.shape[:x.dim() - len(self.in_shape)])

    def forward_shape(self, shape):
        return (*shape[:len(shape) - len(self.in_shape)], *self.out_shape)

    def inverse_shape(self, shape):
        return (*shape[:len(shape) - len(self.out_shape)], *self.in_shape)


class ExpTransform(Transform):
    """exp."""

    _what = ()
    codomain, bijective, sign = constraints.positive, True, 1

    def _call(self, x):
        return x.exp()

    def _inverse(self, y):
        return y.log()

    def log_abs_det_jacobian(self, x, y):
        return x


class PowerTransform(Transform):
    """x to a power."""

    _what = ("exponent",)
    domain = codomain = constraints.positive
    bijective = True

    def __init__(self, exponent, cache_size=0):
        super().__init__(cache_size)
        self.exponent = exponent if isinstance(exponent, _core.Tensor) else _core.tensor(float(exponent))

    sign = property(lambda self: self.exponent.sign())

    def _call(self, x):
        return x.pow(self.exponent)

    def _inverse(self, y):
        return y.pow(1 / self.exponent)

    def log_abs_det_jacobian(self, x, y):
        return (self.exponent * y / x).abs().log()


class SigmoidTransform(Transform):
    """sigmoid."""

    _what = ()
    codomain, bijective, sign = constraints.unit_interval, True, 1

    def _call(self, x):
        info = _finfo(x.dtype)
        return _core.clamp(_core.sigmoid(x), min=info.tiny, max=1.0 - info.eps)

    def _inverse(self, y):
        info = _finfo(y.dtype)
        y = y.clamp(min=info.tiny, max=1.0 - info.eps)
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x, y):
        return -_core.softplus(-x) - _core.softplus(x)


class SoftplusTransform(Transform):
    """log(1 + exp(x))."""

    _what = ()
    codomain, bijective, sign = constraints.positive, True, 1

    def _call(self, x):
        return _core.softplus(x)

    def _inverse(self, y):
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x, y):
        return -_core.softplus(-x)


class TanhTransform(Transform):
    """tanh."""

    _what = ()
    codomain, bijective, sign = constraints.interval(-1.0, 1.0), True, 1

    def _call(self, x):
        return x.tanh()

    def _inverse(self, y):
        return _core.atanh(y)

    def log_abs_det_jacobian(self, x, y):
        return 2.0 * (math.log(2.0) - x - _core.softplus(-2.0 * x))


class AbsTransform(Transform):
    """|x|."""

    _what = ()
    codomain = constraints.positive

    def _call(self, x):
        return x.abs()

    def _inverse(self, y):
        return y


class AffineTransform(Transform):
    """loc + scale * x."""

    _what = ("loc", "scale")
    bijective = True

    def __init__(self, loc, scale, event_dim=0, cache_size=0):
        super().__init__(cache_size)
        self.loc, self.scale, self._event_dim = loc, scale, event_dim

    event_dim = property(lambda self: self._event_dim)

    @property
    def domain(self):
        return constraints.independent(constraints.real, self._event_dim) if self._event_dim else constraints.real

    codomain = domain

    @property
    def sign(self):
        if isinstance(self.scale, (int, float)):
            return 1 if self.scale > 0 else -1 if self.scale < 0 else 0
        return self.scale.sign()

    def _call(self, x):
        return self.loc + self.scale * x

    def _inverse(self, y):
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x, y):
        if isinstance(self.scale, (int, float)):
            made = _core.full_like(x, math.log(abs(self.scale)))
        else:
            made = self.scale.abs().log()
        shape = x.shape
        if self._event_dim:
            made = made.expand(shape).reshape((*shape[:len(shape) - self._event_dim], -1)).sum(-1)
            shape = shape[:len(shape) - self._event_dim]
        return made.expand(shape)


class SoftmaxTransform(Transform):
    """softmax of exponents."""

    _what = ()
    domain, codomain = constraints.real_vector, constraints.simplex

    def _call(self, x):
        probs = (x - x.max(-1, True)[0]).exp()
        return probs / probs.sum(-1, True)

    def _inverse(self, y):
        return y.log()


class StickBreakingTransform(Transform):
    """n - 1 numbers as n that add up to 1."""

    _what = ()
    domain, codomain, bijective = constraints.real_vector, constraints.simplex, True

    def _call(self, x):
        offset = x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)
        z = _core.clamp(_core.sigmoid(x - offset.log()), max=1.0 - _finfo(x.dtype).eps)
        rest = (1 - z).cumprod(-1)
        ones = x.new_ones((*x.shape[:-1], 1))
        return _core.cat([z, ones], -1) * _core.cat([ones, rest], -1)

    def _inverse(self, y):
        cropped = y[..., :-1]
        offset = y.shape[-1] - cropped.new_ones(cropped.shape[-1]).cumsum(-1)
        rest = _core.clamp(1 - cropped.cumsum(-1), min=_finfo(y.dtype).tiny)
        return cropped.log() - rest.log() + offset.log()

    def log_abs_det_jacobian(self, x, y):
        offset = x.shape[-1] + 1 - x.new_ones(x.shape[-1]).cumsum(-1)
        x = x - offset.log()
        return (-x + -_core.softplus(-x) + y[..., :-1].log()).sum(-1)

    def forward_shape(self, shape):
        return (*shape[:-1], shape[-1] + 1)

    def inverse_shape(self, shape):
        return (*shape[:-1], shape[-1] - 1)


def vec_to_tril_matrix(vec, diag=0):
    """The elements below a diagonal, row by row, as a lower triangular matrix."""
    n = (-(1 + 2 * diag) + ((1 + 2 * diag) ** 2 + 8 * vec.shape[-1] + 4 * abs(diag) * (diag + 1)) ** 0.5) / 2
    if round(n) - n > _finfo(vec.dtype).eps:
        raise ValueError(f"{vec.shape[-1]} elements do not fill a triangle")
    n = round(n)
    made = vec.new_zeros((*vec.shape[:-1], n, n))
    rows, columns = _core.tril_indices(n, n, diag)
    made[..., rows, columns] = vec
    return made


def tril_matrix_to_vec(mat, diag=0):
    """The elements of a lower triangular matrix, row by row."""
    n = mat.shape[-1]
    if not -n <= diag < n:
        raise ValueError(f"diag is between {-n} and {n - 1}, not {diag}")
    rows, columns = _core.tril_indices(n, n, diag)
    return mat[..., rows, columns]


class CorrCholeskyTransform(Transform):
    """n (n - 1) / 2 numbers as the lower factor of a correlation matrix of n rows."""

    _what = ()
    domain, codomain, bijective = constraints.real_vector, constraints.corr_cholesky, True

    def _call(self, x):
        x = _core.tanh(x)
        eps = _finfo(x.dtype).eps
        r = vec_to_tril_matrix(x.clamp(min=-1 + eps, max=1 - eps), -1)
        rest = (1 - r ** 2).sqrt().cumprod(-1)
        r = r + _core.eye(r.shape[-1], dtype=r.dtype)
        return r * _core.pad(rest[..., :-1], [1, 0], "constant", 1.0)

    def _inverse(self, y):
        rest = _core.pad((1 - (y * y).cumsum(-1))[..., :-1], [1, 0], "constant", 1.0)
        t = tril_matrix_to_vec(y, -1) / tril_matrix_to_vec(rest, -1).sqrt()
        return (t.log1p() - t.neg().log1p()) / 2

    def log_abs_det_jacobian(self, x, y, intermediates=None):
        rest = tril_matrix_to_vec(1 - (y * y).cumsum(-1), -2)
        return 0.5 * rest.log().sum(-1) - 2 * (x + _core.softplus(-2 * x) - math.log(2.0)).sum(-1)

    def forward_shape(self, shape):
        n = round((0.25 + 2 * shape[-1]) ** 0.5 + 0.5)
        if len(shape) < 1 or n * (n - 1) // 2 != shape[-1]:
            raise ValueError(f"{shape[-1]} elements do not fill a triangle")
        return (*shape[:-1], n, n)

    def inverse_shape(self, shape):
        if len(shape) < 2 or shape[-2] != shape[-1]:
            raise ValueError(f"sizes {tuple(shape)} are not of a square matrix")
        return (*shape[:-2], shape[-1] * (shape[-1] - 1) // 2)


class LowerCholeskyTransform(Transform):
    """Any matrix as a lower factor: what is above the diagonal is left out, the diagonal becomes positive by exp."""

    _what = ()
    domain, codomain = constraints.independent(constraints.real, 2), constraints.lower_cholesky

    def _call(self, x):
        return x.tril(-1) + _core.diag_embed(x.diagonal(dim1=-2, dim2=-1).exp())

    def _inverse(self, y):
        return y.tril(-1) + _core.diag_embed(y.diagonal(dim1=-2, dim2=-1).log())


class PositiveDefiniteTransform(Transform):
    """Any matrix as a positive definite one, by its lower factor."""

    _what = ()
    domain, codomain = constraints.independent(constraints.real, 2), constraints.positive_definite

    def _call(self, x):
        factor = LowerCholeskyTransform()(x)
        return factor @ factor.mT

    def _inverse(self, y):
        from tenon.distributions._matrix import _cholesky
        return LowerCholeskyTransform().inv(_cholesky(y))


class CatTransform(Transform):
    """Transforms of parts of a dimension, which are put together again."""

    def __init__(self, tseq, dim=0, lengths=None, cache_size=0):
        if not all(isinstance(one, Transform) for one in tseq):
            raise AssertionError("CatTransform takes transforms")
        super().__init__(cache_size)
        self.transforms, self.dim = list(tseq), dim
        self.lengths = [1] * len(self.transforms) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.transforms):
            raise AssertionError(f"CatTransform: {len(self.lengths)} lengths for {len(self.transforms)} transforms")

    event_dim = property(lambda self: max(one.event_dim for one in self.transforms))
    length = property(lambda self: sum(self.lengths))
    bijective = property(lambda self: all(one.bijective for one in self.transforms))
    domain = property(lambda self: constraints.cat([one.domain for one in self.transforms], self.dim, self.lengths))
    codomain = property(lambda self: constraints.cat([one.codomain for one in self.transforms], self.dim, self.lengths))

    def _parts(self, value):
        if not -value.dim() <= self.dim < value.dim() or value.size(self.dim) != self.length:
            raise AssertionError(f"CatTransform: dimension {self.dim} has {self.length} elements, and the sizes are {tuple(value.shape)}")
        start = 0
        for one, length in zip(self.transforms, self.lengths):
            yield one, value.narrow(self.dim, start, length)
            start += length

    def _call(self, x):
        return _core.cat([one(part) for one, part in self._parts(x)], self.dim)

    def _inverse(self, y):
        return _core.cat([one.inv(part) for one, part in self._parts(y)], self.dim)

    def log_abs_det_jacobian(self, x, y):
        found = []
        for (one, a), (_, b) in zip(self._parts(x), self._parts(y)):
            made = one.log_abs_det_jacobian(a, b)
            found.append(_sum_rightmost(made, self.event_dim - one.event_dim) if one.event_dim < self.event_dim else made)
        dim = self.dim - x.dim() if self.dim >= 0 else self.dim
        return _core.cat(found, dim + self.event_dim) if dim + self.event_dim < 0 else sum(found)


class StackTransform(Transform):
    """Transforms of the slices along a dimension."""

    def __init__(self, tseq, dim=0, cache_size=0):
        if not all(isinstance(one, Transform) for one in tseq):
            raise AssertionError("StackTransform takes transforms")
        super().__init__(cache_size)
        self.transforms, self.dim = list(tseq), dim

    bijective = property(lambda self: all(one.bijective for one in self.transforms))
    domain = property(lambda self: constraints.stack([one.domain for one in self.transforms], self.dim))
    codomain = property(lambda self: constraints.stack([one.codomain for one in self.transforms], self.dim))

    def _slices(self, value):
        if not -value.dim() <= self.dim < value.dim() or value.size(self.dim) != len(self.transforms):
            raise AssertionError(f"StackTransform: dimension {self.dim} has {len(self.transforms)} slices, and the sizes are {tuple(value.shape)}")
        return [value.select(self.dim, i) for i in range(len(self.transforms))]

    def _call(self, x):
        return _core.stack([one(part) for one, part in zip(self.transforms, self._slices(x))], self.dim)

    def _inverse(self, y):
        return _core.stack([one.inv(part) for one, part in zip(self.transforms, self._slices(y))], self.dim)

    def log_abs_det_jacobian(self, x, y):
        found = [one.log_abs_det_jacobian(a, b) for one, a, b in zip(self.transforms, self._slices(x), self._slices(y))]
        return _core.stack(found, self.dim)


class CumulativeDistributionTransform(Transform):
    """The cdf of a distribution."""

    codomain, bijective, sign = constraints.unit_interval, True, 1

    def __init__(self, distribution, cache_size=0):
        super().__init__(cache_size)
        self.distribution = distribution

    domain = property(lambda self: self.distribution.support)

    def _call(self, x):
        return self.distribution.cdf(x)

    def _inverse(self, y):
        return self.distribution.icdf(y)

    def log_abs_det_jacobian(self, x, y):
        return self.distribution.log_prob(x)
