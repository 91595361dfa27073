"""Facts of what is shown: its names, its range, its values, its biases and its sentence."""

import math

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Bias, Line, Periodic, Stored
from pe_explorer.exploration import current_name, distinguishing_name
from pe_explorer.words.facts import FACTS, Facts, differing, fact, given, require

_STILL_SPREAD = 0.1  # largest difference of the values of a column that hardly changes

FACTS |= {
    # names
    "encoding": lambda of: of.e.display_name(),
    "row": lambda of: of.e.rows.name,
    "rows": lambda of: of.e.rows.plural,
    "symbol": lambda of: of.e.rows.symbol,
    "column": lambda of: of.e.columns.name,
    "columns": lambda of: of.e.columns.plural,
    "current": lambda of: current_name(of.state, whole=True),
    "pin": lambda of: distinguishing_name(given(of.state.pin), of.state.encoding, whole=True),
    # rows and columns
    "width": lambda of: of.subject.width,
    "first": lambda of: of.state.positions[0],
    "last": lambda of: of.state.positions[-1],
    "middle": lambda of: of.state.start + of.state.count // 2,
    "missing": lambda of: of.state.count - len(of.shown) or None,
    "table_rows": lambda of: len(of.known_as(Stored).domain),
    "table_first": lambda of: of.known_as(Stored).domain[0],
    "rows_there": lambda of: f"{of.subject.domain[0]:,} to {of.subject.domain[-1]:,}",
    # values, and the first row and column that have them
    "lowest": lambda of: float(of.table.min()),
    "lowest_row": lambda of: _row_of(of, of.table.argmin()),
    "lowest_column": lambda of: _column_of(of, of.table.argmin()),
    "highest": lambda of: float(of.table.max()),
    "farthest_from_0": lambda of: float(np.abs(of.table).max()),
    "farthest_row": lambda of: _row_of(of, np.abs(of.table).argmax()),
    "farthest_column": lambda of: _column_of(of, np.abs(of.table).argmax()),
    "still": lambda of: int((np.ptp(of.table, axis=0) < _STILL_SPREAD).sum()),
    # lengths of rows
    "shortest_length": lambda of: float(of.row_lengths.min()),
    "longest_length": lambda of: differing(of.row_lengths),
    "shortest_row": lambda of: of.shown[int(of.row_lengths.argmin())],
    "longest_row": lambda of: of.shown[int(of.row_lengths.argmax())],
    # plain numbers
    "step": lambda of: 1 / of.known_as(Line).divisor,  # from one row to the next
    "length_of_1": lambda of: of.known_as(Line).divisor,  # the row whose numbers are 1
    "longest_period": lambda of: float(of.known_as(Periodic).periods().max()),
    # the largest number of columns that change from one row shown to the next, and these rows
    "most_changed": lambda of: int(_changed(of).max()),
    "most_changed_row": lambda of: of.shown[int(_changed(of).argmax())],
    "most_changed_next": lambda of: of.shown[int(_changed(of).argmax())] + 1,
    # the penalty of one step in the steepest and in the flattest head, the number of that head,
    # and after how many steps it gives half the weight
    "strongest": lambda of: float(_penalties(of).max()),
    "strongest_head": lambda of: int(_penalties(of).argmax()),
    "strongest_half": lambda of: _halving(of, float(_penalties(of).max())),
    "weakest": lambda of: float(_penalties(of, least_heads=2).min()),
    "weakest_head": lambda of: int(_penalties(of, least_heads=2).argmin()),
    "weakest_half": lambda of: _halving(of, float(_penalties(of, least_heads=2).min())),
}


@fact
def last_value(of: Facts) -> float:
    """Return the value in the first column of the last row shown."""
    of.require_few(of.e.width)
    return of.e.value(of.shown[-1], 0)


def _row_of(of: Facts, cell: np.intp) -> int:
    """Return the row of a cell of the table, by its place in reading order."""
    return of.shown[int(cell) // of.subject.width]


def _column_of(of: Facts, cell: np.intp) -> str:
    return of.subject.column_title(int(cell) % of.subject.width)


def _changed(of: Facts) -> Ints:
    """Return how many columns change from each row shown to the next."""
    require(len(of.shown) >= 2)
    return np.count_nonzero(np.diff(of.table, axis=0), axis=1)


def _penalties(of: Facts, least_heads: int = 1) -> Floats:
    """Return the penalty of each head for one step back, where there are enough heads."""
    bias = of.known_as(Bias)
    require(bias.width >= least_heads)
    return -bias.bias([-1])[:, 0]


def _halving(of: Facts, penalty: float) -> float:
    """Return after how many steps a penalty above 0 halves the weight, if all cost the same."""
    once, twice = of.known_as(Bias).bias([-1, -2]).T
    require(penalty > 0 and np.allclose(twice, 2 * once))
    return math.log(2) / penalty
