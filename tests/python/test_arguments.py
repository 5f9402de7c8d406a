"""Which arguments a call takes and which it refuses, where mistakes are easy: as seen in PyTorch 2.13."""

import warnings

import pytest

import tenon as torch

x = torch.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("call", [
    "torch.topk(x, 1, True)", "torch.topk(x, True)", "x.kthvalue(1, True)", "x.narrow(0, True, 1)", "x.sum(True)", "x.sum(dim=True)",
    "x.size(True)", "x.stride(False)", "torch.zeros(True)", "torch.zeros((True, 2))", "torch.eye(True)", "x.unsqueeze(True)",
    "x.transpose(False, True)", "x.roll(True)", "torch.roll(x, shifts=[True], dims=[0])", "x.repeat(True, 2)", "x.view(True, 6)",
    "x.permute(False, True)", "x.select(0, True)", "x.cumsum(True)", "x.chunk(True)", "x.softmax(True)", "x.expand(True, 2, 3)",
    "torch.flip(x, (True,))", "torch.randint(True, (2,))", "torch.tril(x, True)", "x.movedim(True, 0)"])
def test_true_and_false_are_no_integers(call):
    with pytest.raises(TypeError):
        eval(call)


def test_bools_stay_bools_and_numbers():
    assert x.var(True).item() == x.var(correction=1).item() and x.sum(0, True).shape == (1, 3)
    assert torch.full((2,), True).dtype is torch.bool and (x + True)[0, 0] == 1


@pytest.mark.parametrize("name", ["hstack", "vstack", "dstack", "column_stack", "row_stack"])
def test_what_stacks_wants_a_list(name):
    function = getattr(torch, name)
    with pytest.raises(TypeError):
        function(x)
    with pytest.raises(TypeError):
        function(x, x)
    assert torch.equal(function([x, x]), function((x, x)))


def test_what_takes_tensors_one_after_the_other_takes_none_too():
    assert torch.block_diag().shape == (1, 0) and torch.broadcast_tensors() == ()
    assert torch.block_diag(x, x).shape == (4, 6)
    for empty in (torch.meshgrid, torch.cartesian_prod):
        with pytest.raises(RuntimeError):
            empty()


@pytest.mark.parametrize("rank", [1, 2, 3])
def test_atleast_of_several_tensors_or_a_list_is_a_tuple(rank):
    function = getattr(torch, f"atleast_{rank}d")
    a, b = torch.tensor(1), torch.tensor([2.0])
    for results in (function(a, b), function([a, b]), function((a, b))):
        assert type(results) is tuple and [one.ndim for one in results] == [rank, rank]
        assert [one.dtype for one in results] == [torch.int64, torch.float32] and results[1].data_ptr() == b.data_ptr()
    assert function() == () and function([]) == () and len(function([a])) == 1 and function(a).ndim == rank
    assert function(x.expand(2, 2, 2, 3)).ndim == 4
    with pytest.raises(TypeError, match="item 1"):
        function(a, 2)
    with pytest.raises(TypeError, match="item 0"):
        function([[a]])


def test_the_norm_is_named_by_a_number_or_a_text():
    assert x.norm(p="fro").item() == x.norm("fro").item() == torch.norm(x, p="fro").item() == x.norm().item()
    assert torch.equal(x.norm(p="fro", dim=0), x.norm(dim=0)) and x.norm("fro", (0, 1), True).shape == (1, 1)
    assert x.norm(p="nuc").item() == torch.norm(x, p="nuc").item() == pytest.approx(torch.linalg.svdvals(x).sum().item())
    assert x.norm("nuc", (0, 1), True).shape == (1, 1)
    with pytest.raises(RuntimeError):
        x[0].norm(p="nuc")
    with pytest.raises(RuntimeError, match="abc"):
        x.norm(p="abc")
    for wrong in (lambda: x.add("fro"), lambda: torch.full((2,), "fro"), lambda: x.clamp(min="fro")):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize("old, new", [
    ("torch.add(x, 2, y)", "torch.add(x, y, alpha=2)"), ("x.add(2, y)", "x.add(y, alpha=2)"), ("x.add(2.5, y)", "x.add(y, alpha=2.5)"),
    ("x.clone().add_(2, y)", "x.add(y, alpha=2)"), ("torch.sub(x, 2, y)", "x.sub(y, alpha=2)"), ("x.clone().sub_(2, y)", "x.sub(y, alpha=2)"),
    ("torch.add(x, 2, y, out=torch.empty(2, 3))", "x.add(y, alpha=2)"),
    ("torch.addcmul(x, 2, y, y)", "torch.addcmul(x, y, y, value=2)"), ("x.clone().addcmul_(2, y, y)", "x.addcmul(y, y, value=2)"),
    ("torch.addcdiv(x, 2, x, y)", "torch.addcdiv(x, x, y, value=2)"), ("x.clone().addcdiv_(2, x, y)", "x.addcdiv(x, y, value=2)")])
def test_a_factor_may_stand_before_the_tensors_and_is_warned_of(old, new):
    y = x + 1
    with pytest.warns(UserWarning, match="is an old form"):
        result = eval(old)
    assert torch.equal(result, eval(new))


def test_a_factor_elsewhere_is_refused_and_a_warning_made_an_error_changes_nothing():
    for wrong in (lambda: torch.add(2, x, x), lambda: torch.mul(x, 2, x), lambda: torch.addcmul(x, 2, 3, x)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.warns(UserWarning), pytest.raises(TypeError):
        torch.add(x, 2, x, alpha=2)
    y = x.clone()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            y.add_(2, x)
    assert torch.equal(x, y)


def test_where_a_part_begins_is_a_tensor_without_dimensions():
    for start in (1, torch.tensor(1), torch.tensor(1, dtype=torch.int32)):
        assert x.narrow(0, start, 1).tolist() == torch.narrow(x, 0, start=start, length=1).tolist() == [[3, 4, 5]]
    for start in (torch.tensor([1]), torch.tensor(1.0), torch.tensor(True)):
        with pytest.raises(RuntimeError):
            x.narrow(0, start, 1)


def test_a_format_is_a_text():
    for tensor in (x, torch.tensor(2.5)):
        with pytest.raises(TypeError):
            tensor.__format__(5)
    assert f"{torch.tensor(2.5):.2f}" == "2.50"


def test_promotion_may_change_the_sign_but_not_step_down():
    kinds = [[torch.bool], [torch.uint8, torch.uint16, torch.int8, torch.int64], [torch.float16, torch.float64], [torch.complex64]]
    for i, one in enumerate(kinds):
        for k, other in enumerate(kinds):
            for a in one:
                for b in other:
                    assert torch.can_cast(a, b) is (i <= k), (a, b)
    with pytest.raises(TypeError):
        torch.can_cast(x, torch.float32)


def test_small_questions_are_functions_and_methods():
    assert torch.tensor(2.5).is_nonzero() and not torch.tensor([[0]]).is_nonzero()
    for wrong in (x, torch.tensor([])):
        with pytest.raises(RuntimeError):
            wrong.is_nonzero()
    assert x.is_same_size(x + 1) and torch.is_same_size(x, other=x) and not x.is_same_size(x[0]) and not x.is_same_size(x.T)
    assert torch.tensor(1).is_same_size(torch.tensor(2.0))
    for wrong in (lambda: x.is_same_size(5), lambda: torch.is_same_size(5, x)):
        with pytest.raises(TypeError):
            wrong()


def test_stable_is_given_by_name():
    x = torch.tensor([2, 1])
    for wrong in (lambda: x.sort(True), lambda: torch.sort(x, True), lambda: x.argsort(True), lambda: torch.argsort(x, False)):
        with pytest.raises(TypeError):
            wrong()
    assert x.sort(stable=True).values.tolist() == [1, 2] == x.sort(0).values.tolist() and x.sort(0, True).values.tolist() == [2, 1]
    assert torch.sort(x, stable=True, dim=0, descending=True).values.tolist() == [2, 1] and x.argsort(stable=True).tolist() == [1, 0]


def test_a_tensor_is_no_list_of_sizes():
    x = torch.arange(6)
    for wrong in (lambda: torch.zeros(torch.tensor([2, 3])), lambda: x.view(torch.tensor([2, 3])), lambda: x.split(torch.tensor([2, 4])),
                  lambda: torch.zeros(2, 3).permute(torch.tensor([1, 0]))):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (torch.tensor([[1]]), torch.tensor([3], dtype=torch.int32), torch.tensor(3.0)):
        with pytest.raises(RuntimeError):
            torch.tensor_split(x, wrong)
    assert [part.tolist() for part in x.tensor_split(torch.tensor([1, 3]))] == [[0], [1, 2], [3, 4, 5]]
    assert x.sum(torch.tensor([0])) == 15 and torch.zeros(torch.tensor(2)).shape == (2,)


def test_the_default_device_is_the_cpu_at_first_and_again():
    for device in (None, "cpu", torch.device("cpu")):
        torch.set_default_device(device)
        assert torch.get_default_device() == torch.device("cpu")
    for device in ("cuda", "nonsense", 5):
        with pytest.raises(RuntimeError):
            torch.set_default_device(device)


@pytest.mark.parametrize("sizes, strides, order", [
    ((2, 3), (3, 1), (0, 1)), ((3, 2), (1, 3), (1, 0)), ((), (), ()), ((2, 3, 4, 5), (60, 1, 15, 3), (0, 2, 3, 1)),
    ((2, 3, 1, 1), (3, 1, 1, 1), (0, 1, 2, 3)), ((1, 1, 1, 2), (2, 1, 1, 1), (0, 3, 1, 2)), ((2, 2, 3), (0, 3, 1), (0, 1, 2)),
    ((2, 3), (3, 0), (0, 1)), ((2, 0, 3), (1, 9, 2), (0, 1, 2)), ((0, 1, 1, 1), (1, 1, 1, 1), (1, 2, 3, 0)),
    ((3, 1, 3, 3, 1), (9, 1, 3, 1, 3), (0, 1, 2, 3, 4)), ((1, 2, 1, 2, 3), (6, 1, 6, 6, 2), (3, 0, 2, 4, 1))])
def test_the_order_of_dimensions_is_that_of_their_strides(sizes, strides, order):
    assert torch.empty(200).as_strided(sizes, strides).dim_order() == order


def test_an_order_that_is_not_the_only_one_is_refused_where_that_is_asked_for():
    formats = [torch.contiguous_format, torch.channels_last]
    assert x.dim_order(ambiguity_check=True) == x.dim_order(ambiguity_check=formats) == (0, 1)
    assert torch.empty(2).expand(2).as_strided((2,), (0,)).dim_order(ambiguity_check=True) == (0,)
    for sizes, strides in (((1, 3, 1, 1), (3, 1, 1, 1)), ((3, 2), (0, 3))):
        tensor = torch.empty(20).as_strided(sizes, strides)
        for check in (True, formats):
            with pytest.raises(RuntimeError):
                tensor.dim_order(ambiguity_check=check)
    for wrong in (5, [5], "a"):
        with pytest.raises(TypeError):
            x.dim_order(ambiguity_check=wrong)


def test_a_function_of_python_goes_through_the_elements_in_order():
    seen = []
    y = x.clone().T
    assert y.apply_(lambda value: seen.append(value) or len(seen)) is y
    assert seen == [0, 3, 1, 4, 2, 5] and y.tolist() == [[1, 2], [3, 4], [5, 6]]
    assert torch.tensor([1, 2]).apply_(lambda value: value * 2.5).tolist() == [2, 5]
    assert torch.tensor([True, False]).apply_(lambda value: not value).tolist() == [False, True]
    assert torch.tensor([1j]).apply_(lambda value: value * 2).tolist() == [2j]
    assert torch.tensor(3.0, dtype=torch.float16).apply_(lambda value: torch.tensor(value + 1)).item() == 4
    assert torch.empty(0, 3).apply_(lambda value: 1 / 0).shape == (0, 3)
    assert x.clone().map_(x[0], lambda a, b: a - b).tolist() == [[0, 0, 0], [3, 3, 3]]
    assert x.clone().map2_(x[0], x, lambda a, b, c: a + b * c).tolist() == [[0, 2, 6], [3, 8, 15]]


def test_where_the_function_fails_nothing_has_changed():
    y = x.clone()
    for wrong in (lambda value: 1 / (value - 3), lambda value: "a", lambda value: None, lambda value: 1j, 5):
        with pytest.raises((TypeError, ZeroDivisionError)):
            y.apply_(wrong)
    for others in ((x.long(),), (5,), (x.expand(2, 2, 3),)):
        with pytest.raises((TypeError, RuntimeError)):
            y.map_(*others, lambda a, b: a)
    with pytest.raises(RuntimeError):
        torch.tensor([1], dtype=torch.uint8).apply_(lambda value: 256)
    with pytest.raises(RuntimeError):
        torch.zeros(1).expand(3).apply_(lambda value: value)
    assert torch.equal(x, y)


# In torch an argument may be None where that is its default, and is given by its name where a star comes before it.
@pytest.mark.parametrize(
    "call",
    [
        "torch.add(x, x, alpha=None)", "x.add_(1, alpha=None)", "torch.rsub(x, x, alpha=None)", "torch.addcmul(x, x, x, value=None)",
        "x.addcdiv_(x, x, value=None)", "torch.trapezoid(x, dx=None)", "torch.trapezoid(x, x=None)", "torch.trapz(x, dx=None)",
        "torch.cumulative_trapezoid(x, dx=None)", "x.sum(0, keepdim=None)", "x.sort(descending=None)", "x.flip(None)", "x.prod(None)",
        "x.squeeze(None)", "x.logsumexp(None)", "torch.eye(3, None)", "torch.nn.functional.gelu(x, approximate=None)",
        "torch.histc(x, bins=None)", "x.resize_((2,), torch.contiguous_format)", "x.resize_as_(x, torch.contiguous_format)",
        "x.clone(torch.contiguous_format)", "torch.zeros_like(x, torch.float64)", "torch.zeros((2,), torch.float64)",
        "x.sum(0, False, torch.float64)", "x.cumsum(0, torch.float64)", "torch.div(x, x, 'floor')", "torch.isin(x, x, True)",
        "torch.add(x, x, 2)", "torch.addcmul(x, x, x, 2)", "torch.trapezoid(x, x, 0)", "torch.searchsorted(x, x, True)", "x.round(2)",
        "torch.atleast_1d(3)", "torch.atleast_2d(3.5)", "torch.atleast_3d(None)", "torch.atleast_1d(input=x)",
        "torch.atleast_1d((x, 3))", "torch.add(x, x, out=[torch.empty(3)])", "torch.add(x, x, out=(torch.empty(3),))",
        "torch.set_default_device(3.5)", "torch.tril_indices(2, 2, 0, torch.int32)",
    ],
)
def test_what_torch_does_not_take(call):
    x = torch.ones(3)
    with pytest.raises(TypeError):
        eval(call, {"torch": torch, "x": x})
    assert x.tolist() == [1, 1, 1] and x.shape == (3,)


@pytest.mark.parametrize(
    "call",
    [
        "x.sum(None)", "x.sum(dim=None, dtype=None)", "x.mean(None)", "x.var(None)", "torch.count_nonzero(x, None)", "x.argmax(None)",
        "torch.div(x, x, rounding_mode=None)", "torch.logit(x / 2, None)", "torch.logit(x / 2, eps=None)", "x.sort(stable=None)[0]",
        "torch.histogram(x, 3, range=None)[0]", "torch.meshgrid(x, indexing=None)[0]", "x.clamp(None, 2)", "x.clone(memory_format=None)",
        "torch.zeros(3, dtype=None, device=None)", "x.norm(None)", "torch.poisson(x, None)", "torch.normal(x, 1, generator=None)",
    ],
)
def test_what_may_be_none(call):
    assert eval(call, {"torch": torch, "x": torch.ones(3)}).numel() > 0


def test_small_things_that_torch_takes():
    x = torch.ones(2, 3)
    assert not x.is_same_size(other=torch.ones(3)) and x.resize_as_(torch.ones(2, device="meta")).device.type == "cpu"
    assert torch.ones(2, device="meta").new(2**40, 2).is_meta and torch.ones(1, device="meta").new([1, 2]).is_meta
    assert torch.trapz(torch.ones(2), dx=2**70).item() == 2.0**70 and torch.allclose(x, x + 1, atol=2**70)
    for wrong, error in ((lambda: torch.norm(x, 1j), RuntimeError), (lambda: torch.LongTensor(x.storage()), RuntimeError),
                         (lambda: torch.nn.functional.unfold(torch.ones(4, 4), 2), IndexError),
                         (lambda: torch.nn.functional.unfold(torch.ones(1, 2, 4, 4), (2,)), RuntimeError)):
        with pytest.raises(error):
            wrong()


def test_a_norm_of_all_dimensions_keeps_them_and_has_a_dtype():
    x = torch.arange(6.0).view(2, 3)
    for p in ("fro", 2, None):
        kept = torch.norm(x, p, keepdim=True)
        assert kept.shape == (1, 1) and kept.dtype is torch.float32 and abs(kept.item() - 55**0.5) < 1e-6
        wide = x.norm(p, dtype=torch.float64)
        assert wide.shape == () and wide.dtype is torch.float64 and abs(wide.item() - 55**0.5) < 1e-15
    assert torch.norm(x, keepdim=True, dtype=torch.float64).shape == (1, 1)
    for wrong in (lambda: torch.norm(x.long(), dtype=torch.float64), lambda: x.norm(dtype=torch.int32)):
        with pytest.raises(RuntimeError):
            wrong()


def test_several_copies_are_written_to_a_list():
    x = torch.arange(6.0)
    for call, shapes in ((lambda **out: torch.split_copy(x, 2, **out), [(2,)] * 3), (lambda **out: torch.unbind_copy(x.view(2, 3), **out), [(3,)] * 2),
                         (lambda **out: torch.split_with_sizes_copy(x, [2, 4], **out), [(2,), (4,)])):
        expected = [one.tolist() for one in call()]
        for kind in (list, tuple):
            out = kind(torch.empty(shape) for shape in shapes)
            assert call(out=out) is None and [one.tolist() for one in out] == expected
        for wrong, error in (([torch.zeros(2)], RuntimeError), ([], RuntimeError), (torch.zeros(6), TypeError), ([None] * len(shapes), TypeError)):
            with pytest.raises(error):
                call(out=wrong)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of read-only memory
            readonly = [torch.zeros(shapes[0]), *(torch.frombuffer(bytes(4 * shape[0]), dtype=torch.float32) for shape in shapes[1:])]
        with pytest.raises(RuntimeError):
            call(out=readonly)
        assert not readonly[0].any()
    out = [torch.empty(0), torch.empty(7)]
    with pytest.warns(UserWarning):
        assert torch.split_with_sizes_copy(x, [2, 4], out=out) is None
    assert [one.tolist() for one in out] == [[0, 1], [2, 3, 4, 5]]
    wide = [torch.zeros(2, 2, dtype=torch.int32), torch.zeros(2), torch.zeros(2)]
    assert torch.split_copy(x, 2, out=wide) is None and wide[0].tolist() == [[0, 1], [0, 1]]  # copied to, as copy_ does
    for wrong in (lambda: torch.split_copy(x, 2, out=[torch.zeros(2), torch.zeros(2), torch.zeros(3)]),
                  lambda: torch.unbind_copy(x.view(2, 3), out=[torch.zeros(3), torch.zeros(3, dtype=torch.float64)]),
                  lambda: torch.unbind_copy(x.view(2, 3), out=[torch.zeros(3), torch.zeros(1).expand(3)])):
        with pytest.raises(RuntimeError):
            wrong()
    with pytest.raises(TypeError):
        torch.split(x, 2, out=[torch.zeros(2)] * 3)
