"""Distributions of vectors with a covariance, of covariances, and of factors of correlations."""

import math

from tenon import _core
from tenon.distributions import constraints
from tenon.distributions._base import Distribution, ExponentialFamily, Size, lazy_property
from tenon.distributions._continuous import Beta, Chi2, _finfo, _normals, _unseen


_cholesky = _core.linalg_cholesky


def _solve_lower(factor, right):
    return _core.linalg_solve_triangular(factor, right, upper=False)


def _apply(matrix, vector):
    return _core.matmul(matrix, vector.unsqueeze(-1)).squeeze(-1)


def _mahalanobis(factor, vector):
    """|factor^-1 vector|^2 for lower triangular factors; both are broadcast."""
    n = factor.shape[-1]
    batch = _core.broadcast_shapes(factor.shape[:-2], vector.shape[:-1])
    solved = _solve_lower(factor.expand((*batch, n, n)), vector.expand((*batch, n)).unsqueeze(-1))
    return solved.squeeze(-1).pow(2).sum(-1)


def _of_precision(precision):
    """The lower factor of the inverse."""
    flipped = _cholesky(_core.flip(precision, (-2, -1)))
    inverse = _core.flip(flipped, (-2, -1)).mT
    return _solve_lower(inverse, _core.eye(precision.shape[-1], dtype=precision.dtype).expand(precision.shape))


def _inverse_of(factor):
    """(factor factor^T)^-1."""
    solved = _solve_lower(factor, _core.eye(factor.shape[-1], dtype=factor.dtype).expand(factor.shape))
    return solved.mT @ solved


def _log_diagonal(factor):
    return factor.diagonal(dim1=-2, dim2=-1).log().sum(-1)


def _mvlgamma(a, p):
    made = p * (p - 1) / 4 * math.log(math.pi)
    return made + sum(_core.lgamma(a - j / 2) for j in range(p))


def _mvdigamma(a, p):
    """The derivative of _mvlgamma."""
    return sum(_core.digamma(a - j / 2) for j in range(p))


def _one_of(name, covariance_matrix, precision_matrix, scale_tril):
    if (covariance_matrix is not None) + (precision_matrix is not None) + (scale_tril is not None) != 1:
        raise ValueError(f"{name}: give one of covariance_matrix, precision_matrix and scale_tril")
    given = next(one for one in (covariance_matrix, precision_matrix, scale_tril) if one is not None)
    if given.dim() < 2:
        raise ValueError(f"{name}: a matrix has two dimensions or more, and this has {given.dim()}")
    return given


class MultivariateNormal(Distribution):
    """The normal distribution of vectors, by its covariance, its inverse, or its lower factor."""

    arg_constraints = {"loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
                       "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky}
    support, has_rsample = constraints.real_vector, True

    def __init__(self, loc, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("MultivariateNormal: loc has one dimension or more")
        given = _one_of("MultivariateNormal", covariance_matrix, precision_matrix, scale_tril)
        batch = _core.broadcast_shapes(given.shape[:-2], loc.shape[:-1])
        wide = given.expand((*batch, *given.shape[-2:]))
        if scale_tril is not None:
            self.scale_tril, self._factor = wide, scale_tril
        elif covariance_matrix is not None:
            self.covariance_matrix = wide
        else:
            self.precision_matrix = wide
        self.loc = loc.expand((*batch, loc.shape[-1]))
        super().__init__(batch, self.loc.shape[-1:], validate_args=validate_args)
        if covariance_matrix is not None:
            self._factor = _cholesky(covariance_matrix)
        elif precision_matrix is not None:
            self._factor = _of_precision(precision_matrix)

    def expand(self, batch_shape, _instance=None):
        made = self.__new__(type(self)) if _instance is None else _instance
        batch, n = Size(batch_shape), self.event_shape[0]
        made.loc, made._factor = self.loc.expand((*batch, n)), self._factor
        for name in ("scale_tril", "covariance_matrix", "precision_matrix"):
            if name in self.__dict__:
                made.__dict__[name] = self.__dict__[name].expand((*batch, n, n))
        made._batch_shape, made._event_shape, made._validate_args = batch, self.event_shape, self._validate_args
        return made

    def _square(self):
        return (*self._batch_shape, *self._event_shape, *self._event_shape)

    @lazy_property
    def scale_tril(self):
        return self._factor.expand(self._square())

    @lazy_property
    def covariance_matrix(self):
        return (self._factor @ self._factor.mT).expand(self._square())

    @lazy_property
    def precision_matrix(self):
        return _inverse_of(self._factor).expand(self._square())

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)
    variance = property(lambda self: self._factor.pow(2).sum(-1).expand((*self._batch_shape, *self._event_shape)))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return self.loc + _apply(self._factor, _normals(shape, self.loc.dtype))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        away = _mahalanobis(self._factor, value - self.loc)
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + away) - _log_diagonal(self._factor)

    def entropy(self):
        made = 0.5 * self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + _log_diagonal(self._factor)
        return made if not self._batch_shape else made.expand(self._batch_shape)


class LowRankMultivariateNormal(Distribution):
    """The normal distribution of vectors with the covariance cov_factor cov_factor^T + diag(cov_diag)."""

    arg_constraints = {"loc": constraints.real_vector, "cov_factor": constraints.independent(constraints.real, 2),
                       "cov_diag": constraints.independent(constraints.positive, 1)}
    support, has_rsample = constraints.real_vector, True

    def __init__(self, loc, cov_factor, cov_diag, validate_args=None):
        if loc.dim() < 1:
            raise ValueError("LowRankMultivariateNormal: loc has one dimension or more")
        n = loc.shape[-1]
        if cov_factor.dim() < 2 or cov_factor.shape[-2] != n:
            raise ValueError(f"LowRankMultivariateNormal: cov_factor has rows of the {n} elements, and the sizes {tuple(cov_factor.shape)}")
        if cov_diag.shape[-1:] != (n,):
            raise ValueError(f"LowRankMultivariateNormal: cov_diag has {n} elements at the end, and the sizes {tuple(cov_diag.shape)}")
        try:
            batch = _core.broadcast_shapes(loc.shape[:-1], cov_factor.shape[:-2], cov_diag.shape[:-1])
        except RuntimeError as error:
            raise ValueError(f"LowRankMultivariateNormal: the batches do not fit: {error}") from None
        self.loc, self.cov_diag = loc.expand((*batch, n)), cov_diag.expand((*batch, n))
        self.cov_factor = cov_factor.expand((*batch, *cov_factor.shape[-2:]))
        self._unbroadcasted_cov_factor, self._unbroadcasted_cov_diag = cov_factor, cov_diag
        scaled = cov_factor.mT / cov_diag.unsqueeze(-2)
        inner = scaled @ cov_factor
        self._capacitance_tril = _cholesky(inner + _core.eye(inner.shape[-1], dtype=inner.dtype))
        super().__init__(batch, (n,), validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = self.__new__(type(self)) if _instance is None else _instance
        made.__dict__.update({name: value for name, value in self.__dict__.items() if name.startswith("_")})
        batch = Size(batch_shape)
        made.loc, made.cov_diag = self.loc.expand((*batch, *self.event_shape)), self.cov_diag.expand((*batch, *self.event_shape))
        made.cov_factor = self.cov_factor.expand((*batch, *self.cov_factor.shape[-2:]))
        made._batch_shape = batch
        return made

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)

    @lazy_property
    def variance(self):
        made = self._unbroadcasted_cov_factor.pow(2).sum(-1) + self._unbroadcasted_cov_diag
        return made.expand((*self._batch_shape, *self._event_shape))

    def _square(self):
        return (*self._batch_shape, *self._event_shape, *self._event_shape)

    @lazy_property
    def covariance_matrix(self):
        factor = self._unbroadcasted_cov_factor
        return (factor @ factor.mT + _core.diag_embed(self._unbroadcasted_cov_diag)).expand(self._square())

    @lazy_property
    def scale_tril(self):
        root = self._unbroadcasted_cov_diag.sqrt().unsqueeze(-1)
        scaled = self._unbroadcasted_cov_factor / root
        inner = scaled @ scaled.mT
        return (root * _cholesky(inner + _core.eye(inner.shape[-1], dtype=inner.dtype))).expand(self._square())

    @lazy_property
    def precision_matrix(self):
        scaled = self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)
        solved = _solve_lower(self._capacitance_tril, scaled)
        return (_core.diag_embed(self._unbroadcasted_cov_diag.reciprocal()) - solved.mT @ solved).expand(self._square())

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        inner = _normals((*shape[:-1], self.cov_factor.shape[-1]), self.loc.dtype)
        own = _normals(shape, self.loc.dtype)
        return self.loc + _apply(self._unbroadcasted_cov_factor, inner) + self._unbroadcasted_cov_diag.sqrt() * own

    def _log_det(self):
        return 2 * _log_diagonal(self._capacitance_tril) + self._unbroadcasted_cov_diag.log().sum(-1)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        away = value - self.loc
        scaled = self._unbroadcasted_cov_factor.mT / self._unbroadcasted_cov_diag.unsqueeze(-2)
        distance = (away.pow(2) / self._unbroadcasted_cov_diag).sum(-1) - _mahalanobis(self._capacitance_tril, _apply(scaled, away))
        return -0.5 * (self._event_shape[0] * math.log(2 * math.pi) + self._log_det() + distance)

    def entropy(self):
        made = 0.5 * (self._event_shape[0] * (1.0 + math.log(2 * math.pi)) + self._log_det())
        return made if not self._batch_shape else made.expand(self._batch_shape)


class LKJCholesky(Distribution):
    """Lower factors of correlation matrices, by the onion method of Lewandowski, Kurowicka and Joe (2009)."""

    arg_constraints = {"concentration": constraints.positive}
    support, _parts = constraints.corr_cholesky, ("concentration", "_beta")

    def __init__(self, dim, concentration=1.0, validate_args=None):
        if dim < 2:
            raise ValueError(f"LKJCholesky: dim is 2 or more, not {dim}")
        self.dim = dim
        self.concentration = concentration if isinstance(concentration, _core.Tensor) else _core.tensor(float(concentration))
        rest = self.concentration + 0.5 * (dim - 2)
        offset = _core.cat([_core.zeros(1, dtype=rest.dtype), _core.arange(dim - 1, dtype=rest.dtype)])
        self._beta = Beta(offset + 0.5, rest.unsqueeze(-1) - 0.5 * offset)
        super().__init__(self.concentration.shape, (dim, dim), validate_args)

    def expand(self, batch_shape, _instance=None):
        made = self.__new__(type(self)) if _instance is None else _instance
        batch = Size(batch_shape)
        made.dim, made.concentration = self.dim, self.concentration.expand(batch)
        made._beta = self._beta.expand((*batch, self.dim))
        made._batch_shape, made._event_shape, made._validate_args = batch, self._event_shape, self._validate_args
        return made

    def sample(self, sample_shape=()):
        with _unseen():
            y = self._beta.sample(sample_shape).unsqueeze(-1)
            drawn = _core.randn(self._extended_shape(sample_shape), dtype=y.dtype).tril(-1)
            sphere = drawn / _core.linalg_vector_norm(drawn, 2, [-1], True)
            sphere[..., 0, :].fill_(0.0)
            w = y.sqrt() * sphere
            rest = _core.clamp(1 - (w ** 2).sum(-1), min=_finfo(w.dtype).tiny).sqrt()
            return w + _core.diag_embed(rest)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        elements = value.diagonal(dim1=-1, dim2=-2)[..., 1:]
        order = _core.arange(2, self.dim + 1)
        order = 2 * (self.concentration - 1).unsqueeze(-1) + self.dim - order
        less = self.dim - 1
        alpha = self.concentration + 0.5 * less
        whole = 0.5 * less * math.log(math.pi) + _mvlgamma(alpha - 0.5, less) - _core.lgamma(alpha) * less
        return (order * elements.log()).sum(-1) - whole


class Wishart(ExponentialFamily):
    """Covariances of df normal vectors, by Bartlett's decomposition."""

    support, has_rsample = constraints.positive_definite, True
    arg_constraints = {"covariance_matrix": constraints.positive_definite, "precision_matrix": constraints.positive_definite,
                       "scale_tril": constraints.lower_cholesky, "df": constraints.greater_than(0)}

    def __init__(self, df, covariance_matrix=None, precision_matrix=None, scale_tril=None, validate_args=None):
        given = _one_of("Wishart", covariance_matrix, precision_matrix, scale_tril)
        self.df = df if isinstance(df, _core.Tensor) else _core.tensor(float(df), dtype=given.dtype)
        batch = _core.broadcast_shapes(given.shape[:-2], self.df.shape)
        n = given.shape[-1]
        self.df = self.df.expand(batch)
        if bool((self.df <= n - 1).any()):
            raise ValueError(f"Wishart: df is more than {n - 1}, one less than the rows of the matrix, and is {self.df}")
        wide = given.expand((*batch, n, n))
        if scale_tril is not None:
            self.scale_tril, self._factor = wide, scale_tril
        elif covariance_matrix is not None:
            self.covariance_matrix, self._factor = wide, _cholesky(covariance_matrix)
        else:
            self.precision_matrix, self._factor = wide, _of_precision(precision_matrix)
        super().__init__(batch, (n, n), validate_args=validate_args)
        self._chi2 = Chi2(self.df.unsqueeze(-1) - _core.arange(n, dtype=given.dtype).expand((*batch, n)))

    def expand(self, batch_shape, _instance=None):
        made = self.__new__(type(self)) if _instance is None else _instance
        batch, n = Size(batch_shape), self.event_shape[-1]
        made._factor, made.df = self._factor, self.df.expand(batch)
        for name in ("scale_tril", "covariance_matrix", "precision_matrix"):
            if name in self.__dict__:
                made.__dict__[name] = self.__dict__[name].expand((*batch, n, n))
        made._chi2 = self._chi2.expand((*batch, n))
        made._batch_shape, made._event_shape, made._validate_args = batch, self.event_shape, self._validate_args
        return made

    scale_tril = lazy_property(lambda self: self._factor.expand((*self._batch_shape, *self._event_shape)))
    covariance_matrix = lazy_property(lambda self: (self._factor @ self._factor.mT).expand((*self._batch_shape, *self._event_shape)))
    precision_matrix = lazy_property(lambda self: _inverse_of(self._factor).expand((*self._batch_shape, *self._event_shape)))
    for _name in ("scale_tril", "covariance_matrix", "precision_matrix"):
        locals()[_name].name = _name
    del _name

    def _many(self):
        return self.df.reshape((*self._batch_shape, 1, 1))

    mean = property(lambda self: self._many() * self.covariance_matrix)

    @property
    def mode(self):
        factor = self.df - self.covariance_matrix.shape[-1] - 1
        factor = factor.masked_fill(factor <= 0, math.nan)
        return factor.reshape((*self._batch_shape, 1, 1)) * self.covariance_matrix

    @property
    def variance(self):
        v = self.covariance_matrix
        diagonal = v.diagonal(dim1=-2, dim2=-1)
        return self._many() * (v.pow(2) + diagonal.unsqueeze(-1) * diagonal.unsqueeze(-2))

    def _bartlett(self, sample_shape):
        n = self._event_shape[-1]
        noise = _core.diag_embed(self._chi2.rsample(sample_shape).clamp(min=_finfo(self.df.dtype).tiny).sqrt())
        below = _core.randn((*sample_shape, *self._batch_shape, n * (n - 1) // 2), dtype=noise.dtype)
        rows, columns = _core.tril_indices(n, n, -1)
        lower = _core.zeros(noise.shape, dtype=noise.dtype)
        lower[..., rows, columns] = below
        made = self._factor @ (noise + lower)
        return made @ made.mT

    def rsample(self, sample_shape=(), max_try_correction=None):
        sample_shape = Size(sample_shape)
        if max_try_correction is None:
            max_try_correction = 3 if sample_shape else 10
        made = self._bartlett(sample_shape)
        # PyTorch 2.13 draws again what is a sample, and then what rounding has made singular: so do we, for the same numbers.
        again = self._judge(made)
        for _ in range(max_try_correction):
            count = int(again.sum())
            if count == 0:
                break
            fresh = self._bartlett((count,))
            made = _core.index_put(made, (again,), fresh)
            again = _core.index_put(again, (again,), ~self._judge(fresh))
        return made

    def _judge(self, matrices):
        """Which samples have a batch of which some are positive definite."""
        good = self.support.check(matrices)
        return good.amax(list(range(-len(self._batch_shape), 0))) if self._batch_shape else good

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        nu, p = self.df, self._event_shape[-1]
        solved = _solve_lower(self._factor.expand(value.shape), _cholesky(value))
        log_det = 2 * _log_diagonal(_cholesky(value))
        return (-nu * (p * math.log(2) / 2 + _log_diagonal(self._factor)) - _mvlgamma(nu / 2, p) + (nu - p - 1) / 2 * log_det
                - solved.pow(2).sum((-2, -1)) / 2)

    def entropy(self):
        nu, p = self.df, self._event_shape[-1]
        return ((p + 1) * (p * math.log(2) / 2 + _log_diagonal(self._factor)) + _mvlgamma(nu / 2, p) - (nu - p - 1) / 2 * _mvdigamma(nu / 2, p) + nu * p / 2)
