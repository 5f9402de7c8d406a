"""The three golden sets of ../shared/golden, where they are: operators recorded from PyTorch, NumPy's rounding, ONNX's nodes."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

import tenon
from tenon import _core

GOLDEN = pathlib.Path(os.environ.get("TENON_GOLDEN", pathlib.Path(__file__).resolve().parents[3] / "shared" / "golden"))
ONNX = pathlib.Path("/usr/share/libonnx-testdata/data/node")

# Where PyTorch 2.13 itself differs from the recording, which was made by 1.13: how many calls.
OTHER_IN_2_13 = {
    "unique": 13,
    "aminmax": 6,
    "histc": 6,
    "linspace": 4,
    "addbmm": 3,
    "baddbmm": 3,
    "__rmatmul__": 3,
    "matmul": 2,
    "native_layer_norm": 2,
    "addmm": 1,
    "bmm": 1,
    "matrix_exp": 1,
}

# Where float16 is rounded once here, after the sum, and by PyTorch after each product.
ROUNDED_ONCE = {"addr": 2}

# One as PyTorch 2.13, and one of 16 bits, computed in float32 here.
WIDER = {"matrix_exp": 2}

# ONNX writes bfloat16 as uint16, which the replay cannot tell from numbers; PyTorch 2.13 fails the same six.
BFLOAT16 = re.compile(r"test_cast(like)?_(BFLOAT16_to_FLOAT|FLOAT_to_BFLOAT16)(_expanded)?\b")

needs_golden = pytest.mark.skipif(not (GOLDEN / "replay.py").exists(), reason=f"there is no golden set in {GOLDEN}")


def run(*arguments):
    path = pathlib.Path(tenon.__file__).parent.parent
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=3600,
        env={**os.environ, "PYTHONPATH": str(path), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@needs_golden
def test_operators_recorded_from_pytorch():
    text = run(GOLDEN / "replay.py", "tenon", GOLDEN / "torch-ops.jsonl.gz", "--strided", "-v")
    failures = {}
    for count, name, why in re.findall(r"^ +(\d+) (\S+) (.*)$", text, re.M):
        if "no attribute" in why and not hasattr(_core, name):
            continue
        failures[name] = failures.get(name, 0) + int(count)
    allowed = {**OTHER_IN_2_13, **ROUNDED_ONCE, **WIDER}
    beyond = {name: count for name, count in failures.items() if count > allowed.get(name, 0)}
    assert not beyond, f"{beyond}\n{text[-3000:]}"
    assert int(re.search(r"'pass': (\d+)", text).group(1)) >= 7927


@needs_golden
def test_functions_are_rounded_as_well_as_numpys():
    text = run(GOLDEN / "ulp" / "ulp.py", "tenon", GOLDEN / "ulp")
    over = [line for line in text.splitlines() if "nan-ok True" not in line and not line.startswith("tenon")]
    assert all("missing" in line and not hasattr(_core, line.split()[0]) for line in over), over
    assert int(re.search(r"within tolerance (\d+)", text).group(1)) >= 19


@needs_golden
@pytest.mark.skipif(not ONNX.exists(), reason="Debian's libonnx-testdata is not installed")
def test_nodes_of_onnx():
    text = run(GOLDEN / "onnx" / "replay.py", "tenon", ONNX, "-v")
    failed = [
        line for line in re.findall(r"^ +(test_.*)$", text, re.M) if not BFLOAT16.match(line) and "has no attribute" not in line
    ]
    assert not failed, "\n".join(failed[:20])
    assert int(re.search(r"'pass': (\d+)", text).group(1)) >= 485
