"""Options of pictures of a table, and the columns that they select."""

from dataclasses import replace
from typing import NamedTuple

from pe_explorer.colours.maps import VALUE_MAPS
from pe_explorer.params import Choice, Whole
from pe_explorer.pictures.gestures import zoom_span
from pe_explorer.pictures.inspection import HiddenCursor
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.pictures.pixel_columns import PixelColumns
from pe_explorer.tables import MAX_COLUMNS

VALUE_COLOURS = Choice("soft", VALUE_MAPS, label="Colours", help="Colour map for values.")
FIRST_COLUMN = Whole(
    0, 0, MAX_COLUMNS - 1, label="First column", unit="columns", help="First column shown."
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
    """The columns shown: `dimensions` columns from `first`, out of `width` columns in total."""

    first: int
    dimensions: int
    width: int

    def coordinate(self, column: int | None) -> float | None:
        """Return the x coordinate of a column, or None if the column is not shown."""
        if column is None or not self.first <= column < self.first + self.dimensions:
            return None
        return float(column - self.first)

    def find_column(self, pixels: PixelColumns | None, x: float) -> int:
        """Return the column that is drawn at an x coordinate.

        If several columns share a pixel, `pixels` determines the column. If `pixels` is None,
        every column has its own pixels.
        """
        nearest_column = min(max(0, round(x)), self.dimensions - 1)
        return self.first + (pixels.find_column(x) if pixels else nearest_column)

    def find_zoom_options(self, factor: float, anchor: float) -> dict[str, int]:
        """Return the options that show `factor` times as many columns.

        The column at the fraction `anchor` of the width stays in place if the limits allow it.
        """
        count = zoom_span(self.dimensions, factor, self.width)
        start = self.first + round((self.dimensions - count) * anchor)
        start = min(max(0, start), self.width - count)
        return {"first": start, "dimensions": 0 if count == self.width else count}

    def find_scroll_options(self, columns: int) -> dict[str, int]:
        """Return the options that scroll by a number of columns, or {} if nothing changes."""
        first = min(max(0, self.first + columns), self.width - self.dimensions)
        return {} if first == self.first else {"first": first}


def select_columns(first: int, dimensions: int, width: int) -> ShownColumns:
    """Return `dimensions` columns starting at `first`, or all columns if `dimensions` is 0.

    The range is moved and shortened to fit into `width` columns.
    """
    count = min(dimensions or width, width)
    return ShownColumns(min(first, width - count), count, width)


def add_hidden_column(
    picture: AnyPicture,
    columns: ShownColumns,
    column: int,
    title: str,
    hidden_cursor: HiddenCursor | None,
) -> HiddenCursor | None:
    """Return the hidden cursor, with the direction of its column added if that is not shown."""
    if columns.coordinate(column) is not None:
        return hidden_cursor
    place = f"{title}, {'to the left' if column < columns.first else 'to the right'}"
    first = min(max(column - columns.dimensions // 2, 0), columns.width - columns.dimensions)
    fields = dict(hidden_cursor.fields) if hidden_cursor else {}
    options = fields.get("options", picture.state.options)
    centred_options = replace(options.get(picture.name, picture.options), first=first)
    fields["options"] = {**options, picture.name: centred_options}
    return HiddenCursor(f"{hidden_cursor.place}; {place}" if hidden_cursor else place, fields)
