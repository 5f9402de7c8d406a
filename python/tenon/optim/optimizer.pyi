# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon.optim import Optimizer as Optimizer

def register_optimizer_step_post_hook(hook: Any) -> Any: ...
def register_optimizer_step_pre_hook(hook: Any) -> Any: ...
