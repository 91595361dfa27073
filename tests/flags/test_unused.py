"""Flags that nothing drawn follows: named by the figures themselves, and refused where typed."""

import dataclasses
import threading

import pytest
from PySide6.QtGui import QImage

from pe_explorer import encodings, flags, pictures
from pe_explorer.analysis import umap_process
from pe_explorer.app.output.figure_order import FigureJob, lay_out_figures
from pe_explorer.exploration import DirectStore, Exploration, Pin, make_panes, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.figures.svg import make_svg_parts
from pe_explorer.files import session
from pe_explorer.model.steps import run_now
from pe_explorer.params import ParameterError, declared
from tests.endurance.calls import outcome_of, without_windows
from tests.support.figures import figures_of
from tests.support.oracles import suited_to

PIN = ["--pin", "sinusoidal base=100"]
PINNED = Exploration(pins=(Pin(encodings.create("sinusoidal", base=100.0), "slow"),))


@pytest.fixture
def run(strict, working_folder):
    with without_windows():
        yield lambda *arguments: outcome_of([*arguments, "--size", "320x240"])


CHANGED = {
    "limits": (-3.0, 7.0),
    "x_limits": (1.0, 3.5),
    "y_limits": (0.25, 3.5),
    "x_scale": "log",
    "y_scale": "log",
    "x_ticks": (2.0,),
    "y_ticks": (1.0,),
    "bar_ticks": (0.5,),
    "colours": "#102030 #ffeecc",
    "legend": "none",
    "line_width": 4.0,
    "colour_bar": False,
    "grid": True,
    "upward": True,
    "clocks": (1,),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("view", pictures.names())
def test_a_setting_has_no_effect_on_a_figure_exactly_where_this_is_reported(qapp, view):
    e, pins = suited_to(view), (Pin(encodings.create("rope", head_dim=16), "slow"),)
    kinds = declared(pictures.find(view).Options)
    choices = [
        (name, value)
        for name in ("part", "quantity")
        if name in kinds
        for value in kinds[name].choices
    ]
    style = dataclasses.replace(Style(), labels=False)

    def drawn(state, style):
        try:
            page = run_now(
                lay_out_figures(FigureJob(view, state, style, FigureSize(200, 150, "mm")))
            )
        except ParameterError as error:  # such as position 0 on a logarithmic axis
            return error.sentence
        return list(make_svg_parts(page, "", threading.Event()))

    for options in [dict([choice]) for choice in choices] or [{}]:
        state = pictures.with_options(Exploration(e, pins=pins), view, **options)
        (figure,) = figures_of(view, encoding=e, options=state.options)
        coloured = [panel for panel in figure.panels if panel.cells is not None]
        limited = {panel.name for panel in coloured if panel.cells.unit != "°"}  # angles go round
        assert set(pictures.make_picture(view, state).list_limited_colours()) == limited
        state = resolve(state, DirectStore())
        usual, reasons = drawn(state, style), flags.find_ineffective_fields(view, state)
        for name, other in CHANGED.items():
            is_log = name == "y_scale" and any(panel.y.powers for panel in figure.panels)
            value = "linear" if is_log else other
            is_same = drawn(state, dataclasses.replace(style, **{name: value})) == usual
            assert is_same or name not in reasons, (options, name)
            if name != "legend" and figure.note is None:  # that is known once all is computed
                assert is_same == (name in reasons), (options, name)


REFUSED = {
    "show": ["waves", *PIN, "--show", "pinned"],
    "show of a plate": ["plate", "--panes", "distances,waves", *PIN, "--show", "difference"],
    "show for --shift-show": ["plate", "--panes", "shift,waves", *PIN, "--show", "pinned"],
    "limits of a curve": ["distances", "--part", "curve", "--limits", "0 1"],
    "limits of one part": ["distances", "--only", "curve", "--limits", "0 1"],
    "limits of angles": ["heatmap", "--quantity", "angle", "--limits", "0 1"],
    "limits of waves": ["waves", "--limits", "0 1"],
    "name beside clocks": ["clocks", *PIN, "--name", "mine"],
    "clocks of a heatmap": ["heatmap", "--clocks", "0 1"],
    "x-scale of cells": ["heatmap", "--x-scale", "log"],
    "y-ticks of clocks": ["clocks", "--y-ticks", "0 1"],
    "bar-ticks of waves": ["waves", "--bar-ticks", "0 1"],
    "colours of waves": ["waves", "--colours", "viridis_r"],
}


def test_a_typed_flag_that_changes_nothing_is_refused_in_one_line(run, tmp_path):
    for what, words in REFUSED.items():
        done = run("render", *words, "-o", "x.png")
        assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
        assert done.err.startswith(f"pe-explorer render: --{what.split()[0]}: ")
        assert "eave it out" in done.err
        assert "--shift-show" in done.err or "--shift-show" not in what
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


def test_a_second_curve_that_only_one_part_leaves_out_is_reported(run):
    for only, below in (("curve", "--below"), ("matrix", "--distances-below")):
        done = run("render", "distances", "--only", only, below, "dot", "-o", "x.png")
        assert (done.code, done.err.count("\n")) == (0, 1)
        assert f"--only {only}" in done.err
        assert session.read("x.png").state.options["distances"].below == "dot"
    assert run("render", "distances", "--part", "curve", "--below", "dot", "-o", "x.png").err == ""


def test_show_in_a_session_has_no_effect_and_this_is_reported(run, tmp_path):
    shown = dataclasses.replace(PINNED, show="pinned", panes=make_panes(("distances",)))
    session.write(tmp_path / "s.json", shown)
    session.write(tmp_path / "plain.json", dataclasses.replace(shown, show="current"))
    plain = run("render", "--session", "plain.json", "-o", "plain.png")
    assert (plain.code, plain.err) == (0, "")
    done = run("render", "--session", "s.json", "-o", "x.png")
    assert done.code == 0
    (line,) = done.err.splitlines()
    for fact in ("--show pinned", "distances"):
        assert fact in line
    assert QImage("x.png") == QImage("plain.png")
    assert session.read(tmp_path / "x.png").state.show == "pinned"
    typed = run("render", "--session", "s.json", "--show", "current", "-o", "y.png")
    assert (typed.code, typed.err, session.read("y.png").state.show) == (0, "", "pinned")


def test_a_command_that_is_written_has_no_flag_that_would_be_refused(run):
    state = pictures.with_options(PINNED.with_(show="difference"), "distances", part="curve")
    style = Style(limits=(0.0, 1.0), clocks=(0, 1))
    refusable = {"--show", "--limits", "--clocks"}
    for view, written in (
        ("distances", set()),
        ("heatmap", {"--show", "--limits"}),
        ("clocks", {"--clocks"}),
    ):
        line = flags.format_render_line(
            view, state, flags.DEFAULT_SIZE, flags.RenderSettings(), "x.png", style
        )
        assert refusable.intersection(line.split()) == written


def test_umap_that_is_not_installed_is_refused_where_it_is_typed(run, tmp_path, monkeypatch):
    monkeypatch.setattr(
        umap_process, "unavailable_reason", lambda: "UMAP is not installed: pip install it"
    )
    done = run("render", "projection", "--method", "umap", "-o", "x.png")
    assert (done.code, list(tmp_path.iterdir())) == (2, [])
    assert "--method: UMAP is not installed: pip install it" in done.err
    session.write(tmp_path / "s.json", pictures.with_options(PINNED, "projection", method="umap"))
    done = run("render", "projection", "--session", "s.json", "-o", "x.png")
    assert done.code == 0
    assert "UMAP is not installed" in done.err
    assert "PCA" in done.err
