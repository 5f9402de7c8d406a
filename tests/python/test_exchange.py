"""Memory shared with NumPy, through the buffer protocol and DLPack; who keeps what alive."""

import array
import ctypes
import gc
import hashlib
import threading

import numpy as np
import pytest

import tenon

NUMPY = {"bool": "?", "uint8": "u1", "uint16": "u2", "uint32": "u4", "uint64": "u8", "int8": "i1", "int16": "i2", "int32": "i4",
         "int64": "i8", "float16": "f2", "float32": "f4", "float64": "f8", "complex64": "c8", "complex128": "c16"}


@pytest.mark.parametrize("name", NUMPY)
def test_numpy_and_tenon_share_memory_for_every_dtype(name):
    x = tenon.zeros(2, 3, dtype=getattr(tenon, name))
    old = name == "bool" and np.lib.NumpyVersion(np.__version__) < "1.25.0"  # which has no bool in DLPack
    for a in (x.numpy(), np.asarray(x), np.asarray(x) if old else np.from_dlpack(x)):
        assert a.dtype == np.dtype(NUMPY[name]) and a.shape == (2, 3) and a.ctypes.data == x.data_ptr()
    for y in (tenon.from_numpy(a), tenon.from_dlpack(a) if a.flags.writeable and not old else x, tenon.as_tensor(a)):
        assert y.dtype is x.dtype and y.data_ptr() == x.data_ptr()


@pytest.mark.parametrize("view", [lambda x: x.T, lambda x: x[1:, ::2], lambda x: x.flip(0), lambda x: x[:, ::-1], lambda x: x[0],
                                  lambda x: x[0, 0], lambda x: x.expand(2, 3, 4), lambda x: x[:0]])
def test_strides_of_every_kind_go_both_ways(view):
    x = view(tenon.arange(12.).reshape(3, 4))
    for a in (x.numpy(), np.asarray(x), np.from_dlpack(x)):
        assert a.tolist() == x.tolist()
        back = tenon.from_numpy(a)
        assert back.tolist() == x.tolist() and (back.stride() == x.stride() or 1 in x.shape or 0 in x.shape)
        assert back.data_ptr() == x.data_ptr() or x.numel() == 0


def test_writes_are_seen_on_the_other_side():
    x = tenon.zeros(3)
    a = x.numpy()
    a[0], x[1] = 1, 2
    assert a.tolist() == x.tolist() == [1, 2, 0]


@pytest.mark.filterwarnings("ignore:the memory is read-only")
def test_read_only_memory_stays_so():
    a = np.arange(3.)
    a.flags.writeable = False
    for x in (tenon.from_numpy(a), tenon.from_dlpack(a) if np.lib.NumpyVersion(np.__version__) >= "2.1.0" else tenon.from_numpy(a)):
        with pytest.raises((RuntimeError, ValueError)):
            x[0] = 1
        with pytest.raises((RuntimeError, ValueError)):
            x.view(3).add_(1)
        assert not x.numpy().flags.writeable and not np.asarray(x[1:]).flags.writeable
        with pytest.raises(BufferError):
            x.__dlpack__()
        assert "versioned" in repr(x.__dlpack__(max_version=(1, 0)))
        assert (x + 1).tolist() == [1, 2, 3] and x.clone().add_(1).tolist() == [1, 2, 3]


def test_buffers_keep_each_other_alive():
    a = tenon.arange(1000.).numpy()
    x = tenon.from_numpy(np.arange(1000.))[10:20]
    y = tenon.from_dlpack(np.arange(1000.))[10:20]
    b = np.from_dlpack(tenon.arange(1000.))
    view = memoryview(tenon.arange(5))
    gc.collect()
    junk = [tenon.full((1000,), 7.) for _ in range(10)]
    assert a[999] == 999 and x.tolist() == y.tolist() == list(range(10, 20)) and b[5] == 5 and view.tolist() == [0, 1, 2, 3, 4]
    del junk


def test_a_foreign_buffer_may_be_released_by_any_thread():
    tensors = [tenon.from_numpy(np.arange(10.)) for _ in range(50)]
    thread = threading.Thread(target=tensors.clear)
    thread.start()
    thread.join()
    assert tensors == []


def test_dlpack_keywords():
    x = tenon.arange(4)
    assert x.__dlpack_device__() == (1, 0)
    assert "dltensor" in repr(x.__dlpack__()) and "versioned" not in repr(x.__dlpack__(max_version=(0, 8)))
    assert "dltensor_versioned" in repr(x.__dlpack__(max_version=(1, 0), stream=None, dl_device=(1, 0), copy=False))
    y = tenon.from_dlpack(x.__dlpack__(max_version=(1, 0), copy=True))
    assert y.tolist() == x.tolist() and y.data_ptr() != x.data_ptr()
    assert tenon.from_dlpack(x, copy=True).data_ptr() != x.data_ptr() == tenon.from_dlpack(x, copy=False).data_ptr()
    assert tenon.from_dlpack(x, copy=np.True_).data_ptr() != x.data_ptr() != tenon.asarray(x, copy=np.True_).data_ptr()
    with pytest.raises(ValueError):
        tenon.asarray([1], copy=np.False_)
    for wrong in (dict(stream=1), dict(dl_device=(2, 0))):
        with pytest.raises(BufferError):
            x.__dlpack__(**wrong)
    for wrong in (dict(max_version=1), dict(dl_device=1), dict(other=1)):
        with pytest.raises(TypeError):
            x.__dlpack__(**wrong)
    capsule = x.__dlpack__()
    assert tenon.from_dlpack(capsule).data_ptr() == x.data_ptr()
    with pytest.raises(BufferError):
        tenon.from_dlpack(capsule)
    with pytest.raises(AttributeError):
        tenon.from_dlpack(3)


def test_a_capsule_that_states_something_impossible_is_refused():
    class Foreign(ctypes.Structure):
        _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2), ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8),
                    ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                    ("strides", ctypes.c_void_p), ("byte_offset", ctypes.c_uint64), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]

    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    memory, shape = (ctypes.c_float * 4)(1, 2, 3, 4), (ctypes.c_int64 * 1)(2)

    def capsule(data, byte_offset):
        foreign = Foreign(data, (1, 0), 1, 2, 32, 1, shape, None, byte_offset, None, None)
        made = make(ctypes.addressof(foreign), b"dltensor", None)
        return made, foreign

    good, kept = capsule(ctypes.addressof(memory), 8)
    assert tenon.from_dlpack(good).tolist() == [3, 4] and kept.ndim == 1
    for data, offset in [(ctypes.addressof(memory), 2**64 - 1), (ctypes.addressof(memory), 2**64 - 8), (ctypes.addressof(memory), 2**63),
                         (None, 0), (None, 16)]:
        bad, kept = capsule(data, offset)
        with pytest.raises((BufferError, ValueError)):
            tenon.from_dlpack(bad)
        assert '"dltensor"' in repr(bad) and kept.ndim == 1  # still the caller's
    shape[0] = 0
    none, kept = capsule(None, 0)
    assert tenon.from_dlpack(none).shape == (0,) and kept.ndim == 1


def test_bfloat16_goes_through_dlpack_and_not_to_numpy():
    x = tenon.tensor([1.5, 2], dtype=tenon.bfloat16)
    assert tenon.from_dlpack(x).dtype is tenon.bfloat16
    with pytest.raises(TypeError):
        x.numpy()
    with pytest.raises(BufferError):
        memoryview(x)


def test_the_flags_of_the_buffer_protocol():
    x = tenon.arange(6).reshape(2, 3)
    view = memoryview(x)
    assert (view.shape, view.strides, view.itemsize, view.readonly) == ((2, 3), (24, 8), 8, False)
    assert view.format == memoryview(np.zeros(1, np.int64)).format and repr(x[0].numpy()) == "array([0, 1, 2])"
    assert bytes(x) == x.numpy().tobytes() and view.contiguous and memoryview(x.T).f_contiguous
    with pytest.raises(BufferError):
        hashlib.md5(x.T[::2])
    assert hashlib.md5(x).digest() == hashlib.md5(bytes(x)).digest()
    assert array.array("q", view.cast("B").cast("q").tolist()).tolist() == list(range(6))
    assert tenon.tensor(array.array("i", [1, 2])).dtype is tenon.int32 and tenon.tensor(memoryview(b"ab")).tolist() == [97, 98]


def test_what_cannot_be_shared_is_refused():
    with pytest.raises(TypeError):
        tenon.from_numpy([1, 2])
    with pytest.raises(TypeError):
        tenon.from_numpy(np.array(["a"]))
    with pytest.raises(ValueError, match="order"):
        tenon.from_numpy(np.arange(3).astype(">i4"))
    with pytest.raises(ValueError):
        tenon.from_numpy(np.zeros(3, dtype=[("a", "i1"), ("b", "<f4")])["b"])


def test_array_takes_dtype_and_copy():
    x = tenon.arange(3)
    assert x.__array__(np.dtype("f4")).dtype == np.float32 and np.array(x, dtype="f8").tolist() == [0, 1, 2]
    assert x.__array__(copy=True).ctypes.data != x.data_ptr()
    with pytest.raises(ValueError):
        x.__array__(np.dtype("f4"), copy=False)


def test_the_stream_minus_one_is_none():
    x = tenon.arange(3)
    for stream in (None, -1):
        assert tenon.from_dlpack(x.__dlpack__(stream=stream)).data_ptr() == x.data_ptr()
    for stream in (0, 1, -2, 2 ** 80):
        with pytest.raises((BufferError, OverflowError)):
            x.__dlpack__(stream=stream)
    with pytest.raises(TypeError):
        x.__dlpack__(stream="a")


def test_a_capsule_is_an_array():
    x = tenon.arange(3)
    for make in (lambda x: tenon.to_dlpack(x), lambda x: tenon.utils.dlpack.to_dlpack(x), lambda x: x.__dlpack__(max_version=(1, 0))):
        assert tenon.asarray(make(x)).data_ptr() == x.data_ptr() == tenon.utils.dlpack.from_dlpack(make(x)).data_ptr()
        assert tenon.asarray(make(x), dtype=tenon.float32).tolist() == [0.0, 1.0, 2.0]
    assert tenon.asarray(make(x), copy=True).data_ptr() != x.data_ptr()
    used = tenon.to_dlpack(x)
    tenon.asarray(used)
    with pytest.raises(BufferError):
        tenon.asarray(used)
    for wrong in ([1], 5):
        with pytest.raises(TypeError):
            tenon.to_dlpack(wrong)


def test_what_is_lent_before_backward_was_not_written():
    x = tenon.ones(3, requires_grad=True)
    y = x * 2
    z = y * y
    lent = (np.asarray(y.detach()), y.detach().numpy(), y.detach().__dlpack__(), memoryview(y.detach()))
    assert y._version == 0 and all(np.shares_memory(lent[0], one) for one in (lent[1], np.asarray(lent[3])))
    z.sum().backward()
    assert x.grad.tolist() == [8, 8, 8]
    copy = y.detach().clone()  # which may share the memory until one of them is written
    lent[0][0] = 7
    assert y.tolist() == [7, 2, 2] and copy.tolist() == [2, 2, 2]
    other = copy.clone()
    copy.numpy()[1] = 9
    assert copy.tolist() == [2, 9, 2] and other.tolist() == [2, 2, 2]


def test_a_hook_that_packs_may_lend():
    x = tenon.ones(3, requires_grad=True)
    with tenon.autograd.graph.saved_tensors_hooks(lambda t: t.numpy(), tenon.from_numpy):
        y = (x ** 2).sum()
    y.backward()
    assert x.grad.tolist() == [2, 2, 2]
