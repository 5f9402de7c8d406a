"""The strides of results, and small things that PyTorch does, as seen in PyTorch 2.13.

`make parity` compares far more calls; these run where there is no PyTorch.
"""

import pytest

import tenon as torch


def tensor(sizes, strides):
    last = 0 if 0 in sizes else sum((size - 1) * stride for size, stride in zip(sizes, strides))
    return (torch.arange(last + 1.0) - 2).as_strided(sizes, strides)


# (call, sizes and strides of a and b, strides of the result)
LAYOUTS = [
    ("-a", [([3, 1, 2], [2, 9, 1])], (2, 2, 1)),
    ("-a", [([3, 1, 2], [4, 9, 2])], (2, 6, 1)),
    ("-a", [([2, 3, 4], [1, 8, 2])], (1, 8, 2)),
    ("-a", [([2, 3, 4, 5], [60, 1, 15, 3])], (60, 1, 15, 3)),
    ("-a", [([2, 1, 4, 5], [20, 7, 5, 1])], (20, 20, 5, 1)),
    ("-a", [([0, 3, 2], [1, 4, 9])], (6, 2, 1)),
    ("a + 1", [([3, 1, 2], [2, 9, 1])], (2, 6, 1)),
    ("a + 1", [([3, 1], [1, 0])], (1, 1)),
    ("a + 1", [([0, 1], [1, 1])], (1, 0)),
    ("a + 1", [([0, 4, 5, 1], [5, 5, 1, 20])], (5, 0, 1, 0)),
    ("2 - a", [([4, 3], [1, 4])], (1, 4)),
    ("a < 1", [([3, 1, 2], [2, 9, 1])], (2, 6, 1)),
    ("a + b", [([3, 1, 2], [2, 9, 1]), ([3, 1, 2], [2, 2, 1])], (2, 2, 1)),
    ("a + b", [([1, 4], [1, 1]), ([4], [1])], (1, 1)),
    ("a + b", [([4, 4], [4, 0]), ([4, 4], [1, 4])], (1, 4)),
    ("a + b", [([5, 2, 1], [2, 1, 1]), ([5, 2, 1], [1, 5, 5])], (2, 1, 1)),
    ("a + b", [([5, 2, 1], [1, 5, 5]), ([5, 2, 1], [1, 5, 5])], (1, 5, 5)),
    ("a + b", [([2, 3, 1], [3, 1, 1]), ([3, 1], [1, 7])], (3, 1, 3)),
    ("torch.rsub(a, b)", [([5, 2, 1], [1, 5, 5]), ([5, 2, 1], [2, 1, 1])], (2, 1, 1)),
    ("torch.ne(a.to(torch.uint8), b)", [([4, 4], [4, 0]), ([4, 4], [1, 4])], (4, 1)),
    ("torch.pow(a, 2)", [([3, 1, 2], [2, 6, 1])], (2, 2, 1)),
    ("torch.pow(a, 2)", [([4, 3], [1, 4])], (1, 4)),
    ("torch.pow(2, a)", [([4, 3], [1, 4])], (3, 1)),
    ("torch.float_power(2, a)", [([4, 3], [1, 4])], (3, 1)),
    ("torch.clamp(a, 0, 1)", [([1, 4], [1, 1])], (4, 1)),
    ("torch.clamp_min(a, 0)", [([0, 4, 5, 1], [5, 5, 1, 20])], (20, 5, 1, 1)),
    ("torch.clamp(a, b, b)", [([3, 4], [1, 3]), ([4], [1])], (1, 3)),
    ("torch.lerp(a, b, 0.5)", [([1, 4], [1, 1]), ([1, 4], [1, 1])], (4, 1)),
    ("torch.where(a > 0, a, b)", [([3, 4], [1, 3]), ([3, 4], [4, 1])], (1, 3)),
    ("torch.where(a > 0, a, 1.0)", [([3, 1, 2], [2, 9, 1])], (2, 6, 1)),
    ("torch.masked_fill(a, a > 0, 1.0)", [([4, 3], [1, 4])], (3, 1)),
    ("torch.nan_to_num(a)", [([3, 1, 2], [2, 9, 1])], (2, 9, 1)),
    ("torch.rad2deg(a)", [([3, 1, 2], [2, 9, 1])], (2, 9, 1)),
    ("torch.nn.functional.relu6(a)", [([0, 1, 2], [2, 9, 4])], (2, 9, 4)),
    ("torch.nn.functional.logsigmoid(a)", [([4, 3], [1, 4])], (3, 1)),
    ("torch.nn.functional.normalize(a)", [([4, 3], [1, 4])], (1, 4)),
    ("torch.abs(torch.complex(a, a).as_strided((1, 4), (7, 1)))", [([1, 4], [4, 1])], (7, 1)),
    ("torch.angle(torch.complex(a, a))", [([4, 3], [1, 4])], (3, 1)),
    ("torch.slice_scatter(a, a)", [([4, 3], [1, 4])], (1, 4)),
    ("torch.roll(a, 1, 0)", [([0, 3], [5, 2])], (5, 2)),
    ("torch.nonzero(a * 0)", [([4, 3], [3, 1])], (1, 0)),
    ("torch.add(a, a, out=torch.empty(0))", [([4, 3], [1, 4])], (1, 4)),
    ("torch.add(a, 1, out=torch.empty(0))", [([3, 1, 2], [2, 9, 1])], (2, 6, 1)),
    ("a.clone()", [([3, 1, 2], [2, 9, 1])], (2, 9, 1)),
    ("torch.zeros_like(a)", [([2, 3, 4], [3, 1, 24])], (3, 1, 6)),
    ("a.to(torch.float64)", [([4, 4], [4, 0])], (4, 1)),
]


@pytest.mark.parametrize("call, tensors, strides", LAYOUTS, ids=[f"{row[0]} of {row[1]}" for row in LAYOUTS])
def test_a_result_lies_in_memory_as_pytorchs_does(call, tensors, strides):
    names = {name: tensor(*geometry) for name, geometry in zip("ab", tensors)}
    assert eval(call, {"torch": torch}, names).stride() == strides


@pytest.mark.parametrize("change", [lambda x: x + 1, lambda x: 2 - x, lambda x: x * x, torch.abs, torch.relu])
def test_values_do_not_depend_on_strides_that_no_element_depends_on(change):
    for sizes, odd in (([3, 1, 2], [2, 9, 1]), ([1, 4], [1, 1]), ([5, 1], [1, 5]), ([1, 1], [0, 7])):
        x = tensor(sizes, odd)
        assert change(x).tolist() == change(x.clone(memory_format=torch.contiguous_format)).tolist()


def test_a_scalar_tensor_has_the_default_dtype():
    assert {torch.scalar_tensor(value).dtype for value in (1, True, 2.5, 1 + 0j)} == {torch.float32}
    with pytest.raises(RuntimeError):
        torch.scalar_tensor(1 + 2j)
    assert torch.result_type(1, 2.5) is torch.float32 and torch.where(torch.tensor(True), 1, 2).dtype is torch.int64


def test_a_bound_that_the_dtype_cannot_hold_is_no_bound():
    x = torch.tensor([1, 200], dtype=torch.uint8)
    assert x.clamp(min=-1).tolist() == [1, 200]
    with pytest.raises(ValueError):
        x.clamp(max=-1)


def test_what_is_a_view_and_what_is_the_object_itself():
    number, vector, step = torch.tensor(1.0), torch.ones(3), torch.ones(4, 4)[::2, ::2]
    assert number.adjoint() is number and torch.ones(1, 1).adjoint()._is_view()
    assert vector.ravel() is not vector and vector.ravel().data_ptr() == vector.data_ptr()
    assert step.ravel().data_ptr() != step.data_ptr()


def test_positions_of_nothing_begin_at_the_beginning():
    assert [one.storage_offset() for one in torch.where(torch.zeros(0, 1, 3))] == [0, 0, 0]
    assert torch.unique_consecutive(torch.zeros(5, 0), dim=1).stride() == (1, 1)


def test_complex_numbers_are_drawn_part_by_part():
    torch.manual_seed(7)
    drawn = torch.empty(2, dtype=torch.complex64).uniform_(-1, 2).tolist()
    assert drawn == [0.6047676205635071 - 0.40359044075012207j, 0.9776350855827332 + 0.9706708192825317j]
    torch.manual_seed(7)
    drawn = torch.normal(torch.zeros(2, dtype=torch.complex64), 2.0).tolist()
    expected = [-0.20759962499141693 + 1.1117717027664185j, 1.3390079736709595 - 1.5759204626083374j]
    assert drawn == pytest.approx(expected, rel=1e-6)
    torch.manual_seed(7)
    drawn = torch.normal(torch.ones(2), torch.tensor([1, 2])).tolist()
    assert drawn == pytest.approx([0.8532049059867859, 2.572282552719116], rel=1e-6)


def test_a_dtype_beside_out_must_be_that_of_out():
    out = torch.empty(3, dtype=torch.int32)
    assert torch.randint(5, (3,), out=out) is out and torch.randperm(3, dtype=torch.int32, out=out) is out
    for call in (
        lambda: torch.randint(5, (3,), dtype=torch.int64, out=out),
        lambda: torch.randperm(3, dtype=torch.int64, out=out),
        lambda: torch.rand(3, dtype=torch.float64, out=torch.empty(3)),
        lambda: torch.randn(3, dtype=torch.float64, out=torch.empty(3)),
    ):
        with pytest.raises(RuntimeError, match="leave dtype out"):
            call()


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.addcmul(x, x, x, value=1 + 2j),
        lambda x: x.addcdiv_(x, x, value=1 + 2j),
        lambda x: torch.nan_to_num(x, posinf=1 + 2j),
        lambda x: torch.nn.functional.rms_norm(x, (2,), eps=1 + 2j),
        lambda x: torch.var(x, correction=1 + 2j),
        lambda x: torch.std_mean(x, correction=1 + 2j),
    ],
)
def test_an_imaginary_part_is_not_dropped(call):
    x = torch.tensor([1.0, 2.0])
    with pytest.raises(RuntimeError):
        call(x)
    assert x.tolist() == [1, 2]


def test_complex_parameters_are_taken_where_the_result_is_complex():
    x = torch.tensor([1.0 + 1j])
    assert torch.addcmul(x, x, x, value=2j).tolist() == [-3 + 1j]
    assert torch.addcmul(torch.tensor([1.0]), torch.tensor([2.0]), torch.tensor([3.0]), value=2 + 0j).tolist() == [13]


def test_reductions_of_nothing_and_of_bools():
    assert torch.var(torch.zeros(0), correction=-2).isnan() and torch.std(torch.zeros(0, 2), 0, correction=-2).isnan().all()
    out = torch.empty((), dtype=torch.complex64)
    assert torch.nansum(torch.tensor([True, True]), dtype=torch.complex64, out=out).item() == 2


def test_a_histogram_over_a_range():
    x = torch.tensor([1.0, 2, 2.5, 4, 9, -1])
    for range in ((0.0, 4.0), [0, 4], (False, 4)):
        counts, edges = torch.histogram(x, 4, range=range)
        assert counts.tolist() == [0, 1, 2, 1] and edges.tolist() == [0, 1, 2, 3, 4]
    assert x.histogram(4, range=(0.0, 4.0), density=True).hist.tolist() == [0, 0.25, 0.5, 0.25]
    assert torch.histogram(x, bins=4, range=(0, 4), weight=torch.full((6,), 2.0)).hist.tolist() == [0, 2, 4, 2]
    assert torch.histogram(x, 4, range=(2.0, 2.0)).bin_edges.tolist() == [1.5, 1.75, 2, 2.25, 2.5]
    assert torch.histogram(x, 4, range=None).hist.tolist() == [2, 2, 1, 1] and len(torch.histogram(x, range=(0, 4))[0]) == 100
    out = torch.empty(0), torch.empty(0)
    assert torch.histogram(x, 4, range=(0, 4), out=out)[0] is out[0] and out[1].tolist() == [0, 1, 2, 3, 4]
    assert torch.histogram(x, torch.tensor([0.0, 1, 4])).hist.tolist() == [0, 4]


@pytest.mark.parametrize("range", [(4.0, 0.0), (0.0,), (0.0, 1.0, 2.0), (), (0.0, float("inf")), (float("nan"), 1)])
def test_a_range_has_a_first_and_a_last_number(range):
    with pytest.raises(ValueError):
        torch.histogram(torch.ones(3), 4, range=range)


@pytest.mark.parametrize("range", [3.0, "ab", ("a", 1), (1j, 4.0), torch.ones(2), (torch.tensor(0.0), 4), [0] * 65])
def test_a_range_is_made_of_real_numbers(range):
    with pytest.raises((TypeError, ValueError)):
        torch.histogram(torch.ones(3), 4, range=range)
