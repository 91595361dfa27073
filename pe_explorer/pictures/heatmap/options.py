"""What can be chosen in the heatmap: which numbers, of which columns, in which colours."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pe_explorer.analysis.comparison import Subject
from pe_explorer.analysis.windows import SECOND_START, windows
from pe_explorer.arrays import Ints
from pe_explorer.colours.maps import ANGLE_MAPS, VALUE_MAPS
from pe_explorer.encodings import Axis, Waves
from pe_explorer.params import Choice, Flag, declare
from pe_explorer.pictures import _columns
from pe_explorer.pictures._columns import COLUMN_COUNT, FIRST_COLUMN, ShownColumns
from pe_explorer.pictures.picture import SHARE, Options

_QUANTITIES = {
    "value": "the encoding's values",
    "angle": "the angle of each column's wave, 0° to 360°",
    "error": "what the usual float32 code computes, minus the exact value",
}
_PIXELS = {
    "mean": "the exact mean of all positions in a pixel",
    "sample": (
        "the first position in a pixel alone: as in a plot of every n-th row, with aliasing"
    ),
}
_PAIR_COLUMNS = Flag(
    False,
    label="Pair columns",
    help="Angles have one column for each pair, not one for its sine and one for its cosine.",
)
_UPWARD = Flag(
    False,
    label="Upward",
    help="The first position is below, not above; on the screen and in figures.",
)


@dataclass(frozen=True)
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
        Choice("soft", VALUE_MAPS, label="Colours", help="Colour map for values.")
    )
    angles: str = declare(
        Choice("hues", ANGLE_MAPS, label="Angle colours", help="Colour map for angles.")
    )
    pairs: bool = declare(_PAIR_COLUMNS)
    first: int = declare(FIRST_COLUMN)
    dimensions: int = declare(COLUMN_COUNT)
    upward: bool = declare(_UPWARD)
    second: int | None = declare(SECOND_START)
    share: float | None = declare(SHARE)

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
        return windows(positions, self.second)


_PAIRS = Axis("pair", "pairs", "i")


def places(subject: Subject, options: HeatmapOptions) -> Ints:
    """Return the column of the subject that each column of the heatmap shows.

    Where each pair has one, it is the first that has the pair's wave.
    """
    if options.by_pairs:
        waves, first = np.unique(subject.angles.wave_of, return_index=True)
        if len(found := first[waves >= 0]):
            return found.astype(np.int64)
    return np.arange(subject.width)


def axis_of(subject: Subject, options: HeatmapOptions) -> Axis:
    """Return what the columns stand for; waves that have only one column each keep its name."""
    e = subject.encoding
    has_pairs = options.by_pairs and isinstance(e, Waves) and e.pairs
    return _PAIRS if has_pairs else e.columns


def columns_shown(subject: Subject, options: HeatmapOptions) -> ShownColumns:
    """Return the columns shown, fitted to those there are."""
    width = len(places(subject, options)) if options.by_pairs else subject.width
    return _columns.columns_shown(options.first, options.dimensions, width)


def place_of(subject: Subject, options: HeatmapOptions, place: int | None) -> int | None:
    """Return the column of the heatmap that shows a column of the subject, None if none does."""
    if place is None or not options.by_pairs:
        return place
    wave_of = subject.angles.wave_of
    same = wave_of[places(subject, options)] == wave_of[place]
    return int(same.argmax()) if same.any() else None


def column_at(subject: Subject, options: HeatmapOptions, number: int, cursor: int | None) -> int:
    """Return the subject's column that one of the heatmap shows: the cursor's, if it is of it."""
    known = cursor if options.by_pairs and cursor in range(subject.width) else None
    if known is not None and place_of(subject, options, known) == number:
        return known
    return int(places(subject, options)[number])
