"""A window that shows the table of a file, whatever becomes of that file."""

import json
import os
import shutil
import threading

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QFileSystemWatcher
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox

from pe_explorer import encodings
from pe_explorer.app.document.autosave import Autosave
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.app.window.undoing import Undoing
from pe_explorer.encodings import Unknown
from pe_explorer.exploration import DirectStore, Exploration, Pin, resolve
from pe_explorer.files import session
from pe_explorer.model.steps import StepRunner
from pe_explorer.params import declared
from pe_explorer.tables import Table, npy
from pe_explorer.widgets.editors import LOCATE
from tests.app.acts import change
from tests.app.output.dialogs import KINDS, copied_command, open_export, path_in
from tests.support.gestures import settle
from tests.support.leftovers import clear_up
from tests.support.notes import offer
from tests.support.pictures import draw, drawing
from tests.support.scenario import until_idle
from tests.support.tables_in_files import BAD, COLUMNS, ROWS, numbers, put, sparse
from tests.support.windows import (
    close_message,
    drop_file,
    message_boxes,
    open_dialog,
    open_inspector,
    trigger,
)


@pytest.fixture
def window(qtbot, qapp):
    """The main window as a user has it: its store never waits."""
    window = MainWindow()
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    until_idle(window)
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
def shown(window, qtbot, path):
    """The window with the table in it."""
    show_table(window, qtbot, path)
    return window


def show_table(window, qtbot, path):
    assert window.model.set_encoding("learned", file=str(path))
    there(window, qtbot)
    window.history.stack.clear()  # or what a test does would be one gesture with that


def there(window, qtbot, rows=ROWS):
    """Wait until a table is shown."""
    qtbot.waitUntil(lambda: _rows(window) == rows)
    settle(window.model)
    until_idle(window)


def gone(window, qtbot):
    qtbot.waitUntil(lambda: isinstance(window.model.state.encoding, Unknown))
    settle(window.model)
    until_idle(window)


def _rows(window):
    held = getattr(window.model.state.encoding, "held", None)
    return held.rows if isinstance(held, Table) else None


def sentences(window):
    heatmap, distances = (window.view(name).stage for name in ("heatmap", "distances"))
    return [heatmap.sentence, window.view("clocks").canvas.sentence, distances.sentence]


def image(window):
    item = window.view("heatmap").plot.image
    return item._cells.copy() if item.isVisible() else None


def test_while_a_file_is_read_the_window_says_so(window, qtbot, path):
    window.model.set_encoding("learned", file=str(path))
    window.model.announce()
    assert set(sentences(window)) == {"Encoding: pe.npy is being read…"}
    assert offer(window.view("heatmap")).isHidden()
    assert "its file is being read" in window.view("heatmap").status
    there(window, qtbot)
    assert image(window) is not None
    assert "is being read" not in "".join(sentences(window))


@pytest.mark.parametrize("what", BAD)
def test_whatever_becomes_of_the_file_nothing_stops(window, qtbot, tmp_path, what):
    path = tmp_path / "pe.npy"
    put(path, numbers())
    show_table(window, qtbot, path)
    happen, words = BAD[what]
    before, refused = image(window), []
    window.model.refused.connect(refused.append)
    modified = window.isWindowModified()
    happen(path)
    gone(window, qtbot)
    for sentence in sentences(window):
        assert words in sentence
        assert str(path) in sentence
    assert image(window) is None
    assert "its table cannot be read" in window.view("heatmap").status
    assert window.isWindowModified() == modified
    assert words in window.panel.note.text().replace("\u200b", "")
    assert window.panel.form.names == tuple(declared(encodings.find("learned")))
    assert window.panel.form.editor("file").field.value == str(path)
    assert window.model.set(count=60, metric="euclidean", position=3)
    assert window.model.set_encoding(row_offset=2)
    trigger(window, "undo")
    assert window.model.state.intention.encoding.row_offset == 0
    until_idle(window)
    if path.is_dir():
        path.rmdir()
    put(path, numbers())
    there(window, qtbot)
    change(window, count=50)
    until_idle(window)
    np.testing.assert_array_equal(image(window), before)
    assert refused == []


def test_a_large_table_that_changes_between_two_looks_is_said(window, qtbot, tmp_path):
    """Its rows are read when they are shown; nobody may have told yet that the file is another."""
    path = tmp_path / "large.npy"
    sparse(path, 786_432, 1024)
    window.model.set_encoding("learned", file=str(path))
    there(window, qtbot, 786_432)
    assert image(window) is not None
    watcher = window.model.store.findChild(QFileSystemWatcher)
    watcher.removePaths([*watcher.files(), *watcher.directories()])
    os.truncate(path, 5000)
    window.model.set(start=10)
    gone(window, qtbot)
    assert "cut short" in sentences(window)[0]
    sparse(path, 786_432, 1024)
    window.model.look_at_files()
    there(window, qtbot, 786_432)


@pytest.fixture
def opened(monkeypatch):
    """No table is copied; note whether each is opened by the main thread."""
    main, seen, real = threading.get_ident(), [], npy.open_regular

    def noting(name):
        seen.append(threading.get_ident() == main)
        return real(name)

    monkeypatch.setattr(npy, "_COPIED", 0)
    monkeypatch.setattr(npy, "open_regular", noting)
    return seen


def test_the_window_itself_never_opens_a_table_that_is_not_copied(window, opened, qtbot, path):
    array, model = numbers(), window.model
    model.set_encoding("learned", file=str(path))
    there(window, qtbot)
    for fields in (
        {"position": 7, "dimension": 3},
        {"metric": "dot"},
        {"count": 10**6},
        {"position": 10**6},
    ):
        model.set(**fields)
        settle(model)
        until_idle(window)
    trigger(window, "pin")
    model.set(show="difference", count=ROWS)
    settle(model)
    until_idle(window)
    model.set(show="current")
    open_inspector(window)
    for position in range(4, 10):
        model.point_at(position=position, dimension=2)
        model.announce()
    until_idle(window)
    value = window.right_panel.parts().inspector.values["Value"]
    assert value.text() == repr(float(array[9, 2]))
    os.truncate(path, 300)
    model.set(position=11)
    settle(model)
    until_idle(window)
    assert value.text() == ""
    assert window.readout.label.text().endswith("no value")
    assert len(opened) > 10
    assert not any(opened)


@pytest.mark.parametrize("what", ["window", "heatmap"])
def test_a_picture_of_a_table_that_is_not_copied_is_read_by_the_worker(
    window, opened, qtbot, path, monkeypatch, what
):
    window.model.set_encoding("learned", file=str(path))
    there(window, qtbot)
    change(window, position=4, dimension=1)
    until_idle(window)
    opened.clear()
    images, runner = [], StepRunner(window.model.worker, "a picture", window)
    runner.done.connect(images.append)
    runner.run(drawing(what, window.model.state, 1280, 800, 1.0, "light"))
    qtbot.waitUntil(lambda: bool(images), timeout=60_000)
    assert opened
    assert not any(opened)
    monkeypatch.setattr(npy, "_COPIED", 64 << 20)
    copied = draw(what, window.model.state.intention, 1280, 800, 1.0, "light")
    assert images == [copied]  # cursor, read-out and all


def chosen(window, qtbot, path):
    """Choose a file in the dialog that is open."""
    (dialog,) = [d for d in window.findChildren(QFileDialog) if d.isVisible()]
    dialog.fileSelected.emit(str(path))
    dialog.reject()
    settle(window.model)


@pytest.mark.parametrize("by", ["view", "dock"])
def test_locate_asks_for_the_file(window, qtbot, path, tmp_path, by):
    window.model.set_encoding("learned")  # no file is chosen yet
    settle(window.model)
    buttons = [offer(window.view("heatmap")), window.panel.form.editor("file").button]
    assert [button.text() for button in buttons] == ["Choose…", "Choose…"]
    show_table(window, qtbot, path)
    shown = window
    moved = tmp_path / "elsewhere" / "pe.npy"
    moved.parent.mkdir()
    assert shown.panel.form.editor("file").button.text() == "Choose…"
    shutil.move(path, moved)
    gone(shown, qtbot)
    heatmap = shown.view("heatmap")
    button = offer(heatmap) if by == "view" else shown.panel.form.editor("file").button
    assert button.text() == LOCATE
    button.click()
    chosen(shown, qtbot, moved)
    there(shown, qtbot)
    assert shown.model.state.encoding.file == str(moved)
    assert shown.panel.form.editor("file").button.text() == "Choose…"
    trigger(shown, "undo")
    assert shown.model.state.intention.encoding.file == str(path)


def test_a_session_moved_without_its_table_is_located(window, qtbot, tmp_path, path):
    e = encodings.create("learned", file=str(path))
    state = Exploration(e, count=9)
    session.write(tmp_path / "s.json", state)
    (tmp_path / "new").mkdir()
    shutil.move(tmp_path / "s.json", tmp_path / "new")
    drop_file(window, tmp_path / "new" / "s.json")
    gone(window, qtbot)
    qtbot.waitUntil(lambda: "no such file" in sentences(window)[0])
    assert not window.isWindowModified()
    offer(window.view("heatmap")).click()
    chosen(window, qtbot, path)
    there(window, qtbot)
    assert window.isWindowModified()
    trigger(window, "save")
    until_idle(window)
    qtbot.waitUntil(lambda: not window.isWindowModified())
    document = json.loads((tmp_path / "new" / "s.json").read_text())
    assert document["encoding"]["file"] == str(path)


def test_pins_and_undo_keep_what_was_meant(shown, qtbot, path):
    trigger(shown, "pin")
    pin = shown.model.state.intention.pins[0]
    assert pin == Pin(encodings.create("learned", file=str(path)), "learned pe.npy", pin.colour)
    path.unlink()
    gone(shown, qtbot)
    shown.model.set_encoding("sinusoidal")
    change(shown, show="pinned")
    until_idle(shown)
    assert sentences(shown)[0].startswith("Pin: ")
    assert "make the pin the current encoding to locate its file" in sentences(shown)[0]
    assert offer(shown.view("heatmap")).isHidden()
    shown.right_panel.parts().pins.rows[0].asked.emit(0, "restore")
    settle(shown.model)
    assert shown.model.state.intention.encoding == pin.encoding
    put(path, numbers())
    there(shown, qtbot)
    assert isinstance(shown.undoing, Undoing)


def test_code_and_command_need_no_table_and_name_no_folder(shown, qtbot, path, tmp_path):
    shown.model.set(count=ROWS)  # code for rows that there are not is refused
    for missing in (False, True):
        if missing:
            path.unlink()
            gone(shown, qtbot)
        for key in ("copy_code", "copy_command"):
            heard = []
            shown.output.reported.connect(heard.append)
            trigger(shown, key)
            noted = " It names pe.npy without its folder, so run it in the folder of that file."
            assert heard[-1].endswith("copied." + (noted if key == "copy_code" else "")), heard
            text = QApplication.clipboard().text()
            assert "pe.npy" in text
            assert str(tmp_path) not in text
            held = f"{ROWS} x {COLUMNS} numbers of type float32"
            assert (held in text) == (key == "copy_code" and not missing)


@pytest.mark.parametrize("kind", KINDS)
def test_an_export_without_its_table_is_refused_with_a_sentence(shown, qtbot, path, kind):
    path.unlink()
    gone(shown, qtbot)
    dialog = open_export(shown, kind)
    dialog.target.setText(str(path.with_name("x").with_suffix(path_in(dialog).suffix)))
    dialog.accept()
    assert "no such file" in dialog.message.text()
    dialog.reject()
    assert os.listdir(path.parent) == []


@pytest.mark.parametrize("missing", [True, False], ids=["missing", "on its way"])
@pytest.mark.parametrize("what", ["heatmap", "window"])
def test_a_picture_reads_no_table_that_the_window_has_not(window, path, monkeypatch, what, missing):
    from pe_explorer import tables
    from pe_explorer.exploration import BeingRead, resolve

    class Has:
        def table(self, name):
            return f"{name}: is gone" if missing else BeingRead()

    e = encodings.create("learned", file=str(path))
    wanted = window.model.state.intention.with_(pins=[Pin(e, "a")])
    read, real = [], tables.load
    monkeypatch.setattr(tables, "load", lambda name: read.append(name) or real(name))
    drawn = draw(what, resolve(wanted, Has()), 1280, 800, 1.0, "light")
    assert not drawn.isNull()
    assert read == []


@pytest.mark.parametrize("pinned", [False, True])
def test_an_export_is_never_written_over_the_table(shown, path, pinned):
    if pinned:
        trigger(shown, "pin")
        shown.model.set_encoding("sinusoidal")
    else:
        shown.model.set(count=ROWS)
    settle(shown.model)
    for key, name in (("export_picture", "x.png"), ("export_data", "x.npy")):
        link = path.with_name(name)
        link.symlink_to(path)
        dialog = open_dialog(shown, key, QDialog)
        dialog.target.setText(str(link))
        dialog.accept()
        sentence = dialog.message.text()
        dialog.reject()
        assert sentence.endswith("; choose another file.")
        assert str(link) in sentence
    np.testing.assert_array_equal(np.load(path), numbers())
    assert sorted(os.listdir(path.parent)) == [path.name, "x.npy", "x.png"]


def test_another_table_of_the_name_is_told_when_a_file_is_opened(window, qtbot, tmp_path, path):
    e = encodings.create("learned", file=str(path))
    state = Exploration(e, count=5)
    text = session.shared(resolve(state, DirectStore()), folder=tmp_path)
    (tmp_path / "s.json").write_text(text)
    put(path, numbers(5, 3))
    drop_file(window, tmp_path / "s.json")
    there(window, qtbot, 5)
    (box,) = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    told = box.text() + box.informativeText()
    assert f"pe.npy held {ROWS} × {COLUMNS} numbers of type float32" in told
    assert "holds 5 × 3 numbers of type float32 now" in told
    box.reject()


# -- a table that is dropped, without a session ----------------------------------------------------


def test_a_dropped_table_is_shown_in_one_step_and_nothing_is_asked(window, qtbot, path):
    window.model.set_encoding("sinusoidal", dim=20)
    change(window, count=30)
    before, steps = window.model.state.intention, window.history.stack.count()
    assert window.isWindowModified()
    drop_file(window, path)
    there(window, qtbot)
    assert visible_messages(window) == []
    np.testing.assert_array_equal(window.model.state.encoding.held.part(0, ROWS), numbers())
    assert window.statusBar().currentMessage() == f"{path} opened as a learned table."
    assert window.settings.settings.recent[0] == str(path)
    assert window.history.stack.count() == steps + 1
    trigger(window, "undo")
    assert window.model.state.intention == before
    window.menus.recent.fill()
    window.menus.recent.actions()[0].trigger()
    there(window, qtbot)


def too_wide(path):
    sparse(path, 1, 1 << 21)


def pipe_in_place(path):
    path.unlink()
    os.mkfifo(path)


@pytest.mark.parametrize(
    ("change", "says"),
    [(too_wide, "at most 1,048,576"), (pipe_in_place, "ordinary file"), next(iter(BAD.values()))],
)
def test_a_dropped_file_that_is_no_table_is_refused_in_a_sentence(window, tmp_path, change, says):
    path = tmp_path / "pe.npy"
    put(path, numbers())
    change(path)
    before = window.model.state
    drop_file(window, path)
    (text,) = visible_messages(window)
    assert says in text
    assert text.startswith(f"{path}: ")
    assert window.model.state == before
    assert not window.isWindowModified()
    close_message(window)


def visible_messages(window):
    return [box.text() for box in message_boxes(window)]


def test_a_window_that_gains_the_focus_looks_again(shown, qtbot, path):
    watcher = shown.model.store.findChild(QFileSystemWatcher)
    watcher.removePaths([*watcher.files(), *watcher.directories()])  # as on a shared disk
    put(path, numbers(12))
    until_idle(shown)
    assert _rows(shown) == ROWS
    qtbot.waitUntil(shown.isActiveWindow)
    QApplication.sendEvent(shown, QEvent(QEvent.Type.ActivationChange))
    there(shown, qtbot, 12)


def test_what_is_unsaved_is_kept_with_whole_names(shown, qtbot, path, tmp_path):
    autosave = Autosave(tmp_path / "unsaved", shown, every=5)
    shown.document.back_up(autosave)
    path.unlink()
    gone(shown, qtbot)
    shown.model.set(count=7)
    shown.model.announce()
    qtbot.waitUntil(autosave.path.exists)
    kept = session.read(autosave.path).state
    assert kept == shown.model.state.intention


def test_pictures_take_what_the_window_holds(shown, path):
    path.unlink()  # the window has not heard of it yet
    state = shown.model.state
    assert not isinstance(state.encoding, Unknown)
    drawn = draw("heatmap", state, 320, 200, 1.0, "light")
    assert not drawn.isNull()


@pytest.mark.parametrize("kind", KINDS)
def test_a_command_of_a_dialog_is_for_a_shell_beside_the_file(shown, path, kind):
    change(shown, count=ROWS)
    dialog = open_export(shown, kind)
    dialog.target.setText(str(path.with_stem("x").with_suffix(path_in(dialog).suffix)))
    command = copied_command(dialog)
    assert str(path.parent) not in command
    assert "--file pe.npy" in command
    assert command.endswith(f"-o x{path_in(dialog).suffix}")
    dialog.reject()
