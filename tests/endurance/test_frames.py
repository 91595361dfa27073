"""Frames of play: a small run finds nothing, and each planted fault is found."""

import os

import pytest

from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="of Linux")


def test_a_small_run_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "frames", 480) == []


def test_each_planted_fault_is_found(tmp_path):
    found = [what for _, what in faults_of(tmp_path, "frames", 480, "leak", "warning")]
    assert found[-1] == "memory grows while it plays"
    assert set(found[:-1]) == {"Qt's warning: planted message"}
