"""The view of tokens as a person uses it: a typed sentence, words that are dragged, the wheel."""

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from tests.support.gestures import (
    click,
    drag,
    enter_text,
    inside,
    settle,
    spot,
    wait_for_worker,
    wheel as turn_wheel,
)
from tests.support.notes import note, note_label
from tests.support.sinusoids import sinusoidal as sines

FIRST = "She told him that she only loved him."


def beside(view, row, name="rows"):
    """Return a pixel on a word beside the rows."""
    return QPointF(spot(view, name, -0.5, row)) - QPointF(30, 0)


def test_a_sentence_is_typed(show, qtbot):
    view = show("tokens", encoding=sines(dim=16))
    enter_text(qtbot, view.sentence, "dog bites  man")
    settle(view.model)
    assert view.options.sentence == "dog bites man"
    assert view.options.length == 3


def test_an_empty_sentence_is_a_sentence_on_what_to_type(show, qtbot):
    view = show("tokens")
    enter_text(qtbot, view.sentence, " ")
    settle(view.model)
    assert view.blank
    assert note(view).isVisible()
    QGuiApplication.clipboard().setText("🙂 שלום")
    view.sentence.selectAll()
    view.sentence.paste()
    QTest.keyClick(view.sentence, Qt.Key.Key_Return)
    settle(view.model)
    assert not view.blank
    assert view.drawn.figure.panels[0].y.names == ("🙂", "שלום")


def test_a_word_is_dragged_to_another_place(show):
    view = show("tokens", encoding=sines(dim=16))
    drag(view, beside(view, 5), beside(view, 0))
    settle(view.model)
    assert view.options.sentence == "only She told him that she loved him."
    assert view.options.before == FIRST
    assert view.model.state.position == 0
    assert "by up to 1.930" in view.caption.text()
    drag(view, beside(view, 0), beside(view, 1))
    settle(view.model)
    assert view.options.before == FIRST  # still the one that it began with
    assert "by up to 2.209" in view.caption.text()
    view.header.combos["join"].setCurrentIndex(0)
    view.set_option("join", "words")
    settle(view.model)


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
    view = show("tokens", position=1, options={"sentence": "dog bites man"})
    view.setFocus()
    QTest.keyClick(view, key, Qt.KeyboardModifier.AltModifier)
    settle(view.model)
    assert view.options.sentence == sentence
    assert view.model.state.position == position
    QTest.keyClick(view, key, Qt.KeyboardModifier.AltModifier)  # there is no further place
    settle(view.model)
    assert view.options.sentence == sentence


def test_other_words_are_not_compared(show, qtbot):
    view = show("tokens", options={"sentence": "dog bites man"})
    enter_text(qtbot, view.sentence, "man bites dog")
    settle(view.model)
    assert view.options.before == "dog bites man"
    enter_text(qtbot, view.sentence, "man bites cat")
    settle(view.model)
    assert view.options.before == "dog bites man"


def test_a_click_sets_the_cursor(show):
    view = show("tokens", encoding=sines(dim=16), start=100)
    click(view, spot(view, "rows", 3, 5))
    settle(view.model)
    assert (view.model.state.position, view.model.state.dimension) == (105, 3)
    view.set_option("part", "both")
    settle(view.model)
    click(view, spot(view, "after", 3, 2))
    settle(view.model)
    assert view.model.state.position == 102


def test_the_wheel_zooms_words_and_with_ctrl_columns(show):
    view = show("tokens", encoding=sines(dim=16))
    place = inside(view, "rows", 0.9, 0.9)
    turn_wheel(view, place, 1)
    settle(view.model)
    assert view.model.state.count == 6
    assert view.options.top == 2
    turn_wheel(view, place, 1, Qt.KeyboardModifier.ControlModifier)
    settle(view.model)
    assert (view.options.first, view.options.dimensions) == (3, 13)
    middle, end = (inside(view, "rows", 0.5, down) for down in (0.3, 0.9))
    drag(view, middle, end)
    settle(view.model)
    assert view.options.top == 0


def test_squares_beside_each_other_stand_at_one_height(show):
    view = show("tokens", options={"sentence": "dog bites man", "part": "attention"})
    tops = [spot(view, name, 0, -0.5).y() for name in ("before", "after")]
    assert tops[0] == pytest.approx(tops[1], abs=1)
    drag(view, beside(view, 2, "before"), beside(view, 0, "before"))
    settle(view.model)
    assert view.options.sentence == "man dog bites"


def test_a_file_is_read_by_the_worker_and_again_when_it_changes(show, tmp_path, qtbot):
    path = tmp_path / "v.txt"
    path.write_text("she 1 2\ntold 3 4\n")
    options = {"words": "file", "file": str(path), "join": "words"}
    view = show("tokens", encoding=sines(dim=2), options=options)
    wait_for_worker(view.model)
    assert "v.txt" in view.status
    assert "“him”" in view.status
    path.write_text("she 1 2\ntold x 4\n")
    view.model.look_at_files()
    qtbot.waitUntil(lambda: "line 2" in note_label(view).text())
    assert "v.txt" in note_label(view).text()
    path.unlink()
    view.model.look_at_files()
    qtbot.waitUntil(lambda: f"{path}: cannot be read" in note_label(view).text())
    assert view.blank
