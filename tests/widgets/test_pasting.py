"""Text from the clipboard, in any line: one request to whoever owns it, and no more than fits."""

import re
import time
from functools import partial

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QClipboard, QContextMenuEvent, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.params import Text, Whole
from pe_explorer.widgets.line_fields import LineField, NumberField

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
SENTENCE = Text("", 120_000, 0, label="Sentence", help="Words.")
COUNT = Whole(7, 0, 10**40, label="Count", help="A number.")


def editable_combo():
    combo = QComboBox()
    combo.setEditable(True)
    return combo


LINES = {
    "bare": QLineEdit,
    "field": partial(LineField, SENTENCE),
    "number": partial(NumberField, COUNT),
    "spin box": QDoubleSpinBox,
    "combo box": editable_combo,
}


class Owner(QMimeData):
    """What the owner of the clipboard says, and how often it is asked."""

    def __init__(self, formats=None, text="", patience=0.0):
        super().__init__()
        self.offered, self.held, self.patience = formats or [], text, patience
        self.asked = []

    def formats(self):
        self.asked.append("formats")
        if not self.offered:
            time.sleep(self.patience)
        return self.offered

    def retrieveData(self, name, kind):  # noqa: N802
        self.asked.append(name)
        if self.offered and not self.held:
            time.sleep(self.patience)
        return self.held


@pytest.fixture
def shown(qtbot):
    """Return a function that shows a widget in a window, with the focus, and returns its line."""
    windows = []

    def show(widget):
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        window.resize(400, 300)
        QVBoxLayout(window).addWidget(widget)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)
        return widget if isinstance(widget, QLineEdit) else widget.findChild(QLineEdit)

    yield show
    QApplication.clipboard().clear()


def own(owner):
    QApplication.clipboard().setMimeData(owner)
    owner.asked.clear()
    return owner


def paste(line):
    QTest.keyClick(QApplication.focusWidget() or line, Qt.Key.Key_V, CONTROL)


def opened_menu(widget):
    place, reason = QPoint(5, 5), QContextMenuEvent.Reason.Mouse
    event = QContextMenuEvent(reason, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)
    (menu,) = (each for each in widget.window().findChildren(QMenu) if each.isVisible())
    return menu, {action.text(): action for action in menu.actions()}


def visible_sentences(line):
    """Return the sentences that are shown at a line, with room for all words."""
    labels = [each for each in line.window().findChildren(QLabel) if each.isVisible()]
    whole = [each for each in labels if each.width() >= each.minimumSizeHint().width()]
    return [label.text() for label in whole if label.text()]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("offered", [[], ["text/plain", "text/plain;charset=utf-8"]], ids=len)
def test_an_owner_that_does_not_answer_is_asked_no_more(shown, kind, offered):
    line = shown(LINES[kind]())
    line.setText("5")
    line.selectAll()
    owner = own(Owner(offered, patience=0.6))
    begun = time.monotonic()
    paste(line)
    assert time.monotonic() - begun < 1.0
    silent = [each for each in owner.asked if not offered or each != "formats"]
    assert len(silent) == 1
    assert line.text() == "5"  # and what was selected stays
    assert ["Nothing was pasted" in each for each in visible_sentences(line)] == [True]


@pytest.mark.parametrize("kind", LINES)
def test_the_menu_of_a_line_does_not_ask(shown, qtbot, kind):
    widget = LINES[kind]()
    line = shown(widget)
    owner = own(Owner(["text/plain"], "34"))
    menu, actions = opened_menu(line if kind == "combo box" else widget)
    assert owner.asked == []
    assert actions["&Paste"].isEnabled()
    menu.setActiveAction(actions["&Paste"])
    QTest.keyClick(menu, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: owner.asked == ["formats", "text/plain"])
    assert visible_sentences(line) == []
    assert "34" in line.text() or kind == "spin box"  # its limit is 99.99


@pytest.mark.parametrize("text", ["&Undo", "Cu&t", "&Copy", "Delete", "Select all"])
def test_the_menu_does_the_rest_of_what_qt_s_own_does(shown, qtbot, text):
    line = shown(QLineEdit())
    QTest.keyClicks(line, "abc")
    if text not in ("&Undo", "Select all"):
        line.selectAll()
    menu, actions = opened_menu(line)
    menu.setActiveAction(actions[text])
    QTest.keyClick(menu, Qt.Key.Key_Return)
    wanted = {"&Copy": "abc", "Select all": "abc"}.get(text, "")
    qtbot.waitUntil(lambda: line.text() == wanted)
    if text in ("Cu&t", "&Copy"):
        qtbot.waitUntil(lambda: QApplication.clipboard().text() == "abc")
    if text == "Select all":
        qtbot.waitUntil(lambda: line.selectedText() == "abc")


def test_texts_of_all_kinds_are_pasted_and_undone_by_themselves(shown):
    line = shown(LineField(SENTENCE))
    files = QMimeData()
    files.setUrls([QUrl("file:///a/b.npy")])
    utf8 = QMimeData()
    utf8.setData("text/plain;charset=utf-8", "é 🙂".encode())
    plain = QMimeData()
    plain.setText("שלום")
    for data, wanted in ((files, "file:///a/b.npy"), (utf8, "é 🙂"), (plain, "שלום")):
        line.clear()
        QTest.keyClicks(line, "ab")
        QApplication.clipboard().setMimeData(data)
        paste(line)
        QTest.keyClicks(line, "c")
        steps = [line.text()]
        for _ in range(2):
            line.undo()
            steps.append(line.text())
        assert steps == [f"ab{wanted}c", f"ab{wanted}", "ab"]
    assert visible_sentences(line) == []


def test_the_middle_button_pastes_the_selection(shown, monkeypatch):
    line, given = shown(QLineEdit("ab")), {}
    for mode in (QClipboard.Mode.Clipboard, QClipboard.Mode.Selection):
        given[mode] = QMimeData()
        given[mode].setText(f"-{mode.name}")
    monkeypatch.setattr(QClipboard, "mimeData", lambda self, mode: given[mode])
    for there, wanted in ((False, "ab"), (True, "ab-Selection")):
        monkeypatch.setattr(QClipboard, "supportsSelection", lambda self, there=there: there)
        line.selectAll()
        QTest.mouseClick(line, Qt.MouseButton.MiddleButton, SHIFT, line.rect().center())
        assert line.text() == wanted
    for key, held in ((Qt.Key.Key_V, CONTROL), (Qt.Key.Key_Insert, SHIFT)):
        line.setText("ab")
        line.selectAll()
        QTest.keyClick(line, key, held)
        assert line.text() == "-Clipboard"


@pytest.mark.parametrize("y", [10, 250])
def test_a_sentence_stands_below_its_line_or_above_where_there_is_no_room(shown, y):
    line = shown(QLineEdit())
    window = line.window()
    for x, width, outer in ((5, 60, 400), (380, 15, 400), (5, 60, 300)):
        window.resize(outer, 300)
        QApplication.processEvents()
        line.setGeometry(x, y, width, 24)
        own(Owner(["text/plain"], patience=0.6))
        paste(line)
        (label,) = (each for each in window.findChildren(QLabel) if each.isVisible())
        place = label.geometry()
        wide = min(360, outer - 8)
        assert label.margin() == 4
        assert (place.width(), place.height()) == (wide, label.heightForWidth(wide))
        assert place.left() == min(x, outer - wide - 4)
        assert (place.top() - 4 == y + 24) if y == 10 else (place.bottom() + 1 + 4 == y)
        QTest.keyClick(line, Qt.Key.Key_Left)


@pytest.mark.parametrize("kind", ["field", "number"])
def test_dropped_text_is_inserted_and_cut_to_what_a_line_takes(shown, kind):
    line = shown(LINES[kind]())
    line.clear()
    for text, wanted in (("12", 2), ("7" * 300_000, min(line.maxLength(), 300_002))):
        data, copy = QMimeData(), Qt.DropAction.CopyAction
        data.setText(text)
        left, plain = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(line, QDragEnterEvent(QPoint(2, 5), copy, data, left, plain))
        event = QDropEvent(QPointF(2, 5), copy, data, left, plain)
        QApplication.sendEvent(line, event)
        assert event.isAccepted()
        assert (len(line.text()), len(visible_sentences(line))) == (wanted, len(text) > 2)


@pytest.mark.parametrize(
    "data", [Owner, lambda: Owner(["image/png"]), lambda: Owner(["text/plain"], "b")]
)
def test_nothing_to_paste_or_no_line_to_change_is_no_fault(shown, data):
    owner = data()
    line = shown(QLineEdit("a", readOnly=bool(owner.held)))
    own(owner)
    line.selectAll()
    paste(line)
    assert (line.text(), visible_sentences(line)) == ("a", [])


@pytest.mark.parametrize("count", [1, 32_768, 119_999])
def test_a_legal_sentence_is_pasted_whole(shown, count):
    line = shown(LineField(SENTENCE))
    sentence = ("word " * count)[:count].strip()
    QApplication.clipboard().setText(sentence)
    line.selectAll()
    paste(line)
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert (line.text(), line.is_invalid, visible_sentences(line)) == (sentence, False, [])


MOST = {"bare": 32_767, "field": 1 << 18, "number": 40}


@pytest.mark.parametrize("kind", MOST)
def test_text_that_is_too_long_is_cut_at_once_with_a_message(shown, kind):
    line = shown(LINES[kind]())
    line.setText("12345")
    line.setSelection(1, 3)
    QApplication.clipboard().setText("7" * 12_000_000)
    begun = time.monotonic()
    paste(line)
    assert time.monotonic() - begun < 2.0
    assert line.text() == "1" + "7" * (MOST[kind] - 2) + "5"
    (sentence,) = visible_sentences(line)
    assert re.findall(r"[\d,]*\d", sentence) == ["12,000,000", f"{MOST[kind]:,}"]
    QTest.keyClick(line, Qt.Key.Key_Left)
    assert visible_sentences(line) == []
    line.setMaxLength(4)
    line.selectAll()
    QApplication.clipboard().setText("a🙂🙂🙂")
    paste(line)
    assert line.text() == "a🙂"  # no character is cut in half
