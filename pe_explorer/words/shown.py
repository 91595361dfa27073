"""Facts about the encoding and the shown rows: names, range, values and biases."""

import math

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Bias, Line, Periodic, Stored
from pe_explorer.exploration import current_name, distinguishing_name
from pe_explorer.words.facts import FACTS, Facts, distinct_maximum, fact, require, require_fact

FACTS |= {
    "encoding": lambda facts: facts.e.display_name(),
    "row": lambda facts: facts.e.rows.name,
    "rows": lambda facts: facts.e.rows.plural,
    "symbol": lambda facts: facts.e.rows.symbol,
    "column": lambda facts: facts.e.columns.name,
    "columns": lambda facts: facts.e.columns.plural,
    "current": lambda facts: current_name(facts.state, is_full=True),
    "pin": lambda facts: distinguishing_name(
        facts.state, require_fact(facts.state.pin), is_full=True
    ),
    "width": lambda facts: facts.subject.width,
    "first": lambda facts: facts.state.positions[0],
    "last": lambda facts: facts.state.positions[-1],
    "middle": lambda facts: facts.state.start + facts.state.count // 2,
    "missing": lambda facts: facts.state.count - len(facts.shown_rows) or None,
    "table_rows": lambda facts: len(facts.encoding_as(Stored).domain),
    "table_first": lambda facts: facts.encoding_as(Stored).domain[0],
    "rows_there": lambda facts: f"{facts.subject.domain[0]:,} to {facts.subject.domain[-1]:,}",
    # extreme values, and the first row and column that contain them
    "lowest": lambda facts: float(facts.table.min()),
    "lowest_row": lambda facts: _row_of(facts, facts.table.argmin()),
    "lowest_column": lambda facts: facts.subject.column_title(
        int(facts.table.argmin()) % facts.subject.width
    ),
    "highest": lambda facts: float(facts.table.max()),
    "farthest_from_0": lambda facts: float(np.abs(facts.table).max()),
    "farthest_row": lambda facts: _row_of(facts, np.abs(facts.table).argmax()),
    "still": lambda facts: int((np.ptp(facts.table, axis=0) < 0.1).sum()),
    "shortest_length": lambda facts: float(facts.row_lengths.min()),
    "longest_length": lambda facts: distinct_maximum(facts.row_lengths),
    # difference between consecutive rows, and the row with the value 1
    "step": lambda facts: 1 / facts.encoding_as(Line).divisor,
    "length_of_1": lambda facts: facts.encoding_as(Line).divisor,
    "longest_period": lambda facts: float(facts.encoding_as(Periodic).periods().max()),
    # maximum number of columns that change between consecutive rows, and the row before the first
    # such change
    "most_changed": lambda facts: int(_change_counts(facts).max()),
    "most_changed_row": lambda facts: facts.shown_rows[int(_change_counts(facts).argmax())],
    # largest and smallest penalty of one step, the index of the head with this penalty, and the
    # number of steps that halve the weight
    "strongest": lambda facts: float(_penalties(facts).max()),
    "strongest_head": lambda facts: int(_penalties(facts).argmax()),
    "strongest_half": lambda facts: _half_steps(facts, facts["strongest"]),
    "weakest": lambda facts: float(_penalties(facts, min_heads=2).min()),
    "weakest_head": lambda facts: int(_penalties(facts, min_heads=2).argmin()),
    "weakest_half": lambda facts: _half_steps(facts, facts["weakest"]),
}


@fact
def last_value(facts: Facts) -> float:
    """Return the value in the first column of the last shown row."""
    facts.require_few(facts.e.width)
    return facts.e.value(facts.shown_rows[-1], 0)


def _row_of(facts: Facts, cell: np.intp) -> int:
    return facts.shown_rows[int(cell) // facts.subject.width]


def _change_counts(facts: Facts) -> Ints:
    require(len(facts.shown_rows) >= 2)
    return np.count_nonzero(np.diff(facts.table, axis=0), axis=1)


def _penalties(facts: Facts, min_heads: int = 1) -> Floats:
    """Return the penalty of each head for one step back; require at least `min_heads` heads."""
    e = facts.encoding_as(Bias)
    require(e.width >= min_heads)
    return -e.bias([-1])[:, 0]


def _half_steps(facts: Facts, penalty: float) -> float:
    one_step, two_steps = facts.encoding_as(Bias).bias([-1, -2]).T
    require(penalty > 0 and np.allclose(two_steps, 2 * one_step))
    return math.log(2) / penalty
