"""Frames of play: each planted fault is found; that a small run finds nothing, `.ci/run` tries."""

import os

import pytest

from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="of Linux")


def test_each_planted_fault_is_found(tmp_path):
    found = [what for _, what in faults_of(tmp_path, "frames", 480, "leak", "warning")]
    assert found[-1] == "memory grows while it plays"
    assert set(found[:-1]) == {"Qt's warning: planted message"}
