#!/usr/bin/env python3
"""Asks PyTorch and NumPy what tools/accuracy/reductions.c asked Tenon: reductions.py DIRECTORY, after reductions.c has written there."""
import sys

import numpy as np
import torch

kinds = ["uniform in [0, 1)", "mean 1000, deviation 1", "all magnitudes, both signs"]
for line in open(sys.argv[1] + "/exact.txt"):
    kind, dtype, *numbers = line.split()
    eps, *right = [float(n) for n in numbers]
    raw = np.fromfile(f"{sys.argv[1]}/{kind}.{dtype}", dtype=np.uint16 if dtype == "bfloat16" else dtype)
    x = torch.from_numpy(raw.view(np.int16)).view(torch.bfloat16) if dtype == "bfloat16" else torch.from_numpy(raw)
    rows = [("PyTorch", [x.sum().item(), x.mean().item(), x.var().item(), x.norm().item()])]
    if dtype != "bfloat16":
        rows.append(("NumPy", [raw.sum(), raw.mean(), raw.var(ddof=1), np.linalg.norm(raw)]))
    for who, got in rows:
        cells = " | ".join(f"{abs(float(g) - r) / abs(r) / eps:.2f}" for g, r in zip(got, right))
        print(f"| {kinds[int(kind)]} | {dtype} | {who} | {cells} |")
