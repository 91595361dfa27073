"""Facts of what is shown: its names, its range, and the values in it."""

import numpy as np
import numpy.typing as npt

from pe_explorer.encodings import Line, Periodic, Stored
from pe_explorer.exploration import current_name, distinguishing_name
from pe_explorer.gallery.facts.set_up import VISIBLE_DIFFERENCE, NoFactError, SetUp, fact, given

Ints = npt.NDArray[np.intp]

_STILL_SPREAD = 0.1  # largest difference of the values of a column that hardly changes


@fact
def encoding(of: SetUp) -> str:
    """Return the name of the scheme within a sentence."""
    return of.e.called()


@fact
def row(of: SetUp) -> str:
    """Return what one row is called."""
    return of.e.rows.name


@fact
def rows(of: SetUp) -> str:
    """Return what several rows are called."""
    return of.e.rows.plural


@fact
def column(of: SetUp) -> str:
    """Return what one column is called."""
    return of.e.columns.name


@fact
def columns(of: SetUp) -> str:
    """Return what several columns are called."""
    return of.e.columns.plural


@fact
def current(of: SetUp) -> str:
    """Return what the current encoding is called beside the pins."""
    return current_name(of.state, whole=True)


@fact
def pin(of: SetUp) -> str:
    """Return what the pin that is compared with is called."""
    return distinguishing_name(given(of.state.pin), of.state.encoding, whole=True)


@fact
def position(of: SetUp) -> int:
    """Return the position of the cursor."""
    return of.state.position


@fact
def reference(of: SetUp) -> int:
    """Return the row that distances are measured from."""
    return of.state.reference


@fact
def width(of: SetUp) -> int:
    """Return the number of columns."""
    return of.subject.width


@fact
def count(of: SetUp) -> int:
    """Return the number of rows shown."""
    return of.state.count


@fact
def first(of: SetUp) -> int:
    """Return the first row shown."""
    return of.state.positions[0]


@fact
def last(of: SetUp) -> int:
    """Return the last row shown."""
    return of.state.positions[-1]


@fact
def middle(of: SetUp) -> int:
    """Return the row in the middle of those shown."""
    return of.state.start + of.state.count // 2


@fact
def table_rows(of: SetUp) -> int:
    """Return the number of rows that a file holds."""
    return len(of.known_as(Stored).domain)


@fact
def table_first(of: SetUp) -> int:
    """Return the first position that has a row in a file."""
    return of.known_as(Stored).domain[0]


@fact
def missing(of: SetUp) -> int:
    """Return how many of the rows shown the encoding does not have, if it lacks any."""
    number = of.state.count - len(of.shown)
    if not number:
        raise NoFactError
    return number


# -- values --------------------------------------------------------------------------------------


@fact
def lowest(of: SetUp) -> float:
    """Return the lowest value shown."""
    return float(of.values.min())


@fact
def lowest_row(of: SetUp) -> int:
    """Return the first row that has the lowest value."""
    return _row_of(of, of.values.argmin())


@fact
def lowest_column(of: SetUp) -> str:
    """Return the title of the first column that has it there."""
    return _column_of(of, of.values.argmin())


@fact
def highest(of: SetUp) -> float:
    """Return the highest value shown."""
    return float(of.values.max())


@fact
def farthest_from_0(of: SetUp) -> float:
    """Return the size of the value shown that is farthest from 0."""
    return float(np.abs(of.values).max())


@fact
def farthest_row(of: SetUp) -> int:
    """Return the first row that has this value."""
    return _row_of(of, np.abs(of.values).argmax())


@fact
def farthest_column(of: SetUp) -> str:
    """Return the title of the first column that has it there."""
    return _column_of(of, np.abs(of.values).argmax())


@fact
def still(of: SetUp) -> int:
    """Return the number of columns whose values differ by less than 0.1 in the rows shown."""
    spreads = of.values.max(axis=0) - of.values.min(axis=0)
    return int((spreads < _STILL_SPREAD).sum())


def _row_of(of: SetUp, cell: np.intp) -> int:
    """Return the row of a cell of the table, by its place in reading order."""
    return of.shown[int(cell) // of.subject.width]


def _column_of(of: SetUp, cell: np.intp) -> str:
    """Return the title of the column of a cell."""
    return of.subject.column_title(int(cell) % of.subject.width)


# -- lengths of rows -----------------------------------------------------------------------------


@fact
def shortest_length(of: SetUp) -> float:
    """Return the length of the shortest row shown."""
    return float(of.lengths.min())


@fact
def shortest_row(of: SetUp) -> int:
    """Return the first row of that length."""
    return of.shown[int(of.lengths.argmin())]


@fact
def longest_length(of: SetUp) -> float:
    """Return the length of the longest row shown, where they differ enough to be seen."""
    longest = float(of.lengths.max())
    if longest - shortest_length(of) < VISIBLE_DIFFERENCE * longest:
        raise NoFactError
    return longest


@fact
def longest_row(of: SetUp) -> int:
    """Return the first row of that length."""
    return of.shown[int(of.lengths.argmax())]


# -- plain numbers -------------------------------------------------------------------------------


@fact
def step(of: SetUp) -> float:
    """Return by how much a number grows from one row to the next."""
    return 1 / of.known_as(Line).divisor


@fact
def last_value(of: SetUp) -> float:
    """Return the value in the first column of the last row shown."""
    of.require_few(of.e.width)
    return of.e.value(of.shown[-1], 0)


@fact
def length_of_1(of: SetUp) -> int:
    """Return the row whose numbers are 1."""
    return of.known_as(Line).divisor


@fact
def longest_period(of: SetUp) -> float:
    """Return after how many rows the slowest column repeats."""
    return float(of.known_as(Periodic).periods().max())


@fact
def most_changed(of: SetUp) -> int:
    """Return the largest number of columns that change from one row shown to the next."""
    return int(_changed(of).max())


@fact
def most_changed_row(of: SetUp) -> int:
    """Return the first row after which so many change."""
    return of.shown[int(_changed(of).argmax())]


@fact
def most_changed_next(of: SetUp) -> int:
    """Return the row after that."""
    return most_changed_row(of) + 1


def _changed(of: SetUp) -> Ints:
    """Return how many columns change from each row shown to the next."""
    if len(of.shown) < 2:
        raise NoFactError
    changed: Ints = np.count_nonzero(np.diff(of.values, axis=0), axis=1)
    return changed
