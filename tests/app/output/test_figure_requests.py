"""A figure reproduces itself: from its session, the same bytes are drawn again."""

import json
import shlex

import pytest

from pe_explorer import pictures
from pe_explorer.app import render
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.commandline.main import main
from pe_explorer.files import session
from pe_explorer.files.session import session_text
from tests.support.gestures import settle
from tests.support.tables_in_files import numbers, put
from tests.support.windows import wait_for_preview


@pytest.fixture(autouse=True)
def one_application(qapp, monkeypatch):
    """Let the command draw in this process, which has an application."""
    monkeypatch.setattr(render, "Application", lambda _: qapp)


def drawn(*words):
    assert main(["render", *words]) == 0


PIN = ("--pin", "sinusoidal base=500")
REQUESTS = {name: (name, "--size", "84x60mm") for name in pictures.names()}
REQUESTS |= {
    "styled": (
        "heatmap",
        "--title",
        "T",
        "--ground",
        "dark",
        "--dpi",
        "200",
        "--grid",
        "--size",
        "3x2in",
    ),
    "a part": ("distances", "--only", "curve", "--size", "600x400", "--scale", "2", *PIN),
    "a plate": ("plate", "--panes", "heatmap,clocks", "--size", "800x600", "--theme", "dark"),
    "own texts": ("waves", "--line-width", "2.5", "--ticks", "4", "--texts", "position: time"),
    "a difference": ("heatmap", *PIN, "--show", "difference", "--limits", "-1 1"),
    "far": ("frequencies", "--base", "1e6", "--positions", "1000000:1000512", "--legend", "below"),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_the_same_bytes_come_again_from_the_figure(tmp_path, name):
    ending = (".png", ".pdf", ".svg")[len(name) % 3]
    first, again = tmp_path / f"first{ending}", tmp_path / f"again{ending}"
    drawn(*REQUESTS[name], "-o", str(first))
    drawn("--session", str(first), "-o", str(again))
    assert first.read_bytes() == again.read_bytes()


def test_another_format_and_one_other_setting(tmp_path):
    words = ("frequencies", "--size", "84x60mm", "--title", "Mine")
    paths = [str(tmp_path / name) for name in ("a.svg", "b.pdf", "c.pdf", "d.svg", "e.svg")]
    svg, pdf, same_pdf, other, typed = paths
    drawn(*words, "-o", svg)
    drawn(*words, "-o", pdf)
    drawn("--session", svg, "-o", same_pdf)
    assert (tmp_path / "b.pdf").read_bytes() == (tmp_path / "c.pdf").read_bytes()
    drawn("--session", svg, "--title", "Other", "-o", other)
    drawn(*words[:-1], "Other", "-o", typed)
    assert (tmp_path / "d.svg").read_bytes() == (tmp_path / "e.svg").read_bytes()


def test_it_holds_the_command_that_draws_it(tmp_path):
    path, again = tmp_path / "a.svg", tmp_path / "again.svg"
    drawn(*REQUESTS["styled"], "-o", str(path))
    document = json.loads(session_text(path))
    program, command, *words = shlex.split(document["command"])
    assert (program, command) == ("pe-explorer", "render")
    assert "-o" not in words
    drawn(*words, "-o", str(again))
    assert path.read_bytes() == again.read_bytes()


def test_a_table_beside_the_figure_is_found_again(tmp_path):
    put(tmp_path / "t.npy", numbers(20, 6))
    words = ("heatmap", "--encoding", "learned", "--file", str(tmp_path / "t.npy"))
    drawn(*words, "-o", str(tmp_path / "a.png"))
    drawn("--session", str(tmp_path / "a.png"), "-o", str(tmp_path / "b.png"))
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    assert str(tmp_path) not in session_text(tmp_path / "a.png")


def test_earlier_figures_are_read(tmp_path):
    path = tmp_path / "a.png"
    drawn("heatmap", "--title", "Mine", "--size", "400x300", "-o", str(path))
    kept = session.read(path)
    old = {"figure": {"of": "heatmap", "title": "Mine"}}  # what version 1 kept
    (tmp_path / "old.json").write_text(session.dumps(kept.state, old))
    drawn("heatmap", "--session", str(tmp_path / "old.json"), "-o", str(tmp_path / "b.svg"))
    assert "Mine" in (tmp_path / "b.svg").read_text()


@pytest.mark.parametrize("part", ["", "curve"])
def test_the_window_shows_it_and_offers_the_same_figure(window, qtbot, tmp_path, part):
    path = tmp_path / "a.svg"
    only = ("--only", part) if part else ()
    words = ("distances", "--size", "120x50mm", "--title", "Mine", "--font-size", "7")
    drawn(*words, *only, "-o", str(path))
    window.files.open_file(path)
    qtbot.waitUntil(lambda: window.findChild(FigureDialog) is not None)
    assert window.model.state.panes.views == ("distances",)
    dialog = window.findChild(FigureDialog)
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.what.currentData() == "-".join(filter(None, ("distances", part)))
    style, size = dialog.figure_form.style_and_size
    assert (style.title, style.font_size, str(size)) == ("Mine", 7.0, "120x50mm")
    assert dialog.choices.ending == ".svg"
    dialog.reject()
    settle()
    assert not window.isWindowModified()


def test_a_formula_in_a_title_is_plain_text_with_a_note(tmp_path, capsys):
    path = tmp_path / "a.svg"
    drawn("heatmap", "--title", r"waves $\omega_i t$", "-o", str(path))
    assert r"waves $\omega_i t$" in path.read_text()
    assert "matplotlib" in capsys.readouterr().err
    drawn("heatmap", "--title", "from $5 to $6", "-o", str(path))
    assert capsys.readouterr().err == ""
