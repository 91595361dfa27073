import threading
import time

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox

from pe_explorer.app.document.errands import Choose, Question, Work
from pe_explorer.widgets.messages import Button
from tests.support.gestures import settle

BUTTONS = {Button.Yes: "&Yes", Button.No: "&No"}


def ask(text="Really?"):
    return Question("A question", text, BUTTONS, Button.No)


def press(window, button):
    (box,) = [box for box in window.findChildren(QMessageBox) if box.isVisible()]
    box.button(button).click()
    settle()


@pytest.fixture
def errands(window):
    return window.files.errands


def test_it_reads_from_top_to_bottom(window, errands, qtbot):
    seen = []

    def errand():
        seen.append((yield ask()))
        seen.append(
            (yield Work(lambda cancelled: threading.current_thread() is threading.main_thread()))
        )
        try:
            yield Work(lambda cancelled: 1 / 0)
        except ZeroDivisionError as error:
            seen.append(str(error))

    errands.start(errand)
    assert seen == []
    press(window, Button.Yes)
    qtbot.waitUntil(lambda: not errands.busy)
    assert seen == [Button.Yes, False, "division by zero"]


def test_one_after_the_other(window, errands):
    seen = []

    def errand(name):
        def steps():
            seen.append((name, (yield ask(name))))

        return steps

    for name in "abc":
        errands.start(errand(name))
    for button in (Button.No, Button.Yes, Button.No):
        press(window, button)
    assert seen == [("a", Button.No), ("b", Button.Yes), ("c", Button.No)]


def test_what_only_reads_gives_way_and_what_writes_does_not(errands, qtbot):
    seen, go_on = [], threading.Event()

    def slow(name, droppable):
        def steps():
            seen.append((yield Work(lambda cancelled: go_on.wait(60) and name, droppable)))

        return steps

    errands.start(slow("read", True))
    errands.start(slow("write", False))
    errands.start(slow("last", True))
    go_on.set()
    qtbot.waitUntil(lambda: not errands.busy)
    assert seen == ["write", "last"]


def test_an_unexpected_exception_ends_the_errand_and_no_other(window, errands, qtbot):
    seen = []

    def broken():
        yield Work(lambda cancelled: None)
        raise LookupError("unexpected")

    def sound():
        seen.append((yield ask()))

    with qtbot.captureExceptions() as caught:
        errands.start(broken)
        errands.start(sound)
        qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
    assert [str(value) for _, value, _ in caught] == ["unexpected"]
    press(window, Button.Yes)
    assert seen == [Button.Yes]


def test_an_answer_that_nobody_waits_for_is_dropped(window, errands):
    errands._answered(int(Button.Yes.value))
    errands._chosen(1)
    errands._done("errand", 1)
    assert not errands.busy


def test_one_that_cannot_go_on_does_not_stop_the_others(window, errands, qtbot, monkeypatch):
    seen = []

    def broken():
        yield ask()

    def sound():
        seen.append((yield Work(lambda cancelled: 1)))

    def failing(*given):
        raise RuntimeError("no dialog today")

    monkeypatch.setattr("pe_explorer.app.document.errands.ask", failing)
    with qtbot.captureExceptions(), pytest.raises(RuntimeError):
        errands.start(broken)
    errands.start(sound)
    qtbot.waitUntil(lambda: not errands.busy)
    assert seen == [1]


def test_none_begins_or_goes_on_under_a_dialog_of_somebody_else(window, errands, qtbot):
    seen, go_on = [], threading.Event()

    def errand():
        seen.append("begun")
        yield Work(lambda cancelled: go_on.wait(60))
        seen.append("gone on")

    dialog = QDialog(window)
    dialog.open()
    errands.start(errand)
    settle()
    assert seen == []
    dialog.reject()
    qtbot.waitUntil(lambda: seen == ["begun"])
    dialog.open()
    go_on.set()
    qtbot.waitUntil(lambda: not errands.worker.busy("errand"))
    settle()
    assert seen == ["begun"]
    dialog.reject()
    qtbot.waitUntil(lambda: seen == ["begun", "gone on"])
    dialog.deleteLater()


@pytest.mark.parametrize("result", [QDialog.DialogCode.Accepted, QDialog.DialogCode.Rejected])
def test_a_chooser_that_gives_no_file_is_an_answer(window, errands, qtbot, result):
    seen = []

    def errand():
        seen.append((yield Choose("Open", "", "All (*)")))

    errands.start(errand)
    (dialog,) = [dialog for dialog in window.findChildren(QFileDialog) if dialog.isVisible()]
    dialog.selectedFiles = list
    dialog.done(result)
    del dialog
    qtbot.waitUntil(lambda: not errands.busy)
    assert seen == [None]


def test_at_the_end_what_writes_is_heard_of_and_what_reads_is_not_waited_for(window, errands):
    seen, never = [], threading.Event()

    def reading():
        yield Work(lambda cancelled: never.wait(60) or seen.append("waited for"), droppable=True)
        seen.append("read")

    def writing():
        seen.append((yield Work(lambda cancelled: time.sleep(0.2) or "written")))
        yield ask()
        seen.append("asked")

    errands.start(reading)
    errands.start(writing)
    errands.close()
    never.set()
    assert seen == ["written"]
    assert not errands.busy


@pytest.mark.parametrize("droppable", [False, True])
def test_at_the_end_what_waits_for_another_dialog_is_delivered_or_dropped(
    window, errands, qtbot, droppable
):
    seen, written = [], threading.Event()
    dialog = QDialog(window)

    def errand():
        seen.append((yield Work(lambda cancelled: written.set() or "written", droppable)))

    errands.start(errand)
    dialog.open()
    assert written.wait(60)
    errands.worker.finish()
    assert seen == []  # another dialog is open
    errands.close()
    dialog.reject()
    settle()
    assert seen == ([] if droppable else ["written"])
    assert not errands.busy
