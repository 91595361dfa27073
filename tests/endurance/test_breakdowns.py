"""What breaks down: one round of each kind finds nothing, and each planted fault is found."""

import os

import pytest

from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")
FOUND = {
    "half": "a round of a full disk",
    "traceback": "KeyError in a round of",
    "lost": "in a round of settings",
}


def test_one_round_of_each_kind_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "breakdowns", 9) == []


@pytest.mark.parametrize(("plant", "what"), FOUND.items())
def test_each_planted_fault_is_found(tmp_path, plant, what):
    found = faults_of(tmp_path, "breakdowns", 9, plant)
    assert any(what in words for _, words in found)
