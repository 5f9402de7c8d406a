# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon import _core
from tenon._core import digamma as digamma
from tenon._core import erf as erf
from tenon._core import erfc as erfc
from tenon._core import erfinv as erfinv
from tenon._core import exp2 as exp2
from tenon._core import expm1 as expm1
from tenon._core import i0 as i0
from tenon._core import log1p as log1p
from tenon._core import log_softmax as log_softmax
from tenon._core import logit as logit
from tenon._core import logsumexp as logsumexp
from tenon._core import round as round
from tenon._core import sinc as sinc
from tenon._core import softmax as softmax
from tenon._core import xlogy as xlogy
airy_ai = _core.special_airy_ai
bessel_j0 = _core.special_bessel_j0
bessel_j1 = _core.special_bessel_j1
bessel_y0 = _core.special_bessel_y0
bessel_y1 = _core.special_bessel_y1
chebyshev_polynomial_t = _core.special_chebyshev_polynomial_t
chebyshev_polynomial_u = _core.special_chebyshev_polynomial_u
chebyshev_polynomial_v = _core.special_chebyshev_polynomial_v
chebyshev_polynomial_w = _core.special_chebyshev_polynomial_w
entr = _core.special_entr
erfcx = _core.special_erfcx
expit = _core.sigmoid
gammainc = _core.special_gammainc
gammainc_ = _core.special_gammainc_
gammaincc = _core.special_gammaincc
gammaincc_ = _core.special_gammaincc_
gammaln = _core.lgamma
hermite_polynomial_h = _core.special_hermite_polynomial_h
hermite_polynomial_he = _core.special_hermite_polynomial_he
i0e = _core.special_i0e
i1 = _core.special_i1
i1e = _core.special_i1e
laguerre_polynomial_l = _core.special_laguerre_polynomial_l
legendre_polynomial_p = _core.special_legendre_polynomial_p
log_ndtr = _core.special_log_ndtr
modified_bessel_i0 = _core.special_modified_bessel_i0
modified_bessel_i1 = _core.special_modified_bessel_i1
modified_bessel_k0 = _core.special_modified_bessel_k0
modified_bessel_k1 = _core.special_modified_bessel_k1
multigammaln = _core.special_multigammaln
multigammaln_ = _core.special_multigammaln_
ndtr = _core.special_ndtr
ndtri = _core.special_ndtri
psi = _core.digamma
scaled_modified_bessel_k0 = _core.special_scaled_modified_bessel_k0
scaled_modified_bessel_k1 = _core.special_scaled_modified_bessel_k1
shifted_chebyshev_polynomial_t = _core.special_shifted_chebyshev_polynomial_t
shifted_chebyshev_polynomial_u = _core.special_shifted_chebyshev_polynomial_u
shifted_chebyshev_polynomial_v = _core.special_shifted_chebyshev_polynomial_v
shifted_chebyshev_polynomial_w = _core.special_shifted_chebyshev_polynomial_w
spherical_bessel_j0 = _core.special_spherical_bessel_j0
xlog1py = _core.special_xlog1py
zeta = _core.special_zeta

def polygamma(n: Any, input: Any, *, out: Any = ...) -> Any: ...
