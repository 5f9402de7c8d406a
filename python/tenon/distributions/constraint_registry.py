"""Transforms from all real numbers to where a constraint says."""

from tenon.distributions import constraints
from tenon.distributions import transforms as T

__all__ = ["biject_to", "transform_to"]


class ConstraintRegistry:
    """Constraints and the functions that make their transforms."""

    def __init__(self, simplex):
        self._own, self._simplex = {}, simplex

    def register(self, constraint, factory=None):
        """A function for a class of constraints; also a decorator."""
        if factory is None:
            return lambda function: self.register(constraint, function)
        self._own[constraint if isinstance(constraint, type) else type(constraint)] = factory
        return factory

    def __call__(self, constraint):
        if type(constraint) in self._own:
            return self._own[type(constraint)](constraint)
        if isinstance(constraint, constraints._IndependentConstraint):
            return T.IndependentTransform(self(constraint.base_constraint), constraint.reinterpreted_batch_ndims)
        if constraint is constraints.real:
            return T.identity_transform
        if constraint is constraints.simplex:
            return self._simplex()
        if isinstance(constraint, (constraints._GreaterThan, constraints._GreaterThanEq)):
            return T.ComposeTransform([T.ExpTransform(), T.AffineTransform(constraint.lower_bound, 1)]) if constraint.lower_bound != 0 else T.ExpTransform()
        if isinstance(constraint, constraints._LessThan):
            return T.ComposeTransform([T.ExpTransform(), T.AffineTransform(constraint.upper_bound, -1)])
        if isinstance(constraint, (constraints._Interval, constraints._HalfOpenInterval)):
            low, high = constraint.lower_bound, constraint.upper_bound
            if low == 0 and high == 1:
                return T.SigmoidTransform()
            return T.ComposeTransform([T.SigmoidTransform(), T.AffineTransform(low, high - low)])
        matrices = {id(constraints.lower_cholesky): T.LowerCholeskyTransform, id(constraints.corr_cholesky): T.CorrCholeskyTransform,
                    id(constraints.positive_definite): T.PositiveDefiniteTransform, id(constraints.positive_semidefinite): T.PositiveDefiniteTransform}
        if id(constraint) in matrices:
            return matrices[id(constraint)]()
        if isinstance(constraint, constraints.cat):
            return T.CatTransform([self(one) for one in constraint.cseq], constraint.dim, constraint.lengths)
        if isinstance(constraint, constraints.stack):
            return T.StackTransform([self(one) for one in constraint.cseq], constraint.dim)
        raise NotImplementedError(f"there is no transform to {constraint!r}")


biject_to, transform_to = ConstraintRegistry(T.StickBreakingTransform), ConstraintRegistry(T.SoftmaxTransform)
