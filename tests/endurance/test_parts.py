"""The parts of the long test: a small run finds nothing, and each planted fault is found."""

import os

import pytest

from tests.endurance.faults import NOTHING

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")

CASES = {
    "anew": (3, 3, 59, {"cells": "something stays in ", "words": "something stays in "}),
    "breakdowns": (9, 5, 1, {"lost": "in a round of settings", "half": "a round of a full disk"}),
    "command_lines": (
        *(8, 1, 1),
        {
            "code": "exit code 3",
            "lines": "in two lines",
            "part": "partial files",
            "left": "exit code 2, and changed",
        },
    ),
    "files": (
        *(4, 1, 1),
        {
            "traceback": "KeyError in",
            "slow": "more than 2 s of work",
            "large": "more than 200 MB",
            "lines": "AssertionError in",
        },
    ),
    "frames": (0, 60, 4, {"still": "the cursor moved in ", "leak": "memory grows while it plays"}),
    "kills": (1, 7, 1, {"half": "after a kill in"}),
    "numbers": (
        *(200, 60, 9),
        {
            "divided": "projection of",
            "digits": "of sinusoidal is wrong",
            "rows": "of alibi is wrong",
        },
    ),
    "tables": (1, 1, 1, {"lengths": "in a table: euclidean of", "limit": "Cannot set range"}),
    "told": (1, 1, 1, {"facts": "a false sentence in "}),
    "typed": (
        *(150, 90, 11),
        {"commas": "' is read as ", "rounded": "' is read as ", "refused": " is refused, and is "},
    ),
}
"""By part: how many items find nothing, as nothing is planted; how many come for each fault; the
seed; the faults, and what is said of each."""


@pytest.mark.parametrize("part", CASES)
def test_each_planted_fault_is_found_and_nothing_before(faults_of, part):
    clean, share, first_seed, words = CASES[part]
    left = dict(words)
    for seed in (first_seed, *range(1, 9)):  # some are seldom met
        plants = [NOTHING] * clean + [name for name in left for _ in range(share)]
        found = [
            (plants[number - 1], what)
            for number, what in faults_of(part, len(plants), *plants, seed=seed)
        ]
        assert NOTHING not in dict(found)
        for name, what in found:
            if words[name] in what:
                left.pop(name, None)
        if not left:
            break
    assert not left
    if part == "kills":
        assert len(found) == share  # whatever was written
