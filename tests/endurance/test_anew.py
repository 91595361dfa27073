"""Views drawn anew: a small run finds nothing, and each planted fault is found."""

import pytest

from tests.endurance.anew import PLANTS
from tests.support.part_runs import faults_of

FOUND = {"marks": 5, "cells": 2, "badges": 24}
"""What stays when it should change, by the first view in which it is seen."""


def test_a_small_run_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "anew", max(FOUND.values())) == []


@pytest.mark.parametrize("plant", PLANTS)
def test_each_planted_fault_is_found(tmp_path, plant):
    ((number, what),) = faults_of(tmp_path, "anew", FOUND[plant], plant)
    assert number == FOUND[plant]
    assert what.startswith("something stays in ")
