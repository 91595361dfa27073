"""What the waves say of the cursor: its value, and what the lines read off."""

from __future__ import annotations

import itertools
import math

from pe_explorer.analysis import distance
from pe_explorer.encodings import EncodingError, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.pictures._waves_numbers import distance_between, read_off, shown
from pe_explorer.pictures._waves_options import WavesOptions
from pe_explorer.pictures._waves_texts import (
    NOT_DETERMINED,
    apart_text,
    line_title,
    named,
    number_text,
    place_text,
)
from pe_explorer.pictures.inspection import Inspection, Value

__all__ = ["inspect"]

_READ = "What the line reads off of the curves: {}."
_APART = "How far apart what the two lines read off is, measured by {}."
_ROWS = "How far apart the whole rows of the two are, with all {}."


def inspect(state: Exploration, options: WavesOptions, value: Inspection) -> Inspection:
    """Return what is known of the value at the cursor, then what the lines read off."""
    e, columns = require_known(state.encoding), shown(state, options)
    apart_help = _APART.format(state.metric)
    of_columns = _READ.format(", ".join(named(e, column) for column in columns))
    vectors = read_off(e, columns, options)
    values = list(value.values)
    for vector in vectors:
        texts = ", ".join(map(number_text, vector.heights.tolist()))
        values.append(Value(line_title(state, vector.position), texts, of_columns))
    for first, second in itertools.combinations(vectors, 2):
        one, two = first.position, second.position
        ends = f"{place_text(one)} to {place_text(two)}"
        apart = distance_between(e, first, second, state.metric)
        values.append(Value(f"Read off, {ends}", apart_text(apart, first, second), apart_help))
        whole = _between_rows(state, one, two)
        values.append(Value(f"Rows, {ends}", whole, _ROWS.format(e.columns.plural)))
    return value._replace(values=tuple(values))


def _between_rows(state: Exploration, one: float, two: float) -> str:
    """Return the distance of two whole rows as text."""
    e, metric = require_known(state.encoding), state.metric
    try:
        if distance.is_undetermined(e, one, two, metric):
            return NOT_DETERMINED
        return number_text(distance.between(e, one, two, metric))
    except EncodingError:  # no row there
        return number_text(math.nan)
