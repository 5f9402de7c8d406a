# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon.nn.utils import parameters_to_vector as parameters_to_vector
from tenon.nn.utils import vector_to_parameters as vector_to_parameters

