"""einsum, tensordot and multi_dot against PyTorch: thousands of random equations, sizes, strides and dtypes.

Sizes, dtypes and, for one or two operands, strides are compared exactly; elements of floating dtypes against the sum in float64,
with a bound in terms of the sum of absolute values; whole numbers exactly.
"""

import random

import pytest
import torch

import tenon

EPSILON = {
    torch.float64: 1e-12, torch.complex128: 1e-12, torch.float32: 1e-5, torch.complex64: 1e-5, torch.float16: 4e-3,
    torch.bfloat16: 3e-2,
}
DTYPES = [*EPSILON, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8]
LETTERS = "abcdeABC"


def ours(x):
    """The same elements under the same sizes, strides and offset."""
    dtype, elements = getattr(tenon, str(x.dtype).removeprefix("torch.")), x.untyped_storage().nbytes() // x.element_size()
    if elements == 0:
        return tenon.empty_strided(tuple(x.shape), x.stride(), dtype=dtype)
    flat = torch.empty(0, dtype=x.dtype).set_(x.untyped_storage(), 0, (elements,), (1,))
    return tenon.as_strided(tenon.from_dlpack(flat), tuple(x.shape), x.stride(), x.storage_offset())


def theirs(x):
    wide = tenon.complex128 if x.dtype.is_complex else tenon.float64 if x.dtype.is_floating_point else x.dtype
    name = str(wide).rpartition(".")[2]
    return torch.tensor(x.to(wide).tolist(), dtype=getattr(torch, name)).reshape(tuple(x.shape))


def draw(dice, shape, dtype):
    """A tensor whose dimensions are in any order in memory, some with gaps, some expanded."""
    order = list(range(len(shape)))
    if dice.random() < 0.5:
        dice.shuffle(order)
    inside = [shape[d] * (2 if dice.random() < 0.15 else 1) for d in order]
    if dtype.is_complex:
        x = torch.randn(inside, dtype=torch.complex128).to(dtype)
    elif dtype.is_floating_point:
        x = torch.randn(inside, dtype=torch.float64).to(dtype)
    else:
        x = torch.randint(0, 4, inside).to(dtype)
    x = x[tuple(slice(None, None, 2 if size != shape[d] else 1) for size, d in zip(inside, order))]
    x = x.permute([order.index(d) for d in range(len(shape))])
    for d, size in enumerate(shape):
        if size > 1 and dice.random() < 0.08:
            x = x.narrow(d, 0, 1).expand(*[size if e == d else -1 for e in range(len(shape))])
    return x


def draw_equation(dice):
    dtype, count = dice.choice(DTYPES), dice.choice([1, 2, 2, 2, 2, 3, 3, 4])
    sizes = {letter: dice.choice([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 2, 3]) for letter in LETTERS}
    covered = [dice.choice([1, 2, 3]) for _ in range(dice.choice([0, 0, 1, 2]))]
    parts, operands, used = [], [], set()
    for _ in range(count):
        labels = [dice.choice(LETTERS) for _ in range(dice.choice([0, 1, 2, 2, 3, 3, 4]))]
        used |= set(labels)
        own = {letter: 1 if dice.random() < 0.05 else sizes[letter] for letter in LETTERS}
        shape = [[own[label]] for label in labels]
        if covered and dice.random() < 0.7:
            place = dice.randint(0, len(labels))
            labels.insert(place, "...")
            shape.insert(place, [size if dice.random() < 0.85 else 1 for size in covered[dice.randint(0, len(covered)):]])
        parts.append((" " if dice.random() < 0.1 else "").join(labels))
        operands.append(draw(dice, sum(shape, []), dtype))
    equation = ",".join(parts)
    if dice.random() < 0.7:
        output = [letter for letter in sorted(used) if dice.random() < 0.5]
        dice.shuffle(output)
        if dice.random() < 0.8:
            output.insert(dice.randint(0, len(output)), "...")
        equation += "->" + "".join(output)
    return equation, operands


def check_elements(call, got, want, operands):
    assert tuple(got.shape) == tuple(want.shape)
    if want.dtype in EPSILON:
        wide = torch.complex128 if want.is_complex() else torch.float64
        exact, size = call(*(x.to(wide) for x in operands)), call(*(x.to(wide).abs() for x in operands)).abs()
        assert bool(((theirs(got) - exact).abs() <= EPSILON[want.dtype] * len(operands) * size + 1e-12).all())
    else:
        assert torch.equal(theirs(got).to(torch.int64), want.to(torch.int64))


@pytest.mark.parametrize("seed", range(8))
def test_random_equations_give_what_pytorch_gives(seed):
    dice = random.Random(seed)
    torch.manual_seed(seed)
    for _ in range(500):
        equation, operands = draw_equation(dice)
        case = f"{equation} {[(tuple(x.shape), x.stride()) for x in operands]} {operands[0].dtype}"
        mine = [ours(x) for x in operands]
        try:
            want = torch.einsum(equation, *operands)
        except (RuntimeError, NotImplementedError) as refusal:
            # Sums of whole numbers become int64 before they meet the others: an error there, and the int64 result here.
            if "dtype" in str(refusal) or "scalar type" in str(refusal):
                continue
            with pytest.raises((RuntimeError, ValueError, TypeError)):
                tenon.einsum(equation, *mine)
            continue
        got = tenon.einsum(equation, *mine)
        if all(x.numel() for x in operands):  # else torch's dtype depends on the sizes
            assert str(got.dtype).rpartition(".")[2] == str(want.dtype).rpartition(".")[2], case
            if len(operands) <= 2:
                assert got.stride() == want.stride(), case
        try:
            check_elements(lambda *x: torch.einsum(equation, *x), got, want, operands)
        except AssertionError:
            raise AssertionError(case) from None


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_random_tensordots_give_what_pytorch_gives(dtype):
    dice = random.Random(5)
    for _ in range(100):
        summed = [dice.randint(0 if dice.random() < 0.1 else 1, 4) for _ in range(dice.randint(0, 3))]
        shapes, places = [], []
        for _ in range(2):
            sizes = [(None, dice.randint(1, 4)) for _ in range(dice.randint(0, 3))] + list(enumerate(summed))
            dice.shuffle(sizes)
            shapes.append([size for _, size in sizes])
            places.append([[which for which, _ in sizes].index(i) for i in range(len(summed))])
        operands = [draw(dice, shape, dtype) for shape in shapes]
        want, got = torch.tensordot(*operands, dims=places), tenon.tensordot(*map(ours, operands), dims=places)
        assert got.stride() == want.stride()
        check_elements(lambda a, b: torch.tensordot(a, b, dims=places), got, want, operands)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_random_chains_give_what_pytorch_gives(dtype):
    dice = random.Random(6)
    for _ in range(40):
        count = dice.randint(2, 5)
        sizes = [dice.randint(1, 6) for _ in range(count + 1)]
        shapes = [[sizes[i], sizes[i + 1]] for i in range(count)]
        if dice.random() < 0.3:
            shapes[0] = shapes[0][1:]
        if dice.random() < 0.3:
            shapes[-1] = shapes[-1][:1]
        operands = [draw(dice, shape, dtype) for shape in shapes]
        want, got = torch.linalg.multi_dot(operands), tenon.linalg.multi_dot(list(map(ours, operands)))
        check_elements(lambda *x: torch.linalg.multi_dot(x), got, want, operands)


@pytest.mark.parametrize("arguments", [
    lambda x, y: (x, [0, 1], y, [1, 2], [0, 2]), lambda x, y: (x, [0, 1], y, [1, 2]), lambda x, y: (x, [0, ...]),
    lambda x, y: (x, [..., 51], [51, ...]), lambda x, y: ("ij,jk", [x, y]), lambda x, y: (x, (26, 0), (0, 26)),
])
def test_the_forms_of_arguments_are_those_of_pytorch(arguments):
    x, y = torch.randn(3, 4), torch.randn(4, 5)
    want, got = torch.einsum(*arguments(x, y)), tenon.einsum(*arguments(ours(x), ours(y)))
    assert got.stride() == want.stride()
    assert torch.allclose(theirs(got).float(), want)


@pytest.mark.parametrize("arguments", [
    lambda x: (x,), lambda x: (x, [0, 52]), lambda x: (x, [-1, 0]), lambda x: ("ij",), lambda x: (x, [0, "a"]), lambda x: ([0, 1], x),
    lambda x: ("ijk", x), lambda x: ("ij->ii", x), lambda x: ("ij->k", x), lambda x: ("i.j", x), lambda x: ("ij>ji", x),
    lambda x: ("ii", x), lambda x: ("ij,ij", x), lambda x: ("ij", x, x),
])
def test_what_pytorch_refuses_is_refused(arguments):
    with pytest.raises((RuntimeError, ValueError, TypeError)):
        torch.einsum(*arguments(torch.randn(3, 4)))
    with pytest.raises((RuntimeError, ValueError, TypeError)):
        tenon.einsum(*arguments(tenon.ones(3, 4)))
