"""Which page of clocks is seen: that of the options, or the one with the cursor's pair."""

from __future__ import annotations

from dataclasses import replace

from pe_explorer.exploration import Exploration
from pe_explorer.pictures.clocks import Area, Clocks, page_with_cursor

__all__ = ["ClockPage"]


class ClockPage:
    """Turns to the cursor's pair when the dimension moves, until the wheel leads elsewhere."""

    def __init__(self) -> None:
        self.first: int | None = None
        """The first pair of the page that was turned to; None for that of the options."""
        self._follows = False
        """Whether the page is that of the cursor, not of the wheel."""
        self._dimension: int | None = None
        """The cursor's dimension that the page last went by."""

    @property
    def seen_before(self) -> bool:
        """Whether a cursor has been seen."""
        return self._dimension is not None

    def stay(self, state: Exploration) -> None:
        """Show the page of the options until the dimension moves."""
        self._dimension, self._follows, self.first = state.dimension, False, None

    def follow(self, state: Exploration) -> bool:
        """Go with the cursor from now on, if the dimension has moved; return whether it has."""
        moved = state.dimension != self._dimension
        if moved:
            self._dimension, self._follows = state.dimension, True
        return moved

    def fit(self, state: Exploration, area: Area) -> Area:
        """Return an area with the page that is seen in it."""
        if self._follows and not Clocks.is_lacking(state):
            self.first = page_with_cursor(state, replace(area, first=self.first))
        return replace(area, first=self.first)
