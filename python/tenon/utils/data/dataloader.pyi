# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon.utils.data import DataLoader as DataLoader
from tenon.utils.data import default_collate as default_collate
from tenon.utils.data import default_convert as default_convert
from tenon.utils.data import get_worker_info as get_worker_info

