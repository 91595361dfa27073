"""Tables that an export depends on are never overwritten."""

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from pe_explorer import encodings
from pe_explorer.commandline.main import main
from pe_explorer.exploration import Exploration, Pin
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError
from pe_explorer.files.export import reject_table_name
from pe_explorer.files.session import reject_table_paths
from tests.support.commands import error_line
from tests.support.processes import ENVIRONMENT
from tests.support.tables_in_files import numbers, put

LEARNED = ("--encoding", "learned", "--file", "own.npy")
PINNED = ("--pin", "learned file=own.npy")


@pytest.fixture(autouse=True)
def table(working_folder):
    """The table in the working folder, with links to it; it must not change."""
    put(working_folder / "own.npy", numbers())
    for name in ("link.npy", "link.png", "link.json"):
        (working_folder / name).symlink_to("own.npy")
    (working_folder / "below").mkdir()
    before = sorted(os.listdir())
    yield working_folder / "own.npy"
    assert sorted(os.listdir()) == before
    np.testing.assert_array_equal(np.load("own.npy"), numbers())


@pytest.mark.parametrize("given", [LEARNED, PINNED, (*PINNED, "--show", "pinned")])
@pytest.mark.parametrize("output", ["own.npy", "link.npy", "below/../own.npy"])
def test_an_export_over_its_own_table_is_refused(capsys, given, output):
    message = error_line(capsys, "export", *given, "-o", output)
    assert f"--output: {output}: " in message
    assert message.endswith(". Choose another file.\n")


def test_sessions_and_pictures_over_a_table_are_refused(capsys, table):
    e = encodings.create("learned", file=str(table))
    session.write("s.json", Exploration(e))
    line = error_line(capsys, "export", "--session", "s.json", "-o", "own.npy")
    assert "hoose another file" in line
    Path("s.json").unlink()
    for state in (Exploration(e), Exploration(pins=[Pin(e, "kept")])):
        with pytest.raises(OutputError, match="hoose another file"):
            session.write("link.json", state)
    line = [sys.executable, "-m", "pe_explorer", "render", "heatmap", *LEARNED, "-o", "link.png"]
    done = subprocess.run(line, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--output: link.png: " in done.stderr


def test_other_files_can_be_written(table):
    state = Exploration(encodings.create("learned", file=str(table)))
    for name in ("below/own.npy", "new.npy", "", "\0.npy", "a" * 5000):
        reject_table_paths(name, state)
    reject_table_paths(table, Exploration())


@pytest.mark.parametrize("output", ["gone.npy", "below/../gone.npy"])
def test_the_name_of_a_missing_table_is_not_reused(table, output):
    gone = encodings.create("learned", file=str(table.with_name("gone.npy")))
    for state in (Exploration(gone), Exploration(pins=[Pin(gone, "kept")])):
        with pytest.raises(OutputError, match="of a missing table that the exploration uses"):
            reject_table_paths(output, state)
    reject_table_paths("below/gone.npy", Exploration(gone))


@pytest.mark.parametrize("given", [LEARNED, PINNED])
def test_data_cannot_have_the_name_of_a_table_in_another_folder(capsys, tmp_path, given):
    message = error_line(capsys, "export", *given, "--positions", "0:5", "-o", "below/own.npy")
    assert re.search(r"below/own\.npy: .*name of a table", message)
    assert message.endswith(". Choose another name, or export without a session.\n")
    assert list((tmp_path / "below").iterdir()) == []
    line = ["export", *given, "--positions", "0:5", "-o", "below/own.npy", "--carry", "omit"]
    assert main(line) == 0
    assert [path.name for path in (tmp_path / "below").iterdir()] == ["own.npy"]


def test_names_of_tables_are_compared_without_case(table):
    """Some file systems ignore case."""
    own = Exploration(encodings.create("learned", file=str(table)))
    with pytest.raises(OutputError, match="name of a table"):
        reject_table_name("below/OWN.npy", own)
    reject_table_name("below/other.npy", own)
    gone = Exploration(encodings.create("learned", file=str(table.with_name("Gone.npy"))))
    with pytest.raises(OutputError, match="missing table"):
        reject_table_paths("gone.NPY", gone)


def test_another_table_is_replaced(table):
    put(table.with_name("other.npy"), numbers(seed=9))
    line = ["export", *LEARNED, "--positions", "0:5", "--carry", "omit", "-o", "other.npy"]
    assert main(line) == 0
    np.testing.assert_array_equal(np.load("other.npy"), numbers()[:5])
    Path("other.npy").unlink()
