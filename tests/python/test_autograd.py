"""Gradients from Python: attributes, backward, grad, modes, printing, and what would lose a gradient."""

import copy
import pickle
import weakref

import pytest
import tenon


def leaf(*sizes):
    return (tenon.arange(1.0, 1 + max(1, int(tenon.zeros(sizes).numel())), dtype=tenon.float64).reshape(sizes) / 7).requires_grad_()


def test_backward_adds_to_leaves():
    x, w = leaf(3, 4), leaf(4)
    y = ((x * w) + 1).sin().sum()
    assert y.requires_grad and not y.is_leaf and x.is_leaf and y.grad_fn.name() == "SumBackward0" and x.grad_fn is None
    y.backward()
    expected = ((x * w + 1).cos() * w).detach()
    assert tenon.allclose(x.grad, expected) and w.grad.shape == (4,)
    (x * 2).sum().backward()
    assert tenon.allclose(x.grad, expected + 2)
    x.grad = None
    assert x.grad is None
    x.grad = tenon.ones(3, 4, dtype=tenon.float64)
    x.grad.zero_()
    assert x.grad.sum().item() == 0
    del x.grad
    assert x.grad is None


def test_a_graph_is_run_once_unless_it_is_kept():
    x = leaf(2)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    assert tenon.allclose(x.grad, 4 * x.detach())
    with pytest.raises(RuntimeError):
        y.backward()


def test_grad_leaves_the_gradients_alone():
    x, y = leaf(3), leaf(3)
    g, = tenon.autograd.grad((x ** 3).sum(), x, create_graph=True)
    h, = tenon.autograd.grad(g.sum(), x)
    assert tenon.allclose(h, 6 * x.detach()) and x.grad is None
    with pytest.raises(RuntimeError):
        tenon.autograd.grad((x * 2).sum(), [x, y])
    a, b = tenon.autograd.grad((x * 2).sum(), [x, y], allow_unused=True)
    assert b is None and a.tolist() == [2, 2, 2]
    a, b = tenon.autograd.grad((x * 2).sum(), [x, y], materialize_grads=True)
    assert b.tolist() == [0, 0, 0]
    rows, = tenon.autograd.grad(x * x, x, tenon.eye(3, dtype=tenon.float64), is_grads_batched=True)
    assert tenon.allclose(rows, tenon.diag(2 * x.detach()))
    with pytest.raises(ValueError):
        tenon.autograd.grad(x.sum(), x, is_grads_batched=True)
    with pytest.raises(RuntimeError):
        tenon.autograd.grad(x.sum(), [])


def test_the_type_of_a_node_has_the_name_of_its_derivative():
    x = leaf(2)
    first, second = (x * 2).grad_fn, (x * 3).grad_fn
    assert type(first).__name__ == first.name() == "MulBackward0" and type(first) is type(second) and first != second
    assert isinstance(first, tenon.autograd.graph.Node) and type(first.next_functions[0][0]).__name__ == "AccumulateGrad"
    with pytest.raises(TypeError):
        type(first)()


def test_backward_of_several_and_for_some():
    x, y = leaf(2), leaf(2)
    a, b = x * 3, x * y
    tenon.autograd.backward([a, b], [tenon.ones(2, dtype=tenon.float64)] * 2, inputs=[x])
    assert y.grad is None and tenon.allclose(x.grad, 3 + y.detach())
    with pytest.raises(RuntimeError):
        (x * 2).backward()
    with pytest.raises(RuntimeError):
        x.sum().backward(inputs=[])
    with pytest.raises(RuntimeError):
        tenon.ones(2).sum().backward()


def test_modes():
    x = leaf(2)
    with tenon.no_grad():
        assert not (x * 2).requires_grad and not tenon.is_grad_enabled()
        with tenon.enable_grad():
            assert (x * 2).requires_grad
    assert tenon.is_grad_enabled()
    before = tenon.set_grad_enabled(False)
    assert not tenon.is_grad_enabled()
    with before:
        pass
    assert tenon.is_grad_enabled()
    with tenon.set_grad_enabled(False):
        assert not (x * 2).requires_grad
    with tenon.inference_mode():
        assert tenon.is_inference_mode_enabled() and not (x * 2).requires_grad
    assert not tenon.is_inference_mode_enabled()

    @tenon.no_grad()
    def numbers():
        while True:
            sent = yield (x * 2).requires_grad
            assert sent is None or sent == "on"

    made = numbers()
    assert next(made) is False and tenon.is_grad_enabled() and made.send("on") is False
    made.close()
    with pytest.raises(ZeroDivisionError), tenon.no_grad():
        1 / 0
    assert tenon.is_grad_enabled()


def test_tensors_say_how_they_were_made():
    x = tenon.tensor([1.0, 2.0], requires_grad=True)
    assert repr(x) == "tensor([1., 2.], requires_grad=True)" and repr(x * 2) == "tensor([2., 4.], grad_fn=<MulBackward0>)"
    assert repr(x.detach()) == "tensor([1., 2.])"
    y = x * 2
    node = y.grad_fn
    assert "MulBackward0" in repr(node) and node == y.grad_fn and hash(node) == hash(y.grad_fn) and node != (x * 2).grad_fn
    (inner, number), *rest = node.next_functions
    assert inner.name() == "AccumulateGrad" and number == 0


def test_factories_make_leaves():
    for made in (tenon.zeros(2, requires_grad=True), tenon.randn(2, requires_grad=True), tenon.full((2,), 1.0, requires_grad=True),
                 tenon.tensor([1.0], requires_grad=True), tenon.asarray([1.0], requires_grad=True), tenon.ones_like(tenon.zeros(2), requires_grad=True)):
        assert made.requires_grad and made.is_leaf
    with pytest.raises(RuntimeError):
        tenon.tensor([1], requires_grad=True)


def test_retain_grad_and_detach():
    x = leaf(2)
    y = x * 2
    y.retain_grad()
    assert y.retains_grad
    (y * y).sum().backward()
    assert tenon.allclose(y.grad, 2 * y.detach())
    z = (x * 3).detach_()
    assert not z.requires_grad and z.grad_fn is None and not y.detach().requires_grad
    assert (x * 1).output_nr == 0


def test_what_would_lose_a_gradient_is_refused():
    x = leaf(2)
    for call in (x.numpy, lambda: memoryview(x), x.__dlpack__, lambda: copy.deepcopy(x * 2)):
        with pytest.raises((RuntimeError, BufferError)):
            call()
    assert x.detach().numpy().tolist() == x.numpy(force=True).tolist() == x.tolist()
    with pytest.raises(RuntimeError):
        x.add_(1)
    with tenon.no_grad():
        x.add_(1)
    with pytest.raises(RuntimeError):
        tenon.add(x, 1, out=tenon.zeros(2, dtype=tenon.float64))
    x.sum().backward()
    y = copy.deepcopy(x)
    assert y.requires_grad and y.is_leaf and y.grad.tolist() == [1, 1] and y.grad.data_ptr() != x.grad.data_ptr()


def test_a_changed_tensor_is_found_at_backward():
    x = leaf(2)
    y = x.exp()
    z = y * y
    y.mul_(2)
    with pytest.raises(RuntimeError):
        z.sum().backward()


def test_a_pickle_remembers_that_a_gradient_is_wanted():
    x = pickle.loads(pickle.dumps(leaf(2)))
    assert x.requires_grad and x.is_leaf


def test_a_small_network_learns():
    tenon.manual_seed(0)
    x = tenon.randn(64, 3)
    target = x @ tenon.tensor([[1.0], [-2.0], [0.5]]) + 0.25
    w, b = tenon.zeros(3, 1, requires_grad=True), tenon.zeros(1, requires_grad=True)
    for _ in range(200):
        loss = ((x @ w + b - target) ** 2).mean()
        loss.backward()
        with tenon.no_grad():
            for p in (w, b):
                p -= 0.1 * p.grad
                p.grad = None
    assert loss.item() < 1e-6


def test_nodes_are_called_as_in_torch():
    x = leaf(2, 2)
    for made, name in [
        (x + 1, "Add0"), (2 - x, "Rsub1"), (x / 2, "Div0"), (x ** 2, "Pow0"), (x ** x, "Pow1"), (x[0], "Select0"), (x[1:], "Slice0"),
        (x[:, 0], "Select0"), (x[[0, 1]], "Index0"), (x[None], "Unsqueeze0"), (x.T, "Permute0"), (x.t(), "T0"), (x.mT, "Transpose0"),
        (x.sum(), "Sum0"), (x.sum(0), "Sum1"), (x.mean(0), "Mean1"), (x @ x, "Mm0"), (x.view(4), "View0"), (x.reshape(4), "View0"),
        (x.flatten(), "View0"), (x.clamp(0), "Clamp1"), (x.log1p(), "Log1P0"), (x.float(), "ToCopy0"), (x.square(), "Pow0"),
        (x.split(1)[0], "Split0"), (x.add(x, alpha=2), "Add0"), (tenon.nn.functional.gelu(x, approximate="tanh"), "Gelu0"),
    ]:
        assert made.grad_fn.name() == name[:-1] + "Backward" + name[-1]
    assert x.real is x and x[...].grad_fn is not None


def test_a_view_of_a_plain_tensor_may_be_changed_by_something_with_a_gradient():
    x = tenon.tensor([1.0, 2.0, 3.0], requires_grad=True)
    b = tenon.zeros(3)
    for i in range(3):
        b[i] += x[i] * x[i]
    assert tenon.autograd.grad(b.sum(), x)[0].tolist() == [2, 4, 6]
    b = tenon.zeros(3, 3)
    for i in range(3):
        b[i].copy_(x * i)
    assert b.grad_fn.name() == "CopySlices" and tenon.autograd.grad((b * b).sum(), x)[0].tolist() == [10, 20, 30]
    b = tenon.zeros(3, 3)
    v = b[1]
    v[0] = x[1]
    assert v.requires_grad and tenon.autograd.grad((b * v).sum(), x)[0].tolist() == [0, 4, 0]
    b = tenon.zeros(3)
    v, other = b[:2], b[1:]
    with pytest.raises(RuntimeError, match="shares its memory"):
        v.mul_(x[:2])  # `other` would not know
    with tenon.no_grad():
        v.copy_(x[:2])
    assert not b.requires_grad


def test_what_is_set_by_hand_is_checked():
    x, y = leaf(2), leaf(2) * 2
    for name, value in [("requires_grad", False), ("requires_grad", True)]:
        with pytest.raises(RuntimeError):
            setattr(y, name, value)
    for value in (tenon.ones(3), tenon.ones(2), x):
        with pytest.raises(RuntimeError):
            x.grad = value
    with pytest.raises(TypeError):
        x.grad = 3
    for name in ("data", "requires_grad"):
        with pytest.raises(RuntimeError):
            delattr(x, name)
    assert x._grad is None and y._grad_fn == y.grad_fn and y.data.is_leaf and not y.data.requires_grad
    assert not tenon.tensor(y).requires_grad and y.new_tensor([1.0]).is_leaf
    x.data = tenon.zeros(3)
    assert x.requires_grad and x.is_leaf and x.shape == (3,) and x.dtype is tenon.float32


def test_inference_tensors_take_no_part():
    x = leaf(2)
    with tenon.inference_mode():
        made, computed, view = tenon.ones(2), x * 2, x.view(2)
    assert made.is_inference() and computed.is_inference() and not computed.requires_grad and not x.is_inference()
    assert not view.is_inference() and made.view(2).is_inference() and not made.clone().is_inference()
    for wrong in (made.requires_grad_, lambda: setattr(made, "requires_grad", True)):
        with pytest.raises(RuntimeError):
            wrong()
    made.clone().requires_grad_()
    assert not tenon.ones(2).is_inference() and tenon.is_inference(made)
    for wrong in (lambda: made.add_(1), lambda: made.view(2).zero_(), lambda: made.__setitem__(0, 1.0), lambda: tenon.add(x.detach(), 1, out=made), lambda: x * made):
        with pytest.raises(RuntimeError, match="inference"):
            wrong()
    assert (x + made).requires_grad and (x * made.clone()).requires_grad and not (made + 1).is_inference()
    made.numpy()[0] = 5.0  # through an address, which nobody sees
    with tenon.inference_mode():
        made.add_(1)
    assert made.tolist() == [6.0, 2.0]


def test_a_gradient_and_a_node_are_the_same_object_each_time():
    x = leaf(2)
    (x * x).sum().backward()
    first = x.grad
    assert x.grad is first
    (x * x).sum().backward()
    assert x.grad is first  # it was added to
    other = tenon.zeros(2, dtype=x.dtype)
    x.grad = other
    assert x.grad is other
    y = x * 2
    z = y.sin()
    assert y.grad_fn is y.grad_fn and z.grad_fn.next_functions[0][0] is y.grad_fn
    seen = weakref.ref(other)
    del other
    assert seen() is None and x.grad is not None  # looking keeps nothing alive
    x.grad = None
    assert x.grad is None


def test_what_is_overwritten_has_a_gradient_of_zeros():
    for change in (lambda y: y.zero_(), lambda y: y.fill_(1), lambda y: y.copy_(tenon.ones(2)), lambda y: y.uniform_()):
        x = leaf(2)
        y = x * 1
        change(y)
        y.sum().backward()
        assert x.grad.tolist() == [0, 0]


def test_a_source_may_have_more_dimensions_than_the_part_it_is_written_to():
    x, y = leaf(1, 2), leaf(3, 2) * 1
    y[1] = x
    (y * y).sum().backward()
    assert tenon.allclose(x.grad, 2 * x.detach())


def test_a_leaf_that_requires_no_gradient_any_more_gets_none():
    x, y = leaf(2), leaf(2)
    z = (x * y).sum()
    x.requires_grad_(False)
    z.backward()
    assert x.grad is None and y.grad is not None
    base = leaf(2) * 1
    view = base[0]
    with pytest.raises(RuntimeError):
        view.detach_()
    base.detach_()
    assert not base.requires_grad and view.requires_grad


def test_rms_norm_with_a_weight_of_another_dtype_has_gradients():
    for dtype, other in [("float32", "float64"), ("float64", "float32"), ("float32", "bfloat16"), ("bfloat16", "float32")]:
        x = tenon.tensor([[1., 2, 4], [3, 0, 1]], dtype=getattr(tenon, dtype), requires_grad=True)
        weight = tenon.tensor([1., 2, 3], dtype=getattr(tenon, other), requires_grad=True)
        tenon.nn.functional.rms_norm(x, (3,), weight).sum().backward()
        wide = x.detach().double().requires_grad_(), weight.detach().double().requires_grad_()
        tenon.nn.functional.rms_norm(wide[0], (3,), wide[1], eps=tenon.finfo(tenon.float32).eps).sum().backward()
        for one, right in zip((x, weight), wide):
            assert one.grad.dtype == one.dtype and tenon.allclose(one.grad.double(), right.grad, rtol=0.02, atol=0.02)
