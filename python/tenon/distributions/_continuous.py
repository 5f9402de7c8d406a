"""Distributions of real numbers."""

import math
from numbers import Number

from tenon import _core
from tenon.distributions import constraints
from tenon.distributions._base import (Distribution, ExponentialFamily, Size, Tensor, TransformedDistribution, broadcast_all, clamp_probs, lazy_property,
                                       logits_to_probs, probs_to_logits)
from tenon.distributions.transforms import AffineTransform, ExpTransform, PowerTransform, SigmoidTransform, StickBreakingTransform


def _finfo(dtype):
    import tenon
    return tenon.finfo(dtype)


def _shape(*values):
    """The batch of parameters that are numbers, or tensors that have been broadcast."""
    return Size() if all(isinstance(value, Number) for value in values) else None


class _unseen:
    def __enter__(self):
        self.before = _core._set_grad_mode(0)

    def __exit__(self, *ignored):
        _core._set_grad_mode(self.before)


def _normals(shape, dtype):
    return _core.normal(_core.zeros(shape, dtype=dtype), _core.ones(shape, dtype=dtype))


class Normal(ExponentialFamily):
    """The normal distribution."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support, has_rsample, _parts = constraints.real, True, ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(Size() if _shape(loc, scale) is not None else self.loc.shape, validate_args=validate_args)

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with _unseen():
            return _core.normal(self.loc.expand(shape), self.scale.expand(shape))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return self.loc + _normals(shape, self.loc.dtype) * self.scale

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -((value - self.loc) ** 2) / (2 * self.scale ** 2) - self.scale.log() - math.log(math.sqrt(2 * math.pi))

    def cdf(self, value):
        return 0.5 * (1 + _core.erf((value - self.loc) * self.scale.reciprocal() / math.sqrt(2)))

    def icdf(self, value):
        return self.loc + self.scale * _core.erfinv(2 * value - 1) * math.sqrt(2)

    def entropy(self):
        return 0.5 + 0.5 * math.log(2 * math.pi) + _core.log(self.scale)


class Uniform(Distribution):
    """Evenly between low and high."""

    arg_constraints = {"low": constraints.dependent, "high": constraints.dependent}
    has_rsample, _parts = True, ("low", "high")

    def __init__(self, low, high, validate_args=None):
        self.low, self.high = broadcast_all(low, high)
        super().__init__(Size() if _shape(low, high) is not None else self.low.shape, validate_args=validate_args)
        if self._validate_args and not bool((self.low < self.high).all()):
            raise ValueError("Uniform: low must be less than high")

    support = property(lambda self: constraints.interval(self.low, self.high))
    mean = property(lambda self: (self.high + self.low) / 2)
    mode = property(lambda self: math.nan * self.high)
    stddev = property(lambda self: (self.high - self.low) / 12 ** 0.5)
    variance = property(lambda self: (self.high - self.low).pow(2) / 12)

    def rsample(self, sample_shape=()):
        return self.low + _core.rand(self._extended_shape(sample_shape), dtype=self.low.dtype) * (self.high - self.low)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        inside = self.low.le(value).to(self.low.dtype) * self.high.gt(value).to(self.low.dtype)
        return _core.log(inside) - _core.log(self.high - self.low)

    def cdf(self, value):
        return ((value - self.low) / (self.high - self.low)).clamp(min=0, max=1)

    def icdf(self, value):
        return value * (self.high - self.low) + self.low

    def entropy(self):
        return _core.log(self.high - self.low)


class Exponential(ExponentialFamily):
    """The exponential distribution."""

    arg_constraints = {"rate": constraints.positive}
    support, has_rsample, _parts = constraints.nonnegative, True, ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_all(rate)
        super().__init__(Size() if isinstance(rate, Number) else self.rate.shape, validate_args=validate_args)

    mean = property(lambda self: self.rate.reciprocal())
    mode = property(lambda self: _core.zeros_like(self.rate))
    stddev = property(lambda self: self.rate.reciprocal())
    variance = property(lambda self: self.rate.pow(-2))

    def rsample(self, sample_shape=()):
        return _core.empty(self._extended_shape(sample_shape), dtype=self.rate.dtype).exponential_() / self.rate

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self.rate.log() - self.rate * value

    def cdf(self, value):
        return 1 - _core.exp(-self.rate * value)

    def icdf(self, value):
        return -_core.log1p(-value) / self.rate

    def entropy(self):
        return 1.0 - _core.log(self.rate)


class Laplace(Distribution):
    """The Laplace distribution."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support, has_rsample, _parts = constraints.real, True, ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(Size() if _shape(loc, scale) is not None else self.loc.shape, validate_args=validate_args)

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)
    variance = property(lambda self: 2 * self.scale.pow(2))
    stddev = property(lambda self: 2 ** 0.5 * self.scale)

    def rsample(self, sample_shape=()):
        u = _core.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).uniform_(_finfo(self.loc.dtype).eps - 1, 1)
        return self.loc - self.scale * u.sign() * _core.log1p(-u.abs())

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -_core.log(2 * self.scale) - _core.abs(value - self.loc) / self.scale

    def cdf(self, value):
        return 0.5 - 0.5 * (value - self.loc).sign() * _core.expm1(-(value - self.loc).abs() / self.scale)

    def icdf(self, value):
        term = value - 0.5
        return self.loc - self.scale * term.sign() * _core.log1p(-2 * term.abs())

    def entropy(self):
        return 1 + _core.log(2 * self.scale)


class Cauchy(Distribution):
    """The Cauchy distribution."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support, has_rsample, _parts = constraints.real, True, ("loc", "scale")

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        super().__init__(Size() if _shape(loc, scale) is not None else self.loc.shape, validate_args=validate_args)

    mean = property(lambda self: _core.full(self._extended_shape(), math.nan, dtype=self.loc.dtype))
    mode = property(lambda self: self.loc)
    variance = property(lambda self: _core.full(self._extended_shape(), math.inf, dtype=self.loc.dtype))

    def rsample(self, sample_shape=()):
        return self.loc + _core.empty(self._extended_shape(sample_shape), dtype=self.loc.dtype).cauchy_() * self.scale

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return -math.log(math.pi) - self.scale.log() - (((value - self.loc) / self.scale) ** 2).log1p()

    def cdf(self, value):
        return _core.atan((value - self.loc) / self.scale) / math.pi + 0.5

    def icdf(self, value):
        return _core.tan(math.pi * (value - 0.5)) * self.scale + self.loc

    def entropy(self):
        return math.log(4 * math.pi) + self.scale.log()


class Gamma(ExponentialFamily):
    """The gamma distribution."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support, has_rsample, _parts = constraints.nonnegative, True, ("concentration", "rate")

    def __init__(self, concentration, rate, validate_args=None):
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(Size() if _shape(concentration, rate) is not None else self.concentration.shape, validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.rate)
    mode = property(lambda self: ((self.concentration - 1) / self.rate).clamp(min=0))
    variance = property(lambda self: self.concentration / self.rate.pow(2))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        value = _core._standard_gamma(self.concentration.expand(shape)) / self.rate.expand(shape)
        value.detach().clamp_(min=_finfo(value.dtype).tiny)
        return value

    def log_prob(self, value):
        value = _core.as_tensor(value, dtype=self.rate.dtype)
        if self._validate_args:
            self._validate_sample(value)
        return (_core.xlogy(self.concentration, self.rate) + _core.xlogy(self.concentration - 1, value) - self.rate * value
                - _core.lgamma(self.concentration))

    def entropy(self):
        return (self.concentration - _core.log(self.rate) + _core.lgamma(self.concentration)
                + (1.0 - self.concentration) * _core.digamma(self.concentration))

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return _core.special_gammainc(self.concentration, self.rate * value)


class Chi2(Gamma):
    """The chi-squared distribution."""

    arg_constraints = {"df": constraints.positive}

    def __init__(self, df, validate_args=None):
        super().__init__(0.5 * df, 0.5, validate_args=validate_args)

    df = property(lambda self: self.concentration * 2)


class Dirichlet(ExponentialFamily):
    """The Dirichlet distribution."""

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}
    support, has_rsample, _parts = constraints.simplex, True, ("concentration",)

    def __init__(self, concentration, validate_args=None):
        if concentration.dim() < 1:
            raise ValueError("Dirichlet: concentration has one dimension or more")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args=validate_args)

    mean = property(lambda self: self.concentration / self.concentration.sum(-1, True))

    @property
    def mode(self):
        less = (self.concentration - 1).clamp(min=0.0)
        made = less / less.sum(-1, True)
        flat = (self.concentration < 1).all(-1)
        if bool(flat.any()):
            from tenon.nn.functional import one_hot as hot
            made[flat] = hot(made[flat].argmax(-1), made.shape[-1]).to(made.dtype)
        return made

    @property
    def variance(self):
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        return _core._sample_dirichlet(self.concentration.expand(shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return (_core.xlogy(self.concentration - 1.0, value).sum(-1) + _core.lgamma(self.concentration.sum(-1))
                - _core.lgamma(self.concentration).sum(-1))

    def entropy(self):
        k, total = self.concentration.shape[-1], self.concentration.sum(-1)
        return (_core.lgamma(self.concentration).sum(-1) - _core.lgamma(total) - (k - total) * _core.digamma(total)
                - ((self.concentration - 1.0) * _core.digamma(self.concentration)).sum(-1))


class Beta(ExponentialFamily):
    """The beta distribution."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support, has_rsample, _parts = constraints.unit_interval, True, ("_dirichlet",)

    def __init__(self, concentration1, concentration0, validate_args=None):
        if isinstance(concentration1, Number) and isinstance(concentration0, Number):
            both = _core.tensor([float(concentration1), float(concentration0)])
        else:
            both = _core.stack(broadcast_all(concentration1, concentration0), -1)
        self._dirichlet = Dirichlet(both, validate_args=False)
        super().__init__(self._dirichlet.batch_shape, validate_args=validate_args)

    concentration1 = property(lambda self: self._dirichlet.concentration[..., 0])
    concentration0 = property(lambda self: self._dirichlet.concentration[..., 1])
    mean = property(lambda self: self.concentration1 / (self.concentration1 + self.concentration0))
    mode = property(lambda self: self._dirichlet.mode[..., 0])

    @property
    def variance(self):
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total.pow(2) * (total + 1))

    def rsample(self, sample_shape=()):
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self._dirichlet.log_prob(_core.stack([value, 1.0 - value], -1))

    def entropy(self):
        return self._dirichlet.entropy()

    def __repr__(self):
        return "Beta()"


class StudentT(Distribution):
    """Student's t distribution."""

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}
    support, has_rsample, _parts = constraints.real, True, ("df", "loc", "scale", "_chi2")

    def __init__(self, df, loc=0.0, scale=1.0, validate_args=None):
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        self._chi2 = Chi2(self.df)
        super().__init__(self.df.shape, validate_args=validate_args)

    @property
    def mean(self):
        return self.loc.masked_fill(self.df <= 1, math.nan)

    mode = property(lambda self: self.loc)

    @property
    def variance(self):
        made = self.scale.pow(2) * self.df / (self.df - 2)
        return made.masked_fill((self.df <= 2) & (self.df > 1), math.inf).masked_fill(self.df <= 1, math.nan)

    def rsample(self, sample_shape=()):
        x = _normals(self._extended_shape(sample_shape), self.df.dtype)
        z = self._chi2.rsample(sample_shape)
        return self.loc + self.scale * (x * _core.rsqrt(z / self.df))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        z = self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi) + _core.lgamma(0.5 * self.df) - _core.lgamma(0.5 * (self.df + 1.0))
        return -0.5 * (self.df + 1.0) * _core.log1p(y ** 2.0 / self.df) - z

    def entropy(self):
        beta = _core.lgamma(0.5 * self.df) + math.lgamma(0.5) - _core.lgamma(0.5 * (self.df + 1))
        return (self.scale.log() + 0.5 * (self.df + 1) * (_core.digamma(0.5 * (self.df + 1)) - _core.digamma(0.5 * self.df)) + 0.5 * self.df.log() + beta)


class FisherSnedecor(Distribution):
    """The F distribution."""

    arg_constraints = {"df1": constraints.positive, "df2": constraints.positive}
    support, has_rsample, _parts = constraints.positive, True, ("df1", "df2", "_gamma1", "_gamma2")

    def __init__(self, df1, df2, validate_args=None):
        self.df1, self.df2 = broadcast_all(df1, df2)
        self._gamma1, self._gamma2 = Gamma(self.df1 * 0.5, self.df1), Gamma(self.df2 * 0.5, self.df2)
        super().__init__(Size() if _shape(df1, df2) is not None else self.df1.shape, validate_args=validate_args)

    mean = property(lambda self: (self.df2 / (self.df2 - 2)).masked_fill(self.df2 <= 2, math.nan))
    mode = property(lambda self: ((self.df1 - 2) / self.df1 * self.df2 / (self.df2 + 2)).masked_fill(self.df1 <= 2, math.nan))

    @property
    def variance(self):
        a, b = self.df1, self.df2.masked_fill(self.df2 <= 4, math.nan)
        return 2 * b.pow(2) * (a + b - 2) / (a * (b - 2).pow(2) * (b - 4))

    def rsample(self, sample_shape=()):
        shape = Size(sample_shape)
        x1, x2 = self._gamma1.rsample(shape), self._gamma2.rsample(shape)
        tiny = _finfo(x2.dtype).tiny
        return (x1 / x2.clamp(min=tiny)).clamp(min=tiny)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        c1, c2, ratio = self.df1 * 0.5, self.df2 * 0.5, self.df1 / self.df2
        return ((c1 + c2).lgamma() - c1.lgamma() - c2.lgamma() + c1 * ratio.log() + (c1 - 1) * _core.log(value)
                - (c1 + c2) * _core.log1p(ratio * value))


class VonMises(Distribution):
    """The von Mises distribution on the circle."""

    arg_constraints = {"loc": constraints.real, "concentration": constraints.positive}
    support, has_rsample, _parts = constraints.real, False, ("loc", "concentration")

    def __init__(self, loc, concentration, validate_args=None):
        self.loc, self.concentration = broadcast_all(loc, concentration)
        super().__init__(self.loc.shape, validate_args=validate_args)

    mean = property(lambda self: self.loc)
    mode = property(lambda self: self.loc)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        made = self.concentration * _core.cos(value - self.loc)
        return made - math.log(2 * math.pi) - _core.log(_core.i0(self.concentration))

    @property
    def variance(self):
        """The circular variance."""
        function = getattr(_core, "special_i1", None)
        if function is None:
            self._no("variance: it needs the operator special_i1")
        return 1 - function(self.concentration) / _core.i0(self.concentration)

    def sample(self, sample_shape=()):
        """By rejection from a wrapped Cauchy distribution (Best and Fisher 1979), in float64."""
        shape = self._extended_shape(sample_shape)
        with _unseen():
            loc, concentration = self.loc.double(), self.concentration.double()
            tau = 1 + (1 + 4 * concentration ** 2).sqrt()
            rho = (tau - (2 * tau).sqrt()) / (2 * concentration)
            r = (1 + rho ** 2) / (2 * rho)
            r = _core.where(concentration < 1e-5, 1 / concentration + concentration, r).expand(shape)
            k = concentration.expand(shape)
            x, done = _core.empty(shape, dtype=_core.float64), _core.zeros(shape, dtype=_core.bool)
            while not bool(done.all()):
                u1, u2, u3 = _core.rand((3, *shape), dtype=_core.float64).unbind()
                z = _core.cos(math.pi * u1)
                f = (1 + r * z) / (r + z)
                c = k * (r - f)
                accept = ((c * (2 - c) - u2) > 0) | ((c / u2).log() + 1 - c >= 0)
                x = _core.where(accept, (u3 - 0.5).sign() * f.clamp(-1, 1).acos(), x)
                done = done | accept
            return ((x + math.pi + loc) % (2 * math.pi) - math.pi).to(self.loc.dtype)


class Gumbel(TransformedDistribution):
    """The Gumbel distribution."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support = constraints.real

    def __init__(self, loc, scale, validate_args=None):
        self.loc, self.scale = broadcast_all(loc, scale)
        info = _finfo(self.loc.dtype)
        if isinstance(loc, Number) and isinstance(scale, Number):
            base = Uniform(info.tiny, 1 - info.eps, validate_args=validate_args)
        else:
            base = Uniform(_core.full_like(self.loc, info.tiny), _core.full_like(self.loc, 1 - info.eps), validate_args=validate_args)
        steps = [ExpTransform().inv, AffineTransform(0, -_core.ones_like(self.scale)), ExpTransform().inv, AffineTransform(self.loc, -self.scale)]
        super().__init__(base, steps, validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        return Gumbel(self.loc.expand(batch_shape), self.scale.expand(batch_shape), validate_args=False)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        y = (self.loc - value) / self.scale
        return (y - y.exp()) - self.scale.log()

    mean = property(lambda self: self.loc + self.scale * 0.57721566490153286060)
    mode = property(lambda self: self.loc)
    stddev = property(lambda self: math.pi / math.sqrt(6) * self.scale)
    variance = property(lambda self: self.stddev.pow(2))

    def entropy(self):
        return self.scale.log() + (1 + 0.57721566490153286060)


class LogNormal(TransformedDistribution):
    """exp of a normal distribution."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support, has_rsample = constraints.positive, True

    def __init__(self, loc, scale, validate_args=None):
        super().__init__(Normal(loc, scale, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    loc = property(lambda self: self.base_dist.loc)
    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: (self.loc + self.scale.pow(2) / 2).exp())
    mode = property(lambda self: (self.loc - self.scale.square()).exp())
    variance = property(lambda self: self.scale.pow(2).expm1() * (2 * self.loc + self.scale.pow(2)).exp())

    def entropy(self):
        return self.base_dist.entropy() + self.loc


class HalfNormal(Distribution):
    """The size of a normal number."""

    arg_constraints = {"scale": constraints.positive}
    support, has_rsample, _parts = constraints.nonnegative, True, ("base_dist",)

    def __init__(self, scale, validate_args=None):
        self.base_dist = Normal(0, scale, validate_args=False)
        super().__init__(self.base_dist.batch_shape, validate_args=validate_args)

    scale = property(lambda self: self.base_dist.scale)
    mean = property(lambda self: self.scale * math.sqrt(2 / math.pi))
    mode = property(lambda self: _core.zeros_like(self.scale))
    variance = property(lambda self: self.scale.pow(2) * (1 - 2 / math.pi))

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape).abs()

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape).abs()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return _core.where(value >= 0, self.base_dist.log_prob(value) + math.log(2), -math.inf)

    def cdf(self, value):
        return 2 * self.base_dist.cdf(value) - 1

    def icdf(self, prob):
        return self.base_dist.icdf((prob + 1) / 2)

    def entropy(self):
        return self.base_dist.entropy() - math.log(2)


class HalfCauchy(HalfNormal):
    """The size of a Cauchy number."""

    def __init__(self, scale, validate_args=None):
        self.base_dist = Cauchy(0, scale, validate_args=False)
        Distribution.__init__(self, self.base_dist.batch_shape, validate_args=validate_args)

    mean = property(lambda self: _core.full(self._extended_shape(), math.inf, dtype=self.scale.dtype))
    variance = property(lambda self: self.base_dist.variance)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value = _core.as_tensor(value, dtype=self.scale.dtype)
        made = math.log(2 / math.pi) - self.scale.log() - (value / self.scale).pow(2).log1p()
        return _core.where(value >= 0, made, -math.inf)


class Pareto(TransformedDistribution):
    """The Pareto distribution."""

    arg_constraints = {"alpha": constraints.positive, "scale": constraints.positive}
    _parts = ("scale", "alpha")

    def __init__(self, scale, alpha, validate_args=None):
        self.scale, self.alpha = broadcast_all(scale, alpha)
        super().__init__(Exponential(self.alpha, validate_args=validate_args), [ExpTransform(), AffineTransform(0, self.scale)], validate_args=validate_args)

    mean = property(lambda self: self.alpha.clamp(min=1) * self.scale / (self.alpha.clamp(min=1) - 1))
    mode = property(lambda self: self.scale)

    @property
    def variance(self):
        a = self.alpha.clamp(min=2)
        return self.scale.pow(2) * a / ((a - 1).pow(2) * (a - 2))

    support = property(lambda self: constraints.greater_than_eq(self.scale))

    def entropy(self):
        return (self.scale / self.alpha).log() + (1 + self.alpha.reciprocal())


class Weibull(TransformedDistribution):
    """The Weibull distribution."""

    arg_constraints = {"scale": constraints.positive, "concentration": constraints.positive}
    support, _parts = constraints.positive, ("scale", "concentration", "concentration_reciprocal")

    def __init__(self, scale, concentration, validate_args=None):
        self.scale, self.concentration = broadcast_all(scale, concentration)
        self.concentration_reciprocal = self.concentration.reciprocal()
        base = Exponential(_core.ones_like(self.scale), validate_args=validate_args)
        super().__init__(base, [PowerTransform(self.concentration_reciprocal), AffineTransform(0, self.scale)], validate_args=validate_args)

    mean = property(lambda self: self.scale * _core.exp(_core.lgamma(1 + self.concentration_reciprocal)))
    mode = property(lambda self: self.scale * ((self.concentration - 1) / self.concentration) ** self.concentration_reciprocal)

    @property
    def variance(self):
        r = self.concentration_reciprocal
        return self.scale.pow(2) * (_core.exp(_core.lgamma(1 + 2 * r)) - _core.exp(2 * _core.lgamma(1 + r)))

    def entropy(self):
        return 0.57721566490153286060 * (1 - self.concentration_reciprocal) + _core.log(self.scale * self.concentration_reciprocal) + 1


class Kumaraswamy(TransformedDistribution):
    """The Kumaraswamy distribution."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}
    support, has_rsample, _parts = constraints.unit_interval, True, ("concentration1", "concentration0")

    def __init__(self, concentration1, concentration0, validate_args=None):
        self.concentration1, self.concentration0 = broadcast_all(concentration1, concentration0)
        base = Uniform(_core.full_like(self.concentration0, 0), _core.full_like(self.concentration0, 1), validate_args=validate_args)
        steps = [PowerTransform(self.concentration0.reciprocal()), AffineTransform(1.0, -1.0), PowerTransform(self.concentration1.reciprocal())]
        super().__init__(base, steps, validate_args=validate_args)

    def _moment(self, n):
        a, b = self.concentration1, self.concentration0
        return _core.exp(b.log() + _core.lgamma(1 + n / a) + _core.lgamma(b) - _core.lgamma(1 + n / a + b))

    mean = property(lambda self: self._moment(1))
    variance = property(lambda self: self._moment(2) - self.mean.pow(2))

    @property
    def mode(self):
        a, b = self.concentration1, self.concentration0
        made = ((a - 1) / (a * b - 1)) ** a.reciprocal()
        return made.masked_fill((a < 1) | (b < 1), math.nan)

    def entropy(self):
        a, b = self.concentration1, self.concentration0
        return 1 - b.reciprocal() + (1 - a.reciprocal()) * (_core.digamma(b + 1) + 0.57721566490153286060) - a.log() - b.log()


class InverseGamma(TransformedDistribution):
    """1 / a gamma number."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}
    support, has_rsample = constraints.positive, True

    def __init__(self, concentration, rate, validate_args=None):
        base = Gamma(concentration, rate, validate_args=validate_args)
        super().__init__(base, PowerTransform(-base.rate.new_ones(())), validate_args=validate_args)

    concentration = property(lambda self: self.base_dist.concentration)
    rate = property(lambda self: self.base_dist.rate)
    mean = property(lambda self: _core.where(self.concentration > 1, self.rate / (self.concentration - 1), math.inf))
    mode = property(lambda self: self.rate / (self.concentration + 1))

    @property
    def variance(self):
        a = self.concentration
        return _core.where(a > 2, self.rate.square() / ((a - 1).square() * (a - 2)), math.inf)

    def entropy(self):
        a = self.concentration
        return a + self.rate.log() + _core.lgamma(a) - (1 + a) * _core.digamma(a)


class LogisticNormal(TransformedDistribution):
    """A normal vector as numbers that add up to 1."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}
    support, has_rsample = constraints.simplex, True

    def __init__(self, loc, scale, validate_args=None):
        base = Normal(loc, scale, validate_args=validate_args)
        if not base.batch_shape:
            base = base.expand([1])
        super().__init__(base, StickBreakingTransform(), validate_args=validate_args)

    loc = property(lambda self: self.base_dist.base_dist.loc)
    scale = property(lambda self: self.base_dist.base_dist.scale)


class LogitRelaxedBernoulli(Distribution):
    """The logits of RelaxedBernoulli."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support, has_rsample, _parts, _kept = constraints.real, True, ("probs", "logits", "_param"), ("temperature",)

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        self.temperature = temperature
        if (probs is None) == (logits is None):
            raise ValueError("give probs or logits, not both")
        if probs is not None:
            (self.probs,) = broadcast_all(probs)
        else:
            (self.logits,) = broadcast_all(logits)
        self._param = self.probs if probs is not None else self.logits
        super().__init__(self._param.shape, validate_args=validate_args)

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=True)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        probs = clamp_probs(self.probs.expand(shape))
        uniforms = clamp_probs(_core.rand(shape, dtype=probs.dtype))
        return (uniforms.log() - (-uniforms).log1p() + probs.log() - (-probs).log1p()) / self.temperature

    def log_prob(self, value):
        logits, value = broadcast_all(self.logits, value)
        diff = logits - value.mul(self.temperature)
        temperature = self.temperature if isinstance(self.temperature, Tensor) else _core.tensor(self.temperature)
        return temperature.log() + diff - 2 * diff.exp().log1p()


class RelaxedBernoulli(TransformedDistribution):
    """A Bernoulli number, made continuous."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support, has_rsample = constraints.unit_interval, True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(LogitRelaxedBernoulli(temperature, probs, logits), SigmoidTransform(), validate_args=validate_args)

    temperature = property(lambda self: self.base_dist.temperature)
    logits = property(lambda self: self.base_dist.logits)
    probs = property(lambda self: self.base_dist.probs)


class ExpRelaxedCategorical(Distribution):
    """The logarithms of RelaxedOneHotCategorical."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support, has_rsample, _parts, _kept = constraints.real_vector, True, ("_categorical",), ("temperature",)

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        from tenon.distributions._discrete import Categorical
        self._categorical, self.temperature = Categorical(probs, logits), temperature
        super().__init__(self._categorical.batch_shape, self._categorical._param.shape[-1:], validate_args=validate_args)

    logits = property(lambda self: self._categorical.logits)
    probs = property(lambda self: self._categorical.probs)

    def rsample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        uniforms = clamp_probs(_core.rand(shape, dtype=self.logits.dtype))
        scores = (self.logits.expand(shape) + -((-(uniforms.log())).log())) / self.temperature
        return scores - scores.logsumexp(dim=-1, keepdim=True)

    def log_prob(self, value):
        k = self._categorical._num_events
        logits, value = broadcast_all(self.logits, value)
        temperature = self.temperature if isinstance(self.temperature, Tensor) else _core.tensor(float(self.temperature))
        scale = _core.full_like(temperature, float(k)).lgamma() - temperature.log().mul(-(k - 1))
        score = logits - value.mul(self.temperature)
        return (score - score.logsumexp(dim=-1, keepdim=True)).sum(-1) + scale


class RelaxedOneHotCategorical(TransformedDistribution):
    """A OneHotCategorical value, made continuous."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support, has_rsample = constraints.simplex, True

    def __init__(self, temperature, probs=None, logits=None, validate_args=None):
        super().__init__(ExpRelaxedCategorical(temperature, probs, logits, validate_args=validate_args), ExpTransform(), validate_args=validate_args)

    temperature = property(lambda self: self.base_dist.temperature)
    logits = property(lambda self: self.base_dist.logits)
    probs = property(lambda self: self.base_dist.probs)


class ContinuousBernoulli(ExponentialFamily):
    """The continuous Bernoulli distribution (Loaiza-Ganem and Cunningham, 2019); near 1/2 its formulas are series."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support, has_rsample, _parts = constraints.unit_interval, True, ("probs", "logits")

    def __init__(self, probs=None, logits=None, lims=(0.499, 0.501), validate_args=None):
        if (probs is None) == (logits is None):
            raise ValueError("ContinuousBernoulli: give one of probs and logits")
        given = probs if probs is not None else logits
        (made,) = broadcast_all(given)
        if probs is not None:
            if validate_args is not None and not bool(constraints.unit_interval.check(made).all()):
                raise ValueError("ContinuousBernoulli: probs must be between 0 and 1")
            self.probs = clamp_probs(made)
        else:
            self.logits = made
        self._lims = lims
        super().__init__(Size() if isinstance(given, Number) else made.shape, validate_args=validate_args)

    logits = lazy_property(lambda self: probs_to_logits(self.probs, is_binary=True))
    probs = lazy_property(lambda self: clamp_probs(logits_to_probs(self.logits, is_binary=True)))
    logits.name, probs.name = "logits", "probs"

    @property
    def param_shape(self):
        """The shape of the parameter."""
        return (self.__dict__["probs"] if "probs" in self.__dict__ else self.logits).size()

    def _far(self):
        return (self.probs <= self._lims[0]) | (self.probs > self._lims[1])

    def _cut(self):
        return _core.where(self._far(), self.probs, self._lims[0] * _core.ones_like(self.probs))

    def _log_norm(self):
        cut = self._cut()
        below, above = _core.where(cut <= 0.5, cut, _core.zeros_like(cut)), _core.where(cut >= 0.5, cut, _core.ones_like(cut))
        made = _core.log((_core.log1p(-cut) - _core.log(cut)).abs()) - _core.where(cut <= 0.5, _core.log1p(-2.0 * below), _core.log(2.0 * above - 1.0))
        x = (self.probs - 0.5).pow(2)
        return _core.where(self._far(), made, math.log(2.0) + (4.0 / 3.0 + 104.0 / 45.0 * x) * x)

    @property
    def mean(self):
        cut = self._cut()
        x = self.probs - 0.5
        return _core.where(self._far(), cut / (2.0 * cut - 1.0) + 1.0 / (_core.log1p(-cut) - _core.log(cut)), 0.5 + (1.0 / 3.0 + 16.0 / 45.0 * x.pow(2)) * x)

    @property
    def variance(self):
        cut = self._cut()
        x = (self.probs - 0.5).pow(2)
        made = cut * (cut - 1.0) / (1.0 - 2.0 * cut).pow(2) + 1.0 / (_core.log1p(-cut) - _core.log(cut)).pow(2)
        return _core.where(self._far(), made, 1.0 / 12.0 - (1.0 / 15.0 - 128.0 / 945.0 * x) * x)

    stddev = property(lambda self: self.variance.sqrt())

    def rsample(self, sample_shape=()):
        return self.icdf(_core.rand(self._extended_shape(sample_shape), dtype=self.probs.dtype))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -_core.binary_cross_entropy_with_logits(logits, value, reduction=0) + self._log_norm()

    def cdf(self, value):
        if self._validate_args:
            self._validate_sample(value)
        cut = self._cut()
        made = (_core.pow(cut, value) * _core.pow(1.0 - cut, 1.0 - value) + cut - 1.0) / (2.0 * cut - 1.0)
        made = _core.where(self._far(), made, value)
        made = _core.where(value <= 0.0, _core.zeros_like(made), made)
        return _core.where(value >= 1.0, _core.ones_like(made), made)

    def icdf(self, value):
        cut = self._cut()
        made = (_core.log1p(-cut + value * (2.0 * cut - 1.0)) - _core.log1p(-cut)) / (_core.log(cut) - _core.log1p(-cut))
        return _core.where(self._far(), made, value)

    def entropy(self):
        zeros, ones = _core.log1p(-self.probs), _core.log(self.probs)
        return self.mean * (zeros - ones) - self._log_norm() - zeros


class GeneralizedPareto(Distribution):
    """The generalised Pareto distribution."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive, "concentration": constraints.real}
    has_rsample, _parts = True, ("loc", "scale", "concentration")

    def __init__(self, loc, scale, concentration, validate_args=None):
        self.loc, self.scale, self.concentration = broadcast_all(loc, scale, concentration)
        super().__init__(Size() if _shape(loc, scale, concentration) is not None else self.loc.shape, validate_args=validate_args)

    @property
    def support(self):
        end = _core.where(self.concentration < 0, self.loc - self.scale / self.concentration, math.inf)
        return constraints.interval(self.loc, end)

    def _safe(self):
        zero = _core.isclose(self.concentration, _core.zeros_like(self.concentration))
        return zero, _core.where(zero, _core.ones_like(self.concentration), self.concentration)

    def rsample(self, sample_shape=()):
        return self.icdf(_core.rand(self._extended_shape(sample_shape), dtype=self.loc.dtype))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        zero, safe = self._safe()
        made = -(1 / safe + _core.ones_like(safe)) * _core.log1p(safe * y)
        return _core.where(zero, -y, made) - _core.log(self.scale)

    def log_survival_function(self, value):
        """The logarithm of the probability of more than this value."""
        if self._validate_args:
            self._validate_sample(value)
        y = (value - self.loc) / self.scale
        zero, safe = self._safe()
        return _core.where(zero, -y, -_core.log1p(safe * y) / safe)

    def log_cdf(self, value):
        """The logarithm of cdf."""
        return _core.log1p(-_core.exp(self.log_survival_function(value)))

    def cdf(self, value):
        return _core.exp(self.log_cdf(value))

    def icdf(self, value):
        log = _core.log1p(-value)
        zero, safe = self._safe()
        return _core.where(zero, self.loc - self.scale * log, self.loc + self.scale / safe * _core.expm1(-safe * log))

    @property
    def mean(self):
        c = self.concentration
        finite = c < 1
        return _core.where(finite, self.loc + self.scale / (1 - _core.where(finite, c, _core.full_like(c, 0.5))), _core.full_like(self.loc, math.inf))

    @property
    def variance(self):
        c = self.concentration
        finite = c < 0.5
        c = _core.where(finite, c, _core.full_like(c, 0.25))
        return _core.where(finite, self.scale ** 2 / ((1 - c) ** 2 * (1 - 2 * c)), _core.full_like(self.loc, math.inf))

    mode = property(lambda self: self.loc)

    def entropy(self):
        return (_core.log(self.scale) + self.concentration + 1).expand(self._batch_shape)
