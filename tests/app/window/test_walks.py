"""Lessons, walked from end to end: who does what a step asks goes on, and nobody else does."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery.lessons import lessons
from pe_explorer.gallery.tries import with_settings
from pe_explorer.model import Model
from tests.app.acts import click_on, encode, press_key
from tests.support.exhibit_words import numbers_in
from tests.support.gestures import settle
from tests.support.lessons import doing
from tests.support.windows import DISCARD, answer_message, message_boxes, trigger

every_lesson = pytest.mark.parametrize("name", lessons())
EVERY_STEP = [
    (name, place) for name, lesson in lessons().items() for place in range(len(lesson.steps))
]


def begin(window, name="000", at=None):
    """Begin a lesson, or go on with it at a step, and return the page of its words."""
    if at is not None:
        progress = window.lesson_walk.progress_of(name)._replace(at=at)
        window.settings.change(lessons={name: progress})
    window.lesson_walk.begin(name)
    settle(window.model)
    return window.right_panel.parts().explanation.page.lesson


def do_what_is_asked(window):
    window.model.replace(doing(window.lesson_walk.step))
    settle(window.model)


def do_something_else(window):
    """Move the cursor and change the range, so that the check does not hold."""
    step, state = window.lesson_walk.step, window.model.state
    for fields in ({"position": 1}, {"count": 7}, {"dimension": 1}, {"reference": 3}):
        other = state.with_(**fields)
        if other != state and not step.done(other):
            window.model.replace(other)
            settle(window.model)
            return
    raise AssertionError("whatever is done, it is what the step asks")


# -- from end to end ---------------------------------------------------------------------------


@every_lesson
def test_who_does_what_is_asked_comes_to_the_end_and_who_does_not_stays(window, name):
    page = begin(window, name)
    walk = window.lesson_walk
    lesson = lessons()[name]
    for place, step in enumerate(lesson.steps):
        assert (walk.number, walk.step) == (place, step)
        assert window.exhibit_walk.exhibit is step.exhibit
        assert step.exhibit.matches(window.model.state)
        check_width(window, f"step {place} as it begins")
        for do in (lambda: None, lambda: do_something_else(window)):
            do()
            assert not walk.done, place
            assert not page.on_button.isEnabled(), place
            window.centre.strip.go_on()
            walk.go_on()
            settle(window.model)
            assert walk.number == place
            assert walk.progress_of(name).done == set(range(place))
        do_what_is_asked(window)
        assert walk.done
        assert page.on_button.isEnabled()
        assert page.shows.isVisibleTo(page)
        assert page.shows.text() == step.texts_for(window.model.state, done=True).shows
        check_width(window, f"step {place} when it is done")
        trigger(window, "next_exhibit")
        assert message_boxes(window) == [], "a changed exhibit is not asked about"
    assert walk.lesson is None
    assert window.centre.has_gallery
    count = len(lesson.steps)
    assert walk.progress_of(name).done == set(range(count))
    window.centre.page.fill()
    card = window.centre.page.lesson_cards[name]
    assert f"{count} of {count} steps done" in card.accessibleName()


def check_width(window, when):
    """Check that the words of a lesson are no wider than the panel."""
    page = window.right_panel.parts().explanation.page
    QApplication.processEvents()
    assert page.widget().width() <= page.viewport().width(), when


# -- steps -------------------------------------------------------------------------------------


def test_a_step_can_be_skipped_and_does_not_count(window, qtbot):
    page = begin(window)
    click_on(window, page.skip_button)
    assert window.lesson_walk.number == 1
    assert window.lesson_walk.progress.done == frozenset()
    click_on(window, page.back_button)
    assert window.lesson_walk.number == 0
    assert not page.back_button.isEnabled()


def test_the_keys_go_from_step_to_step_but_not_past_what_is_to_be_done(window):
    begin(window)
    walk = window.lesson_walk
    press = (Qt.Key.Key_PageDown, Qt.KeyboardModifier.AltModifier)
    press_key(window, window.active_view(), *press)
    assert walk.number == 0
    assert window.status_bar.currentMessage().startswith("This step is not done yet")
    do_what_is_asked(window)
    press_key(window, window.active_view(), *press)
    assert walk.number == 1
    press_key(window, window.active_view(), Qt.Key.Key_PageUp, Qt.KeyboardModifier.AltModifier)
    assert walk.number == 0
    assert walk.done, "what was done stays done"


def test_the_cross_leaves_the_lesson_and_then_the_exhibit(window, qtbot):
    begin(window)
    cross = window.centre.strip.close_button
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert window.lesson_walk.lesson is None
    assert window.centre.strip.isVisible()
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert not window.centre.strip.isVisible()


def test_unsaved_work_is_asked_about_once(window):
    encode(window, base=77)
    window.lesson_walk.begin("000")
    settle(window.model)
    assert window.lesson_walk.lesson is None
    answer_message(window, DISCARD)
    assert window.lesson_walk.lesson is lessons()["000"]
    window.lesson_walk.skip()
    settle(window.model)
    assert message_boxes(window) == []
    assert window.lesson_walk.number == 1


# -- guesses -----------------------------------------------------------------------------------


def test_a_number_is_guessed_first_and_shown_beside_the_truth(window, qtbot):
    page = begin(window)
    guess = window.lesson_walk.step.guess
    assert not guess.choices
    assert page.guess.isVisible()
    assert not page.do.isVisible(), "first the guess"
    qtbot.keyClicks(page.guess.field, "1_040")
    qtbot.keyClick(page.guess.field, Qt.Key.Key_Return)
    assert not page.guess.isVisible()
    assert page.do.isVisible()
    assert page.answer.text() == f"You guessed 1040 {guess.unit}."
    do_what_is_asked(window)
    assert f"The answer: {guess.truth} {guess.unit}." in page.answer.text()
    assert "You guessed 1040" in page.answer.text()


def test_all_other_words_wait_for_the_guess(window, qtbot):
    page = begin(window)
    explanation = window.right_panel.parts().explanation.page
    words = explanation.exhibit, explanation.guide
    assert page.guess.isVisible()
    assert not any(part.isVisible() for part in words), "they may tell what is asked"
    qtbot.mouseClick(page.guess.skip_button, Qt.MouseButton.LeftButton)
    assert not any(part.isVisible() for part in words), "a step stands alone"
    window.lesson_walk.leave()
    assert all(part.isVisible() for part in words)


def said_on_screen(window):
    """Yield the words that can be read: labels, buttons, the status line, statuses of views."""
    widgets = [*window.findChildren(QLabel), *window.findChildren(QAbstractButton)]
    yield from (each.text() for each in widgets if each.isVisible())
    yield window.status_bar.currentMessage()
    yield from (view.status for view in window.workspace.built.values() if view.isVisible())


@pytest.mark.parametrize(("name", "place"), EVERY_STEP)
def test_nothing_on_the_screen_answers_a_guess(window, name, place):
    step = lessons()[name].steps[place]
    if step.guess is None or step.guess.choices:
        return
    page = begin(window, name, at=place)
    asked = {page.guess.question.text(), *numbers_in(page.guess.question.text())}
    truth = f"{step.guess.truth:,}"
    for text in said_on_screen(window):
        if text not in asked and not text.startswith("Step "):
            assert truth not in numbers_in(text) or truth in asked, text
    for view in window.workspace.built.values():
        assert not [each for each in view.children() if each.objectName().startswith("point.")]


@pytest.mark.parametrize(("name", "place"), EVERY_STEP)
def test_a_near_miss_is_told_what_it_lacks(name, place):
    """For each near miss some settings are found that are one, by the names that it compares."""
    step = lessons()[name].steps[place]
    for miss in step.near:
        state = missing(step, miss)
        assert not step.done(state), miss.text
        assert step.texts_for(resolve(state, DirectStore()), done=False).near == miss.text


def missing(step, miss):
    """Return an exploration of a step that is a near miss."""
    group = miss.check.groups[0]
    equal = {one.name: one.value for one in group if one.op == "=="}
    for one in group:
        around = one.value, one.value + 1, one.value + 0.1, one.value - 1
        path, values = PATHS.get(one.name, (one.name, around))
        for value in values:
            state = with_settings(step.exhibit.exploration, {**equal, path: value})
            if miss.check.holds(state) and not step.done(state):
                return state
    raise AssertionError(miss)


PATHS = {
    "measure.turning": ("count", range(50, 500, 5)),
    "measure.slower": ("encoding.base", [110.0, 120.0, 130.0, 150.0]),
}


def test_what_is_no_number_is_refused_in_a_sentence(window, qtbot):
    page = begin(window)
    for text in ("", "many", "nan", "1e999"):
        page.guess.field.setText(text)
        qtbot.mouseClick(page.guess.take_button, Qt.MouseButton.LeftButton)
        assert page.guess.isVisible()
        assert page.guess.refusal.isVisible(), text
        assert page.guess.refusal.text() == "Type a number, such as 12 or 0.5."
    for text, says in {"0,5": "write a point: 0.5.", "1,040": "could be 1040 or 1.04"}.items():
        page.guess.field.setText(text)
        qtbot.mouseClick(page.guess.take_button, Qt.MouseButton.LeftButton)
        assert says in page.guess.refusal.text()
    assert window.lesson_walk.progress.guesses == {}


def test_one_of_three_choices_is_guessed(window, qtbot):
    found = [
        (name, place)
        for name, place in EVERY_STEP
        if (guess := lessons()[name].steps[place].guess) and guess.choices
    ]
    name, place = found[0]
    page = begin(window, name, at=place)
    guess = window.lesson_walk.step.guess
    shown = [button.label.text() for button in page.guess.choices]
    assert tuple(shown) == guess.choices
    wrong = (int(guess.truth) + 1) % 3
    qtbot.mouseClick(page.guess.choices[wrong], Qt.MouseButton.LeftButton)
    assert page.answer.text() == f"You guessed “{guess.choices[wrong]}”."
    do_what_is_asked(window)
    assert page.answer.text().endswith(f"The answer: “{guess.choices[int(guess.truth)]}”.")


# -- leaving and coming back -------------------------------------------------------------------


def test_leaving_and_coming_back_loses_nothing(qtbot, tmp_path):
    for session in range(2):
        settings = SettingsFile(tmp_path / "settings.ini")
        window = MainWindow(Model(), settings=settings)
        with qtbot.waitExposed(window):
            window.show()
        page = begin(window)
        walk = window.lesson_walk
        if session == 0:
            walk.take_guess("12")
            do_what_is_asked(window)
            walk.go_on()
            settle(window.model)
        assert walk.number == 1
        if session == 1:
            walk.go_back()
            settle(window.model)
            assert walk.done
            assert "You guessed 12" in page.answer.text()
        window.leave()
        settings.close()
        window.deleteLater()
        settle()
    assert settings.notes == ()


def test_undo_leads_back_out_of_the_lesson(window):
    before = window.model.state
    begin(window)
    assert window.centre.strip.isVisible()
    window.undoing.undo()
    settle(window.model)
    assert window.model.state == before
    assert window.lesson_walk.lesson is None
    assert not window.centre.strip.isVisible()
