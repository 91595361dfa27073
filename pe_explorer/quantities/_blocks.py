"""Filling in small parts, where more than the answer is needed for a block of it."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.comparison import Subject
from pe_explorer.quantities._base import Fill

__all__ = ["by_few_rows"]

Floats = npt.NDArray[np.float64]

_SPARE = 1 << 20  # numbers made at a time


def by_few_rows(fill: Fill, subject: Subject) -> Fill:
    """Return `fill` for so few rows at a time that the arrays it needs besides stay small."""
    rows = max(1, _SPARE // max(e.width for e in subject.encodings))  # the wider is made in full

    def sparing(part: range, out: Floats) -> None:
        for start in range(0, len(part), rows):
            fill(part[start : start + rows], out[start : start + rows])

    return sparing
