"""Programs that say `import torch`, unchanged: a GPT, an LSTM, a VAE and a DQN give the losses that PyTorch gave."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
import tenon

HERE = pathlib.Path(__file__).parent
PATH = str(pathlib.Path(tenon.__file__).parent.parent)
with open(HERE / "recorded" / "trained.json") as file:
    WANTED = json.load(file)


def run(*arguments, folder=None, **more):
    return subprocess.run([sys.executable, "-B", "-m", "tenon.run", *map(str, arguments)], capture_output=True, text=True, timeout=300, cwd=folder,
                          env={**os.environ, "PYTHONPATH": PATH, **more})


def numbers(text):
    lines = text.split("\n")[:-1]
    return [float(line) for line in lines if line[:1] in "-0123456789"], [line for line in lines if line[:1] not in "-0123456789"]


@pytest.mark.parametrize("program", ["gpt", "lstm", "vae", "dqn"])
def test_a_program_for_pytorch_trains_as_under_pytorch(program):
    wanted, words = WANTED[program]
    done = run(HERE / "trained" / f"{program}.py", 10, "float64")
    assert done.returncode == 0, done.stderr
    losses, said = numbers(done.stdout)
    assert losses == pytest.approx(wanted, rel=1e-8) and said == words


PROGRAM = """
import sys, torch
import torch.nn as nn, torch.nn.functional as F, torch.optim as optim, torch.distributed as dist, torch.backends.cudnn as cudnn
from torch.nn.parallel import DistributedDataParallel
from torch.optim.adam import Adam
from torch.cuda.amp import GradScaler
import torch.onnx, torch.multiprocessing
print(sys.argv, __name__, sys.path[0], torch.nn.Linear(1, 1).weight.shape, torch.__name__, torch.float32, dist.is_available())
cudnn.benchmark = True
print(torch.cuda.is_available(), torch.backends.mps.is_available(), torch.accelerator.current_accelerator())
sys.exit(3)
"""


def test_a_program_sees_what_it_would_see(tmp_path):
    (tmp_path / "some.py").write_text(PROGRAM)
    done = run("some.py", "a", "--b", folder=tmp_path)
    first, second = done.stdout.split("\n")[:2]
    assert first == f"['some.py', 'a', '--b'] __main__ {tmp_path} torch.Size([1, 1]) torch torch.float32 False"
    assert second == "False False None" and done.returncode == 3 and done.stderr == ""
    done = run("-m", "some", "x", folder=tmp_path)
    assert done.stdout.startswith(f"['{tmp_path}/some.py', 'x'] __main__ {tmp_path} ") and done.returncode == 3


@pytest.mark.parametrize("text, words", [
    ("torch.nonsense", "torch.nonsense is not in Tenon"), ("torch.nn.Liner(1)", "tenon.nn.Linear"), ("torch.jit.script(1)", "torch.jit.script"),
    ("torch.onnx.export()", "torch.onnx.export"), ("import torchvision", "torchvision"), ("import torch.nowhere", "torch.nowhere is not in Tenon"),
    ("torch.distributed.init_process_group('gloo')", "init_process_group"), ("torch.cuda.synchronize()", "CUDA"),
])
def test_what_is_not_there_is_an_error_by_its_name(tmp_path, text, words):
    (tmp_path / "bad.py").write_text(f"import torch\n\ndef inner():\n    {text}\n\ninner()\n")
    done = run(tmp_path / "bad.py")
    assert done.returncode == 1 and words in done.stderr.split("\n")[-2]
    frames = [line for line in done.stderr.split("\n") if line.startswith("  File")]
    assert "bad.py" in frames[0] and "line 6" in frames[0]


def test_a_file_that_is_not_there_and_a_syntax_error(tmp_path):
    done = run(tmp_path / "none.py")
    assert done.returncode == 2 and "can't open file" in done.stderr
    (tmp_path / "bad.py").write_text("x = (\n")
    done = run(tmp_path / "bad.py")
    assert done.returncode == 1 and "SyntaxError" in done.stderr and "run.py" not in done.stderr


def test_no_other_torch_is_imported_and_what_is_there_is_not_replaced(tmp_path):
    (tmp_path / "torch.py").write_text("raise RuntimeError('the other one')")
    (tmp_path / "p.py").write_text("import torch; print(torch.ones(1).tolist())")
    assert run("p.py", folder=tmp_path).stdout == "[1.0]\n"
    (tmp_path / "torch.py").write_text("")
    (tmp_path / "q.py").write_text("import torch, tenon.run\ntry:\n    tenon.run.as_torch()\nexcept RuntimeError as e:\n    print(e)")
    done = subprocess.run([sys.executable, "-B", "q.py"], capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "PYTHONPATH": PATH})
    assert "imported already" in done.stdout
