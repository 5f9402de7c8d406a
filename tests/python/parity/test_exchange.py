"""Memory shared with PyTorch, both ways; programs that run under either name and print the same."""

import contextlib
import gc
import io

import numpy as np
import pytest
import torch

import tenon

DTYPES = "bool uint8 uint16 uint32 uint64 int8 int16 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()


@pytest.mark.parametrize("name", DTYPES)
def test_both_ways_without_a_copy(name):
    x = tenon.zeros(2, 3, dtype=getattr(tenon, name))
    y = torch.from_dlpack(x)
    assert y.dtype is getattr(torch, name) and y.data_ptr() == x.data_ptr() and tuple(y.shape) == (2, 3)
    y.fill_(1)
    assert x.tolist() == y.tolist()
    z = tenon.from_dlpack(torch.ones(3, 2, dtype=y.dtype).T)
    gc.collect()
    assert z.stride() == (1, 2) and z.tolist() == x.tolist()
    assert tenon.from_dlpack(y).data_ptr() == x.data_ptr()
    del x
    gc.collect()
    assert y.tolist() == z.tolist()


def test_what_pytorch_cannot_hold_is_refused_with_a_word():
    x = tenon.arange(5.0)
    with pytest.raises(BufferError, match="negative stride"):
        torch.from_dlpack(x.flip(0))
    assert torch.from_dlpack(x.flip(0).contiguous()).tolist() == [4, 3, 2, 1, 0]
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        torch.from_dlpack(tenon.from_numpy(frozen))
    for theirs in (torch.ones(2, requires_grad=True), torch.tensor([1j]).conj()):
        with pytest.raises(BufferError):
            tenon.from_dlpack(theirs)


def test_shapes_without_elements_or_dimensions():
    assert tenon.from_dlpack(torch.zeros(0, 3)).shape == (0, 3) and tuple(torch.from_dlpack(tenon.zeros(0, 3)).shape) == (0, 3)
    assert torch.from_dlpack(tenon.tensor(3.0)).item() == tenon.from_dlpack(torch.tensor(3.0)).item() == 3


PROGRAMS = [
    """
x = torch.arange(12.).reshape(3, 4)
print(x, x.T, x[1:, ::2], x.sum(), x.mean(0), x.max(dim=1), x.argmax(), (x > 3).any())
print(torch.sort(x, descending=True), x.stride(), x[1].storage_offset(), x.dtype, x.shape, x.is_contiguous())
""",
    """
torch.manual_seed(0)
print(torch.rand(2, 3), torch.randn(4), torch.randint(0, 10, (5,)), torch.randperm(6), torch.normal(0., 1., (3,)))
g = torch.Generator().manual_seed(3)
print(torch.rand(2, generator=g, dtype=torch.float64), torch.multinomial(torch.tensor([.1, .2, .7]), 5, True, generator=g))
state = torch.get_rng_state()
a = torch.rand(3)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(3)), g.initial_seed(), torch.initial_seed())
""",
    """
import torch.nn.functional as F
x = torch.linspace(-2, 2, 9)
for f in (F.relu, F.gelu, F.silu, F.softplus, F.hardtanh, F.leaky_relu, F.elu, F.selu, F.logsigmoid):
    print(f(x))
print(F.softmax(x.view(3, 3), dim=1), F.one_hot(torch.tensor([0, 2])), F.pad(x.view(3, 3), (1, 1)), F.normalize(x.view(3, 3)))
""",
    """
x = torch.tensor([[1, 2], [3, 4]], dtype=torch.int8)
x[x > 2] = 0
x += 1
print(x, x.to(torch.bfloat16) / 3, torch.complex(x.float(), x.float()), torch.tensor([1e10, 1e-10]), torch.empty(0))
print(torch.cat([x, x]), torch.stack([x, x], 1), torch.where(x > 1, x, -x), torch.full((2, 2), 3.14159), torch.tensor(5))
""",
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_print_the_same(program):
    texts = []
    for library in (torch, tenon):
        body = program.replace("import torch.nn.functional as F", "F = torch.nn.functional")
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(body, {"torch": library})
        texts.append(out.getvalue())
    assert texts[0] == texts[1]
