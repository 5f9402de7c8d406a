# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon import _core
from tenon._core import LinAlgError as LinAlgError
cholesky = _core.linalg_cholesky
cholesky_ex = _core.linalg_cholesky_ex
cond = _core.linalg_cond
cross = _core.linalg_cross
det = _core.linalg_det
eig = _core.linalg_eig
eigh = _core.linalg_eigh
eigvals = _core.linalg_eigvals
eigvalsh = _core.linalg_eigvalsh
householder_product = _core.linalg_householder_product
inv = _core.linalg_inv
inv_ex = _core.linalg_inv_ex
ldl_factor = _core.linalg_ldl_factor
ldl_factor_ex = _core.linalg_ldl_factor_ex
ldl_solve = _core.linalg_ldl_solve
lstsq = _core.linalg_lstsq
lu = _core.linalg_lu
lu_factor = _core.linalg_lu_factor
lu_factor_ex = _core.linalg_lu_factor_ex
lu_solve = _core.linalg_lu_solve
matmul = _core.linalg_matmul
matrix_exp = _core.linalg_matrix_exp
matrix_norm = _core.linalg_matrix_norm
matrix_power = _core.linalg_matrix_power
matrix_rank = _core.linalg_matrix_rank
multi_dot = _core.linalg_multi_dot
norm = _core.linalg_norm
pinv = _core.linalg_pinv
qr = _core.linalg_qr
slogdet = _core.linalg_slogdet
solve = _core.linalg_solve
solve_ex = _core.linalg_solve_ex
solve_triangular = _core.linalg_solve_triangular
svd = _core.linalg_svd
svdvals = _core.linalg_svdvals
tensorinv = _core.linalg_tensorinv
tensorsolve = _core.linalg_tensorsolve
vander = _core.linalg_vander
vecdot = _core.linalg_vecdot
vector_norm = _core.linalg_vector_norm

def diagonal(A: Any, *, offset: Any = ..., dim1: Any = ..., dim2: Any = ...) -> Any: ...
