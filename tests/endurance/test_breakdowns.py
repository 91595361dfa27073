"""What breaks down: each planted fault is found; a small run that finds none is in `.ci/run`."""

import os

import pytest

from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")
FOUND = {
    "half": "a round of a full disk",
    "traceback": "KeyError in a round of",
    "lost": "in a round of settings",
}


@pytest.mark.parametrize(("plant", "what"), FOUND.items())
def test_each_planted_fault_is_found(tmp_path, plant, what):
    found = faults_of(tmp_path, "breakdowns", 9, plant)
    assert any(what in words for _, words in found)
