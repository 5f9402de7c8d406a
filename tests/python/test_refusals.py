"""What the extension says to arguments that are wrong, and the small functions that nothing else asks: attributes, generators,
settings, devices, storages, buffers."""

import copy
import ctypes
import operator
import pickle
import re

import numpy as np
import pytest
import tenon

core = tenon._core


class Broken:
    """Asked for anything it raises KeyError, which nobody may hide."""

    def __bool__(self):
        raise KeyError("broken")

    def __index__(self):
        raise KeyError("broken")

    def __float__(self):
        raise KeyError("broken")

    def __repr__(self):
        return "broken"


def x():
    return tenon.arange(6.).reshape(2, 3)


def c():
    return tenon.tensor([1 + 2j, 3 - 1j])


def locked():
    return tenon.frombuffer(b"12345678", dtype=tenon.float32)


def meta():
    return tenon.empty(2, 3, device="meta")


def deep(levels):
    made = 1.0
    for _ in range(levels):
        made = [made]
    return made


def sub():
    made = tenon.tensor([1.0, 2.0]).as_subclass(Sub)
    made.note = "kept"
    return made


MANY = list(range(70))

# What is called, the exception, and a part of what it says.
REFUSED = [
    # attributes
    (lambda: tenon.ones(3).H, RuntimeError, "H"),
    (lambda: delattr(c(), "real"), AttributeError, "cannot be deleted"),
    (lambda: setattr(x(), "imag", 1.0), RuntimeError, "imag"),
    (lambda: setattr(x(), "data", 3), TypeError, "data must be a tensor"),
    (lambda: delattr(x(), "data"), RuntimeError, "data must be a tensor"),
    (lambda: setattr(x().requires_grad_(), "data", tenon.ones(2, dtype=tenon.int8)), tenon.DTypeError, "int8"),
    (lambda: setattr(x(), "requires_grad", 1), RuntimeError, "True or False"),
    (lambda: setattr(x(), "requires_grad", Broken()), RuntimeError, "True or False"),
    (lambda: delattr(x(), "requires_grad"), RuntimeError, "deleted"),
    (lambda: setattr(x(), "grad", 1), TypeError, "a tensor or None"),
    (lambda: setattr(x(), "shape", (3, 2)), AttributeError, ""),
    # generators
    (lambda: tenon.Generator(1, 2, 3), TypeError, ""),
    (lambda: tenon.Generator("meta"), RuntimeError, "there are the generators"),
    (lambda: tenon.Generator("nowhere"), RuntimeError, "nowhere"),
    (lambda: tenon.Generator(Broken()), RuntimeError, "there are the generators"),
    (lambda: tenon.Generator(engine="dice"), RuntimeError, "'dice'"),
    (lambda: tenon.Generator().manual_seed("a"), TypeError, "integer"),
    (lambda: tenon.Generator().manual_seed(2**65), OverflowError, ""),
    (lambda: tenon.Generator().manual_seed(-2**65), OverflowError, ""),
    (lambda: tenon.Generator().manual_seed(Broken()), KeyError, "broken"),
    (lambda: tenon.Generator().split("a"), TypeError, "integer"),
    (lambda: tenon.Generator().set_state(b"bytes"), TypeError, "tensor of bytes"),
    (lambda: tenon.Generator().set_state(tenon.zeros(3, dtype=tenon.uint8)), RuntimeError, "state"),
    (lambda: core._rebuild_generator("mt19937"), TypeError, ""),
    (lambda: core._rebuild_generator("philox", 3), TypeError, "tensor of bytes"),
    (lambda: core.set_default_generator(3), TypeError, "wants a Generator"),
    (lambda: core.manual_seed(), TypeError, ""),
    (lambda: core.manual_seed("a"), TypeError, "integer"),
    (lambda: core.set_rng_state(3), TypeError, "tensor of bytes"),
    (lambda: tenon.rand(2, generator=3), TypeError, "generator"),
    # settings
    (lambda: core.set_default_dtype(3), TypeError, "set_default_dtype wants a dtype"),
    (lambda: core.set_default_dtype(tenon.int8), tenon.DTypeError, "int8"),
    (lambda: core.set_printoptions(precision="a"), TypeError, "wants an integer"),
    (lambda: core.set_printoptions(precision=1.5), TypeError, "wants an integer"),
    (lambda: core.set_printoptions(precision=Broken()), TypeError, ""),
    (lambda: core.set_printoptions(precision=2**40), tenon.ArgumentError, "digits"),
    (lambda: core.set_printoptions(threshold="a"), TypeError, "wants an integer"),
    (lambda: core.set_printoptions(edgeitems="a"), TypeError, "wants an integer"),
    (lambda: core.set_printoptions(linewidth="a"), TypeError, "wants an integer"),
    (lambda: core.set_printoptions(profile="loud"), ValueError, "'loud'"),
    (lambda: core.set_printoptions(profile=3), ValueError, "profile"),
    (lambda: core.set_printoptions(nobody=3), TypeError, "nobody"),
    (lambda: core.result_type(), TypeError, "at least one"),
    (lambda: core.result_type(x(), "a"), TypeError, "result_type takes"),
    (lambda: core.result_type("a", x()), TypeError, "result_type takes"),
    (lambda: core.result_type(x(), 1, "a"), TypeError, "result_type takes"),
    (lambda: core.promote_types(tenon.int8), TypeError, "two dtypes"),
    (lambda: core.promote_types(3, tenon.int8), TypeError, "two dtypes"),
    (lambda: core.promote_types(tenon.int8, 3), TypeError, "two dtypes"),
    (lambda: core.can_cast(tenon.int8), TypeError, ""),
    (lambda: core.can_cast(3, tenon.int8), TypeError, "two dtypes"),
    (lambda: core.can_cast(tenon.int8, 3), TypeError, "two dtypes"),
    (lambda: core._finfo(3), TypeError, "floating dtype"),
    (lambda: core._finfo(tenon.int8), tenon.DTypeError, "int8"),
    (lambda: core._iinfo(3), TypeError, "integer dtype"),
    (lambda: core._iinfo(tenon.float32), tenon.DTypeError, "float32"),
    (lambda: core.numel(3), TypeError, "numel wants a tensor"),
    (lambda: core.is_floating_point(3), TypeError, "wants a tensor"),
    (lambda: core.is_complex(3), TypeError, "wants a tensor"),
    (lambda: core.is_nonzero(3), TypeError, "wants a tensor"),
    (lambda: core.is_nonzero(x()), RuntimeError, ""),
    (lambda: core.is_same_size(3, x()), TypeError, "wants a tensor"),
    (lambda: core.is_same_size(x(), 3), TypeError, "wants a tensor"),
    (lambda: core.is_same_size(x()), TypeError, ""),
    (lambda: core.broadcast_shapes("a"), TypeError, "takes shapes"),
    (lambda: core.broadcast_shapes((Broken(),)), KeyError, ""),
    (lambda: core.broadcast_shapes((-1,)), RuntimeError, "-1"),
    (lambda: core.set_num_threads("a"), TypeError, "wants an integer"),
    (lambda: core.set_num_threads(2**70), tenon.IntegerOverflowError, ""),
    (lambda: core.explain_view(x()), TypeError, ""),
    (lambda: core.explain_view(3, (2,)), TypeError, "wants a tensor"),
    (lambda: core.explain_view(x(), "a"), TypeError, "wants a shape"),
    (lambda: core.explain_view(x(), MANY), ValueError, "70"),
    (lambda: core._einsum_explain(3, [x()]), TypeError, ""),
    (lambda: core._einsum_explain("ij", 3), TypeError, "wants tensors"),
    (lambda: core._einsum_explain("ij->k", [x()]), RuntimeError, "k"),
    # devices and dtypes
    (lambda: tenon.device(), TypeError, ""),
    (lambda: tenon.device(3), RuntimeError, "does not name a device"),
    (lambda: tenon.device(b"cpu"), TypeError, "expects a text"),
    (lambda: tenon.device("cpu", "a"), TypeError, ""),
    (lambda: tenon.device("cpu", -1), RuntimeError, "not a device"),
    (lambda: tenon.device("cpu", 2**40), RuntimeError, "not a device"),
    (lambda: tenon.device("cuda:1", 1), RuntimeError, "not a device"),
    (lambda: tenon.device("cpu", 2**80), OverflowError, ""),
    (lambda: tenon.device("\ud800"), UnicodeEncodeError, ""),
    (lambda: tenon.device("cpu") < tenon.device("cpu"), TypeError, "<"),
    (lambda: tenon.int8.to_complex(), RuntimeError, "no complex dtype"),
    (lambda: tenon.zeros(2, dtype=3), TypeError, "dtype"),
    (lambda: tenon.zeros(2, device=3.5), tenon.DeviceError, ""),
    # methods
    (lambda: x().size(1, 2), TypeError, "at most one argument"),
    (lambda: x().size("a"), TypeError, ""),
    (lambda: x().size(7), IndexError, "7"),
    (lambda: x().size(dims=1), TypeError, ""),
    (lambda: x().is_same_size(), TypeError, ""),
    (lambda: x().is_same_size(3), TypeError, ""),
    (lambda: x().is_contiguous(memory_format=3), TypeError, "must be a memory_format"),
    (lambda: x().is_contiguous(nobody=3), TypeError, "nobody"),
    (lambda: x().is_set_to(3), TypeError, "compares with a tensor"),
    (lambda: x().to(True, True, True), TypeError, ""),
    (lambda: x().to("a"), tenon.DeviceError, ""),
    (lambda: x().to(other=3), TypeError, "not 3"),
    (lambda: x().to(memory_format=3), TypeError, "memory_format"),
    (lambda: x().to(copy=Broken()), KeyError, "broken"),
    (lambda: x().to(nobody=1), TypeError, "not 1"),
    (lambda: x().cpu(memory_format=3), TypeError, "must be a memory_format"),
    (lambda: x().cpu(nobody=3), TypeError, "nobody"),
    (lambda: meta().cpu(), NotImplementedError, ""),
    (lambda: x().to_device(), TypeError, ""),
    (lambda: x().type("torch.StrangeTensor"), TypeError, "type() takes a dtype"),
    (lambda: x().type(3), TypeError, "type() takes a dtype"),
    (lambda: x().type(nobody=3), TypeError, "nobody"),
    (lambda: tenon.zeros(2, dtype=tenon.int64).requires_grad_(True), RuntimeError, "int64"),
    (lambda: x().requires_grad_(Broken()), KeyError, "broken"),
    (lambda: x().new_zeros((2,), dtype=3), TypeError, "dtype"),
    (lambda: x().as_subclass(3), TypeError, ""),
    (lambda: x().numpy(nobody=1), TypeError, "nobody"),
    (lambda: x().__array__(1, 2, 3), TypeError, ""),
    (lambda: x().__array__(np.dtype("int8"), copy=False), ValueError, "copy"),
    (lambda: x().__array_namespace__(api_version="1999.01"), ValueError, "1999.01"),
    (lambda: x().__array_namespace__(api_version=3), ValueError, "3"),
    (lambda: x().__array_namespace__(nobody=3), TypeError, "nobody"),
    (lambda: format(x()[0, 0], "nonsense"), ValueError, ""),
    (lambda: x().item(), RuntimeError, ""),
    (lambda: meta()[0, 0].item(), NotImplementedError, "meta"),
    (lambda: meta().tolist(), NotImplementedError, "meta"),
    (lambda: int(c()[0]), tenon.DTypeError, ""),
    # numbers
    (lambda: x() + "a", TypeError, "unsupported operand"),
    (lambda: operator.iadd(x(), "a"), TypeError, "unsupported operand"),
    (lambda: operator.iadd(x(), np.array(["a"])), TypeError, ""),
    (lambda: x() + np.array([1], dtype=">i4"), ValueError, "other order"),
    (lambda: x() == np.array([1], dtype=">i4"), ValueError, "other order"),
    (lambda: x() < "a", TypeError, "not supported"),
    (lambda: x() @ 3, TypeError, "unsupported operand"),
    (lambda: pow(x(), 2, 3), TypeError, "unsupported operand"),
    (lambda: operator.ipow(x(), "a"), TypeError, "unsupported operand"),
    (lambda: x() + 2**70, tenon.IntegerOverflowError, ""),
    (lambda: "a" in x(), RuntimeError, ""),
    (lambda: tenon.ones(2) in x(), RuntimeError, ""),
    (lambda: locked().add_(1), RuntimeError, "read-only"),
    (lambda: operator.iadd(locked(), 1), RuntimeError, "read-only"),
    # arguments
    (lambda: tenon.reshape(x(), MANY), ValueError, "70"),
    (lambda: x().reshape(*MANY), tenon.ShapeError, "70"),
    (lambda: x().reshape(2**70), tenon.IntegerOverflowError, ""),
    (lambda: x().unsqueeze(2**70), tenon.IntegerOverflowError, ""),
    (lambda: x().reshape([2**70]), tenon.IntegerOverflowError, ""),
    (lambda: x().sum(dim=[0, "a"]), TypeError, ""),
    (lambda: x().sum(keepdim="a"), TypeError, ""),
    (lambda: x().sum(dim=0, keepdim=2), TypeError, ""),
    (lambda: tenon.histogram(x(), 4, range=("a", 1.0)), TypeError, ""),
    (lambda: tenon.histogram(x(), 4, range=(2**5000, 1.0)), OverflowError, ""),
    (lambda: tenon.einsum(3, x()), TypeError, ""),
    (lambda: tenon.div(x(), x(), rounding_mode=3), TypeError, "rounding_mode"),
    (lambda: tenon.clone(x(), memory_format=3), TypeError, "memory_format"),
    (lambda: tenon.sort(x(), out=3), TypeError, "out"),
    (lambda: tenon.sort(x(), out=(x(), x(), x())), TypeError, "out"),
    (lambda: tenon.sort(x(), out=(x(), 3)), TypeError, "'indices' must be"),
    (lambda: tenon.sort(x(), out=[x(), 3]), TypeError, "'indices' must be"),
    (lambda: tenon.add(x(), x(), out=3), TypeError, "out"),
    (lambda: tenon.cat([x(), 3]), TypeError, "item 1"),
    (lambda: tenon.cat(3), TypeError, ""),
    (lambda: tenon.zeros(2, dtype=tenon.int64, requires_grad=True), RuntimeError, "int64"),
    (lambda: tenon.zeros(2, layout=3), TypeError, ""),
    (lambda: tenon.zeros(2, pin_memory=3), TypeError, ""),
    (lambda: tenon.full((2,), Broken()), TypeError, ""),
    (lambda: tenon.add(x(), 1, alpha="a"), TypeError, "alpha"),
    (lambda: tenon.add(x(), 1, alpha=2, alpha_=3), TypeError, "alpha_"),
    # indices
    (lambda: x()[tuple([[0]] * 70)], IndexError, "too many"),
    (lambda: x()[(None,) * 200], IndexError, "items"),
    (lambda: x()["a"], TypeError, "not by 'a'"),
    (lambda: x()[1.5], IndexError, "not by 1.5"),
    (lambda: x()[Broken()], KeyError, ""),
    (lambda: x()[meta()], tenon.DeviceError, ""),
    (lambda: x()[0:Broken()], KeyError, ""),
    (lambda: operator.setitem(x(), 0, "a"), TypeError, ""),
    (lambda: operator.setitem(x(), 0, Broken()), tenon.DTypeError, ""),
    (lambda: operator.delitem(x(), 0), TypeError, ""),
    # making tensors
    (lambda: tenon.tensor(deep(70)), ValueError, "nested more than"),
    (lambda: tenon.tensor([[1, 2], [3]]), ValueError, ""),
    (lambda: tenon.tensor([1 + 1j], dtype=tenon.float32), TypeError, ""),
    (lambda: tenon.tensor([1], dtype=3), TypeError, "dtype must be a dtype"),
    (lambda: tenon.tensor([1], nobody=3), TypeError, "nobody"),
    (lambda: tenon.tensor({1: 2}), tenon.DTypeError, ""),
    (lambda: tenon.as_tensor([1], dtype=3), TypeError, "dtype must be a dtype"),
    (lambda: tenon.as_tensor(), TypeError, ""),
    (lambda: tenon.asarray([1], dtype=3), TypeError, "dtype must be a dtype"),
    (lambda: tenon.asarray([1], copy=Broken()), KeyError, "broken"),
    (lambda: tenon.asarray(), TypeError, ""),
    (lambda: tenon.from_numpy(3), TypeError, "wants a NumPy array"),
    (lambda: tenon.from_numpy(x()), TypeError, "wants a NumPy array"),
    (lambda: tenon.from_numpy(np.array([1], dtype=">i4")), ValueError, "other order"),
    (lambda: tenon.from_numpy(np.array(["a"])), TypeError, "has no dtype here"),
    (lambda: tenon.frombuffer(b"12", nobody=3), TypeError, ""),
    (lambda: tenon.frombuffer(b"12"), TypeError, "dtype"),
    (lambda: tenon.frombuffer(b"12", dtype=3), TypeError, "dtype must be a dtype"),
    (lambda: tenon.frombuffer(3, dtype=tenon.int8), ValueError, "has no buffer"),
    (lambda: tenon.frombuffer(b"12", dtype=tenon.int8, offset=-1), ValueError, ""),
    (lambda: tenon.frombuffer(b"12", dtype=tenon.int8, offset=3), ValueError, ""),
    (lambda: tenon.frombuffer(b"12", dtype=tenon.int8, count=0), ValueError, ""),
    (lambda: tenon.frombuffer(b"12", dtype=tenon.int8, count=3), ValueError, ""),
    (lambda: tenon.frombuffer(b"123", dtype=tenon.int16), ValueError, ""),
    (lambda: core._new_as(), TypeError, "_new_as wants a dtype"),
    (lambda: core._new_as(3), TypeError, "_new_as wants a dtype"),
    (lambda: tenon.FloatTensor(1, 2, nobody=3), TypeError, ""),
    (lambda: tenon.FloatTensor("a"), tenon.DTypeError, ""),
    (lambda: tenon.FloatTensor(2, device="meta"), tenon.DeviceError, ""),
    # DLPack
    (lambda: x().__dlpack__(1, 2), TypeError, "takes keywords"),
    (lambda: x().__dlpack__(nobody=1), TypeError, "nobody"),
    (lambda: x().__dlpack__(dl_device=3), TypeError, "dl_device"),
    (lambda: x().__dlpack__(dl_device=("a", 0)), TypeError, ""),
    (lambda: x().__dlpack__(max_version=3), TypeError, "max_version"),
    (lambda: x().__dlpack__(max_version=("a", 0)), TypeError, ""),
    (lambda: x().__dlpack__(copy=Broken()), KeyError, "broken"),
    (lambda: meta().__dlpack__(), BufferError, "the CPU's memory"),
    (lambda: tenon.from_dlpack(), TypeError, ""),
    (lambda: tenon.from_dlpack(3), AttributeError, ""),
    (lambda: tenon.from_dlpack(x(), device="meta"), ValueError, "not a device"),
    (lambda: tenon.from_dlpack(x(), device=3.5), ValueError, ""),
    (lambda: tenon.from_dlpack(x(), copy=Broken()), KeyError, "broken"),
    # copies and pickle
    (lambda: x().__deepcopy__(3), TypeError, "takes a dictionary"),
    (lambda: core._rebuild_as(3), TypeError, ""),
    (lambda: core._rebuild_as(3, x()), TypeError, ""),
    (lambda: core._rebuild_as(int, x()), TypeError, ""),
    (lambda: core._rebuild_as(tenon.Tensor, x()), TypeError, ""),
    (lambda: core._rebuild_as(Sub, 3), TypeError, ""),
    (lambda: core._rebuild_tensor(3), TypeError, ""),
    (lambda: core._rebuild_tensor(3, 0, (2,), (1,), tenon.int8), TypeError, "not what a tensor was pickled as"),
    (lambda: core._rebuild_tensor(x().untyped_storage(), 0, (2,), (1,), 3), TypeError, "not what a tensor was pickled as"),
    (lambda: core._rebuild_tensor(x().untyped_storage(), 0, "a", (1,), tenon.int8), TypeError, "not what a tensor was pickled as"),
    (lambda: core._rebuild_tensor(x().untyped_storage(), 0, (2,), "a", tenon.int8), TypeError, "not what a tensor was pickled as"),
    (lambda: core._rebuild_results(3, []), TypeError, ""),
    (lambda: core._rebuild_results(("sort", "values", "indices"), [1]), TypeError, ""),
    (lambda: core._rebuild_operator(3), TypeError, ""),
    (lambda: core._rebuild_operator("nobody"), AttributeError, "nobody"),
    (lambda: core._rebuild_storage("cpu"), TypeError, ""),
    # storages
    (lambda: tenon.UntypedStorage(nobody=3), TypeError, "nobody"),
    (lambda: tenon.UntypedStorage("a"), tenon.ArgumentError, ""),
    (lambda: tenon.UntypedStorage(4, device="nowhere"), RuntimeError, "nowhere"),
    (lambda: tenon.UntypedStorage([1, "a"]), tenon.ArgumentError, "made of integers"),
    (lambda: x().untyped_storage()[100], IndexError, ""),
    (lambda: x().untyped_storage()["a"], TypeError, ""),
    (lambda: x().untyped_storage()[0:Broken()], KeyError, ""),
    (lambda: operator.setitem(x().untyped_storage(), 0, "a"), tenon.ArgumentError, "made of integers"),
    (lambda: meta().untyped_storage()[0], tenon.DeviceError, "meta"),
    (lambda: meta().untyped_storage().tolist(), tenon.DeviceError, "meta"),
    (lambda: operator.setitem(locked().untyped_storage(), 0, 1), RuntimeError, "read-only"),
    (lambda: locked().untyped_storage().fill_(1), RuntimeError, "read-only"),
    # sizes
    (lambda: tenon.Size(3), TypeError, ""),
    (lambda: tenon.Size([1, "a"]), TypeError, ""),
    (lambda: tenon.Size([1], nobody=3), TypeError, "at most 1 argument"),
    # the library
    (lambda: core._library_operator(3), TypeError, ""),
    (lambda: core._library_operator("no::such"), RuntimeError, "no::such"),
    (lambda: core._library_define(3), TypeError, ""),
    (lambda: core._library_undefine(3), TypeError, ""),
    (lambda: core._library_undefine("no::such"), tenon.ArgumentError, "no::such"),
    (lambda: core._library_kernel(3), TypeError, ""),
    (lambda: core._library_kernel("no::such", 0, 3), TypeError, ""),
    (lambda: core._library_unkernel(3), TypeError, ""),
    (lambda: core._library_unkernel("no::such", 0), tenon.ArgumentError, "no::such"),
]


class Sub(tenon.Tensor):
    pass


@pytest.mark.parametrize("number", range(len(REFUSED)))
def test_it_is_refused_with_a_reason(number):
    call, error, part = REFUSED[number]
    with pytest.raises(error, match=re.escape(part)) as caught:
        call()
    assert not isinstance(caught.value, SystemError) and str(caught.value)


# ---- what is right, of what nothing else asks


@pytest.fixture
def options():
    before = core.get_printoptions()
    yield
    core.set_printoptions(**before)


def test_attributes_that_are_always_the_same():
    a = x()
    assert a.is_leaf is True and a.grad is None and a.grad_fn is None and a.requires_grad is False and a.layout is tenon.strided
    assert not (a.is_cuda or a.is_sparse or a.is_quantized or a.is_nested or a.is_meta) and a.is_cpu
    a.requires_grad = False
    assert a.requires_grad is False


def test_data_is_the_same_memory_and_can_be_replaced():
    a = x()
    b = a.data
    b[0, 0] = 9
    assert a[0, 0] == 9 and b._base is None
    a.data = tenon.ones(4)
    assert a.tolist() == [1, 1, 1, 1] and b.shape == (2, 3) and b[0, 0] == 9


def test_parts_of_complex_numbers_are_written_through():
    z = c()
    z.real = 5.0
    z.imag = tenon.tensor([7.0, 8.0])
    assert z.tolist() == [5 + 7j, 5 + 8j]


def test_generators_go_on_from_a_state_and_split():
    g = tenon.Generator().manual_seed(3)
    state, first = g.get_state(), tenon.rand(4, generator=g).tolist()
    assert g.set_state(state) is g and tenon.rand(4, generator=g).tolist() == first
    g.set_state(state)
    twin = g.clone_state()
    assert tenon.rand(4, generator=twin).tolist() == first == tenon.rand(4, generator=g).tolist()
    assert g.device == tenon.device("cpu") and g.engine == "mt19937" and tenon.Generator(engine="philox").engine == "philox"
    one, two = g.split(1), g.split(2)
    assert tenon.rand(4, generator=one).tolist() != tenon.rand(4, generator=two).tolist()
    again = copy.deepcopy(g)
    assert tenon.rand(3, generator=again).tolist() == tenon.rand(3, generator=g).tolist()
    assert g.seed() == g.initial_seed() and g.manual_seed(-1).initial_seed() == 2**64 - 1
    assert g.manual_seed(2**63 + 5).initial_seed() == 2**63 + 5


def test_another_generator_can_be_the_default():
    before = core.get_default_generator()
    mine = tenon.Generator().manual_seed(11)
    expected = tenon.rand(3, generator=tenon.Generator().manual_seed(11)).tolist()
    core.set_default_generator(mine)
    try:
        assert tenon.rand(3).tolist() == expected
        assert core.seed() == core.initial_seed() == mine.initial_seed()
    finally:
        core.set_default_generator(None)
    assert core.get_default_generator().initial_seed() == before.initial_seed()


def test_print_options_are_told_as_they_were_set(options):
    core.set_printoptions(precision=2, threshold=5, edgeitems=1, linewidth=40, sci_mode=True)
    assert core.get_printoptions() == {"precision": 2, "threshold": 5, "edgeitems": 1, "linewidth": 40, "sci_mode": True}
    core.set_printoptions(profile="short", sci_mode=False)
    assert core.get_printoptions() == {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80, "sci_mode": False}
    core.set_printoptions(profile="full")
    assert core.get_printoptions()["threshold"] == 2**63 - 1 and core.get_printoptions()["sci_mode"] is None
    core.set_printoptions(profile="default", threshold=float("inf"))
    assert core.get_printoptions()["precision"] == 4 and core.get_printoptions()["threshold"] == 2**63 - 1
    core.set_printoptions(precision=0, threshold=0, edgeitems=0)
    assert [core.get_printoptions()[name] for name in ("precision", "threshold", "edgeitems")] == [0, 0, 0]
    core.set_printoptions(edgeitems=2**40, linewidth=2**40)
    assert core.get_printoptions()["linewidth"] == 2**31 - 1


def test_questions_about_tensors():
    assert core.is_tensor(x()) and not core.is_tensor(3) and core.numel(x()) == 6
    assert core.is_floating_point(x()) and not core.is_floating_point(c()) and core.is_complex(c()) and not core.is_complex(x())
    assert core.is_nonzero(tenon.tensor(2)) and not core.is_nonzero(tenon.tensor(0.0))
    assert x().is_floating_point() and c().is_complex() and x().is_signed() and not x().byte().is_signed()
    assert core.is_same_size(x(), x()) and not core.is_same_size(x(), c()) and x().is_same_size(other=x())
    a = x()
    assert a.is_set_to(a.data) and not a.is_set_to(a.T) and not a.is_set_to(x())
    assert not a.is_shared() and not a.is_pinned()
    assert a.get_device() == -1 and a.stride() == (3, 1) and a.storage_offset() == 0


def test_dtypes_of_results():
    f, i = tenon.float32, tenon.int64
    assert core.result_type(x(), 1) is f and core.result_type(1, x()) is f and core.result_type(1, 2.5) is f
    assert core.result_type(x(), 1, 1j) is tenon.complex64 and core.result_type(tenon.ones(2, dtype=tenon.bool), 2**63) is tenon.uint64
    assert core.result_type(tenon.ones(2, dtype=tenon.bool), 3) is i and core.result_type(c(), 1j) is tenon.complex64
    assert core.result_type(tenon.ones(2, dtype=i), True) is i and core.result_type(tenon.ones(2, dtype=i), 1j) is tenon.complex64
    assert core.result_type(tenon.tensor(2), tenon.ones(2, dtype=tenon.int8)) is tenon.int8 and core.result_type(f) is f
    assert core.promote_types(tenon.int8, f) is f and core.can_cast(tenon.int8, f) and not core.can_cast(f, tenon.int8)


def test_threads_and_caches_are_told():
    before = core.get_num_threads()
    core.set_num_threads(1)
    try:
        assert core.get_num_threads() == 1
    finally:
        core.set_num_threads(before)
    tenon.ones(3_000_000)
    cached = core.memory_stats()["cached"]
    assert core.empty_cache() > 0 and core.memory_stats()["cached"] < cached
    assert core.explain_view(x(), (3, 2))[0] is True and core.explain_view(x().T, (6,))[0] is False


def test_devices_compare_print_and_travel():
    a, b = tenon.device("cuda", 1), tenon.device("cuda:1")
    assert a == b and not a != b and a != tenon.device("cuda") and a != "cuda:1" and hash(a) == hash(b)
    assert a.index == 1 and tenon.device("cpu").index is None and a.type == "cuda" and tenon.device(device="cpu").type == "cpu"
    assert pickle.loads(pickle.dumps(a)) == a and copy.copy(a) == a and repr(a) == "device(type='cuda', index=1)"


def test_formats_and_layouts_print_and_travel():
    for one, text in ((tenon.channels_last, "torch.channels_last"), (tenon.strided, "torch.strided"), (tenon.preserve_format, "torch.preserve_format")):
        assert repr(one) == text and pickle.loads(pickle.dumps(one)) is one
    for dtype in (tenon.float32, tenon.int8, tenon.complex64):
        assert pickle.loads(pickle.dumps(dtype)) is dtype and copy.copy(dtype) is dtype and copy.deepcopy(dtype) is dtype
    assert tenon.float32.to_complex() is tenon.complex64 and tenon.complex64.to_real() is tenon.float32


def test_conversions_by_name_and_by_position():
    a = x()
    assert a.to(a) is a and a.to(tenon.float32) is a and a.to(other=c()).dtype is tenon.complex64
    assert a.to("cpu", tenon.int8, False, True).dtype is tenon.int8 and a.to(tenon.float32, True, True) is not a
    assert a.to(dtype=None) is a and a.to(device="cpu") is a and a.to(dtype=tenon.float32, copy=True) is not a and a.to(non_blocking=True) is a
    four = tenon.ones(2, 3, 4, 5)
    assert four.to(memory_format=tenon.channels_last).stride() == (60, 1, 15, 3)
    assert four.cpu(memory_format=tenon.channels_last).stride() == (60, 1, 15, 3) and four.cpu() is four
    assert a.cfloat().dtype is tenon.complex64 and a.cdouble().dtype is tenon.complex128
    assert a.type() == "torch.FloatTensor" and a.type("torch.LongTensor").dtype is tenon.int64 and a.type("LongTensor").dtype is tenon.int64
    assert a.type(tenon.LongTensor).dtype is tenon.int64 and a.type(float).dtype is tenon.float64 and a.type(bool).dtype is tenon.bool
    assert a.to(complex).dtype is tenon.complex128 and a.to_device("cpu").tolist() == a.tolist()
    assert a.new_zeros((2,), dtype=tenon.int8).dtype is tenon.int8 and a.new_ones(2, device="cpu").dtype is tenon.float32


def test_operators_with_arrays_of_others():
    a, b = x(), np.ones((2, 3), dtype="float32")
    assert isinstance(a + b, tenon.Tensor) and (a + b).tolist() == (a + 1).tolist() and (a == b).sum() == 1
    assert isinstance(a < memoryview(b), tenon.Tensor) and (a != memoryview(b)).sum() == 5
    a += memoryview(b)
    assert a.tolist() == (x() + 1).tolist()
    assert (a == None) is False and (a != None) is True  # noqa: E711
    assert (a == "a") is False and a.__pow__(2, 3) is NotImplemented and a.__rpow__(2, 3) is NotImplemented
    a[0] = b[0]
    assert a[0].tolist() == [1, 1, 1] and a[np.int64(1)].tolist() == (x() + 1)[1].tolist()
    large = tenon.ones(300_000)
    assert (-large).sum() == -300_000 and abs(-large).sum() == 300_000 and (~(large > 2)).all()


def test_long_texts_and_lists():
    a = tenon.arange(900.).reshape(30, 30) / 7
    assert len(repr(a)) > 1000 and repr(a).startswith("tensor([[")
    z = tenon.tensor([[True, False]])
    assert z.tolist() == [[True, False]] and z.byte().tolist() == [[1, 0]] and z.half().tolist() == [[1.0, 0.0]]
    assert tenon.tensor(2.5, dtype=tenon.float64).tolist() == 2.5 and tenon.empty(0, 3).tolist() == [] and tenon.empty(2, 0).tolist() == [[], []]


def test_subclasses_keep_what_they_carry():
    a = sub()
    for twin in (copy.copy(a), copy.deepcopy(a), pickle.loads(pickle.dumps(a))):
        assert type(twin) is Sub and twin.note == "kept" and twin.tolist() == [1.0, 2.0]
    plain = tenon.ones(2).as_subclass(Sub)
    assert type(copy.copy(plain)) is Sub and type(copy.deepcopy(plain)) is Sub
    memo = {}
    first = copy.deepcopy(a, memo)
    assert copy.deepcopy(a, memo) is first and a.__deepcopy__(memo) is first


class Slotted(Sub):
    __slots__ = ("mark",)


class Stateful(tenon.Tensor):
    def __getstate__(self):
        return {"a": 1}

    def __setstate__(self, state):
        self.told = state


class Stubborn(tenon.Tensor):
    def __getstate__(self):
        raise ValueError("it does not tell")


def test_subclasses_with_slots_and_states_of_their_own():
    a = tenon.ones(2).as_subclass(Slotted)
    a.mark = 3
    a.other = 4
    assert copy.copy(a).mark == 3 and copy.deepcopy(a).mark == 3 and copy.copy(a).other == 4
    b = tenon.ones(2).as_subclass(Stateful)
    assert copy.copy(b).told == {"a": 1} and copy.deepcopy(b).told == {"a": 1} and pickle.loads(pickle.dumps(b)).told == {"a": 1}
    d = tenon.ones(2).as_subclass(Stubborn)
    for how in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(ValueError, match="does not tell"):
            how(d)


def test_storages_answer():
    s = x().untyped_storage()
    assert s.is_cuda is False and len(s) == 24 and s.cpu() is s and not s.is_shared()
    assert pickle.loads(pickle.dumps(s)).tolist() == s.tolist() and s[0:4].tolist() == s.tolist()[:4]
    assert tenon.UntypedStorage().tolist() == [] and tenon.UntypedStorage([1, 2, 300]).tolist() == [1, 2, 44]
    hollow = tenon.empty(4, device="meta").untyped_storage()
    with pytest.raises(NotImplementedError, match="meta"):
        hollow.cpu()
    assert "UntypedStorage" in repr(s) and copy.deepcopy(s).tolist() == s.tolist()


# ---- buffers and DLPack, as C asks for them

WRITABLE, FORMAT, STRIDES = 1, 4, 0x18
C_CONTIGUOUS, F_CONTIGUOUS, ANY_CONTIGUOUS = 0x38, 0x58, 0x98


class Buffer(ctypes.Structure):
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.c_void_p), ("len", ctypes.c_ssize_t), ("itemsize", ctypes.c_ssize_t),
                ("readonly", ctypes.c_int), ("ndim", ctypes.c_int), ("format", ctypes.c_char_p), ("shape", ctypes.POINTER(ctypes.c_ssize_t)),
                ("strides", ctypes.POINTER(ctypes.c_ssize_t)), ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p)]


def ask(tensor, flags):
    """The length of the buffer that the tensor lends for these flags."""
    view = Buffer()
    ctypes.pythonapi.PyObject_GetBuffer.argtypes = [ctypes.py_object, ctypes.POINTER(Buffer), ctypes.c_int]
    ctypes.pythonapi.PyObject_GetBuffer(tensor, ctypes.byref(view), flags)
    length = view.len
    ctypes.pythonapi.PyBuffer_Release.argtypes = [ctypes.POINTER(Buffer)]
    ctypes.pythonapi.PyBuffer_Release(ctypes.byref(view))
    return length


@pytest.mark.parametrize("make, flags, reason", [
    (locked, WRITABLE, "it is read-only"),
    (lambda: x().T, C_CONTIGUOUS, "it is not contiguous"),
    (x, F_CONTIGUOUS, "Fortran's order"),
    (lambda: x()[:, ::2], ANY_CONTIGUOUS, "contiguous in any order"),
    (lambda: x().T, 0, "contiguous"),
    (lambda: tenon.ones(2, dtype=tenon.bfloat16), FORMAT | STRIDES, ""),
    (meta, STRIDES, ""),
])
@pytest.mark.filterwarnings("ignore")
def test_a_buffer_that_cannot_be_lent_is_refused(make, flags, reason):
    with pytest.raises(BufferError, match=reason):
        ask(make(), flags)


def test_buffers_that_can_be_lent():
    assert ask(x(), C_CONTIGUOUS) == ask(x().T, F_CONTIGUOUS) == ask(x(), ANY_CONTIGUOUS) == ask(x().T, ANY_CONTIGUOUS) == 24
    assert ask(x(), WRITABLE) == ask(x(), 0) == ask(x()[:, ::2].clone(), STRIDES) + 8 == 24


@pytest.mark.parametrize("format, dtype", [("l", tenon.int64), ("L", tenon.uint64), ("q", tenon.int64), ("Q", tenon.uint64), ("n", tenon.int64),
                                           ("N", tenon.uint64), ("i", tenon.int32), ("I", tenon.uint32), ("c", tenon.uint8), ("B", tenon.uint8), ("?", tenon.bool)])
def test_formats_of_buffers(format, dtype):
    assert tenon.as_tensor(memoryview(bytearray(16)).cast(format)).dtype is dtype


@pytest.mark.parametrize("format, dtype", [("<i4", tenon.int32), ("=f8", tenon.float64), ("|u1", tenon.uint8)])
def test_formats_with_an_order_of_bytes(format, dtype):
    assert tenon.from_numpy(np.zeros(2, dtype=format)).dtype is dtype
