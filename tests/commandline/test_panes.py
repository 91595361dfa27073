"""Panes of the window in commands: written, read, refused, and drawn."""

import shlex

import pytest

from pe_explorer import pictures
from pe_explorer.exploration import Exploration, Panes, make_panes
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.files import session
from pe_explorer.flags import DEFAULT_SIZE, WINDOW, RenderSettings, format_render_line
from tests.support.commands import render_request

PLACES = {"one": 1, "beside": 2, "stacked": 2, "over-two": 3, "three": 3}
TWO = make_panes(("distances", "clocks"), "stacked", "clocks")


def panes_drawn(*words):
    view, state, _ = render_request("window", *words)
    assert view == WINDOW
    return state.panes


def saved(folder, panes):
    path = folder / "s.json"
    session.write(path, Exploration(count=7, panes=panes))
    return str(path)


def test_they_are_typed_or_those_of_the_session(tmp_path):
    three, two = ("clocks", "heatmap", "distances"), ("clocks", "heatmap")
    given = f"--session {saved(tmp_path, TWO)}"
    for words, panes in {
        "": None,
        "--panes clocks": Panes(("clocks",), "one"),
        "--panes clocks,heatmap": Panes(two, "beside"),
        "--panes 'clocks; heatmap'": Panes(two, "beside"),
        "--panes ' clocks  heatmap '": Panes(two, "beside"),
        "--panes clocks,heatmap,distances": Panes(three, "over-two", "clocks"),
        given: TWO,
        f"{given} --arrangement beside": make_panes(TWO.views, "beside", "clocks"),
        f"{given} --active distances": make_panes(TWO.views, "stacked", "distances"),
        f"{given} --panes heatmap": Panes(("heatmap",), "one"),
    }.items():
        assert panes_drawn(*shlex.split(words)) == panes, words


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_every_arrangement_is_read_from_its_command(arrangement):
    names = pictures.names()[-PLACES[arrangement] :]
    arranged = panes_drawn("--arrangement", arrangement)
    assert (arranged.arrangement, len(arranged.views)) == (arrangement, len(names))
    for active in names:
        panes = Panes(names, arrangement, active)
        line = format_render_line(
            WINDOW, Exploration(panes=panes), DEFAULT_SIZE, RenderSettings(), "x.png"
        )
        program, command, view, *words = shlex.split(line)
        assert (program, command, view) == ("pe-explorer", "render", WINDOW)
        assert render_request(view, *words[:-2])[1].panes == panes


def test_a_session_without_a_view_draws_its_active_pane(tmp_path):
    view, state, _ = render_request("--session", saved(tmp_path, TWO))
    assert (view, state.count) == ("clocks", 7)
    assert render_request("--session", saved(tmp_path, None))[0] == "heatmap"
    assert render_request("distances", "--session", saved(tmp_path, TWO))[0] == "distances"
    assert render_request("--session", saved(tmp_path, TWO), "distances")[0] == "distances"
    assert (
        render_request("--session", saved(tmp_path, TWO), "--direction", "cos-sin")[0] == "clocks"
    )


def test_the_command_of_a_view_has_none():
    line = format_render_line(
        "clocks", Exploration(panes=TWO), DEFAULT_SIZE, RenderSettings(), "x.png"
    )
    assert line == format_render_line(
        "clocks", Exploration(), DEFAULT_SIZE, RenderSettings(), "x.png"
    )
