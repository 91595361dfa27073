"""A fit of UMAP: what its process says of it, in plain words."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from pe_explorer.analysis._child import BROKEN, ENDED, FAILED, LAST, MEMORY, POINTS, Said
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError
from pe_explorer.params import one_line

_REPAIR = "pip install --force-reinstall umap-learn"
_LAYING_OUT = 0.5  # of a fit, at its end
_LONGEST = 200  # characters of what umap-learn says of an error

LOADING = "Loading UMAP"
"""The first phase, of which the process says nothing."""

_MOVING = "Moving points"
_PHASES = {
    "Construct fuzzy simplicial set": (0.1, "Comparing rows"),
    "Finding Nearest Neighbors": (0.15, "Finding neighbours"),
    "Building RP forest": (0.2, "Sorting rows into trees"),
    "NN descent": (0.25, "Finding neighbours"),
    "metric NN descent": (0.25, "Finding neighbours"),
    "Finished Nearest Neighbor Search": (0.35, "Weighing neighbours"),
    "Construct embedding": (0.4, "Making a first layout"),
}
"""What umap-learn prints, how much of a fit is done then, and what it means in plain words."""


class ProcessError(EncodingError):
    """A process that has not answered as it should; another one may."""


class Fit:
    """A fit, for all who want the same: how far it is, and what was said last."""

    def __init__(self, question: dict[str, Any], rows: bytes) -> None:
        self.question, self.rows = question, rows
        self.wanted_by = 0
        """How many are waiting for it."""
        self.share, self.phase = 0.0, LOADING
        self.last: Said | None = None
        self.is_over = threading.Event()

    def hear(self, said: Said) -> None:
        """Take note of what the process says."""
        match said:
            case ("phase", str(printed)):
                known = (name for name in _PHASES if printed.startswith(name))
                self.share, self.phase = _PHASES.get(next(known, ""), (self.share, self.phase))
            case ("epochs", [int(done), int(count)]) if 0 <= done <= count > 0:
                self.share = 1.0 - _LAYING_OUT * (1.0 - done / count)
                self.phase = _MOVING
        if said.kind in LAST:
            self.last = said
            self.is_over.set()

    def serves(self, question: dict[str, Any], rows: bytes) -> bool:
        """Return whether it has the points that are asked for, or will have them."""
        if self.is_over.is_set() and (self.last is None or self.last.kind != POINTS):
            return False
        return self.question == question and self.rows == rows


def points_of(said: Said) -> Floats:
    """Return the points that were said, or raise `EncodingError` with what was said instead."""
    if said.kind == POINTS:
        return np.frombuffer(said.value).reshape(-1, 2).copy()
    problem, remedy = _trouble(said)
    kind = EncodingError if said.kind == FAILED else ProcessError
    raise kind("UMAP", problem, remedy)


def _trouble(said: Said) -> tuple[str, str]:
    """Return what went wrong, and what to do."""
    why = one_line(str(said.value))[:_LONGEST]
    if said.kind == MEMORY:
        return "memory ran out", "show fewer positions, or choose PCA"
    if said.kind == BROKEN:
        return f"umap-learn cannot be loaded ({why})", f"this may mend it: {_REPAIR}"
    if said.kind == FAILED:
        return f"umap-learn found no layout ({why})", "choose another metric, or PCA"
    if said.kind == ENDED:
        problem = f"the process that computes it has ended before its time (code {why})"
        return problem, "memory may have run out"
    return "the process that computes it said what cannot be read", "it was ended"
