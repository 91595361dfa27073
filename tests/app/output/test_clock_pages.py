"""A figure has the clocks that are on the screen, whichever view is the active one."""

import re
import shlex

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from pe_explorer.app.output.figure_dialog import FigureDialog
from pe_explorer.flags import PLATE
from tests.app.output.dialogs import write_to
from tests.support.gestures import settle
from tests.support.processes import run_program
from tests.support.windows import (
    choose_item,
    click_button,
    open_dialog,
    trigger,
)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def on_screen(window, qtbot):
    """Turn to the next page of clocks, and go back to the heatmap; return the pairs shown."""
    clocks = window.workspace.pane("clocks").view
    settle()
    qtbot.mouseClick(clocks.controls.forth, LEFT)
    settle()
    shown = list(clocks.canvas.face.grid.numbers)
    assert shown[0] > 0
    window.workspace.activate("heatmap")
    return shown


def pairs_in(svg):
    """Return the pairs whose clocks are in a file."""
    return [int(pair) for pair in re.findall(r"([\d]+) · λ", svg)]


def test_a_figure_and_its_command_have_the_pairs_on_the_screen(window, qtbot, on_screen, tmp_path):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    choose_item(dialog.figure_form.what, "clocks")
    dialog.figure_form.size_text.setText("400x300mm")  # with room for all of them
    dialog.target.setText(str(tmp_path / "f.svg"))
    click_button(dialog, "&Copy command")
    command = QApplication.clipboard().text()
    write_to(qtbot, dialog, tmp_path / "f.svg")
    drawn = (tmp_path / "f.svg").read_text()
    assert pairs_in(drawn) == on_screen
    _, *words, _ = shlex.split(command)
    done = run_program(tmp_path, *words, "again.svg")
    assert (done.returncode, done.stderr) == (0, "")
    assert pairs_in((tmp_path / "again.svg").read_text()) == on_screen


def test_the_clocks_of_a_plate_begin_with_the_first_on_the_screen(
    window, qtbot, on_screen, tmp_path
):
    dialog = open_dialog(window, "export_figure", FigureDialog)
    choose_item(dialog.figure_form.what, PLATE)
    for size in ("174x90mm", "400x300mm"):
        dialog.figure_form.size_text.setText(size)
        dialog.figure_form.update_preview()
    write_to(qtbot, dialog, tmp_path / "f.svg")
    drawn = pairs_in((tmp_path / "f.svg").read_text())
    assert drawn == on_screen[: len(drawn)]
    assert drawn


@pytest.mark.usefixtures("on_screen")
def test_a_command_and_a_script_are_of_the_page_on_the_screen(window, qtbot, tmp_path):
    clocks = window.workspace.pane("clocks").view
    shown = list(clocks.canvas.face.grid.numbers)
    window.workspace.activate("clocks")
    trigger(window, "copy_command")
    _, *words, _ = shlex.split(QApplication.clipboard().text())
    done = run_program(tmp_path, *words, "again.svg")
    assert (done.returncode, done.stderr) == (0, "")
    drawn = pairs_in((tmp_path / "again.svg").read_text())
    assert drawn == shown[: len(drawn)]
    QApplication.clipboard().clear()
    trigger(window, "copy_figure_code")
    qtbot.waitUntil(lambda: "matplotlib" in QApplication.clipboard().text())
    written = pairs_in(QApplication.clipboard().text())
    assert written == shown[: len(written)]
    QApplication.clipboard().clear()
