"""Files are chosen as in Qt's own dialog, and no question waits in an event loop of its own."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QFileDialog,
    QInputDialog,
    QLineEdit,
    QMessageBox,
    QPushButton,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

from pe_explorer.widgets.dialogs import FileChooser
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


def enter(chooser, text, *, key=Qt.Key.Key_Return):
    """Type a name, and press a key; return the line."""
    line = chooser.findChild(QLineEdit, "fileNameEdit")
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, key)
    return line


def boxes(chooser):
    """Return the messages over a chooser."""
    return [box for box in chooser.findChildren(QMessageBox) if box.isVisible()]


def closed(chooser):
    return not isValid(chooser)


def test_a_missing_file_is_reported_and_another_can_be_chosen(opened, qtbot, tmp_path):
    (tmp_path / "there.json").touch()
    chooser, chosen = opened()
    enter(chooser, "missing.json")
    (box,) = boxes(chooser)  # at once: nothing has waited
    assert "missing.json" in box.text()
    assert str(tmp_path) in box.text()
    box.reject()
    assert chooser.isVisible()
    enter(chooser, "there.json")
    qtbot.waitUntil(lambda: closed(chooser))
    assert chosen == [str(tmp_path / "there.json")]


def test_a_file_is_replaced_only_after_a_question_and_a_new_one_without(opened, qtbot, tmp_path):
    (tmp_path / "old.json").touch()
    chooser, chosen = opened("new.json")
    for answer in (CANCEL, REPLACE):
        enter(chooser, "old")  # gets its ending before it is looked for
        (box,) = boxes(chooser)
        assert "old.json" in box.text()
        assert str(tmp_path) in box.text()
        assert box.defaultButton() == box.button(CANCEL)
        assert chosen == []
        box.button(answer).click()
        if answer == CANCEL:
            qtbot.wait(20)
            assert chooser.isVisible()
    qtbot.waitUntil(lambda: closed(chooser))
    assert chosen == [str(tmp_path / "old.json")]
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


# -- new folders, and editing of names -----------------------------------------------------------


def ask_for_folder(chooser, name):
    """Click on New folder, and enter a name."""
    chooser.findChild(QToolButton, "newFolderButton").click()
    (question,) = [each for each in chooser.findChildren(QInputDialog) if each.isVisible()]
    line = question.findChild(QLineEdit)
    line.insert(name)
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_a_new_folder_is_made_after_its_name_is_asked_for(opened, qtbot, tmp_path):
    chooser, chosen = opened("new.json")
    chooser.findChild(QToolButton, "newFolderButton").click()
    assert list(tmp_path.iterdir()) == []
    (question,) = chooser.findChildren(QInputDialog)
    question.reject()
    qtbot.waitUntil(lambda: not isValid(question))
    assert list(tmp_path.iterdir()) == []
    ask_for_folder(chooser, "figures é")
    assert [path.name for path in tmp_path.iterdir()] == ["figures é"]
    assert (tmp_path / "figures é").is_dir()
    assert Path(chooser.directory().absolutePath()) == tmp_path / "figures é"
    button = chooser.findChild(QToolButton, "newFolderButton")
    qtbot.waitUntil(button.isEnabled)  # in each folder
    chooser.findChild(QToolButton, "toParentButton").click()
    qtbot.waitUntil(lambda: Path(chooser.directory().absolutePath()) == tmp_path)
    qtbot.waitUntil(button.isEnabled)
    ask_for_folder(chooser, "tables")
    assert (tmp_path / "tables").is_dir()
    enter(chooser, "new.json")
    qtbot.waitUntil(lambda: closed(chooser))
    assert chosen == [str(tmp_path / "tables" / "new.json")]


@pytest.mark.parametrize(
    "name",
    ["there", "there.npy", "", "  ", ".", "..", "a/b", "../up", "/tmp/x", "n" * 300],
    ids=ascii,
)
def test_a_folder_that_cannot_be_made_is_a_sentence(opened, tmp_path, name):
    (tmp_path / "there").mkdir(exist_ok=True)
    (tmp_path / "there.npy").write_bytes(b"table")
    before = sorted(tmp_path.parent.rglob("*"))
    chooser, _ = opened("new.json")
    ask_for_folder(chooser, name)
    (box,) = boxes(chooser)
    assert any(words in box.text().lower() for words in ("another name", "type a name", "too long"))
    assert not Path("/tmp/x").exists()
    assert Path(chooser.directory().absolutePath()) == tmp_path
    assert sorted(tmp_path.parent.rglob("*")) == before
    assert (tmp_path / "there.npy").read_bytes() == b"table"
    chooser.reject()


@pytest.mark.parametrize("name", ["", "new.json"])
def test_a_name_is_edited_as_text(opened, tmp_path, name):
    (tmp_path / "there.json").touch()
    chooser, _ = opened(name)
    line = enter(chooser, "draft.json", key=Qt.Key.Key_Home)
    QTest.keyClick(line, Qt.Key.Key_Delete)
    assert line.text() == "raft.json"
    QTest.keySequence(line, QKeySequence.StandardKey.Undo)
    assert line.text() == "draft.json"
    assert [path.name for path in tmp_path.iterdir()] == ["there.json"]
    chooser.reject()
