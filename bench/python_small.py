"""How long the smallest calls take from Python: Tenon beside NumPy, and PyTorch where it is installed, in one run.

    PYTHONPATH=build/python python3 bench/python_small.py

Best of many, in nanoseconds; then the time of `import`, in a process of its own. The last column says whether Tenon keeps its
limits: against NumPy and PyTorch the fractions in ROWS.
"""

import subprocess
import sys
import timeit

import numpy

import tenon

try:
    import torch
except ImportError:
    torch = None

# statement, at most this part of NumPy's time, at most this part of PyTorch's
ROWS = [
    ("a + b", 1 / 2, 1 / 5), ("m.T", 1, 1 / 5), ("m.transpose(1, 0)", 1, 1 / 5), ("m[1:3]", 1, 1 / 5), ("m[:, 1]", 1, 1 / 5),
    ("m.reshape(16)", 1, 1 / 5), ("m.reshape(2, 8)", 1, 1 / 5), ("m[1, 2].item()", 1, None), ("m.tolist()", 1, None),
    ("a * 2.0", None, None), ("a < b", None, None), ("-a", None, None), ("m[1]", None, None), ("a.shape", None, None),
]


def best(statement, names, number=5000, repeat=40):
    return min(timeit.repeat(statement, globals=names, number=number, repeat=repeat)) / number * 1e9


def names_of(library):
    if library is numpy:
        return {"a": numpy.ones(16, "f4"), "b": numpy.ones(16, "f4"), "m": numpy.ones((4, 4), "f4")}
    return {"a": library.ones(16), "b": library.ones(16), "m": library.ones(4, 4)}


def import_time(name):
    code = f"import time; t = time.process_time(); import {name}; print(time.process_time() - t)"
    return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
               for _ in range(7)) * 1e9


def main():
    libraries = [library for library in (tenon, numpy, torch) if library]
    print(f"{'':20}" + "".join(f"{library.__name__:>12}" for library in libraries))
    kept = True
    for statement, of_numpy, of_torch in ROWS + [("import", 1 / 10, None)]:
        times = [import_time(library.__name__) if statement == "import" else best(statement, names_of(library))
                 for library in libraries]
        limits = [times[1] * of_numpy] if of_numpy else []
        limits += [times[2] * of_torch] if of_torch and len(times) > 2 else []
        fits = all(times[0] <= limit for limit in limits)
        kept = kept and fits
        print(f"{statement:20}" + "".join(f"{time:12.0f}" for time in times) + ("" if not limits else "   ok" if fits else "   over"))
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
