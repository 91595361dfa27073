"""What breaks down: one round of each kind finds nothing, and each planted fault is found."""

import os

import pytest

from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")
FOUND = {
    "half": (1, "a round of a full disk"),
    "traceback": (2, "KeyError in a round of"),
    "lost": (5, "in a round of settings"),
}
"""After how many rounds each fault was met, and how it is told."""


def test_one_round_of_each_kind_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "breakdowns", 9) == []


@pytest.mark.parametrize("plant", FOUND)
def test_each_planted_fault_is_found(tmp_path, plant):
    rounds, what = FOUND[plant]
    found = faults_of(tmp_path, "breakdowns", rounds, plant)
    assert any(what in words for _, words in found)
