"""Drags in whole steps: plots show whole positions and columns, and a drag moves by parts."""

from __future__ import annotations

__all__ = ["WholeSteps"]


class WholeSteps:
    """Adds up what a drag moves by, and keeps the part of a step that is left."""

    def __init__(self) -> None:
        self._left = 0.0

    def add(self, steps: float) -> int:
        """Return how many whole steps to move by now."""
        self._left += steps
        whole = round(self._left)
        self._left -= whole
        return whole
