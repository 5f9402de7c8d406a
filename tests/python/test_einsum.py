"""einsum and its kin against a naive model, and what only Python has: lists of labels, the explanation, tensordot's forms."""

import itertools
import random

import pytest
import tenon


def naive(operands, lists, output):
    """Every combination of labels: {index of the result: sum}."""
    sizes = {}
    for operand, labels in zip(operands, lists):
        for label, size in zip(labels, operand.shape):
            sizes[label] = size if sizes.get(label, 1) == 1 else sizes[label]
    sums = {index: 0 for index in itertools.product(*(range(sizes[label]) for label in output))}
    for place in itertools.product(*(range(size) for size in sizes.values())):
        at = dict(zip(sizes, place))
        product = 1
        for operand, labels in zip(operands, lists):
            product *= operand[tuple(at[label] if size > 1 else 0 for label, size in zip(labels, operand.shape))].item()
        sums[tuple(at[label] for label in output)] += product
    return sums


@pytest.mark.parametrize("seed", range(40))
def test_lists_of_labels_give_what_a_naive_loop_gives(seed):
    dice = random.Random(seed)
    sizes = {label: dice.randint(1, 3) for label in range(52)}
    lists = [[dice.choice([0, 1, 2, 26, 51]) for _ in range(dice.randint(0, 3))] for _ in range(dice.randint(1, 3))]
    operands = [tenon.randint(-3, 4, [sizes[label] for label in labels]) for labels in lists]
    used = sorted({label for labels in lists for label in labels})
    output = dice.sample(used, dice.randint(0, len(used)))
    result = tenon.einsum(*(part for pair in zip(operands, lists) for part in pair), output)
    assert list(result.shape) == [sizes[label] for label in output]
    for index, value in naive(operands, lists, output).items():
        assert result[index].item() == value


def test_operands_may_be_a_list_and_labels_an_ellipsis():
    x, y = tenon.arange(6.0).reshape(2, 3), tenon.arange(12.0).reshape(3, 4)
    expected = tenon.einsum("ij,jk->ik", x, y)
    assert tenon.equal(tenon.einsum("ij,jk", [x, y]), expected)
    assert tenon.equal(tenon.einsum(x, [..., 0], y, [0, 1], [..., 1]), expected)
    assert expected.tolist() == [[20.0, 23.0, 26.0, 29.0], [56.0, 68.0, 80.0, 92.0]]


def test_a_transpose_is_a_view():
    x = tenon.zeros(2, 3)
    tenon.einsum("ij->ji", x)[2, 1] = 5
    assert x[1, 2].item() == 5


@pytest.mark.parametrize("arguments, words", [
    (lambda x: ("ij,jk->iz", x, x), "output label z at character 9 appears in no operand"),
    (lambda x: ("ij",), "wants an equation and tensors"),
    (lambda x: (x, [0, 52]), "label 52 is not from 0 to 51"),
    (lambda x: (x, "ij"), "the list of its labels"),
    (lambda x: ("ij", 3), "operand 0 is not a tensor"),
    (lambda x: (x, [0, 0.5]), "a label is a whole number"),
    (lambda x: (3, x), "the equation is a text"),
])
def test_errors_say_what_is_wrong(arguments, words):
    for function in (tenon.einsum, tenon.einsum_path):
        with pytest.raises((ValueError, TypeError, RuntimeError), match=words):
            function(*arguments(tenon.ones(3, 3)))


def test_the_path_is_told_and_so_are_copies():
    x, y = tenon.ones(3, 4, 5), tenon.ones(4, 3, 6)
    text = tenon.einsum_path("abc,bad->cd", x, y)
    assert text.splitlines()[-1] == "in all: 360 multiplications, 1 copy of 60 elements, largest result 30 elements"
    before = tenon.copy_counters()["copies"]
    tenon.einsum("abc,bad->cd", x, y)
    assert tenon.copy_counters()["copies"] == before + 1


def test_tensordot_takes_a_number_and_two_lists():
    x, y = tenon.arange(24.0).reshape(2, 3, 4), tenon.arange(60.0).reshape(3, 4, 5)
    expected = tenon.einsum("abc,bcd->ad", x, y)
    for dims in (2, ([1, 2], [0, 1]), ((2, 1), (1, 0)), tenon.tensor(2), tenon.tensor([2]), tenon.tensor([[1, 2], [0, 1]])):
        assert tenon.equal(tenon.tensordot(x, y, dims), expected)
    out = tenon.empty(0)
    assert tenon.tensordot(x, y, out=out) is out and tenon.equal(out, expected)
    for dims in ((1, 0), ([1],), ([1], [0], [0])):
        with pytest.raises(TypeError, match="two lists"):
            tenon.tensordot(x, y, dims)


def test_chains_write_to_out():
    matrices = [tenon.ones(2, 3), tenon.ones(3, 4), tenon.ones(4, 2)]
    out = tenon.empty(2, 2)
    assert tenon.linalg.multi_dot(matrices, out=out) is out and out.tolist() == [[12.0, 12.0], [12.0, 12.0]]
    assert tenon.equal(tenon.chain_matmul(*matrices), out)


def test_on_meta_the_sizes_are_known():
    x = tenon.empty(3, 4, device="meta")
    assert tuple(tenon.einsum("ij,kj->ki", x, x).shape) == (3, 3)
    assert tuple(tenon.tensordot(x, x, 2).shape) == ()


def test_more_labels_than_a_tensor_has_dimensions_are_no_obstacle():
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    x, y = tenon.ones([1] * 64), tenon.ones([1] * 63 + [2])
    result = tenon.einsum(f"{letters[:20]}...,{letters[32:]}...->{letters[:3]}", x, y)  # 84 labels
    assert tuple(result.shape) == (1, 1, 1) and result.sum().item() == 2
    with pytest.raises(RuntimeError, match="more than 64 dimensions"):
        tenon.einsum(f"...,{letters[:40]}->...{letters[:40]}", x, tenon.ones([1] * 40))
