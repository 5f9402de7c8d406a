"""Functions with a derivative of their own: what forward may give, what backward gets, what is refused, and what is freed."""

import gc
import pickle
import threading
import traceback
import weakref

import pytest
import tenon
from tenon.autograd import Function, grad
from tenon.autograd.function import once_differentiable


def leaf(*values):
    return tenon.tensor(values, dtype=tenon.float64, requires_grad=True)


class Exp(Function):
    @staticmethod
    def forward(ctx, x):
        result = x.exp()
        assert not result.requires_grad and not tenon.is_grad_enabled()
        ctx.save_for_backward(result, None)
        ctx.note = 3
        assert ctx.needs_input_grad == (x.requires_grad,)
        return result

    @staticmethod
    def backward(ctx, g):
        result, nothing = ctx.saved_tensors
        assert nothing is None and type(ctx).__name__ == ctx.name() == "ExpBackward"
        return g * result


class Several(Function):
    """setup_context, an argument and a result that are no tensors, an integer result."""

    seen = []

    @staticmethod
    def forward(x, y, k=2):
        return x * y * k, x + y, x > 0, 5

    @staticmethod
    def setup_context(ctx, inputs, output):
        x, y, ctx.k = inputs
        assert len(output) == 4
        ctx.save_for_backward(x, y)

    @staticmethod
    def backward(ctx, g, h, mask, number):
        Several.seen.append((g.tolist(), h.tolist(), mask.tolist(), number, ctx.needs_input_grad))
        x, y = ctx.saved_tensors
        return g * y * ctx.k + h, g * x * ctx.k + h, None


def test_it_is_recorded_and_can_be_derived_again():
    x = leaf(0.5, 1.5)
    y = Exp.apply(x)
    assert repr(y.grad_fn).startswith("<ExpBackward object") and "grad_fn=<ExpBackward>" in repr(y) and y.grad_fn.note == 3
    first, = grad(y.sum(), x, create_graph=True)
    second, = grad(first.sum(), x, create_graph=True)
    third, = grad(second.sum(), x)
    assert tenon.allclose(third, x.detach().exp()) and tenon.autograd.gradcheck(Exp.apply, (x,)) and tenon.autograd.gradgradcheck(Exp.apply, (x,))
    with tenon.no_grad():
        assert Exp.apply(x).grad_fn is None
    assert Exp.apply(x.detach()).grad_fn is None
    with pytest.raises(AttributeError):
        y.grad_fn.other


def test_several_results_and_arguments_that_are_no_tensors():
    x, y = leaf(0.5, 1.5), leaf(2.5, 1.0)
    a, b, mask, number = Several.apply(x, y, 3.0)
    assert number == 5 and not mask.requires_grad and a.grad_fn == b.grad_fn and (a.output_nr, b.output_nr) == (0, 1)
    Several.seen.clear()
    a.sum().backward()
    assert Several.seen == [([1, 1], [0, 0], [False, False], None, (True, True, False))]
    assert x.grad.tolist() == [7.5, 3.0] and y.grad.tolist() == [1.5, 4.5]
    Several.apply(x.detach(), y=y)[1].sum().backward()  # arguments by name, and a default, beside a setup_context
    assert Several.seen[1][4] == (False, True, False) and y.grad.tolist() == [2.5, 5.5]
    with pytest.raises(TypeError):
        Exp.apply(x=x)


def test_what_is_not_used_is_zeros_or_none():
    class Sorted(Function):
        @staticmethod
        def forward(ctx, x, zeros):
            ctx.set_materialize_grads(zeros)
            values, places = x.sort()
            twice = values * 2
            ctx.mark_non_differentiable(places, twice)
            ctx.save_for_backward(places)
            return values, places, twice, values + 1

        @staticmethod
        def backward(ctx, *given):
            seen.append([None if one is None else one.tolist() for one in given])
            places, = ctx.saved_tensors
            return tenon.zeros_like(given[0]).scatter(0, places, given[0]), None

    x, seen = leaf(3.0, 1.0, 2.0), []
    for zeros, rest in ((True, [[0, 0, 0], [0, 0, 0], [0, 0, 0]]), (False, [None, None, None])):
        values, places, twice, more = Sorted.apply(x, zeros)
        assert values.requires_grad and more.requires_grad and not places.requires_grad and not twice.requires_grad
        assert grad(values, x, tenon.tensor([1.0, 2, 3], dtype=tenon.float64))[0].tolist() == [3, 1, 2]
        assert seen.pop() == [[1, 2, 3], *rest]


def test_a_result_may_be_an_input():
    class Same(Function):
        @staticmethod
        def forward(ctx, x):
            return x

        @staticmethod
        def backward(ctx, g):
            return g * 7

    class Doubled(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x.mul_(2)

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = leaf(1.0, 2.0)
    y = Same.apply(x)
    assert y is not x and y.data_ptr() == x.data_ptr() and grad(y.sum(), x)[0].tolist() == [7, 7]
    z = x * 1
    assert Doubled.apply(z) is z and z.tolist() == [2, 4] and z.grad_fn.name() == "DoubledBackward"
    assert grad(z.sum(), x)[0].tolist() == [2, 2]
    with pytest.raises(RuntimeError):
        Doubled.apply(x)

    class Forgot(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            return x * 2

    with pytest.raises(RuntimeError):
        Forgot.apply(x * 1)


def test_once_differentiable():
    class Square(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        @once_differentiable
        def backward(ctx, g):
            assert not tenon.is_grad_enabled()
            return 2 * ctx.saved_tensors[0] * g

    x = leaf(1.0, 2.0)
    assert grad(Square.apply(x).sum(), x)[0].tolist() == [2, 4]
    weights = leaf(1.0, 1.0)
    first, = grad((Square.apply(x) * weights).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="second time"):
        first.sum().backward()


@pytest.mark.parametrize("given", [(), (None, None, 1), ("text",), (1.5,)])
def test_gradients_that_do_not_fit_are_refused(given):
    class Wrong(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return tuple(given)

    x = leaf(1.0, 2.0)
    with pytest.raises((RuntimeError, TypeError)):
        Wrong.apply(x).sum().backward()
    assert x.grad is None
    Exp.apply(x).sum().backward()  # the thread is as it was
    assert x.grad is not None


def test_an_exception_keeps_its_class_its_object_and_its_place():
    class Mine(Exception):
        pass

    error = Mine("here")

    class Fails(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            raise error

    x = leaf(1.0)
    for run in (lambda: Fails.apply(x).sum().backward(), lambda: grad(Fails.apply(x), x)):
        with pytest.raises(Mine) as caught:
            run()
        assert caught.value is error and traceback.extract_tb(error.__traceback__)[-1].name == "backward"
    assert tenon.is_grad_enabled() and grad(Exp.apply(x), x)[0].item() > 2
    with pytest.raises(ZeroDivisionError):
        Exp.apply(x).register_hook(lambda g: 1 / 0) and None
        y = Exp.apply(x)
        y.register_hook(lambda g: 1 / 0)
        y.backward()


def test_what_was_saved_is_guarded():
    x = leaf(1.0, 2.0)
    y = Exp.apply(x)
    y.backward(tenon.ones_like(y))
    with pytest.raises(RuntimeError):
        y.backward(tenon.ones_like(y))
    y = Exp.apply(x)
    with tenon.no_grad():
        y.mul_(2)
    with pytest.raises(RuntimeError, match="ExpBackward"):
        y.sum().backward()

    class NoTensor(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(3)

    with pytest.raises(TypeError):
        NoTensor.apply(x)
    with pytest.raises(RuntimeError):
        Exp()
    with pytest.raises(NotImplementedError):
        Function.apply(x)
    with pytest.raises(NotImplementedError):
        Exp.jvp(None, x)

    class NoBackward(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

    with pytest.raises(NotImplementedError):
        NoBackward.apply(x).sum().backward()


def test_vjp_is_another_name_of_backward():
    class Twice(Function):
        @staticmethod
        def forward(x):
            return x * 2

        @staticmethod
        def setup_context(ctx, inputs, output):
            pass

        @staticmethod
        def vjp(ctx, g):
            return g * 2

    x = leaf(1.0)
    assert grad(Twice.apply(x), x)[0].item() == 2


def test_backward_runs_on_the_thread_that_called_it():
    where = []

    class Where(Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            where.append(threading.get_ident())
            return g

    y = Where.apply(leaf(1.0))
    thread = threading.Thread(target=y.backward)
    thread.start()
    number = thread.ident
    thread.join()
    assert where == [number]


class Thing:
    pass


def gone(make):
    """Whether what make holds on to in a cycle is collected."""
    thing = Thing()
    watch = weakref.ref(thing)
    make(thing)
    del thing
    gc.collect()
    return watch() is None


def test_cycles_are_collected():
    x = leaf(1.0, 2.0)

    class Held(Function):
        @staticmethod
        def forward(ctx, x, thing):
            ctx.result = x * 1
            ctx.thing = thing
            return ctx.result

        @staticmethod
        def backward(ctx, g):
            return g, None

    def through_ctx(thing):
        y = Held.apply(x, thing)
        assert y.grad_fn.result is y

    def through_a_hook(thing):
        y = leaf(1.0)
        y.register_hook(lambda g: (y, thing) and None)

    def through_a_hook_of_a_result(thing):
        y = x * 2
        y.register_hook(lambda g: (y, thing) and None)

    def through_an_accumulated_hook(thing):
        y = leaf(1.0)
        y.register_post_accumulate_grad_hook(lambda g: (y, thing) and None)
        (y * 2).sum().backward()

    for make in (through_ctx, through_a_hook, through_a_hook_of_a_result, through_an_accumulated_hook):
        assert gone(make), make.__name__


def test_nothing_is_kept_after_backward():
    before = tenon.memory_stats()["blocks"]["current"]
    for _ in range(20):
        x = leaf(1.0, 2.0)
        y = Several.apply(Exp.apply(x), x, 2.0)[0]
        y.register_hook(lambda g: g * 2)
        y.sum().backward()
        del x, y
    gc.collect()
    assert tenon.memory_stats()["blocks"]["current"] <= before


def test_results_can_be_pickled_and_have_subclasses_as_inputs():
    class Named(tenon.Tensor):
        pass

    x = leaf(1.0, 2.0).detach().as_subclass(Named).requires_grad_()
    x.label = "weights"
    y = Exp.apply(x)
    y.sum().backward()
    assert tenon.allclose(x.grad, x.detach().exp()) and x.label == "weights" and x.is_leaf
    z = pickle.loads(pickle.dumps(y))
    assert z.requires_grad and z.is_leaf and z.tolist() == y.tolist()
