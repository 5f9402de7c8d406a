"""Where values and parameters of distributions may be."""

from tenon import _core

__all__ = ["Constraint", "boolean", "cat", "corr_cholesky", "dependent", "dependent_property", "greater_than", "greater_than_eq", "half_open_interval", "independent",
           "integer_interval", "interval", "is_dependent", "less_than", "lower_cholesky", "lower_triangular", "multinomial", "nonnegative",
           "nonnegative_integer", "one_hot", "positive", "positive_definite", "positive_integer", "positive_semidefinite", "real", "real_vector",
           "simplex", "square", "stack", "symmetric", "unit_interval"]


class Constraint:
    """A region: check(value) tells, element by element, what is inside."""

    is_discrete, event_dim = False, 0

    def check(self, value):
        """Whether values are inside."""
        raise NotImplementedError

    def __repr__(self):
        return type(self).__name__.lstrip("_") + "()"


class _Dependent(Constraint):
    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self.is_discrete = False if is_discrete is NotImplemented else is_discrete
        self.event_dim = 0 if event_dim is NotImplemented else event_dim

    def __call__(self, **values):
        return _Dependent(**values)

    def check(self, value):
        raise ValueError("this constraint depends on the parameters of a distribution")


class _DependentProperty(property, _Dependent):
    def __init__(self, fn=None, *, is_discrete=False, event_dim=0):
        property.__init__(self, fn)
        self.is_discrete, self.event_dim = is_discrete, event_dim

    def __call__(self, fn):
        return _DependentProperty(fn, is_discrete=self.is_discrete, event_dim=self.event_dim)


class _Test(Constraint):
    """A constraint by a function."""

    def __init__(self, name, test, is_discrete=False, event_dim=0):
        self._name, self._test, self.is_discrete, self.event_dim = name, test, is_discrete, event_dim

    def check(self, value):
        return self._test(value)

    def __repr__(self):
        return self._name


class _Bounds(Constraint):
    def __init__(self, lower_bound=None, upper_bound=None):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def __repr__(self):
        bounds = [f"{name}={value}" for name, value in (("lower_bound", self.lower_bound), ("upper_bound", self.upper_bound)) if value is not None]
        return f"{type(self).__name__.lstrip('_')}({', '.join(bounds)})"


class _GreaterThan(_Bounds):
    def check(self, value):
        return self.lower_bound < value


class _GreaterThanEq(_Bounds):
    def check(self, value):
        return self.lower_bound <= value


class _LessThan(_Bounds):
    def __init__(self, upper_bound):
        super().__init__(None, upper_bound)

    def check(self, value):
        return value < self.upper_bound


class _Interval(_Bounds):
    def check(self, value):
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Bounds):
    def check(self, value):
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _IntegerInterval(_Bounds):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerGreaterThan(_Bounds):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (value >= self.lower_bound)


class _Multinomial(Constraint):
    is_discrete, event_dim = True, 1

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound

    def check(self, x):
        return (x >= 0).all(dim=-1) & (x.sum(dim=-1) <= self.upper_bound)


class _IndependentConstraint(Constraint):
    def __init__(self, base_constraint, reinterpreted_batch_ndims):
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims
        self.is_discrete, self.event_dim = base_constraint.is_discrete, base_constraint.event_dim + reinterpreted_batch_ndims

    def check(self, value):
        result = self.base_constraint.check(value)
        return result.reshape((*result.shape[:result.dim() - self.reinterpreted_batch_ndims], -1)).all(-1)

    def __repr__(self):
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """The values of a mixture: those that all components, which are the last dimension of the batch, allow."""

    def __init__(self, base_constraint):
        if not isinstance(base_constraint, Constraint):
            raise AssertionError(f"MixtureSameFamilyConstraint: the base is a constraint, not {type(base_constraint).__name__}")
        self.base_constraint, self.is_discrete, self.event_dim = base_constraint, base_constraint.is_discrete, base_constraint.event_dim

    def check(self, value):
        result = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        return result.reshape((*result.shape[:value.dim() - self.event_dim], -1)).all(-1)

    def __repr__(self):
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


def is_dependent(constraint):
    """Whether a constraint depends on parameters."""
    return isinstance(constraint, _Dependent)


dependent, dependent_property = _Dependent(), _DependentProperty
independent, greater_than, greater_than_eq, less_than = _IndependentConstraint, _GreaterThan, _GreaterThanEq, _LessThan
interval, half_open_interval, integer_interval, multinomial = _Interval, _HalfOpenInterval, _IntegerInterval, _Multinomial
boolean = _Test("Boolean()", lambda value: (value == 0) | (value == 1), True)
one_hot = _Test("OneHot()", lambda value: ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1), True, 1)
real = _Test("Real()", lambda value: value == value)
real_vector = independent(real, 1)
simplex = _Test("Simplex()", lambda value: (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6), False, 1)
nonnegative, positive, unit_interval = _GreaterThanEq(0.0), _GreaterThan(0.0), _Interval(0.0, 1.0)
nonnegative_integer, positive_integer = _IntegerGreaterThan(0), _IntegerGreaterThan(1)


class _Cat(Constraint):
    """Parts of a dimension, each with a constraint of its own."""

    def __init__(self, cseq, dim=0, lengths=None):
        self.cseq, self.dim = list(cseq), dim
        self.lengths = [1] * len(self.cseq) if lengths is None else list(lengths)
        if len(self.lengths) != len(self.cseq):
            raise AssertionError(f"cat: {len(self.lengths)} lengths for {len(self.cseq)} constraints")
        self.is_discrete, self.event_dim = any(one.is_discrete for one in self.cseq), max(one.event_dim for one in self.cseq)

    def check(self, value):
        parts, start = [], 0
        for one, length in zip(self.cseq, self.lengths):
            parts.append(one.check(value.narrow(self.dim, start, length)))
            start += length
        return _core.cat(parts, self.dim)


class _Stack(Constraint):
    """Slices along a dimension, each with a constraint of its own."""

    def __init__(self, cseq, dim=0):
        self.cseq, self.dim = list(cseq), dim
        self.is_discrete, self.event_dim = any(one.is_discrete for one in self.cseq), max(one.event_dim for one in self.cseq)
        if self.event_dim + dim < 0:
            self.event_dim += 1

    def check(self, value):
        return _core.stack([one.check(value.select(self.dim, i)) for i, one in enumerate(self.cseq)], self.dim)


def _all_of(value):
    return value.reshape((*value.shape[:-2], -1)).all(-1)


def _is_lower(value):
    return _all_of(value.tril() == value)


def _is_square(value):
    return _core.full(value.shape[:-2], value.shape[-2] == value.shape[-1], dtype=_core.bool)


def _is_symmetric(value):
    return _all_of(_core.isclose(value, value.mT, atol=1e-6)) if value.shape[-2] == value.shape[-1] else _is_square(value)


def _has_length_one(value):
    eps = {_core.float32: 2.0 ** -23, _core.float64: 2.0 ** -52}.get(value.dtype, 2.0 ** -10)
    return ((_core.linalg_vector_norm(value, 2, [-1]) - 1).abs() < eps * value.shape[-1] * 10).all(-1)


def _is_positive(value):
    """Whether matrices are positive definite: symmetric, and with a factor of Cholesky's."""
    if value.shape[-2] != value.shape[-1]:
        return _is_square(value)
    factor = getattr(_core, "linalg_cholesky_ex", None)
    if factor is None:
        raise NotImplementedError("positive_definite needs the operator linalg_cholesky_ex, which is not there yet")
    return _is_symmetric(value) & (factor(value.detach())[1] == 0)


def _is_semidefinite(value):
    if value.shape[-2] != value.shape[-1]:
        return _is_square(value)
    eigenvalues = getattr(_core, "linalg_eigvalsh", None)
    if eigenvalues is None:
        raise NotImplementedError("positive_semidefinite needs the operator linalg_eigvalsh, which is not there yet")
    return _is_symmetric(value) & (eigenvalues(value.detach()) >= 0).all(-1)


cat, stack = _Cat, _Stack
square = _Test("Square()", _is_square, False, 2)
symmetric = _Test("Symmetric()", _is_symmetric, False, 2)
lower_triangular = _Test("LowerTriangular()", _is_lower, False, 2)
lower_cholesky = _Test("LowerCholesky()", lambda value: _is_lower(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1), False, 2)
corr_cholesky = _Test("CorrCholesky()", lambda value: lower_cholesky.check(value) & _has_length_one(value), False, 2)
positive_definite = _Test("PositiveDefinite()", _is_positive, False, 2)
positive_semidefinite = _Test("PositiveSemidefinite()", _is_semidefinite, False, 2)
Tensor = _core.Tensor
