"""Facts about the encoding and the shown rows: names, range, values and biases."""

import math

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Bias, LinearRows, Periodic, Stored
from pe_explorer.exploration import make_current_name, make_distinguishing_name
from pe_explorer.words.facts import (
    FACTS,
    Facts,
    find_distinct_maximum,
    register_fact,
    require,
    require_fact,
)

FACTS |= {
    "encoding": lambda facts: facts.e.format_name(),
    "row": lambda facts: facts.e.rows.name,
    "rows": lambda facts: facts.e.rows.plural,
    "symbol": lambda facts: facts.e.rows.symbol,
    "column": lambda facts: facts.e.columns.name,
    "columns": lambda facts: facts.e.columns.plural,
    "current": lambda facts: make_current_name(facts.state, is_full=True),
    "pin": lambda facts: make_distinguishing_name(
        facts.state, require_fact(facts.state.pin), is_full=True
    ),
    "width": lambda facts: facts.subject.width,
    "first": lambda facts: facts.state.positions[0],
    "last": lambda facts: facts.state.positions[-1],
    "middle": lambda facts: facts.state.start + facts.state.count // 2,
    "missing": lambda facts: facts.state.count - len(facts.shown_rows) or None,
    "table_rows": lambda facts: len(facts.cast_encoding(Stored).domain),
    "table_first": lambda facts: facts.cast_encoding(Stored).domain[0],
    "rows_there": lambda facts: f"{facts.subject.domain[0]:,} to {facts.subject.domain[-1]:,}",
    # extreme values, and the first row and column that contain them
    "lowest": lambda facts: float(facts.table.min()),
    "lowest_row": lambda facts: _find_row(facts, facts.table.argmin()),
    "lowest_column": lambda facts: facts.subject.format_column_title(
        int(facts.table.argmin()) % facts.subject.width
    ),
    "highest": lambda facts: float(facts.table.max()),
    "farthest_from_0": lambda facts: float(np.abs(facts.table).max()),
    "farthest_row": lambda facts: _find_row(facts, np.abs(facts.table).argmax()),
    "still": lambda facts: int((np.ptp(facts.table, axis=0) < 0.1).sum()),
    "shortest_length": lambda facts: float(facts.row_lengths.min()),
    "longest_length": lambda facts: find_distinct_maximum(facts.row_lengths),
    # difference between consecutive rows, and the row with the value 1
    "step": lambda facts: 1 / facts.cast_encoding(LinearRows).divisor,
    "length_of_1": lambda facts: facts.cast_encoding(LinearRows).divisor,
    "longest_period": lambda facts: float(facts.cast_encoding(Periodic).periods().max()),
    # maximum number of columns that change from a row to the next, and the first such row
    "most_changed": lambda facts: int(_count_changes(facts).max()),
    "most_changed_row": lambda facts: facts.shown_rows[int(_count_changes(facts).argmax())],
    # largest and smallest penalty of one step; for each, the index of the head with this penalty,
    # and the number of steps that halve the weight
    "strongest": lambda facts: float(_compute_penalties(facts).max()),
    "strongest_head": lambda facts: int(_compute_penalties(facts).argmax()),
    "strongest_half": lambda facts: _compute_half_steps(facts, facts["strongest"]),
    "weakest": lambda facts: float(_compute_penalties(facts, min_heads=2).min()),
    "weakest_head": lambda facts: int(_compute_penalties(facts, min_heads=2).argmin()),
    "weakest_half": lambda facts: _compute_half_steps(facts, facts["weakest"]),
}


@register_fact
def last_value(facts: Facts) -> float:
    """Return the value in the first column of the last shown row."""
    facts.require_few_numbers(facts.e.width)
    return facts.e.value(facts.shown_rows[-1], 0)


def _find_row(facts: Facts, cell: np.intp) -> int:
    return facts.shown_rows[int(cell) // facts.subject.width]


def _count_changes(facts: Facts) -> Ints:
    require(len(facts.shown_rows) >= 2)
    return np.count_nonzero(np.diff(facts.table, axis=0), axis=1)


def _compute_penalties(facts: Facts, min_heads: int = 1) -> Floats:
    """Return the penalty of each head for one step back; require at least `min_heads` heads."""
    e = facts.cast_encoding(Bias)
    require(e.width >= min_heads)
    return -e.bias([-1])[:, 0]


def _compute_half_steps(facts: Facts, penalty: float) -> float:
    one_step_bias, two_step_bias = facts.cast_encoding(Bias).bias([-1, -2]).T
    require(penalty > 0 and np.allclose(two_step_bias, 2 * one_step_bias))
    return math.log(2) / penalty
