"""The examples of docs/python.md, docs/files.md and of the docstrings of the package."""

import doctest
import pathlib

import pytest

import tenon

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page, least", [("python.md", 40), ("files.md", 25)])
def test_the_pages_say_what_happens(page, least):
    path = pathlib.Path(__file__).resolve().parents[2] / "docs" / page
    result = doctest.testfile(str(path), module_relative=False, optionflags=FLAGS)
    assert result.attempted > least and result.failed == 0


def test_the_package_says_what_happens():
    assert doctest.testmod(tenon, optionflags=FLAGS).failed == 0
