"""The dialog for figures, as a person uses it."""

import re
import shlex
from itertools import cycle, product

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pe_explorer import pictures
from pe_explorer.app.application import Application
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.app.output.figure_preview import TextLine
from pe_explorer.files import session
from pe_explorer.files.session import FIGURES
from pe_explorer.flags import PLATE
from tests.app.output.dialogs import type_into, write_to
from tests.support.cases import for_each
from tests.support.commands import error_line
from tests.support.computing import stop_in_worker
from tests.support.gestures import settle, type_text
from tests.support.processes import run_program
from tests.support.windows import (
    choose_item,
    click_button,
    go_to,
    open_dialog,
    visible_dialogs,
    wait_for_preview,
)

LEFT = Qt.MouseButton.LeftButton
pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture
def dialog(window):
    return open_dialog(window, "export_figure", FigureDialog)


def test_it_begins_with_the_active_view_light_in_one_column(window, dialog, qtbot, qapp):
    assert dialog.figure_form.what.currentData() == "heatmap"
    assert (dialog.figure_form.preset.currentData(), dialog.figure_form.size_text.text()) == (
        "one-column",
        "84x60mm",
    )
    wait_for_preview(qtbot, dialog)
    image = dialog.figure_form.preview.image
    assert image.width() / image.height() == pytest.approx(84 / 60, rel=0.01)
    assert image.pixelColor(1, 1).lightness() == 255
    assert (
        dialog.figure_form.preview.grab()
        .toImage()
        .pixelColor(dialog.figure_form.preview.rect().center())
        .isValid()
    )


def test_it_is_light_although_the_window_is_dark(window, qapp, qtbot):
    qapp.set_theme("dark")
    settle(window.model)
    dialog = open_dialog(window, "export_figure", FigureDialog)
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.image.pixelColor(1, 1).lightness() == 255
    dialog.reject()
    del dialog
    qapp.set_theme("light")


WHAT = [*pictures.names(), "distances-curve", "distances-matrix", PLATE]


@for_each(
    ("what", "ending"), dict.fromkeys([*zip(WHAT, cycle(FIGURES)), *product(WHAT[-2:], FIGURES)])
)
def test_what_is_written_opens_again(window, qtbot, tmp_path, what, ending):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    choose_item(dialog.figure_form.what, what)
    choose_item(dialog.kind, ending)
    assert dialog.target.text().endswith(f"{what}{ending}")
    write_to(qtbot, dialog, tmp_path / f"f{ending}")
    assert session.read(tmp_path / f"f{ending}").state.positions == window.model.state.positions
    assert [path.name for path in tmp_path.glob("f*")] == [f"f{ending}"]


def test_a_preset_is_a_size_and_a_typed_size_is_none_of_them(dialog, qtbot):
    choose_item(dialog.figure_form.preset, "slide")
    assert dialog.figure_form.size_text.text() == "160x90mm"
    type_text(qtbot, dialog.figure_form.size_text, "100 x 80 mm")
    assert dialog.figure_form.preset.currentData() == "own"
    type_text(qtbot, dialog.figure_form.size_text, "174x90mm")
    assert dialog.figure_form.preset.currentData() == "two-columns"
    type_text(qtbot, dialog.figure_form.size_text, "wide")
    assert "is not a size" in dialog.figure_form.preview.sentence
    assert "is not a size" in refused(qtbot, dialog)


def test_what_is_no_size_has_no_name_and_an_old_message_goes(dialog, qtbot):
    type_text(qtbot, dialog.figure_form.size_text, "84x60mm")
    type_text(qtbot, dialog.figure_form.size_text, "84x60cm")
    assert dialog.figure_form.preset.currentData() == "own"
    assert "is not a size" in refused(qtbot, dialog)
    type_text(qtbot, dialog.figure_form.size_text, "84x60mm")
    assert dialog.figure_form.preset.currentData() == "one-column"
    assert dialog.message.text() == ""


def test_a_font_that_is_not_installed_is_named_with_the_one_that_is_written(dialog, qtbot):
    font = dialog.figure_form.fields.editor("font").main
    type_text(qtbot, font, "No Such Font")
    qtbot.keyClick(font, Qt.Key.Key_Tab)
    said = dialog.message.text()
    assert said.startswith("Font: 'No Such Font' is not installed here; ")
    assert said.endswith(" is written instead.")
    type_text(qtbot, font, "DejaVu Sans")
    qtbot.keyClick(font, Qt.Key.Key_Tab)
    assert dialog.message.text() == ""


def test_on_a_small_screen_all_of_it_can_be_reached(dialog):
    """The screen of the tests is 800 x 800 pixels."""
    assert dialog.screen().availableGeometry().contains(dialog.geometry())
    assert dialog.screen().availableSize().width() < 940


def refused(qtbot, dialog):
    qtbot.mouseClick(dialog.go, LEFT)
    assert dialog.isVisible()
    return dialog.message.text()


def test_the_preview_follows_the_style(dialog, qtbot):
    wait_for_preview(qtbot, dialog)
    before = dialog.figure_form.preview.image
    ground = dialog.figure_form.fields.editor("ground").combo
    choose_item(ground, "dark")
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.image.pixelColor(1, 1).lightness() < 60
    choose_item(ground, "transparent")
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.image.pixelColor(1, 1).alpha() == 0
    choose_item(ground, "white")
    qtbot.keyClick(dialog.figure_form.fields.editor("colour_bar").box, Qt.Key.Key_Space)
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.image != before


def test_what_is_shown_is_what_is_written(window, dialog, qtbot, tmp_path):
    """The preview is the same figure with other pixels."""
    wait_for_preview(qtbot, dialog)
    shown = dialog.figure_form.preview.image
    choose_item(dialog.kind, ".png")
    write_to(qtbot, dialog, tmp_path / "f.png")
    written = QImage(str(tmp_path / "f.png"))
    assert (written.width(), written.height()) == (992, 709)
    smooth = Qt.TransformationMode.SmoothTransformation
    small = written.scaled(
        shown.size() / 6, mode=smooth, aspectMode=Qt.AspectRatioMode.IgnoreAspectRatio
    )
    other = shown.scaled(small.size(), mode=smooth, aspectMode=Qt.AspectRatioMode.IgnoreAspectRatio)
    apart = [
        abs(small.pixelColor(x, y).lightness() - other.pixelColor(x, y).lightness())
        for x in range(small.width())
        for y in range(small.height())
    ]
    assert sum(apart) / len(apart) < 8


def test_the_command_draws_the_same_figure(window, dialog, qtbot, tmp_path):
    choose_item(dialog.figure_form.what, "distances-matrix")
    choose_item(dialog.figure_form.preset, "square")
    choose_item(dialog.kind, ".png")
    choose_item(dialog.figure_form.fields.editor("ground").combo, "dark")
    qtbot.keyClick(dialog.figure_form.fields.editor("grid").box, Qt.Key.Key_Space)
    type_into(qtbot, dialog, "font_size", "11")
    dialog.target.setText(str(tmp_path / "f.png"))
    click_button(dialog, "&Copy command")
    line = QApplication.clipboard().text()
    for word in ("render distances", "--only matrix", "--grid", "--font-size 11", "--ground dark"):
        assert word in line
    write_to(qtbot, dialog, tmp_path / "f.png")
    folder = tmp_path / "again"
    folder.mkdir()
    _, *words, target = shlex.split(line)
    assert target == str(tmp_path / "f.png")
    done = run_program(folder, *words, "f.png")
    assert (done.returncode, done.stderr) == (0, "")
    again = QImage(str(folder / "f.png"))
    assert again == QImage(str(tmp_path / "f.png"))


def test_the_last_settings_are_offered_again(window, dialog, qtbot, tmp_path):
    type_text(qtbot, dialog.figure_form.size_text, "120x70mm")
    choose_item(dialog.kind, ".png")
    type_into(qtbot, dialog, "title", "Only once")
    type_into(qtbot, dialog, "font_size", "9.5")
    write_to(qtbot, dialog, tmp_path / "f.png")
    again = open_dialog(window, "export_figure", FigureDialog)
    assert (again.figure_form.size_text.text(), again.kind.currentData()) == ("120x70mm", ".png")
    assert again.target.text() == str(tmp_path / "heatmap.png")
    assert again.choices.style.font_size == 9.5
    assert again.choices.style.title == "Only once"
    again.reject()
    del again


def test_what_belongs_to_one_figure_is_offered_for_that_only(window, dialog, qtbot, tmp_path):
    for name, text in (("title", "Mine"), ("limits", "-0.5, 0.5")):
        type_into(qtbot, dialog, name, text)
    write_to(qtbot, dialog, tmp_path / "f.pdf")
    offered = []
    for view, encoding in (
        ("heatmap", "sinusoidal"),
        ("distances", "sinusoidal"),
        ("heatmap", "index"),
        ("heatmap", "sinusoidal"),
    ):
        window.model.set_encoding(encoding)
        go_to(window, view)
        again = open_dialog(window, "export_figure", FigureDialog)
        style = again.choices.style
        offered.append((style.title, style.limits))
        again.reject()
        settle()
    del again
    mine, none = ("Mine", (-0.5, 0.5)), ("", None)
    assert offered == [mine, none, none, mine]


@pytest.fixture
def slow(monkeypatch):
    """Let the heatmap stop in the worker until it is let go on or cancelled."""
    return stop_in_worker(monkeypatch)


def test_the_window_is_live_while_a_figure_is_computed(window, dialog, qtbot, slow, tmp_path):
    computing, go_on, _ = slow
    dialog.target.setText(str(tmp_path / "f.pdf"))
    qtbot.mouseClick(dialog.go, LEFT)
    assert dialog.isVisible()
    qtbot.waitUntil(computing.is_set)
    assert dialog.bar.isVisible()
    assert dialog.message.text() == "Drawing the figure…"
    go_on.set()
    qtbot.waitUntil(lambda: not visible_dialogs(window, FigureDialog))
    assert (tmp_path / "f.pdf").read_bytes().startswith(b"%PDF")


def test_cancel_leaves_no_file(window, dialog, qtbot, slow, tmp_path):
    computing, _, _ = slow
    dialog.target.setText(str(tmp_path / "f.pdf"))
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(computing.is_set)
    qtbot.mouseClick(dialog.buttons.button(dialog.buttons.StandardButton.Cancel), LEFT)
    qtbot.waitUntil(lambda: not visible_dialogs(window, FigureDialog))
    window.model.worker.finish()
    assert list(tmp_path.glob("f*")) == []


def test_a_view_without_a_picture_says_so_in_the_preview(window, qtbot):
    window.model.set_encoding("index")
    settle(window.model)
    dialog = open_dialog(window, "export_figure", FigureDialog)
    choose_item(dialog.figure_form.what, "clocks")
    assert "Index is not made of waves" in dialog.figure_form.preview.sentence
    assert "Index is not made of waves" in refused(qtbot, dialog)
    choose_item(dialog.figure_form.what, "heatmap")
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.sentence == ""


# -- figure code -----------------------------------------------------------------------------------


@for_each("name", pictures.names())
def test_figure_code_is_copied(window, qtbot, name):
    window.workspace.show_view(name)
    settle(window.model)
    window.actions_by_key["copy_figure_code"].trigger()
    qtbot.waitUntil(lambda: not window.output.copying.busy)
    text = QApplication.clipboard().text()
    assert text.startswith(f"# {pictures.find(name).title} of sinusoidal, positions 0 to 49\n")
    assert "import matplotlib.pyplot as plt" in text
    compile(text, "script", "exec")
    assert window.statusBar().currentMessage() == "Figure code copied: a script for matplotlib."


def test_a_matrix_of_too_many_numbers_is_copied_in_larger_cells(window, qtbot):
    window.workspace.show_view("distances")
    window.model.set(count=10**9)
    settle(window.model)
    window.actions_by_key["copy_figure_code"].trigger()
    qtbot.waitUntil(lambda: not window.output.copying.busy, timeout=30_000)
    text = QApplication.clipboard().text()
    assert len(text) < 1_000_000
    rows, columns = re.search(r"reshape\((\d+), (\d+)\)", text).groups()
    assert int(rows) == int(columns) > 150


def test_where_there_is_no_figure_there_is_a_sentence(window, qtbot):
    window.model.set_encoding("index")
    window.workspace.show_view("clocks")
    settle(window.model)
    QApplication.clipboard().setText("as it was")
    window.actions_by_key["copy_figure_code"].trigger()
    qtbot.waitUntil(lambda: not window.output.copying.busy)
    assert QApplication.clipboard().text() == "as it was"
    assert window.statusBar().currentMessage().startswith("Nothing was copied. ")


# -- render ----------------------------------------------------------------------------------------


def test_a_plate_and_switches(tmp_path):
    line = ("render", "--grid", "plate", "--panes", "heatmap,clocks", "--no-labels", "-o", "p.png")
    done = run_program(tmp_path, *line, "--size", "600x300")
    assert (done.returncode, done.stderr) == (0, "")
    assert session.read(tmp_path / "p.png").state.panes.views == ("heatmap", "clocks")


@for_each(
    ("words", "says"),
    [
        (("window", "--size", "84x60mm"), "--size: 84x60mm: a picture of the window has a size"),
        (("window", "--title", "T"), "--title: it is for figures, not for the window"),
        (("heatmap", "--only", "curve"), "--only: 'curve' is no part of heatmap"),
        (("distances", "--only", "curv"), "did you mean 'curve'"),
        (("heatmap", "--size", "5000x5000mm"), "--size: '5000x5000mm': each side has"),
        (("heatmap", "--size", "2000x2000mm", "--dpi", "2400"), "more than 2^28"),
        (("heatmap", "--size", "20mmx30in"), "--size: '20mmx30in' is not a size"),
        (("window", "--title", ""), "--title: it is for figures, not for the window"),
        (("window", "--no-grid"), "--grid: it is for figures, not for the window"),
        (("window", "--ground", "dark"), "--ground: it is for figures, not for the window"),
        (("window", "--cursor", "hide"), "--cursor: the window is drawn with its cursor"),
        (("clocks", "--clocks", "700"), "--clocks: there is no pair 700"),
    ],
)
def test_what_cannot_be_drawn_is_one_line(qapp, tmp_path, monkeypatch, capsys, words, says):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(Application, "__new__", lambda cls, theme: qapp)  # there can be only one
    monkeypatch.setattr(Application, "__init__", lambda self, theme: None)
    assert says in error_line(capsys, "render", *words, "-o", "x.png")
    assert list(tmp_path.glob("x*")) == []


def centre_of(preview, key):
    """Return the middle of the first line of a text of the figure, as the preview shows it."""
    for x in range(0, preview.width(), 3):
        for y in range(0, preview.height(), 3):
            found = preview.text_at(QPointF(x, y))
            if found is not None and found[0].key == key:
                return found[1].center().toPoint()
    raise AssertionError(f"no {key}")


def test_a_click_on_a_title_lets_another_one_be_typed(window, dialog, qtbot, tmp_path):
    preview, fields = dialog.figure_form.preview, dialog.figure_form.fields
    wait_for_preview(qtbot, dialog)
    before = preview.image.copy()
    place = centre_of(preview, "cells x title")
    qtbot.mouseMove(preview, place)
    qtbot.mouseClick(preview, LEFT, pos=place)
    (line,) = preview.findChildren(TextLine)
    assert line.isVisible()
    assert line.text() == "dimension"
    qtbot.keyClicks(line, "channel")
    qtbot.keyClick(line, Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert fields.editor("texts").main.text() == ""
    qtbot.mouseClick(preview, LEFT, pos=place)
    line.selectAll()
    qtbot.keyClicks(line, "channel")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    assert dialog.isVisible()  # the key is no answer to the dialog
    wait_for_preview(qtbot, dialog)
    assert fields.editor("texts").main.text() == "cells x title: channel"
    assert preview.image != before
    write_to(qtbot, dialog, tmp_path / "f.svg")
    written = (tmp_path / "f.svg").read_text(encoding="utf-8")
    assert ">channel<" in written
    assert ">dimension<" not in written


def test_an_empty_line_gives_a_figure_its_own_text_again(dialog, qtbot):
    preview, fields = dialog.figure_form.preview, dialog.figure_form.fields
    type_text(qtbot, fields.editor("texts").main, "position: time")
    qtbot.keyClick(fields.editor("texts").main, Qt.Key.Key_Tab)
    wait_for_preview(qtbot, dialog)
    qtbot.mouseClick(preview, LEFT, pos=centre_of(preview, "cells y title"))
    (line,) = preview.findChildren(TextLine)
    assert line.text() == "time"
    line.clear()
    qtbot.keyClick(line, Qt.Key.Key_Return)
    wait_for_preview(qtbot, dialog)
    assert fields.editor("texts").main.text() == ""


def test_what_has_no_effect_on_the_figure_is_greyed_and_its_tooltip_says_why(dialog):
    form = dialog.figure_form
    for view, greyed, counting in (
        ("heatmap", {"x_limits", "y_limits", "legend", "line_width", "clocks"}, {"limits"}),
        ("waves", {"limits", "clocks", "upward"}, {"x_limits", "y_limits", "legend"}),
        ("distances-curve", {"limits"}, {"y_limits"}),
        ("clocks", {"limits", "grid"}, {"clocks", "colour_bar"}),
    ):
        choose_item(form.what, view)
        for name in greyed | counting:
            main = form.fields.editor(name).main
            assert main.isEnabled() == (name in counting), (view, name)
            assert ("No effect now:</b> this picture of" in main.toolTip()) == (name in greyed)
