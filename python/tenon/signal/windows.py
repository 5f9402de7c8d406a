"""Windows of M points: symmetric, or with sym=False one period of a window that repeats."""

import math

from tenon import _core

__all__ = ["bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann", "kaiser", "nuttall"]


def _points(name, M, dtype, start, end, sym, requires_grad):
    """M numbers from start to end; without sym, M of M + 1."""
    if M < 0:
        raise ValueError(f"{name}: M is not negative, but is {M}")
    if dtype is None:
        dtype = _core.get_default_dtype()
    if dtype not in (_core.float32, _core.float64):
        raise ValueError(f"{name}: dtype is float32 or float64, not {dtype}")
    count = M if sym else M + 1
    if count <= 1:
        return _core.full((M,), start, dtype=dtype) if M else _core.empty(0, dtype=dtype)
    return _core.linspace(start, start + (end - start) * (M - 1) / (count - 1), M, dtype=dtype)


def _window(name, M, sym, dtype, requires_grad, start, end, function):
    if M == 1 or M == 0:
        made = _points(name, M, dtype, 0.0, 0.0, True, False)
        made = _core.ones_like(made)
    else:
        made = function(_points(name, M, dtype, start, end, sym, False))
    return made.requires_grad_() if requires_grad else made


def general_cosine(M, *, a, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """a[0] - a[1] cos(x) + a[2] cos(2 x) - ..."""
    if not isinstance(a, (list, tuple)) or not a:
        raise ValueError("general_cosine: a is a list of numbers")

    def sum_of_cosines(k):
        total = 0
        for i, weight in enumerate(a):
            total = total + (-1) ** i * weight * _core.cos(i * k)
        return total
    return _window("general_cosine", M, sym, dtype, requires_grad, 0.0, 2 * math.pi, sum_of_cosines)


def general_hamming(M, *, alpha=0.54, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """alpha - (1 - alpha) cos(x)."""
    return general_cosine(M, a=[alpha, 1.0 - alpha], sym=sym, dtype=dtype, requires_grad=requires_grad)


def hamming(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """0.54 - 0.46 cos(x)."""
    return general_hamming(M, sym=sym, dtype=dtype, requires_grad=requires_grad)


def hann(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """0.5 - 0.5 cos(x)."""
    return general_hamming(M, alpha=0.5, sym=sym, dtype=dtype, requires_grad=requires_grad)


def blackman(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """0.42 - 0.5 cos(x) + 0.08 cos(2 x)."""
    return general_cosine(M, a=[0.42, 0.5, 0.08], sym=sym, dtype=dtype, requires_grad=requires_grad)


def nuttall(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Four cosines, by Nuttall."""
    return general_cosine(M, a=[0.3635819, 0.4891775, 0.1365995, 0.0106411], sym=sym, dtype=dtype, requires_grad=requires_grad)


def bartlett(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """A triangle."""
    return _window("bartlett", M, sym, dtype, requires_grad, -1.0, 1.0, lambda k: 1 - k.abs())


def cosine(M, *, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """Half a period of the sine."""
    step = math.pi / (M if sym else M + 1) if M else 0.0
    return _window("cosine", M, True, dtype, requires_grad, 0.5 * step, (M - 0.5) * step, _core.sin)


def exponential(M, *, center=None, tau=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """exp(-|n - center| / tau)."""
    if tau <= 0:
        raise ValueError(f"exponential: tau is positive, not {tau}")
    if sym and center is not None:
        raise ValueError("exponential: a symmetric window has its own center")
    if center is None:
        center = (M if not sym and M > 1 else M - 1) / 2.0
    return _window("exponential", M, True, dtype, requires_grad, -center / tau, (-center + M - 1) / tau, lambda k: _core.exp(-k.abs()))


def gaussian(M, *, std=1.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """exp(-(n - center)^2 / (2 std^2))."""
    if std <= 0:
        raise ValueError(f"gaussian: std is positive, not {std}")
    start, factor = -(M if not sym and M > 1 else M - 1) / 2.0, 1 / (std * math.sqrt(2))
    return _window("gaussian", M, True, dtype, requires_grad, start * factor, (start + M - 1) * factor, lambda k: _core.exp(-k ** 2))


def kaiser(M, *, beta=12.0, sym=True, dtype=None, layout=None, device=None, requires_grad=False):
    """I0(beta sqrt(1 - x^2)) / I0(beta)."""
    if beta < 0:
        raise ValueError(f"kaiser: beta is not negative, but is {beta}")
    if M == 1:
        return _core.ones(1, dtype=dtype, requires_grad=requires_grad)
    start = -beta
    step = 2.0 * beta / (M if not sym else M - 1) if M > 1 else 0.0
    end = min(beta, start + (M - 1) * step)
    whole = _core.tensor(beta, dtype=dtype)
    return _window("kaiser", M, True, dtype, requires_grad, start, end, lambda k: _core.i0((beta * beta - k.pow(2)).sqrt()) / _core.i0(whole))
