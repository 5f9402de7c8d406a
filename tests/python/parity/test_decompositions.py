"""Least squares and what rests on decompositions against PyTorch, from the same seeds: values, sizes, dtypes and gradients."""

import itertools
import warnings

import pytest
import torch

import tenon

DTYPES = {"float32": 3e-3, "float64": 1e-9, "complex64": 3e-3, "complex128": 1e-9}
SIZES = [((4, 2), (4, 3)), ((2, 4), (2, 3)), ((3, 3), (3, 3)), ((4, 2), (4,)), ((2, 4, 2), (2, 4, 3)), ((2, 4, 2), (2, 4)), ((5, 1, 4, 2), (1, 2, 4, 3)),
         ((1, 4, 2), (5, 4, 3)), ((0, 2), (0, 3)), ((0, 3, 2), (0, 3, 2)), ((2, 0, 2), (2, 0, 2)), ((7, 30, 10), (7, 30, 4))]


def ours(x):
    return tenon.from_numpy(x.detach().numpy().copy())


def same(made, wanted, near):
    made = torch.from_numpy(made.detach().clone().numpy())
    return made.shape == wanted.shape and made.dtype == wanted.dtype and torch.allclose(made, wanted.detach(), near, near)


@pytest.mark.parametrize("dtype, driver", list(itertools.product(DTYPES, [None, "gels", "gelsy", "gelsd", "gelss"])))
def test_least_squares(dtype, driver):
    torch.manual_seed(0)
    near = DTYPES[dtype]
    for left, right in SIZES:
        a, b = (torch.randn(size, dtype=getattr(torch, dtype)).requires_grad_() for size in (left, right))
        mine = [ours(a).requires_grad_(), ours(b).requires_grad_()]
        wanted, made = torch.linalg.lstsq(a, b, driver=driver), tenon.linalg.lstsq(*mine, driver=driver)
        assert all(same(x, y, near) for x, y in zip(made, wanted)), (left, right)
        if a.numel() and b.numel():
            into = [torch.randn_like(x.detach()) for x in wanted[:2]]
            wanted = torch.autograd.grad(wanted[:2], [a, b], into)
            made = tenon.autograd.grad(made[:2], mine, [ours(x) for x in into])
            assert all(same(x, y, 30 * near) for x, y in zip(made, wanted)), (left, right)


def numbers(library, case):
    """What a case gives: a list of lists of numbers."""
    def matrix(*sizes):
        count = 1
        for size in sizes:
            count *= size
        return library.sin(library.arange(count, dtype=library.float64) ** 2 * 1.7).reshape(sizes)

    scope = {"torch": library, "nn": library.nn, "D": library.distributions, "P": library.nn.utils.parametrizations, "matrix": matrix}
    library.manual_seed(5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [x.detach().reshape(-1).tolist() for x in eval(case, scope)]


SPREAD = "matrix(3, 3) @ matrix(3, 3).mT + torch.eye(3, dtype=torch.float64)"
MANY = [f"D.MultivariateNormal(matrix(3), {SPREAD})", f"D.MultivariateNormal(matrix(2, 3), precision_matrix={SPREAD})",
        f"D.MultivariateNormal(matrix(3), scale_tril=torch.linalg.cholesky({SPREAD}))",
        "D.LowRankMultivariateNormal(matrix(2, 3), matrix(3, 2), matrix(3).abs() + 1)", f"D.Wishart(torch.tensor(4.5, dtype=torch.float64), {SPREAD})",
        f"D.Wishart(torch.tensor([4.5, 9.0], dtype=torch.float64), precision_matrix={SPREAD})"]
CASES = [f"(lambda d: [d.sample(), d.rsample((3,)), d.mean, d.mode, d.variance, d.entropy(), d.log_prob(d.sample((2,))), d.covariance_matrix, "
         f"d.precision_matrix, d.scale_tril, d.expand((2, *d.batch_shape)).sample()])({one})" for one in MANY]
CASES += [f"[nn.init.orthogonal_(torch.empty({size}, dtype=torch.float64), gain=1.5)]" for size in ("3, 5", "5, 3", "4, 4", "4, 2, 3, 3")]
CASES += [f"(lambda l: [l.weight, l.parametrizations.weight.original])(P.orthogonal(nn.Linear({size}).double(), orthogonal_map={name!r}, use_trivialization={trivial}))"
          for size in ("3, 3", "3, 5", "5, 3") for name in (None, "matrix_exp", "cayley", "householder") for trivial in (True, False)]
CASES += [f"[x.abs() for x in torch.{name}({of}, {options})]" for of in ("matrix(8, 5)", "matrix(5, 8)", "matrix(2, 9, 4)")
          for name, options in (("svd_lowrank", "q=3"), ("svd_lowrank", "2, 4"), ("pca_lowrank", "q=3"), ("pca_lowrank", "2, False, 1"))]
CASES += ["[torch.norm(matrix(4, 3), p='nuc'), matrix(2, 4, 3).norm('nuc', (0, 2), True), D.Gamma(matrix(5).abs() + 1, 2.0).cdf(matrix(5).abs())]"]


@pytest.mark.parametrize("case", CASES)
def test_the_same_numbers(case):
    for made, wanted in zip(numbers(tenon, case), numbers(torch, case), strict=True):
        assert made == pytest.approx(wanted, rel=1e-8, abs=1e-9, nan_ok=True)
