"""Which columns a picture shows: its options for them, fitted to the columns that there are."""

from __future__ import annotations

from typing import Protocol

from pe_explorer.params import Whole
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
    help="How many columns are shown; 0 for all.",
)


class ColumnOptions(Protocol):
    """Options that choose columns."""

    @property
    def first(self) -> int:
        """The first column wanted."""

    @property
    def dimensions(self) -> int:
        """How many are wanted, 0 for all."""


def columns_shown(options: ColumnOptions, width: int) -> tuple[int, int]:
    """Return first and number of the columns shown, fitted to the width."""
    count = min(options.dimensions or width, width)
    return min(options.first, width - count), count
