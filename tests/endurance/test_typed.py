"""Typed numbers: a small run finds nothing, and each planted fault is found."""

import os
from random import Random

import pytest

from tests.endurance.spellings import LOCALES, random_spelling
from tests.endurance.typed import PLANTS
from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")


def test_a_small_run_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "typed", 300) == []


@pytest.mark.parametrize("plant", PLANTS)
def test_each_planted_fault_is_found(tmp_path, plant):
    found = [what for _, what in faults_of(tmp_path, "typed", 300, plant)]
    assert found
    assert all(what.startswith("AssertionError in a typed number: '") for what in found)
    assert all("' is read as " in what for what in found)


def test_spellings_are_the_same_for_a_seed_and_of_many_ways():
    made = [
        [
            random_spelling(Random(seed), LOCALES[seed % 6], whole=seed % 2 == 0)
            for seed in range(900)
        ]
        for _ in range(2)
    ]
    assert made[0] == made[1]
    typed = " ".join(spelling.text for spelling in made[0])
    assert all(sign in typed for sign in "_e^*×kK,.\u066b\u066c\u202f\u2019\u2212\u0661")
