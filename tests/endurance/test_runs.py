"""The parts run in processes of their own; what they did is written down and added up."""

import json
import subprocess
import sys

import pytest

from tests.endurance.parts import PARTS, Part
from tests.endurance.runs import Runs
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
def tried(endurance, monkeypatch, tmp_path):
    """Return a function that runs stand-ins, and returns exit code, what was said, the runs."""
    for name in list(PARTS):
        monkeypatch.delitem(PARTS, name)
    for name, part in STAND_INS.items():
        monkeypatch.setitem(PARTS, name, part)
    runs = Runs(tmp_path / "runs.json")
    monkeypatch.setattr("tests.endurance.__main__.Runs", lambda: runs)
    return lambda *words: (*endurance(*words), runs)


def test_every_part_gets_its_share(tried, tmp_path):
    code, said, runs = tried("--events", "14", "--seed", "3-5")
    assert code == 0
    for seed in (3, 4, 5):
        assert f"endurance: seed {seed}: 14 events of 0 kinds, 2 files, 0 faults\n" in said
    assert said.endswith("endurance: seeds 3-5: 42 events of 0 kinds, 6 files, 0 faults\n")
    assert not runs.path.exists()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("plant", "what"), FAULTS.items())
def test_a_fault_of_a_part_is_told_with_what_replays_it(tried, plant, what):
    words = ("--part", "files", "--events", "20", "--seed", "3")
    code, said, _ = tried(*words, "--plant", plant, "--patience", "3")
    assert code == 1
    assert f"FAULT, seed 3, number 3 of files: {what}" in said
    assert f"to replay: python -m tests.endurance {' '.join(words)} --plant {plant}\n" in said
    assert said.endswith(f"{3 if plant != 'noted' else 4} files, 1 faults\n")


def test_what_a_part_prints_is_a_fault(tried):
    code, said, _ = tried("--part", "files", "--events", "20", "--plant", "printed")
    assert code == 1
    assert ": something was printed\nplanted words\n" in said
    assert said.endswith("4 files, 1 faults\n")


def test_parts_that_are_not_there_yet_are_left_out(tried, monkeypatch):
    monkeypatch.setitem(PARTS, "kills", Part("kills", 1, "kills", "tests.endurance.not_there"))
    assert tried("--events", "5")[1].endswith(": 5 events of 0 kinds, 1 files, 0 faults\n")
    with pytest.raises(SystemExit):
        tried("--part", "kills")


def test_parts_whose_programs_are_not_there_are_left_out_with_a_word(tried, monkeypatch):
    part = Part("kills", 1, "kills", "tests.endurance.stand_in", ("sh", "no-such-program"))
    monkeypatch.setitem(PARTS, "kills", part)
    code, said, runs = tried("--events", "5", "--record")
    assert code == 0
    assert said.startswith("endurance: no kills, as this machine lacks no-such-program\n")
    assert said.endswith(": 5 events of 0 kinds, 1 files, 0 faults\n")
    assert "kills" not in runs.records()[0]
    with pytest.raises(SystemExit):
        tried("--part", "kills")


def test_until_goes_on_with_other_seeds_and_adds_up(tried):
    runs = tried("--events", "10", "--seed", "2", "--record")[2]
    assert [record["seed"] for record in runs.records()] == [2]
    code, said, _ = tried("--events", "10", "--until", "35")
    assert code == 0
    assert "40 events in all runs\n" in said
    assert [record["seed"] for record in runs.records()] == [2, 3, 4, 5]
    assert [runs.total(name) for name in ("events", "files", "kills")] == [40, 8, 0]
    assert tried("--events", "10", "--until", "40")[1] == "endurance: nothing to do\n"
    tried("--events", "10", "--until", "41")
    assert [record["seed"] for record in runs.records()] == [2, 3, 4, 5, 6]


def test_a_record_has_what_was_found(tried):
    words = ("--part", "files", "--events", "20", "--plant")
    tried(*words, "noted", "--record")
    runs = tried(*words, "raised", "--record")[2]
    (record,) = runs.records()
    assert record["faults"] == sorted((FAULTS["noted"], FAULTS["raised"]))
    assert (record["seed"], record["files"]) == (1, 4)
    assert "events" not in record


def test_the_same_seed_counts_once_for_a_commit(tmp_path):
    runs = Runs(tmp_path / "runs.json")
    for seed, commit, events in ((2, "b", 5), (1, "b", 100), (1, "b", 50), (1, "a", 7)):
        runs.add(seed, commit, {"events": events}, [])
    found = [(record["seed"], record["commit"], record["events"]) for record in runs.records()]
    assert found == [(1, "a", 7), (1, "b", 100), (2, "b", 5)]
    text = runs.path.read_text(encoding="utf-8")
    assert text.splitlines()[1] == '{"seed": 1, "commit": "a", "events": 7, "faults": []},'
    assert json.loads(text) == runs.records()


def test_processes_that_write_at_once_lose_nothing(tmp_path):
    path = tmp_path / "runs.json"
    program = f"""
from pathlib import Path
from tests.endurance.runs import Runs
runs = Runs(Path({str(path)!r}))
for _ in range(40):
    runs.add(runs.take_seed(), "a", {{"events": 3, "files": 1}}, [])
"""
    command = [sys.executable, "-c", program]
    for process in [subprocess.Popen(command) for _ in range(3)]:
        assert process.wait() == 0
    runs = Runs(path)
    assert [record["seed"] for record in runs.records()] == list(range(1, 121))
    assert (runs.total("events"), runs.total("files")) == (360, 120)


def test_the_runs_that_are_kept_can_be_read():
    for record in Runs().records():
        assert {"seed", "commit", "faults"} <= set(record)


@pytest.mark.parametrize(
    ("text", "found"),
    [("7", (7,)), ("1-3", (1, 2, 3)), ("3,17,20-22", (3, 17, 20, 21, 22)), ("5,4", (5, 4))],
)
def test_numbers_are_read_and_written(text, found):
    assert parse_numbers(text) == found
    assert as_ranges(found) == text
