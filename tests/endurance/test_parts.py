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
from tests.support.cases import for_each
from tests.support.kills import KINDS

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")

# -- what is planted for as long as a part runs ----------------------------------------------------

SMALL = {"anew": 4, "breakdowns": 9, "frames": 240, "numbers": 300, "typed": 150}
"""How many items find nothing where nothing is planted: of breakdowns a round of each kind."""

PLANTED = {
    anew: dict.fromkeys(anew.PLANTS, (1, 6, "something stays in ")),
    breakdowns: {
        "half": (1, 1, "a round of a full disk"),
        "traceback": (2, 1, "KeyError in a round of"),
        "lost": (5, 1, "in a round of settings"),
    },
    numbers: {
        "divided first": (50, 4, "projection of"),
        "all digits": (100, 5, "of sinusoidal is wrong"),
        "rounded rows": (50, 4, "of alibi is wrong"),
    },
    typed: dict.fromkeys(typed.PLANTS, (100, 1, "AssertionError in a typed number: '")),
}
"""By part and fault: after how many items, of which seed, it was met, and how it is told."""


@for_each("part", SMALL)
def test_a_small_run_finds_nothing(faults_of, part):
    assert faults_of(part, SMALL[part], seed=4) == []


@for_each(
    ("part", "plant"), [(part, plant) for part, plants in PLANTED.items() for plant in plants]
)
def test_each_fault_that_is_there_all_the_time_is_found(faults_of, part, plant):
    assert set(PLANTED[part]) == set(part.PLANTS)
    size, first_seed, words = PLANTED[part][plant]
    name = part.__name__.rpartition(".")[2]
    found = []
    for seed in (first_seed, *range(1, 9)):  # some are seldom met
        if not found:
            found = faults_of(name, size, plant, seed=seed)
    assert found
    if part is breakdowns:
        assert any(words in what for _, what in found)
    else:
        assert all(words in what for _, what in found)
    if part is typed:
        assert all("' is read as " in what for _, what in found)


def test_memory_that_grows_and_a_warning_are_found_in_frames(faults_of):
    plants = ["leak", "leak", "warning"]  # one of them is too little for so few frames
    assert set(plants) == set(frames.PLANTS)
    found = [what for _, what in faults_of("frames", SMALL["frames"], *plants)]
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
MORE = {command_lines: 8, files: 8, kills: len(KINDS), tables: 3}
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
