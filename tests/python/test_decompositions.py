"""What rests on decompositions: least squares, low ranks, orthogonal weights, distributions of vectors and matrices. Numbers are PyTorch's."""

import numpy as np
import pytest
import tenon as torch
from tenon import distributions as D
from tenon import nn
from tenon.nn.utils import parametrizations

A = torch.sin(torch.arange(24, dtype=torch.float64) ** 2 * 1.7).reshape(6, 4)
B = torch.cos(torch.arange(12, dtype=torch.float64)).reshape(6, 2)
DRIVERS = ["gels", "gelsy", "gelsd", "gelss", None]


@pytest.mark.parametrize("driver", DRIVERS)
def test_least_squares_are_numpys(driver):
    wanted, residuals, rank, values = np.linalg.lstsq(A.numpy(), B.numpy(), rcond=None)
    made = torch.linalg.lstsq(A, B, driver=driver)
    assert np.allclose(made.solution.numpy(), wanted)
    assert made.residuals.shape == ((0,) if driver in ("gelsy", None) else (2,)) and made.rank.shape == ((0,) if driver == "gels" else ())
    assert made.singular_values.shape == ((4,) if driver in ("gelsd", "gelss") else (0,))
    assert not made.residuals.numel() or np.allclose(made.residuals.numpy(), residuals)
    assert driver == "gels" or made.rank.item() == rank
    assert not made.singular_values.numel() or np.allclose(made.singular_values.numpy(), values)
    wide = torch.linalg.lstsq(A.T, B[:4], driver=driver).solution
    assert np.allclose(wide.numpy(), np.linalg.pinv(A.T.numpy()) @ B[:4].numpy())


@pytest.mark.parametrize("driver", DRIVERS)
def test_least_squares_have_gradients(driver):
    a, b = A.clone().requires_grad_(), B.clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda *x: torch.linalg.lstsq(*x, driver=driver).solution, (a, b))
    assert torch.autograd.gradgradcheck(lambda *x: torch.linalg.lstsq(*x, driver=driver).solution, (a[:3, :2].detach().requires_grad_(), b[:3, 0].detach().requires_grad_()))


def test_results_of_least_squares_can_be_given():
    out = (*(torch.empty(0, dtype=torch.float64) for _ in range(2)), torch.empty(0, dtype=torch.int64), torch.empty(0, dtype=torch.float64))
    torch.linalg.lstsq(A, B, driver="gelsd", out=out)
    assert [tuple(x.shape) for x in out] == [(4, 2), (2,), (), (4,)]
    with pytest.raises(RuntimeError, match="gelsx"):
        torch.linalg.lstsq(A, B, driver="gelsx")
    with pytest.raises(torch.linalg.LinAlgError):
        torch.linalg.lstsq(torch.zeros(3, 2), torch.ones(3, 2), driver="gels")


def test_low_ranks_are_pytorchs():
    S = {
        ("svd_lowrank", "q"): ([2.37089639369, 1.98364706923], [0.30713399853, 0.22902224962], [0.51254930203, 0.50514976328]),
        ("pca_lowrank", "q"): ([2.281555373, 2.02676664534, 1.57280520451], [0.3521819617, 0.21550788031, 0.65573994348], [0.19591955338, 0.14448165657, 0.61679853347]),
        ("pca_lowrank", "center", "niter", "q"): ([2.36964578371, 1.98238537006], [0.31557900278, 0.22650984452], [0.50108600051, 0.4926093281]),
    }
    for name, options in (("svd_lowrank", {"q": 2}), ("pca_lowrank", {"q": 3}), ("pca_lowrank", {"q": 2, "center": False, "niter": 1})):
        torch.manual_seed(1)
        U, values, V = getattr(torch, name)(A, **options)
        wanted = S[name, *sorted(options)]
        assert values.tolist() == pytest.approx(wanted[0], rel=1e-9)
        assert U.abs()[0].tolist() == pytest.approx(wanted[1], rel=1e-7) and V.abs()[0].tolist() == pytest.approx(wanted[2], rel=1e-7)
    U, values, V = torch.svd_lowrank(A.T, q=4, M=torch.ones(6, dtype=torch.float64))
    assert torch.allclose(U @ torch.diag(values) @ V.mH, A.T - 1)
    with pytest.raises(ValueError):
        torch.pca_lowrank(A, q=5)


def test_orthogonal_weights_are_pytorchs():
    torch.manual_seed(2)
    made = nn.init.orthogonal_(torch.empty(2, 3), gain=2.0)
    assert made.flatten().tolist() == pytest.approx([1.4184494, -0.8083528, -1.1552348, -0.7688125, 0.9302095, -1.5948783], abs=1e-5)
    assert torch.allclose(made @ made.T, 4 * torch.eye(2), atol=1e-5)


WEIGHTS = {
    (None, True, 2, 2): [0.16697704809, -0.98596078289, 0.98596078289, 0.16697704809],
    (None, True, 3, 2): [-0.10564273856, -0.99157555317, 0.09127638942, -0.08472315723, -0.99020615658, 0.09797912525],
    (None, True, 2, 3): [0.12965790393, -0.98405584159, 0.12174945, 0.71638518714, 0.0080742271, -0.69765827631],
    (None, False, 2, 2): [0.96008650282, -0.2797032483, 0.2797032483, 0.96008650282],
    (None, False, 3, 2): [0.04578977309, -0.99706878885, 0.48154047897, 0.07579129625, -0.87522686418, -0.0104646885],
    (None, False, 2, 3): [0.11168094114, -0.89943228031, 0.42255051832, 0.59906717683, -0.27832390899, -0.75076915183],
    ("matrix_exp", True, 2, 2): [0.16697704809, -0.98596078289, 0.98596078289, 0.16697704809],
    ("matrix_exp", True, 3, 2): [0.06203042139, -0.97568777376, 0.40768664057, 0.21700734126, -0.91101253006, 0.03067868911],
    ("matrix_exp", True, 2, 3): [0.11303348367, -0.91708645128, 0.38232953384, 0.61358123071, -0.23822936596, -0.75283785938],
    ("matrix_exp", False, 2, 2): [0.96008650282, -0.2797032483, 0.2797032483, 0.96008650282],
    ("matrix_exp", False, 3, 2): [0.87611595736, -0.29124366864, 0.22827373998, 0.95251375443, -0.42463152131, -0.08885197301],
    ("matrix_exp", False, 2, 3): [0.91768485392, -0.3582394193, 0.17181102217, 0.38150385836, 0.91528402738, -0.12926699223],
    ("cayley", True, 2, 2): [0.1669862248, -0.98595922873, 0.98595922873, 0.1669862248],
    ("cayley", True, 3, 2): [0.06212268562, -0.97564432153, 0.40790700114, 0.21719628544, -0.91090759704, 0.03072346754],
    ("cayley", True, 2, 3): [0.11302050046, -0.91705367981, 0.38241197002, 0.61354517777, -0.23831909408, -0.75283884347],
    ("cayley", False, 2, 2): [0.96083968096, -0.27710486733, 0.27710486733, 0.96083968096],
    ("cayley", False, 3, 2): [0.88320635256, -0.2820952889, 0.22306321987, 0.95540206711, -0.41254010561, -0.08734493771],
    ("cayley", False, 2, 3): [0.92062169183, -0.35198082472, 0.16901242431, 0.37447818481, 0.91850320555, -0.1269564906],
    ("householder", True, 2, 2): [0.02386094154, -0.9997152872, 0.9997152872, 0.02386094154],
    ("householder", True, 3, 2): [-0.10564273856, -0.99157555317, 0.09127638942, -0.08472315723, -0.99020615658, 0.09797912525],
    ("householder", True, 2, 3): [0.12965790393, -0.98405584159, 0.12174945, 0.71638518714, 0.0080742271, -0.69765827631],
    ("householder", False, 2, 2): [0.14638484404, -0.98922771768, 0.98922771768, 0.14638484404],
    ("householder", False, 3, 2): [0.04578977309, -0.99706878885, 0.48154047897, 0.07579129625, -0.87522686418, -0.0104646885],
    ("householder", False, 2, 3): [0.11168094114, -0.89943228031, 0.42255051832, 0.59906717683, -0.27832390899, -0.75076915183],
}


@pytest.mark.parametrize("name, trivial, rows, columns", list(WEIGHTS))
def test_an_orthogonal_parametrization_learns_as_pytorchs(name, trivial, rows, columns):
    torch.manual_seed(7)
    layer = parametrizations.orthogonal(nn.Linear(columns, rows).double(), orthogonal_map=name, use_trivialization=trivial)
    (layer(torch.sin(torch.arange(2 * columns, dtype=torch.float64)).reshape(2, columns)) ** 3).sum().backward()
    torch.optim.SGD(layer.parameters(), lr=0.05).step()
    weight = layer.weight.detach()
    tall = weight if rows >= columns else weight.T
    assert torch.allclose(tall.T @ tall, torch.eye(tall.shape[1], dtype=torch.float64))
    assert weight.flatten().tolist() == pytest.approx(WEIGHTS[name, trivial, rows, columns], abs=1e-9)


def test_orthogonal_weights_can_be_assigned_and_are_checked():
    for name, trivial in (("matrix_exp", True), ("cayley", True), ("householder", True), ("householder", False)):
        for rows, columns in ((3, 3), (5, 3), (3, 5)):
            layer = parametrizations.orthogonal(nn.Linear(columns, rows).double(), orthogonal_map=name, use_trivialization=trivial)
            wanted = nn.init.orthogonal_(torch.empty(rows, columns, dtype=torch.float64))
            layer.weight = wanted
            assert torch.allclose(layer.weight, wanted)
            assert ("parametrizations.weight.0.base" in layer.state_dict()) is trivial
    layer = parametrizations.orthogonal(nn.Linear(3, 3), orthogonal_map="cayley", use_trivialization=False)
    with pytest.raises(NotImplementedError, match="cayley"):
        layer.weight = torch.eye(3)
    for wrong in (lambda: parametrizations.orthogonal(nn.Linear(3, 3), orthogonal_map="other"), lambda: parametrizations.orthogonal(nn.Linear(3, 3), "bias"),
                  lambda: parametrizations.orthogonal(nn.Linear(3, 3), "none"),
                  lambda: parametrizations.orthogonal(nn.Linear(3, 3, dtype=torch.complex64), orthogonal_map="householder")):
        with pytest.raises(ValueError):
            wrong()


def test_nuclear_norms_are_sums_of_singular_values():
    assert torch.norm(A, p="nuc").item() == A.norm("nuc").item() == pytest.approx(np.linalg.norm(A.numpy(), "nuc"))
    stack = A.reshape(2, 3, 4)
    assert torch.allclose(stack.norm("nuc", (0, 2)), torch.linalg.svdvals(stack.permute(1, 0, 2)).sum(-1))


def test_matrices_of_a_distribution_follow_from_each_other():
    covariance = A.T @ A
    normal = D.MultivariateNormal(torch.zeros(4, dtype=torch.float64), covariance)
    one = torch.eye(4, dtype=torch.float64)
    assert torch.allclose(normal.precision_matrix @ covariance, one) and torch.allclose(normal.scale_tril @ normal.scale_tril.mT, covariance)
    low = D.LowRankMultivariateNormal(normal.loc, A.T[:, :2], torch.ones(4, dtype=torch.float64))
    assert torch.allclose(low.precision_matrix @ low.covariance_matrix, one) and torch.allclose(low.scale_tril @ low.scale_tril.mT, low.covariance_matrix)
    value = B[:4, 0]
    assert torch.allclose(low.log_prob(value), D.MultivariateNormal(low.loc, low.covariance_matrix).log_prob(value))
    assert normal.expand((3,)).sample().shape == (3, 4) and low.expand((3,)).log_prob(value).shape == (3,)


def test_samples_of_matrices_carry_gradients():
    df, covariance = torch.tensor(4.5, dtype=torch.float64, requires_grad=True), (A.T @ A).requires_grad_()
    torch.manual_seed(3)
    made = D.Wishart(df, covariance)
    drawn = made.rsample((5,))
    (drawn.sum() + made.log_prob(drawn.detach()).sum()).backward()
    assert df.grad.isfinite() and covariance.grad.isfinite().all() and covariance.grad.abs().max() > 0
    one, two = D.Wishart(df.detach(), A.T @ A), D.Wishart(torch.tensor([5.0, 7.0], dtype=torch.float64), A.T @ A)
    assert (D.kl_divergence(one, two) > 0).all() and abs(D.kl_divergence(one, one).item()) < 1e-12


def test_parameters_of_vectors_and_matrices_are_checked():
    loc, one = torch.zeros(2), torch.eye(2)
    for wrong in (lambda: D.MultivariateNormal(loc, -one), lambda: D.MultivariateNormal(loc), lambda: D.MultivariateNormal(loc, one, scale_tril=one),
                  lambda: D.MultivariateNormal(loc, one).log_prob(torch.zeros(3)), lambda: D.Wishart(torch.tensor(0.5), one),
                  lambda: D.LowRankMultivariateNormal(loc, torch.ones(3, 1), torch.ones(2)), lambda: D.Gamma(1.0, 1.0).cdf(torch.tensor(-1.0))):
        with pytest.raises(ValueError):
            wrong()
