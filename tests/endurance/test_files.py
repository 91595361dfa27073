"""Damaged files: a small run finds nothing, each planted fault is found, and a seed replays."""

import os
from contextlib import suppress
from random import Random

import pytest

from tests.endurance.mutations import mutated
from tests.endurance.places import changing_meanwhile, replaced_by_something_else
from tests.support.cases import for_each
from tests.support.part_runs import faults_of

pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self/clear_refs"), reason="of Linux")
ENDINGS = (".json", ".png", ".svg", ".pdf", ".npy", ".txt", ".vocab", ".ini", ".bin")


def test_a_small_run_finds_nothing(tmp_path):
    assert faults_of(tmp_path, "files", 20) == []


def test_each_planted_fault_is_found(tmp_path):
    plants = ("traceback", "slow", "large", "several lines")
    found = faults_of(tmp_path, "files", 5, *plants)
    begins = ("KeyError in", "more than 2 s of work", "more than 200 MB", "AssertionError in")
    assert [event for event, _ in found] == [1, 2, 3, 4]
    for (_, what), begin in zip(found, begins, strict=True):
        assert what.startswith(begin)


@for_each("ending", ENDINGS)
def test_a_seed_damages_a_file_in_the_same_way_again(ending):
    data = b'{"schema": 1, "a": [1, 2]}' * 3
    made = [[mutated(data, ending, Random(seed)) for seed in range(40)] for _ in range(2)]
    assert made[0] == made[1]
    assert len(set(made[0])) > 20


def test_a_file_is_changed_while_it_is_read(tmp_path):
    path, kinds = tmp_path / "x", set()
    for seed in range(60):
        path.write_bytes(b"x" * 100)
        with changing_meanwhile(path, Random(seed)), suppress(OSError):
            for _ in range(4):
                os.stat(path)
                with open(os.open(path, os.O_RDONLY)) as file:
                    os.fstat(file.fileno())
        kinds.add("folder" if path.is_dir() else path.stat().st_size if path.exists() else "gone")
        path.rmdir() if path.is_dir() else path.unlink(missing_ok=True)
    assert {"folder", "gone", 0, 50, 100 + (1 << 30)} <= kinds


def test_what_is_no_file_is_in_its_place(tmp_path):
    path = tmp_path / "x"
    for seed in range(40):
        path.touch()
        replaced_by_something_else(path, Random(seed))
        assert path.is_dir() or path.is_symlink() or not path.is_file() or path.stat().st_size > 99
        path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
