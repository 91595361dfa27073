"""The parts run in processes of their own; what they did is written down and added up."""

import pytest

from tests.endurance.parts import PARTS, Part
from tests.endurance.trial import as_ranges, parse_numbers

STAND_INS = {
    name: Part(name, share, items, "tests.endurance.stand_in")
    for name, share, items in (("events", 1, "events"), ("files", 5, "files"))
}
FAULTS = {
    "noted": "a fault of a stand-in",
    "raised": "ValueError that ended everything: planted",
    "abort": "the process died by SIGABRT",
    "hang": "the process hung",
}


@pytest.fixture
def tried(endurance, monkeypatch):
    """Return a function that runs stand-ins, and returns exit code and what was said."""
    for name in list(PARTS):
        monkeypatch.delitem(PARTS, name)
    for name, part in STAND_INS.items():
        monkeypatch.setitem(PARTS, name, part)
    return endurance


def test_every_part_gets_its_share(tried, tmp_path):
    code, said = tried("--events", "14", "--seed", "3-5")
    assert code == 0
    for seed in (3, 4, 5):
        assert f"endurance: seed {seed}: 14 events of 0 kinds, 2 files, 0 faults\n" in said
    assert said.endswith("endurance: seeds 3-5: 42 events of 0 kinds, 6 files, 0 faults\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("plant", "what"), FAULTS.items())
def test_a_fault_of_a_part_is_told_with_what_replays_it(tried, plant, what):
    words = ("--part", "files", "--events", "20", "--seed", "3")
    code, said = tried(*words, "--plant", plant, "--patience", "3")
    assert code == 1
    assert f"FAULT, seed 3, number 3 of files: {what}" in said
    replay = "to replay: python -m tests.sandbox python -m tests.endurance"
    assert f"{replay} {' '.join(words)} --plant {plant}\n" in said
    assert said.endswith(f"{3 if plant != 'noted' else 4} files, 1 faults\n")


def test_what_a_part_prints_is_a_fault(tried):
    code, said = tried("--part", "files", "--events", "20", "--plant", "printed")
    assert code == 1
    assert ": something was printed\nplanted words\n" in said
    assert said.endswith("4 files, 1 faults\n")


def test_a_file_outside_of_the_folders_of_the_parts_is_a_fault(tried):
    code, said = tried("--part", "files", "--events", "20", "--plant", "outside")
    assert code == 1
    assert "outside.txt is new" in said
    assert "FAULT, seed" not in said


def test_parts_that_are_not_there_yet_are_left_out(tried, monkeypatch):
    monkeypatch.setitem(PARTS, "kills", Part("kills", 1, "kills", "tests.endurance.not_there"))
    assert tried("--events", "5")[1].endswith(": 5 events of 0 kinds, 1 files, 0 faults\n")
    with pytest.raises(SystemExit):
        tried("--part", "kills")


def test_parts_whose_programs_are_not_there_are_left_out_with_a_word(tried, monkeypatch):
    part = Part("kills", 1, "kills", "tests.endurance.stand_in", ("sh", "no-such-program"))
    monkeypatch.setitem(PARTS, "kills", part)
    code, said = tried("--events", "5")
    assert code == 0
    assert said.startswith("endurance: no kills, as this machine lacks no-such-program\n")
    assert said.endswith(": 5 events of 0 kinds, 1 files, 0 faults\n")
    with pytest.raises(SystemExit):
        tried("--part", "kills")


@pytest.mark.parametrize(
    ("text", "found"),
    [("7", (7,)), ("1-3", (1, 2, 3)), ("3,17,20-22", (3, 17, 20, 21, 22)), ("5,4", (5, 4))],
)
def test_numbers_are_read_and_written(text, found):
    assert parse_numbers(text) == found
    assert as_ranges(found) == text
