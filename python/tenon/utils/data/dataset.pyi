# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon.utils.data import ChainDataset as ChainDataset
from tenon.utils.data import ConcatDataset as ConcatDataset
from tenon.utils.data import Dataset as Dataset
from tenon.utils.data import IterableDataset as IterableDataset
from tenon.utils.data import StackDataset as StackDataset
from tenon.utils.data import Subset as Subset
from tenon.utils.data import TensorDataset as TensorDataset
from tenon.utils.data import random_split as random_split

