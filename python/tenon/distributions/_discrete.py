"""Distributions of whole numbers and of choices."""

import math
from numbers import Number

from tenon import _core
from tenon.distributions import constraints
from tenon.distributions._base import (Distribution, ExponentialFamily, Size, broadcast_all, lazy_property, logits_to_probs, probs_to_logits)
from tenon.distributions._continuous import Gamma, _unseen


def _one_of(name, probs, logits):
    if (probs is None) == (logits is None):
        raise ValueError(f"{name}: give probs or logits, not both")


class _Binary(Distribution):
    """probs or logits of yes and no."""

    _parts = ("probs", "logits", "total_count")

    def _take(self, probs, logits):
        _one_of(type(self).__name__, probs, logits)
        if probs is not None:
            (self.probs,) = broadcast_all(probs)
        else:
            (self.logits,) = broadcast_all(logits)
        return Size() if isinstance(probs if probs is not None else logits, Number) else self._param.shape

    @property
    def _param(self):
        return self.__dict__["probs"] if "probs" in self.__dict__ else self.__dict__["logits"]

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs, is_binary=True)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits, is_binary=True)

    @property
    def param_shape(self):
        return self._param.shape


def _bce(logits, value):
    return _losses().binary_cross_entropy_with_logits(logits, value, reduction="none")


def _losses():
    from tenon.nn import functional
    return functional


class Bernoulli(_Binary, ExponentialFamily):
    """1 with a probability, else 0."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support, has_enumerate_support = constraints.boolean, True

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._take(probs, logits), validate_args=validate_args)

    mean = property(lambda self: self.probs)
    variance = property(lambda self: self.probs * (1 - self.probs))

    @property
    def mode(self):
        made = (self.probs >= 0.5).to(self.probs.dtype)
        return made.masked_fill(self.probs == 0.5, math.nan)

    def sample(self, sample_shape=()):
        with _unseen():
            return _core.bernoulli(self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -_bce(logits, value)

    def entropy(self):
        return _bce(self.logits, self.probs)

    def enumerate_support(self, expand=True):
        values = _core.arange(2, dtype=self._param.dtype).reshape((-1, *(1,) * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values


class Geometric(_Binary):
    """How often nothing happened before it did."""

    arg_constraints = {"probs": constraints.unit_interval, "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(self._take(probs, logits), validate_args=validate_args)
        if self._validate_args and probs is not None and not bool((self.probs > 0).all()):
            raise ValueError("Geometric: probs must be positive")

    mean = property(lambda self: 1.0 / self.probs - 1.0)
    mode = property(lambda self: _core.zeros_like(self.probs))
    variance = property(lambda self: (1.0 / self.probs - 1.0) / self.probs)

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        import tenon
        with _unseen():
            u = _core.empty(shape, dtype=self.probs.dtype).uniform_(tenon.finfo(self.probs.dtype).tiny, 1)
            return (u.log() / (-self.probs).log1p()).floor()

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        probs = probs.masked_fill((probs == 1) & (value == 0), 0)
        return value * (-probs).log1p() + self.probs.log()

    def entropy(self):
        return _bce(self.logits, self.probs) / self.probs


class Binomial(_Binary):
    """How often of total_count times."""

    arg_constraints = {"total_count": constraints.nonnegative_integer, "probs": constraints.unit_interval, "logits": constraints.real}
    has_enumerate_support = True

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        _one_of("Binomial", probs, logits)
        if probs is not None:
            self.total_count, self.probs = broadcast_all(total_count, probs)
            self.total_count = self.total_count.to(self.probs.dtype)
        else:
            self.total_count, self.logits = broadcast_all(total_count, logits)
            self.total_count = self.total_count.to(self.logits.dtype)
        super().__init__(self._param.shape, validate_args=validate_args)

    support = property(lambda self: constraints.integer_interval(0, self.total_count))
    mean = property(lambda self: self.total_count * self.probs)
    mode = property(lambda self: ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count))
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))

    def sample(self, sample_shape=()):
        shape = self._extended_shape(sample_shape)
        with _unseen():
            return _core.binomial(self.total_count.expand(shape), self.probs.expand(shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        n = self.total_count
        clamped = self.logits.clamp(min=0)
        scale = n * clamped + n * _core.log1p(_core.exp(-_core.abs(self.logits))) - _core.lgamma(n + 1)
        return value * self.logits - _core.lgamma(value + 1) - _core.lgamma(n - value + 1) - scale

    def entropy(self):
        total = int(self.total_count.max())
        if int(self.total_count.min()) != total:
            raise NotImplementedError("Binomial: the entropy is for one total_count")
        log_prob = self.log_prob(self.enumerate_support(False))
        return -(_core.exp(log_prob) * log_prob).sum(0)

    def enumerate_support(self, expand=True):
        total = int(self.total_count.max())
        if not bool((self.total_count == total).all()):
            raise NotImplementedError("Binomial.enumerate_support: the counts differ, so there is no list of values for all")
        values = _core.arange(1 + total, dtype=self._param.dtype).reshape((-1, *(1,) * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values


class NegativeBinomial(_Binary):
    """How often it happened before it failed total_count times."""

    arg_constraints = {"total_count": constraints.greater_than_eq(0), "probs": constraints.half_open_interval(0.0, 1.0), "logits": constraints.real}
    support = constraints.nonnegative_integer

    def __init__(self, total_count, probs=None, logits=None, validate_args=None):
        _one_of("NegativeBinomial", probs, logits)
        if probs is not None:
            self.total_count, self.probs = broadcast_all(total_count, probs)
            self.total_count = self.total_count.to(self.probs.dtype)
        else:
            self.total_count, self.logits = broadcast_all(total_count, logits)
            self.total_count = self.total_count.to(self.logits.dtype)
        super().__init__(self._param.shape, validate_args=validate_args)

    mean = property(lambda self: self.total_count * _core.exp(self.logits))
    variance = property(lambda self: self.mean / _core.sigmoid(-self.logits))
    mode = property(lambda self: ((self.total_count - 1) * self.logits.exp()).floor().clamp(min=0.0))

    def sample(self, sample_shape=()):
        with _unseen():
            rate = Gamma(self.total_count, _core.exp(-self.logits), validate_args=False).sample(sample_shape)
            return _core.poisson(rate)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        unnormalised = self.total_count * _losses().logsigmoid(-self.logits) + value * _losses().logsigmoid(self.logits)
        scale = -_core.lgamma(self.total_count + value) + _core.lgamma(1.0 + value) + _core.lgamma(self.total_count)
        return unnormalised - scale.masked_fill(self.total_count + value == 0.0, 0.0)


class Poisson(ExponentialFamily):
    """The Poisson distribution."""

    arg_constraints = {"rate": constraints.nonnegative}
    support, _parts = constraints.nonnegative_integer, ("rate",)

    def __init__(self, rate, validate_args=None):
        (self.rate,) = broadcast_all(rate)
        super().__init__(Size() if isinstance(rate, Number) else self.rate.shape, validate_args=validate_args)

    mean = property(lambda self: self.rate)
    variance = property(lambda self: self.rate)
    mode = property(lambda self: self.rate.floor())

    def sample(self, sample_shape=()):
        with _unseen():
            return _core.poisson(self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return _core.xlogy(value, rate) - rate - (value + 1).lgamma()


class Categorical(Distribution):
    """One of several numbers, with probabilities."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    has_enumerate_support, _parts = True, ("probs", "logits")

    def __init__(self, probs=None, logits=None, validate_args=None):
        _one_of("Categorical", probs, logits)
        given = probs if probs is not None else logits
        if given.dim() < 1:
            raise ValueError("Categorical: probs and logits have one dimension or more")
        if probs is not None:
            self.probs = probs / probs.sum(-1, keepdim=True)
        else:
            self.logits = logits - logits.logsumexp(dim=-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @property
    def _param(self):
        return self.__dict__["probs"] if "probs" in self.__dict__ else self.__dict__["logits"]

    @lazy_property
    def logits(self):
        return probs_to_logits(self.probs)

    @lazy_property
    def probs(self):
        return logits_to_probs(self.logits)

    param_shape = property(lambda self: self._param.shape)
    support = property(lambda self: constraints.integer_interval(0, self._num_events - 1))
    mean = property(lambda self: _core.full(self._extended_shape(), math.nan, dtype=self.probs.dtype))
    variance = property(lambda self: _core.full(self._extended_shape(), math.nan, dtype=self.probs.dtype))
    mode = property(lambda self: self.probs.argmax(dim=-1))

    def sample(self, sample_shape=()):
        sample_shape = Size(sample_shape)
        with _unseen():
            flat = self.probs.reshape(-1, self._num_events)
            drawn = _core.multinomial(flat, math.prod(sample_shape), True).T
            return drawn.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        value = value.long().unsqueeze(-1)
        value, logs = _core.broadcast_tensors(value, self.logits)
        return logs.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self):
        import tenon
        logits = self.logits.clamp(min=tenon.finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand=True):
        values = _core.arange(self._num_events, dtype=_core.int64).reshape((-1, *(1,) * len(self._batch_shape)))
        return values.expand((-1, *self._batch_shape)) if expand else values


class OneHotCategorical(Distribution):
    """A Categorical value as a vector with one 1."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    support, has_enumerate_support, _parts = constraints.one_hot, True, ("_categorical",)

    def __init__(self, probs=None, logits=None, validate_args=None):
        self._categorical = Categorical(probs, logits)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    _param = property(lambda self: self._categorical._param)
    param_shape = property(lambda self: self._categorical.param_shape)
    mean = property(lambda self: self._categorical.probs)
    variance = property(lambda self: self._categorical.probs * (1 - self._categorical.probs))

    @property
    def mode(self):
        return _losses().one_hot(self.probs.argmax(dim=-1), self.probs.shape[-1]).to(self.probs.dtype)

    def sample(self, sample_shape=()):
        drawn = self._categorical.sample(Size(sample_shape))
        return _losses().one_hot(drawn, self._categorical._num_events).to(self._categorical._param.dtype)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self):
        return self._categorical.entropy()

    def enumerate_support(self, expand=True):
        n = self.event_shape[0]
        values = _core.eye(n, dtype=self._param.dtype).reshape((n, *(1,) * len(self.batch_shape), n))
        return values.expand((n, *self.batch_shape, n)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """OneHotCategorical whose samples have the gradients of the probabilities."""

    has_rsample = True

    def rsample(self, sample_shape=()):
        drawn, probs = self.sample(sample_shape), self._categorical.probs
        return drawn + (probs - probs.detach())


class Multinomial(Distribution):
    """How often each of several numbers comes in total_count draws."""

    arg_constraints = {"probs": constraints.simplex, "logits": constraints.real_vector}
    _parts = ("_categorical",)

    def __init__(self, total_count=1, probs=None, logits=None, validate_args=None):
        if not isinstance(total_count, int):
            raise NotImplementedError("Multinomial: total_count is one number")
        self.total_count = total_count
        self._categorical = Categorical(probs=probs, logits=logits)
        self._binomial = Binomial(total_count=total_count, probs=self.probs)
        super().__init__(self._categorical.batch_shape, self._categorical.param_shape[-1:], validate_args=validate_args)

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        made._binomial = self._binomial.expand(made._categorical.param_shape)  # one for each of the numbers
        return made

    probs = property(lambda self: self._categorical.probs)
    logits = property(lambda self: self._categorical.logits)
    mean = property(lambda self: self.probs * self.total_count)
    variance = property(lambda self: self.total_count * self.probs * (1 - self.probs))
    support = property(lambda self: constraints.multinomial(self.total_count))

    def sample(self, sample_shape=()):
        sample_shape = Size(sample_shape)
        with _unseen():
            drawn = self._categorical.sample((self.total_count, *sample_shape))
            drawn = drawn.permute(*range(1, drawn.dim()), 0)
            counts = _core.zeros(self._extended_shape(sample_shape), dtype=_core.int64)
            counts = counts.scatter_add(-1, drawn, _core.ones_like(drawn))
            return counts.to(self.probs.dtype)

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        logits = logits.masked_fill((value == 0) & (logits == -math.inf), 0)
        return _core.lgamma(value.sum(-1) + 1) - _core.lgamma(value + 1).sum(-1) + (logits * value).sum(-1)

    def entropy(self):
        n = _core.tensor(float(self.total_count))
        support = self._binomial.enumerate_support(expand=False)[1:]
        inner = (_core.exp(self._binomial.log_prob(support)) * _core.lgamma(support + 1)).sum([0, -1])
        return n * self._categorical.entropy() - _core.lgamma(n + 1) + inner
