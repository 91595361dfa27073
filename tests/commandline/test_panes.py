"""Panes of the window in commands: written, read, refused, and drawn."""

import shlex
from itertools import product

import pytest

from pe_explorer import pictures
from pe_explorer.commandline import main as cli, render
from pe_explorer.exploration import Exploration, Panes, panes_of
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.files import session
from pe_explorer.flags import SIZE, WINDOW, RenderSettings, render_line
from tests.support.commands import drawn, error_line

PLACES = {"one": 1, "beside": 2, "stacked": 2, "over-two": 3, "three": 3}
TWO = panes_of(("distances", "clocks"), "stacked", "clocks")


def panes_drawn(*words):
    view, state, _ = drawn("window", *words)
    assert view == WINDOW
    return state.panes


def saved(folder, panes):
    path = folder / "s.json"
    session.write(path, Exploration(count=7, panes=panes))
    return str(path)


def test_one_two_and_three_views_have_their_usual_arrangement():
    assert panes_drawn("--panes", "clocks") == Panes(("clocks",), "one")
    assert panes_drawn("--panes", "clocks,heatmap") == Panes(("clocks", "heatmap"), "beside")
    for text in ("clocks; heatmap", " clocks  heatmap ", "clocks,heatmap,"):
        assert panes_drawn("--panes", text).views == ("clocks", "heatmap")
    three = ("clocks", "heatmap", "distances")
    assert panes_drawn("--panes", ",".join(three)) == Panes(three, "over-two", "clocks")


@pytest.mark.parametrize("arrangement", ARRANGEMENTS)
def test_every_arrangement(arrangement):
    names = pictures.names()[: PLACES[arrangement]]
    found = panes_drawn("--panes", ",".join(names), "--arrangement", arrangement)
    assert found == Panes(names, arrangement, names[0])
    arranged = panes_drawn("--arrangement", arrangement)
    assert (arranged.arrangement, len(arranged.views)) == (arrangement, PLACES[arrangement])


def test_without_flags_there_are_those_of_the_session(tmp_path):
    path = saved(tmp_path, TWO)
    assert panes_drawn("--session", path) == TWO
    assert panes_drawn("--session", path, "--arrangement", "beside").views == TWO.views
    assert panes_drawn("--session", path, "--active", "distances").active == "distances"
    assert panes_drawn("--session", path, "--panes", "heatmap") == Panes(("heatmap",), "one")
    assert panes_drawn() is None


def test_a_session_without_a_view_draws_its_active_pane(tmp_path):
    view, state, _ = drawn("--session", saved(tmp_path, TWO))
    assert (view, state.count) == ("clocks", 7)
    assert drawn("--session", saved(tmp_path, None))[0] == "heatmap"
    assert drawn("distances", "--session", saved(tmp_path, TWO))[0] == "distances"
    assert drawn("--session", saved(tmp_path, TWO), "distances")[0] == "distances"
    assert drawn("--session", saved(tmp_path, TWO), "--direction", "cos-sin")[0] == "clocks"


REFUSED = {
    "window --panes heatmp": ["panes", "'heatmap'"],
    "window --panes zzz": ["panes", "heatmap, "],
    "window --panes clocks,clocks": ["panes", "twice"],
    "window --panes ,": ["panes", "one to three"],
    "window --panes clocks,heatmap --arrangement three": ["arrangement", "beside or stacked"],
    "window --panes clocks,heatmap --arrangement one": ["arrangement", "beside or stacked"],
    "window --arrangement besides": ["arrangement", "'beside'"],
    "window --panes clocks --active heatmap": ["active", "'heatmap'", "choose clocks"],
    "heatmap --panes clocks": ["panes", "window"],
    "heatmap --arrangement one": ["arrangement", "window"],
    "clocks --active clocks": ["active"],
    "": ["VIEW", "required"],
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_does_not_fit_is_refused_in_one_line(capsys, words):
    line = error_line(capsys, "render", *words.split(), "-o", "x.png")
    assert [fact for fact in REFUSED[words] if fact not in line] == []


def sampled_panes():
    """Yield panes in which each view stands in each place beside others, each place active."""
    names = pictures.names()
    for arrangement, places in PLACES.items():
        for number, step in product(range(len(names)), (1, 3)):
            views = tuple(names[(number + step * place) % len(names)] for place in range(places))
            yield Panes(views, arrangement, views[number % places])


def test_the_command_of_a_window_has_its_panes():
    for panes in sampled_panes():
        line = render_line(WINDOW, Exploration(panes=panes), SIZE, RenderSettings(), "x.png")
        program, command, view, *words = shlex.split(line)
        assert (program, command, view) == ("pe-explorer", "render", WINDOW)
        _, state, _ = drawn(view, *words[:-2])
        assert state.panes == panes


def test_the_command_of_a_view_has_none():
    line = render_line("clocks", Exploration(panes=TWO), SIZE, RenderSettings(), "x.png")
    assert line == render_line("clocks", Exploration(), SIZE, RenderSettings(), "x.png")


def test_they_stand_in_the_help(capsys):
    with pytest.raises(SystemExit):
        cli.main(["render", "window", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert all(meaning in text for meaning in ARRANGEMENTS.values())
    assert render.WINDOW in text
