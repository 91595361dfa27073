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


def pairs_in(text):
    """Return the pairs whose clocks are in a drawing or a script."""
    return [int(pair) for pair in re.findall(r"(\d+) (?:· λ|\$\\+lambda)", text)]


def pairs_drawn_by(command, folder):
    """Return the pairs that a command draws in another process."""
    _, *words, _ = shlex.split(command)
    done = run_program(folder, *words, "again.svg")
    assert (done.returncode, done.stderr) == (0, "")
    return pairs_in((folder / "again.svg").read_text())


@pytest.mark.parametrize("what", ["clocks", PLATE, "copies"])
def test_figures_commands_and_scripts_begin_with_the_pairs_on_the_screen(
    window, qtbot, clipboard, tmp_path, what
):
    clocks = window.workspace.pane("clocks").view
    settle()
    qtbot.mouseClick(clocks.controls.forth, Qt.MouseButton.LeftButton)  # to the next page
    settle()
    on_screen = list(clocks.canvas.face.grid.numbers)
    assert on_screen[0] > 0
    window.workspace.activate("clocks" if what == "copies" else "heatmap")
    if what == "copies":
        trigger(window, "copy_command")
        found = [pairs_drawn_by(clipboard.text(), tmp_path)]
        trigger(window, "copy_figure_code")
        qtbot.waitUntil(lambda: "matplotlib" in clipboard.text())
        found.append(pairs_in(clipboard.text()))
    else:
        dialog = open_export(window, "figure")
        choose_item(dialog.figure_form.what, what)
        dialog.figure_form.size_text.setText("400x300mm")  # with room for all of them
        dialog.target.setText(str(tmp_path / "f.svg"))
        command = copied_command(dialog)
        write_to(qtbot, dialog, tmp_path / "f.svg")
        found = [pairs_in((tmp_path / "f.svg").read_text())]
        if what == "clocks":
            assert found == [on_screen]
            found.append(pairs_drawn_by(command, tmp_path))
    for pairs in found:
        assert pairs
        assert pairs == on_screen[: len(pairs)]
