"""The operator table in Python: functions, methods, arguments, errors, documentation."""

import inspect
import operator

import numpy as np
import pytest

import tenon
from tenon import _core

FORMS = _core._operators()
NAMES = sorted({row[0] for row in FORMS})


def test_every_operator_is_a_function_and_a_method_with_a_signature():
    attributes = {"T", "mT", "H", "mH", "real", "imag"}
    for name in set(NAMES) - {"sum_to_size", "fill_diagonal_"}:
        function = getattr(tenon, name)
        assert callable(function) and function.__name__ == name and function.__doc__, name
        inspect.signature(function)
    for name in {row[0] for row in FORMS if row[4] >= 0 and "_out" not in row[1]} - attributes:
        method = getattr(tenon.Tensor, name)
        assert callable(method) and method.__doc__, name
        if not name.startswith("to"):
            inspect.signature(method)


def test_help_teaches():
    text = tenon.add.__doc__
    assert "self + other" in text and "Forms:" in text and "TN_" not in text
    assert str(inspect.signature(tenon.add)) == "(input, other, *, alpha=1, out=None)"
    assert str(inspect.signature(tenon.Tensor.transpose)) == "(self, /, dim0, dim1)"


def test_arguments_by_position_by_name_and_by_numpys_name():
    x = tenon.arange(6.).reshape(2, 3)
    expected = x.transpose(0, 1).tolist()
    assert tenon.transpose(x, 0, 1).tolist() == tenon.transpose(input=x, dim0=0, dim1=1).tolist() == expected
    assert tenon.add(input=x, other=x, alpha=2).tolist() == (3 * x).tolist() == x.add(x, alpha=2).tolist()
    assert x.unsqueeze(dim=0).shape == x.unsqueeze(axis=0).shape == (1, 2, 3)
    assert x.permute(1, 0).shape == x.permute((1, 0)).shape == tenon.permute(x, dims=[1, 0]).shape == (3, 2)
    assert x.view(3, -1).shape == x.view((3, 2)).shape == x.view(tenon.Size([3, 2])).shape == (3, 2)
    assert x.view(tenon.int32).dtype is tenon.int32
    assert x.squeeze(0).shape == x.unsqueeze(0).squeeze((0, 1)).shape == (2, 3)


def test_overloads_take_tensors_and_numbers_in_every_place():
    x = tenon.tensor([1., 2.])
    assert tenon.add(1, x).tolist() == tenon.add(x, 1).tolist() == [2, 3]
    assert tenon.add(x, 1, alpha=2).tolist() == [3, 4] and tenon.pow(2, x).tolist() == [2, 4]
    assert tenon.where(x > 1, x, 0).tolist() == [0, 2] and tenon.where(x > 1, 1., 0.).tolist() == [0, 1]
    assert tenon.maximum(x, tenon.tensor(1.5)).tolist() == [1.5, 2] and tenon.clamp(x, max=tenon.tensor(1.5)).tolist() == [1, 1.5]
    assert tenon.add(tenon.tensor([1, 2]), np.float64(1.5)).tolist() == [2.5, 3.5]
    assert tenon.add(x, np.int64(1)).dtype is tenon.float32 and tenon.mul(x, np.bool_(True)).tolist() == [1, 2]
    assert x.where(x > 1, tenon.zeros(2)).tolist() == [0, 2]


def test_none_is_the_default():
    x = tenon.tensor([1., 2.])
    assert tenon.div(x, x, rounding_mode=None).tolist() == [1, 1] and tenon.clamp(x, None, 1).tolist() == [1, 1]
    assert tenon.zeros(2, dtype=None).dtype is tenon.float32 and tenon.add(x, x, out=None).tolist() == [2, 4]


def test_out_is_written_and_returned():
    x, out = tenon.tensor([1., 2.]), tenon.empty(2)
    assert tenon.add(x, x, out=out) is out and out.tolist() == [2, 4]
    assert tenon.reshape(x, (2, 1), out=tenon.empty(0)).tolist() == [[1], [2]]
    values, indices = tenon.empty(2), tenon.empty(2, dtype=tenon.int64)
    result = tenon.sort(x, descending=True, out=(values, indices))
    assert result.values is values and values.tolist() == [2, 1] and indices.tolist() == [1, 0]
    with pytest.raises(TypeError):
        tenon.add(x, x, out=3)


def test_several_results_have_names():
    result = tenon.sort(tenon.tensor([3, 1]))
    values, indices = result
    assert result.values is values and result[1] is indices and isinstance(result, tuple)
    assert repr(result) == "torch.return_types.sort(\nvalues=tensor([1, 3]),\nindices=tensor([1, 0]))"
    assert isinstance(tenon.arange(4).split(2), tuple) and len(tenon.split(tenon.arange(4), [1, 3])) == 2


@pytest.mark.parametrize("symbol, name", [("add", "add"), ("sub", "sub"), ("mul", "mul"), ("truediv", "div"), ("floordiv", "floor_divide"),
                                          ("mod", "remainder"), ("pow", "pow")])
def test_operators_of_the_language_also_reflected_and_in_place(symbol, name):
    call, function = getattr(operator, symbol), getattr(tenon, name)
    a, b = np.array([1., 2, 3, 4]), np.array([4., 3, 2, 1])
    x, y = tenon.tensor(a), tenon.tensor(b)
    np.testing.assert_allclose(call(x, y).numpy(), call(a, b))
    np.testing.assert_allclose(call(x, 2).numpy(), call(a, 2))
    np.testing.assert_allclose(call(2, x).numpy(), call(2, a))
    np.testing.assert_allclose(call(x, b).numpy(), call(a, b))
    np.testing.assert_allclose(call(a, y).numpy(), call(a, b))
    np.testing.assert_allclose(function(x, y).numpy(), call(a, b))
    z = x.clone()
    assert getattr(operator, "i" + symbol)(z, y) is z
    np.testing.assert_allclose(z.numpy(), call(a, b))
    with pytest.raises(TypeError):
        call(x, "a")


def test_bits_comparisons_and_signs():
    a, b = np.array([6, 3, -1]), np.array([3, 1, 2])
    x, y = tenon.tensor(a), tenon.tensor(b)
    for symbol in ("and_", "or_", "xor", "lshift", "rshift", "lt", "le", "eq", "ne", "gt", "ge"):
        call = getattr(operator, symbol)
        assert call(x, y).tolist() == call(a, b).tolist() and call(x, 1).tolist() == call(a, 1).tolist(), symbol
        assert call(1, y).tolist() == call(1, b).tolist(), symbol
    for symbol in ("neg", "pos", "abs", "invert"):
        call = getattr(operator, symbol)
        assert call(x).tolist() == call(a).tolist()
    assert (x == None) is False and (x != None) is True and (x == "a") is False
    with pytest.raises(TypeError):
        x < "a"


def test_errors_have_the_classes_people_expect():
    x = tenon.zeros(2, 3)
    cases = [(lambda: x + tenon.zeros(4), (RuntimeError, ValueError), "broadcast"), (lambda: x.select(5, 0), (IndexError,), "dim"),
             (lambda: x[7], (IndexError,), "7"), (lambda: x.view(5), (RuntimeError, ValueError), "view"),
             (lambda: tenon.bitwise_and(x, x), (RuntimeError, TypeError), "float32"),
             (lambda: tenon.empty(1 << 46), (MemoryError, RuntimeError), "memory"),
             (lambda: x.expand(2, 3).expand(4, 2, 3).add_(1), (RuntimeError,), "add_"),
             (lambda: x & 1, (NotImplementedError, RuntimeError, TypeError), "bitwise_and"),
             (lambda: tenon.topk(x, 9), (IndexError, RuntimeError), "topk"), (lambda: x[tenon.tensor([0.5])], (IndexError,), "float32"),
             (lambda: int(tenon.tensor(1j)), (RuntimeError, TypeError), "1j"),
             (lambda: tenon.tensor([1, None]), (RuntimeError, TypeError), "None"), (lambda: tenon.tensor([[1], 2]), (TypeError,), "depth 1"),
             (lambda: tenon.tensor(2**63), (ValueError, OverflowError, RuntimeError), "int64"),
             (lambda: tenon.tensor(2**70), (ValueError, OverflowError, RuntimeError), "64 bits")]
    for call, classes, word in cases:
        for expected in classes:
            with pytest.raises(expected, match=word):
                call()


@pytest.mark.parametrize("call, words", [
    (lambda x: tenon.add(x), "other"), (lambda x: tenon.add(x, "a"), "other"), (lambda x: tenon.neg(x, x), "at most"),
    (lambda x: tenon.neg(x, wrong=1), "wrong"), (lambda x: tenon.neg(x, input=x), "twice"), (lambda x: tenon.cat(x), "tensors"),
    (lambda x: x.transpose(0), "dim1"), (lambda x: x.transpose(0, 1.5), "dim1"), (lambda x: tenon.zeros(2, dtype="float"), "dtype"),
    (lambda x: x.permute("a"), "dims"), (lambda x: tenon.cat([x, 1]), "item 1 of argument 'tensors' must be a tensor, not int")])
def test_wrong_arguments_are_explained(call, words):
    with pytest.raises(TypeError, match=words):
        call(tenon.zeros(2, 3))


def test_lists_of_tensors():
    x = tenon.zeros(2)
    assert tenon.cat([x, x]).shape == tenon.cat((x, x), dim=0).shape == tenon.concat([x, x], axis=0).shape == (4,)
    grid = tenon.meshgrid(tenon.arange(2), tenon.arange(3), indexing="ij")
    assert [g.shape for g in grid] == [(2, 3)] * 2 == [g.shape for g in tenon.meshgrid([tenon.arange(2), tenon.arange(3)])]


def test_nonzero_and_where_have_torchs_forms():
    x = tenon.tensor([[0, 1], [2, 0]])
    assert tenon.nonzero(x).tolist() == x.nonzero().tolist() == [[0, 1], [1, 0]]
    assert [part.tolist() for part in x.nonzero(as_tuple=True)] == [[0, 1], [1, 0]] == [p.tolist() for p in tenon.where(x)]
    assert tenon.nonzero(x, as_tuple=False).shape == (2, 2)
    assert [p.tolist() for p in tenon.where(tenon.tensor([0, 1]))] == [[1]]


def test_dtypes_are_promoted_as_torch_says():
    assert tenon.result_type(tenon.tensor([1]), 1.5) is tenon.float32 and tenon.result_type(1, 2.) is tenon.float32
    assert tenon.promote_types(tenon.int8, tenon.uint8) is tenon.int16 and tenon.can_cast(tenon.int8, tenon.float16)
    assert not tenon.can_cast(tenon.float32, tenon.int64)
    assert tenon.broadcast_shapes((2, 1), (3,), ()) == (2, 3)
    with pytest.raises(RuntimeError):
        tenon.broadcast_shapes((2,), (3,))


def test_factories_write_to_out_in_its_dtype_and_where_its_elements_are():
    x = tenon.zeros(2, 3)
    tenon.arange(0, 4, out=x.narrow(1, 1, 2))
    assert x.tolist() == [[0, 0, 1], [0, 2, 3]]
    out = tenon.empty(0, dtype=tenon.float64)
    assert tenon.linspace(0, 1, 4, out=out) is out and out[1].item() == 1 / 3
    assert tenon.zeros(2, out=out).dtype is tenon.float64 and tenon.eye(2, out=out).tolist() == [[1, 0], [0, 1]]
    with pytest.raises(RuntimeError):
        tenon.arange(4, dtype=tenon.int64, out=out)


def test_a_tensor_says_where_to_split_and_none_is_no_bound():
    x = tenon.arange(6)
    assert [part.tolist() for part in x.tensor_split(tenon.tensor([3]), 0)] == [[0, 1, 2], [3, 4, 5]]
    assert len(tenon.tensor_split(x, tenon.tensor(3))) == 3
    assert all(value >= 5 for value in tenon.zeros(50, dtype=tenon.int8).random_(5, None).tolist())
    with pytest.raises(TypeError):
        tenon.zeros(3).random_(5, 7, None)


def test_methods_that_torch_has_no_function_of():
    x = tenon.ones(2, 3, 4)
    assert x.sum_to_size(3, 1).tolist() == [[8], [8], [8]] and x.sum_to_size(2, 3, 4) is x
    assert tenon.zeros(2, 2).fill_diagonal_(3).tolist() == [[3, 0], [0, 3]]
    assert x.resize_(1, 2, 3, 4, memory_format=tenon.channels_last).stride() == (24, 1, 8, 2)
