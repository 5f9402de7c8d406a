"""Fifty steps of programs for PyTorch under both libraries, dropout on."""

import pathlib
import subprocess
import sys

import pytest

TRAINED = pathlib.Path(__file__).parent.parent / "trained"


def losses(program, dtype, *how):
    done = subprocess.run([sys.executable, "-B", "-W", "ignore", *how, str(TRAINED / f"{program}.py"), "50", dtype], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return [float(line) for line in done.stdout.split("\n")[:50]]


@pytest.mark.parametrize("dtype, tolerance", [("float64", 1e-8), ("float32", 1e-3)])
@pytest.mark.parametrize("program", ["gpt", "lstm", "vae", "dqn"])
def test_losses_are_pytorchs(program, dtype, tolerance):
    assert losses(program, dtype, "-m", "tenon.run") == pytest.approx(losses(program, dtype), rel=tolerance)
