"""What can be chosen in the heatmap: which numbers, of which columns, in which colours."""

from __future__ import annotations

from collections.abc import Mapping

from pe_explorer.colours.maps import ANGLE_MAPS, VALUE_MAPS
from pe_explorer.params import Choice, Whole, declare
from pe_explorer.pictures.picture import Options
from pe_explorer.tables import MOST_COLUMNS
from pe_explorer.values import frozen

__all__ = ["HeatmapOptions", "columns_shown"]

_QUANTITIES = {
    "value": "the encoding's values",
    "angle": "the angle of each column's wave, 0° to 360°",
}
_PIXELS = {
    "mean": "the exact mean of all positions in a pixel",
    "sample": (
        "the first position in a pixel alone: what plotting every n-th row does, aliasing and all"
    ),
}
_FIRST = Whole(
    0,
    0,
    MOST_COLUMNS - 1,
    label="First column",
    unit="columns",
    help="Where the columns shown begin.",
)
_DIMENSIONS = Whole(
    0,
    0,
    MOST_COLUMNS,
    label="Columns",
    unit="columns",
    help="How many columns are shown; 0 for all.",
)


@frozen
class HeatmapOptions(Options):
    """What the heatmap shows of each pixel."""

    quantity: str = declare(
        Choice("value", _QUANTITIES, label="Show", help="What the colours mean.")
    )
    pixel: str = declare(
        Choice(
            "mean",
            _PIXELS,
            label="Pixel",
            help="What a pixel shows that stands for many positions.",
        )
    )
    values: str = declare(
        Choice("blue-red", VALUE_MAPS, label="Colours", help="Colour map for values.")
    )
    angles: str = declare(
        Choice("cyclic", ANGLE_MAPS, label="Angle colours", help="Colour map for angles.")
    )
    first: int = declare(_FIRST)
    dimensions: int = declare(_DIMENSIONS)

    @property
    def without_effect(self) -> Mapping[str, str]:
        """The colours of what is not shown."""
        if self.shows_angles:
            return {"values": "the colours mean angles"}
        return {"angles": "the colours mean values"}

    @property
    def shows_angles(self) -> bool:
        """Whether the colours mean angles."""
        return self.quantity == "angle"

    @property
    def averages(self) -> bool:
        """Whether a pixel shows the mean of its positions."""
        return self.pixel == "mean"

    @property
    def averages_columns(self) -> bool:
        """Whether a pixel shows the mean of its dimensions; a mean of angles says nothing."""
        return self.averages and not self.shows_angles


def columns_shown(options: HeatmapOptions, width: int) -> tuple[int, int]:
    """Return first and number of the dimensions shown, fitted to the encoding's width."""
    count = min(options.dimensions or width, width)
    return min(options.first, width - count), count
