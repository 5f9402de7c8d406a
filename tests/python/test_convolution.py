"""Convolutions in Python: nn.functional's names and arguments as PyTorch spells them, and values against NumPy's sums."""

import itertools
import random

import numpy as np
import pytest

import tenon
from tenon.nn import functional as F


def model(x, w, stride, padding, dilation, groups):
    """A convolution of images of two dimensions, window by window."""
    x = np.pad(x, ((0, 0), (0, 0), (padding[0],) * 2, (padding[1],) * 2))
    reach = [d * (k - 1) + 1 for d, k in zip(dilation, w.shape[2:])]
    rows, columns = ((x.shape[2 + d] - reach[d]) // stride[d] + 1 for d in range(2))
    out = np.zeros((x.shape[0], w.shape[0], rows, columns), dtype=x.dtype)
    lines = w.shape[0] // groups
    for i, j in itertools.product(range(rows), range(columns)):
        window = x[:, :, i * stride[0]:i * stride[0] + reach[0]:dilation[0], j * stride[1]:j * stride[1] + reach[1]:dilation[1]]
        for g in range(groups):
            part = window[:, g * w.shape[1]:(g + 1) * w.shape[1]]
            out[:, g * lines:(g + 1) * lines, i, j] = np.einsum("nckl,ockl->no", part, w[g * lines:(g + 1) * lines])
    return out


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "complex128"])
def test_conv2d_is_the_sum_over_its_windows(dtype):
    draw = random.Random(7)
    for _ in range(12):
        groups = draw.choice([1, 2])
        x = np.array([draw.randint(-3, 3) for _ in range(2 * 4 * 6 * 7)]).reshape(2, 4, 6, 7).astype(dtype)
        w = np.array([draw.randint(-3, 3) for _ in range(6 * (4 // groups) * 6)]).reshape(6, 4 // groups, 3, 2).astype(dtype)
        stride, padding, dilation = ([draw.randint(low, 2) for _ in range(2)] for low in (1, 0, 1))
        got = F.conv2d(tenon.tensor(x), tenon.tensor(w), None, stride, padding, dilation, groups)
        assert np.array_equal(np.asarray(got), model(x, w, stride, padding, dilation, groups))


def test_arguments_may_be_numbers_lists_and_words():
    x, w = tenon.arange(50.0).reshape(1, 2, 5, 5), tenon.ones(3, 2, 3, 3)
    one = F.conv2d(x, w, stride=2, padding=1)
    assert tenon.equal(one, F.conv2d(x, w, stride=(2, 2), padding=[1, 1], dilation=1, groups=1))
    assert tenon.equal(F.conv2d(x, w, padding="same"), F.conv2d(x, w, padding=1))
    assert tenon.equal(F.conv2d(x, w, padding="valid"), F.conv2d(x, w))
    assert F.conv2d(x[0], w).shape == (3, 3, 3)
    assert F.conv_transpose2d(x, tenon.ones(2, 3, 2, 2), stride=2, output_padding=1).shape == (1, 3, 11, 11)
    assert tenon.conv1d(tenon.ones(1, 2, 5), tenon.ones(1, 2, 2)).shape == (1, 1, 4)
    assert tenon.convolution(x, w, None, [1], [0], [1], False, [0], 1).shape == (1, 3, 3, 3)


def test_fold_adds_up_what_unfold_has_taken_apart():
    x = tenon.arange(32.0).reshape(1, 2, 4, 4)
    columns = F.unfold(x, 2, stride=2)
    assert columns.shape == (1, 8, 4)
    assert tenon.equal(F.fold(columns, 4, 2, stride=2), x)
    assert tenon.equal(F.fold(F.unfold(tenon.ones(1, 1, 3, 3), 2), (3, 3), 2)[0, 0], tenon.tensor([[1.0, 2, 1], [2, 4, 2], [1, 2, 1]]))


def test_what_does_not_fit_is_refused_with_its_numbers():
    x = tenon.ones(1, 4, 5, 5)
    with pytest.raises(RuntimeError, match="4 channels, and weight .* is for 3"):
        F.conv2d(x, tenon.ones(2, 3, 3, 3))
    with pytest.raises(RuntimeError, match="does not fit into the padded input"):
        F.conv2d(x, tenon.ones(2, 4, 7, 7))
    with pytest.raises(RuntimeError, match="padding 'same' is for a stride of 1"):
        F.conv2d(x, tenon.ones(2, 4, 3, 3), stride=2, padding="same")
