"""The expected text of tests/python/programs is what PyTorch prints."""

import pathlib
import subprocess
import sys

import pytest

PROGRAMS = sorted((pathlib.Path(__file__).parent.parent / "programs").glob("*.py"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_prints_what_is_expected(program):
    result = subprocess.run([sys.executable, "-P", "-W", "ignore", str(program)], capture_output=True, text=True, timeout=600)
    assert result.stdout == program.with_suffix(".expected").read_text(), result.stderr
