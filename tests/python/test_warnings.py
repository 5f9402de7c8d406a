"""Warnings: where torch gives them, in its category, at the line of the program."""

import threading
import warnings

import numpy as np
import pytest

import tenon


def warned(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = call()
    assert all(one.category is UserWarning and one.filename == __file__ for one in caught), caught
    return result, [str(one.message) for one in caught]


def read_only():
    array = np.arange(3)
    array.setflags(write=False)
    return array


@pytest.mark.parametrize("call", [
    lambda: tenon.from_numpy(read_only()), lambda: tenon.as_tensor(read_only()), lambda: tenon.asarray(read_only()),
    lambda: tenon.frombuffer(b"abcd", dtype=tenon.uint8)])
def test_a_tensor_over_read_only_memory_is_remarked(call):
    made, texts = warned(call)
    assert len(texts) == 1 and "read-only" in texts[0] and made.numel() >= 3
    with pytest.raises(tenon.ReadOnlyError):
        made[0] = 1


@pytest.mark.parametrize("call", [
    lambda: tenon.tensor(read_only()), lambda: tenon.asarray(read_only(), copy=True), lambda: tenon.as_tensor(read_only(), tenon.float32),
    lambda: tenon.from_numpy(np.arange(3)), lambda: tenon.frombuffer(bytearray(4), dtype=tenon.uint8)])
def test_a_copy_and_memory_that_can_be_written_are_not(call):
    made, texts = warned(call)
    assert texts == [] and made.fill_(1).sum() == made.numel()


def test_a_list_that_is_read_as_a_tuple_is_remarked():
    x = tenon.arange(9).reshape(3, 3)
    for key in ([[0, 1], [1, 2]], [range(2), range(1, 3)], [tenon.tensor([0, 1]), tenon.tensor([1, 2])], [np.array([0, 1]), np.array([1, 2])]):
        result, texts = warned(lambda: x[key])
        assert result.tolist() == [1, 5] and len(texts) == 1
    assert warned(lambda: x[[0, 1]])[1] == [] and warned(lambda: x[[0, 1], [1, 2]])[1] == []


def test_a_mask_of_uint8_is_remarked_and_a_warning_that_is_an_error_is_told_after_the_call():
    x = tenon.arange(3)
    mask = tenon.tensor([1, 0, 1], dtype=tenon.uint8)
    result, texts = warned(lambda: x[mask])
    assert result.tolist() == [0, 2] and len(texts) == 1 and "uint8" in texts[0]
    assert warned(lambda: x[mask.bool()])[1] == [] and len(warned(lambda: x.__setitem__(mask, 7))[1]) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning):
            x[mask]
        with pytest.raises(UserWarning):
            x[mask] = 9
    assert x.tolist() == [9, 1, 9] and warned(lambda: x + 1)[1] == []
    with pytest.raises(IndexError), pytest.warns(UserWarning):
        x[mask, mask, mask]


def test_warnings_of_several_threads_are_each_ones_own():
    x, mask, seen = tenon.arange(2), tenon.tensor([1, 0], dtype=tenon.uint8), []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        threads = [threading.Thread(target=lambda: seen.append([x[mask].tolist() for _ in range(50)])) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seen == [[[0]] * 50] * 4 and len(caught) == 200


def test_a_warning_that_is_made_an_error_is_the_error_of_the_call():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for call in (lambda: tenon.from_numpy(read_only()), lambda: tenon.zeros(2, 2)[[range(1), range(1)]]):
            with pytest.raises(UserWarning):
                call()
    assert tenon.ones(2).sum() == 2


@pytest.mark.parametrize("size", [4, 1000])  # of few elements all are added to in a wide copy
def test_a_mask_of_uint8_that_is_added_under_is_remarked_once(size):
    x, mask = tenon.zeros(size, dtype=tenon.int8), tenon.zeros(size, dtype=tenon.uint8)
    mask[2] = 1
    result, texts = warned(lambda: x.index_put_((mask,), tenon.tensor([5], dtype=tenon.int8), accumulate=True))
    assert result[2] == 5 and result.sum() == 5 and len(texts) == 1 and "uint8" in texts[0]


@pytest.mark.parametrize("call", [
    lambda: tenon.ones(1).var(), lambda: tenon.ones(0).std(), lambda: tenon.ones(3, 5).var(1, correction=5),
    lambda: tenon.var_mean(tenon.ones(1))[0], lambda: tenon.std_mean(tenon.ones(1))[0], lambda: tenon.cov(tenon.ones(2, 1)),
    lambda: tenon.cov(tenon.ones(2, 0)), lambda: tenon.corrcoef(tenon.ones(2, 1)),
    lambda: tenon.cov(tenon.ones(2, 3), fweights=tenon.tensor([0, 1, 0])),
    lambda: tenon.cov(tenon.ones(2, 2), aweights=tenon.tensor([1.0, 0.0]))])
def test_a_spread_without_degrees_of_freedom_is_remarked(call):
    result, texts = warned(call)
    assert result.isnan().all() and len(texts) == 1 and "degrees of freedom" in texts[0]
    assert warned(lambda: tenon.ones(2).var())[1] == []
