"""Probability distributions with torch.distributions' names, samples and numbers."""

_HOMES = {
    "_base": "Distribution ExponentialFamily Independent TransformedDistribution MixtureSameFamily",
    "_continuous": """Beta Cauchy Chi2 ContinuousBernoulli Dirichlet Exponential FisherSnedecor Gamma GeneralizedPareto Gumbel HalfCauchy HalfNormal InverseGamma Kumaraswamy Laplace
        LogNormal LogisticNormal Normal Pareto RelaxedBernoulli RelaxedOneHotCategorical StudentT Uniform VonMises Weibull""",
    "_discrete": """Bernoulli Binomial Categorical Geometric Multinomial NegativeBinomial OneHotCategorical OneHotCategoricalStraightThrough
        Poisson""",
    "_matrix": "LKJCholesky LowRankMultivariateNormal MultivariateNormal Wishart",
    "kl": "kl_divergence register_kl",
    "transforms": """AbsTransform AffineTransform CatTransform ComposeTransform CorrCholeskyTransform CumulativeDistributionTransform ExpTransform
        IndependentTransform LowerCholeskyTransform PositiveDefiniteTransform PowerTransform ReshapeTransform SigmoidTransform SoftmaxTransform
        SoftplusTransform StackTransform StickBreakingTransform TanhTransform Transform identity_transform""",
    "constraint_registry": "biject_to transform_to",
}
_PLACES = {name: home for home, names in _HOMES.items() for name in names.split()}
_MODULES = ("constraints", "kl", "transforms", "constraint_registry", "utils")
_FILES_OF_TORCH = ("bernoulli", "beta", "binomial", "categorical", "cauchy", "chi2", "constraint_registry", "dirichlet", "distribution", "exp_family",
                   "exponential", "gamma", "geometric", "gumbel", "half_normal", "half_cauchy", "independent", "laplace", "log_normal",
                   "mixture_same_family", "multinomial", "negative_binomial", "normal", "one_hot_categorical", "pareto", "poisson",
                   "relaxed_bernoulli", "relaxed_categorical", "studentT", "transformed_distribution", "uniform", "von_mises", "weibull", "continuous_bernoulli",
                   "generalized_pareto", "multivariate_normal", "lowrank_multivariate_normal", "wishart", "lkj_cholesky", "fishersnedecor",
                   "inverse_gamma", "kumaraswamy", "logistic_normal")
__all__ = sorted(_PLACES)


def __getattr__(name):
    import importlib
    if name in _PLACES:
        value = getattr(importlib.import_module(f"tenon.distributions.{_PLACES[name]}"), name)
        globals()[name] = value
        return value
    if name == "_batch_mahalanobis":  # which programs take from torch.distributions.multivariate_normal
        from tenon.distributions._matrix import _mahalanobis
        return _mahalanobis
    if name in _MODULES:
        return importlib.import_module(f"tenon.distributions.{name}")
    raise AttributeError(f"module 'tenon.distributions' has no attribute {name!r}")


def __dir__():
    return sorted([*_PLACES, *_MODULES])
