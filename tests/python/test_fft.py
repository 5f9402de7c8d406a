"""Fourier transforms against NumPy's: names, arguments, norms, sizes, dimensions, dtypes."""

import itertools

import numpy as np
import pytest

import tenon as torch

RANDOM = np.random.default_rng(5)
NAMES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


def signal(name, shape):
    real = RANDOM.standard_normal(shape)
    return real if name in ("rfft", "ihfft") else real + 1j * RANDOM.standard_normal(shape)


@pytest.mark.parametrize("name", NAMES)
def test_one_dimension_is_numpys(name):
    for n, dim, norm in itertools.product([None, 1, 4, 7, 10], [0, 1, -1], [None, "backward", "ortho", "forward"]):
        x = signal(name, (5, 6))
        expected = getattr(np.fft, name)(x, n, dim, norm)
        found = getattr(torch.fft, name)(torch.tensor(x), n, dim, norm)
        assert found.shape == expected.shape
        assert np.allclose(found.numpy(), expected, atol=1e-12)
        strided = torch.tensor(x[::-1, ::2].copy()).flip(0)
        assert np.allclose(getattr(torch.fft, name)(strided, n, dim, norm).numpy(), getattr(np.fft, name)(x[:, ::2][::-1][::-1], n, dim, norm), atol=1e-12)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "fft2", "ifft2", "rfft2", "irfft2"])
def test_several_dimensions_are_numpys(name):
    default = (-2, -1) if name.endswith("2") else None
    for s, dim in [(None, default), ((3, 4), (0, 2)), ((5, 2), (-1, 1)), (None, (2, 0))]:
        x = signal("rfft" if name.startswith("r") else "fft", (3, 4, 5))
        expected = getattr(np.fft, name)(x, s, dim, "ortho")
        found = getattr(torch.fft, name)(torch.tensor(x), s, dim or (), "ortho") if dim else getattr(torch.fft, name)(torch.tensor(x), norm="ortho")
        assert found.shape == expected.shape and np.allclose(found.numpy(), expected, atol=1e-12)


def test_dtypes_of_results():
    for dtype, made in [("int64", "complex64"), ("bool", "complex64"), ("float16", "complex64"), ("bfloat16", "complex64"), ("float64", "complex128")]:
        assert torch.fft.fft(torch.ones(4, dtype=getattr(torch, dtype))).dtype == getattr(torch, made)
    assert torch.fft.irfft(torch.ones(3, dtype=torch.complex64)).dtype == torch.float32


def test_frequencies_of_nothing_and_of_integers():
    assert torch.fft.fftfreq(0).shape == (0,) and torch.fft.rfftfreq(0).isnan().tolist() == [True]
    for function in torch.fft.fftfreq, torch.fft.rfftfreq:
        with pytest.raises(RuntimeError, match="-1"):
            function(-1)
        with pytest.raises((RuntimeError, TypeError), match="int32"):
            function(4, dtype=torch.int32)


def test_frequencies_and_shifts():
    for n in range(1, 12):
        assert np.allclose(torch.fft.fftfreq(n, 0.25).numpy(), np.fft.fftfreq(n, 0.25))
        assert np.allclose(torch.fft.rfftfreq(n, 0.25, dtype=torch.float64).numpy(), np.fft.rfftfreq(n, 0.25))
        x = np.arange(2 * n).reshape(2, n)
        for dim in [None, 0, (0, 1)]:
            assert np.array_equal(torch.fft.fftshift(torch.tensor(x), dim).numpy(), np.fft.fftshift(x, dim))
            assert np.array_equal(torch.fft.ifftshift(torch.tensor(x), dim).numpy(), np.fft.ifftshift(x, dim))


def test_gradients_go_through_spectra():
    x = torch.tensor(RANDOM.standard_normal(12), requires_grad=True)
    power = torch.fft.rfft(x).abs().square()
    (power[1:-1].sum() * 2 + power[0] + power[-1]).backward()
    assert np.allclose(x.grad.numpy(), 2 * 12 * x.detach().numpy())  # Parseval


def test_windows_are_numpys():
    for n in range(2, 9):
        assert np.allclose(torch.hann_window(n, periodic=False).numpy(), np.hanning(n), atol=1e-7)
        assert np.allclose(torch.hamming_window(n, False, dtype=torch.float64).numpy(), np.hamming(n))
        assert np.allclose(torch.blackman_window(n, False, dtype=torch.float64).numpy(), np.blackman(n))
        assert np.allclose(torch.bartlett_window(n, False, dtype=torch.float64).numpy(), np.bartlett(n))
        assert np.allclose(torch.kaiser_window(n, False, 5.0, dtype=torch.float64).numpy(), np.kaiser(n, 5.0))
        assert np.allclose(torch.hann_window(n, dtype=torch.float64).numpy(), np.hanning(n + 1)[:-1])


def test_a_spectrogram_finds_the_tone():
    rate, tone = 8000, 1000
    sound = torch.sin(torch.arange(rate, dtype=torch.float64) * (2 * np.pi * tone / rate))
    spectra = torch.stft(sound, 256, hop_length=64, window=torch.hann_window(256, dtype=torch.float64), return_complex=True)
    assert (spectra.abs()[:, 2:-2].argmax(0) == tone * 256 // rate).all()
    back = torch.istft(spectra, 256, hop_length=64, window=torch.hann_window(256, dtype=torch.float64), length=rate)
    assert np.allclose(back.numpy(), sound.numpy(), atol=1e-12)
    with pytest.raises(RuntimeError, match="return_complex"):
        torch.stft(sound, 256)
