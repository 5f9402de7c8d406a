"""Where values and parameters of distributions may be."""

from tenon import _core

__all__ = ["Constraint", "boolean", "cat", "dependent", "dependent_property", "greater_than", "greater_than_eq", "half_open_interval", "independent",
           "integer_interval", "interval", "is_dependent", "less_than", "multinomial", "nonnegative", "nonnegative_integer", "one_hot", "positive",
           "positive_integer", "real", "real_vector", "simplex", "unit_interval"]


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
        return f"{type(self).__name__}({', '.join(bounds)})"


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
cat = stack = None
Tensor = _core.Tensor
