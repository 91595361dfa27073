"""Files are chosen as in Qt's own dialog, and no question waits in an event loop of its own."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit, QMessageBox, QPushButton, QWidget
from shiboken6 import isValid

from pe_explorer.widgets.file_chooser import FileChooser
from tests.support.processes import ROOT, run_program

REPLACE, CANCEL = QMessageBox.StandardButton.Save, QMessageBox.StandardButton.Cancel


@pytest.mark.parametrize(("way", "seen"), [("missing", "QMessageBox"), ("menu", "QMenu")])
def test_a_field_may_go_while_its_chooser_has_something_open(tmp_path, way, seen):
    (tmp_path / "there.npy").touch()
    program = ("-m", "tests.widgets.closed_over")
    done = run_program(ROOT, way, str(tmp_path), program=program, QT_QPA_PLATFORM="offscreen")
    assert (done.returncode, done.stdout.strip()) == (0, seen), done.stderr
    assert (tmp_path / "there.npy").exists()


@pytest.fixture
def opened(qtbot, tmp_path):
    """Return a function that opens a chooser in a temporary folder, and what it has chosen."""
    window = QWidget()
    qtbot.addWidget(window)
    window.show()

    def open_chooser(name=""):
        chooser = FileChooser(window, "Save as" if name else "Open", "Any (*)", str(tmp_path))
        if name:
            chooser.propose(name, ".json")
        chosen = []
        chooser.fileSelected.connect(chosen.append)
        chooser.open()
        return chooser, chosen

    return open_chooser


def enter(chooser, text):
    """Type a name, and press Enter."""
    line = chooser.findChild(QLineEdit, "fileNameEdit")
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


def boxes(chooser):
    """Return the messages over a chooser."""
    return [box for box in chooser.findChildren(QMessageBox) if box.isVisible()]


def closed(chooser):
    return not isValid(chooser)


def test_a_missing_file_is_told_and_another_one_chosen(opened, qtbot, tmp_path):
    (tmp_path / "there.json").touch()
    chooser, chosen = opened()
    enter(chooser, "missing.json")
    (box,) = boxes(chooser)  # at once: nothing has waited
    assert box.text() == f"There is no file missing.json in {tmp_path}: choose one that is there."
    box.reject()
    assert chooser.isVisible()
    enter(chooser, "there.json")
    qtbot.waitUntil(lambda: closed(chooser))
    assert chosen == [str(tmp_path / "there.json")]


def test_a_file_is_replaced_only_after_a_question(opened, qtbot, tmp_path):
    (tmp_path / "old.json").touch()
    chooser, chosen = opened("new.json")
    for answer in (CANCEL, REPLACE):
        enter(chooser, "old")  # gets its ending before it is looked for
        (box,) = boxes(chooser)
        assert box.text() == f"old.json already exists in {tmp_path}. Replace it?"
        assert box.defaultButton() == box.button(CANCEL)
        assert chosen == []
        box.button(answer).click()
        if answer == CANCEL:
            qtbot.wait(20)
            assert chooser.isVisible()
    qtbot.waitUntil(lambda: closed(chooser))
    assert chosen == [str(tmp_path / "old.json")]


def test_a_new_file_needs_no_question(opened, qtbot, tmp_path):
    chooser, chosen = opened("new.json")
    save = next(b for b in chooser.findChildren(QPushButton) if "Save" in b.text())
    qtbot.mouseClick(save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: closed(chooser))
    assert chosen == [str(tmp_path / "new.json")]


@pytest.mark.parametrize("name", ["", "new.json"])
def test_a_folder_that_is_typed_is_entered(opened, tmp_path, name):
    (tmp_path / "inner").mkdir()
    chooser, chosen = opened(name)
    for text, folder in (("inner", tmp_path / "inner"), ("..", tmp_path)):
        enter(chooser, text)
        assert Path(chooser.directory().absolutePath()) == folder
        assert chooser.isVisible()
    assert (chosen, boxes(chooser)) == ([], [])
    chooser.reject()


@pytest.mark.parametrize(("name", "text"), [("", "missing.json"), ("new.json", "old.json")])
def test_closed_while_it_asks_it_chooses_nothing(opened, qtbot, tmp_path, name, text):
    (tmp_path / "old.json").touch()
    chooser, chosen = opened(name)
    enter(chooser, text)
    (box,) = boxes(chooser)
    chooser.reject()
    qtbot.waitUntil(lambda: closed(chooser))
    assert not isValid(box)
    assert chosen == []


def test_the_answer_of_the_system_s_own_dialog_is_not_asked_about_again(opened, qtbot, tmp_path):
    (tmp_path / "old.json").touch()
    chooser, chosen = opened("old.json")
    # So it is while the system's dialog is open in its place; Qt asks no class of another name.
    chooser.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    assert chooser.metaObject().className() == QFileDialog.staticMetaObject.className()
    chooser.setOption(QFileDialog.Option.DontConfirmOverwrite)  # the widgets would ask
    chooser.accept()
    qtbot.waitUntil(lambda: closed(chooser))
    assert chosen == [str(tmp_path / "old.json")]
