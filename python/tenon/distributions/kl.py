"""Kullback-Leibler divergences of pairs of distributions."""

import functools
import math

from tenon import _core
from tenon.distributions import _continuous as C
from tenon.distributions import _discrete as D
from tenon.distributions._base import Distribution, Independent, TransformedDistribution, _sum_rightmost

__all__ = ["kl_divergence", "register_kl"]

_known = {}


def register_kl(type_p, type_q):
    """A decorator for a function of two distributions of these classes."""
    if not isinstance(type_p, type) or not issubclass(type_p, Distribution) or not issubclass(type_q, Distribution):
        raise TypeError("register_kl takes two classes of distributions")

    def keep(function):
        _known[type_p, type_q] = function
        _find.cache_clear()
        return function
    return keep


@functools.lru_cache(None)
def _find(type_p, type_q):
    fits = [(p, q) for p, q in _known if issubclass(type_p, p) and issubclass(type_q, q)]
    if not fits:
        return None
    return _known[min(fits, key=lambda pair: (type_p.__mro__.index(pair[0]), type_q.__mro__.index(pair[1])))]


def kl_divergence(p, q):
    """The divergence of q from p."""
    function = _find(type(p), type(q))
    if function is None and _known and "_vectors" not in globals():
        globals()["_vectors"] = _matrices()
        function = _find(type(p), type(q))
    if function is None:
        raise NotImplementedError(f"there is no divergence of {type(q).__name__} from {type(p).__name__}; register_kl can add one")
    return function(p, q)


@register_kl(C.Normal, C.Normal)
def _(p, q):
    ratio = (p.scale / q.scale).pow(2)
    return 0.5 * (ratio + ((p.loc - q.loc) / q.scale).pow(2) - 1 - ratio.log())


@register_kl(D.Bernoulli, D.Bernoulli)
def _(p, q):
    softplus = _core.softplus
    t1 = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    t1 = t1.masked_fill(q.probs == 0, math.inf).masked_fill(p.probs == 0, 0)
    t2 = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    return t1 + t2.masked_fill(q.probs == 1, math.inf).masked_fill(p.probs == 1, 0)


@register_kl(D.Binomial, D.Binomial)
def _(p, q):
    made = p.total_count * (p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p())
    return made.masked_fill(p.total_count > q.total_count, math.inf)


@register_kl(D.Categorical, D.Categorical)
def _(p, q):
    t = p.probs * (p.logits - q.logits)
    t = t.masked_fill((q.probs == 0).expand(t.shape), math.inf).masked_fill((p.probs == 0).expand(t.shape), 0)
    return t.sum(-1)


@register_kl(D.OneHotCategorical, D.OneHotCategorical)
def _(p, q):
    return kl_divergence(p._categorical, q._categorical)


@register_kl(D.Geometric, D.Geometric)
def _(p, q):
    return -p.entropy() - _core.log1p(-q.probs) / p.probs - q.logits


@register_kl(D.Poisson, D.Poisson)
def _(p, q):
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(C.Exponential, C.Exponential)
def _(p, q):
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(C.Gamma, C.Gamma)
def _(p, q):
    t1 = q.concentration * (p.rate / q.rate).log()
    t2 = _core.lgamma(q.concentration) - _core.lgamma(p.concentration)
    t3 = (p.concentration - q.concentration) * _core.digamma(p.concentration)
    return t1 + t2 + t3 + (q.rate - p.rate) * (p.concentration / p.rate)


@register_kl(C.Beta, C.Beta)
def _(p, q):
    total_p, total_q = p.concentration1 + p.concentration0, q.concentration1 + q.concentration0
    t1 = q.concentration1.lgamma() + q.concentration0.lgamma() + total_p.lgamma()
    t2 = p.concentration1.lgamma() + p.concentration0.lgamma() + total_q.lgamma()
    t3 = (p.concentration1 - q.concentration1) * _core.digamma(p.concentration1)
    t4 = (p.concentration0 - q.concentration0) * _core.digamma(p.concentration0)
    return t1 - t2 + t3 + t4 + (total_q - total_p) * _core.digamma(total_p)


@register_kl(C.Dirichlet, C.Dirichlet)
def _(p, q):
    total_p, total_q = p.concentration.sum(-1), q.concentration.sum(-1)
    t1 = total_p.lgamma() - total_q.lgamma()
    t2 = (p.concentration.lgamma() - q.concentration.lgamma()).sum(-1)
    t4 = p.concentration.digamma() - total_p.digamma().unsqueeze(-1)
    return t1 - t2 + ((p.concentration - q.concentration) * t4).sum(-1)


@register_kl(C.Laplace, C.Laplace)
def _(p, q):
    ratio, distance = p.scale / q.scale, (p.loc - q.loc).abs()
    return -ratio.log() + distance / q.scale + ratio * (-distance / p.scale).exp() - 1


@register_kl(C.Uniform, C.Uniform)
def _(p, q):
    made = ((q.high - q.low) / (p.high - p.low)).log()
    return made.masked_fill((q.low > p.low) | (q.high < p.high), math.inf)


@register_kl(C.Cauchy, C.Cauchy)
def _(p, q):
    return ((p.scale + q.scale).pow(2) + (p.loc - q.loc).pow(2)).log() - (4 * p.scale * q.scale).log()


@register_kl(C.Gumbel, C.Gumbel)
def _(p, q):
    ct1, euler = p.scale / q.scale, 0.57721566490153286060
    ct2, ct3 = q.loc / q.scale, p.loc / q.scale
    return -ct1.log() - ct2 + ct3 + ct1 * euler + _core.exp(ct2 + (1 + ct1).lgamma() - ct3) - (1 + euler)


@register_kl(C.HalfNormal, C.HalfNormal)
def _(p, q):
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(C.Exponential, C.Gamma)
def _(p, q):
    ratio = q.rate / p.rate
    t1 = -q.concentration * _core.log(ratio)
    return t1 + ratio + q.concentration.lgamma() + q.concentration * 0.57721566490153286060 - (1 + 0.57721566490153286060)


@register_kl(C.Uniform, C.Normal)
def _(p, q):
    width = p.high - p.low
    t1 = (math.sqrt(math.pi * 2) * q.scale / width).log()
    return t1 + 0.5 * (width.pow(2) / 12 + ((p.high + p.low - 2 * q.loc) / 2).pow(2)) / q.scale.pow(2)


@register_kl(C.Laplace, C.Normal)
def _(p, q):
    variance = q.scale.pow(2)
    ratio = p.scale.pow(2) / variance
    return -(0.5 * _core.log(2 * ratio / math.pi)) + ratio + 0.5 * p.loc.pow(2) / variance - p.loc * q.loc / variance + 0.5 * q.loc.pow(2) / variance - 1


# The other pairs are the cross entropy less the entropy: -E log q(x) from what is known of x under p.

_EULER = 0.57721566490153286060


def _infinite(p, q):
    """For what is possible under p and not under q; the shape is p's, as in PyTorch."""
    return _core.full_like(p.rate if isinstance(p, D.Poisson) else p.entropy(), math.inf)


def _x_log_x(x):
    return _core.xlogy(x, x)


def _mean_log(p):
    """E log x."""
    if isinstance(p, C.Beta):
        return p.concentration1.digamma() - (p.concentration1 + p.concentration0).digamma()
    if isinstance(p, C.Gamma):
        return p.concentration.digamma() - p.rate.log()
    if isinstance(p, C.Exponential):
        return -_EULER - p.rate.log()
    if isinstance(p, C.Pareto):
        return p.scale.log() + p.alpha.reciprocal()
    return (_x_log_x(p.high) - _x_log_x(p.low)) / (p.high - p.low) - 1  # Uniform


def _to_normal(p, q):
    spread = (p.variance + (p.mean - q.loc).pow(2)) / q.scale.pow(2)
    return 0.5 * spread + (math.sqrt(2 * math.pi) * q.scale).log() - p.entropy()


def _to_exponential(p, q):
    return q.rate * p.mean - q.rate.log() - p.entropy()


def _to_gamma(p, q):
    log_q = q.concentration * q.rate.log() - q.concentration.lgamma() + (q.concentration - 1) * _mean_log(p) - q.rate * p.mean
    return -log_q - p.entropy()


def _to_continuous_bernoulli(p, q):
    return -p.mean * q.logits - _core.log1p(-q.probs) - q._log_norm() - p.entropy()


def _to_gumbel(p, q, shrunk):
    """shrunk is E exp(-x / q.scale)."""
    return q.scale.log() + (p.mean - q.loc) / q.scale + (q.loc / q.scale).exp() * shrunk - p.entropy()


def _to_uniform(p, q):
    return (q.high - q.low).log().masked_fill((q.low > 0) | (q.high < 1), math.inf) - p.entropy()


def _to_pareto(p, q, outside):
    made = (q.alpha + 1) * _mean_log(p) - q.alpha.log() - q.alpha * q.scale.log() - p.entropy()
    return made.masked_fill(outside, math.inf)


for _one in (C.Beta, C.ContinuousBernoulli, C.Exponential, C.Gamma, C.Gumbel):
    register_kl(_one, C.Normal)(_to_normal)
for _one in (C.Beta, C.ContinuousBernoulli):
    register_kl(_one, C.Exponential)(_to_exponential)
    register_kl(_one, C.Uniform)(_to_uniform)
    register_kl(_one, C.Pareto)(_infinite)
for _one in (C.Exponential, C.Gamma, C.Gumbel, C.Laplace, C.Normal, C.Pareto):
    for _other in (C.Beta, C.ContinuousBernoulli, C.Uniform):
        register_kl(_one, _other)(_infinite)
    if _one is not C.Pareto:
        register_kl(_one, C.Pareto)(_infinite)
register_kl(D.Poisson, D.Bernoulli)(_infinite)
register_kl(D.Poisson, D.Binomial)(_infinite)
for _one in (C.Gumbel, C.Laplace, C.Normal):
    register_kl(_one, C.Exponential)(_infinite)
    register_kl(_one, C.Gamma)(_infinite)
register_kl(C.Beta, C.Gamma)(_to_gamma)
register_kl(C.Beta, C.ContinuousBernoulli)(_to_continuous_bernoulli)
register_kl(C.Gamma, C.Exponential)(_to_exponential)


@register_kl(D.Bernoulli, D.Poisson)
def _(p, q):
    return q.rate - p.probs * q.rate.log() - p.entropy()


@register_kl(C.Exponential, C.Gumbel)
def _(p, q):
    ratio = p.rate * q.scale
    return _to_gumbel(p, q, ratio / (1 + ratio))


@register_kl(C.Gamma, C.Gumbel)
def _(p, q):
    ratio = p.rate * q.scale
    return _to_gumbel(p, q, (ratio / (1 + ratio)).pow(p.concentration))


@register_kl(C.Normal, C.Gumbel)
def _(p, q):
    return _to_gumbel(p, q, (0.5 * (p.scale / q.scale).pow(2) - p.loc / q.scale).exp())


@register_kl(C.Uniform, C.Gumbel)
def _(p, q):
    return _to_gumbel(p, q, q.scale * ((-p.low / q.scale).exp() - (-p.high / q.scale).exp()) / (p.high - p.low))


@register_kl(C.Normal, C.Laplace)
def _(p, q):
    apart = p.loc - q.loc
    away = math.sqrt(2 / math.pi) * p.scale * (-0.5 * (apart / p.scale).pow(2)).exp() + apart * (apart / (math.sqrt(2) * p.scale)).erf()
    return away / q.scale + (2 * q.scale).log() - p.entropy()


@register_kl(C.Uniform, C.Beta)
def _(p, q):
    one, zero = q.concentration1, q.concentration0
    other = (_x_log_x(1 - p.low) - _x_log_x(1 - p.high)) / (p.high - p.low) - 1  # E log(1 - x)
    made = one.lgamma() + zero.lgamma() - (one + zero).lgamma() - (one - 1) * _mean_log(p) - (zero - 1) * other - p.entropy()
    return made.masked_fill((p.high > 1) | (p.low < 0), math.inf)


@register_kl(C.Uniform, C.ContinuousBernoulli)
def _(p, q):
    return _to_continuous_bernoulli(p, q).masked_fill((p.high > 1) | (p.low < 0), math.inf)


@register_kl(C.Uniform, C.Exponential)
def _(p, q):
    return _to_exponential(p, q).masked_fill(p.low < 0, math.inf)


@register_kl(C.Uniform, C.Gamma)
def _(p, q):
    return _to_gamma(p, q).masked_fill(p.low < 0, math.inf)


@register_kl(C.Uniform, C.Pareto)
def _(p, q):
    return _to_pareto(p, q, p.low < q.scale)


@register_kl(C.Pareto, C.Pareto)
def _(p, q):
    ratio = q.alpha / p.alpha
    return (q.alpha * (p.scale / q.scale).log() - ratio.log() + ratio - 1).masked_fill(p.scale < q.scale, math.inf)


@register_kl(C.Pareto, C.Exponential)
def _(p, q):
    return _to_exponential(p, q).masked_fill(p.alpha <= 1, math.inf)


@register_kl(C.Pareto, C.Gamma)
def _(p, q):
    return _to_gamma(p, q).masked_fill(p.alpha <= 1, math.inf)


@register_kl(C.Pareto, C.Normal)
def _(p, q):
    return _to_normal(p, q).masked_fill(p.alpha <= 2, math.inf)


def _matrices():
    """The divergences of distributions of vectors, which are loaded with them."""
    from tenon.distributions import _matrix as M

    @register_kl(M.MultivariateNormal, M.MultivariateNormal)
    def _(p, q):
        if p.event_shape != q.event_shape:
            raise ValueError(f"the divergence needs vectors of one length, not {p.event_shape[0]} and {q.event_shape[0]}")
        n = p.event_shape[0]
        half = M._log_diagonal(q._factor) - M._log_diagonal(p._factor)
        batch = _core.broadcast_shapes(q._factor.shape[:-2], p._factor.shape[:-2])
        solved = M._solve_lower(q._factor.expand((*batch, n, n)), p._factor.expand((*batch, n, n)))
        return half + 0.5 * (solved.pow(2).sum((-2, -1)) + M._mahalanobis(q._factor, q.loc - p.loc) - n)

    def plain(one):
        return one if isinstance(one, M.MultivariateNormal) else M.MultivariateNormal(one.loc, scale_tril=one.scale_tril)

    for pair in ((M.LowRankMultivariateNormal, M.LowRankMultivariateNormal), (M.LowRankMultivariateNormal, M.MultivariateNormal),
                 (M.MultivariateNormal, M.LowRankMultivariateNormal)):
        register_kl(*pair)(lambda p, q: kl_divergence(plain(p), plain(q)))

    @register_kl(M.Wishart, M.Wishart)
    def _(p, q):
        if p.event_shape != q.event_shape:
            raise ValueError(f"the divergence needs matrices of one size, not {p.event_shape[-1]} and {q.event_shape[-1]}")
        n = p.event_shape[-1]
        batch = _core.broadcast_shapes(q._factor.shape[:-2], p._factor.shape[:-2])
        trace = M._solve_lower(q._factor.expand((*batch, n, n)), p._factor.expand((*batch, n, n))).pow(2).sum((-2, -1))
        return (q.df * (M._log_diagonal(q._factor) - M._log_diagonal(p._factor)) + 0.5 * p.df * (trace - n)
                + M._mvlgamma(q.df / 2, n) - M._mvlgamma(p.df / 2, n) + 0.5 * (p.df - q.df) * M._mvdigamma(p.df / 2, n))


@register_kl(C.ContinuousBernoulli, C.ContinuousBernoulli)
def _(p, q):
    return p.mean * (p.logits - q.logits) + p._log_norm() + _core.log1p(-p.probs) - q._log_norm() - _core.log1p(-q.probs)


@register_kl(TransformedDistribution, TransformedDistribution)
def _(p, q):
    if p.transforms != q.transforms or p.event_shape != q.event_shape:
        raise NotImplementedError("the divergence of transformed distributions needs the same transforms")
    return kl_divergence(p.base_dist, q.base_dist)


@register_kl(Independent, Independent)
def _(p, q):
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError("the divergence of Independent distributions needs as many dimensions in both")
    return _sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)
