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
    if case.startswith("D.Kumaraswamy"):
        assert all(number != number for number in wanted["mode"])
        wanted["mode"] = made["mode"]  # PyTorch takes the logarithm of a negative number: see the test of it below
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


def test_a_distribution_can_be_expanded():
    wide = D.Normal(tenon.zeros(2), tenon.ones(2)).expand((3, 2))
    assert wide.batch_shape == (3, 2) and wide.sample().shape == (3, 2)
    assert D.Categorical(tenon.ones(4)).expand((5,)).sample().shape == (5,)


def test_an_expanded_mixture_and_its_parts_have_the_new_batch():
    wide = D.MixtureSameFamily(D.Categorical(tenon.tensor([0.4, 0.6])), D.Uniform(tenon.tensor([0.0, 1.0]), tenon.tensor([2.0, 3.0]))).expand((4,))
    assert wide.sample((5,)).shape == (5, 4) and wide.mean.shape == (4,) and repr(wide.support).startswith("MixtureSameFamilyConstraint(Interval(")
    with pytest.raises(ValueError):
        wide.log_prob(tenon.full((4,), 2.5))  # inside of one component only
    assert D.Multinomial(4, tenon.tensor([0.2, 0.8])).expand((3,)).entropy().shape == (3,)
    with pytest.raises(NotImplementedError, match="counts differ"):
        D.Binomial(tenon.tensor([2.0, 3.0]), tenon.tensor(0.5)).enumerate_support()


def test_parameters_of_one_shape_stay_the_tensors_they_are():
    loc, scale = tenon.zeros(2, requires_grad=True), tenon.tensor(1.0, requires_grad=True)
    made = D.Normal(loc, scale)
    assert made.loc is loc and made.scale is not scale and D.Normal(loc, loc + 1).loc is loc
    made.rsample().sum().backward()
    assert loc.grad.tolist() == [1, 1]


def test_transforms_are_equal_where_they_do_the_same():
    one, other = tenon.tensor([1.0, 2.0]), tenon.tensor([1.0, 3.0])
    assert D.ExpTransform() == D.ExpTransform() and D.ExpTransform() != D.TanhTransform() and D.ExpTransform().inv == D.ExpTransform().inv
    assert D.AffineTransform(0.0, one) == D.AffineTransform(0.0, one.clone()) != D.AffineTransform(0.0, other)
    assert D.ComposeTransform([D.PowerTransform(one), D.ExpTransform()]) == D.ComposeTransform([D.PowerTransform(one), D.ExpTransform()])
    normal = D.Normal(tenon.zeros(2), tenon.ones(2))
    with pytest.raises(NotImplementedError):  # what they do differs, so the divergence of the bases is not theirs
        D.kl_divergence(D.TransformedDistribution(normal, [D.AffineTransform(0.0, one)]), D.TransformedDistribution(normal, [D.AffineTransform(0.0, other)]))


def test_transforms_undo_themselves():
    x = tenon.tensor([0.3, -0.7])
    for transform in (D.ExpTransform(), D.SigmoidTransform(), D.TanhTransform(), D.AffineTransform(1.0, 3.0), D.SoftplusTransform(), D.StickBreakingTransform()):
        assert tenon.allclose(transform.inv(transform(x)), x, atol=1e-5)
    assert tenon.allclose(D.transform_to(D.constraints.positive)(x), x.exp()) and D.biject_to(D.constraints.simplex)(x).sum().item() == pytest.approx(1)


def test_the_mode_of_kumaraswamy_is_where_its_density_is_largest():
    made = D.Kumaraswamy(tenon.tensor([2.0, 1.5, 5.0]).double(), tenon.tensor([3.0, 1.0, 2.5]).double())
    mode = made.mode
    places = tenon.linspace(0.001, 0.999, 999, dtype=tenon.float64).unsqueeze(-1)
    best = places.squeeze(-1)[made.log_prob(places.expand(999, 3)).argmax(0)]
    assert tenon.allclose(best, mode.clamp(0.001, 0.999), atol=2e-3)


@pytest.mark.parametrize("name", ["Gamma", "Beta", "FisherSnedecor", "InverseGamma", "StudentT"])
def test_draws_of_the_gamma_family_carry_gradients(name):
    """The mean of many draws, differentiated, is the derivative of the mean."""
    a, b = tenon.tensor(6.0, dtype=tenon.float64, requires_grad=True), tenon.tensor(5.0, dtype=tenon.float64, requires_grad=True)
    tenon.manual_seed(0)
    made = getattr(D, name)(a, b)
    value = made.rsample((20000,)).mean()
    drawn = tenon.autograd.grad(value, (a, b), allow_unused=True)
    exact = tenon.autograd.grad(made.mean, (a, b), allow_unused=True)
    for one, other in zip(drawn, exact):
        wanted = 0.0 if other is None else other.item()
        assert (0.0 if one is None else one.item()) == pytest.approx(wanted, abs=0.05)


def test_draws_of_dirichlet_lie_on_the_simplex_and_have_slopes_that_sum_to_nothing():
    concentration = tenon.tensor([[0.5, 2.0, 3.0]], dtype=tenon.float64, requires_grad=True)
    drawn = D.Dirichlet(concentration).rsample((50,))
    assert tenon.allclose(drawn.sum(-1), tenon.ones(50, 1, dtype=tenon.float64))
    drawn.sum().backward()
    assert tenon.allclose(concentration.grad, tenon.zeros_like(concentration), atol=1e-9)


def test_transforms_come_back_and_their_derivatives_are_those_of_autograd():
    x = tenon.tensor([0.1, -0.5, 0.7], dtype=tenon.float64)
    for transform in (D.CatTransform([D.ExpTransform(), D.AffineTransform(1.0, 2.0)], 0, [1, 2]),
                      D.StackTransform([D.ExpTransform(), D.SigmoidTransform(), D.identity_transform]),
                      D.CumulativeDistributionTransform(D.Normal(tenon.tensor(0.0, dtype=tenon.float64), 1.0))):
        y = transform(x)
        slopes = tenon.autograd.functional.jacobian(transform, x).diagonal()
        assert tenon.allclose(transform.inv(y.clone()), x) and bool(transform.codomain.check(y).all())
        assert tenon.allclose(transform.log_abs_det_jacobian(x, y), slopes.abs().log())
    factor = D.CorrCholeskyTransform()(x)
    assert factor.shape == (3, 3) and bool(D.constraints.corr_cholesky.check(factor)) and tenon.allclose(D.CorrCholeskyTransform().inv(factor), x)
    matrix = tenon.arange(9.0, dtype=tenon.float64).reshape(3, 3) / 5
    lower = D.transform_to(D.constraints.lower_cholesky)(matrix)
    assert bool(D.constraints.lower_cholesky.check(lower)) and not bool(D.constraints.lower_cholesky.check(matrix))
    assert D.utils.tril_matrix_to_vec(D.utils.vec_to_tril_matrix(x)).tolist() == x.tolist()
    with pytest.raises(ValueError):
        D.CorrCholeskyTransform().forward_shape((4,))
