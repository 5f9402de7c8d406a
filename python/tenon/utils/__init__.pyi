# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon.utils import checkpoint as checkpoint, data as data, deterministic as deterministic, dlpack as dlpack, hooks as hooks
from tenon import Tensor

def set_module(obj: Any, mod: Any) -> Any: ...
