"""Parameters without effect are exactly those that change no value."""

import itertools
from contextlib import suppress

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.params import (
    Choice,
    Flag,
    ParameterError,
    Real,
    Whole,
    declared,
    find_used_parameters,
)
from tests.support.oracles import definition, of_scheme
from tests.support.samples import sample

POSITIONS = [-7, -1, 0, 1, 2, 5, 40]


def values_of(scheme, name, kind):
    """Return interesting values of a parameter."""
    if isinstance(kind, Choice):
        return list(kind.choices)
    if isinstance(kind, Flag):
        return [False, True]
    return of_scheme(scheme).near.get(name, [kind.default])


def others(e, name, kind):
    """Return other values of a parameter."""
    value = getattr(e, name)
    found = values_of(e.name, name, kind)
    if isinstance(kind, Whole | Real):
        found = [*found, value + 1, value * 2 + 3, value * 4, value / 2]
    return [other_value for other_value in found if other_value != value]


def settings(name):
    """Return encodings of a scheme with every combination of interesting values."""
    kinds = declared(encodings.find(name))
    supported_kinds = Choice | Flag | Whole | Real
    free = {key: kind for key, kind in kinds.items() if isinstance(kind, supported_kinds)}
    found = []
    for values in itertools.product(*(values_of(name, key, kind) for key, kind in free.items())):
        with suppress(ParameterError):
            found.append(sample(name, **dict(zip(free, values, strict=True))))
    return found


def changes(e, name, kind):
    """Return whether another value of a parameter changes the table; None without one."""
    positions = POSITIONS if POSITIONS[0] in e.domain else range(8)
    table, is_changed = e.table(positions), None
    for value in others(e, name, kind):
        with suppress(ParameterError):
            other = encodings.create(e.name, **{**e.parameters, name: value}).table(positions)
            if other.shape != table.shape or not np.array_equal(other, table):
                return True
            is_changed = False
    return is_changed


@pytest.mark.parametrize("name", encodings.names())
def test_parameters_without_effect_are_exactly_those_that_change_nothing(name, sampled):
    kinds = declared(encodings.find(name))
    encodings_ = [sample(name, **parameters) for parameters in of_scheme(name).sets]
    for e in encodings_ + sampled(settings(name), 50):
        idle = {key for key, kind in kinds.items() if changes(e, key, kind) is False}
        if getattr(e, "scale", 1) == 0:  # both spacings may happen to have the same zeros
            idle -= {"spacing"} - set(e.ineffective_parameters)
        idle -= definition(e).doubtful - set(e.ineffective_parameters)
        unused = kinds.keys() - find_used_parameters(e).keys()
        assert not unused & e.ineffective_parameters.keys()
        assert idle == unused | e.ineffective_parameters.keys(), e
        for why in e.ineffective_parameters.values():  # a part of a sentence
            assert why[0].islower()
            assert not why.endswith(".")
