# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor

def functional_call(module: Any, parameters_and_buffers: Any, args: Any = ..., kwargs: Any = ..., *, tie_weights: bool = ..., strict: bool = ...) -> Any: ...
