"""What cannot be used stays as it was typed, is said in one sentence, and holds up the figure."""

import re
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from pe_explorer.app.output import figure_order
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.app.output.print_dialog import PrintDialog
from pe_explorer.params import ParameterError
from pe_explorer.pictures.heatmap import Heatmap
from tests.app.output.dialogs import type_into
from tests.support.cases import for_each
from tests.support.gestures import settle, type_text
from tests.support.windows import (
    choose_item,
    click_button,
    open_dialog,
    visible_dialogs,
    wait_for_preview,
)

LEFT = Qt.MouseButton.LeftButton
DIALOGS = {"export_figure": FigureDialog, "print_figure": PrintDialog}
every_dialog = pytest.mark.parametrize("key", DIALOGS)

LIMITS = (
    "Colour limits: '{}' is not two numbers, the lower one first; write two with a space between, "
    "such as -1 1; or type auto."
)
WRONG = {
    "limits": ("1 -1", LIMITS.format("1 -1")),
    "ticks": ("many", "Ticks: 'many' is not a whole number (2 to 20); or type auto."),
    "font_size": ("3", "Font size: 3 is outside the limits (4 to 48); the nearest valid value"),
    "clocks": ("1 x", "Clocks: number 2: 'x' is not a whole number"),
    "font": ("", "Font: '' has 0 characters (1 to 120 characters)."),
}


def line(dialog, name):
    return dialog.figure_form.fields.editor(name).main


def is_strip(image, dialog):
    """Return whether there is a strip over the top of a picture of the preview."""
    strip = dialog.palette().toolTipBase().color()
    return image.pixelColor(3, 3) == strip


@every_dialog
@for_each("name", WRONG)
def test_a_refused_text_stays_and_holds_up_what_is_to_be_done(window, qtbot, tmp_path, key, name):
    dialog = open_dialog(window, key, DIALOGS[key])
    if name == "clocks":  # which a heatmap has not
        choose_item(dialog.figure_form.what, "clocks")
    wait_for_preview(qtbot, dialog)
    good = dialog.figure_form.preview.image
    text, says = WRONG[name]
    type_into(qtbot, dialog, name, text)
    assert line(dialog, name).text() == text
    assert says in dialog.message.text()
    assert dialog.figure_form.preview.image == good
    assert is_strip(dialog.figure_form.preview.grab().toImage(), dialog)
    if key == "export_figure":
        dialog.target.setText(str(tmp_path / "f.pdf"))
        assert says in dialog.message.text()
    qtbot.mouseClick(dialog.go, LEFT)
    assert dialog.isVisible()
    assert dialog.focusWidget() is line(dialog, name)  # where it can be mended
    assert says in dialog.message.text()
    assert list(tmp_path.glob("f*")) == []
    qtbot.keyClick(line(dialog, name), Qt.Key.Key_Escape)
    wait_for_preview(qtbot, dialog)
    assert dialog.message.text() == ""
    assert not is_strip(dialog.figure_form.preview.grab().toImage(), dialog)
    dialog.reject()


def test_a_refused_text_that_is_still_being_typed_holds_it_up_too(window, qtbot, tmp_path):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    dialog.target.setText(str(tmp_path / "f.pdf"))
    type_text(qtbot, line(dialog, "limits"), "5")
    qtbot.keyClick(dialog, Qt.Key.Key_E, Qt.KeyboardModifier.AltModifier)
    click_button(dialog, "&Copy command")
    assert dialog.message.text() == LIMITS.format("5")
    dialog.accept()
    assert dialog.message.text() == LIMITS.format("5")
    assert list(tmp_path.glob("f*")) == []


def test_two_refused_texts_are_said_one_after_the_other(window, qtbot):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    for name in ("limits", "ticks"):
        type_into(qtbot, dialog, name, "x")
    assert dialog.message.text().startswith("Ticks: ")  # the one that is above
    type_into(qtbot, dialog, "ticks", "7")
    assert dialog.message.text().startswith("Colour limits: ")
    choose_item(dialog.figure_form.fields.editor("ground").combo, "dark")
    assert dialog.message.text().startswith("Colour limits: ")
    qtbot.mouseClick(dialog.figure_form.fields.editor("limits").box, LEFT)  # auto
    assert dialog.message.text() == ""
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.image.pixelColor(1, 1).lightness() < 60


def test_a_title_is_in_the_preview_while_it_is_typed(window, qtbot):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    wait_for_preview(qtbot, dialog)
    before = dialog.figure_form.preview.image
    title = line(dialog, "title")
    type_text(qtbot, title, "Two  words ")
    assert title.hasFocus()
    assert title.text() == "Two  words "
    assert dialog.choices.style.title == "Two words"
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.image != before
    qtbot.keyClick(title, Qt.Key.Key_Tab)
    assert title.text() == "Two words"


def test_a_number_that_is_half_typed_is_not_complained_about(window, qtbot):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    size = line(dialog, "font_size")
    said = []
    size.setFocus()
    size.selectAll()
    for key in "1", "2", ".", "5":  # 1 alone is too small
        qtbot.keyClicks(size, key)
        said.append(dialog.message.text())
    assert said == [""] * 4
    assert (size.text(), dialog.choices.style.font_size) == ("12.5", 12.5)


@for_each("text", ["-0.5,0.5", "-0.5, 0.5", "-0.5 0.5", "-0.5;0.5"])
def test_limits_are_taken_however_they_are_separated(window, qtbot, text):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    type_into(qtbot, dialog, "limits", text)
    assert dialog.message.text() == ""
    assert dialog.choices.style.limits == (-0.5, 0.5)
    dialog.reject()


def test_what_has_no_effect_now_holds_up_nothing(window, qtbot):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    type_into(qtbot, dialog, "dpi", "x")
    assert dialog.message.text().startswith("Dots per inch: 'x' is not a number")
    choose_item(dialog.kind, ".png")
    type_text(qtbot, dialog.figure_form.size_text, "800x600")
    assert dialog.message.text() == ""


# -- the size ------------------------------------------------------------------------------------


@for_each(
    ("text", "says"),
    [
        ("84x60mm", "84 × 60 mm; as PNG 992 × 709 pixels"),
        ("84 x 60 mm", "84 × 60 mm; as PNG 992 × 709 pixels"),
        ("3.3x2.4in", "83.82 × 60.96 mm; as PNG 990 × 720 pixels"),
        ("1600x900", "1,600 × 900 pixels; 423.3 × 238.1 mm"),
        ("700 x 500", "700 × 500 pixels; 185.2 × 132.3 mm"),
    ],
)
def test_what_a_size_is_is_said_below_it(window, qtbot, text, says):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    type_text(qtbot, dialog.figure_form.size_text, text)
    assert dialog.figure_form.size_note.text() == says
    dialog.reject()


def test_a_size_is_shown_as_numbers_once_it_is_left(window, qtbot):
    form = open_dialog(window, "export_figure", FigureDialog).figure_form
    type_text(qtbot, form.size_text, "2^10x3*256")
    assert form.size_text.text() == "2^10x3*256"
    qtbot.keyClick(form.size_text, Qt.Key.Key_Tab)
    assert form.size_text.text() == "1024x768"


def test_a_size_without_a_unit_that_is_too_small_says_how_millimetres_are_written(window, qtbot):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    wait_for_preview(qtbot, dialog)
    good = dialog.figure_form.preview.image
    type_text(qtbot, dialog.figure_form.size_text, "84 x 60")
    assert dialog.message.text() == (
        "Size: '84 x 60': each side has 160 to 16384 px; for millimetres write 84x60mm."
    )
    assert dialog.figure_form.preview.image == good


# -- messages that are about something else by now -------------------------------------------------

FILES = {"export_figure": FigureDialog, "export_picture": PictureDialog, "export_data": DataDialog}
every_file = for_each("key", FILES)


@every_file
@for_each(
    ("folder", "says"),
    [
        ("/nowhere", "there is no folder /nowhere"),
        ("/proc", "the folder /proc takes no new file; choose another folder."),
    ],
)
def test_a_message_about_a_file_goes_when_another_is_named(
    window, qtbot, tmp_path, key, folder, says
):
    dialog = open_dialog(window, key, FILES[key])
    name = dialog.target.text().rpartition("/")[2]
    dialog.target.setText(f"{folder}/{name}")
    qtbot.mouseClick(dialog.go, LEFT)
    qtbot.waitUntil(lambda: folder in dialog.message.text())
    assert dialog.message.text().startswith(f"Output: {folder}/{name}: ")
    assert says in dialog.message.text()
    dialog.target.setText(str(tmp_path / name))
    assert dialog.message.text() == ""
    dialog.reject()


@every_file
def test_no_older_message_is_left_when_a_file_is_not_replaced(window, qtbot, tmp_path, key):
    dialog = open_dialog(window, key, FILES[key])
    target = tmp_path / dialog.target.text().rpartition("/")[2]
    target.write_text("mine")
    dialog.target.setText(str(target))
    click_button(dialog, "&Copy command")
    assert dialog.message.text() == "Command copied."
    qtbot.mouseClick(dialog.go, LEFT)
    (question,) = visible_dialogs(dialog, QMessageBox)
    question.button(QMessageBox.StandardButton.Cancel).click()
    settle()
    assert dialog.message.text() == ""
    assert target.read_text() == "mine"
    dialog.reject()
    del dialog, question
    QApplication.clipboard().clear()


def test_a_size_without_room_holds_the_figure_up_until_one_with_room_is_typed(
    window, qtbot, tmp_path
):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    form = dialog.figure_form
    dialog.target.setText(str(tmp_path / "f.pdf"))
    wait_for_preview(qtbot, dialog)
    form.size_text.setText("20x20mm")
    wait_for_preview(qtbot, dialog)
    says = dialog.message.text()
    assert says.startswith("Size: 20x20mm is too small for this figure in 8 points; choose ")
    assert is_strip(form.preview.grab().toImage(), dialog)
    dialog.accept()
    qtbot.waitUntil(dialog.go.isEnabled)
    assert dialog.isVisible()
    assert dialog.message.text() == says
    assert list(tmp_path.iterdir()) == []
    (named,) = re.findall(r"at least (\S+mm)", says)
    form.size_text.setText(named)
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.refusal == ""
    dialog.accept()
    qtbot.waitUntil((tmp_path / "f.pdf").exists)


def test_what_was_refused_of_one_figure_is_not_said_of_the_next(window, qtbot, monkeypatch):
    begun, go_on = threading.Event(), threading.Event()

    def refused(state, size, cancelled):
        begun.set()
        go_on.wait(5)
        raise ParameterError("size", "it was the figure before")

    dialog = open_dialog(window, "export_figure", FigureDialog)
    wait_for_preview(qtbot, dialog)
    monkeypatch.setattr(figure_order, "takes_long", lambda cost: True)
    with monkeypatch.context() as patched:
        patched.setattr(Heatmap, "compute", staticmethod(refused))
        type_text(qtbot, line(dialog, "font_size"), "9")
        qtbot.waitUntil(begun.is_set)
    before = dialog.figure_form.preview.image
    type_text(qtbot, line(dialog, "font_size"), "10")
    go_on.set()
    window.model.worker.finish()  # the answer comes before the next figure is begun
    assert dialog.figure_form.refusal == ""
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.refusal == ""
    assert dialog.figure_form.preview.image != before


def test_what_has_an_effect_again_is_refused_again(window, qtbot):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    form = dialog.figure_form
    choose_item(dialog.kind, ".png")
    type_into(qtbot, dialog, "dpi", "abc")
    assert "Dots per inch" in form.refusal
    type_text(qtbot, form.size_text, "900x600px")
    assert form.refusal == ""  # pixels are what they are, whatever their number to an inch
    type_text(qtbot, form.size_text, "84x60mm")
    assert "Dots per inch" in form.refusal
    assert form.refusal in dialog.message.text()


def test_titles_that_have_no_room_are_said_to_be_left_out(window, qtbot):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    wait_for_preview(qtbot, dialog)
    assert "left out" not in dialog.message.text()
    type_text(qtbot, dialog.figure_form.size_text, "84x60mm")
    type_text(qtbot, line(dialog, "font_size"), "20")
    choose_item(dialog.figure_form.what, "distances-curve")
    type_text(qtbot, line(dialog, "font_size"), "24")
    wait_for_preview(qtbot, dialog)
    qtbot.waitUntil(lambda: "Titles of axes are left out" in dialog.message.text())
    type_text(qtbot, line(dialog, "font_size"), "8")
    wait_for_preview(qtbot, dialog)
    qtbot.waitUntil(lambda: "left out" not in dialog.message.text())
