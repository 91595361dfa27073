"""Exhibits in commands: listed, drawn, exported, and refused beside other flags."""

from unittest.mock import patch

import numpy as np
import pytest

from pe_explorer.commandline import main as cli
from pe_explorer.flags import PLATE, WINDOW
from pe_explorer.gallery import exhibits as gallery
from pe_explorer.gallery.exhibits import exhibits
from tests.support.commands import drawn, error_line, exported
from tests.support.processes import run_program

# -- list ------------------------------------------------------------------------------------------


def test_the_list_has_a_line_for_each(capsys):
    assert cli.main(["list", "--exhibits"]) == 0
    out, err = capsys.readouterr()
    lines = [line.split("\t") for line in out.splitlines()]
    assert [line[0] for line in lines] == list(exhibits())
    for name, source, title in lines:
        assert source == (exhibits()[name].document.file or "-")
        assert title == exhibits()[name].title
    assert err == ""


def test_the_list_names_what_is_left_out(capsys):
    problem = "The exhibit in x.json is left out: is empty."
    with patch.object(gallery, "problems", lambda: (problem,)):
        assert cli.main(["list", "--exhibits"]) == 0
    assert capsys.readouterr().err == f"pe-explorer list: {problem}\n"


# -- render ----------------------------------------------------------------------------------------


def test_without_a_view_the_main_pane_is_drawn_with_the_title():
    for name, exhibit in exhibits().items():
        view, state, style = drawn("--exhibit", name)
        assert view == exhibit.main
        assert (state, state.opened) == (exhibit.exploration, exhibit)
        assert style.title == exhibit.title
    words = ["--title", "Mine", "--theme", "dark", "--size", "84x60mm", "--grid"]
    view, state, style = drawn("--exhibit", "000-heatmap", *words)
    assert (view, state) == ("heatmap", exhibits()["000-heatmap"].exploration)
    assert (style.title, style.ground, style.grid) == ("Mine", "dark", True)
    for words in (["--exhibit", "000-heatmap", "--title="], ["heatmap"]):
        assert drawn(*words)[-1].title == ""


@pytest.mark.parametrize("view", ["clocks", "distances", PLATE, WINDOW])
def test_another_view_or_the_whole_window_is_drawn_of_it(view):
    exhibit = exhibits()["000-heatmap"]
    found, state, style = drawn(view, "--exhibit", "000-heatmap")
    assert (found, state) == (view, exhibit.exploration)
    if view != WINDOW:
        assert style.title == exhibit.title


def test_the_file_is_written_and_its_title_is_text(tmp_path):
    path = tmp_path / "f.svg"
    words = ["--exhibit", "000-clocks", "--size", "84x84mm", "-o", "f.svg"]
    assert run_program(tmp_path, "render", *words).returncode == 0
    assert "Nine clocks" in path.read_text(encoding="utf-8")


# -- export and code -------------------------------------------------------------------------------


PAST_THE_END = {"000-learned", "004-learned"}
"""Exhibits that show positions past the last row of a table."""


@pytest.mark.parametrize("name", sorted(PAST_THE_END))
def test_rows_past_the_end_of_a_table_are_not_exported(tmp_path, capsys, name):
    path = tmp_path / "n.npy"
    error = error_line(capsys, "export", "--exhibit", name, "-o", str(path))
    assert "has rows for 0 to 49; choose others" in error
    assert not path.exists()


def test_other_numbers_of_it_can_be_asked_for(tmp_path):
    words = ["--exhibit", "002-matrix", "--what", "frequencies", "--dtype", "float32"]
    numbers = exported(tmp_path, *words)
    assert (numbers.shape, numbers.dtype) == ((512,), np.float32)


# -- what does not go together ---------------------------------------------------------------------


FIXED = [
    *("render --session x.json", "render --encoding rope", "render --positions 0:9"),
    *("render --pin index", "render --dim 8", "render --position 3", "render --metric dot"),
    *("render --no-heatmap-upward", "render --heatmap-upward", "render window --panes clocks"),
    *("render window --arrangement one", "render window --active clocks", "code --base 9"),
    *("export --session x.json", "export --dim 8", "export --positions 0:9"),
    *("export --metric dot", "export --k 9", "export --pin index"),
]


@pytest.mark.parametrize("words", FIXED)
def test_an_exhibit_fixes_all_that_it_shows(capsys, tmp_path, words):
    command, *rest = words.split()
    path = [] if command == "code" else ["-o", str(tmp_path / "x.npy")]
    line = error_line(capsys, command, "--exhibit", "000-heatmap", *rest, *path)
    given = next(word for word in rest if word.startswith("--"))
    assert line.startswith(f"pe-explorer {command}: --exhibit: ")
    assert f"leave {given} out" in line
    assert list(tmp_path.iterdir()) == []
