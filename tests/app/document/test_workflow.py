import threading
import time

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QMessageBox

from pe_explorer.app.document.workflow import Choose, Question, Work
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
def workflows(window):
    return window.files.workflows


def test_it_reads_from_top_to_bottom(window, workflows, qtbot):
    seen = []

    def workflow():
        seen.append((yield ask()))
        seen.append(
            (yield Work(lambda cancelled: threading.current_thread() is threading.main_thread()))
        )
        try:
            yield Work(lambda cancelled: 1 / 0)
        except ZeroDivisionError as error:
            seen.append(str(error))

    workflows.start(workflow)
    assert seen == []
    press(window, Button.Yes)
    qtbot.waitUntil(lambda: not workflows.busy)
    assert seen == [Button.Yes, False, "division by zero"]


def test_one_after_the_other(window, workflows):
    seen = []

    def workflow(name):
        def steps():
            seen.append((name, (yield ask(name))))

        return steps

    for name in "abc":
        workflows.start(workflow(name))
    for button in (Button.No, Button.Yes, Button.No):
        press(window, button)
    assert seen == [("a", Button.No), ("b", Button.Yes), ("c", Button.No)]


def test_what_only_reads_gives_way_and_what_writes_does_not(workflows, qtbot):
    seen, go_on = [], threading.Event()

    def slow(name, droppable):
        def steps():
            seen.append((yield Work(lambda cancelled: go_on.wait(60) and name, droppable)))

        return steps

    workflows.start(slow("read", True))
    workflows.start(slow("write", False))
    workflows.start(slow("last", True))
    go_on.set()
    qtbot.waitUntil(lambda: not workflows.busy)
    assert seen == ["write", "last"]


def test_an_unexpected_exception_ends_the_workflow_and_no_other(window, workflows, qtbot):
    seen = []

    def broken():
        yield Work(lambda cancelled: None)
        raise LookupError("unexpected")

    def sound():
        seen.append((yield ask()))

    with qtbot.captureExceptions() as caught:
        workflows.start(broken)
        workflows.start(sound)
        qtbot.waitUntil(lambda: bool(window.findChildren(QMessageBox)))
    assert [str(value) for _, value, _ in caught] == ["unexpected"]
    press(window, Button.Yes)
    assert seen == [Button.Yes]


def test_none_begins_or_goes_on_under_a_dialog_of_somebody_else(window, workflows, qtbot):
    seen, go_on = [], threading.Event()

    def workflow():
        seen.append("begun")
        yield Work(lambda cancelled: go_on.wait(60))
        seen.append("gone on")

    dialog = QDialog(window)
    dialog.open()
    workflows.start(workflow)
    settle()
    assert seen == []
    dialog.reject()
    qtbot.waitUntil(lambda: seen == ["begun"])
    dialog.open()
    go_on.set()
    qtbot.waitUntil(lambda: not workflows.worker.busy("workflow"))
    settle()
    assert seen == ["begun"]
    dialog.reject()
    qtbot.waitUntil(lambda: seen == ["begun", "gone on"])
    dialog.deleteLater()


@pytest.mark.parametrize("result", [QDialog.DialogCode.Accepted, QDialog.DialogCode.Rejected])
def test_a_chooser_that_gives_no_file_is_an_answer(window, workflows, qtbot, result):
    seen = []

    def workflow():
        seen.append((yield Choose("Open", "", "All (*)")))

    workflows.start(workflow)
    (dialog,) = [dialog for dialog in window.findChildren(QFileDialog) if dialog.isVisible()]
    dialog.selectedFiles = list
    dialog.done(result)
    del dialog
    qtbot.waitUntil(lambda: not workflows.busy)
    assert seen == [None]


def test_at_the_end_what_writes_is_heard_of_and_what_reads_is_not_waited_for(window, workflows):
    seen, never = [], threading.Event()

    def reading():
        yield Work(lambda cancelled: never.wait(60) or seen.append("waited for"), droppable=True)
        seen.append("read")

    def writing():
        seen.append((yield Work(lambda cancelled: time.sleep(0.2) or "written")))
        yield ask()
        seen.append("asked")

    workflows.start(reading)
    workflows.start(writing)
    workflows.close()
    never.set()
    assert seen == ["written"]
    assert not workflows.busy


@pytest.mark.parametrize("droppable", [False, True])
def test_at_the_end_what_waits_for_another_dialog_is_delivered_or_dropped(
    window, workflows, qtbot, droppable
):
    seen, written = [], threading.Event()
    dialog = QDialog(window)

    def workflow():
        seen.append((yield Work(lambda cancelled: written.set() or "written", droppable)))

    workflows.start(workflow)
    dialog.open()
    assert written.wait(60)
    workflows.worker.finish()
    assert seen == []  # another dialog is open
    workflows.close()
    dialog.reject()
    settle()
    assert seen == ([] if droppable else ["written"])
    assert not workflows.busy
