"""Extreme tables: a small run finds nothing, and each planted fault is found."""

import os
from random import Random

import numpy as np
import pytest

from tests.endurance.tables import PLANTS, table_of
from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")
FOUND = {
    "no round number": "ValueError in",
    "squared lengths": "AssertionError in a table: euclidean of",
    "no limit": "Cannot set range",
}


def test_a_small_run_finds_nothing_but_what_is_planted(tmp_path):
    found = faults_of(tmp_path, "tables", len(PLANTS) + 3, *PLANTS)
    assert {event for event, _ in found} == {1, 2, 3}
    for number, plant in enumerate(PLANTS, 1):
        assert any(FOUND[plant] in what for event, what in found if event == number)


def test_tables_are_the_same_for_a_seed_and_have_every_size_and_type():
    made = [[table_of(Random(f"table {seed}")) for seed in range(300)] for _ in range(2)]
    for one, other in zip(*made, strict=True):
        np.testing.assert_array_equal(one, other)
    floats = [np.abs(table.astype(np.float64)) for table in made[0] if table.dtype.kind == "f"]
    assert max(table.max() for table in floats) > 1e308
    assert min(table[table > 0].min(initial=1.0) for table in floats) == 5e-324
    assert {table.dtype.kind for table in made[0]} == {"f", "i", "u", "b"}
    assert {table.dtype.itemsize for table in made[0] if table.dtype.kind == "f"} == {2, 4, 8}
