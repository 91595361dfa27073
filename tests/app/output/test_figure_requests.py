"""A figure reproduces itself: from its session, the same bytes are drawn again."""

import json
import shlex

import pytest

from pe_explorer import encodings, pictures, views
from pe_explorer.app import render
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.commandline.main import main
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.files.session import read_session_text
from tests.app.windows import wait_for_preview
from tests.support.commands import error_line
from tests.support.gestures import settle
from tests.support.oracles import definition, of_picture
from tests.support.tables_in_files import numbers, put


@pytest.fixture(autouse=True)
def in_the_folder(qapp, tmp_path, monkeypatch):
    """Let the command draw in this process, which has an application, and in a folder."""
    monkeypatch.setattr(render, "Application", lambda _: qapp)
    monkeypatch.chdir(tmp_path)


def rendered_bytes(line, path):
    """Draw a figure by a line of `render`, and return its bytes."""
    assert main(["render", *shlex.split(line), "-o", path]) == 0
    with open(path, "rb") as file:
        return file.read()


REQUESTS = [
    *(f"{name} --size 84x60mm" for name in pictures.names()),
    "heatmap --title T --ground dark --dpi 200 --grid --size 3x2in",
    "distances --only curve --size 600x400 --scale 2 --pin 'sinusoidal base=500'",
    "distances --session below.json --only curve --size 84x60mm",
    "plate --panes heatmap,clocks --size 800x600 --theme dark",
    "plate --panel 'heatmap letter=(a)' --panel 'heatmap show=pinned' --panel 'clocks base=99' "
    "--panel 'distances encoding=rope only=curve' --pin 'learned file=t.npy' --subtitle Sub",
    "waves --line-width 2.5 --ticks 4 --texts 'position: time'",
    "heatmap --pin 'sinusoidal base=500' --show difference --limits '-1 1'",
    "frequencies --base 1e6 --positions 1000000:1000512 --legend below",
    "heatmap --encoding learned --file t.npy",
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("line", REQUESTS)
def test_the_same_bytes_come_again_from_the_figure_and_from_the_command_in_it(tmp_path, line):
    put(tmp_path / "t.npy", numbers(20, 6))  # a table beside the figure
    session.write("below.json", pictures.with_options(Exploration(), "distances", below="dot"))
    first, again = (f"{name}{('.png', '.pdf', '.svg')[len(line) % 3]}" for name in ("a", "b"))
    before = rendered_bytes(line, first)
    assert str(tmp_path) not in read_session_text(first)
    assert rendered_bytes(f"--session {first}", again) == before
    program, command, *words = shlex.split(json.loads(read_session_text(first))["command"])
    assert (program, command) == ("pe-explorer", "render")
    assert "-o" not in words
    assert rendered_bytes(shlex.join(words), again) == before


def test_another_format_and_one_other_setting():
    line = "frequencies --size 84x60mm --title Mine"
    rendered_bytes(line, "a.svg")
    assert rendered_bytes("--session a.svg", "b.pdf") == rendered_bytes(line, "c.pdf")
    other = rendered_bytes(line.replace("Mine", "Other"), "d.svg")
    assert rendered_bytes("--session a.svg --title Other", "e.svg") == other


def test_earlier_figures_are_read(tmp_path):
    rendered_bytes("heatmap --title Mine --size 400x300", "a.png")
    old = {"figure": {"of": "heatmap", "title": "Mine"}}  # what version 1 kept
    (tmp_path / "old.json").write_text(session.dumps(session.read("a.png").state, old))
    assert b"Mine" in rendered_bytes("heatmap --session old.json", "b.svg")


@pytest.mark.parametrize("name", ["a.json", "a.csv"])
def test_a_session_in_another_file_offers_the_same_figure(window, qtbot, tmp_path, name):
    rendered_bytes("waves --size 120x50mm --title Mine", "a.svg")
    drawn_of = session.read("a.svg")
    assert main(["export", "-o", "a.csv"]) == 0
    place = name if name == "a.json" else session.to_side_path(name)
    session.write(place, drawn_of.state, drawn_of.extra)
    window.files.open_file(tmp_path / name)
    qtbot.waitUntil(lambda: window.findChild(FigureDialog) is not None)
    style, size = window.findChild(FigureDialog).figure_form.style_and_size
    assert (style.title, str(size)) == ("Mine", "120x50mm")


@pytest.mark.parametrize("part", ["", "curve"])
def test_the_window_shows_it_and_offers_the_same_figure(window, qtbot, tmp_path, part):
    only = f"--only {part}" if part else ""
    rendered_bytes(f"distances --size 120x50mm --title Mine --font-size 7 {only}", "a.svg")
    window.files.open_file(tmp_path / "a.svg")
    qtbot.waitUntil(lambda: window.findChild(FigureDialog) is not None)
    assert window.model.state.panes.views == ("distances",)
    dialog = window.findChild(FigureDialog)
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.view_combo.currentData() == "-".join(
        filter(None, ("distances", part))
    )
    style, size = dialog.figure_form.style_and_size
    assert (style.title, style.font_size, str(size)) == ("Mine", 7.0, "120x50mm")
    assert dialog.choices.ending == ".svg"
    dialog.reject()
    settle()
    assert not window.isWindowModified()


def test_a_formula_in_a_title_is_plain_text_with_a_note(capsys):
    for title, noted in ((r"waves $\omega_i t$", True), ("from $5 to $6", False)):
        assert title.encode() in rendered_bytes(f"heatmap --title '{title}'", "a.svg")
        assert ("matplotlib" in capsys.readouterr().err) == noted


@pytest.mark.parametrize("e", [encodings.create("index"), encodings.create("alibi")], ids=str)
def test_what_an_encoding_has_not_is_refused_in_one_line(capsys, tmp_path, e):
    for name in views.names():
        pictured = of_picture(name)
        for words, needs in {"": pictured.needs, **pictured.with_options}.items():
            if not needs <= definition(e).abilities:
                flags = ("--encoding", e.name, "--metric", "euclidean", *words.split())
                said = error_line(capsys, "render", name, *flags, "-o", "p.png")
                assert e.format_name() in said
                assert ". " in said  # the remedy
    assert list(tmp_path.glob("*.png")) == []
