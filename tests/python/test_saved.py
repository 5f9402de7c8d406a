"""What is kept for backward goes through functions of the program, and calls are made again instead."""

import gc
import weakref

import pytest
import tenon
from tenon.autograd import grad, graph
from tenon.utils.checkpoint import CheckpointError, checkpoint, checkpoint_sequential, set_checkpoint_early_stop


def leaf(*values):
    return tenon.tensor(values, dtype=tenon.float64, requires_grad=True)


def test_kept_tensors_go_through_pack_and_unpack():
    x, seen = leaf(1.0, 2.0), []

    def pack(tensor):
        assert not tensor.requires_grad and not tenon.is_grad_enabled()
        seen.append("pack")
        return tensor.tolist()

    def unpack(packed):
        seen.append("unpack")
        return tenon.tensor(packed, dtype=tenon.float64)

    with graph.saved_tensors_hooks(pack, unpack):
        y = x.exp() * x
    assert seen == ["pack"] * 3
    first, = grad(y.sum(), x, create_graph=True)
    second, = grad(first.sum(), x)
    e = x.detach().exp()
    assert tenon.allclose(first, e * (1 + x.detach())) and tenon.allclose(second, e * (2 + x.detach())) and "unpack" in seen
    (x * x).sum().backward()
    assert seen.count("pack") == 3


def test_errors_of_both_are_raised_as_they_were():
    x = leaf(1.0, 2.0)
    with pytest.raises(ZeroDivisionError), graph.saved_tensors_hooks(lambda t: 1 / 0, lambda p: p):
        x * x
    (x * x).sum().backward()  # nothing is open any more
    with graph.saved_tensors_hooks(lambda t: 3, lambda p: p):
        y = x * x
    with pytest.raises(TypeError):
        y.sum().backward()
    with graph.saved_tensors_hooks(lambda t: t, lambda p: [][0]):
        y = x * x
    with pytest.raises(IndexError):
        y.sum().backward()
    with pytest.raises(TypeError), graph.saved_tensors_hooks(1, 2):
        pass


def test_what_was_packed_is_freed():
    class Box:
        def __init__(self, tensor):
            self.tensor = tensor

    boxes = []

    def pack(tensor):
        box = Box(tensor)
        boxes.append(weakref.ref(box))
        return box

    x = leaf(1.0, 2.0)
    with graph.saved_tensors_hooks(pack, lambda box: box.tensor):
        y, z = (x * x).sum(), (x * x).sum()
    assert all(box() is not None for box in boxes)
    y.backward()
    del y, z
    gc.collect()
    assert len(boxes) == 4 and all(box() is None for box in boxes)


def test_ready_made_pairs():
    x = leaf(1.0, 2.0)
    with graph.save_on_cpu(pin_memory=False):
        y = x * x
    assert grad(y.sum(), x)[0].tolist() == [2, 4]
    z = x * 1
    with graph.allow_mutation_on_saved_tensors():
        y = z * z
        z.add_(1)
        assert grad(y.sum(), x)[0].tolist() == [2, 4]
    with graph.disable_saved_tensors_hooks("not here"):
        with pytest.raises(RuntimeError, match="not here"):
            with graph.save_on_cpu():
                pass
    with graph.save_on_cpu(), pytest.raises(RuntimeError):
        with graph.disable_saved_tensors_hooks("not here"):
            pass


def test_edges_versions_and_hooks_of_several():
    x = leaf(1.0, 2.0)
    assert graph.get_gradient_edge(x).node.name() == "AccumulateGrad" and graph.get_gradient_edge(x * 2).output_nr == 0
    with pytest.raises(RuntimeError):
        graph.get_gradient_edge(x.detach())
    version = x._version
    graph.increment_version(x)
    assert x._version == version + 1
    y = x * x
    graph.increment_version([x])
    with pytest.raises(RuntimeError):
        y.sum().backward()
    a, b, seen = x * 1, x * 2, []
    handle = graph.register_multi_grad_hook([a, b], lambda gs: seen.append([g.tolist() for g in gs]))
    first = graph.register_multi_grad_hook([a, b], lambda g: seen.append(g.tolist()), mode="any")
    (a + b).sum().backward(retain_graph=True)
    assert [[1, 1], [1, 1]] in seen and [1, 1] in seen and len(seen) == 2
    handle.remove()
    first.remove()
    (a + b).sum().backward()
    assert len(seen) == 2


# ---- checkpoints


WEIGHTS = tenon.tensor([[1.0, 2.0], [0.5, -1.0]], dtype=tenon.float64, requires_grad=True)
INPUT = tenon.tensor([[0.5, 1.5], [2.0, -1.0]], dtype=tenon.float64)
CALLS = []


def net(x, scale=1):
    CALLS.append(1)
    hidden = tenon.nn.functional.dropout((x @ WEIGHTS).tanh() * scale, 0.5)
    return hidden.exp(), hidden.sum()


def gradients(call):
    tenon.manual_seed(3)
    WEIGHTS.grad = None
    x = INPUT.clone().requires_grad_()
    a, b = call(x)
    (a.sum() * b).backward()
    return x.grad, WEIGHTS.grad, tenon.rand(1)


def test_a_checkpoint_without_reentrance():
    expected = gradients(lambda x: net(x, scale=2))
    CALLS.clear()
    found = gradients(lambda x: checkpoint(net, x, use_reentrant=False, scale=2))
    assert len(CALLS) == 2 and all(tenon.equal(a, b) for a, b in zip(expected, found))
    WEIGHTS.grad = None
    checkpoint(net, INPUT, use_reentrant=False)[0].sum().backward()  # no input requires a gradient: what is inside does
    assert WEIGHTS.grad is not None
    x = INPUT.clone().requires_grad_()

    def inner(a):
        return (a @ WEIGHTS).tanh().exp()

    def outer(a):
        return checkpoint(inner, a.sin(), use_reentrant=False).cos() * a

    whole, nested = grad(outer(x).sum(), x)[0], grad(checkpoint(outer, x, use_reentrant=False).sum(), x)[0]
    assert tenon.allclose(whole, nested)
    first, = grad(checkpoint(inner, x, use_reentrant=False).sum(), x, create_graph=True)
    plain, = grad(inner(x).sum(), x, create_graph=True)
    assert tenon.allclose(grad(first.sum(), x)[0], grad(plain.sum(), x)[0])
    y = checkpoint(inner, x, use_reentrant=False).sum()
    y.backward(retain_graph=True)
    once = x.grad.clone()
    y.backward()
    assert tenon.allclose(x.grad, 2 * once)
    sequence = [tenon.sin, tenon.cos, tenon.exp]
    assert tenon.allclose(grad(checkpoint_sequential(sequence, 2, x, use_reentrant=False).sum(), x)[0], grad(x.sin().cos().exp().sum(), x)[0])


def test_a_second_call_that_differs_is_found():
    count = [0]

    def differs(a):
        count[0] += 1
        return (a.exp() if count[0] == 1 else a[:1].exp()).sum()

    with pytest.raises(CheckpointError):
        checkpoint(differs, leaf(1.0, 2.0), use_reentrant=False).backward()


def test_a_second_call_ends_when_it_has_made_what_is_needed():
    seen = []

    def noted(a):
        seen.append("begins")
        result = a.exp()
        seen.append("ends")
        return result * 1

    checkpoint(noted, leaf(1.0), use_reentrant=False).backward()
    assert seen == ["begins", "ends", "begins"]
    with set_checkpoint_early_stop(False):
        checkpoint(noted, leaf(1.0), use_reentrant=False).backward()
    assert seen[3:] == ["begins", "ends", "begins", "ends"]


def test_a_checkpoint_keeps_less():
    x = tenon.ones(10_000, requires_grad=True)

    def chain(a):
        for _ in range(10):
            a = a.exp().log()
        return a

    def kept(call):
        before = tenon.memory_stats()["bytes"]["current"]
        y = call(x)
        after = tenon.memory_stats()["bytes"]["current"]
        y.sum().backward()
        return after - before

    assert kept(lambda a: checkpoint(chain, a, use_reentrant=False)) < kept(chain) / 5


def test_a_graph_that_keeps_no_tensors_runs_twice():
    x = leaf(1.0, 2.0)
    y = (x + x).sum()
    y.backward()
    y.backward()
    assert x.grad.tolist() == [4, 4]
