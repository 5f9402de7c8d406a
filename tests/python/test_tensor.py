"""What a tensor is made of, and the objects around it."""

import copy
import pickle
import weakref

import numpy as np
import pytest

import tenon


def test_attributes_tell_sizes_strides_and_offset():
    x = tenon.arange(24).reshape(2, 3, 4)
    y = x[1:, :, ::2]
    assert (y.shape, y.stride(), y.storage_offset()) == ((1, 3, 2), (12, 4, 2), 12)
    assert (y.ndim, y.dim(), y.numel(), y.element_size(), y.itemsize, y.nbytes) == (3, 3, 6, 8, 8, 48)
    assert (y.size(), y.size(-1), y.stride(1)) == ((1, 3, 2), 2, 4)
    assert y.data_ptr() == x.data_ptr() + 12 * 8
    assert not y.is_contiguous() and x.is_contiguous()
    assert x.untyped_storage().nbytes() == x.untyped_storage().size() == len(x.untyped_storage()) == 192


def test_a_view_knows_its_base_and_shares_its_storage():
    x = tenon.zeros(6)
    y = x.view(2, 3)
    z = y.T
    assert y._base is x and z._base is x and x._base is None
    assert y._is_view() and not x._is_view() and not y.clone()._is_view()
    assert x.untyped_storage() is z.untyped_storage()
    assert x.detach()._base is None and x.detach().data_ptr() == x.data_ptr()
    z[2, 1] = 5
    assert x.tolist() == [0, 0, 0, 0, 0, 5]


def test_what_changes_nothing_gives_the_tensor_itself():
    x = tenon.zeros(3)
    assert x.contiguous() is x and x.float() is x and x.to("cpu") is x and x.to(tenon.float32) is x
    assert x.to(tenon.float32, copy=True) is not x
    assert x.add_(1) is x
    x += 1
    assert x.tolist() == [2, 2, 2]


def test_size_is_a_tuple_with_a_text_of_its_own():
    size = tenon.zeros(2, 3).shape
    assert isinstance(size, tuple) and size == (2, 3) and size.numel() == 6
    assert repr(size) == "torch.Size([2, 3])" and repr(size + (1,)) == "torch.Size([2, 3, 1])"
    assert repr(size[1:]) == "torch.Size([3])" and size[-1] == 3 and hash(size) == hash((2, 3))
    assert pickle.loads(pickle.dumps(size)) == size
    assert repr(tenon.Size([np.int64(3), True])) == "torch.Size([3, 1])" and type(tenon.Size([np.int64(3)])[0]) is int
    with pytest.raises(TypeError, match="item 1 is 1.5"):
        tenon.Size([1, 1.5])


def test_sizes_add_up_to_sizes_on_either_side():
    shape = tenon.zeros(2, 3).shape
    for sum in (shape + (4,), (4,) + shape, shape + shape, shape * 2, 2 * shape, shape[:1]):
        assert type(sum) is tenon.Size
    assert (4,) + shape == (4, 2, 3)
    for wrong in (lambda: shape + [1], lambda: [1] + shape, lambda: shape + 1, lambda: 1 + shape):
        with pytest.raises(TypeError):
            wrong()


def test_a_tensor_reversed_is_a_view():
    x = tenon.tensor([[0, 1], [2, 3]])
    assert reversed(x).tolist() == [[2, 3], [0, 1]] and reversed(x)._base is x
    assert reversed(tenon.tensor(1)).item() == 1


def test_an_element_may_change_the_list_it_is_in():
    class Odd:
        dtype, ndim = "odd", 0

        def item(self):
            items.clear()
            return 5

    items = [Odd(), Odd(), Odd()]
    with pytest.raises((IndexError, TypeError, ValueError)):
        tenon.tensor(items)
    items = [Odd(), Odd()]
    with pytest.raises((IndexError, TypeError, ValueError)):
        tenon.tensor(items, dtype=tenon.float32)


def test_what_is_in_a_list_may_clear_it_while_it_is_measured():
    class Odd:
        def __len__(self):
            items.clear()
            return 2

        def __getitem__(self, i):
            return [1.0, 2.0][i]

    for dtype in None, tenon.float32:
        items = [[1.0, 2.0], Odd(), [1.0, 2.0]]
        with pytest.raises((IndexError, TypeError, ValueError)):
            tenon.tensor(items, dtype=dtype)

    class Complex(Odd):
        dtype, ndim = "odd", 0

        def item(self):
            items.clear()
            return 1 + 2j

        def __repr__(self):
            return "an odd one"

    items = [1.0, Complex()]
    with pytest.raises(TypeError, match="an odd one"):
        tenon.tensor(items, dtype=tenon.float32)


def test_dtypes_are_single_objects():
    assert repr(tenon.float32) == "torch.float32" and tenon.float is tenon.float32 and tenon.long is tenon.int64
    assert pickle.loads(pickle.dumps(tenon.bfloat16)) is tenon.bfloat16 is copy.deepcopy(tenon.bfloat16)
    assert tenon.float16.itemsize == 2 and tenon.float16.is_floating_point and tenon.complex64.is_complex
    assert tenon.complex128.to_real() is tenon.float64 and tenon.float32.to_complex() is tenon.complex64
    assert not tenon.uint8.is_signed
    with pytest.raises(TypeError):
        tenon.dtype()
    assert tenon.zeros(1, dtype=float).dtype is tenon.float64 and tenon.zeros(1, dtype=int).dtype is tenon.int64


def test_devices_compare_by_value():
    assert tenon.device(device="cpu") == tenon.device("cpu")
    assert tenon.device("cpu") == tenon.device(tenon.device("cpu")) != tenon.device("cpu", 0)
    assert repr(tenon.device("cpu:1")) == "device(type='cpu', index=1)" and str(tenon.device("cpu")) == "cpu"
    assert tenon.zeros(1).device == tenon.device("cpu") and hash(tenon.device("cpu")) == hash(tenon.device("cpu"))
    with pytest.raises(RuntimeError):
        tenon.device("nowhere")


def test_a_text_ends_where_it_ends():
    x = tenon.ones(2)
    for wrong in (lambda: tenon.device("cpu\0a"), lambda: x.to("cpu\0a"), lambda: tenon.zeros(1, device="cpu\0a"),
                  lambda: tenon.nn.functional.pad(x, (1, 1), mode="reflect\0a")):
        with pytest.raises(ValueError, match="null character"):
            wrong()
    with pytest.raises(TypeError):
        tenon.sum(x, **{"dim\0a": 0})
    with pytest.raises(UnicodeEncodeError):
        x.to("\ud800")


def test_a_message_that_was_cut_off_within_a_character_is_told():
    for length in range(600, 604):
        with pytest.raises(RuntimeError, match="does not name a device"):
            tenon.device("a" * (length % 2) + "é" * length)


def test_finfo_and_iinfo_are_as_torch_prints_them():
    assert repr(tenon.iinfo(tenon.int8)) == "iinfo(min=-128, max=127, dtype=int8)"
    assert repr(tenon.finfo(tenon.float32)) == (
        "finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, smallest_normal=1.17549e-38, "
        "tiny=1.17549e-38, dtype=float32)")
    with pytest.raises(TypeError):
        tenon.finfo(tenon.int32)


def test_text_is_torchs():
    assert repr(tenon.tensor([1., 2.5])) == "tensor([1.0000, 2.5000])"
    assert repr(tenon.tensor([1, 2], dtype=tenon.int8)) == "tensor([1, 2], dtype=torch.int8)"
    assert str(tenon.tensor(True)) == "tensor(True)" and f"{tenon.tensor(1.25):.1f}" == "1.2"
    assert f"{tenon.tensor([1])}" == "tensor([1])"
    with pytest.raises(TypeError):
        format(tenon.tensor([1, 2]), ".2f")
    tenon.set_printoptions(precision=2)
    assert repr(tenon.tensor([1.23456])) == "tensor([1.23])"


def test_numbers_come_out_as_python_has_them():
    assert [type(tenon.tensor(v).item()) for v in (True, 1, 1.5, 1j)] == [bool, int, float, complex]
    assert int(tenon.tensor(2.9)) == 2 and float(tenon.tensor([[3]])) == 3.0 and complex(tenon.tensor(1j)) == 1j
    assert [10, 20, 30][tenon.tensor(1)] == 20 and bool(tenon.tensor([2]))
    with pytest.raises(RuntimeError):
        bool(tenon.tensor([1, 2]))
    with pytest.raises(RuntimeError):
        bool(tenon.zeros(0))
    with pytest.raises(TypeError):
        [1][tenon.tensor(0.0)]
    with pytest.raises(RuntimeError):
        tenon.zeros(2).item()


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16",
                                   "bfloat16", "float32", "float64", "complex64", "complex128", "float8_e5m2"])
def test_tolist_gives_back_what_went_in(dtype):
    data = [[0, 1, 1], [1, 0, 1]]
    x = tenon.tensor(data, dtype=getattr(tenon, dtype))
    assert x.tolist() == data and x.T.tolist() == [[0, 1], [1, 0], [1, 1]] and x[:, ::2].tolist() == [[0, 1], [1, 1]]
    assert tenon.zeros(2, 0, 3).tolist() == [[], []]


def test_sequences_protocols():
    x = tenon.arange(6).reshape(3, 2)
    assert len(x) == 3 and [row.tolist() for row in x] == [[0, 1], [2, 3], [4, 5]]
    assert 5 in x and 7 not in x and tenon.tensor(3) in x
    assert x in [x] and hash(x) == hash(x) and {x: 1}[x] == 1
    for wrong in (len, iter):
        with pytest.raises(TypeError):
            wrong(tenon.tensor(1))
    with pytest.raises(RuntimeError):
        "a" in x


def test_copies_and_pickles_keep_what_is_shared():
    x = tenon.arange(6.)
    y = x[2:4]
    a, b = copy.deepcopy([x, y])
    b[0] = 50
    assert a.tolist() == [0, 1, 50, 3, 4, 5] and x[2] == 2 and b.storage_offset() == 2
    a, b = pickle.loads(pickle.dumps([x, y]))
    b[0] = 60
    assert a[2] == 60 and a.untyped_storage() is b.untyped_storage()
    memo = {}
    x.__deepcopy__(memo)
    assert x.__deepcopy__({key: 5 for key in memo if isinstance(key, tuple)}).tolist() == x.tolist()  # not what it was
    shallow = copy.copy(x)
    assert shallow is not x and shallow.data_ptr() == x.data_ptr()
    assert pickle.loads(pickle.dumps(x.to(tenon.bfloat16))).dtype is tenon.bfloat16


def test_tensors_can_be_subclassed_and_weakly_referenced():
    class Named(tenon.Tensor):
        pass

    x = Named([1, 2])
    x.name = "x"
    assert isinstance(x, tenon.Tensor) and (x + 1).tolist() == [2, 3] and type(x + 1) is tenon.Tensor
    seen = weakref.ref(x)
    del x
    assert seen() is None


def test_the_old_constructor():
    assert tenon.Tensor(2, 3).shape == (2, 3) and tenon.Tensor([1, 2]).dtype is tenon.float32 and tenon.Tensor().numel() == 0
    with pytest.raises(TypeError):
        tenon.Tensor(2, "a")


def test_to_takes_what_torchs_takes():
    x = tenon.tensor([1, 2])
    assert x.to(tenon.float64).dtype is x.to("cpu", tenon.float64).dtype is x.to(dtype=tenon.float64, device="cpu").dtype
    assert x.to(tenon.zeros(1)).dtype is tenon.float32 and x.type_as(tenon.zeros(1)).dtype is tenon.float32
    assert x.type() == "torch.LongTensor" and x.type(tenon.int8).dtype is tenon.int8
    assert x.type("torch.HalfTensor").dtype is tenon.float16
    assert [getattr(x, n)().dtype.itemsize for n in ("double", "half", "int", "short", "char", "byte", "bool")] == [8, 2, 4, 2, 1, 1, 1]
    y = tenon.zeros(1, 2, 3, 4)
    assert y.double(memory_format=tenon.channels_last).is_contiguous(memory_format=tenon.channels_last)
    for wrong in (lambda: x.float("a"), lambda: x.float(memory_format=3), lambda: x.float(dtype=3), lambda: x.size(dum=0)):
        with pytest.raises(TypeError):
            wrong()
    assert x.size(dim=0) == 2
    with pytest.raises(TypeError):
        x.to("cpu", 3.5)
    with pytest.raises(RuntimeError):
        x.to("cuda")


def test_parts_of_complex_tensors_can_be_assigned():
    x = tenon.zeros(2, dtype=tenon.complex64)
    x.real = 1
    x.imag = tenon.tensor([2., 3.])
    assert x.tolist() == [1 + 2j, 1 + 3j]



class Named(tenon.Tensor):
    def __new__(cls, data, name):
        self = super().__new__(cls, data)
        self.name = name
        return self


class Slim(tenon.Tensor):
    __slots__ = ("name",)


class Stated(tenon.Tensor):
    def __getstate__(self):
        return [self.name]

    def __setstate__(self, state):
        self.name = state[0] + "!"


def test_copies_of_subclasses_stay_of_them_with_their_attributes():
    x = Named([1.0, 2.0], "weights")
    x.parts = [x, tenon.ones(1)]
    for make in (copy.copy, copy.deepcopy, lambda t: pickle.loads(pickle.dumps(t))):
        y = make(x)
        assert type(y) is Named and y.name == "weights" and y.tolist() == [1, 2] and y is not x
        assert (y.data_ptr() == x.data_ptr()) == (make is copy.copy) and (y.parts[0] is y) == (make is not copy.copy)
        slim = Slim([3.0])
        assert type(make(slim)) is Slim and not hasattr(make(slim), "name")
        slim.name = "slot"
        assert make(slim).tolist() == [3] and make(slim).name == "slot"
        stated = Stated([3.0])
        stated.name = "state"
        assert make(stated).name == "state!"
    both = pickle.loads(pickle.dumps([x, x]))
    assert both[0] is both[1]
    with pytest.raises(TypeError):
        tenon._core._rebuild_as(int, tenon.ones(1))
    with pytest.raises(TypeError):
        tenon._core._rebuild_as(Named, 5)


def test_functions_results_and_generators_can_be_pickled():
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        def again(thing):
            return pickle.loads(pickle.dumps(thing, protocol))

        assert again(tenon.add) is tenon.add and again(tenon.Tensor.add) is tenon.Tensor.add
        found = again(tenon.max(tenon.tensor([[1, 3], [5, 4]]), 0))
        assert repr(found) == repr(tenon.max(tenon.tensor([[1, 3], [5, 4]]), 0)) and found.indices.tolist() == [1, 1]
        for engine in "mt19937", "philox":
            first = tenon.Generator(engine=engine).manual_seed(3)
            tenon.randn(3, generator=first, dtype=tenon.float64)
            second = again(first)
            assert second.engine == engine and second.initial_seed() == 3
            assert tenon.randn(3, generator=first).tolist() == tenon.randn(3, generator=second).tolist()
    assert copy.deepcopy(first) is not first and type(copy.copy(found)) is type(found)
    for wrong in ((("max", "values"), [1]), (("max", "a", "b"), [1]), (("max", 1, 2), [1, 2])):
        with pytest.raises(TypeError):
            tenon._core._rebuild_results(*wrong)
    with pytest.raises(AttributeError):
        tenon._core._rebuild_operator("nothing")


def test_tolist_of_strides_that_no_index_uses():
    x = tenon.arange(3.)
    for stride in (2**62, 2**63 - 1, -2**63):
        assert x.as_strided((1, 3), (stride, 1)).tolist() == [[0, 1, 2]]
        assert x.as_strided((2, 0, 3), (stride, 1, stride)).tolist() == [[], []]
    assert tenon.empty(2, 3, 0).tolist() == [[[], [], []], [[], [], []]]
