"""Storages, with a dtype and without, and the constructors that torch had first."""

import copy
import gc
import pickle

import numpy as np
import pytest

import tenon as torch


def test_a_storage_of_bytes_is_made_of_a_size_or_of_integers():
    assert torch.UntypedStorage().nbytes() == 0 and torch.UntypedStorage(5).nbytes() == 5 and len(torch.UntypedStorage(5, device="cpu")) == 5
    assert torch.UntypedStorage([1, 2, 300, -1]).tolist() == [1, 2, 44, 255] and torch.UntypedStorage(range(3)).tolist() == [0, 1, 2]
    for wrong in (-1, "a", [1.5], 2.5, [None]):
        with pytest.raises((RuntimeError, TypeError)):
            torch.UntypedStorage(wrong)
    with pytest.raises(RuntimeError):
        torch.UntypedStorage(3, device="cuda")
    with pytest.raises((MemoryError, RuntimeError)):
        torch.UntypedStorage(2 ** 62)


def test_bytes_are_read_and_written():
    storage = torch.UntypedStorage([1, 2, 3, 4])
    assert storage[0] == 1 and storage[-1] == 4 and storage.clone().tolist() == [1, 2, 3, 4] and storage.element_size() == 1
    storage[1] = 9
    storage[2:] = 7
    assert storage.tolist() == [1, 9, 7, 7] and storage.fill_(-2) is storage and storage.tolist() == [254] * 4
    assert storage.copy_(torch.UntypedStorage([4, 3, 2, 1])).tolist() == [4, 3, 2, 1]
    for wrong in (lambda: storage[4], lambda: storage[-5], lambda: storage.__setitem__(4, 0)):
        with pytest.raises(IndexError):
            wrong()
    for wrong in (lambda: storage.copy_(torch.UntypedStorage(3)), lambda: storage[::2], lambda: storage.fill_(1.5)):
        with pytest.raises(RuntimeError):
            wrong()
    for wrong in (lambda: storage["a"], lambda: storage.copy_(5), lambda: storage.__delitem__(0)):
        with pytest.raises(TypeError):
            wrong()
    assert storage.tolist() == [4, 3, 2, 1]
    assert repr(storage) == " 4\n 3\n 2\n 1\n[torch.storage.UntypedStorage(device=cpu) of size 4]"
    assert repr(torch.UntypedStorage()) == " \n[torch.storage.UntypedStorage(device=cpu) of size 0]"


def test_a_part_of_a_storage_shares_its_bytes_and_keeps_them():
    whole = torch.UntypedStorage([1, 2, 3, 4])
    part = whole[1:3]
    part[0] = 9
    assert whole.tolist() == [1, 9, 3, 4] and part.data_ptr() == whole.data_ptr() + 1 and whole[3:1].nbytes() == 0
    assert not whole.resizable()
    with pytest.raises(RuntimeError):
        whole.resize_(1000)
    del whole
    gc.collect()
    assert part.tolist() == [9, 3] and torch.UntypedStorage()[:].tolist() == []


def test_bytes_that_are_read_only_stay_as_they_are():
    with pytest.warns(UserWarning, match="read-only"):
        storage = torch.frombuffer(b"abc", dtype=torch.uint8).untyped_storage()
    for wrong in (lambda: storage.fill_(0), lambda: storage.__setitem__(0, 1), lambda: storage.copy_(torch.UntypedStorage(3))):
        with pytest.raises(RuntimeError):
            wrong()
    other = torch.empty(0, dtype=torch.uint8).set_(storage, 0, (3,), (1,))
    with pytest.raises(RuntimeError):
        other.fill_(0)
    assert storage.tolist() == list(b"abc") and storage.clone().fill_(0).tolist() == [0, 0, 0]


def test_the_storage_of_a_tensor_has_its_dtype_and_all_elements():
    x = torch.arange(6.0).reshape(2, 3)
    storage = x[1, 1:].storage()
    assert storage.dtype is torch.float32 and storage.size() == len(storage) == 6 and storage.nbytes() == 24
    assert storage.tolist() == list(storage) == [0, 1, 2, 3, 4, 5] and storage[4] == storage[-2] == 4.0
    assert storage.data_ptr() == x.data_ptr() and storage.untyped() is x.untyped_storage() and storage.element_size() == 4
    storage[0] = 8
    storage[1:3] = 7
    assert x.tolist() == [[8, 7, 7], [3, 4, 5]] and storage.fill_(2) is storage and x.sum() == 12
    assert storage.clone().data_ptr() != storage.data_ptr() and copy.copy(storage).tolist() == [2] * 6
    assert storage.device == torch.device("cpu") and not storage.is_cuda and not storage.is_shared() and storage.filename is None
    for wrong, error in ((lambda: storage[:2], RuntimeError), (lambda: storage[6], IndexError), (lambda: storage["a"], RuntimeError),
                         (lambda: storage[True], TypeError), (lambda: storage[torch.tensor(1)], RuntimeError)):
        with pytest.raises(error):
            wrong()


def test_a_storage_is_converted_and_named():
    storage = torch.tensor([1.5, -2.5]).storage()
    assert storage.type() == "torch.FloatStorage" and storage.pickle_storage_type() == "FloatStorage"
    assert storage.long().tolist() == [1, -2] and storage.double().dtype is torch.float64 and storage.float() is storage
    assert storage.type(torch.int32).type() == "torch.IntStorage" and storage.half().tolist() == [1.5, -2.5]
    assert repr(storage.short()) == " 1\n -2\n[torch.storage.TypedStorage(dtype=torch.int16, device=cpu) of size 2]"
    assert torch.FloatStorage(2).copy_(storage.long()).tolist() == [1, -2]
    assert pickle.loads(pickle.dumps(storage)).tolist() == copy.deepcopy(storage).tolist() == [1.5, -2.5]
    storage.resize_(4)
    assert storage.size() == 4 and storage.tolist()[:2] == [1.5, -2.5]


def test_storages_are_made_by_their_names():
    for made in (torch.FloatStorage([1, 2]), torch.TypedStorage([1, 2], dtype=torch.float32), torch.storage.TypedStorage((1, 2))):
        assert made.tolist() == [1.0, 2.0] and type(made) is torch.TypedStorage and isinstance(made, torch.FloatStorage)
        assert not isinstance(made, torch.LongStorage) and torch.is_storage(made)
    assert torch.LongStorage(3).nbytes() == 24 and torch.TypedStorage().size() == 0 and torch.BoolStorage([0, 2]).tolist() == [False, True]
    assert issubclass(torch.FloatStorage, torch.TypedStorage) and torch.FloatStorage.dtype is torch.float32
    assert torch.is_storage(torch.UntypedStorage()) and not torch.is_storage(torch.zeros(1))
    untyped = torch.UntypedStorage([0, 0, 128, 63])
    assert torch.TypedStorage(wrap_storage=untyped, dtype=torch.float32).tolist() == [1.0]
    for wrong in (lambda: torch.FloatStorage(1, dtype=torch.int8), lambda: torch.TypedStorage(1, 2), lambda: torch.TypedStorage(dtype=5),
                  lambda: torch.TypedStorage(wrap_storage=[1]), lambda: torch.TypedStorage(1, wrap_storage=untyped)):
        with pytest.raises((RuntimeError, TypeError)):
            wrong()


# ---- LongTensor(...), x.new(...), Tensor(...)


@pytest.mark.parametrize("name, dtype", [
    ("BFloat16Tensor", torch.bfloat16), ("BoolTensor", torch.bool), ("ByteTensor", torch.uint8), ("CharTensor", torch.int8),
    ("DoubleTensor", torch.float64), ("FloatTensor", torch.float32), ("HalfTensor", torch.float16), ("IntTensor", torch.int32),
    ("LongTensor", torch.int64), ("ShortTensor", torch.int16)])
def test_a_name_for_each_dtype_makes_and_recognises_tensors(name, dtype):
    kind = getattr(torch, name)
    made = kind([1, 0])
    assert type(made) is torch.Tensor and made.dtype is dtype is kind.dtype and made.tolist() == [1, 0]
    assert isinstance(made, kind) and isinstance(made.as_subclass(torch.Tensor), kind) and not isinstance(5, kind)
    assert made.type() == f"torch.{name}" and str(kind) == f"<class 'torch.{name}'>" and kind.__name__ == name
    other = torch.LongTensor if dtype is not torch.int64 else torch.FloatTensor
    assert not isinstance(made, other) and other([1, 2]).type(kind).dtype is dtype and not issubclass(kind, torch.Tensor)
    assert kind.is_cuda is False and kind.layout is torch.strided
    with pytest.raises(TypeError):
        class Below(kind):
            pass


@pytest.mark.parametrize("make", [torch.LongTensor, lambda *args, **names: torch.tensor([5]).new(*args, **names)])
def test_what_is_given_decides_what_is_made(make):
    assert make().shape == (0,) and make(2, 3).shape == make(torch.Size([2, 3])).shape == make(size=(2, 3)).shape == (2, 3)
    assert make(5).shape == (5,) and make(np.int64(2), 3).shape == (2, 3) and make(0).shape == (0,)
    for data in ([1.5, 2], (1, 2), np.array([1.0, 2.0]), np.array([1, 2]), range(1, 3)):
        assert make(data).tolist() == [1, 2] and make(data).dtype is torch.int64
    assert make([[]]).shape == (1, 0) and make([1], device="cpu").tolist() == [1] and make(data=[3]).tolist() == [3]
    x = torch.tensor([[1, 2], [3, 4]])
    assert make(x).data_ptr() == x.data_ptr() and make(x)._is_view() and make(x.T).tolist() == [[1, 3], [2, 4]]
    assert make(x.storage()).tolist() == make(x.untyped_storage()).tolist() == [1, 2, 3, 4]
    assert make(x.storage()).data_ptr() == x.data_ptr() and make(torch.UntypedStorage(17)).shape == (2,)
    for wrong in (2.5, None, "ab", b"ab", True, x.float(), torch.FloatStorage(2), (1.5, [2])):
        with pytest.raises(TypeError):
            make(wrong)
    for wrong in (lambda: make(2, 3.5), lambda: make([1], size=(2,)), lambda: make(1, [2]), lambda: make(other=x, size=(1,)), lambda: make(x, nonsense=1)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(RuntimeError):
        make(2, device="cuda")
    with pytest.raises((RuntimeError, ValueError)):
        make(-2)


def test_the_plainest_constructor_takes_a_tensor_of_any_dtype():
    x = torch.tensor([1, 2])
    assert torch.Tensor(x).dtype is torch.int64 and torch.Tensor(x).data_ptr() == x.data_ptr() and torch.Tensor(x)._base is x
    assert torch.Tensor(2, 3, device="cpu").shape == (2, 3) and torch.Tensor(device="cpu").shape == (0,)
    assert torch.Tensor([1, 2]).dtype is torch.float32 and torch.Tensor(torch.FloatStorage([1, 2])).tolist() == [1, 2]
    for wrong in (2.5, None, torch.LongStorage(1)):
        with pytest.raises(TypeError):
            torch.Tensor(wrong)


def test_a_tensor_is_made_of_a_subclass():
    class Mine(torch.Tensor):
        pass

    class Other(torch.Tensor):
        def __init__(self, *args):
            raise AssertionError("as_subclass does not run it")

    x = torch.arange(4)
    for kind in (torch.Tensor, Mine, Other):
        made = x.as_subclass(kind)
        assert type(made) is kind and made.data_ptr() == x.data_ptr() and made._base is x and made.tolist() == [0, 1, 2, 3]
    assert type(Mine([1, 2])) is Mine and type(Mine([1]).as_subclass(cls=torch.Tensor)) is torch.Tensor
    for wrong in (int, 5, torch.LongTensor):
        with pytest.raises(TypeError):
            x.as_subclass(wrong)
    with pytest.raises(TypeError):
        x.as_subclass()


def test_an_empty_tensor_with_strides_has_the_dtype_of_its_model():
    x = torch.tensor([1])
    assert x.new_empty_strided((2, 3), (1, 2)).stride() == (1, 2) and x.new_empty_strided((2, 3), (1, 2)).dtype is torch.int64
    assert x.new_empty_strided(size=(2,), stride=(3,), dtype=torch.float16).dtype is torch.float16


def test_what_a_storage_is_made_of_and_indexed_by_has_pytorchs_errors():
    make, untyped = torch.UntypedStorage, torch.ones(3).untyped_storage()
    for wrong, error in ((lambda: make(True), RuntimeError), (lambda: make(4.0), RuntimeError), (lambda: make(None), RuntimeError),
                         (lambda: make({1: 2}), RuntimeError), (lambda: make(-1), RuntimeError), (lambda: make(size=-1), RuntimeError),
                         (lambda: make(3, size=4), TypeError), (lambda: untyped[True], TypeError), (lambda: untyped["a"], TypeError),
                         (lambda: untyped[torch.tensor(1)], TypeError), (lambda: untyped[2**70], ValueError),
                         (lambda: untyped.__setitem__("a", 1), RuntimeError), (lambda: untyped.__setitem__(99, 1), RuntimeError),
                         (lambda: untyped.__setitem__(99, 1), IndexError), (lambda: untyped.resize_(-1), RuntimeError),
                         (lambda: untyped.resize_(4.0), RuntimeError), (lambda: untyped.resize_(None), RuntimeError),
                         (lambda: torch.FloatStorage(1.5), TypeError), (lambda: torch.FloatStorage(torch.ones(2)), TypeError),
                         (lambda: torch.FloatStorage(2, device="meta"), RuntimeError),
                         (lambda: torch.TypedStorage(3, dtype="float32"), RuntimeError),
                         (lambda: torch.TypedStorage(wrap_storage=make(8)), RuntimeError)):
        with pytest.raises(error):
            wrong()
    assert make(size=4).nbytes() == 4 and make(sequence=[1, 2]).tolist() == [1, 2] and make(torch.tensor(3)).nbytes() == 3
    assert make([300, -1, True]).tolist() == [44, 255, 1] and untyped.tolist() == [0, 0, 128, 63] * 3


def test_a_buffer_is_looked_at_from_any_byte_on():
    data = bytearray(range(18))
    for dtype in (torch.int16, torch.int32, torch.float64):
        size = dtype.itemsize
        for offset in (0, 1, 2, 3):
            x = torch.frombuffer(data, dtype=dtype, offset=offset, count=2 if size < 8 else 1)
            assert x.storage_offset() == 0 and x.view(torch.uint8).tolist() == list(data[offset : offset + x.numel() * size])
            assert (x + x).tolist() == [2 * value for value in x.tolist()]
    torch.frombuffer(data, dtype=torch.int16, offset=1, count=1).fill_(-1)
    assert data[:4] == bytes([0, 255, 255, 3])
    for offset, count in ((18, -1), (17, 1), (-1, 1), (1, -1), (0, 0), (3, 8)):
        with pytest.raises(ValueError):
            torch.frombuffer(data, dtype=torch.int16, offset=offset, count=count)
