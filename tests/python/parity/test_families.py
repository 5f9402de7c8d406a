"""Random short programs of linear algebra, transforms, special functions, layers, losses, views and changes in place agree with PyTorch."""

import warnings

import pytest

import families


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_random_programs_agree(first):
    warnings.simplefilter("ignore")
    for seed in range(first, first + 100):
        assert families.compare(seed) is None, f"seed {seed}: {families.program(seed)[1]}"


def test_every_step_of_every_family_is_taken():
    taken = {(family, name) for seed in range(20000) for family, name, *_ in families.program(seed)[1]}
    assert taken == {(family, name) for family, steps in families.FAMILIES.items() for name in steps}
