"""What nobody caught: the process lives on, the log has it, and one dialog tells it."""

import gc
import json
import logging
import sys
import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox

from pe_explorer.app.trouble import trouble as trouble_module
from pe_explorer.app.trouble.trouble import Trouble
from tests.support.gestures import settle
from tests.support.processes import run_python
from tests.support.uncaught import log_of, raise_uncaught


def press(dialog, button=QDialogButtonBox.StandardButton.Close):
    QTest.mouseClick(dialog.findChild(QDialogButtonBox).button(button), Qt.MouseButton.LeftButton)
    settle()


EVERYWHERE = """
import json, logging, sys, threading, time
from pathlib import Path
from PySide6.QtCore import QRunnable, Qt, QThread, QThreadPool, QTimer, Slot, qWarning
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QPushButton, QWidget
from pe_explorer.app.application import Application, log_qt_messages
from pe_explorer.app.trouble.trouble import Trouble

def fail(where):
    raise ValueError(f"broken in {where}")

class Run(QRunnable):
    def run(self):
        fail("a runnable")

class Painted(QWidget):
    broken, times = False, 0
    def paintEvent(self, event):
        if self.broken:
            self.times += 1
            self.update()  # again and again, as an animation does
            fail("a paint event")

class Window(QMainWindow):
    def __init__(self, trouble):
        super().__init__()
        self.trouble, self.told = trouble, {}
        self.painted = Painted(self)
        self.setCentralWidget(self.painted)
        self.button = QPushButton("break", self)
        self.button.clicked.connect(self.click)
        self.clock = QTimer(self, interval=5)
        self.clock.timeout.connect(self.look)
        self.clock.start()
        steps = (self.slot, self.timer, self.paint, self.thread, self.runnable, self.at_the_end)
        self.steps = iter(steps)
        next(self.steps)()

    @Slot()
    def click(self):
        fail("a slot")

    def slot(self):
        self.button.click()

    def timer(self):
        QTimer.singleShot(0, self.tick)

    @Slot()
    def tick(self):
        fail("a timer")

    def paint(self):
        self.painted.broken = True
        self.painted.update()

    def thread(self):
        self.painted.broken = False
        threading.Thread(target=fail, args=("a thread",), name="painter").start()

    def runnable(self):
        QThreadPool.globalInstance().start(Run())

    def at_the_end(self):
        QTimer.singleShot(0, self.finish)

    @Slot()
    def finish(self):
        fail("the end")

    @Slot()
    def look(self):
        dialog = self.trouble.dialog
        if dialog is None or not dialog.isVisible():
            return
        text = dialog.details.toPlainText()
        where = text.partition("ValueError: broken in ")[2].partition("\\n")[0]
        if where == "a paint event" and self.painted.times < 20:
            return
        assert QThread.isMainThread() and dialog.parent() is self and self.isVisible()
        self.told[where] = text
        if where == "the end":
            self.clock.stop()
            self.close()  # with the dialog open
            return
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        next(self.steps)()

log_qt_messages()
app = Application("light")
trouble = Trouble(app, Path(sys.argv[1]))
qWarning("a warning of Qt")
logging.getLogger("pe_explorer.views").warning("a warning of a %s", "view")
window = Window(trouble)
window.show()
code = app.exec()
trouble.close()
print(json.dumps(window.told))
sys.exit(code)
"""


def test_exceptions_from_everywhere_are_told_and_the_program_goes_on(tmp_path):
    done = run_python(EVERYWHERE, tmp_path / "state")
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout)
    places = ["a slot", "a timer", "a paint event", "a thread", "a runnable", "the end"]
    assert list(told) == places
    written = log_of(tmp_path)
    for place in places:
        for text in (told[place], written, done.stderr):
            assert f"ValueError: broken in {place}\n" in text
            assert "Traceback (most recent call last)" in text
    assert "in the thread painter" in written
    start, *rest = written.splitlines()
    for version in (
        "PE Explorer ",
        f"Python {sys.version.split()[0]}",
        "PySide6 6.",
        "Platform plugin offscreen",
    ):
        assert version in start
    assert "WARNING pe_explorer.app.application: Qt: a warning of Qt" in rest[0]
    assert "WARNING pe_explorer.views: a warning of a view" in rest[1]
    assert written.count("ValueError: broken in a paint event\n") == 3
    assert done.stderr.startswith("Qt: a warning of Qt\na warning of a view\n")


def test_a_flood_is_counted_in_one_dialog_and_written_a_few_times(trouble, tmp_path, capsys):
    raise_uncaught(ValueError("the same"), 500)
    settle()
    dialogs = [
        dialog
        for dialog in QApplication.topLevelWidgets()
        if isinstance(dialog, trouble_module.TroubleDialog)
    ]
    assert dialogs == [trouble.dialog]
    assert trouble.dialog.more.text() == "…and 499 more."
    raise_uncaught(KeyError("another"), 2)
    settle()
    assert trouble.dialog.more.text() == "…and 501 more."
    details = trouble.dialog.details.toPlainText()
    assert (details.count("ValueError: the same"), details.count("KeyError: 'another'")) == (1, 1)
    trouble.close()
    written = log_of(tmp_path)
    assert written.count("ValueError: the same\n") == 3
    for words in (
        "occurred 10 times so far: ValueError",
        "occurred 100 times so far: ValueError",
        "occurred 500 times in all: ValueError",
    ):
        assert written.count(words) == 1
    assert written.count("KeyError: 'another'\n") == 2


@pytest.mark.parametrize("backed_up", [True, False])
def test_it_says_that_work_is_backed_up_only_where_it_is(trouble, backed_up):
    assert not trouble.backed_up  # nobody has said so
    trouble.set_backed_up(backed_up)
    raise_uncaught(ValueError())
    settle()
    assert (
        "and is being backed up" in trouble.dialog.advice.text(),
        "it is not being backed up" in trouble.dialog.advice.text(),
    ) == (backed_up, not backed_up)
    trouble.dialog.close()


def test_what_was_told_is_quiet_for_a_while_and_something_else_is_not(trouble, monkeypatch):
    now = 1000.0
    monkeypatch.setattr(trouble_module.time, "monotonic", lambda: now)
    for wait, error, told in (
        (0, ValueError(), True),
        (30, ValueError(), False),
        (0, OSError(), True),
        (31, ValueError(), True),
    ):
        now += wait
        raise_uncaught(error)
        settle()
        assert (trouble.dialog is not None) == told, error
        if told:
            press(trouble.dialog)
            assert trouble.dialog is None


def test_the_dialog_is_over_the_window_and_what_is_open_there(trouble, window):
    other = QDialog(window)
    other.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    other.open()
    raise_uncaught(ValueError("over it"))
    settle()
    dialog = trouble.dialog
    assert dialog.parent() is window
    assert QGuiApplication.modalWindow() is dialog.windowHandle()
    assert dialog.focusWidget() is dialog.findChild(QDialogButtonBox).button(
        QDialogButtonBox.StandardButton.Close
    )
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    copied = QApplication.clipboard().text()
    assert dialog.isVisible()
    for part in ("ValueError: over it", "Traceback", "NumPy: ", "log: "):
        assert part in copied
    assert dialog.details.isReadOnly()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    settle()
    assert trouble.dialog is None
    assert QGuiApplication.modalWindow() is other.windowHandle()
    other.close()


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
def test_what_ends_the_program_goes_where_it_went_before(qapp, tmp_path, monkeypatch, kind):
    heard = []
    monkeypatch.setattr(sys, "excepthook", lambda *caught: heard.append(caught[0]))
    monkeypatch.setattr(threading, "excepthook", lambda args: heard.append(args.exc_type))
    trouble = Trouble(qapp, tmp_path / "state")
    raise_uncaught(kind())
    threading.excepthook(threading.ExceptHookArgs((kind, kind(), None, None)))
    settle()
    trouble.close()
    trouble.deleteLater()
    assert heard == [kind, kind]
    assert trouble.dialog is None
    assert kind.__name__ not in log_of(tmp_path)


def test_what_python_cannot_raise_is_only_logged(trouble, tmp_path):
    class Thing:
        def __del__(self):
            raise ValueError("while deleted")

    Thing()
    gc.collect()
    settle()
    assert "ValueError: while deleted" in log_of(tmp_path)
    assert trouble.dialog is None


def test_everything_is_put_back(qapp, tmp_path):
    before = (
        sys.excepthook,
        threading.excepthook,
        sys.unraisablehook,
        list(logging.getLogger().handlers),
    )
    trouble = Trouble(qapp, tmp_path / "state")
    assert sys.excepthook != before[0]
    raise_uncaught(ValueError())
    settle()
    trouble.close()
    settle()
    trouble.deleteLater()
    assert (
        sys.excepthook,
        threading.excepthook,
        sys.unraisablehook,
        logging.getLogger().handlers,
    ) == before


def test_an_error_in_the_hook_itself_is_printed_and_that_is_all(trouble, monkeypatch, capsys):
    def broken(*args):
        raise RuntimeError("in the hook")

    monkeypatch.setattr(trouble_module, "origin", broken)
    raise_uncaught(ValueError("the first"))
    settle()
    assert "ValueError: the first" in capsys.readouterr().err
    assert trouble.dialog is None


def test_a_dialog_that_fails_is_tried_once(trouble, monkeypatch, tmp_path):
    made = []

    def broken(*args):
        made.append(args)
        raise RuntimeError("in the dialog")

    monkeypatch.setattr(trouble_module, "TroubleDialog", broken)
    for number in range(5):
        raise_uncaught(ValueError(number))
        settle()
    assert len(made) == 1
    assert "RuntimeError: in the dialog" in log_of(tmp_path)


class MuteError(Exception):
    def __str__(self):
        raise RuntimeError("no words")


def deep(number=0):
    deep(number + 1)


def test_strange_exceptions(trouble, tmp_path):
    raise_uncaught(MuteError())
    raise_uncaught(UnicodeError("\ud800 é"))
    raise_uncaught(ExceptionGroup("many", [ValueError("one"), KeyError("two")]))
    try:
        deep()
    except RecursionError:
        caught = sys.exc_info()
    sys.excepthook(*caught)
    sys.excepthook(ValueError, ValueError("no traceback"), None)
    logging.getLogger("pe_explorer").warning("100 %")
    settle()
    assert trouble.dialog.more.text() == "…and 4 more."
    written = log_of(tmp_path)
    for words in (
        "MuteError: <exception str() failed>",
        "\\ud800 é",
        "ValueError: one",
        "RecursionError",
        "no traceback",
        "100 %",
    ):
        assert words in written


def test_a_message_of_any_length_is_shown_and_one_that_comes_too_late_is_not(trouble):
    for text in ("x" * 10_000_000, "again and again"):
        raise_uncaught(ValueError(text))
        settle()
        assert len(trouble.dialog.details.toPlainText()) < 50_000
    raise_uncaught(ValueError("again and again"))
    trouble.dialog.close()
    settle()
    assert trouble.dialog is None
    raise_uncaught(KeyError("at the very end"))
    trouble.close()
    settle()
    assert trouble.dialog is None
