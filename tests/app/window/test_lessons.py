"""Lessons, walked by hand: who does what a step asks goes on, and nobody else does."""

from random import Random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel

from pe_explorer import pictures
from pe_explorer.app.settings.settings import LessonProgress
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery.lessons import lessons
from pe_explorer.gallery.tries import with_settings
from pe_explorer.params import ParameterError
from pe_explorer.pictures.spots import ViewPlace, find_figure_point
from tests.app.settings.inis import running_window
from tests.app.windows import (
    DISCARD,
    answer_message,
    choose_item,
    click_on,
    encode,
    message_boxes,
    press_key,
    trigger,
)
from tests.gallery.numbers.words import numbers_in
from tests.support.gestures import click_cell, enter_text, settle, wait_for_worker
from tests.support.lessons import OTHER_SETTINGS, doing

STEPS = [
    (name, place, step) for name in lessons() for place, step in enumerate(lessons()[name].steps)
]
ALT = Qt.KeyboardModifier.AltModifier


def begin(window, name="waves", at=None):
    """Begin a lesson, or go on with it at a step, and return the page of its words."""
    if at is not None:
        progress = window.lesson_walk.find_progress(name)._replace(last_step=at)
        window.settings.change(lessons={name: progress})
    window.lesson_walk.begin(name)
    settle(window.model)
    return window.right_panel.pages().explanation.page.lesson


def do_what_is_asked(window):
    window.model.replace(doing(window.lesson_walk.step))
    settle(window.model)


# -- by hand -----------------------------------------------------------------------------------


def set_in_form(window, qtbot, form, name, value):
    editor = form.editor(name)
    if hasattr(editor, "combo"):
        choose_item(editor.combo, value)
    else:
        enter_text(qtbot, editor.field, f"{value}")
    settle(window.model)


def click_at(window, **where):
    """Click a place in the first picture that shows it."""
    for name in window.model.state.panes.views:
        view = window.view(name)
        if name == "clocks" or view.snapshot is None:
            continue
        found = find_figure_point(
            view.snapshot.figure, window.model.state, ViewPlace(name, **where)
        )
        point = found and view.locate(found.panel, found.x, found.y)
        child = view.childAt(point.toPoint()) if point else None
        if child is not None:
            place = child.mapFrom(view, point.toPoint())
            QTest.mouseClick(child, Qt.MouseButton.LeftButton, pos=place)
            settle(window.model)
            return


def do_by_hand(window, qtbot, step):
    """Type, choose and click whatever differs once that is done which the step asks."""
    opened, wanted, panel = step.exhibit.exploration, doing(step), window.panel
    names = {one.name for one in step.check.groups[0]}
    if type(wanted.encoding) is not type(opened.encoding):
        choose_item(panel.encoding_combo, wanted.encoding.name)
        settle(window.model)
    states = window.model.state, wanted
    before, after = ({**state.encoding.parameters, **vars(state)} for state in states)
    for form in (panel.form, panel.positions_form):
        for name in form.names:
            if after[name] != before[name]:
                panel.go_to(name)
                set_in_form(window, qtbot, form, name, after[name])
    for view in wanted.options:
        before, after = (vars(pictures.find(view)(state).options) for state in (opened, wanted))
        for name in [name for name in after if after[name] != before[name]]:
            if name == "sentence":
                enter_text(qtbot, window.view(view).sentence, after[name])
                continue
            click_on(window, window.workspace.pane(view).more)
            set_in_form(window, qtbot, window.options_popup.options_form, name, after[name])
            window.options_popup.hide()
    wait_for_worker(window.model)
    settle(window.model)
    if wanted.reference != opened.reference and "distances" in window.model.state.panes.views:
        reference = window.view("distances").header.lines["reference"]
        enter_text(qtbot, reference, f"{wanted.reference}")
        settle(window.model)
    if "reference" in names and "properties" in window.model.state.panes.views:
        click_cell(window.view("properties"), "Distance grows")
    elif {"position", "dimension"} & names:
        place = {name: getattr(wanted, name) for name in ("position", "dimension") if name in names}
        click_at(window, **{"position": window.model.state.start, **place})
    if wanted.position != window.model.state.position and not window.lesson_walk.is_done:
        enter_text(qtbot, window.transport.position, f"{wanted.position}")
        settle(window.model)


def do_something_else(window):
    """Move the cursor and change the range, so that the check does not hold."""
    step, state = window.lesson_walk.step, window.model.state
    others = ({"position": 1}, {"count": 7}, {"dimension": 1}, {"reference": 3})
    changed = [state.with_(**fields) for fields in others]
    window.model.replace(next(c for c in changed if c != state and not step.is_done(c)))
    settle(window.model)


def check_width(window, when):
    """Check that the words of a lesson are no wider than the panel."""
    page = window.right_panel.pages().explanation.page
    QApplication.processEvents()
    assert page.widget().width() <= page.viewport().width(), when


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", lessons())
def test_who_does_what_is_asked_by_hand_comes_to_the_end_and_who_does_not_stays(
    window, qtbot, name
):
    page, walk, lesson = begin(window, name), window.lesson_walk, lessons()[name]
    for place, step in enumerate(lesson.steps):
        assert (walk.number, walk.step) == (place, step)
        assert window.exhibit_walk.exhibit is step.exhibit
        opened = window.model.state
        assert step.exhibit.matches(opened)
        check_width(window, f"step {place} as it begins")
        if step.guess:
            click_on(window, page.guess.skip_button)
        for do in (settle, lambda: do_something_else(window)):
            do()
            assert not walk.is_done, place
            assert not page.next_step_button.isEnabled(), place
            window.centre.strip.go_forward()
            walk.go_forward()
            settle(window.model)
            assert walk.number == place
            assert walk.find_progress(name).completed_steps == set(range(place))
        window.model.replace(opened)
        wait_for_worker(window.model)
        do_by_hand(window, qtbot, step)
        assert walk.is_done, step.do
        assert page.next_step_button.isEnabled()
        assert page.shows.isVisibleTo(page)
        shown = page.shows.text(), page.answer.text()
        assert shown[0]
        check_width(window, f"step {place} when it is done")
        window.model.replace(opened)
        settle(window.model)
        assert (page.shows.text(), page.answer.text()) == shown, "later changes keep the result"
        if place == len(lesson.steps) - 1:
            click_on(window, page.ending.choices[int(lesson.ending.truth)])
            assert "Right" in page.end.text()
            assert lesson.answer in page.end.text()
            check_width(window, "the end")
        trigger(window, "next_exhibit")
        assert message_boxes(window) == [], "a changed exhibit is not asked about"
    assert walk.lesson is None
    assert window.centre.has_gallery
    count = len(lesson.steps)
    assert walk.find_progress(name).completed_steps == set(range(count))
    window.centre.page.fill()
    card = window.centre.page.lesson_cards[name]
    assert f"{count} of {count} steps done" in card.accessibleName()


# -- steps -------------------------------------------------------------------------------------


def test_a_step_can_be_skipped_and_the_keys_go_no_further_than_what_is_done(window):
    page, walk = begin(window), window.lesson_walk
    click_on(window, page.skip_button)
    assert (walk.number, walk.progress.completed_steps) == (1, frozenset())
    click_on(window, page.back_button)
    assert walk.number == 0
    assert not page.back_button.isEnabled()
    press_key(window, window.find_active_view(), Qt.Key.Key_PageDown, ALT)
    assert walk.number == 0
    assert "not complete" in window.status_bar.currentMessage()
    do_what_is_asked(window)
    press_key(window, window.find_active_view(), Qt.Key.Key_PageDown, ALT)
    assert walk.number == 1
    press_key(window, window.find_active_view(), Qt.Key.Key_PageUp, ALT)
    assert walk.number == 0
    assert walk.is_done, "what was done stays done"


def test_at_its_end_a_lesson_begins_again_or_leads_to_the_next(window):
    lesson = next(each for each in lessons().values() if each.next)
    last = len(lesson.steps) - 1
    for button, name, number in (
        ("repeat_button", lesson.id, 0),
        ("next_lesson_button", lesson.next, 0),
    ):
        page = begin(window, lesson.id, at=last)
        do_what_is_asked(window)
        assert window.lesson_walk.progress.completed_steps == {last}
        assert not getattr(page, button).isVisible(), "first the last sentence"
        click_on(window, page.ending.choices[0])
        click_on(window, getattr(page, button))
        assert (window.lesson_walk.lesson.id, window.lesson_walk.number) == (name, number)
        assert window.lesson_walk.progress == LessonProgress()
    window.settings.change(lessons={lesson.id: LessonProgress(99)})  # of a lesson with more steps
    begin(window, lesson.id)
    assert window.lesson_walk.number == last


def test_unsaved_work_is_asked_about_once_and_cross_and_undo_lead_out(window):
    walk, strip = window.lesson_walk, window.centre.strip
    encode(window, base=77)
    before = window.model.state
    begin(window)
    assert walk.lesson is None
    answer_message(window, DISCARD)
    assert walk.lesson is lessons()["waves"]
    window.editing.undo()
    settle(window.model)
    assert window.model.state == before
    assert walk.lesson is None
    assert not strip.isVisible()
    begin(window)
    answer_message(window, DISCARD)
    walk.skip()
    settle(window.model)
    assert message_boxes(window) == []
    assert walk.number == 1
    click_on(window, strip.close_button)
    assert walk.lesson is None
    assert strip.isVisible(), "the exhibit stays"
    click_on(window, strip.close_button)
    assert not strip.isVisible()


def test_a_near_miss_explains_what_is_missing():
    """For each near miss some settings are found that are one, by the names that it compares."""
    for name, place, step in STEPS:
        for miss in step.near:
            state = near_miss(step, miss)
            assert state, (name, place)
            opened = resolve(step.exhibit.exploration, DirectStore())
            texts = step.format_texts(opened, resolve(state, DirectStore()))
            assert texts.near == miss.text, (name, place)


def near_miss(step, miss):
    """Return an exploration that a near miss is about, and that is not what the step asks."""
    pick = Random(miss.text)
    settings = {**OTHER_SETTINGS, "position": lambda pick: pick.randrange(70)}
    earlier = step.near[: step.near.index(miss)]
    for _ in range(2000):
        try:
            state = doing(step._replace(check=miss.check), pick)
            two = pick.sample(sorted(settings), 2)
            for name in pick.choice(([], ["position"], ["position", "count"], two)):
                state = with_settings(state, {name: settings[name](pick)})
        except (ParameterError, LookupError, AttributeError, TypeError):
            continue  # this encoding has no such parameter
        checks = [step.check, *(item.check for item in earlier)]
        if miss.check.holds(state) and not any(check.holds(state) for check in checks):
            return state
    return None


# -- guesses -----------------------------------------------------------------------------------


def test_a_number_is_guessed_first_and_compared_with_the_truth(window, qtbot):
    name, place, step = next(each for each in STEPS if is_typed(each[2].guess))
    page, guess = begin(window, name, at=place), step.guess
    explanation = window.right_panel.pages().explanation.page
    words = explanation.exhibit, explanation.guide
    assert page.guess.isVisible()
    assert not page.guess.slider.isVisible()
    assert not page.do.isVisible(), "first the guess"
    assert not any(part.isVisible() for part in words), "they may tell what is asked"
    for text in ("", "many", "nan", "1e999", "0,5"):
        page.guess.field.setText(text)
        click_on(window, page.guess.guess_button)
        assert page.guess.isVisible()
        assert page.guess.problem_label.isVisible(), text
        assert "0.5" in page.guess.problem_label.text()
    assert window.lesson_walk.progress.guesses == {}
    page.guess.field.clear()
    qtbot.keyClicks(page.guess.field, f"60,611 {guess.unit}")
    qtbot.keyClick(page.guess.field, Qt.Key.Key_Return)
    assert not page.guess.isVisible()
    assert page.do.isVisible()
    assert f"60,611 {guess.unit}" in page.answer.text()
    do_what_is_asked(window)
    assert "too large" in page.answer.text()
    assert f"{guess.truth:,.0f} {guess.unit}" in page.answer.text()
    assert "because" in page.answer.text()
    window.lesson_walk.go_forward()
    window.lesson_walk.skip()
    assert not any(part.isVisible() for part in words), "a step stands alone"
    window.lesson_walk.leave()
    assert all(part.isVisible() for part in words)


def is_typed(guess):
    return guess is not None and not (guess.choices or guess.powers)


def test_a_slider_sets_the_order_of_magnitude(window, qtbot):
    name, place, step = next(each for each in STEPS if each[2].guess and each[2].guess.powers)
    page, guess = begin(window, name, at=place).guess, step.guess
    assert page.slider.isVisible()
    page.slider.setFocus()
    qtbot.keyClick(page.slider, Qt.Key.Key_End)
    assert float(page.field.text().replace(",", "")) == 10.0 ** guess.powers[1]
    qtbot.keyClick(page.slider, Qt.Key.Key_PageDown)
    assert float(page.field.text().replace(",", "")) == 10.0 ** (guess.powers[1] - 1)
    click_on(window, page.guess_button)
    (stored,) = window.lesson_walk.progress.guesses.values()
    assert float(stored) == 10.0 ** (guess.powers[1] - 1)


def test_nothing_on_the_screen_answers_a_guess(window):
    for name, place, step in STEPS:
        if step.guess is None or step.guess.choices:
            continue
        page = begin(window, name, at=place)
        question, truth = page.guess.question.text(), f"{step.guess.truth:,}"
        widgets = [*window.findChildren(QLabel), *window.findChildren(QAbstractButton)]
        views = [view for view in window.workspace.built_views.values() if view.isVisible()]
        texts = [each.text() for each in widgets if each.isVisible()]
        texts += [view.status for view in views] + [window.status_bar.currentMessage()]
        if truth not in numbers_in(question):
            mentions = [text for text in texts if truth in numbers_in(text)]
            assert all(text.startswith("Step ") for text in mentions if text != question), mentions
        for view in views:
            assert not [w for w in view.children() if w.objectName().startswith("point.")]


def test_a_choice_is_guessed_and_compared_with_the_truth(window):
    name, place, step = next(each for each in STEPS if each[2].guess and each[2].guess.choices)
    page, guess = begin(window, name, at=place), step.guess
    buttons = [button for button in page.guess.choices if button.isVisible()]
    assert tuple(button.label.text() for button in buttons) == guess.choices
    wrong, right = (
        guess.choices[n].removesuffix(".") for n in (int(guess.truth) - 1, int(guess.truth))
    )
    click_on(window, buttons[int(guess.truth) - 1])
    assert wrong in page.answer.text()
    assert right not in page.answer.text()
    do_what_is_asked(window)
    assert right in page.answer.text()


def test_leaving_and_coming_back_loses_nothing(qapp, tmp_path):
    place = next(place for name, place, step in STEPS if name == "waves" and is_typed(step.guess))
    with running_window(tmp_path / "settings.ini") as window:
        begin(window, at=place)
        window.lesson_walk.store_guess("12")
        do_what_is_asked(window)
        window.lesson_walk.go_forward()
    with running_window(tmp_path / "settings.ini") as window:
        page, walk = begin(window), window.lesson_walk
        assert walk.number == place + 1
        walk.go_back()
        settle(window.model)
        assert walk.is_done
        assert "12" in page.answer.text()
        assert window.settings.notes == ()
