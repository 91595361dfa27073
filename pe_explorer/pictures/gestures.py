"""Mouse events over a picture, without Qt."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pe_explorer.pictures.figure import Figure

Fields = Mapping[str, Any]
"""Fields of the exploration by name; `options` holds options of the view by name."""
Effects = tuple[tuple[str, str], ...]  # pairs of a gesture and its effect


class DisplayedPicture(NamedTuple):
    """The picture on the screen with its numbers and its figure."""

    picture: Any
    numbers: Any
    figure: Figure


Snapshot = DisplayedPicture | None
"""The displayed picture, which may show an older state; None if no picture is displayed."""


class Pointer(NamedTuple):
    """The panel under the mouse, and the point under the mouse in units of its axes."""

    panel: str
    x: float
    y: float


class Wheel(NamedTuple):
    """A turn of the wheel over a panel."""

    panel: str
    factor: float  # factor by which the visible range grows
    x: float  # fraction of the panel's width from the left
    y: float  # fraction of the panel's height from the top
    should_zoom_columns: bool  # whether the wheel zooms columns, because Ctrl or Shift is held


class Drag:
    """A drag in a panel; `x` (right) and `y` (down) are fractions of the panel's size."""

    def __init__(self) -> None:
        self.panel = ""
        self.x = self.y = 0.0
        self._row_remainder = self._column_remainder = 0.0

    def rows(self, steps: float) -> int:
        """Return the whole number of rows to scroll; keep the remainder for the next call."""
        whole = round(self._row_remainder + steps)
        self._row_remainder += steps - whole
        return whole

    def columns(self, steps: float) -> int:
        whole = round(self._column_remainder + steps)
        self._column_remainder += steps - whole
        return whole


def zoom_span(count: int, factor: float, limit: int) -> int:
    """Return the number of cells after zooming; it differs from `count` if the limits allow it."""
    zoomed_count = round(count * factor)
    if zoomed_count == count:
        zoomed_count += 1 if factor > 1 else -1
    return min(max(1, zoomed_count), limit)
