# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon.distributions import AbsTransform as AbsTransform
from tenon.distributions import AffineTransform as AffineTransform
from tenon.distributions import CatTransform as CatTransform
from tenon.distributions import ComposeTransform as ComposeTransform
from tenon.distributions import CorrCholeskyTransform as CorrCholeskyTransform
from tenon.distributions import CumulativeDistributionTransform as CumulativeDistributionTransform
from tenon.distributions import ExpTransform as ExpTransform
from tenon.distributions import IndependentTransform as IndependentTransform
from tenon.distributions import LowerCholeskyTransform as LowerCholeskyTransform
from tenon.distributions import PositiveDefiniteTransform as PositiveDefiniteTransform
from tenon.distributions import PowerTransform as PowerTransform
from tenon.distributions import ReshapeTransform as ReshapeTransform
from tenon.distributions import SigmoidTransform as SigmoidTransform
from tenon.distributions import SoftmaxTransform as SoftmaxTransform
from tenon.distributions import SoftplusTransform as SoftplusTransform
from tenon.distributions import StackTransform as StackTransform
from tenon.distributions import StickBreakingTransform as StickBreakingTransform
from tenon.distributions import TanhTransform as TanhTransform
from tenon.distributions import Transform as Transform

identity_transform: Any
