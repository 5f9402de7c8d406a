# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon.distributions import kl_divergence as kl_divergence
from tenon.distributions import register_kl as register_kl

