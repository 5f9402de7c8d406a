"""Distributions with either library, from one seed; what PyTorch gave is in recorded/distributions.json."""

import json
import pathlib

RECORDED = pathlib.Path(__file__).parent / "recorded" / "distributions.json"

# A distribution, and a value in its support.
CASES = {
    "D.Normal(torch.tensor([0.5, -1.0]), torch.tensor([1.0, 2.0]))": "torch.tensor([0.3, 0.4])", "D.Normal(0.0, 1.0)": "torch.tensor(0.5)",
    "D.Uniform(torch.tensor([0.0, 1.0]), 2.0)": "torch.tensor([0.3, 1.4])", "D.Exponential(torch.tensor([0.5, 2.0]))": "torch.tensor([0.3, 0.4])",
    "D.Laplace(torch.zeros(2), torch.ones(2) * 2)": "torch.tensor([0.3, -0.4])", "D.Cauchy(torch.zeros(2), 2.0)": "torch.tensor([0.3, -0.4])",
    "D.Gamma(torch.tensor([0.5, 2.0]), 1.5)": "torch.tensor([0.3, 0.4])", "D.Chi2(torch.tensor([3.0]))": "torch.tensor([0.3])",
    "D.Beta(torch.tensor([0.5, 2.0]), torch.tensor([0.5, 3.0]))": "torch.tensor([0.3, 0.4])",
    "D.Dirichlet(torch.tensor([0.5, 2.0, 1.0]))": "torch.tensor([0.25, 0.25, 0.5])", "D.StudentT(torch.tensor([3.0, 5.0]))": "torch.tensor([0.3, 0.4])",
    "D.FisherSnedecor(torch.tensor([3.0]), torch.tensor([5.0]))": "torch.tensor([0.3])",
    "D.Gumbel(torch.zeros(2), torch.tensor([1.0, 2.0]))": "torch.tensor([0.3, 0.4])", "D.LogNormal(torch.zeros(2), 0.5)": "torch.tensor([0.3, 0.4])",
    "D.HalfNormal(torch.tensor([1.0, 2.0]))": "torch.tensor([0.3, 0.4])", "D.HalfCauchy(torch.tensor([1.0, 2.0]))": "torch.tensor([0.3, 0.4])",
    "D.Pareto(torch.tensor([1.0]), torch.tensor([3.0]))": "torch.tensor([1.5])", "D.Weibull(torch.tensor([1.0]), torch.tensor([3.0]))": "torch.tensor([1.5])",
    "D.Kumaraswamy(torch.tensor([2.0]), torch.tensor([3.0]))": "torch.tensor([0.5])",
    "D.InverseGamma(torch.tensor([2.0]), torch.tensor([3.0]))": "torch.tensor([0.5])",
    "D.LogisticNormal(torch.zeros(2), torch.ones(2))": "torch.tensor([0.25, 0.25, 0.5])",
    "D.ContinuousBernoulli(torch.tensor([0.1, 0.4999, 0.8]))": "torch.tensor([0.3, 0.4, 0.9])",
    "D.ContinuousBernoulli(logits=torch.tensor([0.1, -0.3]))": "torch.tensor([0.3, 0.4])",
    "D.GeneralizedPareto(torch.tensor([0.5, 1.0]), torch.tensor([1.0, 2.0]), torch.tensor([0.2, 0.0]))": "torch.tensor([0.8, 1.5])",
    "D.GeneralizedPareto(0.0, 1.0, -0.5)": "torch.tensor(0.5)",
    "D.LKJCholesky(3, 0.5)": "torch.tensor([[1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.6, 0.8]])",
    "D.LKJCholesky(2, torch.tensor([0.5, 2.0]))": "torch.tensor([[1.0, 0.0], [0.6, 0.8]])",
    "D.VonMises(torch.tensor([0.5]), torch.tensor([2.0]))": "torch.tensor([0.3])",
    "D.Bernoulli(torch.tensor([0.3, 0.9]))": "torch.tensor([1.0, 0.0])", "D.Bernoulli(logits=torch.tensor([0.3, -0.9]))": "torch.tensor([1.0, 0.0])",
    "D.Geometric(torch.tensor([0.3, 0.9]))": "torch.tensor([1.0, 0.0])", "D.Binomial(5, torch.tensor([0.3, 0.9]))": "torch.tensor([1.0, 4.0])",
    "D.NegativeBinomial(5.0, torch.tensor([0.3, 0.9]))": "torch.tensor([1.0, 4.0])", "D.Poisson(torch.tensor([0.3, 4.0]))": "torch.tensor([1.0, 4.0])",
    "D.Categorical(torch.tensor([0.2, 0.3, 0.5]))": "torch.tensor([0, 2])", "D.Categorical(logits=torch.tensor([[0.2, 0.3], [0.5, -1.0]]))": "torch.tensor([0, 1])",
    "D.OneHotCategorical(torch.tensor([0.2, 0.3, 0.5]))": "torch.tensor([0.0, 1.0, 0.0])",
    "D.OneHotCategoricalStraightThrough(torch.tensor([0.2, 0.3, 0.5]))": "torch.tensor([0.0, 1.0, 0.0])",
    "D.Multinomial(4, torch.tensor([0.2, 0.3, 0.5]))": "torch.tensor([1.0, 1.0, 2.0])",
    "D.Independent(D.Normal(torch.zeros(2, 3), torch.ones(2, 3)), 1)": "torch.tensor([0.3, 0.4, 0.5])",
    "D.MixtureSameFamily(D.Categorical(torch.tensor([0.4, 0.6])), D.Normal(torch.tensor([0.0, 3.0]), torch.ones(2)))": "torch.tensor([0.3, 2.4])",
    "D.TransformedDistribution(D.Normal(torch.zeros(2), torch.ones(2)), [D.AffineTransform(1.0, 2.0), D.TanhTransform()])": "torch.tensor([0.3, -0.4])",
    "D.TransformedDistribution(D.Uniform(torch.tensor(0.0), torch.tensor(1.0)), [D.SigmoidTransform().inv, D.AffineTransform(0.5, -2.0)])": "torch.tensor(0.3)",
    "D.MultivariateNormal(torch.tensor([0.5, -1.0]), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))": "torch.tensor([0.3, 0.4])",
    "D.MultivariateNormal(torch.zeros(3, 2), precision_matrix=torch.tensor([[2.0, 0.5], [0.5, 1.0]]))": "torch.tensor([0.3, 0.4])",
    "D.MultivariateNormal(torch.zeros(2), scale_tril=torch.tensor([[[2.0, 0.0], [0.5, 1.0]], [[1.0, 0.0], [-3.0, 0.5]]]))": "torch.tensor([0.3, 0.4])",
    "D.LowRankMultivariateNormal(torch.tensor([0.5, -1.0, 2.0]), torch.tensor([[1.0], [0.5], [-2.0]]), torch.tensor([0.5, 1.0, 2.0]))":
        "torch.tensor([0.3, 0.4, 0.5])",
    "D.LowRankMultivariateNormal(torch.zeros(2, 2), torch.tensor([[1.0, 0.5], [0.5, -2.0]]), torch.tensor([0.5, 1.0]))": "torch.tensor([0.3, 0.4])",
    "D.Wishart(torch.tensor(3.5), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))": "torch.tensor([[3.0, 1.0], [1.0, 2.0]])",
    "D.Wishart(torch.tensor([2.5, 6.0]), scale_tril=torch.tensor([[2.0, 0.0], [0.5, 1.0]]))": "torch.tensor([[3.0, 1.0], [1.0, 2.0]])",
    "D.Wishart(torch.tensor(3.5), precision_matrix=torch.tensor([[2.0, 0.5], [0.5, 1.0]]))": "torch.tensor([[3.0, 1.0], [1.0, 2.0]])",
    "D.RelaxedBernoulli(torch.tensor(0.5), torch.tensor([0.3, 0.9]))": "torch.tensor([0.3, 0.4])",
    "D.RelaxedOneHotCategorical(torch.tensor(0.5), torch.tensor([0.2, 0.3, 0.5]))": "torch.tensor([0.25, 0.25, 0.5])",
}
# PyTorch makes those of several shapes out of one, or none.
UNEXPANDED = [case for case in CASES if case.startswith(("D.LogisticNormal", "D.Wishart"))]
PAIRS = ["D.Normal(torch.tensor([0.5]), 2.0)|D.Normal(0.0, 1.0)", "D.Bernoulli(torch.tensor([0.5]))|D.Bernoulli(torch.tensor([0.2]))",
         "D.Categorical(torch.tensor([0.5, 0.5]))|D.Categorical(torch.tensor([0.2, 0.8]))", "D.Gamma(torch.tensor(2.0), 1.0)|D.Gamma(torch.tensor(1.0), 3.0)",
         "D.Beta(torch.tensor(2.0), 1.0)|D.Beta(torch.tensor(1.0), 3.0)", "D.Dirichlet(torch.tensor([1.0, 2.0]))|D.Dirichlet(torch.tensor([2.0, 1.0]))",
         "D.Laplace(torch.tensor(1.0), 2.0)|D.Laplace(torch.tensor(0.0), 1.0)", "D.Uniform(torch.tensor(0.0), 1.0)|D.Uniform(torch.tensor(-1.0), 3.0)",
         "D.Exponential(torch.tensor(1.0))|D.Exponential(torch.tensor(3.0))", "D.Poisson(torch.tensor(1.0))|D.Poisson(torch.tensor(3.0))",
         "D.Gumbel(torch.tensor(1.0), 2.0)|D.Gumbel(torch.tensor(0.0), 1.0)", "D.Geometric(torch.tensor(0.3))|D.Geometric(torch.tensor(0.6))",
         "D.Independent(D.Normal(torch.zeros(2), torch.ones(2)), 1)|D.Independent(D.Normal(torch.ones(2), torch.ones(2)), 1)",
         "D.Uniform(torch.tensor(0.0), 1.0)|D.Normal(torch.tensor(0.0), 1.0)", "D.Cauchy(torch.tensor(1.0), 2.0)|D.Cauchy(torch.tensor(0.0), 1.0)",
         "D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))|"
         "D.MultivariateNormal(torch.ones(3, 2), torch.eye(2))",
         "D.MultivariateNormal(torch.ones(3, 2), torch.eye(2))|"
         "D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))",
         "D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))|"
         "D.LowRankMultivariateNormal(torch.zeros(2), torch.tensor([[1.0], [0.5]]), torch.tensor([0.5, 1.0]))",
         "D.LowRankMultivariateNormal(torch.zeros(2), torch.tensor([[1.0], [0.5]]), torch.tensor([0.5, 1.0]))|"
         "D.MultivariateNormal(torch.zeros(2), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))",
         "D.LowRankMultivariateNormal(torch.zeros(2), torch.tensor([[1.0], [0.5]]), torch.tensor([0.5, 1.0]))|"
         "D.LowRankMultivariateNormal(torch.ones(2), torch.tensor([[2.0], [0.5]]), torch.ones(2))",
         "D.Wishart(torch.tensor(3.5), torch.tensor([[2.0, 0.5], [0.5, 1.0]]))|"
         "D.Wishart(torch.tensor(6.0), torch.eye(2))"]

# Of different kinds: each of the first with each of the second.
KINDS = {
    "Beta": "torch.tensor(2.0), 1.5", "ContinuousBernoulli": "torch.tensor(0.3)", "Exponential": "torch.tensor([0.7, 2.0])",
    "Gamma": "torch.tensor(2.5), torch.tensor([0.7, 2.0])", "Gumbel": "torch.tensor(0.4), 1.5", "Laplace": "torch.tensor(0.4), 1.5",
    "Normal": "torch.tensor(0.4), 1.5", "Pareto": "torch.tensor([0.2, 1.2]), 3.0", "Uniform": "torch.tensor([0.25, 0.5]), 0.75",
    "Bernoulli": "torch.tensor(0.3)", "Poisson": "torch.tensor([0.5, 3.0])", "Binomial": "4, torch.tensor(0.3)",
}
for left, rights in {
        "Beta": "ContinuousBernoulli Exponential Gamma Normal Pareto", "ContinuousBernoulli": "Exponential Normal Pareto",
        "Exponential": "Beta ContinuousBernoulli Gamma Gumbel Normal Pareto Uniform", "Gumbel": "Beta ContinuousBernoulli Exponential Gamma Normal Pareto Uniform",
        "Gamma": "Beta ContinuousBernoulli Exponential Gumbel Normal Pareto Uniform", "Laplace": "Beta Exponential Gamma Normal Pareto Uniform",
        "Normal": "Beta Exponential Gamma Gumbel Laplace Pareto Uniform", "Pareto": "Beta ContinuousBernoulli Exponential Gamma Normal Pareto Uniform",
        "Uniform": "Beta ContinuousBernoulli Exponential Gamma Gumbel Normal Pareto", "Bernoulli": "Poisson", "Poisson": "Bernoulli Binomial"}.items():
    PAIRS += [f"D.{left}({KINDS[left]})|D.{right}({KINDS[right]})" for right in rights.split()]
PAIRS += [f"D.{one}({KINDS[one]})|D.Uniform(torch.tensor([-1.0, -2.0]), 2.0)" for one in ("Beta", "ContinuousBernoulli")]
PAIRS += ["D.Pareto(torch.tensor([1.0, 2.0]), 3.0)|D.Pareto(torch.tensor(1.5), 2.0)", "D.Beta(torch.tensor(2.0), 1.0)|D.Uniform(torch.tensor(0.5), 2.0)"]


def run(torch, case):
    """Shapes, samples, and everything that can be asked."""
    scope = {"torch": torch, "D": torch.distributions}
    made, value = eval(case, scope), eval(CASES[case], scope)
    torch.manual_seed(2)
    told = {"batch": list(made.batch_shape), "event": list(made.event_shape), "rsample": bool(made.has_rsample),
            "sample": made.sample().tolist(), "more": made.sample((3,)).tolist(), "log_prob": made.log_prob(value).tolist()}
    for name in ("mean", "variance", "mode", "stddev"):
        try:
            told[name] = getattr(made, name).tolist()
        except NotImplementedError:
            told[name] = None
    for name in ("entropy", "cdf", "icdf", "enumerate_support"):
        try:
            answer = getattr(made, name)(*([value] if name == "cdf" else [torch.tensor(0.3)] if name == "icdf" else []))
            told[name] = answer.tolist()
        except NotImplementedError:
            told[name] = None
        except AttributeError:
            told[name] = None
    if case not in UNEXPANDED:
        wide = made.expand((2, *made.batch_shape))
        told["wide"] = [list(wide.sample().shape), wide.log_prob(value).tolist()]
        for name in ("mean", "variance", "mode"):
            try:
                told["wide"].append(list(getattr(wide, name).shape))
            except NotImplementedError:
                told["wide"].append(None)
    return told


def divergences(torch):
    scope = {"torch": torch, "D": torch.distributions}
    return {pair: torch.distributions.kl_divergence(*(eval(one, scope) for one in pair.split("|"))).tolist() for pair in PAIRS}


if __name__ == "__main__":
    import torch

    made = {case: run(torch, case) for case in CASES}
    RECORDED.write_text("{\n" + ",\n".join(f"{json.dumps(case)}: {json.dumps(told)}" for case, told in made.items())
                        + f',\n"divergences": {json.dumps(divergences(torch))}\n}}\n')
