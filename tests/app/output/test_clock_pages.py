"""A figure has the clocks that are on the screen, whichever view is the active one."""

import re
import shlex

import pytest
from PySide6.QtCore import Qt

from pe_explorer.flags import PLATE
from tests.app.output.dialogs import copied_command, open_export, write_to
from tests.support.gestures import settle
from tests.support.processes import run_program
from tests.support.windows import choose_item, trigger

pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture
def on_screen(window, qtbot):
    """Turn to the next page of clocks, and go back to the heatmap; return the pairs shown."""
    clocks = window.workspace.pane("clocks").view
    settle()
    qtbot.mouseClick(clocks.controls.forth, Qt.MouseButton.LeftButton)
    settle()
    shown = list(clocks.canvas.face.grid.numbers)
    assert shown[0] > 0
    window.workspace.activate("heatmap")
    return shown


def pairs_in(text):
    """Return the pairs whose clocks are in a drawing or a script."""
    return [int(pair) for pair in re.findall(r"(\d+) (?:· λ|\$\\+lambda)", text)]


def pairs_drawn_by(command, folder):
    """Return the pairs that a command draws in another process."""
    _, *words, _ = shlex.split(command)
    done = run_program(folder, *words, "again.svg")
    assert (done.returncode, done.stderr) == (0, "")
    return pairs_in((folder / "again.svg").read_text())


def test_a_figure_and_its_command_have_the_pairs_on_the_screen(window, qtbot, on_screen, tmp_path):
    dialog = open_export(window, "figure")
    choose_item(dialog.figure_form.what, "clocks")
    dialog.figure_form.size_text.setText("400x300mm")  # with room for all of them
    dialog.target.setText(str(tmp_path / "f.svg"))
    command = copied_command(dialog)
    write_to(qtbot, dialog, tmp_path / "f.svg")
    assert pairs_in((tmp_path / "f.svg").read_text()) == on_screen
    assert pairs_drawn_by(command, tmp_path) == on_screen


def test_the_clocks_of_a_plate_begin_with_the_first_on_the_screen(
    window, qtbot, on_screen, tmp_path
):
    dialog = open_export(window, "figure")
    choose_item(dialog.figure_form.what, PLATE)
    for size in ("174x90mm", "400x300mm"):
        dialog.figure_form.size_text.setText(size)
        dialog.figure_form.update_preview()
    write_to(qtbot, dialog, tmp_path / "f.svg")
    drawn = pairs_in((tmp_path / "f.svg").read_text())
    assert drawn
    assert drawn == on_screen[: len(drawn)]


def test_a_copied_command_and_script_are_of_the_page_on_the_screen(
    window, qtbot, on_screen, clipboard, tmp_path
):
    window.workspace.activate("clocks")
    trigger(window, "copy_command")
    drawn = pairs_drawn_by(clipboard.text(), tmp_path)
    trigger(window, "copy_figure_code")
    qtbot.waitUntil(lambda: "matplotlib" in clipboard.text())
    for pairs in drawn, pairs_in(clipboard.text()):
        assert pairs
        assert pairs == on_screen[: len(pairs)]
