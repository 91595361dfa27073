"""Distances of rows on a line, such as index and fraction: from exact differences of positions."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from pe_explorer.numeric.positions import Positions

__all__ = ["on_line"]

Floats = npt.NDArray[np.float64]


def on_line(width: int, divisor: int, p: Positions, q: Positions, metric: str) -> Floats:
    """Return the distances of rows of `width` equal numbers, position / divisor, shape (p, q)."""
    u = np.asarray(p)
    v = np.asarray(q)
    if metric == "cosine":
        signs = np.sign(u)[:, None] * np.sign(v).astype(np.float64)
        return np.where(signs == 0, np.nan, 1 - signs)
    if metric == "correlation":  # of rows whose numbers are all equal there is none
        return np.full((len(u), len(v)), np.nan)
    if metric == "dot":
        products: Floats = (u / divisor)[:, None] * (v / divisor) * width
        return products
    steps: Floats = np.abs(u[:, None] - v) / divisor
    if metric == "chebyshev":
        return steps
    if metric == "manhattan":
        return width * steps
    if metric == "sse":
        return width * steps**2
    return math.sqrt(width) * steps
