# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon.utils.data import BatchSampler as BatchSampler
from tenon.utils.data import RandomSampler as RandomSampler
from tenon.utils.data import Sampler as Sampler
from tenon.utils.data import SequentialSampler as SequentialSampler
from tenon.utils.data import SubsetRandomSampler as SubsetRandomSampler
from tenon.utils.data import WeightedRandomSampler as WeightedRandomSampler

