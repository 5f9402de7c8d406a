"""The three golden sets of ../shared/golden, where they are: operators recorded from PyTorch, NumPy's rounding, ONNX's nodes."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import tenon

GOLDEN = pathlib.Path(os.environ.get("TENON_GOLDEN", pathlib.Path(__file__).resolve().parents[3] / "shared" / "golden"))
ONNX = pathlib.Path("/usr/share/libonnx-testdata/data/node")

# Where PyTorch 2.13 itself differs from the recording of 1.13, or a result is anyone's choice: how many.
EXPECTED = {"unique": 13, "aminmax": 6, "histc": 6, "linspace": 4, "addbmm": 3, "baddbmm": 3, "__rmatmul__": 3, "matmul": 2,
            "native_layer_norm": 2}

needs_golden = pytest.mark.skipif(not (GOLDEN / "replay.py").exists(), reason=f"there is no golden set in {GOLDEN}")


def run(*arguments):
    path = pathlib.Path(tenon.__file__).parent.parent
    done = subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, timeout=900,
                          env={**os.environ, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"})
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@needs_golden
def test_operators_recorded_from_pytorch():
    text = run(GOLDEN / "replay.py", "tenon", GOLDEN / "torch-ops.jsonl.gz", "--strided", "-v")
    failures = {}
    for count, name, why in re.findall(r"^ +(\d+) (\S+) (.*)$", text, re.M):
        if "has no attribute" in why:
            assert not hasattr(tenon, name) or not hasattr(tenon.Tensor, name), (name, why)
            continue
        failures[name] = failures.get(name, 0) + int(count)
    beyond = {name: count for name, count in failures.items() if count > EXPECTED.get(name, 0)}
    assert not beyond, f"{beyond}\n{text[-3000:]}"


@needs_golden
def test_functions_are_rounded_as_well_as_numpys():
    text = run(GOLDEN / "ulp" / "ulp.py", "tenon", GOLDEN / "ulp")
    assert re.search(r"over/missing 0\b", text), text


@needs_golden
@pytest.mark.skipif(not ONNX.exists(), reason="Debian's libonnx-testdata is not installed")
def test_nodes_of_onnx():
    text = run(GOLDEN / "onnx" / "replay.py", "tenon", ONNX, "-v")
    failed = re.findall(r"^.*FAIL.*$", text, re.M)
    assert not failed, "\n".join(failed[:20])
