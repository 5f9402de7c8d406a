"""Random short programs of linear algebra, transforms, special functions, layers, losses, views and changes in place, run by Tenon and by
PyTorch: both must refuse the same steps, and agree on shapes, dtypes, values, and the gradients of the leaves.

    python families.py [first seed] [count]      prints the programs that differ, each with its first step that does
"""

import random
import sys
import warnings

import numpy as np
import tenon
import torch

LIMIT = 1e6  # larger numbers are not followed: their digits are gone


def square(T, x):
    """A matrix that is far from singular, and has no eigenvalue twice, of the elements of x."""
    n = min(4, max(1, x.numel()))
    rows = x.reshape(-1)[:n]
    return rows.unsqueeze(1) * rows.unsqueeze(0) * 0.1 + T.diag_embed(rows.abs() + T.arange(n, dtype=T.float64) * 0.37 + 1.5)


def symmetric(T, x):
    a = square(T, x)
    return (a + a.mH) / 2


def ranged(x):
    """Real, between 0.1 and 0.9."""
    x = x.real if x.is_complex() else x
    return x.sigmoid() * 0.8 + 0.1


def real(x):
    return x.real if x.is_complex() else x


def images(x, channels=2):
    """(1, channels, 4, 4) of the elements of x."""
    x = real(x).reshape(-1)
    return x.repeat(-(-16 * channels // max(1, x.numel())))[: 16 * channels].reshape(1, channels, 4, 4)


def pair(x):
    x = real(x).reshape(-1)
    return x.repeat(-(-12 // max(1, x.numel())))[:12].reshape(4, 3)


def nth(r, *choices):
    return choices[int(r.choice * len(choices)) % len(choices)]


def dim(r, x):
    return r.number % x.ndim if x.ndim else 0


LINALG = {
    "inv": lambda T, x, y, r: T.linalg.inv(square(T, x)),
    "det": lambda T, x, y, r: T.linalg.det(square(T, x)),
    "slogdet": lambda T, x, y, r: T.linalg.slogdet(square(T, x))[1],
    "logdet": lambda T, x, y, r: T.logdet(square(T, real(x))),
    "solve": lambda T, x, y, r: T.linalg.solve(square(T, x), square(T, x).mT, left=r.choice < 0.5),
    "solve vector": lambda T, x, y, r: T.linalg.solve(square(T, x), square(T, x)[0]),
    "cholesky": lambda T, x, y, r: T.linalg.cholesky(symmetric(T, real(x)) + 2 * T.eye(min(4, max(1, x.numel())), dtype=T.float64), upper=r.choice < 0.5),
    "qr": lambda T, x, y, r: T.linalg.qr(square(T, x)[:, : r.number % 4 + 1], mode=nth(r, "reduced", "r"))[1].abs(),
    "eigvalsh": lambda T, x, y, r: T.linalg.eigvalsh(symmetric(T, x), UPLO=nth(r, "L", "U")),
    "eigh": lambda T, x, y, r: (lambda e: e[1] * e[0].exp().unsqueeze(-2) @ e[1].mH)(T.linalg.eigh(symmetric(T, x) * 0.3)),
    "svdvals": lambda T, x, y, r: T.linalg.svdvals(square(T, x)[: r.number % 4 + 1]),
    "svd": lambda T, x, y, r: (lambda s: s[0] * s[1].sqrt().unsqueeze(-2) @ s[2])(T.linalg.svd(square(T, x)[: r.number % 4 + 1], full_matrices=False)),
    "pinv": lambda T, x, y, r: T.linalg.pinv(square(T, x)[:, : r.number % 4 + 1]),
    "matrix_exp": lambda T, x, y, r: T.matrix_exp(square(T, x) * 0.2),
    "matrix_power": lambda T, x, y, r: T.linalg.matrix_power(square(T, x) * 0.4, r.number % 7 - 2),
    "norm": lambda T, x, y, r: T.linalg.norm(square(T, x), nth(r, None, "fro", "nuc", 2, -2, 1, -1, float("inf"), -float("inf"))),
    "vector_norm": lambda T, x, y, r: T.linalg.vector_norm(x + 0.3, nth(r, 2, 1, 3, 0.5, 0, float("inf"), -float("inf"), -1), dim=nth(r, None, -1, dim(r, x)), keepdim=r.number % 2 == 0),
    "cond": lambda T, x, y, r: T.linalg.cond(square(T, x), nth(r, None, 1, "fro", float("inf"), 2, -2, "nuc")),
    "multi_dot": lambda T, x, y, r: T.linalg.multi_dot([square(T, x) for _ in range(r.number % 3 + 2)]),
    "cross": lambda T, x, y, r: T.linalg.cross(pair(x), pair(y)),
    "vecdot": lambda T, x, y, r: T.linalg.vecdot(x, x * 1.5 + 0.5, dim=dim(r, x)),
    "vander": lambda T, x, y, r: T.linalg.vander(x.reshape(-1)[:3] * 0.5, N=r.number % 4 + 1),
    "lu": lambda T, x, y, r: T.linalg.lu_factor(square(T, x))[0],
    "lu_solve": lambda T, x, y, r: T.linalg.lu_solve(*T.linalg.lu_factor(square(T, x)), square(T, x) * 2, adjoint=r.choice < 0.5),
    "triangular": lambda T, x, y, r: T.linalg.solve_triangular(square(T, x), square(T, x) + 1, upper=r.choice < 0.5, left=r.number % 2 == 0, unitriangular=r.number % 3 == 0),
    "lstsq": lambda T, x, y, r: T.linalg.lstsq(square(T, x)[:, : r.number % 4 + 1], square(T, x)[:, :2])[0],
    "tensorinv": lambda T, x, y, r: T.linalg.tensorinv(square(T, x).unsqueeze(0), ind=2),
    "cholesky_solve": lambda T, x, y, r: T.cholesky_solve(square(T, x), square(T, x).tril(), upper=False),
    "cholesky_inverse": lambda T, x, y, r: T.cholesky_inverse(square(T, real(x)).triu(), upper=True),
    "householder": lambda T, x, y, r: T.linalg.householder_product(square(T, x).tril(-1), square(T, x)[0] * 0.3),
    "trace": lambda T, x, y, r: T.trace(square(T, x)),
    "matmul": lambda T, x, y, r: square(T, x) @ square(T, x).mH,
    "einsum": lambda T, x, y, r: T.einsum(nth(r, "ij,jk->ik", "ij,ij->i", "ij,kj->", "ii,jj->ij"), square(T, x), square(T, x) + 1),
    "kron": lambda T, x, y, r: T.kron(x.reshape(-1)[:2], x.reshape(-1)[:3]),
    "baddbmm": lambda T, x, y, r: T.baddbmm(square(T, x).unsqueeze(0), square(T, x).unsqueeze(0), square(T, x).unsqueeze(0), beta=0.5, alpha=-1.5),
    "cdist": lambda T, x, y, r: T.cdist(pair(x), pair(y) + 0.7, p=nth(r, 2.0, 1.0, 3.0, float("inf"))),
    "ldl": lambda T, x, y, r: T.linalg.ldl_factor(symmetric(T, x).detach())[0],
    "rank": lambda T, x, y, r: T.linalg.matrix_rank(square(T, x)) * 1.0,
}
NORMS = ("backward", "ortho", "forward", None)
FFT = {
    name: lambda T, x, y, r, name=name: getattr(T.fft, name)(real(x) if name in ("rfft", "ihfft") else x, n=nth(r, None, 3, 4, 7), dim=dim(r, x), norm=NORMS[r.number % 4])
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
}
FFT |= {
    name: lambda T, x, y, r, name=name: getattr(T.fft, name)(real(x) if name in ("rfftn", "ihfftn") else x, norm=NORMS[r.number % 4])
    for name in ("fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn")
}
FFT |= {
    "fftshift": lambda T, x, y, r: T.fft.fftshift(x if x.ndim else flat(x), nth(r, None, dim(r, x))),
    "ifftshift": lambda T, x, y, r: T.fft.ifftshift(x if x.ndim else flat(x)),
    "stft": lambda T, x, y, r: T.stft(images(x).reshape(-1), 8, hop_length=r.number % 4 + 1, window=T.hann_window(8, dtype=T.float64), center=r.choice < 0.5, normalized=r.number % 2 == 0, return_complex=True),
    "fft2": lambda T, x, y, r: T.fft.fft2(images(x), s=nth(r, None, (3, 5)), norm=NORMS[r.number % 4]),
    "rfft2": lambda T, x, y, r: T.fft.rfft2(images(x), s=nth(r, None, (3, 5))),
}
SPECIAL = {
    name: lambda T, x, y, r, name=name: getattr(T.special, name)(ranged(x) * nth(r, 1, 1, 0.5))
    for name in """entr erfcx i0 i0e i1 i1e log_ndtr ndtr ndtri logit expit sinc digamma gammaln erf erfc erfinv exp2 expm1 log1p psi round""".split()
}
SPECIAL |= {
    "xlog1py": lambda T, x, y, r: T.special.xlog1py(ranged(x), ranged(x) + 1),
    "xlogy": lambda T, x, y, r: T.special.xlogy(ranged(x), 2.5),
    "zeta": lambda T, x, y, r: T.special.zeta(ranged(x).detach() + 1.5, ranged(x) + 1),
    "polygamma": lambda T, x, y, r: T.special.polygamma(r.number % 4, ranged(x) + 0.5),
    "multigammaln": lambda T, x, y, r: T.special.multigammaln(ranged(x) + 2, r.number % 3 + 1),
    "gammainc": lambda T, x, y, r: getattr(T.special, nth(r, "gammainc", "gammaincc"))(ranged(x).detach() * 4, ranged(x) * 5),
    "log_softmax": lambda T, x, y, r: T.special.log_softmax(real(x), dim(r, x)),
    "logsumexp": lambda T, x, y, r: T.special.logsumexp(real(x), dim(r, x), keepdim=r.number % 2 == 0),
    "chebyshev": lambda T, x, y, r: T.special.chebyshev_polynomial_t(ranged(x).detach(), r.number),
}


def F(T):
    return T.nn.functional


NN = {
    "conv2d": lambda T, x, y, r: F(T).conv2d(images(x), images(y, 4)[:, :, :3, :3].reshape(2, 2, 3, 3) if r.choice < 0.5 else images(y)[:, :, : r.number % 3 + 1, :2], stride=r.number % 2 + 1, padding=nth(r, 0, 1, 2, "valid")),
    "conv_transpose2d": lambda T, x, y, r: F(T).conv_transpose2d(images(x), images(y, 4)[:, :, :3, :3].reshape(2, 2, 3, 3), stride=r.number % 2 + 1, padding=r.number % 2),
    "conv1d": lambda T, x, y, r: F(T).conv1d(images(x).reshape(2, 4, 4), images(y).reshape(4, 4, 2)[:, : nth(r, 4, 2)], groups=nth(r, 1, 2), dilation=r.number % 2 + 1),
    "max_pool2d": lambda T, x, y, r: F(T).max_pool2d(images(x) + 0.01 * T.arange(32, dtype=T.float64).reshape(1, 2, 4, 4), r.number % 3 + 1, stride=nth(r, None, 1, 2), ceil_mode=r.choice < 0.5),
    "avg_pool2d": lambda T, x, y, r: F(T).avg_pool2d(images(x), r.number % 3 + 1, stride=nth(r, None, 1, 2), count_include_pad=r.choice < 0.5),
    "adaptive_avg_pool2d": lambda T, x, y, r: F(T).adaptive_avg_pool2d(images(x), (r.number % 4 + 1, 3)),
    "lp_pool2d": lambda T, x, y, r: F(T).lp_pool2d(images(x).abs() + 0.1, 2, 2),
    "layer_norm": lambda T, x, y, r: F(T).layer_norm(pair(x), (3,), pair(y)[0], pair(y)[1], eps=nth(r, 1e-5, 0.1)),
    "group_norm": lambda T, x, y, r: F(T).group_norm(images(x, 4) + T.arange(64, dtype=T.float64).reshape(1, 4, 4, 4) * 0.05, nth(r, 1, 2, 4), eps=0.01),
    "rms_norm": lambda T, x, y, r: F(T).rms_norm(pair(x), (3,), pair(y)[0], eps=0.01),
    "batch_norm": lambda T, x, y, r: F(T).batch_norm(images(x) + T.arange(32, dtype=T.float64).reshape(1, 2, 4, 4) * 0.05, None, None, training=True, eps=0.01),
    "instance_norm": lambda T, x, y, r: F(T).instance_norm(images(x) + T.arange(32, dtype=T.float64).reshape(1, 2, 4, 4) * 0.05, eps=0.01),
    "local_response_norm": lambda T, x, y, r: F(T).local_response_norm(images(x, 4), r.number % 4 + 1),
    "softmax": lambda T, x, y, r: F(T).softmax(real(x), dim(r, x)),
    "gumbel": lambda T, x, y, r: F(T).softmin(real(x), dim(r, x)),
    "interpolate": lambda T, x, y, r: F(T).interpolate(images(x), **nth(r, {"scale_factor": 2.0, "mode": "bilinear"}, {"size": (3, 5), "mode": "bicubic"}, {"size": (6, 2), "mode": "nearest"}, {"size": (7, 3), "mode": "bilinear", "align_corners": True}, {"size": (2, 3), "mode": "area"}, {"size": (3, 3), "mode": "nearest-exact"})),
    "pad": lambda T, x, y, r: F(T).pad(images(x), (1, r.number % 3, 0, 2), mode=nth(r, "constant", "reflect", "replicate", "circular")),
    "unfold": lambda T, x, y, r: F(T).unfold(images(x), (2, r.number % 3 + 1), padding=r.number % 2),
    "fold": lambda T, x, y, r: F(T).fold(images(x).reshape(1, 8, 4), (3, 3), (2, 2)),
    "pixel_shuffle": lambda T, x, y, r: F(T).pixel_shuffle(images(x, 4), 2),
    "pixel_unshuffle": lambda T, x, y, r: F(T).pixel_unshuffle(images(x), 2),
    "cosine_similarity": lambda T, x, y, r: F(T).cosine_similarity(pair(x) + 0.2, pair(y) - 0.3, dim=r.number % 2),
    "pairwise_distance": lambda T, x, y, r: F(T).pairwise_distance(pair(x), pair(y) + 1, p=nth(r, 2.0, 1.0, 3.0), keepdim=r.choice < 0.5),
    "normalize": lambda T, x, y, r: F(T).normalize(pair(x) + 0.5, p=nth(r, 2.0, 1.0, 3.0), dim=r.number % 2),
    "glu": lambda T, x, y, r: F(T).glu(images(x), r.number % 3 + 1),
    "embedding": lambda T, x, y, r: F(T).embedding(T.tensor([0, 2, r.number % 4, 1]), pair(x), padding_idx=nth(r, None, 2)),
    "embedding_bag": lambda T, x, y, r: F(T).embedding_bag(T.tensor([0, 2, r.number % 4, 1]), pair(x), T.tensor([0, r.number % 4]), mode=nth(r, "sum", "mean", "max")),
    "grid_sample": lambda T, x, y, r: F(T).grid_sample(images(x), T.tanh(images(y)).reshape(1, 4, 4, 2) * 0.97, mode=nth(r, "bilinear", "bicubic"), padding_mode=nth(r, "zeros", "border", "reflection"), align_corners=r.number % 2 == 0),
    "affine_grid": lambda T, x, y, r: F(T).affine_grid(pair(x)[:2].reshape(1, 2, 3), (1, 1, 3, 2), align_corners=r.choice < 0.5),
    "attention": lambda T, x, y, r: F(T).scaled_dot_product_attention(images(x), images(y), images(x) * 0.5, is_causal=r.choice < 0.5, scale=nth(r, None, 0.3)),
    "linear": lambda T, x, y, r: F(T).linear(pair(x), pair(y), pair(x)[:, 0]),
    "bilinear": lambda T, x, y, r: F(T).bilinear(pair(x), pair(y), images(x).reshape(-1)[:18].reshape(2, 3, 3)),
    "prelu": lambda T, x, y, r: F(T).prelu(images(x), images(y).reshape(-1)[:2]),
    "maxout": lambda T, x, y, r: F(T).adaptive_max_pool2d(images(x) + 0.01 * T.arange(32, dtype=T.float64).reshape(1, 2, 4, 4), (2, r.number % 4 + 1)),
    "channel_shuffle": lambda T, x, y, r: F(T).channel_shuffle(images(x, 4), 2),
    "one_hot": lambda T, x, y, r: F(T).one_hot(T.tensor([0, 2, r.number % 4]), 5) * real(x).sum(),
}
NN |= {
    name: lambda T, x, y, r, name=name: getattr(F(T), name)(real(x) + 0.05)
    for name in "relu relu6 elu selu celu gelu silu mish softplus softsign tanhshrink hardswish hardsigmoid hardtanh leaky_relu logsigmoid softshrink hardshrink".split()
}
REDUCTIONS = ("mean", "sum", "none")
LOSSES = {
    name: lambda T, x, y, r, name=name: getattr(F(T), name)(pair(x), pair(y) * 0.7 + 0.1, reduction=REDUCTIONS[r.number % 3])
    for name in "mse_loss l1_loss smooth_l1_loss huber_loss soft_margin_loss poisson_nll_loss".split()
}
LOSSES |= {
    "cross_entropy": lambda T, x, y, r: F(T).cross_entropy(pair(x), T.tensor([0, 2, 1, r.number % 3]), label_smoothing=nth(r, 0.0, 0.2), reduction=REDUCTIONS[r.number % 3], ignore_index=nth(r, -100, 1)),
    "cross_entropy chances": lambda T, x, y, r: F(T).cross_entropy(pair(x), pair(y).softmax(1), reduction=REDUCTIONS[r.number % 3], weight=ranged(pair(y)[0]).detach()),
    "nll_loss": lambda T, x, y, r: F(T).nll_loss(pair(x).log_softmax(1), T.tensor([0, 2, 1, r.number % 3]), weight=ranged(pair(y)[0]).detach(), reduction=REDUCTIONS[r.number % 3]),
    "kl_div": lambda T, x, y, r: F(T).kl_div(pair(x).log_softmax(1), pair(y).softmax(1), reduction=nth(r, "batchmean", "sum", "none"), log_target=r.number % 2 == 0),
    "bce": lambda T, x, y, r: F(T).binary_cross_entropy(ranged(pair(x)), ranged(pair(y)), reduction=REDUCTIONS[r.number % 3]),
    "bce logits": lambda T, x, y, r: F(T).binary_cross_entropy_with_logits(pair(x), ranged(pair(y)), pos_weight=ranged(pair(y)[0]), reduction=REDUCTIONS[r.number % 3]),
    "cosine_embedding": lambda T, x, y, r: F(T).cosine_embedding_loss(pair(x) + 0.3, pair(y) - 0.3, T.tensor([1, -1, 1, -1]), margin=nth(r, 0.0, 0.5), reduction=REDUCTIONS[r.number % 3]),
    "triplet": lambda T, x, y, r: F(T).triplet_margin_loss(pair(x), pair(y), pair(y) * 2, margin=2.0, swap=r.choice < 0.5, reduction=REDUCTIONS[r.number % 3]),
    "margin_ranking": lambda T, x, y, r: F(T).margin_ranking_loss(pair(x), pair(y), T.ones(4, 3, dtype=T.float64), margin=0.35),
    "hinge": lambda T, x, y, r: F(T).hinge_embedding_loss(pair(x), T.ones(4, 3, dtype=T.float64) * nth(r, 1, -1)),
    "multi_margin": lambda T, x, y, r: F(T).multi_margin_loss(pair(x), T.tensor([0, 2, 1, r.number % 3]), p=nth(r, 1, 2), margin=1.25),
    "multilabel_margin": lambda T, x, y, r: F(T).multilabel_margin_loss(pair(x), T.tensor([[0, 2, -1], [1, -1, 0], [2, 1, 0], [-1, 0, 1]])),
    "multilabel_soft": lambda T, x, y, r: F(T).multilabel_soft_margin_loss(pair(x), ranged(pair(y)).detach().round()),
    "gaussian_nll": lambda T, x, y, r: F(T).gaussian_nll_loss(pair(x), pair(y), ranged(pair(x)), full=r.choice < 0.5),
    "ctc": lambda T, x, y, r: F(T).ctc_loss(images(x).reshape(8, 1, 4).log_softmax(2), T.tensor([[1, 2, r.number % 3 + 1]]), T.tensor([8]), T.tensor([r.number % 3 + 1]), reduction=REDUCTIONS[r.number % 3], zero_infinity=True),
}


def changed(x, function):
    """A clone of x after function has changed it."""
    made = x.clone()
    function(made)
    return made


def flat(x):
    return x.reshape(-1)


VIEWS = {
    "transpose": lambda T, x, y, r: x.transpose(dim(r, x), -1) if x.ndim else x,
    "flip": lambda T, x, y, r: x.flip(dim(r, x)) if x.ndim else x,
    "step": lambda T, x, y, r: flat(x)[:: r.number % 3 + 1],
    "roll": lambda T, x, y, r: x.roll(r.number, dim(r, x)) if x.ndim else x,
    "diagonal": lambda T, x, y, r: square(T, x).diagonal(r.number % 3 - 1),
    "unfold": lambda T, x, y, r: flat(x).unfold(0, min(2, x.numel()), r.number % 2 + 1),
    "expand": lambda T, x, y, r: x.unsqueeze(0).expand(2, *x.shape),
    "movedim": lambda T, x, y, r: x.movedim(dim(r, x), 0) if x.ndim else x,
    "view_as_real": lambda T, x, y, r: T.view_as_real(x) if x.is_complex() else T.view_as_complex(T.stack([x, x * 0.5], -1)),
    "conj": lambda T, x, y, r: x.conj(),
    "select change": lambda T, x, y, r: changed(flat(x), lambda a: a[:1].mul_(a[-1:])),
    "slice add": lambda T, x, y, r: changed(flat(x), lambda a: a[:: r.number % 2 + 1].add_(2, alpha=0.5)),
    "slice sin": lambda T, x, y, r: changed(flat(x), lambda a: a[r.number % 2:].sin_()),
    "assign": lambda T, x, y, r: changed(flat(x), lambda a: a.__setitem__(slice(0, 2), flat(x)[-1:] * 3)),
    "index_put": lambda T, x, y, r: changed(flat(x), lambda a: a.index_put_((T.tensor([0, 0]),), flat(x)[:1].expand(2) * 2, accumulate=True)),
    "index_add": lambda T, x, y, r: changed(flat(x), lambda a: a.index_add_(0, T.tensor([0, 0]), flat(x)[:1].repeat(2), alpha=0.5)),
    "masked_fill": lambda T, x, y, r: changed(x, lambda a: a.masked_fill_(real(x) > 0.5, 0.25)),
    "masked_scatter": lambda T, x, y, r: flat(x).masked_scatter(real(flat(x)) > 0.1, flat(x) * 2),
    "scatter": lambda T, x, y, r: flat(x).scatter(0, T.tensor([0]), flat(x)[-1:]),
    "scatter_reduce": lambda T, x, y, r: real(flat(x)).scatter_reduce(0, T.tensor([0, 0]), real(flat(x)).repeat(2)[:2] + 0.5, nth(r, "sum", "mean", "prod", "amax"), include_self=r.choice < 0.5),
    "clamp": lambda T, x, y, r: changed(real(x), lambda a: a.clamp_(-0.7, 0.9)),
    "diagonal change": lambda T, x, y, r: changed(square(T, x), lambda a: a.diagonal().mul_(2)),
    "transposed change": lambda T, x, y, r: changed(square(T, x), lambda a: a.mT[:1].add_(a[:1])),
    "real change": lambda T, x, y, r: changed(real(x), lambda a: a.mul_(2)),  # that of a.real is refused here
    "addcmul": lambda T, x, y, r: changed(x, lambda a: a.addcmul_(x, x, value=0.5)),
    "lerp": lambda T, x, y, r: x.lerp(x * 2, 0.25),
    "sort": lambda T, x, y, r: real(flat(x)).sort(descending=r.choice < 0.5)[0],
    "cumsum": lambda T, x, y, r: getattr(T, nth(r, "cumsum", "cumprod", "logcumsumexp"))(real(x), dim(r, x)) if x.ndim else x,
    "where": lambda T, x, y, r: T.where(real(x) > 0.1, x, x * x),
    "take_along": lambda T, x, y, r: T.take_along_dim(flat(x), T.tensor([0, x.numel() - 1])),
    "tril": lambda T, x, y, r: square(T, x).tril_(r.number % 3 - 1),
    "abs": lambda T, x, y, r: (x + 0.05).abs(),
    "angle": lambda T, x, y, r: (real(x) + 0.05).angle(),
    "var": lambda T, x, y, r: x.reshape(-1).repeat(2).var(correction=r.number % 2),
    "prod": lambda T, x, y, r: x.prod(),
}
FAMILIES = {"linalg": LINALG, "fft": FFT, "special": SPECIAL, "nn": NN, "loss": LOSSES, "view": VIEWS}


class Numbers:
    """What a step draws, before both libraries run it."""

    def __init__(self, choice, number):
        self.choice, self.number = choice, number

    def __repr__(self):
        return f"({self.choice:.3f}, {self.number})"


def program(seed):
    """Leaves as arrays, and steps: (family, name, which variables, numbers)."""
    drawn = random.Random(seed)
    shape = drawn.choice([(3,), (2, 3), (4, 4), (1, 3), (2, 2, 3), (5,), ()])
    made = np.random.default_rng(seed)
    leaves = []
    for _ in range(2):
        leaf = made.uniform(-1.5, 1.5, shape)
        leaves.append(leaf + 1j * made.uniform(-1.5, 1.5, shape) if drawn.random() < 0.25 else leaf)
    steps = []
    for count in range(2, 2 + drawn.randint(1, 4)):
        family = drawn.choices(list(FAMILIES), [6, 3, 3, 5, 3, 6])[0]
        name = drawn.choice(list(FAMILIES[family]))
        steps.append((family, name, drawn.randrange(count), drawn.randrange(count), Numbers(drawn.random(), drawn.randrange(12))))
    return leaves, steps


def run(T, leaves, steps):
    """The results of the steps, an error for each that was refused, and the gradients of the leaves, or the error of backward."""
    leaves = [T.from_numpy(np.array(leaf)).requires_grad_() for leaf in leaves]
    values, outcomes = list(leaves), []
    for family, name, i, k, numbers in steps:
        x, y = values[i], values[k]
        try:
            made = FAMILIES[family][name](T, x, y, numbers)
            size = float(made.detach().abs().max()) if made.numel() else 0.0
        except (RuntimeError, ValueError, IndexError, TypeError) as error:
            made, size = error, 0.0
        outcomes.append(made)
        usable = not isinstance(made, Exception) and made.numel() and size < LIMIT
        values.append(made if usable else x)
    total = None
    for one in values:
        if one.requires_grad:
            part = (one * T.arange(1, one.numel() + 1, dtype=T.float64).reshape(one.shape)).sum()
            part = part.real + part.imag if part.is_complex() else part
            total = part if total is None else total + part
    try:
        gradients = T.autograd.grad(total, leaves, allow_unused=True)
    except (RuntimeError, ValueError) as error:
        gradients = error
    return outcomes, gradients


def array(one):
    return np.array(one.detach().resolve_conj().numpy()) if one is not None else None


def close(a, b):
    if a is None or b is None:
        return (a is None or not np.any(a)) and (b is None or not np.any(b))
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    a, b = np.asarray(a), np.asarray(b)
    if not np.isfinite(a).all() and a.dtype.kind == "c":
        return np.array_equal(np.isfinite(a), np.isfinite(b))
    scale = np.abs(a[np.isfinite(a)]).max(initial=1.0)
    return np.allclose(a, b, rtol=1e-6, atol=1e-7 * scale, equal_nan=True)


def compare(seed):
    """None, or what differs."""
    leaves, steps = program(seed)
    theirs, ours = run(torch, leaves, steps), run(tenon, leaves, steps)
    for step, a, b in zip(steps, theirs[0], ours[0]):
        if isinstance(a, RuntimeError) and "is not differentiable with respect to" in str(a):
            return None  # Tenon has derivatives that PyTorch does not have
        if isinstance(a, Exception) != isinstance(b, Exception):
            return f"{step}: {a!r:.300} and {b!r:.300}"
        if not isinstance(a, Exception) and not close(array(a), array(b)):
            return f"{step}: {a.dtype} {array(a).shape} {array(a).reshape(-1)[:6]} and {b.dtype} {array(b).shape} {array(b).reshape(-1)[:6]}"
    a, b = theirs[1], ours[1]
    if isinstance(a, RuntimeError) and "modified by an inplace operation" in str(a):
        return None  # PyTorch counts writes to all of a storage, Tenon those to the elements that are needed
    if isinstance(a, Exception) or isinstance(b, Exception):
        return None if isinstance(a, Exception) and isinstance(b, Exception) else f"backward: {a!r:.300} and {b!r:.300}"
    for k, (one, two) in enumerate(zip(a, b)):
        if not close(array(one), array(two)):
            return f"gradient of leaf {k}: {array(one)} and {array(two)}"
    return None


def main():
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    first, count = int(sys.argv[1]) if len(sys.argv) > 1 else 0, int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    found = 0
    for seed in range(first, first + count):
        difference = compare(seed)
        if difference:
            found += 1
            print(f"seed {seed}: {program(seed)[1]}\n    {difference}")
    print(f"{count - found} programs agree, {found} differ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
