"""One rule for the settings of the last figure: what is copied and printed has them, too."""

import pytest
from PySide6.QtCore import Qt

from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.app.output.print_dialog import PrintDialog
from tests.app.output.dialogs import type_into, write_to
from tests.support.computing import stop_in_worker
from tests.support.gestures import settle
from tests.support.windows import choose_item, open_dialog, wait_for_preview

LEFT = Qt.MouseButton.LeftButton


pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture
def exported(window, qtbot, tmp_path):
    """Export a dark figure with a title, a grid and colour limits."""
    dialog = open_dialog(window, "export_figure", FigureDialog)
    choose_item(dialog.figure_form.fields.editor("ground").combo, "dark")
    type_into(qtbot, dialog, "title", "Only mine")
    type_into(qtbot, dialog, "limits", "-0.5 0.5")
    write_to(qtbot, dialog, tmp_path / "f.pdf")
    return tmp_path / "f.pdf"


def copy(window, qtbot, key):
    window.actions_by_key[key].trigger()
    qtbot.waitUntil(lambda: not window.output.copying.busy)


@pytest.mark.usefixtures("exported")
def test_copied_code_picture_and_command_have_the_settings_of_the_last_figure(
    window, qtbot, clipboard
):
    copy(window, qtbot, "copy_figure_code")
    assert "Only mine" in clipboard.text()
    copy(window, qtbot, "copy_picture")
    dark = clipboard.image()
    assert dark.pixelColor(1, 1).lightness() < 60
    assert dark.width() == 2 * window.view("heatmap").width()
    copy(window, qtbot, "copy_command")
    line = clipboard.text()
    for words in ("--ground dark", "--title 'Only mine'", "--limits '-0.5 0.5'", "--scale 2"):
        assert words in line


def test_a_title_is_that_of_the_view_that_was_drawn(window, qtbot, tmp_path, clipboard):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    choose_item(dialog.figure_form.what, "distances")
    type_into(qtbot, dialog, "title", "Only distances")
    write_to(qtbot, dialog, tmp_path / "f.pdf")
    for view, has_title in (("heatmap", False), ("distances", True)):
        window.workspace.activate(view)
        copy(window, qtbot, "copy_command")
        assert ("Only distances" in clipboard.text()) == has_title


@pytest.mark.usefixtures("exported")
def test_paper_is_white_after_any_figure_and_the_next_file_has_its_own_ground(window, qtbot):
    dialog = open_dialog(window, "print_figure", PrintDialog)
    wait_for_preview(qtbot, dialog)
    assert dialog.figure_form.preview.image.pixelColor(1, 1).lightness() == 255
    assert dialog.figure_form.fields.editor("ground").combo.currentData() == "white"
    assert dialog.figure_form.fields.editor("title").main.text() == "Only mine"
    type_into(qtbot, dialog, "font_size", "11")
    dialog.figure_form.ordered.emit("heatmap", dialog.choices)  # as when it is printed
    dialog.reject()
    settle()
    dialog = open_dialog(window, "export_figure", FigureDialog)
    assert dialog.choices.style.ground == "dark"
    assert dialog.choices.style.font_size == 11


# -- long work -----------------------------------------------------------------------------------


@pytest.fixture
def slow(window, monkeypatch):
    """Let the heatmap stop in the worker until it is let go on or cancelled."""
    settle(window.model)
    _, go_on, _ = stop_in_worker(monkeypatch)
    return go_on


def test_code_that_takes_long_says_so_and_shows_how_far_it_is(window, qtbot, slow, clipboard):
    window.actions_by_key["copy_figure_code"].trigger()
    notice = window.output.copying.notice
    qtbot.waitUntil(notice.isVisible)
    assert notice.sentence.text() == "Computing Heatmap for the figure code…"
    qtbot.waitUntil(lambda: notice.bar.value() > 0)
    assert clipboard.text() == "as it was"
    slow.set()
    qtbot.waitUntil(lambda: not window.output.copying.busy)
    assert not notice.isVisible()
    assert clipboard.text().startswith("# Heatmap of sinusoidal")


def test_cancelled_code_leaves_the_clipboard_as_it_is(window, qtbot, slow, clipboard):
    window.actions_by_key["copy_figure_code"].trigger()
    notice = window.output.copying.notice
    qtbot.waitUntil(notice.isVisible)
    qtbot.mouseClick(notice.cancel, LEFT)
    window.model.worker.finish()
    settle()
    assert not notice.isVisible()
    assert clipboard.text() == "as it was"
