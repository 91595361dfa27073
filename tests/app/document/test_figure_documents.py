"""Figures with a session are opened like sessions: from the menu, by a drop, by a command."""

import threading

import numpy as np
import pytest
from PySide6.QtWidgets import QFileDialog

from pe_explorer.app.output.figure_files import save
from pe_explorer.files import session
from pe_explorer.files.session import FIGURES
from pe_explorer.model import Exploration
from tests.support.commands import error_line, exported
from tests.support.pages import whole_page
from tests.support.windows import (
    choose_file,
    drop_file,
    set_up_exploration,
    start_anew,
    trigger,
    visible_dialogs,
)


def figure(path, text):
    save(whole_page(), path, 96, text, threading.Event())
    return path


@pytest.mark.parametrize("ending", FIGURES)
def test_a_figure_is_opened_by_a_drop_and_from_the_menu_and_never_replaced(
    window, tmp_path, ending
):
    state = set_up_exploration(window)
    path = figure(tmp_path / f"f{ending}", session.shared(state, {}, tmp_path))
    before = path.read_bytes()
    start_anew(window)
    drop_file(window, path)
    assert window.model.state == state
    start_anew(window)
    trigger(window, "open")
    (dialog,) = visible_dialogs(window, QFileDialog)
    assert f"*{ending}" in dialog.nameFilters()[0]
    choose_file(window, path)
    assert window.model.state == state
    assert window.windowTitle().startswith(path.name)
    trigger(window, "save")
    choose_file(window, tmp_path / "f.json")
    assert path.read_bytes() == before
    assert session.read(tmp_path / "f.json").state == state.intention


@pytest.mark.parametrize("ending", FIGURES)
@pytest.mark.usefixtures("qapp")
def test_a_command_takes_the_session_of_a_figure_or_refuses_it_in_one_line(
    tmp_path, ending, capsys, monkeypatch
):
    monkeypatch.setattr("tqdm.tqdm.monitor_interval", 0)  # its thread would stay
    state = Exploration(start=5, count=9)
    path = figure(tmp_path / f"f{ending}", session.shared(state, {}, tmp_path))
    expected = state.encoding.table(range(5, 14))
    np.testing.assert_array_equal(exported(tmp_path, "--session", str(path)), expected)
    capsys.readouterr()
    figure(path, "")
    line = error_line(capsys, "export", "--session", str(path), "-o", str(tmp_path / "t.npy"))
    assert "without a session" in line
    assert not (tmp_path / "t.npy").exists()
