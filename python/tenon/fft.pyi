# Written by python/tools/module_stubs.py.
# mypy: ignore-errors
from typing import Any, Iterator
from tenon import Tensor
from tenon import _core
fft = _core.fft_fft
fft2 = _core.fft_fft2
fftfreq = _core.fft_fftfreq
fftn = _core.fft_fftn
fftshift = _core.fft_fftshift
hfft = _core.fft_hfft
hfft2 = _core.fft_hfft2
hfftn = _core.fft_hfftn
ifft = _core.fft_ifft
ifft2 = _core.fft_ifft2
ifftn = _core.fft_ifftn
ifftshift = _core.fft_ifftshift
ihfft = _core.fft_ihfft
ihfft2 = _core.fft_ihfft2
ihfftn = _core.fft_ihfftn
irfft = _core.fft_irfft
irfft2 = _core.fft_irfft2
irfftn = _core.fft_irfftn
rfft = _core.fft_rfft
rfft2 = _core.fft_rfft2
rfftfreq = _core.fft_rfftfreq
rfftn = _core.fft_rfftn

