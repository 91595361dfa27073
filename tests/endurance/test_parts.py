"""The parts of the long test: a small run finds nothing, and each planted fault is found."""

import os

import pytest

from tests.endurance import (
    anew,
    breakdowns,
    command_lines,
    files,
    frames,
    kills,
    numbers,
    tables,
    typed,
)
from tests.endurance.faults import NOTHING
from tests.support.cases import for_each
from tests.support.kills import KINDS

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")

# -- what is planted for a share of the items ------------------------------------------------------

OF_BREAKDOWNS = {
    "half": "a round of a full disk",
    "traceback": "KeyError in a round of",
    "lost": "in a round of settings",
}
OF_NUMBERS = {
    "divided first": "projection of",
    "all digits": "of sinusoidal is wrong",
    "rounded rows": "of alibi is wrong",
}
PLANTED = {
    anew: (3, 3, 59, dict.fromkeys(anew.PLANTS, "something stays in ")),
    breakdowns: (9, 2, 1, OF_BREAKDOWNS),
    numbers: (200, 60, 26, OF_NUMBERS),
    typed: (150, 90, 11, dict.fromkeys(typed.PLANTS, "' is read as ")),
}
"""By part: how many items find nothing, as nothing is planted, of breakdowns a round of each kind;
how many come for each fault, of which seed, to meet most of them, and how each is told.
"""


@for_each("part", PLANTED)
def test_each_fault_that_is_there_for_many_items_is_found_and_nothing_before(faults_of, part):
    clean, each, first_seed, told = PLANTED[part]
    assert set(told) == set(part.PLANTS)
    left = list(told)
    for seed in (first_seed, *range(1, 9)):  # some are seldom met
        if left:
            plants = [NOTHING] * clean + [plant for plant in left for _ in range(each)]
            name = part.__name__.rpartition(".")[2]
            found = faults_of(name, len(plants), *plants, seed=seed)
            named = [(plants[event - 1], what) for event, what in found]
            assert NOTHING not in dict(named)
            if part is breakdowns:
                named = [(plant, what) for plant, what in named if told[plant] in what]
            assert all(told[plant] in what for plant, what in named)
            if part is typed:
                assert all("AssertionError in a typed number: '" in what for _, what in found)
            left = [plant for plant in left if plant not in dict(named)]
    assert not left


def test_memory_that_grows_and_a_warning_are_found_in_frames(faults_of):
    assert faults_of("frames", 60, seed=4) == []
    plants = ["leak"] * 4 + ["warning"]  # one of them is too little for so few frames
    assert set(plants) == set(frames.PLANTS)
    found = [what for _, what in faults_of("frames", 60, *plants)]
    assert found[-1] == "memory grows while it plays"
    assert set(found[:-1]) == {"Qt's warning: planted message"}


# -- what is planted in one item after the other ---------------------------------------------------

ONE_BY_ONE = {
    command_lines: {
        "traceback": "KeyError",
        "other code": "exit code 3",
        "two lines": "in two lines",
        "part": "partial files",
        "left": "exit code 2, and changed",
    },
    files: {
        "traceback": "KeyError in",
        "slow": "more than 2 s of work",
        "large": "more than 200 MB",
        "several lines": "AssertionError in",
    },
    kills: {
        plant: f"after a kill in {kind}" for plant, kind in zip(kills.PLANTS, KINDS, strict=False)
    },
    tables: {
        "no round number": "ValueError in",
        "squared lengths": "AssertionError in a table: euclidean of",
        "no limit": "Cannot set range",
    },
}
"""By part: how each fault is told."""
MORE = {command_lines: 8, files: 4, kills: 1, tables: 1}
"""How many items come after those with faults."""


@for_each("part", ONE_BY_ONE)
def test_nothing_but_what_is_planted_is_found(faults_of, part):
    told = ONE_BY_ONE[part]
    assert set(told) == set(part.PLANTS)
    name = part.__name__.rpartition(".")[2]
    found = faults_of(name, len(told) + MORE[part], *told)
    for number, words in enumerate(told.values(), 1):
        assert any(words in what for event, what in found if event == number), number
    if part is tables:  # a table is exported and shown in many ways
        assert {event for event, _ in found} == {1, 2, 3}
    else:
        assert len(found) == len(told)
