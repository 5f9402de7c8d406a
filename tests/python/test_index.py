"""x[...] against NumPy, which has the same rules for everything that is drawn here."""

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from hypothesis.extra import numpy as shapes

import tenon


def both(shape):
    array = np.arange(int(np.prod(shape))).reshape(shape)
    return tenon.tensor(array), array


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_views_are_numpys(data):
    shape = data.draw(shapes.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4))
    x, a = both(shape)
    key = data.draw(shapes.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    y, b = x[key], a[key]
    assert y.shape == b.shape and y.tolist() == b.tolist()
    if b.size and isinstance(b, np.ndarray):
        assert y.data_ptr() - x.data_ptr() == b.__array_interface__["data"][0] - a.__array_interface__["data"][0]
        assert [s * 8 for s, n in zip(y.stride(), y.shape) if n > 1] == [s for s, n in zip(b.strides, b.shape) if n > 1]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_assignments_are_numpys(data):
    shape = data.draw(shapes.array_shapes(min_dims=1, max_dims=3, max_side=4))
    x, a = both(shape)
    key = data.draw(shapes.basic_indices(shape, allow_newaxis=True, allow_ellipsis=True))
    x[key] = -1
    a[key] = -1
    assert x.tolist() == a.tolist()
    value = data.draw(st.integers(0, 99))
    x[key] = tenon.full(x[key].shape, value)
    a[key] = value
    assert x.tolist() == a.tolist()


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_lists_of_positions_and_masks_are_numpys(data):
    shape = data.draw(shapes.array_shapes(min_dims=1, max_dims=3, max_side=4))
    x, a = both(shape)
    rows = data.draw(shapes.integer_array_indices(shape, result_shape=shapes.array_shapes(min_dims=1, max_dims=2, max_side=3)))
    assert x[tuple(tenon.tensor(r) for r in rows)].tolist() == a[rows].tolist() == x[rows].tolist()
    mask = data.draw(shapes.arrays(bool, shape))
    assert x[tenon.tensor(mask)].tolist() == a[mask].tolist() == x[mask].tolist()
    x[tenon.tensor(mask)] = -1
    a[mask] = -1
    assert x.tolist() == a.tolist()


def test_lists_bools_and_tensors_without_dimensions():
    x, a = both((3, 4))
    assert x[[0, 2]].tolist() == a[[0, 2]].tolist() and x[:, [1, 0]].tolist() == a[:, [1, 0]].tolist()
    assert x[[]].shape == (0, 4) and x[True].shape == (1, 3, 4) and x[False].shape == (0, 3, 4)
    assert x[tenon.tensor(1)].tolist() == a[1].tolist() and x[tenon.tensor(1)]._is_view()
    with pytest.warns(UserWarning, match="tuple"):
        assert x[[[0, 1], [1, 2]]].tolist() == [1, 6]  # torch reads the outer list as a tuple
    assert x[range(2)].tolist() == a[[0, 1]].tolist()


@pytest.mark.parametrize("key, error", [(3, IndexError), ((0, 0, 0), IndexError), ("a", TypeError), (b"a", TypeError), ((0, "a"), TypeError), (1.5, IndexError),
                                        ((Ellipsis, Ellipsis), IndexError), (slice(None, None, 0), (ValueError, RuntimeError)), (2 ** 70, IndexError),
                                        ([0, 9], IndexError)])
def test_wrong_indices_are_refused(key, error):
    with pytest.raises(error):
        tenon.zeros(3, 4)[key]
    with pytest.raises(error):
        tenon.zeros(3, 4)[key] = 1


def test_elements_cannot_be_deleted():
    with pytest.raises(TypeError):
        del tenon.zeros(3)[0]


def test_a_list_with_more_than_integers_in_it_is_a_tuple():
    x = tenon.arange(9).reshape(3, 3)
    with pytest.warns(UserWarning, match="tuple"):
        assert x[[range(2), range(1, 3)]].tolist() == [1, 5] and x[[0, range(2)]].tolist() == [0, 1]
        assert x[[range(2)]].tolist() == x[:2].tolist() and x[[(0, 1)]].tolist() == x[:2].tolist()
        assert x[[np.array([0, 1]), np.array([1, 2])]].tolist() == [1, 5] and x[[np.array(0), np.array(1)]].item() == 1
        y = x.clone()
        y[[range(2), range(2)]] = -1
        assert y.diagonal().tolist() == [-1, -1, 8]
        for wrong in (["ab"], [b"ab"]):
            with pytest.raises(TypeError):
                x[wrong]
