"""Finds the package that `make` built: PYTHONPATH, or build/python of this tree."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent

try:
    import tenon
except ModuleNotFoundError:
    sys.path.insert(0, str(ROOT / "build" / "python"))
    import tenon


@pytest.fixture(autouse=True)
def nothing_stays_set():
    """Every test starts and ends with the usual settings."""
    yield
    tenon.set_default_dtype(tenon.float32)
    tenon.set_printoptions(profile="default", sci_mode=None)
