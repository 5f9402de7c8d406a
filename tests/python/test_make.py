"""Tensors from data."""

import array

import numpy as np
import pytest

import tenon


def test_numbers_choose_the_dtype():
    assert tenon.tensor([True]).dtype is tenon.bool and tenon.tensor([True, 2]).dtype is tenon.int64
    assert tenon.tensor([1, 2.]).dtype is tenon.float32 and tenon.tensor([1, 2j]).dtype is tenon.complex64
    assert tenon.tensor([]).dtype is tenon.float32 and tenon.tensor([]).shape == (0,)
    tenon.set_default_dtype(tenon.float64)
    assert tenon.tensor([1.]).dtype is tenon.float64 and tenon.tensor([1j]).dtype is tenon.complex128


def test_nested_data_of_every_kind():
    expected = [[1, 2], [3, 4]]
    for data in (((1, 2), (3, 4)), [range(1, 3), (3, 4)], np.array(expected),
                 [np.array([1, 2]), [3, 4]], [[tenon.tensor(1), 2], [np.int64(3), 4]]):
        assert tenon.tensor(data).tolist() == expected, data
    assert tenon.tensor([[], []]).shape == (2, 0)
    assert tenon.tensor([np.float64(1)]).dtype is tenon.float64 and tenon.tensor(np.float32(1)).dtype is tenon.float32


@pytest.mark.parametrize("data, error", [([[1, 2], [3]], ValueError), ([1, [2]], (TypeError, ValueError)), ("12", TypeError),
                                         ([1, "a"], TypeError), (None, (TypeError, RuntimeError)), ([2 ** 70], (OverflowError, ValueError)),
                                         ([[1], 2], TypeError), ({1: 2}, TypeError),
                                         (np.datetime64("2020-01-01"), TypeError), ([np.datetime64("2020-01-01")], TypeError)])
def test_data_that_is_no_tensor_is_refused(data, error):
    with pytest.raises(error):
        tenon.tensor(data)


def test_values_that_do_not_fit_are_refused():
    for value, dtype in ((300, tenon.uint8), (-129, tenon.int8), (2 ** 40, tenon.int32)):
        with pytest.raises(RuntimeError):
            tenon.tensor([value], dtype=dtype)
    assert tenon.tensor([1.9, -1.9], dtype=tenon.int64).tolist() == [1, -1]
    assert tenon.tensor([2 ** 63], dtype=tenon.uint64).tolist() == [2 ** 63]
    with pytest.raises(TypeError):
        tenon.tensor([1j], dtype=tenon.float32)


def test_tensor_copies_and_as_tensor_shares():
    array_ = np.arange(3.)
    copied, shared = tenon.tensor(array_), tenon.as_tensor(array_)
    array_[0] = 9
    assert copied[0] == 0 and shared[0] == 9
    x = tenon.zeros(2)
    assert tenon.as_tensor(x) is x and tenon.as_tensor(x, dtype=tenon.int8).dtype is tenon.int8
    assert tenon.asarray(x, copy=True).data_ptr() != x.data_ptr() and tenon.asarray(x) is x
    with pytest.raises(ValueError):
        tenon.asarray([1, 2], copy=False)
    with pytest.raises(ValueError):
        tenon.asarray(x, dtype=tenon.int8, copy=False)


@pytest.mark.filterwarnings("ignore:the memory is read-only")
def test_frombuffer_looks_at_bytes():
    data = bytearray(range(16))
    x = tenon.frombuffer(data, dtype=tenon.int32, offset=4, count=2)
    assert x.tolist() == np.frombuffer(bytes(data), "i4", 2, 4).tolist()
    x[0] = 0
    assert data[4:8] == b"\0\0\0\0"
    assert tenon.frombuffer(array.array("d", [1.5]), dtype=tenon.float64).tolist() == [1.5]
    with pytest.raises(RuntimeError):
        tenon.frombuffer(b"abcd", dtype=tenon.uint8)[0] = 1
    for wrong in (dict(offset=16), dict(count=5), dict(offset=1), dict(count=0), dict(offset=-1)):
        with pytest.raises(ValueError):
            tenon.frombuffer(data, dtype=tenon.int32, **wrong)
    with pytest.raises(TypeError):
        tenon.frombuffer(data)


def test_factories_take_sizes_in_every_spelling():
    for size in ((2, 3), ([2, 3],), ((2, 3),), (tenon.Size([2, 3]),), (np.int64(2), 3)):
        assert tenon.zeros(*size).shape == tenon.ones(*size).shape == tenon.empty(*size).shape == (2, 3)
    assert tenon.zeros(size=(2,)).shape == tenon.zeros(shape=(2,)).shape == tenon.zeros(2).shape == (2,)
    assert tenon.zeros(()).shape == () and tenon.zeros(0).shape == (0,)
    assert tenon.zeros(2, dtype=tenon.int8, device="cpu", layout=tenon.strided, requires_grad=False).dtype is tenon.int8
    assert tenon.full((2,), 7).tolist() == [7, 7] and tenon.full((2,), fill_value=1.5).dtype is tenon.float32
    assert tenon.eye(2).tolist() == [[1, 0], [0, 1]] and tenon.eye(1, 2).shape == (1, 2) == tenon.eye(n=1, m=2).shape
    assert tenon.arange(3).tolist() == [0, 1, 2] and tenon.arange(1, 3).tolist() == [1, 2]
    assert tenon.arange(1, 6, 2).tolist() == [1, 3, 5] and tenon.arange(start=1, end=2.5, step=.5).tolist() == [1, 1.5, 2]
    assert tenon.linspace(0, 1, 3).tolist() == [0, .5, 1] == tenon.linspace(start=0, end=1, steps=3).tolist()
    assert tenon.zeros_like(tenon.ones(2, dtype=tenon.int8)).dtype is tenon.int8
    assert tenon.full_like(tenon.ones(2), 3, dtype=tenon.int64).tolist() == [3, 3]
    x = tenon.ones(1, dtype=tenon.float64)
    assert x.new_zeros(2, 3).shape == (2, 3) and x.new_full((1,), 2).dtype is x.new_tensor([1]).dtype is tenon.float64
    for wrong in (lambda: tenon.zeros(2, device="cuda"), lambda: tenon.tensor(2, device="cuda"), lambda: tenon.ones(2, device=0)):
        with pytest.raises(tenon.DeviceError, match="must be the CPU"):
            wrong()
    with pytest.raises(tenon.DeviceError, match="nowhere"):
        tenon.zeros(2, device="nowhere")
    with pytest.raises(TypeError, match="layout"):
        tenon.zeros(2, layout=5)
    with pytest.raises(RuntimeError, match="does not fit in 64 bits"):
        tenon.zeros(tenon.tensor([2**63], dtype=tenon.uint64))
    assert tenon.zeros(tenon.tensor([2])).shape == (2,) and tenon.tensor(1).item() == 1  # no error is left behind
    with pytest.raises(TypeError):
        tenon.zeros(2.5)


def test_a_scalar_tensor_has_the_default_dtype():
    assert tenon.scalar_tensor(1).dtype is tenon.scalar_tensor(True, dtype=None).dtype is tenon.float32
    tenon.set_default_dtype(tenon.float64)
    assert tenon.scalar_tensor(1).dtype is tenon.float64 and tenon.scalar_tensor(2.5, dtype=tenon.int8).item() == 2


def test_empty_takes_a_memory_format():
    x = tenon.empty(2, 3, 4, 5, memory_format=tenon.channels_last, dtype=tenon.int8)
    assert x.shape == (2, 3, 4, 5) and x.stride() == (60, 1, 15, 3) and x.dtype is tenon.int8 and not x._is_view()
    assert tenon.empty((2, 3), memory_format=tenon.contiguous_format).stride() == (3, 1) == tenon.empty(2, 3, memory_format=None).stride()
    with pytest.raises(RuntimeError):
        tenon.empty(2, 3, memory_format=tenon.channels_last)
    with pytest.raises(TypeError):
        tenon.zeros(2, 3, memory_format=tenon.channels_last)
    with pytest.raises(TypeError):
        tenon.empty(2, memory_format="channels_last")


def test_a_tensor_in_a_list_is_one_number():
    for data in ([tenon.tensor([1]), tenon.tensor([2])], [tenon.tensor([[1]]), 2], (tenon.tensor(1), tenon.tensor([2]))):
        assert tenon.tensor(data).tolist() == [1, 2] and tenon.tensor(data).dtype is tenon.int64
    assert tenon.tensor([tenon.tensor([1.5], dtype=tenon.float64), 2]).dtype is tenon.float64
    assert tenon.tensor([tenon.tensor([True]), tenon.tensor([1.0])]).dtype is tenon.float32
    for data in ([tenon.tensor([1, 2])], [tenon.tensor([1, 2]), [3, 4]], [tenon.tensor([1]), [2]], [tenon.tensor([], dtype=tenon.int64)]):
        with pytest.raises(TypeError):
            tenon.tensor(data)
    for data in ([tenon.tensor([1.0, 2.0])], [tenon.tensor([]), tenon.tensor([])], [tenon.tensor([1j, 2])]):
        with pytest.raises(ValueError):
            tenon.tensor(data)


def test_large_integers_are_floats_where_floats_are_made():
    for dtype in (tenon.float32, tenon.float64, tenon.complex64):
        assert tenon.tensor([2 ** 64, -2 ** 70], dtype=dtype).tolist() == [2.0 ** 64, -(2.0 ** 70)]
        assert tenon.tensor(2 ** 64, dtype=dtype).item() == 2.0 ** 64
    assert tenon.tensor([2 ** 64, 1.5], dtype=tenon.float64).tolist() == [2.0 ** 64, 1.5] and tenon.tensor([2 ** 64, 1.5]).dtype is tenon.float32
    assert tenon.tensor([2 ** 64, 0], dtype=tenon.bool).tolist() == [True, False]
    for dtype in (tenon.int64, tenon.uint64, None):
        with pytest.raises(OverflowError):
            tenon.tensor([2 ** 64], dtype=dtype)
    with pytest.raises(OverflowError):
        tenon.tensor([2 ** 1100], dtype=tenon.float64)


class Column:
    """What a column of a table does: its items are numbers of Python, and only as an array has it a dtype."""

    def __init__(self, values, dtype):
        self.array = np.array(values, dtype)
        self.array.setflags(write=False)

    def __array__(self, dtype=None, copy=None):
        return self.array

    def __len__(self):
        return len(self.array)

    def __getitem__(self, at):
        return self.array.tolist()[at]


def test_what_turns_itself_into_an_array_has_the_dtype_of_it():
    for dtype in ("float64", "float32", "int32", "bool"):
        for make in (tenon.tensor, tenon.as_tensor, tenon.asarray):
            made = make(Column([1, 0], dtype))
            assert str(made.dtype) == f"torch.{dtype}" and made.tolist() == [1, 0]
            made.fill_(1)  # it is a copy
        assert tenon.tensor(Column([1, 0], dtype), dtype=tenon.int8).dtype is tenon.int8
    assert tenon.tensor(Column([1, 2], object)).tolist() == [1, 2]
    with pytest.raises((TypeError, ValueError)):
        tenon.tensor(Column(["a"], object))


def test_a_column_of_pandas_has_its_dtype():
    pandas = pytest.importorskip("pandas")
    assert tenon.tensor(pandas.Series([1.0, 2.0])).dtype is tenon.float64
    assert tenon.tensor(pandas.Series([1, 2], dtype="int32")).dtype is tenon.int32


def test_bytes_are_no_numbers():
    for make in (tenon.tensor, tenon.as_tensor):
        with pytest.raises(TypeError):
            make(b"ab")
    with pytest.raises(TypeError):
        tenon.tensor([b"ab"])
    for wrong in ([1, 2], 5, "ab", None):
        with pytest.raises(ValueError):
            tenon.frombuffer(wrong, dtype=tenon.float32)
