"""Views drawn anew: a small run finds nothing, and each planted fault is found."""

import pytest

from tests.endurance.anew import PLANTS
from tests.support.part_runs import faults_of


def test_a_small_run_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "anew", 8) == []


@pytest.mark.parametrize("plant", PLANTS)
def test_each_planted_fault_is_found(tmp_path, plant):
    found = faults_of(tmp_path, "anew", 40, plant)
    assert found
    assert all(what.startswith("something stays in ") for _, what in found)
