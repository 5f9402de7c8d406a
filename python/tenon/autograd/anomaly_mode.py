"""Finding the call whose derivative gave the first NaN."""

import warnings

from tenon import _core

__all__ = ["detect_anomaly", "set_detect_anomaly"]

_checks = [True]  # whether NaN is looked for while the mode is on


def _set(mode, check_nan):
    _checks[0] = bool(check_nan)
    _core._set_anomaly(bool(mode) and bool(check_nan))
    _on[0] = bool(mode)


_on = [False]


class set_detect_anomaly:
    """From now on backward looks for NaN in every gradient, or not; as a context, until its end."""

    def __init__(self, mode, check_nan=True):
        self._before = _on[0], _checks[0]
        _set(mode, check_nan)

    def __enter__(self):
        pass

    def __exit__(self, *ignored):
        _set(*self._before)


class detect_anomaly:
    """with detect_anomaly(): backward names the call whose derivative gave the first NaN. Slow."""

    def __init__(self, check_nan=True):
        self._check = check_nan
        warnings.warn("detect_anomaly looks at every gradient, which is slow: use it to find an error, and not otherwise", stacklevel=2)

    def __enter__(self):
        self._before = _on[0], _checks[0]
        _set(True, self._check)

    def __exit__(self, *ignored):
        _set(*self._before)


def is_anomaly_enabled():
    """Whether anomalies are looked for."""
    return _on[0]


def is_anomaly_check_nan_enabled():
    """Whether that means NaN."""
    return _checks[0]
