"""Linear algebra from Python: names, named results, errors, and what NumPy says of the same matrices."""

import pytest

import tenon

numpy = pytest.importorskip("numpy")


def matrices(dtype, *sizes):
    generator = numpy.random.default_rng(7)
    values = generator.standard_normal(sizes)
    if numpy.dtype(dtype).kind == "c":
        values = values + 1j * generator.standard_normal(sizes)
    return values.astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
@pytest.mark.parametrize("n", [1, 5, 33])
def test_results_are_those_of_numpy(dtype, n):
    a, b = matrices(dtype, 3, n, n), matrices(dtype, 3, n, 2)
    positive = a @ a.conj().swapaxes(-1, -2) + n * numpy.eye(n, dtype=dtype)
    x = tenon.from_numpy(a)
    close = 2e-3 if dtype in ("float32", "complex64") else 1e-9
    for ours, theirs in [
        (tenon.linalg.solve(x, tenon.from_numpy(b)), numpy.linalg.solve(a, b)),
        (tenon.linalg.inv(x), numpy.linalg.inv(a)),
        (tenon.linalg.det(x), numpy.linalg.det(a)),
        (tenon.linalg.slogdet(x).logabsdet, numpy.linalg.slogdet(a)[1]),
        (tenon.linalg.cholesky(tenon.from_numpy(positive)), numpy.linalg.cholesky(positive)),
        (abs(tenon.linalg.qr(x).R), abs(numpy.linalg.qr(a)[1])),
        (tenon.linalg.matrix_norm(x), numpy.linalg.norm(a, axis=(-2, -1))),
        (tenon.linalg.norm(x, 1, dim=(-2, -1)), numpy.linalg.norm(a, 1, axis=(-2, -1))),
        (tenon.linalg.matrix_power(x, -2), numpy.linalg.matrix_power(a, -2)),
    ]:
        numpy.testing.assert_allclose(ours.numpy(), theirs, rtol=close, atol=close * abs(theirs).max())


def test_results_have_names_and_older_names_exist():
    a = tenon.eye(3) * 2
    factors = tenon.linalg.lu_factor_ex(a)
    assert factors.info.item() == 0 and factors.pivots.tolist() == [1, 2, 3] and tenon.equal(factors.LU, a)
    assert tenon.linalg.cholesky_ex(a).info.item() == 0
    assert tenon.equal(tenon.inverse(a), tenon.linalg.inv(a))
    assert tenon.equal(tenon.lu(a)[0], tenon.linalg.lu_factor(a).LU)
    assert len(tenon.lu(a, get_infos=True)) == 3
    out = tenon.empty(0)
    assert tenon.linalg.inv(a, out=out) is out and out.shape == (3, 3)
    with pytest.raises(NotImplementedError, match="lobpcg"):
        tenon.lobpcg(a)


def test_a_matrix_without_an_answer_is_a_linalg_error():
    a = tenon.stack([tenon.eye(2), tenon.ones(2, 2)])
    with pytest.raises(tenon.linalg.LinAlgError, match=r"matrix \[1\] of the batch is singular"):
        tenon.linalg.inv(a)
    with pytest.raises(RuntimeError, match="not positive definite"):
        tenon.linalg.cholesky(-a)
    assert tenon.linalg.solve_ex(a, a).info.tolist() == [0, 2]


def test_a_matrix_has_the_older_names_as_methods():
    a = tenon.tensor([[2.0, 1.0], [1.0, 3.0]], requires_grad=True)
    assert a.det().item() == pytest.approx(5) and tenon.det(input=a).equal(tenon.linalg.det(A=a))
    assert a.inverse().equal(tenon.linalg.inv(a)) and a.slogdet().sign == 1 and a.slogdet().logabsdet.equal(tenon.logdet(a))
    assert a.lu()[0].equal(tenon.lu(a)[0]) and len(a.lu(get_infos=True)) == 3
    reflections, tau = tenon.geqrf(a.detach())
    assert reflections.orgqr(tau).equal(tenon.linalg.householder_product(reflections, tau))
    a.inverse().sum().backward()
    assert a.grad.shape == (2, 2)


def test_gradients_of_singular_matrices_are_not_numbers_and_do_not_stop_backward():
    for dtype in tenon.float64, tenon.complex128:
        pair = tenon.tensor([[[1., 2], [2, 4]], [[2., 0], [0, 3]]]).to(dtype).requires_grad_()
        tenon.linalg.slogdet(pair)[1].sum().backward()
        assert pair.grad[0].isnan().all() and tenon.allclose(pair.grad[1], tenon.tensor([[0.5, 0], [0, 1 / 3]]).to(dtype))
        pair.grad = None
        tenon.linalg.solve_ex(pair, tenon.ones(2, 2, dtype=dtype).unsqueeze(-1).detach())[0].sum().abs().backward()
        assert pair.grad[0].isnan().all() and not pair.grad[1].isnan().all()


def test_the_determinant_of_a_complex_matrix_whose_rows_change_places_has_no_negative_zero():
    x = tenon.tensor([[1., 2], [3, 4]], dtype=tenon.complex128)
    assert tenon.logdet(x).imag.item() > 3 and str(tenon.det(x).imag.item()) == "0.0"
