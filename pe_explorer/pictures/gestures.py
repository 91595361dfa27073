"""What the mouse does over a picture, without Qt, as values."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pe_explorer.pictures.figure import Figure

Fields = Mapping[str, Any]
"""Fields of the exploration by name; those of `options` are the view's own options by name."""
Effects = tuple[tuple[str, str], ...]
"""What is done with the mouse, and the effect of it."""


class OnScreen(NamedTuple):
    """What is on the screen: a picture, its numbers, and the figure of them."""

    picture: Any
    numbers: Any
    figure: Figure


class Pointer(NamedTuple):
    """Where the mouse is: a panel, and a point in the units of its axes."""

    panel: str
    x: float
    y: float


class Wheel(NamedTuple):
    """A turn of the wheel over a panel."""

    panel: str
    factor: float  # how many times as much is to be shown
    x: float  # where the mouse is, as a fraction of the panel to the right
    y: float  # the same down
    of_columns: bool  # whether the columns are meant: Ctrl or Shift is held


class Drag:
    """A drag of a panel, which moves by whole steps; `x` and `y` are fractions right and down."""

    def __init__(self) -> None:
        self.panel = ""
        self.x = self.y = 0.0
        self._rows_left = self._columns_left = 0.0

    def rows(self, steps: float) -> int:
        """Return how many whole rows to move by; what is left of a step is kept for later."""
        whole = round(self._rows_left + steps)
        self._rows_left += steps - whole
        return whole

    def columns(self, steps: float) -> int:
        """Return how many whole columns to move by."""
        whole = round(self._columns_left + steps)
        self._columns_left += steps - whole
        return whole


def zoomed_count(count: int, factor: float, most: int) -> int:
    """Return another number of cells, at least one more or less than before."""
    wanted = round(count * factor)
    if wanted == count:
        wanted += 1 if factor > 1 else -1
    return min(max(1, wanted), most)
