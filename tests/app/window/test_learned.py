"""A window that shows the table of a file, whatever becomes of that file."""

import os
import shutil
import threading

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QFileSystemWatcher
from PySide6.QtWidgets import QApplication, QFileDialog

from pe_explorer import encodings
from pe_explorer.app.document.backups import Autosave
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import Pin
from pe_explorer.files import session
from pe_explorer.model.steps import StepRunner
from pe_explorer.params import declared
from pe_explorer.tables import npy
from pe_explorer.widgets.editors import LOCATE_TEXT
from tests.app.output.dialogs import KINDS, copied_command, open_export, path_in
from tests.app.windows import (
    change,
    click_on,
    drop_file,
    message_boxes,
    open_inspector,
    trigger,
    visible_dialogs,
)
from tests.support.gestures import settle, wait_for_worker
from tests.support.images import pixels
from tests.support.leftovers import clear_up
from tests.support.notes import note_label, offer
from tests.support.pictures import draw, drawing
from tests.support.tables_in_files import BAD, COLUMNS, ROWS, numbers, put


@pytest.fixture
def window(qtbot, qapp):
    """The main window as a user has it: its store never waits."""
    window = MainWindow()
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    wait_for_worker(window.model)
    yield window
    window.leave()
    window.deleteLater()
    clear_up()
    vars(window).clear()
    del window
    clear_up()


@pytest.fixture
def path(tmp_path):
    place = tmp_path / "pe.npy"
    put(place, numbers())
    return place


@pytest.fixture
def learned_window(window, qtbot, path):
    """The window with the table in it."""
    window.model.set_encoding("learned", file=str(path))
    wait_for_rows(window, qtbot)
    window.history.stack.clear()  # or what a test does would be one gesture with that
    return window


def wait_for_rows(window, qtbot, rows=ROWS):
    """Wait until a table is shown."""
    qtbot.waitUntil(lambda: rows == rows_in(window))
    settle(window.model)
    wait_for_worker(window.model)


def rows_in(window):
    return getattr(getattr(window.model.state.encoding, "file_content", None), "rows", None)


def wait_until_gone(window, qtbot):
    qtbot.waitUntil(lambda: isinstance(window.model.state.encoding, Unknown))
    settle(window.model)
    wait_for_worker(window.model)


def sentences(window):
    """Return what views say in the place of their pictures."""
    labels = [note_label(view) for view in window.workspace.built_views.values()]
    return [label.text() if label.isVisible() else "" for label in labels]


def stop_watching(window):
    """Let the window hear of no change, as where a file is on a shared disk."""
    watcher = window.model.store.findChild(QFileSystemWatcher)
    watcher.removePaths([*watcher.files(), *watcher.directories()])


# -- what becomes of the file ----------------------------------------------------------------------


def test_while_a_file_is_read_the_window_says_so(window, qtbot, path):
    window.model.set_encoding("learned", file=str(path))
    window.model.emit_changes()
    for sentence in (*sentences(window), window.view("heatmap").status):
        assert "being read" in sentence
    assert "pe.npy" in sentences(window)[0]
    assert offer(window.view("heatmap")).isHidden()
    wait_for_rows(window, qtbot)
    assert not window.view("heatmap").is_blank
    assert "being read" not in "".join(sentences(window))


@pytest.mark.parametrize("what", ["deleted", "truncated", "a folder"])
def test_whatever_becomes_of_the_file_nothing_stops(learned_window, qtbot, path, what):
    happen, words = BAD[what]
    heatmap, panel, refused = learned_window.view("heatmap"), learned_window.panel, []
    learned_window.model.refused.connect(refused.append)
    before, modified = heatmap.grab().toImage(), learned_window.isWindowModified()
    happen(path)
    wait_until_gone(learned_window, qtbot)
    for sentence in (*sentences(learned_window), panel.note.text().replace("\u200b", "")):
        assert words in sentence
        assert str(path) in sentence
    assert heatmap.is_blank
    assert learned_window.isWindowModified() == modified
    assert panel.form.names == tuple(declared(encodings.find("learned")))
    assert panel.form.editor("file").field.value == str(path)
    assert learned_window.model.set(count=60, metric="euclidean", position=3)
    assert learned_window.model.set_encoding(row_offset=2)
    trigger(learned_window, "undo")
    assert learned_window.model.state.intention.encoding.row_offset == 0
    if path.is_dir():
        path.rmdir()
    put(path, numbers())
    wait_for_rows(learned_window, qtbot)
    change(learned_window, count=50, position=0)
    wait_for_worker(learned_window.model)
    assert heatmap.grab().toImage() == before
    assert refused == []


def test_a_window_that_gains_the_focus_looks_again(learned_window, qtbot, path):
    stop_watching(learned_window)
    put(path, numbers(12))
    wait_for_worker(learned_window.model)
    assert rows_in(learned_window) == ROWS
    qtbot.waitUntil(learned_window.isActiveWindow)
    QApplication.sendEvent(learned_window, QEvent(QEvent.Type.ActivationChange))
    wait_for_rows(learned_window, qtbot, 12)


# -- who reads it ----------------------------------------------------------------------------------


@pytest.fixture
def opened(monkeypatch):
    """No table is copied; note whether each is opened by the main thread."""
    main, seen, real = threading.get_ident(), [], npy.open_regular_file

    def noting(name):
        seen.append(threading.get_ident() == main)
        return real(name)

    monkeypatch.setattr(npy, "_MAX_COPIED_SIZE", 0)
    monkeypatch.setattr(npy, "open_regular_file", noting)
    return seen


def test_the_window_itself_never_opens_a_table_that_is_not_copied(opened, learned_window, path):
    model, inspector = learned_window.model, learned_window.right_panel.pages().inspector
    for fields in (
        {"position": 7, "dimension": 3},
        {"metric": "dot"},
        {"count": 10**6},
        {"position": 10**6},
    ):
        change(learned_window, **fields)
        wait_for_worker(learned_window.model)
    trigger(learned_window, "pin")
    change(learned_window, show="difference", count=ROWS)
    wait_for_worker(learned_window.model)
    model.set(show="current")
    open_inspector(learned_window)
    for position in range(4, 10):
        model.point_at(position=position, dimension=2)
        model.emit_changes()
    wait_for_worker(learned_window.model)
    value = inspector.values["Value"]
    assert value.text() == repr(float(numbers()[9, 2]))
    os.truncate(path, 300)
    change(learned_window, position=11)
    wait_for_worker(learned_window.model)
    assert value.text() == ""
    assert learned_window.readout.label.text().endswith("no value")
    assert len(opened) > 10
    assert not any(opened)


@pytest.mark.parametrize("what", ["window", "heatmap"])
def test_a_picture_of_a_table_that_is_not_copied_is_read_by_the_worker(
    opened, learned_window, qtbot, monkeypatch, what
):
    change(learned_window, position=4, dimension=1)
    wait_for_worker(learned_window.model)
    opened.clear()
    images, runner = [], StepRunner(learned_window.model.worker, "a picture", learned_window)
    runner.done.connect(images.append)
    runner.run(drawing(what, learned_window.model.state, 1280, 800, 1.0, "light"))
    qtbot.waitUntil(lambda: bool(images), timeout=60_000)
    assert opened
    assert not any(opened)
    monkeypatch.setattr(npy, "_MAX_COPIED_SIZE", 64 << 20)
    copied = draw(what, learned_window.model.state.intention, 1280, 800, 1.0, "light")
    (image,) = images
    difference = pixels(image).astype(int) - pixels(copied)  # cursor, read-out and all
    assert np.abs(difference).max() <= 1  # blending rounds curves differently in a second paint


# -- where it is -----------------------------------------------------------------------------------


def choose(window, qtbot, path):
    """Choose a file in the dialog that is open, and wait for its table."""
    (dialog,) = visible_dialogs(window, QFileDialog)
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    wait_for_rows(window, qtbot)


def test_locate_asks_for_the_file(window, qtbot, path, tmp_path):
    window.model.set_encoding("learned")  # no file is chosen yet
    settle(window.model)
    in_view, in_panel = offer(window.view("heatmap")), window.panel.form.editor("file").button
    assert in_view.text() == in_panel.text() == "Choose…"
    click_on(window, in_view)
    choose(window, qtbot, path)
    for button, folder in ((in_view, "elsewhere"), (in_panel, "farther")):
        window.history.stack.clear()  # or it would be one gesture with what came before
        before, moved = path, tmp_path / folder / "pe.npy"
        moved.parent.mkdir()
        path = shutil.move(path, moved)
        wait_until_gone(window, qtbot)
        assert button.text() == LOCATE_TEXT
        button.click()
        choose(window, qtbot, path)
        assert window.model.state.encoding.file == str(path)
        assert in_panel.text() == "Choose…"
    trigger(window, "undo")
    assert window.model.state.intention.encoding.file == str(before)


def test_pins_undo_and_backups_keep_what_was_meant(learned_window, qtbot, path, tmp_path):
    autosave = Autosave(tmp_path / "unsaved", learned_window, interval=5)
    learned_window.document.autosave = autosave
    trigger(learned_window, "pin")
    qtbot.waitUntil(autosave.path.exists)
    pin = learned_window.model.state.intention.pins[0]
    assert pin == Pin(encodings.create("learned", file=str(path)), "learned pe.npy", pin.colour)
    path.unlink()
    wait_until_gone(learned_window, qtbot)
    change(learned_window, count=7)
    meant = learned_window.model.state.intention
    qtbot.waitUntil(lambda: session.read(autosave.path).state == meant)
    learned_window.model.set_encoding("sinusoidal")
    change(learned_window, show="pinned")
    wait_for_worker(learned_window.model)
    assert sentences(learned_window)[0].startswith("Pin: ")
    assert "make the pin the current encoding" in sentences(learned_window)[0].lower()
    assert offer(learned_window.view("heatmap")).isHidden()
    click_on(learned_window, learned_window.right_panel.pages().pins.rows[0].restore)
    assert learned_window.model.state.intention.encoding == pin.encoding
    put(path, numbers())
    wait_for_rows(learned_window, qtbot)


# -- what is written -------------------------------------------------------------------------------


def test_code_and_commands_need_no_table_and_name_no_folder_but_exports_need_it(
    learned_window, qtbot, path, tmp_path
):
    heard = []
    learned_window.output.reported.connect(heard.append)
    change(learned_window, count=ROWS)  # code for rows that there are not is refused
    for kind in KINDS:
        dialog = open_export(learned_window, kind)
        dialog.target.setText(str(path.with_stem("x").with_suffix(path_in(dialog).suffix)))
        command = copied_command(dialog)
        assert str(path.parent) not in command
        assert "--file pe.npy" in command
        assert command.endswith(f"-o x{path_in(dialog).suffix}")
        dialog.reject()
    for missing in (False, True):
        if missing:
            path.unlink()
            wait_until_gone(learned_window, qtbot)
        for key in ("copy_code", "copy_command"):
            trigger(learned_window, key)
            assert ("pe.npy" in heard[-1]) == (key == "copy_code"), "run it beside that file"
            text = QApplication.clipboard().text()
            assert "pe.npy" in text
            assert str(tmp_path) not in text
            held = f"{ROWS} x {COLUMNS} numbers of type float32"
            assert (held in text) == (key == "copy_code" and not missing)
    for kind in KINDS:
        dialog = open_export(learned_window, kind)
        dialog.target.setText(str(path.with_name("x").with_suffix(path_in(dialog).suffix)))
        dialog.accept()
        assert "no such file" in dialog.message.text()
        dialog.reject()
    assert os.listdir(path.parent) == []


def test_a_dropped_table_is_shown_in_one_step_and_nothing_is_asked(window, qtbot, path):
    window.model.set_encoding("sinusoidal", dim=20)
    change(window, count=30)
    before, steps = window.model.state.intention, window.history.stack.count()
    assert window.isWindowModified()
    drop_file(window, path)
    wait_for_rows(window, qtbot)
    assert message_boxes(window) == []
    np.testing.assert_array_equal(window.model.state.encoding.file_content.part(0, ROWS), numbers())
    assert str(path) in window.statusBar().currentMessage()
    assert window.settings.settings.recent[0] == str(path)
    assert window.history.stack.count() == steps + 1
    trigger(window, "undo")
    assert window.model.state.intention == before
    window.menus.recent.fill()
    window.menus.recent.actions()[0].trigger()
    wait_for_rows(window, qtbot)
