"""What the mouse does over a picture, without Qt: which fields of the exploration it changes."""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from pe_explorer.exploration import Exploration, panned, zoomed
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.shown_positions import nearest_position

Fields = Mapping[str, Any]
"""Fields of the exploration by name; those of `options` are the view's own options by name."""
Effects = tuple[tuple[str, str], ...]
"""What is done with the mouse, and the effect of it."""

_PIXELS_PER_WAVE = 200  # width of the longest wave once zoomed to


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


class Gestures:
    """What the mouse does: by default that of a picture with its positions across.

    `drawn` is what is on the screen, which may be of another state; None where no picture is.
    """

    state: Exploration

    gestures: ClassVar[Effects] = ()
    """What the mouse does beside pointing and clicking, and the effect of it, for the help."""
    explored: ClassVar[tuple[str, ...]] = ()  # the fields chosen with its options
    is_plain: ClassVar[bool] = False  # whether its view has no file of its own
    header: ClassVar[Mapping[str, bool]] = {}
    """The options chosen in the header of its pane; whether each has its label before it."""

    def pointed_at(self, drawn: OnScreen | None, at: Pointer) -> Mapping[str, int]:
        """Return the fields of the cursor at a point of a panel; nothing where there are none."""
        return {"position": nearest_position(self.state, at.x)}

    def double_clicked(self, drawn: OnScreen | None, at: Pointer) -> Fields:
        """Return what a double-click at a point of a panel changes."""
        return {}

    def wheeled(self, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        """Return what a turn of the wheel changes."""
        return zoomed(self.state, wheel.factor, wheel.x)

    def dragged(self, drawn: OnScreen | None, drag: Drag) -> Fields:
        """Return what a drag of the picture changes."""
        return panned(self.state, drag.rows(-drag.x * self.state.count))

    @classmethod
    def positions_of(cls, period: float, width: float, height: float) -> float:
        """Return how many positions show a wave of a period well, on so many pixels."""
        return width * period / _PIXELS_PER_WAVE


def zoomed_count(count: int, factor: float, most: int) -> int:
    """Return another number of cells, at least one more or less than before."""
    wanted = round(count * factor)
    if wanted == count:
        wanted += 1 if factor > 1 else -1
    return min(max(1, wanted), most)
