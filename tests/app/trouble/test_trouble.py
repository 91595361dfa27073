"""What nobody caught: the process lives on, the log has it, and one dialog tells it."""

import gc
import logging
import sys
import threading
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontInfo, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox

from pe_explorer.app.trouble import trouble as trouble_module
from pe_explorer.app.trouble.trouble import ErrorHandler
from tests.support.gestures import settle
from tests.support.processes import run_python
from tests.support.uncaught import log_of, raise_uncaught

CLOSE = QDialogButtonBox.StandardButton.Close

EVERYWHERE = """
import logging, sys, threading
from pathlib import Path
from PySide6.QtCore import QRunnable, QThread, QThreadPool, QTimer, Slot, qWarning
from PySide6.QtWidgets import QMainWindow, QPushButton
from pe_explorer.app.application import Application, log_qt_messages
from pe_explorer.app.trouble.trouble import ErrorHandler

def fail(where):
    raise ValueError(f"broken in {where}")

class Run(QRunnable):
    def run(self):
        fail("a runnable")

class Button(QPushButton):
    times = 0
    def paintEvent(self, event):
        self.times += 1
        self.update()  # again and again, as an animation does
        fail("a paint event")

class Window(QMainWindow):
    def __init__(self):
        super().__init__()
        self.button = Button(self)
        self.button.clicked.connect(self.receive_click)
        QTimer.singleShot(0, self.tick)
        self.clock = QTimer(self, interval=5)
        self.clock.timeout.connect(self.look)
        self.clock.start()
        self.button.click()
        threading.Thread(target=fail, args=("a thread",), name="painter").start()
        QThreadPool.globalInstance().start(Run())

    @Slot()
    def receive_click(self):
        fail("a slot")

    @Slot()
    def tick(self):
        fail("a timer")

    @Slot()
    def look(self):
        text = trouble.dialog.report.toPlainText() if trouble.dialog else ""
        if text.count("Traceback") == 5 and self.button.times > 20:
            assert QThread.isMainThread() and trouble.dialog.parent() is self and self.isVisible()
            print(text)
            self.clock.stop()
            self.close()  # with the dialog open

log_qt_messages()
app = Application("light")
trouble = ErrorHandler(app, Path(sys.argv[1]))
qWarning("a warning of Qt")
logging.getLogger("pe_explorer.views").warning("a warning of a %s", "view")
window = Window()
window.show()
code = app.exec()
trouble.close()
sys.exit(code)
"""


def test_exceptions_from_everywhere_are_reported_and_the_program_continues(tmp_path):
    done = run_python(EVERYWHERE, tmp_path / "state")
    assert done.returncode == 0, done.stderr[-3000:]
    written = log_of(tmp_path)
    for place in ("a slot", "a timer", "a paint event", "a thread", "a runnable"):
        for text in (done.stdout, written, done.stderr):
            assert f"ValueError: broken in {place}\n" in text
    assert " painter ERROR " in written
    start, *rest = written.splitlines()
    for version in ("PE Explorer ", f"Python {sys.version.split()[0]}", "PySide6 6.", "offscreen"):
        assert version in start
    assert "WARNING pe_explorer.app.application: Qt: a warning of Qt" in rest[0]
    assert "WARNING pe_explorer.views: a warning of a view" in rest[1]
    assert 4 <= written.count("ValueError: broken in a paint event\n") <= 6
    assert done.stderr.startswith("Qt: a warning of Qt\na warning of a view\n")


def report_texts(trouble):
    """Return what the dialog says in full, and how many more it counts."""
    return trouble.dialog.report.toPlainText(), trouble.dialog.count_label.text()


def test_a_flood_is_counted_in_one_dialog_and_written_a_few_times(trouble, tmp_path, capsys):
    raise_uncaught(ValueError("the same"), 500)
    settle()
    assert "499" in report_texts(trouble)[1]
    raise_uncaught(KeyError("another"), 2)
    settle()
    details, more = report_texts(trouble)
    assert "501" in more
    assert (details.count("ValueError: the same"), details.count("KeyError: 'another'")) == (1, 1)
    dialogs = [w for w in QApplication.topLevelWidgets() if isinstance(w, type(trouble.dialog))]
    assert dialogs == [trouble.dialog]
    trouble.close()
    written = log_of(tmp_path)
    assert written.count("ValueError: the same\n") == 5
    for count in (10, 100):
        assert written.count(f" ({count} times so far)\nTraceback") == 1
    assert written.count("KeyError: 'another'\n") == 2


def test_a_repeated_report_is_muted_for_a_while_and_a_new_one_is_not(trouble, monkeypatch):
    """Whether work is backed up is said each time."""
    now = 1000.0
    monkeypatch.setattr(trouble_module.time, "monotonic", lambda: now)
    assert trouble.autosave is None  # nobody backs up
    for wait, error, is_reported, backed_up in (
        (0, ValueError(), True, False),
        (30, ValueError(), False, False),
        (0, OSError(), True, True),
        (31, ValueError(), True, False),
    ):
        now += wait
        trouble.autosave = SimpleNamespace(can_write_backups=backed_up)
        raise_uncaught(error)
        settle()
        assert (trouble.dialog is not None) == is_reported, error
        if is_reported:
            assert ("not being backed up" in trouble.dialog.text.text()) != backed_up
            close = trouble.dialog.findChild(QDialogButtonBox).button(CLOSE)
            QTest.mouseClick(close, Qt.MouseButton.LeftButton)
            settle()
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
    assert dialog.focusWidget() is dialog.findChild(QDialogButtonBox).button(CLOSE)
    assert dialog.report.isReadOnly()
    assert dialog.count_label.text() == ""  # there is one error only
    assert dialog.size().toTuple() == (680, 420)
    assert QFontInfo(dialog.report.font()).fixedPitch()
    QTest.mouseClick(dialog.copy_button, Qt.MouseButton.LeftButton)
    assert dialog.isVisible()
    for part in ("ValueError: over it", "Traceback", "NumPy: ", "log: "):
        assert part in QApplication.clipboard().text()
    assert "opied" in dialog.copy_button.text()
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    settle()
    assert trouble.dialog is None
    assert QGuiApplication.modalWindow() is other.windowHandle()
    other.close()


def hooks():
    handlers = [*logging.getLogger().handlers]
    return sys.excepthook, threading.excepthook, sys.unraisablehook, handlers


def test_what_ends_the_program_goes_where_it_went_before_and_all_is_put_back(
    qapp, tmp_path, monkeypatch
):
    heard = []
    monkeypatch.setattr(sys, "excepthook", lambda *caught: heard.append(caught[0]))
    before = hooks()
    trouble = ErrorHandler(qapp, tmp_path / "state")
    assert all(new != old for new, old in zip(hooks(), before, strict=True))
    for kind in (KeyboardInterrupt, SystemExit):
        raise_uncaught(kind())
    settle()
    assert heard == [KeyboardInterrupt, SystemExit]
    assert trouble.dialog is None
    raise_uncaught(ValueError())
    settle()
    trouble.close()
    settle()
    trouble.deleteLater()
    assert hooks() == before
    assert not any(kind in log_of(tmp_path) for kind in ("KeyboardInterrupt", "SystemExit"))


def test_what_python_cannot_raise_is_only_logged(trouble, tmp_path):
    class Thing:
        def __del__(self):
            raise ValueError("while deleted")

    Thing()
    gc.collect()
    settle()
    assert "ValueError: while deleted" in log_of(tmp_path)
    assert trouble.dialog is None


def test_a_dialog_that_fails_is_tried_once(trouble, monkeypatch, tmp_path):
    made = []

    def broken(*args):
        made.append(args)
        raise RuntimeError("it is broken")

    monkeypatch.setattr(trouble_module, "ReportDialog", broken)
    for number in range(5):
        raise_uncaught(ValueError(number))
        settle()
    assert len(made) == 1
    assert "RuntimeError: it is broken" in log_of(tmp_path)


def test_strange_exceptions_and_messages_of_any_length(trouble, tmp_path):
    class MuteError(Exception):
        def __str__(self):
            raise RuntimeError("no words")

    def deep():
        deep()

    raise_uncaught(MuteError())
    raise_uncaught(UnicodeError("\ud800 é"))
    raise_uncaught(ExceptionGroup("many", [ValueError("one"), KeyError("two")]))
    with pytest.raises(RecursionError) as caught:
        deep()
    sys.excepthook(caught.type, caught.value, caught.tb)
    sys.excepthook(ValueError, ValueError("no traceback"), None)
    logging.getLogger("pe_explorer").warning("100 %")
    settle()
    assert "4 more" in report_texts(trouble)[1]
    written = log_of(tmp_path)
    for words in ("MuteError: <exception str() failed>", "\\ud800 é", "ValueError: one"):
        assert words in written
    for words in ("RecursionError", "no traceback", "100 %"):
        assert words in written
    trouble.dialog.close()
    settle()
    for text in ("x" * 10_000_000, "again and again"):
        raise_uncaught(OSError(text))
        settle()
        assert 0 < len(report_texts(trouble)[0]) < 50_000
    raise_uncaught(OSError("again and again"))  # it comes too late
    trouble.dialog.close()
    settle()
    assert trouble.dialog is None
    raise_uncaught(KeyError("at the very end"))
    trouble.close()
    settle()
    assert trouble.dialog is None
