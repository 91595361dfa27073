"""The options of the waves: dimensions, and vertical lines for reading values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from pe_explorer.analysis.angles import ANGLE_TURNS
from pe_explorer.encodings import LIMIT, Encoding, LinearRows, Waves
from pe_explorer.params import Choice, Flag, Numbers, Optional, Real, Whole, declare
from pe_explorer.pictures.picture import Options
from pe_explorer.tables import MAX_COLUMNS

MAX_CURVES = 8  # maximum number of curves, because more would be indistinguishable
LINE_OPTIONS = ("line1", "line2", "line3")  # names of the options that set vertical lines
_MAX_LISTED_DIMENSIONS = 1024  # maximum number of listed dimensions
_QUANTITY_CHOICES = {
    "value": "the encoding's values",
    "angle": "the angles of the waves, in radians",
}


def _declare_line(label: str, first: float) -> Any:
    help_text = "Position of this vertical line."
    position = Real(first, -LIMIT, LIMIT, label=label, unit="position", help=help_text)
    return declare(Optional(None, position, "no line", word="none"))


@dataclass(frozen=True)
class WavesOptions(Options):
    """Options for the curves, and for the vertical lines for reading values."""

    quantity: str = declare(
        Choice("value", _QUANTITY_CHOICES, label="Show", help="What the curves show.")
    )
    angle_turns: str = declare(ANGLE_TURNS)
    dimensions: tuple[int, ...] = declare(
        Numbers(
            (),
            Whole(0, 0, MAX_COLUMNS - 1, label="Dimension", help="Dimension to draw."),
            _MAX_LISTED_DIMENSIONS,
            label="Dimensions",
            help="Curves to draw; by default, the first pair and a slower pair.",
        )
    )
    line1: float | None = _declare_line("First line", 1.0)
    line2: float | None = _declare_line("Second line", 2.0)
    line3: float | None = _declare_line("Third line", 3.0)
    heights: bool = declare(
        Flag(False, label="Heights", help="Draw horizontal lines from the curves to the axis.")
    )

    @property
    def lines(self) -> dict[str, float]:
        """The positions of the lines in use, by option name."""
        positions = {name: getattr(self, name) for name in LINE_OPTIONS}
        return {name: position for name, position in positions.items() if position is not None}

    @property
    def ineffective_parameters(self) -> Mapping[str, str]:
        reasons = {} if self.lines else {"heights": "there is no line"}
        if not self.shows_angles:
            reasons["angle_turns"] = "the curves show values"
        return reasons

    @property
    def is_wrapped(self) -> bool:
        return self.angle_turns == "one"

    @property
    def shows_angles(self) -> bool:
        return self.quantity == "angle"


def select_shown_dimensions(options: WavesOptions, e: Encoding) -> tuple[int, ...]:
    """Return the listed columns that exist, or evenly spaced ones if there are too many.

    If no listed column exists, return the first column and the column at a third of the
    width, each with its partner.
    """
    columns = sorted({column for column in options.dimensions if column < e.width})
    if len(columns) > MAX_CURVES:
        indices = np.linspace(0, len(columns) - 1, MAX_CURVES).round().astype(int)
        return tuple(columns[index] for index in indices)
    if columns:
        return tuple(columns)
    column_at_third = 0 if isinstance(e, LinearRows) else e.width // 3
    return tuple(sorted({0, find_partner(e, 0), column_at_third, find_partner(e, column_at_third)}))


def find_partner(e: Encoding, column: int) -> int:
    """Return the column to draw together with a given column.

    This is the cosine for a sine, the sine for a cosine, and a neighbour for any other
    column. Return the column itself if it has no neighbour, or if all columns are equal.
    """
    if isinstance(e, LinearRows):
        return column
    if isinstance(e, Waves) and e.wave_indices[column] >= 0:
        has_same_wave = e.wave_indices == e.wave_indices[column]
        partners = np.flatnonzero(has_same_wave & (e.sines != e.sines[column]))
        if len(partners):
            return int(partners[0])
    neighbour = column ^ 1
    return neighbour if neighbour < e.width else column
