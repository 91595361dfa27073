"""Numbers against many digits: a small run finds nothing, and each planted fault is found."""

from random import Random

import pytest

from pe_explorer import encodings
from tests.endurance.many_digits import mp
from tests.endurance.numbers import PLANTS, why_wrong
from tests.endurance.settings import some_encoding, some_positions, write_tables
from tests.support.part_runs import faults_of

FOUND = {
    "divided first": "projection of",
    "all digits": "of sinusoidal is wrong",
    "rounded rows": "of alibi is wrong",
}


def test_a_small_run_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "numbers", 600, seed=4) == []


@pytest.mark.parametrize("plant", PLANTS)
def test_each_planted_fault_is_found(tmp_path, plant):
    found = []
    for seed in range(1, 9):  # some are seldom met
        if not found:
            (folder := tmp_path / str(seed)).mkdir()
            found = faults_of(folder, "numbers", 1000, plant, seed=seed)
    assert found
    assert all(FOUND[plant] in what for _, what in found)


def test_a_number_may_differ_in_its_last_digit_where_it_has_few():
    exact = mp.mpf(1) / 3
    assert not why_wrong(1 / 3, exact)
    assert not why_wrong(0.333, exact)
    for wrong in (0.331, 1 / 3 + 1e-11, float("nan"), float("inf")):
        assert why_wrong(wrong, exact)
    assert not why_wrong(1 / 3 + 1e-11, exact, 1e-10)
    assert not why_wrong(float("nan"), mp.nan)


def test_settings_are_the_same_for_a_seed_and_have_every_encoding(tmp_path):
    tables = write_tables(tmp_path, Random(1))
    made = [[some_encoding(Random(seed), tables) for seed in range(60)] for _ in range(2)]
    assert made[0] == made[1]
    assert {e.name for e in made[0]} == set(encodings.names())
    for e in made[0]:
        positions = some_positions(Random(repr(e)), e)
        assert positions[0] in e.domain
        assert positions[-1] in e.domain
