"""Products of tensors in Python: operators of the language, namespaces and arguments as PyTorch spells them, and values against NumPy's."""

import random

import numpy as np
import pytest

import tenon
from tenon.nn import functional as F

DTYPES = ["float32", "float64", "float16", "complex64", "complex128", "int64", "int32", "int16", "int8", "uint8"]


def drawn(random, dtype, *sizes):
    """Small whole numbers, so that every sum is exact, in one of some layouts; and the same for NumPy."""
    low = 0 if dtype == "uint8" else -3
    values = np.array([random.randint(low, 3) for _ in range(int(np.prod(sizes)))]).reshape(sizes).astype(dtype)
    if dtype.startswith("complex"):
        values = values + 1j * np.roll(values, 1)
    values = values.astype(dtype)
    one = tenon.tensor(values.tolist(), dtype=getattr(tenon, dtype)).reshape(sizes)
    layout = random.randrange(4)
    if layout == 1 and one.ndim > 1:
        one = one.mT.contiguous().mT
    elif layout == 2:
        one = tenon.stack([one, one], -1)[..., 1]
    elif layout == 3 and one.ndim:
        one = one.flip(0).contiguous().flip(0)
    return one, values


def same(tensor, array):
    assert tuple(tensor.shape) == array.shape
    assert tensor.tolist() == array.tolist()


@pytest.mark.parametrize("dtype", DTYPES)
def test_matmul_is_numpys(dtype):
    rng = random.Random(dtype)
    for ranks in [(a, b) for a in range(1, 5) for b in range(1, 5)] * 3:
        m, n, k = (rng.choice([0, 1, 2, 3, 5]) for _ in range(3))
        batch = [rng.choice([0, 1, 2, 3]) for _ in range(2)]
        one, two = (
            [size if rng.random() < 0.7 else 1 for size in batch[4 - rank :]] if rank > 2 else [] for rank in ranks
        )
        a = drawn(rng, dtype, *(one + [m, k] if ranks[0] > 1 else [k]))
        b = drawn(rng, dtype, *(two + [k, n] if ranks[1] > 1 else [k]))
        same(a[0] @ b[0], a[1] @ b[1])
        same(tenon.matmul(a[0], b[0]), a[1] @ b[1])


def test_operators_of_the_language():
    a = tenon.arange(6.0).reshape(2, 3)
    b = tenon.ones(3, 3)
    assert a.__rmatmul__(tenon.ones(4, 2)).shape == (4, 3)
    before = a
    a @= b
    assert a is not before and a.tolist() == [[3, 3, 3], [12, 12, 12]]
    with pytest.raises(TypeError):
        a @ 2
    with pytest.raises(RuntimeError, match="dimension 1 of self has size 3 and dimension 0 of other has size 2"):
        a @ a
    with pytest.raises(RuntimeError, match=r"convert other with to\(float32\)|convert self with to\(float64\)"):
        a @ b.double()
    with pytest.raises(RuntimeError, match="at least one dimension"):
        tenon.tensor(1.0) @ a


def test_names_and_arguments_are_torchs():
    x, y, v = tenon.arange(6.0).reshape(2, 3), tenon.arange(12.0).reshape(3, 4), tenon.arange(3.0)
    assert tenon.linalg.matmul(x, y).tolist() == x.mm(y).tolist() == tenon.mm(input=x, mat2=y).tolist()
    assert x.mv(v).tolist() == x.matmul(v).tolist() == (x @ v).tolist()
    assert tenon.dot(v, v).item() == 5 and tenon.inner(v, v).item() == 5 and v.vdot(v).item() == 5
    assert tenon.linalg.vecdot(x, x, dim=0).tolist() == [9, 17, 29] and tenon.linalg.vecdot(x, v).tolist() == [5, 14]
    zero = tenon.zeros(2, 4)
    assert tenon.addmm(zero + 1, x, y, beta=2, alpha=0.5).tolist() == (x.mm(y) * 0.5 + 2).tolist()
    assert zero.addmm_(x, y, alpha=2) is zero and zero.tolist() == (x.mm(y) * 2).tolist()
    with pytest.raises(TypeError):
        tenon.addmm(zero, x, y, 1, 2)
    assert tenon.addmv(tenon.ones(2), x, v, beta=0).tolist() == x.mv(v).tolist()
    assert tenon.addr(tenon.zeros(2, 3), tenon.ones(2), v).tolist() == [[0, 1, 2]] * 2
    assert tenon.ger(v, v).tolist() == tenon.outer(v, v).tolist()
    batch = tenon.stack([x, x])
    assert tenon.bmm(batch, tenon.stack([y, y])).tolist() == [x.mm(y).tolist()] * 2
    assert tenon.addbmm(tenon.zeros(2, 4), batch, tenon.stack([y, y])).tolist() == (x.mm(y) * 2).tolist()
    assert tenon.baddbmm(tenon.ones(4), batch, tenon.stack([y, y])).tolist() == [(x.mm(y) + 1).tolist()] * 2
    square = x.T @ x
    assert tenon.matrix_power(square, 3).tolist() == tenon.linalg.matrix_power(square, 3).tolist() == (square @ square @ square).tolist()
    assert square.trace().item() == 55 and tenon.trace(tenon.ones(2, 3, dtype=tenon.int8)).dtype == tenon.int64
    out = tenon.empty(0)
    assert tenon.matmul(x, y, out=out) is out and out.tolist() == x.mm(y).tolist()
    half = x.half()
    assert tenon.mm(half, half.T, out_dtype=tenon.float32).dtype == tenon.float32


def test_linear_and_bilinear():
    x, w, b = tenon.arange(12.0).reshape(2, 2, 3), tenon.arange(12.0).reshape(4, 3) - 6, tenon.arange(4.0)
    plain = x @ w.T + b
    assert F.linear(x, w, b).tolist() == plain.tolist()
    assert F.linear(x, w).tolist() == (x @ w.T).tolist()
    assert F.linear(x, w, bias=b, activation="relu").tolist() == plain.relu().tolist()
    assert F.linear(x, w, b, residual=b, scale=0.5).tolist() == (plain * 0.5 + b).tolist()
    assert F.linear(x, w[0]).tolist() == (x @ w[0]).tolist()
    weight = tenon.arange(18.0).reshape(2, 3, 3)
    assert F.bilinear(x, x, weight).tolist() == tenon.stack([((x @ weight[o]) * x).sum(-1) for o in range(2)], -1).tolist()


def test_products_of_bytes():
    a = tenon.tensor([[-128, 127], [5, -6]], dtype=tenon.int8)
    assert tenon._int_mm(a, a).dtype == tenon.int32 and tenon._int_mm(a, a).tolist() == (a.int() @ a.int()).tolist()
    scaled = tenon._scaled_mm(a, a, tenon.tensor(0.5), tenon.tensor(0.25), out_dtype=tenon.bfloat16)
    assert scaled.dtype == tenon.bfloat16 and scaled.tolist() == ((a.int() @ a.int()).float() / 8).bfloat16().tolist()
    x, scales = tenon.ones(3, 2), tenon.tensor([0.5, 2.0])
    assert tenon._weight_int8pack_mm(x, a, scales).tolist() == (x @ a.float().T * scales).tolist()


def test_a_packed_weight_gives_the_bits_of_linear_and_matmul():
    weight, x, bias = tenon.randn(70, 90), tenon.randn(3, 40, 90), tenon.randn(70)
    packed = tenon.prepack(weight)
    assert packed.weight is weight and packed.is_current and packed.nbytes >= weight.nbytes
    assert tenon.equal(packed.linear(x, bias), tenon.nn.functional.linear(x, weight, bias))
    same = tenon.relu(tenon.nn.functional.linear(x, weight)) * 2 + bias
    assert tenon.allclose(packed.linear(x, activation="relu", residual=bias, scale=2), same)
    assert tenon.equal(tenon.prepack(weight.T, use="matmul").matmul(x), x @ weight.T)


def test_a_weight_that_was_written_is_packed_again():
    weight, x = tenon.randn(20, 30), tenon.randn(40, 30)
    packed = tenon.prepack(weight)
    weight[3] = 1
    assert not packed.is_current
    with pytest.raises(RuntimeError, match="was written after it was packed"):
        packed.linear(x)
    assert tenon.equal(tenon.prepack(weight).linear(x), tenon.nn.functional.linear(x, weight))


def test_what_prepack_refuses():
    weight = tenon.randn(20, 30)
    packed = tenon.prepack(weight)
    with pytest.raises(TypeError, match="weight must be a Tensor"):
        tenon.prepack([1.0])
    with pytest.raises(ValueError, match="use must be 'linear' or 'matmul'"):
        tenon.prepack(weight, use="mm")
    with pytest.raises(RuntimeError, match="is not a matrix"):
        tenon.prepack(weight[0])
    with pytest.raises(TypeError, match="input must be a Tensor"):
        packed.linear(3)
    with pytest.raises(TypeError, match="bias must be a Tensor or None"):
        packed.linear(weight, 3)
    with pytest.raises(TypeError, match="scale must be a number"):
        packed.linear(weight, scale="2")
    with pytest.raises(RuntimeError, match="was packed for linear"):
        packed.matmul(weight)
    with pytest.raises(TypeError):
        packed.matmul(3)
    with pytest.raises(TypeError):
        tenon.Prepacked()
