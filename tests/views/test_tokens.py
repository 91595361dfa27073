"""The view of tokens as a person uses it: a typed sentence, words that are dragged or moved."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.support.gestures import drag, enter_text, settle, spot, wait_for_worker
from tests.support.notes import note, note_label
from tests.support.sinusoids import sinusoidal as sines

FIRST = "She told him that she only loved him."


def drag_word(view, start, end, name="rows"):
    """Drag a word beside the rows to the place of another; return what was seen meanwhile."""
    places, seen = (spot(view, name, -0.5, row) - QPoint(30, 0) for row in (start, end)), []
    drag(view, *places, between=lambda: seen.append(view.grab().toImage()))
    settle(view.model)
    return seen


def test_a_sentence_is_typed_or_pasted_whole(show, qtbot):
    view = show("tokens", encoding=sines(dim=16))
    assert view.line.width() == view.width()
    enter_text(qtbot, view.sentence, "dog bites  man")
    settle(view.model)
    assert (view.options.sentence, view.options.length) == ("dog bites man", 3)
    assert view.sentence.width() > 0.8 * view.width()
    enter_text(qtbot, view.sentence, " ")
    settle(view.model)
    assert view.is_blank
    assert note(view).isVisible()
    for text in ("🙂 שלום", "word " * 9_999 + "end"):
        QGuiApplication.clipboard().setText(text)
        view.sentence.selectAll()
        view.sentence.paste()
        QTest.keyClick(view.sentence, Qt.Key.Key_Return)
        wait_for_worker(view.model)
        assert not view.is_blank
        assert view.options.sentence == text


def test_a_word_is_dragged_to_another_place(show):
    view = show("tokens", encoding=sines(dim=16))
    for (start, end), sentence, position, farthest in (
        ((5, 0), "only She told him that she loved him.", 0, "1.93"),
        ((0, 1), "She only told him that she loved him.", 1, "2.21"),
    ):
        seen = drag_word(view, start, end)
        assert seen[0] != seen[-1]  # where it would stand
        assert (view.options.sentence, view.model.state.position) == (sentence, position)
        assert view.options.before == FIRST  # the one that it began with
        assert f"by up to {farthest}" in view.caption.text()
    view = show("tokens", options={"sentence": "dog bites man", "part": "attention"})
    drag_word(view, 2, 0, "before")
    assert view.options.sentence == "man dog bites"


@pytest.mark.parametrize(
    ("key", "sentence", "position"),
    [
        (Qt.Key.Key_Up, "bites dog man", 0),
        (Qt.Key.Key_Left, "bites dog man", 0),
        (Qt.Key.Key_Down, "dog man bites", 2),
        (Qt.Key.Key_Right, "dog man bites", 2),
    ],
)
def test_alt_and_an_arrow_move_a_word(show, key, sentence, position):
    view = show("tokens", start=5, position=6, options={"sentence": "dog bites man"})
    view.setFocus()
    for _ in range(2):  # there is no further place
        QTest.keyClick(view, key, Qt.KeyboardModifier.AltModifier)
        settle(view.model)
        assert (view.options.sentence, view.model.state.position) == (sentence, 5 + position)


def test_other_words_are_not_compared(show, qtbot):
    view = show("tokens", options={"sentence": "dog bites man"})
    for sentence in ("man bites dog", "man bites cat"):
        enter_text(qtbot, view.sentence, sentence)
        settle(view.model)
        assert view.options.before == "dog bites man"


def test_a_file_is_read_by_the_worker_and_again_when_it_changes(show, tmp_path, qtbot):
    path = tmp_path / "v.txt"
    path.write_text("she 1 2\ntold 3 4\n")
    options = {"words": "file", "file": str(path), "join": "words"}
    view = show("tokens", encoding=sines(dim=2), options=options)
    wait_for_worker(view.model)
    assert "v.txt" in view.status
    assert "“him”" in view.status
    path.write_text("she 1 2\ntold x 4\n")
    view.model.check_files()
    qtbot.waitUntil(lambda: "line 2" in note_label(view).text())
    assert "v.txt" in note_label(view).text()
    path.unlink()
    view.model.check_files()
    qtbot.waitUntil(lambda: str(path) in note_label(view).text())
    assert view.is_blank
