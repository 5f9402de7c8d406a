# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon.nn.utils import clip_grad_norm as clip_grad_norm
from tenon.nn.utils import clip_grad_norm_ as clip_grad_norm_
from tenon.nn.utils import clip_grad_value_ as clip_grad_value_
from tenon.nn.utils import clip_grads_with_norm_ as clip_grads_with_norm_
from tenon.nn.utils import get_total_norm as get_total_norm

