"""Fourier transforms: the operators of the table whose names begin with fft_."""

from tenon._lazy import table as _table

__getattr__, __dir__ = _table(__name__, "fft_")
