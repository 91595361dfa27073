"""Which columns a picture shows: its options for them, fitted to the columns that there are."""

from typing import Protocol

from pe_explorer.params import Whole
from pe_explorer.pictures.pixel_columns import PixelColumns
from pe_explorer.tables import MOST_COLUMNS

FIRST_COLUMN = Whole(
    0,
    0,
    MOST_COLUMNS - 1,
    label="First column",
    unit="columns",
    help="Where the columns shown begin.",
)
COLUMN_COUNT = Whole(
    0,
    0,
    MOST_COLUMNS,
    label="Columns",
    unit="columns",
    help="How many columns are shown.",
    zero="all",
)


class ColumnOptions(Protocol):
    """Options that choose columns."""

    @property
    def first(self) -> int:
        """The first column wanted."""

    @property
    def dimensions(self) -> int:
        """How many are wanted, 0 for all."""


def column_under(columns: PixelColumns | None, count: int, x: float) -> int:
    """Return which of the columns shown is meant at a place, of the kind that its pixel shows.

    Without `columns` each has pixels of its own.
    """
    return columns.column_at(x) if columns else min(max(0, round(x)), count - 1)


def columns_shown(options: ColumnOptions, width: int) -> tuple[int, int]:
    """Return first and number of the columns shown, fitted to the width."""
    count = min(options.dimensions or width, width)
    return min(options.first, width - count), count
