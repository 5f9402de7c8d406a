"""Fourier transforms, spectra of pieces and windows beside PyTorch's, with random arguments, and whether both refuse."""

import warnings

import numpy as np
import pytest
import torch

import tenon

NAMES = ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"]


def here(x):
    return None if x is None else tenon.tensor(x.resolve_conj().numpy())


def both(call, *tensors):
    """What the two libraries give, or None for each that refuses."""
    results = []
    for library, take in (torch, lambda x: x), (tenon, here):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                results.append(call(library, *map(take, tensors)))
            except (RuntimeError, IndexError, ValueError, TypeError):
                results.append(None)
    return results


def agree(results, tolerance, what):
    wanted, found = results
    assert (wanted is None) == (found is None), what
    if wanted is not None:
        assert tuple(wanted.shape) == tuple(found.shape) and str(wanted.dtype) == str(found.dtype), what
        assert np.allclose(wanted.resolve_conj().numpy(), found.numpy(), rtol=tolerance, atol=tolerance), what


@pytest.mark.parametrize("name", NAMES + [n + "2" for n in NAMES] + [n + "n" for n in NAMES])
def test_names(name):
    random = np.random.default_rng(len(name))
    for _ in range(60):
        dtype = random.choice(["float64", "complex128", "float32", "int64"])
        shape = tuple(int(n) for n in random.integers(1, 7, size=random.integers(1, 4)))
        x = torch.tensor(random.standard_normal(shape) * 4 + (1j * random.standard_normal(shape) if dtype == "complex128" else 0)).to(getattr(torch, dtype))
        norm = random.choice([None, "backward", "ortho", "forward"])
        if name in NAMES:
            arguments = (random.choice([None, 1, 3, 8]), int(random.integers(-3, 3)), norm)
        else:
            dim = None if random.random() < 0.4 else tuple(int(d) for d in random.integers(-3, 3, size=random.integers(1, 4)))
            sizes = None if random.random() < 0.5 else tuple(int(s) for s in random.integers(1, 6, size=len(dim) if dim else random.integers(1, 4)))
            arguments = (sizes, dim, norm) if dim else (sizes,)
        agree(both(lambda lib, t: getattr(lib.fft, name)(t, *arguments), x), 1e-4, (name, dtype, shape, arguments))


def test_spectra_of_pieces_and_back():
    random = np.random.default_rng(1)
    for _ in range(200):
        n_fft = int(random.choice([4, 5, 8, 16]))
        hop, win = random.choice([None, 1, 2, 3, n_fft]), random.choice([None, n_fft, n_fft - 2])
        length = int(random.integers(n_fft, 60))
        x = torch.tensor(random.standard_normal((length,) if random.random() < 0.5 else (3, length)))
        x = x + 1j * x.flip(-1) if random.random() < 0.3 else x
        window = None if random.random() < 0.3 else torch.tensor(random.random(win or n_fft) + 0.1)
        options = {"center": bool(random.random() < 0.6), "normalized": bool(random.random() < 0.5), "onesided": random.choice([None, True, False])}
        more = {"pad_mode": str(random.choice(["reflect", "constant", "replicate"])), "return_complex": random.choice([None, True, True, False])}
        spectra = both(lambda lib, t, w: lib.stft(t, n_fft, hop, win, w, **options, **more), x, window)
        agree(spectra, 1e-10, (n_fft, hop, win, options, more))
        if spectra[0] is not None and spectra[0].is_complex():
            back = {"length": random.choice([None, length, length + 5, length - 3]), "return_complex": bool(random.random() < 0.3)}
            agree(both(lambda lib, t, w: lib.istft(t, n_fft, hop, win, w, **options, **back), spectra[0].clone(), window), 1e-9, (n_fft, hop, win, options, back))


@pytest.mark.parametrize("name", ["hann", "hamming", "blackman", "bartlett", "kaiser"])
def test_windows(name):
    for length in range(0, 14):
        for periodic in True, False:
            for dtype in "float32", "float64":
                agree(both(lambda lib: getattr(lib, name + "_window")(length, periodic=periodic, dtype=getattr(lib, dtype))), 1e-6, (length, periodic, dtype))
