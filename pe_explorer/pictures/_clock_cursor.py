"""What the clocks say of the cursor: its pair, and how far the hand of that has turned."""

from __future__ import annotations

import numpy as np

from pe_explorer.encodings import EncodingError, Waves, require_known
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration
from pe_explorer.params import capitalised
from pe_explorer.pictures.inspection import Inspection, Value, brief_angle, values_of

__all__ = ["MAIN", "inspect"]

MAIN = "Angle"
_OF_PAIR = "Number of the pair, counted from 0, the fastest."
_OF_COLUMNS = "The {} that are the sine and the cosine of the pair."


def inspect(state: Exploration) -> Inspection:
    """Return the pair of the cursor's dimension, with angle, turns and wavelength.

    Raises
    ------
    EncodingError
        If there are no clocks, or the encoding has no such row.
    """
    e = require_known(state.encoding)
    if problem := needs.pairs(e):
        raise EncodingError("encoding", problem)
    assert isinstance(e, Waves)
    wave = int(e.wave_of[state.dimension])
    columns = np.flatnonzero(e.wave_of == wave)
    if wave < 0 or len(columns) < 2:
        name = capitalised(e.columns.name)
        lack = f"{name} {state.dimension} belongs to no pair, so it has no clock."
        return Inspection(lack=lack, brief=("no pair",))
    reading = e.reading(state.position, state.dimension)
    found = {value.name: value for value in values_of(reading)}
    angle = found.pop(MAIN)
    del found["Value"], found["Wave"]
    pair = Value("Pair", str(wave), _OF_PAIR)
    both = " and ".join(map(str, columns))
    of_columns = Value("Columns", both, _OF_COLUMNS.format(e.columns.plural))
    brief = (f"pair {wave}", *brief_angle(reading))
    return Inspection((angle, pair, of_columns, *found.values()), brief=brief)
