"""Flags that nothing drawn follows: named by the figures themselves, and refused where typed."""

import dataclasses
import threading

import numpy as np
import pytest
from PySide6.QtGui import QImage

from pe_explorer import encodings, flags, pictures
from pe_explorer.analysis import projection, umap_process
from pe_explorer.app.output.figure_order import Order, laid_out
from pe_explorer.commandline.main import main
from pe_explorer.exploration import DirectStore, Exploration, Pin, panes_of, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.figures.svg import svg_parts
from pe_explorer.files import session
from pe_explorer.model.steps import at_once
from pe_explorer.params import Choice, declared
from tests.endurance.calls import called, without_windows
from tests.support.figures import figures_of
from tests.support.oracles import suited_to

PIN = ["--pin", "sinusoidal base=100"]
PINNED = Exploration(pins=(Pin(encodings.create("sinusoidal", base=100.0), "slow"),))


@pytest.fixture
def run(strict, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tqdm.tqdm.monitor_interval", 0)  # its thread would stay
    with without_windows():
        yield lambda *arguments: called([*arguments, "--size", "320x240"])


def parts():
    """Return every view with each of its choices of a part or a quantity."""
    found = []
    for view in pictures.names():
        kinds = declared(pictures.find(view).Options)
        for option in {"part", "quantity"} & kinds.keys():
            assert isinstance(kinds[option], Choice)
            found += [(view, {option: value}) for value in kinds[option].choices]
        if not {"part", "quantity"} & kinds.keys():
            found.append((view, {}))
    return found


@pytest.mark.parametrize(("view", "options"), parts())
def test_a_picture_knows_which_of_its_panels_have_colours_with_limits(view, options):
    e = suited_to(view)
    state = pictures.with_options(Exploration(e), view, **options)
    (figure,) = figures_of(view, encoding=e, options=state.options)
    drawn = {
        panel.name
        for panel in figure.panels
        if panel.cells is not None and panel.cells.unit != "°"  # an angle goes round
    }
    assert set(pictures.find(view).limited_colours(state)) == drawn


CHANGED = {
    "limits": (-3.0, 7.0),
    "x_limits": (1.0, 3.5),
    "y_limits": (0.25, 3.5),
    "legend": "none",
    "line_width": 4.0,
    "colour_bar": False,
    "grid": True,
    "upward": True,
    "clocks": (1,),
}


@pytest.mark.parametrize(("view", "options"), parts())
def test_a_setting_has_no_effect_on_a_figure_just_where_it_is_said(qapp, view, options):
    e, pins = suited_to(view), (Pin(encodings.create("rope", head_dim=16), "slow"),)
    state = pictures.with_options(Exploration(e, pins=pins), view, **options)
    state = resolve(state, DirectStore())

    def drawn(style):
        page = at_once(laid_out(Order(view, state, style, FigureSize(200, 150, "mm"))))
        return list(svg_parts(page, "", threading.Event()))

    style = dataclasses.replace(Style(), labels=False)
    usual, reasons = drawn(style), flags.without_effect(view, state)
    empty = is_empty(view, state)  # known only once all is computed
    for name, value in CHANGED.items():
        is_same = drawn(dataclasses.replace(style, **{name: value})) == usual
        assert is_same or name not in reasons, name
        if name != "legend" and not empty:
            assert is_same == (name in reasons), name


def is_empty(view, state):
    """Return whether a sentence stands in the place of what would be drawn."""
    (figure,) = figures_of(view, encoding=state.encoding, options=state.options)
    return figure.note is not None


REFUSED = {
    "show": ["waves", *PIN, "--show", "pinned"],
    "show of a plate": ["plate", "--panes", "distances,waves", *PIN, "--show", "difference"],
    "limits of a curve": ["distances", "--part", "curve", "--limits", "0 1"],
    "limits of one part": ["distances", "--only", "curve", "--limits", "0 1"],
    "limits of angles": ["heatmap", "--quantity", "angle", "--limits", "0 1"],
    "limits of waves": ["waves", "--limits", "0 1"],
    "name beside clocks": ["clocks", *PIN, "--name", "mine"],
    "clocks of a heatmap": ["heatmap", "--clocks", "0 1"],
}


def test_a_typed_flag_that_changes_nothing_is_refused_in_one_line(run, tmp_path):
    for what, words in REFUSED.items():
        done = run("render", *words, "-o", "x.png")
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert done.err.startswith(f"pe-explorer render: --{what.split()[0]}: ")
        assert "leave it out" in done.err
    assert list(tmp_path.iterdir()) == []


TAKEN = {
    "show of a view alone": ["distances", *PIN, "--show", "pinned"],
    "show current": ["distances", *PIN, "--show", "current"],
    "one of a plate compares": ["plate", "--panes", "distances,heatmap", *PIN, "--show", "pinned"],
    "one of a plate has colours": ["plate", "--panes", "waves,distances", "--limits", "0 1"],
    "the matrix": ["distances", "--only", "matrix", "--limits", "0 1"],
    "a name beside pins": ["distances", *PIN, "--name", "mine"],
    "clocks": ["clocks", "--clocks", "0 1"],
}


def test_a_typed_flag_that_something_drawn_follows_is_taken(run):
    for words in TAKEN.values():
        done = run("render", *words, "-o", "x.png")
        assert (done.code, done.err) == (0, "")


def test_a_session_that_holds_show_is_drawn_as_without_it_and_it_is_said(run, tmp_path):
    shown = dataclasses.replace(PINNED, show="pinned", panes=panes_of(("distances",)))
    session.write(tmp_path / "s.json", shown)
    session.write(tmp_path / "plain.json", dataclasses.replace(shown, show="current"))
    plain = run("render", "--session", "plain.json", "-o", "plain.png")
    assert (plain.code, plain.err) == (0, "")
    done = run("render", "--session", "s.json", "-o", "x.png")
    assert done.code == 0
    (line,) = done.err.splitlines()
    for fact in ("--show pinned", "heatmap", "distances"):
        assert fact in line
    assert QImage("x.png") == QImage("plain.png")
    assert session.read(tmp_path / "x.png").state.show == "pinned"
    typed = run("render", "--session", "s.json", "--show", "current", "-o", "y.png")
    assert (typed.code, typed.err) == (0, "")


def test_a_command_that_is_written_has_no_flag_that_would_be_refused(run):
    state = pictures.with_options(PINNED.with_(show="difference"), "distances", part="curve")
    style = Style(limits=(0.0, 1.0), clocks=(0, 1))
    refusable = {"--show", "--limits", "--clocks"}
    for view, written in (
        ("distances", set()),
        ("heatmap", {"--show", "--limits"}),
        ("clocks", {"--clocks"}),
    ):
        line = flags.render_line(view, state, flags.SIZE, flags.RenderSettings(), "x.png", style)
        assert refusable.intersection(line.split()) == written


def test_umap_that_is_not_installed_is_refused_where_it_is_typed(
    run, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(umap_process, "missing", lambda: "UMAP is not installed: pip install it")
    done = run("render", "projection", "--method", "umap", "-o", "x.png")
    assert (done.code, list(tmp_path.iterdir())) == (2, [])
    assert "--method: UMAP is not installed: pip install it" in done.err
    session.write(tmp_path / "s.json", pictures.with_options(PINNED, "projection", method="umap"))
    done = run("render", "projection", "--session", "s.json", "-o", "x.png")
    assert done.code == 0
    assert "UMAP is not installed" in done.err
    assert "PCA" in done.err
    assert main(["export", "--session", "s.json", "--what", "projection", "-o", "n.npy"]) == 0
    (note,) = capsys.readouterr().err.splitlines()
    assert "UMAP is not installed" in note
    rows = PINNED.encoding.table(range(50))
    np.testing.assert_allclose(np.load("n.npy"), projection.pca(rows, 2).scores)
