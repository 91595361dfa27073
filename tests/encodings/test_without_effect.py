"""What an encoding calls a parameter without effect changes no number, and nothing else does so."""

import itertools
from contextlib import suppress

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.params import Choice, Flag, ParameterError, Real, Whole, declared
from tests.support.samples import sample

POSITIONS = [-7, -1, 0, 1, 2, 5, 40]

SPECIAL = {
    "dim": [1, 2, 3, 4, 7],
    "head_dim": [2, 4, 6],
    "partial_rotary_factor": [0.5, 1.0],
    "scale": [0.0, 1.0],
    "offset": [0, 3],
}
"""Values near which a number may lose its effect, by the name of the parameter."""


def values_of(name, kind):
    """Return values of a parameter that are worth a try."""
    if isinstance(kind, Choice):
        return list(kind.choices)
    if isinstance(kind, Flag):
        return [False, True]
    return SPECIAL.get(name, [kind.default])


def others(kind, value):
    """Return other values of a parameter."""
    if isinstance(kind, Choice | Flag):
        return [each for each in values_of("", kind) if each != value]
    if isinstance(kind, Whole | Real):
        return [value + 1, value * 2 + 3, value * 4, value / 2]
    return []


def settings(name):
    """Return many encodings of one scheme, with every combination of special values."""
    kinds = declared(encodings.find(name))
    usual = Choice | Flag | Whole | Real
    free = {key: kind for key, kind in kinds.items() if isinstance(kind, usual)}
    found = []
    for values in itertools.product(*(values_of(key, kind) for key, kind in free.items())):
        with suppress(ParameterError):
            found.append(sample(name, **dict(zip(free, values, strict=True))))
    return found


def changes(e, name, kind):
    """Return whether another value of a parameter changes the table; None if there is none."""
    where = POSITIONS if e.domain[0] < 0 else range(8)
    table, tried = e.table(where), None
    for value in others(kind, getattr(e, name)):
        with suppress(ParameterError):
            other = encodings.create(e.name, **{**e.parameters, name: value}).table(where)
            if other.shape != table.shape or not np.array_equal(other, table):
                return True
            tried = False
    return tried


@pytest.mark.parametrize("name", encodings.names())
def test_exactly_what_changes_no_number_is_called_without_effect(name):
    kinds = declared(encodings.find(name))
    for e in settings(name):
        idle = {key for key, kind in kinds.items() if changes(e, key, kind) is False}
        if getattr(e, "scale", 1) == 0:  # by chance the zeros of both spacings may be the same
            idle -= {"spacing"} - set(e.without_effect)
        assert set(e.without_effect) == idle, e


@pytest.mark.parametrize("name", encodings.names())
def test_reasons_are_parts_of_a_sentence(name):
    for e in settings(name):
        for why in e.without_effect.values():
            assert why
            assert why[0].islower()
            assert not why.endswith(".")
