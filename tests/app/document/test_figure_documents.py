"""Figures with a session are opened like sessions: from the menu, by a drop, by a command."""

import threading

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from pe_explorer.app.output.figure_files import save
from pe_explorer.files import session
from pe_explorer.files.session import FIGURES
from pe_explorer.model import Exploration
from tests.support.cases import for_each
from tests.support.pages import whole_page
from tests.support.processes import run_program
from tests.support.windows import (
    DISCARD,
    answer_message,
    choose_file,
    drop_file,
    set_up_exploration,
    trigger,
)

every_ending = for_each("ending", FIGURES)


def figure(path, state):
    """Write a figure with its session."""
    text = session.shared(state, {}, path.parent)
    save(whole_page(), path, 96, text, threading.Event())
    return path


@every_ending
def test_a_figure_is_opened_from_the_menu(window, tmp_path, ending):
    state = set_up_exploration(window)
    path = figure(tmp_path / f"f{ending}", state)
    trigger(window, "new")
    answer_message(window, DISCARD)
    trigger(window, "open")
    (dialog,) = [each for each in window.findChildren(QFileDialog) if each.isVisible()]
    assert f"*{ending}" in dialog.nameFilters()[0]
    choose_file(window, path)
    assert window.model.state == state
    trigger(window, "new")


@every_ending
def test_a_figure_that_is_dropped_is_opened_and_never_replaced(window, tmp_path, ending):
    state = set_up_exploration(window)
    path = figure(tmp_path / f"f{ending}", state)
    before = path.read_bytes()
    trigger(window, "new")
    answer_message(window, DISCARD)
    drop_file(window, path)
    assert window.model.state == state
    assert window.windowTitle().startswith(path.name)
    trigger(window, "save")
    choose_file(window, tmp_path / "f.json")
    assert path.read_bytes() == before
    assert session.read(tmp_path / "f.json").state == state.intention
    trigger(window, "new")


@every_ending
@pytest.mark.usefixtures("qapp")
def test_a_command_takes_the_session_of_a_figure(tmp_path, ending):
    state = Exploration(start=5, count=9)
    path = figure(tmp_path / f"f{ending}", state)
    done = run_program(tmp_path, "export", "--session", path.name, "-o", "t.npy")
    assert (done.returncode, done.stderr) == (0, "")
    expected = state.encoding.table(range(5, 14))
    np.testing.assert_array_equal(np.load(tmp_path / "t.npy"), expected)


@every_ending
@pytest.mark.usefixtures("qapp")
def test_a_figure_without_a_session_is_refused_in_one_line(tmp_path, ending):
    path = tmp_path / f"f{ending}"
    save(whole_page(), path, 96, "", threading.Event())
    done = run_program(tmp_path, "export", "--session", path.name, "-o", "t.npy")
    assert done.returncode == 2
    assert "without a session" in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == [path]
