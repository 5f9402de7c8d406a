"""Names of linear algebra that PyTorch has outside torch.linalg and that are not operators of the table."""

from tenon import _core


def lu(A, pivot=True, get_infos=False, out=None):
    """The factors of A = P L U in one matrix, and the pivots; with get_infos also what went wrong, instead of an error."""
    LU, pivots, infos = _core.linalg_lu_factor_ex(A, pivot=pivot, check_errors=not get_infos)
    made = (LU, pivots, infos) if get_infos else (LU, pivots)
    if out is None:
        return made
    if len(out) != len(made):
        raise TypeError(f"lu: out has {len(out)} tensors, and there are {len(made)} results")
    for given, part in zip(out, made):
        given.resize_(part.shape).copy_(part)
    return tuple(out)


def frobenius_norm(input, dim=(), keepdim=False, *, out=None):
    """The square root of the sum of squares over two dimensions, or over all."""
    dim = (dim,) if isinstance(dim, int) else tuple(dim)
    if len(dim) > 2:
        raise RuntimeError(f"frobenius_norm: dim has at most two dimensions, not {len(dim)}")
    return _core.linalg_vector_norm(input, 2, dim or None, keepdim, out=out)


def nuclear_norm(input, dim=None, keepdim=False, *, out=None):
    """The sum of the singular values of matrices, in two dimensions dim or the last two."""
    return _core.linalg_matrix_norm(input, "nuc", (-2, -1) if dim is None else tuple(dim), keepdim, out=out)


def lobpcg(*arguments, **options):
    """Not here: eigh gives all eigenvalues."""
    raise NotImplementedError("lobpcg: there is no iterative search for eigenvalues; linalg.eigh gives all of them")


def _range_of(A, q, niter):
    """Orthonormal columns that nearly span those of A (Halko, Martinsson and Tropp 2009, algorithm 4.4)."""
    turned = A.mH
    Q = _core.linalg_qr(A @ _core.randn(A.shape[-1], q, dtype=A.dtype)).Q
    for _ in range(niter):
        Q = _core.linalg_qr(turned @ Q).Q
        Q = _core.linalg_qr(A @ Q).Q
    return Q


def _check(name, A, q, niter):
    if A.dim() < 2:
        raise ValueError(f"{name}: A has two dimensions or more, not {A.dim()}")
    if q < 0 or niter < 0:
        raise ValueError(f"{name}: q and niter are not negative, and are {q} and {niter}")


def svd_lowrank(A, q=6, niter=2, M=None):
    """About the q largest singular values of A, or of A - M, with their vectors: U, S and V of A = U diag(S) V^H. Random numbers
    find the columns to look at, niter rounds make them better."""
    q = 6 if q is None else q
    _check("svd_lowrank", A, q, niter)
    if M is not None:
        A = A - M.broadcast_to(A.shape)
    wide = A.shape[-2] < A.shape[-1]
    tall = A.mH if wide else A
    Q = _range_of(tall, q, niter)
    U, S, Vh = _core.linalg_svd(Q.mH @ tall, full_matrices=False)
    return (Vh.mH, S, Q @ U) if wide else (Q @ U, S, Vh.mH)


def pca_lowrank(A, q=None, center=True, niter=2):
    """The principal components of the rows of A: svd_lowrank of A, with center without the mean of its rows."""
    if A.dim() < 2:
        raise ValueError(f"pca_lowrank: A has two dimensions or more, not {A.dim()}")
    most = min(A.shape[-2:])
    q = min(6, most) if q is None else q
    if not 0 <= q <= most:
        raise ValueError(f"pca_lowrank: q is from 0 to {most}, the smaller side of A, not {q}")
    return svd_lowrank(A - A.mean(-2, True) if center else A, q, niter)
