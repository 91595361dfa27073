"""The options that select the columns of a picture, fitted to the columns of an encoding."""

from dataclasses import replace
from typing import NamedTuple

from pe_explorer.params import Whole
from pe_explorer.pictures.gestures import zoomed_count
from pe_explorer.pictures.inspection import Outside
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.pixel_columns import PixelColumns
from pe_explorer.tables import MAX_COLUMNS

FIRST_COLUMN = Whole(
    0,
    0,
    MAX_COLUMNS - 1,
    label="First column",
    unit="columns",
    help="First column shown.",
)
COLUMN_COUNT = Whole(
    0,
    0,
    MAX_COLUMNS,
    label="Columns",
    unit="columns",
    help="Number of columns shown.",
    zero_word="all",
)


class ShownColumns(NamedTuple):
    """The columns shown: `dimensions` of `width` columns, starting at `first`."""

    first: int
    dimensions: int
    width: int

    def place(self, column: int | None) -> float | None:
        """Return the x coordinate of a column, or None if it is not shown."""
        if column is None or not self.first <= column < self.first + self.dimensions:
            return None
        return float(column - self.first)

    def under(self, columns: PixelColumns | None, x: float) -> int:
        """Return the column at an x coordinate, of the kind that its pixel shows.

        If `columns` is None, every column has its own pixels.
        """
        nearest = min(max(0, round(x)), self.dimensions - 1)
        return self.first + (columns.column_at(x) if columns else nearest)

    def zoomed(self, factor: float, anchor: float) -> dict[str, int]:
        """Return the options that show `factor` times as many columns.

        The column at the fraction `anchor` does not move if the limits allow it.
        """
        count = zoomed_count(self.dimensions, factor, self.width)
        start = self.first + round((self.dimensions - count) * anchor)
        start = min(max(0, start), self.width - count)
        return {"first": start, "dimensions": 0 if count == self.width else count}

    def scroll_options(self, columns: int) -> dict[str, int]:
        """Return the options that scroll by a number of columns, empty if nothing changes."""
        first = min(max(0, self.first + columns), self.width - self.dimensions)
        return {} if first == self.first else {"first": first}

    def side(self, column: int) -> str:
        """Return the direction to a column that is not shown."""
        return "to the left" if column < self.first else "to the right"


def columns_shown(first: int, dimensions: int, width: int) -> ShownColumns:
    """Return the columns shown: `dimensions` columns from `first`, limited to the width.

    If `dimensions` is 0, all columns are shown.
    """
    count = min(dimensions or width, width)
    return ShownColumns(min(first, width - count), count, width)


def column_outside(
    picture: AnyPicture, columns: ShownColumns, column: int, title: str, rows: Outside | None
) -> Outside | None:
    """Return the place of the cursor if its column is not shown.

    `rows` is the place of the cursor if its row is not shown.
    """
    if columns.place(column) is not None:
        return rows
    where = f"{title}, {columns.side(column)}"
    first = min(max(column - columns.dimensions // 2, 0), columns.width - columns.dimensions)
    fields = dict(rows.fields) if rows else {}
    options = fields.get("options", picture.state.options)
    centred = replace(options.get(picture.name, picture.options), first=first)
    fields["options"] = {**options, picture.name: centred}
    return Outside(f"{rows.where}; {where}" if rows else where, fields)
