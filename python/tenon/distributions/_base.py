"""Distribution, and distributions made of others."""

import warnings

from tenon import _core
from tenon._info import finfo as _finfo
from tenon.distributions import constraints

Tensor, Size = _core.Tensor, _core.Size


def broadcast_all(*values):
    """Numbers and tensors as tensors of one shape; numbers get the dtype of the tensors."""
    first = next((value for value in values if isinstance(value, Tensor)), None)
    dtype = _core.get_default_dtype() if first is None else first.dtype
    made = [value if isinstance(value, Tensor) else _core.tensor(value, dtype=dtype) for value in values]
    shape = _core.broadcast_shapes(*(value.shape for value in made))
    return tuple(value if value.shape == shape else value.expand(shape) for value in made)  # leaves stay leaves, as in PyTorch


def _sum_rightmost(value, dims):
    return value if dims == 0 else value.reshape((*value.shape[:value.dim() - dims], -1)).sum(-1)


def clamp_probs(probs):
    """Probabilities that are neither 0 nor 1."""
    eps = _finfo(probs.dtype).eps
    return probs.clamp(min=eps, max=1 - eps)


def probs_to_logits(probs, is_binary=False):
    """Logits of probabilities."""
    clamped = clamp_probs(probs)
    return _core.log(clamped) - _core.log1p(-clamped) if is_binary else _core.log(clamped)


def logits_to_probs(logits, is_binary=False):
    """Probabilities of logits."""
    return _core.sigmoid(logits) if is_binary else _core.softmax(logits, -1)


class lazy_property:
    """An attribute that is computed when first asked for."""

    def __init__(self, function):
        self.function, self.name, self.__doc__ = function, function.__name__, function.__doc__

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        before = _core._set_grad_mode(1)
        try:
            value = self.function(instance)
        finally:
            _core._set_grad_mode(before)
        instance.__dict__[self.name] = value
        return value


class Distribution:
    """The base class: batches of independent distributions (batch_shape), each of values of event_shape."""

    has_rsample = has_enumerate_support = False
    _validate_args = True
    arg_constraints = {}

    @staticmethod
    def set_default_validate_args(value):
        """Whether arguments are checked."""
        Distribution._validate_args = value

    def __init__(self, batch_shape=(), event_shape=(), validate_args=None):
        self._batch_shape, self._event_shape = Size(batch_shape), Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name, constraint in self.arg_constraints.items():
                if constraints.is_dependent(constraint) or (name not in self.__dict__ and isinstance(getattr(type(self), name), lazy_property)):
                    continue
                value = getattr(self, name)
                valid = constraint.check(value)
                if not bool(valid.all()):
                    raise ValueError(f"{type(self).__name__}: {name} must satisfy {constraint!r}, but is\n{value}")

    @property
    def batch_shape(self):
        """The shape of the batch."""
        return self._batch_shape

    @property
    def event_shape(self):
        """The shape of one value."""
        return self._event_shape

    @property
    def stddev(self):
        """The standard deviation."""
        return self.variance.sqrt()

    def _no(self, name):
        raise NotImplementedError(f"{type(self).__name__} has no {name}")

    support = property(lambda self: self._no("support"))
    mean = property(lambda self: self._no("mean"))
    mode = property(lambda self: self._no("mode"))
    variance = property(lambda self: self._no("variance"))

    def sample(self, sample_shape=()):
        """Random values, without gradients."""
        before = _core._set_grad_mode(0)
        try:
            return self.rsample(sample_shape)
        finally:
            _core._set_grad_mode(before)

    def rsample(self, sample_shape=()):
        """Random values that have gradients with respect to the parameters."""
        self._no("rsample")

    def sample_n(self, n):
        """The old form of sample((n,))."""
        warnings.warn("sample_n(n) is an old form of sample((n,))", UserWarning, stacklevel=2)
        return self.sample(Size((n,)))

    def log_prob(self, value):
        """The logarithm of the probability, or of its density."""
        self._no("log_prob")

    def cdf(self, value):
        """The probability of values up to this one."""
        self._no("cdf")

    def icdf(self, value):
        """The inverse of cdf."""
        self._no("icdf")

    def entropy(self):
        """The entropy."""
        self._no("entropy")

    def perplexity(self):
        """exp(entropy)."""
        return _core.exp(self.entropy())

    def enumerate_support(self, expand=True):
        """All values there are."""
        self._no("enumerate_support")

    def _extended_shape(self, sample_shape=()):
        return Size((*sample_shape, *self._batch_shape, *self._event_shape))

    def _validate_sample(self, value):
        if not isinstance(value, Tensor):
            raise ValueError("a value is a tensor")
        start = value.dim() - len(self._event_shape)
        if tuple(value.shape[max(start, 0):]) != tuple(self._event_shape) or start < 0:
            raise ValueError(f"values have the event shape {tuple(self._event_shape)} at the end, and these have the sizes {tuple(value.shape)}")
        for a, b in zip(reversed(tuple(value.shape)), reversed((*self._batch_shape, *self._event_shape))):
            if a != 1 and b != 1 and a != b:
                raise ValueError(f"values of sizes {tuple(value.shape)} do not fit the batch {tuple(self._batch_shape)}")
        try:
            support = self.support
        except NotImplementedError:
            return
        if support is not None and not bool(support.check(value).all()):
            raise ValueError(f"{type(self).__name__}: values must be within {support!r}, but are\n{value}")

    def _get_checked_instance(self, cls, instance=None):
        if instance is None and type(self).__init__ is not cls.__init__:
            raise NotImplementedError(f"{type(self).__name__} has an __init__ of its own, so it needs an expand of its own")
        return self.__new__(type(self)) if instance is None else instance

    _parts = ()  # what has the batch's shape
    _kept = ()  # tensors that have not

    def expand(self, batch_shape, _instance=None):
        """The distribution with a larger batch."""
        made = self.__new__(type(self)) if _instance is None else _instance
        batch_shape = Size(batch_shape)
        event = tuple(self._event_shape)
        for name in self._parts:
            if name in self.__dict__:
                value = self.__dict__[name]
                if isinstance(value, Tensor):
                    tail = value.shape[len(self._batch_shape):]
                    value = value.expand((*batch_shape, *tail))
                elif isinstance(value, Distribution):
                    value = value.expand(batch_shape)
                made.__dict__[name] = value
        for name, value in self.__dict__.items():
            if name not in made.__dict__ and (name in self._kept or not isinstance(value, (Tensor, Distribution))):
                made.__dict__[name] = value
        made._batch_shape, made._event_shape, made._validate_args = batch_shape, Size(event), False
        made._validate_args = self._validate_args
        return made

    def __repr__(self):
        names = [name for name in self.arg_constraints if name in self.__dict__]
        shown = [f"{name}: {getattr(self, name) if getattr(self, name).numel() == 1 else getattr(self, name).size()}" for name in names]
        return f"{type(self).__name__}({', '.join(shown)})"


class ExponentialFamily(Distribution):
    """Distributions of the exponential family."""


class Independent(Distribution):
    """Some dimensions of the batch as dimensions of the value."""

    def __init__(self, base_distribution, reinterpreted_batch_ndims, validate_args=None):
        if reinterpreted_batch_ndims > len(base_distribution.batch_shape):
            raise ValueError(f"Independent: {reinterpreted_batch_ndims} dimensions of a batch {tuple(base_distribution.batch_shape)} are too many")
        shape = base_distribution.batch_shape + base_distribution.event_shape
        event = reinterpreted_batch_ndims + len(base_distribution.event_shape)
        self.base_dist, self.reinterpreted_batch_ndims = base_distribution, reinterpreted_batch_ndims
        super().__init__(shape[:len(shape) - event], shape[len(shape) - event:], validate_args)

    def expand(self, batch_shape, _instance=None):
        batch_shape = Size(batch_shape)
        return Independent(self.base_dist.expand((*batch_shape, *self.event_shape[:self.reinterpreted_batch_ndims])), self.reinterpreted_batch_ndims,
                           validate_args=False)

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def support(self):
        found = self.base_dist.support
        return constraints.independent(found, self.reinterpreted_batch_ndims) if self.reinterpreted_batch_ndims else found

    mean = property(lambda self: self.base_dist.mean)
    mode = property(lambda self: self.base_dist.mode)
    variance = property(lambda self: self.base_dist.variance)

    def sample(self, sample_shape=()):
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape=()):
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value):
        return _sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self):
        return _sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def __repr__(self):
        return f"Independent({self.base_dist}, {self.reinterpreted_batch_ndims})"


class TransformedDistribution(Distribution):
    """A distribution whose values pass through transforms."""

    def __init__(self, base_distribution, transforms, validate_args=None):
        from tenon.distributions.transforms import ComposeTransform, Transform
        if isinstance(transforms, Transform):
            self.transforms = [transforms]
        elif isinstance(transforms, list) and all(isinstance(one, Transform) for one in transforms):
            self.transforms = transforms
        else:
            raise ValueError(f"TransformedDistribution takes a Transform or a list of them, not {transforms!r}")
        whole = ComposeTransform(self.transforms)
        base_shape = base_distribution.batch_shape + base_distribution.event_shape
        shape = whole.forward_shape(base_shape)
        needed = whole.domain.event_dim - len(base_distribution.event_shape)
        self.base_dist = Independent(base_distribution, needed) if needed > 0 else base_distribution
        event = max(whole.codomain.event_dim, len(self.base_dist.event_shape) + whole.codomain.event_dim - whole.domain.event_dim)
        shape = Size(shape)
        cut = len(shape) - event
        super().__init__(shape[:cut], shape[cut:], validate_args)

    def expand(self, batch_shape, _instance=None):
        made = self.__new__(type(self)) if _instance is None else _instance
        made.__dict__.update(self.__dict__)
        for name in self._parts:
            made.__dict__[name] = self.__dict__[name].expand(batch_shape)
        made.base_dist = self.base_dist.expand(batch_shape)
        made._batch_shape = Size(batch_shape)
        return made

    @property
    def has_rsample(self):
        return self.base_dist.has_rsample

    @property
    def support(self):
        if not self.transforms:
            return self.base_dist.support
        found, missing = self.transforms[-1].codomain, 0
        missing = len(self.event_shape) - found.event_dim
        return constraints.independent(found, missing) if missing > 0 else found

    def sample(self, sample_shape=()):
        before = _core._set_grad_mode(0)
        try:
            x = self.base_dist.sample(sample_shape)
            for one in self.transforms:
                x = one(x)
            return x
        finally:
            _core._set_grad_mode(before)

    def rsample(self, sample_shape=()):
        x = self.base_dist.rsample(sample_shape)
        for one in self.transforms:
            x = one(x)
        return x

    def log_prob(self, value):
        if self._validate_args:
            self._validate_sample(value)
        event, total, y = len(self.event_shape), 0.0, value
        for one in reversed(self.transforms):
            x = one.inv(y)
            event += one.domain.event_dim - one.codomain.event_dim
            total = total - _sum_rightmost(one.log_abs_det_jacobian(x, y), event - one.domain.event_dim)
            y = x
        return total + _sum_rightmost(self.base_dist.log_prob(y), event - len(self.base_dist.event_shape))

    def _monotone(self, value):
        sign = 1
        for one in self.transforms:
            sign = sign * one.sign
        if isinstance(sign, int) and sign == 1:
            return value
        return sign * (value - 0.5) + 0.5

    def cdf(self, value):
        for one in reversed(self.transforms):
            value = one.inv(value)
        return self._monotone(self.base_dist.cdf(value))

    def icdf(self, value):
        value = self.base_dist.icdf(self._monotone(value))
        for one in self.transforms:
            value = one(value)
        return value


class MixtureSameFamily(Distribution):
    """A mixture: a Categorical chooses one of the last dimension of a batch."""

    def __init__(self, mixture_distribution, component_distribution, validate_args=None):
        from tenon.distributions._discrete import Categorical
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError("MixtureSameFamily: the mixture is a Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("MixtureSameFamily: the components are a Distribution")
        self._mixture_distribution, self._component_distribution = mixture_distribution, component_distribution
        self._num_component = component_distribution.batch_shape[-1]
        if mixture_distribution.logits.shape[-1] != self._num_component:
            raise ValueError("MixtureSameFamily: mixture and components have different numbers of components")
        self._event_ndims = len(component_distribution.event_shape)
        super().__init__(component_distribution.batch_shape[:-1], component_distribution.event_shape, validate_args)

    mixture_distribution = property(lambda self: self._mixture_distribution)
    component_distribution = property(lambda self: self._component_distribution)

    @property
    def support(self):
        return constraints.MixtureSameFamilyConstraint(self._component_distribution.support)

    def expand(self, batch_shape, _instance=None):
        made = super().expand(batch_shape, _instance)
        made._component_distribution = self._component_distribution.expand((*made._batch_shape, self._num_component))
        made._mixture_distribution = self._mixture_distribution.expand(made._batch_shape)
        return made

    def _pad_mixture_dimensions(self, x):
        missing = len(self.batch_shape) - len(self._mixture_distribution.batch_shape)
        own = x.shape
        return x.reshape((*own[:-1], *(1,) * missing, own[-1], *(1,) * self._event_ndims))

    @property
    def mean(self):
        probs = self._pad_mixture_dimensions(self._mixture_distribution.probs)
        return (probs * self._component_distribution.mean).sum(dim=-1 - self._event_ndims)

    @property
    def variance(self):
        probs, dim = self._pad_mixture_dimensions(self._mixture_distribution.probs), -1 - self._event_ndims
        inside = (probs * self._component_distribution.variance).sum(dim=dim)
        between = (probs * (self._component_distribution.mean - self.mean.unsqueeze(dim)).pow(2.0)).sum(dim=dim)
        return inside + between

    def cdf(self, x):
        return (self._component_distribution.cdf(x.unsqueeze(-1 - self._event_ndims)) * self._mixture_distribution.probs).sum(-1)

    def log_prob(self, x):
        if self._validate_args:
            self._validate_sample(x)
        inner = self._component_distribution.log_prob(x.unsqueeze(-1 - self._event_ndims))
        return _core.logsumexp(inner + _core.log_softmax(self._mixture_distribution.logits, -1), -1)

    def sample(self, sample_shape=()):
        before = _core._set_grad_mode(0)
        try:
            dim = len(sample_shape) + len(self.batch_shape)
            chosen = self._mixture_distribution.sample(sample_shape)
            every = self._component_distribution.sample(sample_shape)
            chosen = chosen.reshape((*chosen.shape, *(1,) * (self._event_ndims + 1)))
            chosen = chosen.expand((*chosen.shape[:dim + 1], *self.event_shape))
            return every.gather(dim, chosen).squeeze(dim)
        finally:
            _core._set_grad_mode(before)

    def __repr__(self):
        return f"MixtureSameFamily(\n  {self._mixture_distribution},\n  {self._component_distribution})"
