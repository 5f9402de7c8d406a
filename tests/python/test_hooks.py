"""Hooks of tensors and nodes: when they are called, with what, and what they may change."""

import pytest
import tenon
from tenon.autograd import grad


def leaf(*values):
    return tenon.tensor(values, dtype=tenon.float64, requires_grad=True)


def test_a_hook_sees_and_may_replace_the_gradient():
    x, seen = leaf(1.0, 2.0), []
    handle = x.register_hook(lambda g: seen.append(g.tolist()))
    second = x.register_hook(lambda g: g * 10)
    (x * 3).sum().backward()
    assert seen == [[3, 3]] and x.grad.tolist() == [30, 30]
    handle.remove()
    handle.remove()
    with second:
        (x * 3).sum().backward()
    (x * 3).sum().backward()
    assert len(seen) == 1 and x.grad.tolist() == [63, 63]
    y = x * 2
    y.register_hook(lambda g: g + 1)
    assert grad((y * y).sum(), x)[0].tolist() == [2 * (2 * 2 * 1 + 1), 2 * (2 * 2 * 2 + 1)]


def test_hooks_run_in_the_order_of_their_registration():
    x, order = leaf(1.0), []
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: order.append("tensor"))
    y.grad_fn.register_prehook(lambda g: order.append("before"))
    y.grad_fn.register_hook(lambda inputs, outputs: order.append("after"))
    x.register_hook(lambda g: order.append("leaf"))
    x.register_post_accumulate_grad_hook(lambda t: order.append("accumulated"))
    y.backward()
    assert order == ["tensor", "before", "after", "leaf", "accumulated"] and y.grad.item() == 1


def test_a_leaf_is_told_after_its_gradient_was_added_to():
    x, seen = leaf(1.0, 2.0), []

    def step(parameter):
        assert parameter is x and not tenon.is_grad_enabled()
        seen.append(parameter.grad.tolist())
        parameter.grad = None

    x.register_post_accumulate_grad_hook(step)
    (x * 3).sum().backward()
    (x * 4).sum().backward()
    assert seen == [[3, 3], [4, 4]] and x.grad is None
    grad((x * 3).sum(), x)
    assert len(seen) == 2
    with pytest.raises(RuntimeError):
        (x * 2).register_post_accumulate_grad_hook(step)
    x.register_post_accumulate_grad_hook(lambda t: t)
    with pytest.raises(RuntimeError):
        x.sum().backward()


def test_hooks_of_nodes():
    x, seen = leaf(1.0, 2.0), []
    y = x * x
    y.grad_fn.register_prehook(lambda outputs: (outputs[0] * 2,))
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append(([g.tolist() for g in inputs], [g.tolist() for g in outputs])))
    handle = y.grad_fn.register_hook(lambda inputs, outputs: tuple(g * 0 for g in inputs))
    y.sum().backward(retain_graph=True)
    assert seen == [([[2, 4], [2, 4]], [[2, 2]])] and x.grad.tolist() == [0, 0]
    handle.remove()
    y.sum().backward()
    assert x.grad.tolist() == [4, 8]
    accumulate = (x * 1).grad_fn.next_functions[0][0]
    accumulate.register_prehook(lambda outputs: (outputs[0] + 1,))
    x.grad = None
    x.sum().backward()
    assert x.grad.tolist() == [2, 2]


def test_what_a_hook_must_not_return():
    for wrong in (lambda g: 3, lambda g: tenon.zeros(5), lambda g: g.float()):
        x = leaf(1.0, 2.0)
        x.register_hook(wrong)
        with pytest.raises((TypeError, RuntimeError)):
            (x * 2).sum().backward()
        assert x.grad is None
    x = leaf(1.0, 2.0)
    y = x * x
    y.grad_fn.register_hook(lambda inputs, outputs: inputs[:1])
    with pytest.raises(RuntimeError):
        y.sum().backward()
    for wrong in (lambda: tenon.ones(2).register_hook(print), lambda: x.register_hook(3), lambda: y.grad_fn.register_hook(None)):
        with pytest.raises((TypeError, RuntimeError)):
            wrong()


def test_hooks_are_recorded_where_gradients_of_gradients_are_wanted():
    x = leaf(2.0)
    y = x * x
    y.register_hook(lambda g: g * x)
    first, = grad(y, x, create_graph=True)  # 2 x x
    assert grad(first, x)[0].item() == 8


def test_a_hook_may_remove_itself_and_run_backward():
    x, seen = leaf(1.0, 2.0), []

    def once(g):
        handle.remove()
        other = leaf(3.0)
        with tenon.enable_grad():
            (other * other).sum().backward()
        seen.append(other.grad.item())

    handle = x.register_hook(once)
    (x * 1).sum().backward()
    (x * 1).sum().backward()
    assert seen == [6] and x.grad.tolist() == [2, 2]


def test_nodes_take_notes():
    y = leaf(1.0) * 2
    y.grad_fn.metadata["who"] = "me"
    assert y.grad_fn.metadata == {"who": "me"} and (y * 1).grad_fn.metadata == {}
    y.backward()
    assert y.grad_fn.metadata == {"who": "me"}
