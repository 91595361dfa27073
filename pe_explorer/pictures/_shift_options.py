"""What can be chosen in the view of shifts: by how much, which part, and which columns of it."""

from __future__ import annotations

from collections.abc import Mapping

from pe_explorer.analysis.shift import SHIFT
from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.params import Choice, declare
from pe_explorer.pictures._columns import COLUMN_COUNT, FIRST_COLUMN
from pe_explorer.pictures.picture import Options
from pe_explorer.values import frozen

__all__ = ["ShiftOptions"]

_PARTS = {
    "matrix": "the matrix that moves every row",
    "tables": "the rows that it moves, beside those that are there",
    "residual": "how far the two are apart, position by position",
}


@frozen
class ShiftOptions(Options):
    """How far rows are moved, and what is shown of it."""

    k: int = declare(SHIFT)
    part: str = declare(Choice("matrix", _PARTS, label="Part", help="What is shown of the shift."))
    values: str = declare(
        Choice("blue-red", VALUE_MAPS, label="Colours", help="Colour map for values.")
    )
    first: int = declare(FIRST_COLUMN)
    dimensions: int = declare(COLUMN_COUNT)

    @property
    def without_effect(self) -> Mapping[str, str]:
        """Colours and columns, where a curve is shown."""
        if self.part != "residual":
            return {}
        return dict.fromkeys(("values", "first", "dimensions"), "a curve is shown")
