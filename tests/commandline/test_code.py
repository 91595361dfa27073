"""The command that prints code: it runs where the command ran."""

import os
from pathlib import Path

import numpy as np
import pytest

from pe_explorer.commandline.main import main
from tests.support.tables_in_files import numbers, put


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The working folder, with a table in it, one below it and one beside it."""
    here = tmp_path / "here"
    (here / "L").mkdir(parents=True)
    for path in (here / "pe.npy", here / "L" / "two  é.npy", tmp_path / "beside.npy"):
        put(path, numbers())
    monkeypatch.chdir(here)
    return here


def code(capsys, file, library="numpy"):
    given = ["--encoding", "learned", "--file", str(file), "--positions", "0:7"]
    assert main(["code", *given, "--for", library]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("file", ["pe.npy", "L/two  é.npy", "./L/../L/two  é.npy"])
@pytest.mark.parametrize("whole", [False, True])
def test_code_reads_the_file_where_the_flag_found_it(capsys, folder, file, whole):
    told = code(capsys, folder / file if whole else file)
    made = {}
    exec(told, made)
    np.testing.assert_array_equal(made["table"], numbers()[:7])
    assert str(folder) not in told
    for library in ("torch", "jax"):
        (loaded,) = [line for line in told.splitlines() if "np.load" in line]
        assert loaded in code(capsys, file, library)


def test_code_of_a_file_elsewhere_has_its_name_alone(capsys, folder):
    for file in ("../beside.npy", folder.parent / "beside.npy"):
        told = code(capsys, file)
        assert "np.load('beside.npy')" in told
        assert "file='beside.npy'" in told
        assert str(folder.parent) not in told


def test_code_needs_no_working_folder(capsys, folder):
    before = Path.cwd()
    gone = folder / "gone"
    gone.mkdir()
    os.chdir(gone)
    gone.rmdir()
    try:
        assert main(["code", "--dim", "4"]) == 0
    finally:
        os.chdir(before)
    assert "table =" in capsys.readouterr().out
