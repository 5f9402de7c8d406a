"""torch.nn.common_types: names for annotations, of a number or one for each dimension."""

from typing import Optional, Tuple, TypeVar, Union

from tenon._core import Tensor

_T = TypeVar("_T")
_scalar_or_tuple_any_t = Union[_T, Tuple[_T, ...]]
_scalar_or_tuple_1_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t = Union[_T, Tuple[_T]], Union[_T, Tuple[_T, _T]], Union[_T, Tuple[_T, _T, _T]]
_scalar_or_tuple_4_t, _scalar_or_tuple_5_t, _scalar_or_tuple_6_t = (Union[_T, Tuple[(_T,) * count]] for count in (4, 5, 6))
_size_any_t, _size_1_t, _size_2_t, _size_3_t, _size_4_t, _size_5_t, _size_6_t = (one[int] for one in (
    _scalar_or_tuple_any_t, _scalar_or_tuple_1_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t, _scalar_or_tuple_4_t,
    _scalar_or_tuple_5_t, _scalar_or_tuple_6_t))
_size_any_opt_t, _size_2_opt_t, _size_3_opt_t = (one[Optional[int]] for one in (
    _scalar_or_tuple_any_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t))
_ratio_any_t, _ratio_2_t, _ratio_3_t = (one[float] for one in (_scalar_or_tuple_any_t, _scalar_or_tuple_2_t, _scalar_or_tuple_3_t))
_tensor_list_t = _scalar_or_tuple_any_t[Tensor]
_maybe_indices_t = _scalar_or_tuple_2_t[Tensor]
