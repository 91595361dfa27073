"""Exhibits in commands: listed, drawn, exported, and refused beside other flags."""

from dataclasses import replace
from unittest.mock import patch

import numpy as np
import pytest

from pe_explorer import encodings, pictures
from pe_explorer.analysis import distance, projection, umap_process
from pe_explorer.commandline import main as cli
from pe_explorer.flags import PLATE, WINDOW
from pe_explorer.gallery import exhibits as gallery
from pe_explorer.gallery.exhibits import exhibits
from tests.support.cases import for_each
from tests.support.commands import drawn, error_line, exported
from tests.support.processes import run_program

every_exhibit = for_each("name", exhibits())


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


def test_the_list_takes_no_value(capsys):
    assert "x: unexpected argument" in error_line(capsys, "list", "--exhibits", "x")


# -- render ----------------------------------------------------------------------------------------


@every_exhibit
def test_without_a_view_the_main_pane_is_drawn_with_the_title(name):
    exhibit = exhibits()[name]
    view, state, style = drawn("--exhibit", name)
    assert view == exhibit.main
    assert (state, state.opened) == (exhibit.exploration, exhibit)
    assert style.title == exhibit.title


@pytest.mark.parametrize("view", ["clocks", "distances", PLATE, WINDOW])
def test_another_view_or_the_whole_window_is_drawn_of_it(view):
    exhibit = exhibits()["000-heatmap"]
    found, state, style = drawn(view, "--exhibit", "000-heatmap")
    assert (found, state) == (view, exhibit.exploration)
    if view != WINDOW:
        assert style.title == exhibit.title


def test_how_a_figure_looks_can_be_chosen():
    words = ["--title", "Mine", "--theme", "dark", "--size", "84x60mm", "--grid"]
    view, state, style = drawn("--exhibit", "000-heatmap", *words)
    assert (view, state) == ("heatmap", exhibits()["000-heatmap"].exploration)
    assert (style.title, style.ground, style.grid) == ("Mine", "dark", True)
    _, _, style = drawn("--exhibit", "000-heatmap", "--title=")
    assert style.title == ""


def test_without_an_exhibit_there_is_no_title():
    _, _, style = drawn("heatmap")
    assert style.title == ""


def test_the_file_is_written_and_its_title_is_text(tmp_path):
    path = tmp_path / "f.svg"
    words = ["--exhibit", "000-clocks", "--size", "84x84mm", "-o", "f.svg"]
    assert run_program(tmp_path, "render", *words).returncode == 0
    assert "Nine clocks" in path.read_text(encoding="utf-8")


# -- export and code -------------------------------------------------------------------------------


PAST_THE_END = {"000-learned", "004-learned"}
"""Exhibits that show positions past the last row of a table."""


@pytest.mark.parametrize("name", [name for name in exhibits() if name not in PAST_THE_END])
def test_what_is_exported_are_the_numbers_of_the_main_pane(tmp_path, name):
    exhibit = exhibits()[name]
    numbers = exported(tmp_path, "--exhibit", name, "--carry", "omit")
    state, picture = exhibit.exploration, pictures.find(exhibit.main)
    what, show = picture.exported(state)
    if what == "table" and show == "current":
        assert numbers.shape == (state.count, state.encoding.width)
        first = state.encoding.table(state.positions[:3])
        np.testing.assert_allclose(numbers[:3], first, rtol=0, atol=3e-16 * abs(first).max())
    assert numbers.size


@pytest.mark.parametrize("name", sorted(PAST_THE_END))
def test_rows_past_the_end_of_a_table_are_not_exported(tmp_path, capsys, name):
    path = tmp_path / "n.npy"
    error = error_line(capsys, "export", "--exhibit", name, "-o", str(path))
    assert "has rows for 0 to 49; choose others" in error
    assert not path.exists()


def test_the_matrix_of_distances_is_exported_where_it_is_shown(tmp_path):
    numbers = exported(tmp_path, "--exhibit", "002-matrix")
    assert numbers.shape == (250, 250)
    e = encodings.create("sinusoidal", dim=1024, base=1e4)
    assert numbers[30, 1] == pytest.approx(distance.between(e, 30, 1, "cosine"), rel=1e-14)


def test_other_numbers_of_it_can_be_asked_for(tmp_path):
    words = ["--exhibit", "002-matrix", "--what", "frequencies", "--dtype", "float32"]
    numbers = exported(tmp_path, *words)
    assert (numbers.shape, numbers.dtype) == ((512,), np.float32)


def test_code_is_printed_of_it(capsys):
    assert cli.main(["code", "--exhibit", "000-clocks"]) == 0
    found = {}
    exec(capsys.readouterr().out, found)
    assert found["table"].shape == (100, 18)


# -- what does not go together ---------------------------------------------------------------------


@for_each(
    "words",
    [
        "render --session x.json",
        "render --encoding rope",
        "render --positions 0:9",
        "render --pin index",
        "render --dim 8",
        "render --position 3",
        "render --metric dot",
        "render --no-heatmap-upward",
        "render --heatmap-upward",
        "render window --panes clocks",
        "render window --arrangement one",
        "render window --active clocks",
        "export --session x.json",
        "export --dim 8",
        "export --positions 0:9",
        "export --metric dot",
        "export --k 9",
        "export --pin index",
        "code --base 9",
    ],
)
def test_an_exhibit_fixes_all_that_it_shows(capsys, tmp_path, words):
    command, *rest = words.split()
    path = [] if command == "code" else ["-o", str(tmp_path / "x.npy")]
    line = error_line(capsys, command, "--exhibit", "000-heatmap", *rest, *path)
    given = next(word for word in rest if word.startswith("--"))
    problem = f"--exhibit: an exhibit fixes all that it shows; leave {given} out\n"
    assert line == f"pe-explorer {command}: {problem}"
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_exhibit_is_told_so(capsys):
    line = error_line(capsys, "render", "--exhibit", "000-heatmop", "-o", "x.png")
    assert "--exhibit: '000-heatmop' is not the name of an exhibit; did you mean" in line
    line = error_line(capsys, "render", "-o", "x.png", "--exhibit")
    assert "--exhibit: expected one argument" in line


def test_an_exhibit_that_was_badly_edited_says_so(capsys):
    problem = "The exhibit in start.json is left out: is empty."
    with patch.object(gallery, "_read", lambda path: problem):
        line = error_line(capsys, "code", "--exhibit", "start")
    assert line == f"pe-explorer code: --exhibit: {problem[:-1]}\n"


# -- UMAP ------------------------------------------------------------------------------------------


@pytest.fixture
def of_umap():
    """An exhibit that shows UMAP, where that is not installed."""
    exhibit = exhibits()["000-heatmap"]
    state = pictures.with_options(exhibit.exploration, "projection", method="umap", seed=42)
    entry = {**exhibit.entry, "panes": {"views": ["projection"]}}
    entry["options"] = {"projection": {"method": "umap", "seed": 42}}
    shown = replace(exhibit, entry=entry)
    assert shown.exploration.options["projection"] == state.options["projection"]
    with (
        patch.object(gallery, "find", lambda name: shown),
        patch.object(umap_process, "missing", lambda: "UMAP is not here"),
    ):
        yield shown


PCA_INSTEAD = "UMAP is not here; without it PCA of the same rows is shown"


def test_without_umap_the_numbers_are_those_of_pca_and_it_says_so(of_umap, tmp_path, capsys):
    numbers = exported(tmp_path, "--exhibit", "any")
    note = f"pe-explorer export: {PCA_INSTEAD}, and these are its numbers.\n"
    assert capsys.readouterr().err == note
    rows = of_umap.encoding.table(range(50))
    np.testing.assert_allclose(numbers, projection.pca(rows, 2).scores)


def test_without_umap_the_picture_is_that_of_pca_and_it_says_so(of_umap, capsys):
    view, _, _ = drawn("--exhibit", "any")
    assert view == "projection"
    assert capsys.readouterr().err == f"pe-explorer render: {PCA_INSTEAD}.\n"
    drawn("heatmap", "--exhibit", "any")
    assert capsys.readouterr().err == ""
