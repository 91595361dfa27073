"""Killed processes: a small run finds nothing, and each planted fault is found."""

import os

import pytest

from tests.endurance.kills import PLANTS
from tests.support.kills import KINDS
from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")


def test_a_small_run_finds_nothing_but_what_is_planted(tmp_path):
    found = faults_of(tmp_path, "kills", len(PLANTS) + len(KINDS), *PLANTS)
    assert [event for event, _ in found] == [1, 2]
    for (_, what), kind in zip(found, KINDS, strict=False):
        assert f"after a kill in {kind}" in what
