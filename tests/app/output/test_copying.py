"""Copying a picture: one that takes long says so, and the window never stands still."""

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pe_explorer import views
from pe_explorer.app.output import figure_files
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.files import session
from tests.support.cases import for_each
from tests.support.computing import stop_in_worker
from tests.support.gestures import settle, wait_for_worker
from tests.support.pictures import draw
from tests.support.processes import home_in, run_program
from tests.support.windows import go_to

LEFT = Qt.MouseButton.LeftButton


pytestmark = pytest.mark.usefixtures("clipboard")


@pytest.fixture
def shown(window, name):
    """Return a view that is on the screen before pictures are slow."""
    return go_to(window, name)


@pytest.fixture
def slow(window, monkeypatch):
    """Let every picture that is asked for from now on stop in the worker."""
    settle(window.model)
    _, go_on, sizes = stop_in_worker(monkeypatch, views.names())
    return go_on, sizes


def copy(window, name):
    go_to(window, name)
    window.actions_by_key["copy_picture"].trigger()
    return window.output.copying


def off_screen(window):
    """Return the views that are there to be drawn."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, views.View)]


@for_each("name", views.names())
def test_a_small_picture_is_soon_there_and_carries_its_session(window, name, clipboard, tmp_path):
    window.resize(900, 600)
    window.model.set(count=77)
    clipboard.clear()
    copying = copy(window, name)
    wait_for_worker(window.model)
    assert not copying.busy
    view = window.view(name)
    assert (clipboard.image().width(), clipboard.image().height()) == (
        2 * view.width(),
        2 * view.height(),
    )
    assert window.statusBar().currentMessage() == f"{view.picture.title} copied."
    # As a program that pastes it writes it.
    assert clipboard.image().save(str(tmp_path / "pasted.png"))
    found = session.read(tmp_path / "pasted.png")
    seen = window.workspace.active.seen(window.model.state)  # clocks in the columns of the window
    assert found.state == seen.intention.with_(panes=None)


@pytest.mark.parametrize("name", views.names())
def test_a_long_one_says_so_and_comes_from_the_worker(window, name, shown, slow, clipboard, qtbot):
    go_on, sizes = slow
    height = window.statusBar().height()
    copying = copy(window, name)
    assert copying.busy
    assert clipboard.text() == "as it was"
    qtbot.waitUntil(copying.notice.isVisible)
    title = shown.picture.title
    assert copying.notice.sentence.text() == f"Drawing a picture of {title}…"
    qtbot.waitUntil(lambda: copying.notice.bar.value() > 0)
    assert window.statusBar().height() == height
    assert not [view for view in off_screen(window) if view.isVisible()]
    go_on.set()
    qtbot.waitUntil(lambda: not copying.busy)
    assert not copying.notice.isVisible()
    # The table below the likeness takes room that is not known before.
    assert len(sizes) == (2 if name == "properties" else 1)
    assert window.statusBar().currentMessage() == f"{title} copied."
    state = shown.seen(window.model.state)
    wanted = draw(name, state, shown.width(), shown.height(), 2.0, "light")
    assert clipboard.image().convertToFormat(QImage.Format.Format_RGB32) == wanted.convertToFormat(
        QImage.Format.Format_RGB32
    )


def test_cancelled_the_clipboard_stays_as_it_is(window, slow, clipboard, qtbot):
    copying = copy(window, "heatmap")
    qtbot.waitUntil(copying.notice.isVisible)
    qtbot.mouseClick(copying.notice.cancel, LEFT)
    assert not copying.busy
    assert not copying.notice.isVisible()
    window.model.worker.finish()  # returns: the computing has ended
    settle(window.model)
    assert clipboard.text() == "as it was"
    assert off_screen(window) == []


def test_a_second_copy_takes_the_place_of_the_first(window, slow, clipboard, qtbot):
    go_on, _ = slow
    copy(window, "heatmap")
    copying = copy(window, "distances")
    go_on.set()
    qtbot.waitUntil(lambda: not copying.busy)
    assert window.statusBar().currentMessage() == "Distances copied."
    assert clipboard.image().width() == 2 * window.view("distances").width()
    assert off_screen(window) == []


@pytest.mark.parametrize("other", ["copy_command", "copy_code", "copy_value", None])
def test_what_is_copied_later_takes_its_place(window, slow, clipboard, qtbot, other):
    go_on, _ = slow
    copying = copy(window, "heatmap")
    assert copying.busy
    if other is None:
        clipboard.setText("words of a field")
    else:
        window.actions_by_key[other].trigger()
        qtbot.waitUntil(lambda: clipboard.text() != "as it was", timeout=60_000)
    later = clipboard.text()
    assert later
    assert not copying.busy
    go_on.set()
    wait_for_worker(window.model)
    assert clipboard.text() == later
    assert not copying.notice.isVisible()
    begin = "Nothing was copied: something else" if other is None else ""
    assert window.statusBar().currentMessage().startswith(begin)
    assert "Heatmap copied." not in window.statusBar().currentMessage()


def test_closing_the_window_cancels_it(window, slow, clipboard):
    copying = copy(window, "distances")
    window.leave()  # returns: the computing has ended
    assert not copying.busy
    assert off_screen(window) == []
    assert clipboard.text() == "as it was"


def test_closing_the_window_ends_an_export_that_is_open(window, slow, tmp_path):
    window.output.export_picture()
    (dialog,) = window.findChildren(PictureDialog)
    dialog.target.setText(str(tmp_path / "out.png"))
    dialog.go.click()
    worker, owner = window.model.worker, dialog.OWNER
    assert worker.busy(owner)
    window.leave()
    assert not worker.busy(owner)
    assert off_screen(window) == []
    assert [path for path in tmp_path.iterdir() if path.is_file()] == []
    settle()


def test_what_cannot_be_drawn_is_told(window, monkeypatch, clipboard):
    def too_large(*_):
        raise MemoryError

    monkeypatch.setattr(figure_files, "image", too_large)
    copying = copy(window, "heatmap")
    wait_for_worker(window.model)
    assert not copying.busy
    assert "needs more memory than there is" in window.statusBar().currentMessage()
    assert clipboard.text() == "as it was"


def test_nothing_is_done_between_the_events_of_others(window, monkeypatch, qtbot):
    """A picture of the window is laid out, computed and painted without any event of the rest of
    the program.
    """
    ticks = []

    def tick():
        ticks.append(1)

    QTimer.singleShot(0, window, tick)
    draw("window", window.model.state, 1280, 800, 1.0, "light")
    assert ticks == []
    qtbot.waitUntil(lambda: ticks == [1])
    wait_for_worker(window.model)
    assert [
        widget
        for widget in QApplication.topLevelWidgets()
        if isinstance(widget, MainWindow) and widget.isVisible()
    ] == [window]


KILLED = """
import os, signal, sys
from PySide6.QtCore import QTimer
from pe_explorer.app import run
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.app.window.main_window import MainWindow

class Killed(MainWindow):
    def showEvent(self, event):
        super().showEvent(event)
        QTimer.singleShot(0, self.export)

    def export(self):
        self.model.set_encoding("binary", dim=4096)
        self.model.set(count=4096, metric="manhattan")
        self.output.export_picture()
        (dialog,) = self.findChildren(PictureDialog)
        dialog.what.setCurrentIndex(dialog.what.findData("distances"))
        dialog.target.setText(sys.argv[1])
        os.kill(os.getpid(), signal.SIGTERM)
        dialog.go.click()

run.MainWindow = Killed
sys.exit(run.run_window("light"))
"""


def test_a_plain_kill_while_a_picture_is_exported_ends_it_cleanly(tmp_path):
    target = tmp_path / "out" / "picture.png"
    target.parent.mkdir()
    places = {"QT_QPA_PLATFORM": "offscreen", **home_in(tmp_path / "home")}
    run = run_program(tmp_path, str(target), program=("-c", KILLED), **places)
    assert "Traceback" not in run.stderr
    assert run.returncode == 0
    assert list(target.parent.iterdir()) == []
