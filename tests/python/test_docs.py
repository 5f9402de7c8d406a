"""The examples of docs/python.md and of the docstrings of the package."""

import doctest
import pathlib

import tenon

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_page_says_what_happens():
    page = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
    result = doctest.testfile(str(page), module_relative=False, optionflags=FLAGS)
    assert result.attempted > 40 and result.failed == 0


def test_the_package_says_what_happens():
    assert doctest.testmod(tenon, optionflags=FLAGS).failed == 0
