"""What can be chosen in the heatmap: which numbers, of which columns, in which colours."""

from __future__ import annotations

from collections.abc import Mapping

from pe_explorer.colours.maps import ANGLE_MAPS, VALUE_MAPS
from pe_explorer.encodings import LIMIT
from pe_explorer.numeric.positions import len_of
from pe_explorer.params import Choice, Flag, Optional, Whole, declare
from pe_explorer.pictures._columns import COLUMN_COUNT, FIRST_COLUMN
from pe_explorer.pictures.picture import Options
from pe_explorer.values import frozen

__all__ = ["HeatmapOptions"]

_QUANTITIES = {
    "value": "the encoding's values",
    "angle": "the angle of each column's wave, 0° to 360°",
    "error": "what the usual float32 code computes, minus the exact value",
}
_PIXELS = {
    "mean": "the exact mean of all positions in a pixel",
    "sample": (
        "the first position in a pixel alone: what plotting every n-th row does, aliasing and all"
    ),
}
_PAIRS = Flag(
    False,
    label="Pair columns",
    help="Angles have one column for each pair, not one for its sine and one for its cosine.",
)
_UPWARD = Flag(
    False,
    label="Upward",
    help="The first position is below, not above; on the screen and in figures.",
)
_SECOND = Optional(
    None,
    Whole(
        50,
        -LIMIT,
        LIMIT,
        label="Second start",
        help=(
            "As many positions from here on are drawn beside the first ones, in the same "
            "colours. Numbers are exported of the first ones."
        ),
    ),
    auto="nothing is drawn beside",
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
    pairs: bool = declare(_PAIRS)
    first: int = declare(FIRST_COLUMN)
    dimensions: int = declare(COLUMN_COUNT)
    upward: bool = declare(_UPWARD)
    second: int | None = declare(_SECOND)

    @property
    def without_effect(self) -> Mapping[str, str]:
        """The colours of what is not shown, and what only angles have."""
        if self.shows_angles:
            return {"values": "the colours mean angles"}
        pairs = "only angles have one column per pair"
        if self.shows_errors:
            one = "a pixel shows the error of its first position"
            return {"angles": "the colours mean errors", "pixel": one, "pairs": pairs}
        return {"angles": "the colours mean values", "pairs": pairs}

    @property
    def shows_angles(self) -> bool:
        """Whether the colours mean angles."""
        return self.quantity == "angle"

    @property
    def by_pairs(self) -> bool:
        """Whether a column shows the angle of a pair, not of a dimension."""
        return self.pairs and self.shows_angles

    @property
    def shows_errors(self) -> bool:
        """Whether the colours mean errors of float32."""
        return self.quantity == "error"

    @property
    def averages(self) -> bool:
        """Whether a pixel shows the mean of its positions; errors have no closed form."""
        return self.pixel == "mean" and not self.shows_errors

    @property
    def averages_columns(self) -> bool:
        """Whether a pixel shows the mean of its dimensions; a mean of angles says nothing."""
        return self.averages and not self.shows_angles

    def windows(self, positions: range) -> tuple[range, ...]:
        """Return the positions of each picture: those shown, and as many from the second start."""
        if self.second is None:
            return (positions,)
        count = len_of(positions)
        start = min(self.second, LIMIT + 1 - count)
        return positions, range(start, start + count)
