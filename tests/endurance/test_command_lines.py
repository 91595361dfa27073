"""Random command lines: a small run finds nothing, and each planted fault is found."""

import os
from random import Random

import pytest

from tests.endurance.lines import random_line
from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")


def test_a_small_run_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "command_lines", 20) == []


def test_each_planted_fault_is_found(tmp_path):
    plants = ("traceback", "other code", "two lines", "part", "left")
    found = faults_of(tmp_path, "command_lines", len(plants), *plants)
    words = ("KeyError", "exit code 3", "in two lines", "partial files", "exit code 2, and changed")
    assert [event for event, _ in found] == [1, 2, 3, 4, 5]
    for (_, what), word in zip(found, words, strict=True):
        assert word in what


def test_lines_are_the_same_for_a_seed_and_have_every_command():
    made = [[random_line(Random(seed), ["a.json"]) for seed in range(200)] for _ in range(2)]
    assert made[0] == made[1]
    first = {line.words[0] for line in made[0] if line.words}
    assert {"export", "render", "code", "list", "check"} <= first
    assert any(line.opens_window for line in made[0])
    assert len({word for line in made[0] for word in line.words if word[:2] == "--"}) > 150
