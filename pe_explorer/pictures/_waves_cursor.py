"""What the waves say of the cursor: its value, and what the lines read off."""

from __future__ import annotations

import itertools

from pe_explorer.analysis import distance
from pe_explorer.encodings import EncodingError, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.pictures._waves_numbers import read_off, shown
from pe_explorer.pictures._waves_options import WavesOptions
from pe_explorer.pictures._waves_texts import line_title, named, number_text, place_text
from pe_explorer.pictures.inspection import Inspection, Value

__all__ = ["inspect"]

_READ = "What the line reads off of the curves: {}."
_APART = "How far apart what the two lines read off is, measured by {}."
_ROWS = "How far apart the whole rows of the two are, with all {}."


def inspect(state: Exploration, options: WavesOptions, value: Inspection) -> Inspection:
    """Return what is known of the value at the cursor, then what the lines read off."""
    e, columns = require_known(state.encoding), shown(state, options)
    of_columns = _READ.format(", ".join(named(e, column) for column in columns))
    vectors = read_off(e, columns, options)
    values = list(value.values)
    for vector in vectors:
        texts = ", ".join(map(number_text, vector.heights.tolist()))
        values.append(Value(line_title(state, vector.position), texts, of_columns))
    for first, second in itertools.combinations(vectors, 2):
        one, two = first.position, second.position
        ends = f"{place_text(one)} to {place_text(two)}"
        apart = distance.between_vectors(first.heights, second.heights, state.metric)
        values.append(Value(f"Read off, {ends}", number_text(apart), _APART.format(state.metric)))
        whole = number_text(_between_rows(state, one, two))
        values.append(Value(f"Rows, {ends}", whole, _ROWS.format(e.columns.plural)))
    return value._replace(values=tuple(values))


def _between_rows(state: Exploration, one: float, two: float) -> float:
    """Return the distance of two whole rows, nan where there is none."""
    try:
        return distance.between(require_known(state.encoding), one, two, state.metric)
    except EncodingError:  # no row there
        return float("nan")
