"""The meta device: sizes, strides and dtypes without elements, as PyTorch has it."""

import copy
import pickle
import threading

import numpy as np
import pytest
import tenon as torch

HUGE = 2**50


@pytest.fixture
def on_meta():
    torch.set_default_device("meta")
    yield
    torch.set_default_device(None)


@pytest.mark.parametrize("make, shape, dtype", [
    (lambda **k: torch.empty(2, 3, **k), (2, 3), torch.float32),
    (lambda **k: torch.zeros(HUGE, 2, **k), (HUGE, 2), torch.float32),
    (lambda **k: torch.ones((2, 3), dtype=torch.float64, **k), (2, 3), torch.float64),
    (lambda **k: torch.full((HUGE,), 7, **k), (HUGE,), torch.int64),
    (lambda **k: torch.full((), 7.5, **k), (), torch.float32),
    (lambda **k: torch.full((2,), True, **k), (2,), torch.bool),
    (lambda **k: torch.rand(HUGE, **k), (HUGE,), torch.float32),
    (lambda **k: torch.randn(2, 0, dtype=torch.float16, **k), (2, 0), torch.float16),
    (lambda **k: torch.randint(3, (HUGE,), **k), (HUGE,), torch.int64),
    (lambda **k: torch.randperm(HUGE, **k), (HUGE,), torch.int64),
    (lambda **k: torch.linspace(0, 1, HUGE, **k), (HUGE,), torch.float32),
    (lambda **k: torch.logspace(0, 1, 4, **k), (4,), torch.float32),
    (lambda **k: torch.eye(2**20, **k), (2**20, 2**20), torch.float32),
    (lambda **k: torch.eye(3, 4, dtype=torch.int8, **k), (3, 4), torch.int8),
    (lambda **k: torch.arange(5, **k), (5,), torch.int64),
    (lambda **k: torch.normal(0.0, 1.0, (2,), **k), (2,), torch.float32),
    (lambda **k: torch.tensor([1, 2], **k), (2,), torch.int64),
    (lambda **k: torch.tensor(1.5, **k), (), torch.float32),
    (lambda **k: torch.as_tensor([True], **k), (1,), torch.bool),
    (lambda **k: torch.asarray(np.zeros(3), **k), (3,), torch.float64),
])
def test_factories_make_tensors_without_elements(make, shape, dtype, request):
    for device in ("meta", torch.device("meta")):
        x = make(device=device)
        assert x.shape == shape and x.dtype is dtype and x.is_meta and not x.is_cpu and x.is_contiguous()
    request.getfixturevalue("on_meta")
    x = make()
    assert x.shape == shape and x.dtype is dtype and x.is_meta


def test_factories_check_their_arguments_there_too():
    for wrong in (lambda: torch.zeros(-1, device="meta"), lambda: torch.randint(3, 3, (2,), device="meta"),
                  lambda: torch.linspace(0, 1, -1, device="meta"), lambda: torch.randperm(-1, device="meta"),
                  lambda: torch.eye(-2, device="meta"), lambda: torch.zeros(2**40, 2**40, device="meta"),
                  lambda: torch.empty_strided((2, 3), (1,), device="meta"), lambda: torch.full((2,), 1j, dtype=torch.int8, device="meta"),
                  lambda: torch.empty_strided((2**40, 2), (2**40, 1), device="meta")):
        with pytest.raises(RuntimeError):
            wrong()
    for device in ("cuda", "nonsense", 5):
        with pytest.raises(RuntimeError):
            torch.zeros(2, device=device)
        with pytest.raises(RuntimeError):
            torch.set_default_device(device)
    with pytest.raises(RuntimeError):
        torch.ones(2).add(torch.ones(2), device="meta")


def test_like_another():
    x = torch.ones(3, 2, dtype=torch.float64).T
    for like in (torch.zeros_like, torch.ones_like, torch.empty_like, torch.rand_like, torch.randn_like,
                 lambda *a, **k: torch.full_like(*a, 3, **k), lambda *a, **k: torch.randint_like(*a, 3, **k)):
        made = like(x, device="meta")
        assert made.is_meta and made.shape == (2, 3) and made.stride() == (1, 2) and made.dtype is torch.float64
        assert like(made, dtype=torch.float32, device="meta").dtype is torch.float32
        back = like(made, device="cpu")
        assert back.is_cpu and back.stride() == (1, 2) and back.dtype is torch.float64
    assert torch.zeros_like(made, device="cpu").tolist() == [[0, 0, 0], [0, 0, 0]]
    assert torch.zeros_like(made).is_meta and torch.full_like(made, 2).is_meta
    assert torch.zeros_like(torch.ones(1).expand(HUGE), device="meta").stride() == (1,)
    assert torch.empty_like(torch.ones(1, 2, 3, 4), device="meta", memory_format=torch.channels_last).stride() == (24, 1, 8, 2)
    assert torch.empty(1, 2, 3, 4, device="meta", memory_format=torch.channels_last).stride() == (24, 1, 8, 2)
    strided = torch.empty_strided((2, 3), (1, 4), device="meta")
    assert strided.stride() == (1, 4) and strided.untyped_storage().nbytes() == 40
    assert torch.empty_strided((0, 3), (1, 4), device="meta").untyped_storage().nbytes() == 0
    for made in (strided.new_zeros(3), strided.new_ones((2,)), strided.new_empty(1), strided.new_full((1,), 2), strided.new_tensor([3])):
        assert made.is_meta and made.dtype is torch.float32
    assert torch.ones(1).new_zeros(2, device="meta").is_meta and strided.new_zeros(2, device="cpu").tolist() == [0, 0]


def test_parts_of_meta_are_assigned_to():
    x = torch.zeros(2, 3, device="meta")
    x[0] = 1
    x[0, 1] = 2.5
    x[:, 1] = torch.tensor(3)
    x[...] = torch.ones(3)
    x[1] = torch.ones(3, device="meta")
    assert x.fill_(torch.tensor(1)) is x and x.fill_(torch.tensor(1.0, device="meta")) is x
    for wrong, error in ((lambda: x.__setitem__(5, 1), IndexError), (lambda: x.__setitem__(0, torch.ones(4)), RuntimeError)):
        with pytest.raises(error):
            wrong()


def test_a_storage_on_meta_has_a_size_and_no_bytes():
    for storage in (torch.UntypedStorage(4, device="meta"), torch.UntypedStorage([1, 2, 3, 4], device="meta"),
                    torch.UntypedStorage(size=4, device=torch.device("meta"))):
        assert storage.nbytes() == len(storage) == 4 and storage.device.type == "meta" and storage.data_ptr() == 0
        assert storage.fill_(1) is storage and storage.clone().device.type == "meta" and storage.resize_(8).nbytes() == 8
        with pytest.raises(NotImplementedError):
            storage[0]
    assert torch.TypedStorage(4, dtype=torch.float32, device="meta").nbytes() == 16


def test_to_meta_and_no_way_back():
    x = torch.ones(2, 3).T
    for there in (x.to("meta"), x.to(torch.device("meta")), x.to(torch.empty(0, device="meta")), x.to(device="meta"), x.to_device("meta")):
        assert there.is_meta and there.stride() == (1, 3)
    assert x.to("meta", torch.int8).dtype is torch.int8
    assert there.to("meta") is there and there.double().is_meta and there.clone().is_meta and there.contiguous().stride() == (2, 1)
    one = torch.ones(1, device="meta")
    for wrong in (lambda: there.cpu(), lambda: there.to("cpu"), lambda: there.to(x), lambda: there.tolist(), lambda: one.item(),
                  lambda: float(one), lambda: bool(one), lambda: int(one), lambda: 1 in one, lambda: x.copy_(there),
                  lambda: torch.tensor([one[0], 2]), lambda: there.untyped_storage()[0], lambda: there.untyped_storage().tolist(),
                  lambda: there.untyped_storage().cpu(), lambda: there.nonzero(), lambda: x.fill_(one[0]),
                  lambda: x.untyped_storage().copy_(there.untyped_storage()), lambda: torch.equal(there, there)):
        with pytest.raises(NotImplementedError):
            wrong()
    assert x.tolist() == [[1, 1], [1, 1], [1, 1]]
    for wrong in (lambda: there.numpy(), lambda: np.asarray(there)):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (lambda: memoryview(there), lambda: there.__dlpack__()):
        with pytest.raises(BufferError):
            wrong()
    with pytest.raises(ValueError):
        there.__dlpack_device__()
    with pytest.raises(RuntimeError):
        there + x


def test_what_can_be_told():
    x = torch.ones(2, 3, device="meta")
    assert repr(x.device) == "device(type='meta')" and str(x.device) == "meta" and x.device == torch.device("meta")
    assert x.data_ptr() == 0 == x.untyped_storage().data_ptr() and x.get_device() == -1 and x.type() == "torch.meta.FloatTensor"
    assert repr(x) == str(x) == f"{x}" == "tensor(..., device='meta', size=(2, 3))"
    assert repr(x.long()) == "tensor(..., device='meta', size=(2, 3), dtype=torch.int64)"
    assert f"{x[0, 0]}" == "tensor(..., device='meta', size=())"
    with pytest.raises(TypeError):
        f"{x[0, 0]:.3f}"
    storage = x.untyped_storage()
    assert storage.device == x.device and storage.nbytes() == 24 and "device=meta" in repr(storage)
    assert len(x) == 2 and [row.shape for row in x] == [(3,), (3,)]


def test_operators_tell_what_they_would_make():
    x = torch.ones(2**30, 2**29, device="meta")
    y = (x.T + 1).exp().sum(0, dtype=torch.float64)
    assert y.is_meta and y.shape == (2**30,) and y.dtype is torch.float64
    values, indices = torch.ones(3, 4, device="meta").sort(0)
    assert values.is_meta and indices.shape == (3, 4) and indices.dtype is torch.int64
    assert (x + torch.tensor(1.0)).is_meta and x.mul_(2).is_meta and x.copy_(torch.ones(1)).is_meta


def test_copies_and_pickles():
    x = torch.ones(3, 2, device="meta", dtype=torch.int16).T
    for other in (copy.copy(x), copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert other.is_meta and other.shape == (2, 3) and other.stride() == (1, 2) and other.dtype is torch.int16


def test_the_default_device_is_a_threads_own(on_meta):
    assert torch.get_default_device() == torch.device("meta") and torch.ones(2).is_meta
    assert torch.ones(2, device="cpu").tolist() == [1, 1] == torch.ones(2, device="cpu").new_ones(2).tolist()
    assert torch.zeros_like(torch.ones(2, device="cpu")).is_cpu
    seen = []
    thread = threading.Thread(target=lambda: seen.append(torch.ones(2).device))
    thread.start()
    thread.join()
    assert seen == [torch.device("cpu")]


def test_with_a_device():
    with torch.device("meta") as device:
        assert device == torch.device("meta") and torch.zeros(2).is_meta
        with torch.device("cpu"):
            assert torch.zeros(2).is_cpu
        with pytest.raises(ZeroDivisionError), torch.device("meta"):
            1 / 0
        assert torch.zeros(2).is_meta
    assert torch.zeros(2).is_cpu
    with pytest.raises(RuntimeError):
        torch.device("meta").__exit__(None, None, None)
    with pytest.raises(RuntimeError), torch.device("cuda"):
        pass
