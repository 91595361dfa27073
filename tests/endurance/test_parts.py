"""The parts of the long test: a small run finds nothing, and each planted fault is found."""

import os
from random import Random

import pytest

from tests.endurance.faults import NOTHING
from tests.endurance.lines import random_line
from tests.endurance.mutations import mutated
from tests.endurance.tables import table_of
from tests.endurance.typed import LOCALES, random_spelling

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


DATA = b'<?xml version="1.0"?>\n<svg>{"schema": 1, "a": [1, 2]}\nx=1 2 3\n'
ENDINGS = (".json", ".png", ".svg", ".pdf", ".npy", ".txt", ".vocab", ".ini", ".bin")


def test_items_are_the_same_for_a_seed_and_of_many_kinds():
    def made():
        seeds = range(200)
        lines = [random_line(Random(seed), ["a.json"]) for seed in seeds]
        files = [[mutated(DATA, kind, Random(seed)) for seed in seeds[:28]] for kind in ENDINGS]
        tables = [table_of(Random(f"table {seed}")) for seed in seeds]
        spelled = [random_spelling(Random(k), LOCALES[k % 6], whole=k % 2 == 0) for k in range(900)]
        return lines, files, [(table.dtype, table.tolist()) for table in tables], spelled

    assert made() == made()
    lines, files, tables, spelled = made()
    words = {word for line in lines for word in line.words}
    assert {"export", "render", "code", "list", "check"} <= words
    assert any(line.opens_window for line in lines)
    assert sum(word.startswith("--") for word in words) > 150
    assert all(len(set(datas)) > 20 for datas in files)
    assert {kind.kind for kind, _ in tables} == set("fiub")
    numbers = [abs(x) for kind, rows in tables if kind.kind == "f" for row in rows for x in row]
    assert max(numbers) > 1e308
    assert min(filter(None, numbers)) == 5e-324
    typed = " ".join(spelling.text for spelling in spelled)
    assert all(sign in typed for sign in "_e^*×kK,.\u066b\u066c\u202f\u2019\u2212\u0661")
