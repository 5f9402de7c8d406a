"""Random programs of views, changes in place, hooks and sections without recording have PyTorch's gradients and refusals."""

import warnings

import pytest

import graphs


@pytest.mark.parametrize("first", range(0, 1000, 100))
def test_random_programs_agree(first):
    warnings.simplefilter("ignore")
    ended = 0
    for seed in range(first, first + 100):
        steps = graphs.normal(graphs.program(seed))
        result = graphs.compare(steps)
        ended += result == "ended"
        assert result in (None, "ended"), f"seed {seed}: {result}"
    assert ended < 50
