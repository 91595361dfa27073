"""What is refused names the flag that is at fault, and what to do."""

import os

import numpy as np
import pytest

from pe_explorer import encodings
from tests.support.commands import error_line
from tests.support.tables_in_files import BAD, numbers, put

EXPORT, CODE = ["export", "-o", "x.npy"], ["code"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """The working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# -- files -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", BAD)
@pytest.mark.parametrize("command", [EXPORT, CODE])
def test_a_table_that_cannot_be_read_is_told_with_a_remedy(capsys, folder, command, what):
    happen, words = BAD[what]
    put(folder / "pe.npy", numbers())
    happen(folder / "pe.npy")
    before = os.listdir()
    told = error_line(capsys, *command, "--encoding", "learned", "--file", "pe.npy")
    assert told.startswith(f"pe-explorer {command[0]}: --file: {folder / 'pe.npy'}: ")
    assert words in told
    assert told.endswith("; locate it, or choose another encoding\n")
    assert os.listdir() == before


def test_a_table_of_a_pin_and_one_that_is_not_given_are_told(capsys, folder):
    for show in ("pinned", "difference"):
        given = ["--show", show, "--pin", "learned file=nope.npy", "--pin", "index"]
        assert f"--pin: {folder / 'nope.npy'}: cannot be read" in error_line(
            capsys, *EXPORT, *given
        )
    for command in (EXPORT, CODE):
        told = error_line(capsys, *command, "--encoding", "learned")
        assert "--file: " in told
        assert ".npy" in told


def test_what_is_not_written_may_be_missing(folder):
    from pe_explorer.commandline.main import main

    put(folder / "pe.npy", numbers())
    lost = ["--pin", "learned file=nope.npy", "--positions", "0:5"]
    assert main([*EXPORT, "--encoding", "learned", "--file", "pe.npy", *lost]) == 0
    np.testing.assert_array_equal(np.load("x.npy"), numbers()[:5])
    gone = ["--encoding", "learned", "--file", "nope.npy", "--positions", "0:5"]
    assert main([*EXPORT, *gone, "--pin", "index dim=3", "--show", "pinned"]) == 0
    np.testing.assert_array_equal(np.load("x.npy"), np.arange(5.0)[:, None].repeat(3, axis=1))


# -- flags -----------------------------------------------------------------------------------------

ABSOLUTE = "sinusoidal, index, fraction and binary"
OTHERS = {
    "--file": (["--file", "wpe.npy"], "learned: add --encoding learned"),
    "--row-offset": (["--row-offset=2"], "learned: add --encoding learned"),
    "--no-symmetric": (["--no-symmetric"], "alibi: add --encoding alibi"),
    "--dim": (["--encoding", "alibi", "--dim", "8"], f"{ABSOLUTE}: choose one of them with"),
    "--base": (["--encoding", "learned", "--base=7"], "sinusoidal: add --encoding sinusoidal"),
}
"""A flag of other encodings than the one that is given, and whose flag it is."""


@pytest.mark.parametrize("flag", OTHERS)
@pytest.mark.parametrize("command", [EXPORT, CODE])
def test_a_flag_of_another_encoding_is_told_as_one(capsys, command, flag):
    given, owners = OTHERS[flag]
    told = error_line(capsys, *command, *given)
    e = given[1] if given[0] == "--encoding" else "sinusoidal"
    assert f"{flag}: no such flag of {e}; {flag} is a flag of {owners}" in told
    assert "did you mean" not in told


@pytest.mark.parametrize("name", encodings.names())
def test_capitals_of_a_name_are_no_riddle(capsys, name):
    scheme = encodings.find(name)
    for written in {scheme.title(), name.upper(), name.capitalize()} - {name}:
        told = error_line(capsys, *CODE, "--encoding", written)
        assert told.endswith(f"; did you mean {name!r}?\n")


@pytest.mark.parametrize("word", ["x" * 5000, "--" + "x" * 5000], ids=["word", "flag"])
def test_a_word_that_is_named_in_an_error_is_cut_where_it_is_long(capsys, word):
    line = error_line(capsys, *EXPORT, word)
    assert f"{word[:60]}…: " in line
    assert len(line) < 300


@pytest.mark.parametrize(
    ("flag", "says"),
    [
        ("--base=0,125", "0.125"),
        ("--base=1,500", "1500 or 1.5"),
        ("--base=1e-400", "nearer to 0"),
        ("--scale=-0,5", "-0.5"),
        ("--dim=12,34", "three digits"),
        ("--dim=0,125", "0.125"),
        ("--dim=1e-400", "'1e-400' is not a whole number"),
        ("--dim=9^9^9", "'9^9^9' is not a whole number"),
        ("--dim=10^999999999", "'10^999999999' is too large"),
        ("--positions=0:1,5", "three digits"),
        ("--encoding=rope --partial-rotary-factor=0", "above 0, at most 1"),
    ],
)
def test_a_number_that_could_be_another_is_refused(capsys, flag, says):
    assert says in error_line(capsys, *EXPORT, *flag.split())
