"""From positions to pixels: how many positions one stands for, and the colour of a value."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.values import frozen

__all__ = ["NO_VALUE", "Size", "colour_indices", "spread"]

NO_VALUE = 255
"""The colour index of a cell without a value: it is transparent."""


@frozen
class Size:
    """Device pixels of the area that a picture fills."""

    width: int
    height: int


def spread(count: int, pixels: int) -> tuple[int, int]:
    """Return (block, rows): how many positions a pixel stands for, and how many such there are."""
    block = -(-count // max(1, pixels))
    return block, -(-count // block)


def colour_indices(values: npt.NDArray[Any], levels: tuple[float, float]) -> npt.NDArray[np.uint8]:
    """Return the colour index of every value: the one gate before arrays reach Qt.

    0 is the lower level, 254 the upper; what is not finite is `NO_VALUE`. The answer is
    2-D, C-contiguous and of bytes, whatever comes in.
    """
    low, high = levels
    table = np.atleast_2d(np.asarray(values, dtype=np.float64))
    scale = 254 / ((high - low) or 1.0)
    finite = np.isfinite(table)
    with np.errstate(invalid="ignore", over="ignore"):
        scaled = table - low
        scaled *= scale
        np.clip(scaled, 0, 254, out=scaled)
        scaled += 0.5
        indices = scaled.astype(np.uint8, order="C")
    if not finite.all():
        indices[~finite] = NO_VALUE
    return indices
