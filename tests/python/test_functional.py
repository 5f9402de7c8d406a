"""Products with Jacobians and Hessians, checks of gradients, and calls that are made again (the numbers are torch's, or known)."""

import warnings

import pytest
import tenon
from tenon.autograd import GradcheckError, Function, grad, gradcheck, gradgradcheck
from tenon.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp
from tenon.utils.checkpoint import checkpoint, checkpoint_sequential

F64 = tenon.float64


def tensor(values, **more):
    return tenon.tensor(values, dtype=F64, **more)


X, Y, V = tensor([[0.5, 1.5], [2.0, -1.0]]), tensor([1.0, 3.0]), tensor([[1.0, 2.0], [3.0, 4.0]])


def cubes(x, y):
    return ((x ** 3) @ y).sum()


def test_products_with_a_jacobian():
    out, (of_x, of_y) = vjp(lambda x, y: (x * x) @ y, (X, Y), tensor([1.0, 2.0]))
    assert tenon.allclose(out, (X * X) @ Y) and not out.requires_grad
    assert tenon.allclose(of_x, 2 * X * Y * tensor([[1.0], [2.0]])) and tenon.allclose(of_y, tensor([1.0, 2.0]) @ (X * X))
    out, product = jvp(lambda x, y: (x * x) @ y, (X, Y), (V, Y))
    assert tenon.allclose(product, (2 * X * V) @ Y + (X * X) @ Y)
    assert vjp(lambda x: x.sum(), Y)[1].tolist() == [1, 1]
    assert jvp(lambda x: tenon.ones(2), Y, Y)[1].tolist() == [0, 0]
    one, two = jvp(lambda x: (x * 2, x.sum()), Y, Y)[1]
    assert one.tolist() == [2, 6] and two.item() == 4


def test_whole_jacobians_and_hessians():
    a, b = jacobian(lambda x, y: (x * x) @ y, (X, Y))
    assert a.shape == (2, 2, 2) and b.tolist() == (X * X).tolist() and a[0, 1].tolist() == [0, 0]
    for more in ({}, {"vectorize": True}, {"strategy": "forward-mode"}):
        assert tenon.allclose(jacobian(tenon.exp, Y, **more), tenon.diag(Y.exp()))
    assert hessian(lambda x: (x ** 3).sum(), Y).tolist() == [[6, 0], [0, 18]]
    (xx, xy), (yx, yy) = hessian(cubes, (X, Y))
    assert xx.shape == (2, 2, 2, 2) and yy.tolist() == [[0, 0], [0, 0]] and tenon.allclose(xy[1], tenon.diag(3 * X[1] ** 2))
    assert tenon.allclose(yx[1], tenon.stack([tensor([0.0, 3 * 1.5 ** 2]), tensor([0.0, 3.0])]))
    assert hessian(lambda x: x.sum(), Y).tolist() == [[0, 0], [0, 0]]
    assert jacobian(lambda x: x, tenon.zeros(0)).shape == (0, 0)


def test_products_with_a_hessian():
    first, second = hvp(cubes, (X, Y), (V, Y))[1], vhp(cubes, (X, Y), (V, Y))[1]
    assert all(tenon.allclose(a, b) for a, b in zip(first, second))
    assert hvp(lambda x: (x ** 3).sum(), Y, tensor([1.0, 1.0]))[1].tolist() == [6, 18]


def test_results_can_be_derived_again_where_that_is_asked():
    y = Y.clone().requires_grad_()
    out, product = vjp(lambda x: (x ** 3).sum(), y, create_graph=True)
    assert grad(product.sum(), y)[0].tolist() == [6, 18]
    assert grad(jvp(lambda x: (x ** 3).sum(), y, Y, create_graph=True)[1], y)[0].tolist() == [6, 54]
    assert grad(hessian(lambda x: (x ** 4).sum(), y, create_graph=True).sum(), y)[0].tolist() == [24, 72]
    with tenon.no_grad():
        assert not jacobian(tenon.exp, y).requires_grad


def test_strict_and_what_is_wrong():
    for wrong in (
        lambda: jacobian(lambda a, b: a * 2, (X, Y), strict=True), lambda: jvp(lambda a: tenon.ones(2), X, V, strict=True),
        lambda: hessian(lambda a: a.sum(), Y, strict=True), lambda: vjp(lambda a: tenon.ones(()), X, strict=True),
        lambda: vjp(lambda x: x * 2, Y), lambda: vjp(lambda x: x * 2, Y, tenon.ones(3)), lambda: hessian(lambda a: a * 2, Y),
        lambda: hvp(lambda a: (a.sum(), a), Y, Y), lambda: jvp(cubes, (X, Y), (V,)),
    ):
        with pytest.raises(RuntimeError):
            wrong()
    for wrong in (lambda: vjp(tenon.exp, 3), lambda: jacobian(lambda x: "text", Y)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(NotImplementedError):
        jacobian(tenon.exp, Y, strategy="forward-mode", create_graph=True)
    with pytest.raises(AttributeError):
        tenon.autograd.forward_ad


# ---- checks


class Wrong(Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        return g * 3


@pytest.mark.parametrize("fast_mode", [False, True])
def test_gradcheck(fast_mode):
    y, z = Y.clone().requires_grad_(), tenon.complex(Y, Y + 1).requires_grad_()
    assert gradcheck(lambda x: x.sin() * x.sum(), y, fast_mode=fast_mode)
    assert gradcheck(lambda x, w: (x * x.conj() * x.sin(), w.abs()), (z, y), fast_mode=fast_mode)
    assert gradcheck(lambda x, k: x * k, (y, 3.0), fast_mode=fast_mode, check_grad_dtypes=True)
    assert gradgradcheck(lambda x: x.sin() * x.sum(), y, fast_mode=fast_mode, gen_non_contig_grad_outputs=True)
    assert gradgradcheck(lambda x: x * x.sin(), z, fast_mode=fast_mode)
    with pytest.raises(GradcheckError):
        gradcheck(Wrong.apply, y, fast_mode=fast_mode)
    assert not gradcheck(Wrong.apply, y, raise_exception=False, fast_mode=fast_mode)
    assert y.tolist() == Y.tolist()


def test_gradcheck_finds_what_is_not_the_same_twice():
    y = Y.clone().requires_grad_()

    class Drifts(Function):
        count = 0

        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            Drifts.count += 1
            return g * (2 + 1e-9 * Drifts.count)

    with pytest.raises(GradcheckError):
        gradcheck(Drifts.apply, y)
    assert gradcheck(Drifts.apply, y, nondet_tol=1e-6)
    with pytest.raises(ValueError):
        gradcheck(tenon.exp, Y)
    with pytest.raises(RuntimeError):
        gradcheck(tenon.exp, tensor(1.0).expand(3).requires_grad_())
    with pytest.raises(NotImplementedError):
        gradcheck(tenon.exp, y, check_forward_ad=True)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        gradcheck(tenon.exp, Y.float().requires_grad_(), eps=1e-2, atol=1e-1)
    assert any("float32" in str(one.message) for one in seen)


# ---- checkpoints

WEIGHTS = tensor([[1.0, 2.0], [0.5, -1.0]], requires_grad=True)


def net(x):
    return (x @ WEIGHTS).tanh() * tenon.nn.functional.dropout(x, 0.5)


def gradients(call, x):
    tenon.manual_seed(1)
    WEIGHTS.grad = None
    x = x.clone().requires_grad_()
    call(x).sum().backward()
    return x.grad, WEIGHTS.grad, tenon.rand(1)


def test_a_checkpoint_gives_the_same_gradients_and_the_same_random_numbers():
    expected = gradients(net, X)
    found = gradients(lambda x: checkpoint(net, x, use_reentrant=True), X)
    assert all(tenon.equal(a, b) for a, b in zip(expected, found))
    sequence = [tenon.sin, net, tenon.exp, tenon.tanh, tenon.cos]

    def plain(x):
        for one in sequence:
            x = one(x)
        return x

    expected, found = gradients(plain, X), gradients(lambda x: checkpoint_sequential(sequence, 2, x, use_reentrant=True), X)
    assert all(tenon.equal(a, b) for a, b in zip(expected, found))


def test_what_a_reentrant_checkpoint_refuses():
    x = X.clone().requires_grad_()
    with pytest.raises(RuntimeError):
        grad(checkpoint(net, x, use_reentrant=True).sum(), x)
    with pytest.raises(RuntimeError):
        checkpoint(net, x, use_reentrant=True).sum().backward(inputs=[x])
    with pytest.raises(ValueError):
        checkpoint(net, x, use_reentrant=True, more=1)
    with pytest.raises(ValueError):
        checkpoint(net, x, use_reentrant=False, determinism_check="what")
    with pytest.warns(UserWarning, match="use_reentrant"):
        checkpoint(net, x)
    with pytest.warns(UserWarning, match="none of the inputs"):
        checkpoint(net, X, use_reentrant=True)


# ---- anomalies


def test_the_call_that_gave_nan_is_named():
    x = tensor([-1.0], requires_grad=True)
    with pytest.warns(UserWarning), tenon.autograd.detect_anomaly():
        assert tenon.is_anomaly_enabled()
        with pytest.raises(RuntimeError, match="SqrtBackward0"):
            (x.sqrt() * 0).sum().backward()
    assert not tenon.is_anomaly_enabled()
    (x.sqrt() * 0).sum().backward()
    with tenon.autograd.set_detect_anomaly(True):
        with pytest.raises(RuntimeError):
            (x.sqrt() * 0).sum().backward()
    with tenon.autograd.set_detect_anomaly(True, check_nan=False):
        assert tenon.is_anomaly_enabled() and not tenon.is_anomaly_check_nan_enabled()
        (x.sqrt() * 0).sum().backward()
    assert tenon.is_anomaly_check_nan_enabled()


def test_variables_are_tensors():
    assert isinstance(X, tenon.autograd.Variable) and tenon.autograd.Variable(X, requires_grad=True).requires_grad and not X.requires_grad
    with pytest.raises(RuntimeError):
        tenon.autograd.variable(X)
