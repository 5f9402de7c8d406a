"""Modules beside PyTorch: names and bits of the state, texts, outputs and gradients, training and not."""

import pathlib
import sys

import pytest
import torch

import tenon

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import module_cases  # noqa: E402


@pytest.mark.parametrize("eval_mode", [False, True])
@pytest.mark.parametrize("case", module_cases.CASES)
def test_a_module_is_pytorchs(case, eval_mode):
    wanted = module_cases.run(torch, case, eval_mode)
    made = module_cases.run(tenon, case, eval_mode)
    assert module_cases.differences(made, wanted) == []


def test_every_module_of_pytorch_is_there_or_left_out_on_purpose():
    missing = {name for name in torch.nn.__all__ if not hasattr(tenon.nn, name)} if hasattr(torch.nn, "__all__") else set()
    missing |= {name for name in dir(torch.nn) if isinstance(getattr(torch.nn, name), type) and not hasattr(tenon.nn, name)}
    assert missing <= {"LinearCrossEntropyLoss", "LinearCrossEntropyOptions"}
