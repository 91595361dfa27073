"""What can be chosen in the view of shifts: by how much, which part, and which columns of it."""

from __future__ import annotations

from collections.abc import Mapping

from pe_explorer.analysis.shift import SHIFT
from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.params import Choice, Whole, declare
from pe_explorer.pictures.picture import Options
from pe_explorer.tables import MOST_COLUMNS
from pe_explorer.values import frozen

__all__ = ["ShiftOptions", "columns_shown"]

_PARTS = {
    "matrix": "the matrix that moves every row",
    "tables": "the rows that it moves, beside those that are there",
    "residual": "how far the two are apart, position by position",
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
class ShiftOptions(Options):
    """How far rows are moved, and what is shown of it."""

    k: int = declare(SHIFT)
    part: str = declare(Choice("matrix", _PARTS, label="Part", help="What is shown of the shift."))
    values: str = declare(
        Choice("blue-red", VALUE_MAPS, label="Colours", help="Colour map for values.")
    )
    first: int = declare(_FIRST)
    dimensions: int = declare(_DIMENSIONS)

    @property
    def without_effect(self) -> Mapping[str, str]:
        """Colours and columns, where a curve is shown."""
        if self.part != "residual":
            return {}
        return dict.fromkeys(("values", "first", "dimensions"), "a curve is shown")


def columns_shown(options: ShiftOptions, width: int) -> tuple[int, int]:
    """Return first and number of the columns shown, fitted to the width."""
    count = min(options.dimensions or width, width)
    return min(options.first, width - count), count
