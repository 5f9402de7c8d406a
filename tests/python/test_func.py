"""torch.func, parametrizations, scaling of gradients, and what compile says."""

import warnings

import pytest
import tenon
from tenon import func, nn


def close(a, b):
    return tenon.allclose(a, b, atol=1e-6)


def cube(x):
    return (x ** 3).sum()


def test_gradients_of_functions():
    x = tenon.tensor([1.0, 2.0])
    assert close(func.grad(cube)(x), 3 * x ** 2)
    gradient, value = func.grad_and_value(cube)(x)
    assert close(gradient, 3 * x ** 2) and value == 9 and not gradient.requires_grad
    one, other = func.grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x * 3)
    assert close(one, x * 3) and close(other, x)
    gradient, aux = func.grad(lambda a: (cube(a), a * 2), has_aux=True)(x)
    assert close(aux, x * 2)
    assert close(func.grad(lambda p: cube(p["w"]))({"w": x})["w"], 3 * x ** 2)
    assert close(func.grad(lambda a: func.grad(cube)(a).sum())(x), 6 * x)


def test_jacobians_and_hessians():
    x = tenon.tensor([1.0, 2.0, 3.0])
    assert close(func.jacrev(lambda a: a ** 2)(x), tenon.diag(2 * x)) and close(func.jacfwd(lambda a: a ** 2)(x), tenon.diag(2 * x))
    assert close(func.hessian(cube)(x), tenon.diag(6 * x))
    out, pull = func.vjp(lambda a: a ** 2, x)
    assert close(out, x ** 2) and close(pull(tenon.ones(3))[0], 2 * x)
    out, pushed = func.jvp(lambda a: a.sin(), (x,), (tenon.ones(3),))
    assert close(out, x.sin()) and close(pushed, x.cos())


def test_vmap_is_a_loop_over_the_batch():
    rows = tenon.arange(6.0).reshape(2, 3)
    assert close(func.vmap(lambda row: row.sum())(rows), rows.sum(1))
    assert close(func.vmap(tenon.dot, in_dims=(0, None))(rows, tenon.ones(3)), rows.sum(1))
    assert func.vmap(lambda row: row, in_dims=1, out_dims=1)(rows).shape == (2, 3)
    assert close(func.vmap(func.grad(cube))(rows), 3 * rows ** 2) and close(tenon.vmap(lambda a, b: a * b)(rows, rows), rows ** 2)
    with pytest.raises(ValueError):
        func.vmap(lambda a, b: a)(rows, tenon.ones(3))


def test_a_module_with_other_parameters():
    net = nn.Linear(2, 1)
    params = {name: tenon.ones_like(value) for name, value in net.named_parameters()}
    assert func.functional_call(net, params, (tenon.ones(1, 2),)).item() == 3
    before = net.weight.detach().clone()
    gradients = func.grad(lambda p, x: func.functional_call(net, p, (x,)).sum())(params, tenon.ones(1, 2))
    assert gradients["weight"].tolist() == [[1, 1]] and tenon.equal(net.weight, before)
    with pytest.raises(RuntimeError):
        func.functional_call(net, {"weight": params["weight"]}, (tenon.ones(1, 2),), strict=True)


class Symmetric(nn.Module):
    def forward(self, x):
        return x.triu() + x.triu(1).transpose(-1, -2)

    def right_inverse(self, x):
        return x.triu()


def test_a_parameter_computed_from_another():
    from tenon.nn.utils import parametrizations, parametrize

    net = nn.Linear(3, 3)
    parametrize.register_parametrization(net, "weight", Symmetric())
    assert list(net.state_dict()) == ["bias", "parametrizations.weight.original"] and tenon.equal(net.weight, net.weight.T)
    net(tenon.ones(1, 3)).sum().backward()
    assert net.parametrizations.weight.original.grad is not None
    net.weight = tenon.ones(3, 3)
    assert net.parametrizations.weight.original.tolist() == tenon.ones(3, 3).triu().tolist()
    with parametrize.cached():
        assert net.weight is net.weight
    parametrize.remove_parametrizations(net, "weight")
    assert type(net) is nn.Linear and net.weight.tolist() == tenon.ones(3, 3).tolist()
    for norm in (parametrizations.weight_norm, nn.utils.weight_norm):
        net = nn.Linear(2, 3)
        before = net.weight.detach().clone()
        norm(net)
        net(tenon.ones(1, 2))
        assert close(net.weight, before) and len(list(net.parameters())) == 3
    net = nn.Linear(4, 4)
    parametrizations.spectral_norm(net, n_power_iterations=30)
    assert tenon.linalg.vector_norm(net.weight @ net.parametrizations.weight[0]._v).item() == pytest.approx(1, abs=1e-3)
    nn.utils.remove_spectral_norm(nn.utils.spectral_norm(nn.Linear(2, 2)))


def test_fused_layers_are_the_layers():
    conv, norm = nn.Conv2d(2, 3, 3), nn.BatchNorm2d(3)
    norm(conv(tenon.randn(4, 2, 6, 6)))
    conv.eval(), norm.eval()
    x = tenon.randn(1, 2, 6, 6)
    assert tenon.allclose(nn.utils.fuse_conv_bn_eval(conv, norm)(x), norm(conv(x)), atol=1e-5)


def test_a_scaler_leaves_out_steps_that_are_not_finite():
    net = nn.Linear(1, 1)
    sgd, scaler = tenon.optim.SGD(net.parameters(), lr=1.0), tenon.amp.GradScaler("cpu", init_scale=8.0, growth_interval=1)
    before = net.weight.item()
    scaler.scale(net(tenon.ones(1, 1)).sum()).backward()
    assert net.weight.grad.item() == 8
    scaler.step(sgd)
    scaler.update()
    assert net.weight.item() == pytest.approx(before - 1) and scaler.get_scale() == 16
    net.weight.grad = tenon.tensor([[float("inf")]])
    scaler.step(sgd)
    scaler.update()
    assert net.weight.item() == pytest.approx(before - 1) and scaler.get_scale() == 8
    again = tenon.amp.GradScaler("cpu")
    again.load_state_dict(scaler.state_dict())
    assert again.get_scale() == 8


def test_compile_gives_back_what_it_gets_and_says_so_once():
    from tenon import compiler

    compiler._told = False
    net = nn.Linear(1, 1)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        assert tenon.compile(net) is net and tenon.compile(mode="max-autotune")(net) is net
    assert len(seen) == 1 and "compiler" in str(seen[0].message)
    assert not tenon.cuda.is_available() and tenon.cuda.device_count() == 0 and tenon.accelerator.current_accelerator() is None


def test_vmap_draws_as_randomness_says():
    x = tenon.ones(3, 4)
    with pytest.raises(RuntimeError, match="randomness"):
        tenon.vmap(lambda row: row + tenon.rand(4))(x)
    tenon.manual_seed(5)
    same = tenon.vmap(lambda row: row + tenon.rand(4), randomness="same")(x)
    tenon.manual_seed(5)
    assert same.tolist() == [(tenon.rand(4) + 1).tolist()] * 3
    different = tenon.vmap(lambda row: row + tenon.rand(4), randomness="different")(x)
    assert len({tuple(row) for row in different.tolist()}) == 3
    with pytest.raises(ValueError, match="empty"):
        tenon.vmap(lambda row: row)(tenon.ones(0, 4))
    with pytest.raises(RuntimeError, match="'error', 'different' or 'same'"):
        tenon.vmap(lambda row: row, randomness="often")


def test_autocast_casts_the_tensors_of_lists_and_what_is_made_of_products():
    x, image = tenon.eye(3) + 0.1, tenon.ones(1, 1, 4, 4)
    layer = nn.LSTM(3, 2, num_layers=3, bidirectional=True)  # more weights than a call has room for without memory of its own
    with tenon.autocast("cpu"):
        lower = [tenon.einsum("ij,jk,kl->il", x, x, x), tenon.linalg.multi_dot([x, x, x]), tenon.chain_matmul(x, x), tenon.inner(x, x),
                 tenon.tensordot(x, x, 1), tenon.matrix_power(x, 2), nn.PReLU()(x), nn.RNN(3, 2)(x)[0], nn.RNNCell(3, 2)(x), layer(x)[0]]
        half = x.bfloat16()
        full = [tenon.linalg.cholesky(tenon.eye(3).bfloat16()), tenon.linalg.inv(half), tenon.linalg.svdvals(half), tenon.linalg.solve(half, half),
                nn.functional.max_pool3d(image[None].bfloat16(), (1, 2, 2)), nn.functional.pad(image.bfloat16(), (1, 1), mode="reflect")]
        alike = [tenon.einsum("ij->ji", x), nn.functional.pad(image, (1, 1)), tenon.cumprod(x, 0)]
        kept = [nn.functional.pad(image.bfloat16(), (1, 1)), tenon.cumprod(half, 0), tenon.renorm(half, 2, 0, 1.0)]
    assert {one.dtype for one in lower + kept} == {tenon.bfloat16} and {one.dtype for one in full + alike} == {tenon.float32}
    lower[-1].float().sum().backward()
    assert all(weight.grad.dtype is tenon.float32 for weight in layer.parameters())


def test_autocast_lets_products_compute_in_half_precision():
    net, x = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 3)), tenon.randn(5, 4)
    for dtype in (tenon.bfloat16, tenon.float16):
        with tenon.autocast("cpu", dtype=dtype):
            out = net(x)
            loss = nn.functional.cross_entropy(out, tenon.zeros(5, dtype=tenon.int64))
            assert out.dtype is dtype and (x @ x.T).dtype is dtype and loss.dtype is tenon.float32
            assert (x + 1).dtype is tenon.float32 and (x.double() @ x.double().T).dtype is tenon.float64
            with tenon.autocast("cpu", enabled=False):
                assert (x @ x.T).dtype is tenon.float32
        loss.backward()
        assert net[0].weight.grad.dtype is tenon.float32
        net.zero_grad()
    assert (x @ x.T).dtype is tenon.float32

    @tenon.autocast("cpu")
    def product(a):
        return a @ a.T

    assert product(x).dtype is tenon.bfloat16
