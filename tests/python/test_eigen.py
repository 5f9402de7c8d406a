"""Eigenvalues and singular values against NumPy's: values, vectors, named results, tolerances, norms, errors."""

import numpy as np
import pytest

import tenon as torch

RANDOM = np.random.default_rng(7)
DTYPES = ["float32", "float64", "complex64", "complex128"]
EPSILON = {"float32": 1e-5, "complex64": 1e-5, "float64": 1e-12, "complex128": 1e-12}


def matrices(dtype, *shape):
    real = RANDOM.standard_normal(shape)
    return (real + 1j * RANDOM.standard_normal(shape) if "complex" in dtype else real).astype(dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 4, 9, 20, 60])
def test_hermitian_values_are_numpys(dtype, n):
    a = matrices(dtype, 3, n, n)
    a = a + a.conj().swapaxes(-1, -2)
    found = torch.linalg.eigh(torch.tensor(a))
    expected = np.linalg.eigvalsh(a)
    assert np.allclose(found.eigenvalues.numpy(), expected, atol=EPSILON[dtype] * n)
    assert np.allclose(torch.linalg.eigvalsh(torch.tensor(a), UPLO="U").numpy(), expected, atol=EPSILON[dtype] * n)
    v = found.eigenvectors.numpy()
    assert np.allclose(a @ v, v * found.eigenvalues.numpy()[:, None, :], atol=EPSILON[dtype] * n)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (5, 3), (16, 16), (40, 25), (25, 60)])
def test_singular_values_are_numpys(dtype, shape):
    a = matrices(dtype, 4, *shape)
    U, S, Vh = torch.linalg.svd(torch.tensor(a), full_matrices=False)
    assert np.allclose(S.numpy(), np.linalg.svd(a, compute_uv=False), atol=EPSILON[dtype] * 30)
    assert np.allclose((U.numpy() * S.numpy()[:, None, :]) @ Vh.numpy(), a, atol=EPSILON[dtype] * 30)
    assert np.allclose(torch.linalg.pinv(torch.tensor(a)).numpy(), np.linalg.pinv(a, rcond=1e-5), atol=EPSILON[dtype] * 1000)
    assert torch.linalg.matrix_rank(torch.tensor(a)).tolist() == [min(shape)] * 4
    for order in ("fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf):
        assert np.allclose(torch.linalg.matrix_norm(torch.tensor(a), order).numpy(), np.linalg.norm(a, order, (-2, -1)), rtol=1e-4)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", [1, 2, 7, 30, 55])
def test_general_values_are_numpys(dtype, n):
    a = matrices(dtype, n, n)
    w, v = torch.linalg.eig(torch.tensor(a))
    assert np.allclose(a @ v.numpy(), v.numpy() * w.numpy(), atol=EPSILON[dtype] * n)
    expected = np.linalg.eigvals(a.astype("complex128"))
    for value in torch.linalg.eigvals(torch.tensor(a)).numpy():
        assert np.abs(expected - value).min() < EPSILON[dtype] * 100


def test_condition_numbers_are_numpys():
    a = matrices("float64", 2, 5, 5)
    for order in (None, "fro", "nuc", 2, -2, 1, -1, np.inf, -np.inf):
        assert np.allclose(torch.linalg.cond(torch.tensor(a), order).numpy(), np.linalg.cond(a, order))


def test_given_results_and_older_names():
    a = torch.tensor(matrices("float64", 4, 3))
    U, S, V = torch.svd(a)
    assert torch.allclose(U @ torch.diag(S) @ V.mH, a) and U.shape == (4, 3)
    out = (torch.empty(0, dtype=torch.float64), torch.empty(0, dtype=torch.float64), torch.empty(0, dtype=torch.float64))
    torch.linalg.svd(a, out=out)
    assert [x.shape for x in out] == [(4, 4), (3,), (3, 3)]
    assert torch.allclose(torch.pinverse(a), torch.linalg.pinv(a))
    assert torch.allclose(torch.norm(a, p="nuc"), S.sum())


def test_what_is_not_finite_is_an_error_that_names_the_matrix():
    a = torch.zeros(2, 3, 3)
    a[1, 0, 0] = float("nan")
    for name in ("eigh", "eigvalsh", "eig", "eigvals", "svd", "svdvals"):
        with pytest.raises(torch.linalg.LinAlgError, match="1"):
            getattr(torch.linalg, name)(a)
