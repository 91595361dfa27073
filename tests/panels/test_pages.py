"""Pages of words by themselves: a step of a lesson, an exhibit, and what view they explain."""

from itertools import pairwise, product

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.gallery.exhibits import exhibits
from pe_explorer.gallery.lessons import Result, StepTexts, lessons
from pe_explorer.panels.explanation_page import ExhibitPage, ExplanationPage
from pe_explorer.panels.lesson_page import LessonPage, LessonStep

LEFT = Qt.MouseButton.LeftButton
STEPS = [
    (lesson, number, step)
    for lesson in lessons().values()
    for number, step in enumerate(lesson.steps, 1)
]
WITHOUT = (*STEPS[0][:2], STEPS[0][2]._replace(guess=None))
TYPED = next(each for each in STEPS if each[2].guess and not each[2].guess.choices)
CHOSEN = next(each for each in STEPS if each[2].guess and each[2].guess.choices)
LAST = next(each for each in reversed(STEPS) if each[1] == len(each[0].steps))
ENDS = next(each for each in STEPS if each[1] == len(each[0].steps) and each[0].next)


@pytest.fixture
def put(qtbot):
    """Return a function that shows a page."""

    def put(page):
        qtbot.addWidget(page)
        page.resize(340, 1200)
        with qtbot.waitExposed(page):
            page.show()
        page.activateWindow()
        return page

    return put


TEXTS = StepTexts("now", "near")


def there(place, texts=TEXTS, done=False, asked=True, guess="", ending=""):
    lesson, number, step = place
    result = Result("shows", "so it is") if done else None
    count = len(lesson.steps)
    return LessonStep(lesson, texts, result, number, count, step, done, asked, guess, ending)


def seen(parent):
    """Return the texts of labels that can be seen."""
    return [label.text() for label in parent.findChildren(QLabel) if label.isVisible()]


def test_a_step_shows_what_it_is_time_for(put):
    page = put(LessonPage())
    places = WITHOUT, TYPED, CHOSEN, LAST, ENDS
    for place, done, asked, ending in product(places, *2 * [(False, True)], ("", "0")):
        step = there(place, done=done, asked=asked, ending=ending)
        page.display(step)
        lesson, number, _ = place
        waits, is_last = not (done or asked), done and number == len(lesson.steps)
        ends = is_last and bool(ending)
        for part, is_seen in (
            (page.ending, is_last and not ending),
            (page.experiment_button, ends),
            (page.guess, waits),
            (page.do, not waits),
            (page.now, not (waits or done)),
            (page.near, not (waits or done)),
            (page.shows, done),
            (page.end, ends),
            (page.repeat_button, ends),
            (page.next_lesson_button, ends and bool(lesson.next)),
            (page.skip_button, not done),
        ):
            assert part.isVisible() == is_seen, (place[2].do, done, asked, part.text)
        assert page.title.font().bold()
        texts = [page.title.text(), page.idea.text(), page.do.text()]
        assert texts == [lesson.title, place[2].idea, place[2].do]
        assert page.end.text().endswith(lesson.answer)
        assert page.place.text().split()[1::2] == [f"{number}", f"{len(lesson.steps)}"]
        assert (page.back_button.isEnabled(), page.next_step_button.isEnabled()) == (
            number > 1,
            done,
        )
        assert any(lesson.question in text for text in seen(page)) == ends
        truth = place[2].guess and place[2].guess.truth
        assert page.answer.isVisible() == (done and truth is not None)
    page.display(there(WITHOUT, StepTexts()))
    for part in (page.now, page.near, page.shows, page.answer):
        assert not part.isVisible()


def test_a_question_has_a_field_or_three_choices_and_is_cleared_for_the_next(put, qtbot):
    page = put(LessonPage())
    for place in (TYPED, CHOSEN, TYPED):
        guess = place[2].guess
        page.display(there(WITHOUT))
        page.display(there(place, asked=False))
        question, choices = page.guess, [each for each in page.guess.choices if each.isVisible()]
        assert question.question.text() == guess.question
        assert tuple(each.text() for each in choices) == guess.choices
        assert question.field.isVisible() == question.guess_button.isVisible() == (not choices)
        assert not question.problem_label.isVisible()
        assert question.field.text() == ""
        if choices:
            for number, button in enumerate(choices):
                with qtbot.waitSignal(page.guessed) as guessed:
                    QTest.mouseClick(button, LEFT)
                assert guessed.args == [str(number)]
                page.display(there(place, guess=str(number)))
                assert guess.choices[number] in page.answer.text()
            continue
        assert question.field.placeholderText() == guess.unit
        question.field.setText("seven")
        QTest.mouseClick(question.guess_button, LEFT)
        assert question.problem_label.isVisible()
        question.field.setText("7.50")
        with qtbot.waitSignal(page.guessed) as guessed:
            QTest.keyClick(question.field, Qt.Key.Key_Return)
        assert guessed.args == ["7.5"]
    with qtbot.waitSignal(page.guessed) as guessed:
        QTest.mouseClick(page.guess.skip_button, LEFT)
    assert guessed.args == [""]


def test_buttons_of_a_step_lead_on_by_mouse_and_keys(put, qtbot):
    page = put(LessonPage())
    page.display(there(ENDS, done=True))
    page.display(there(ENDS, done=True))
    page.setFocus()
    buttons = (
        (page.repeat_button, page.repeat_requested),
        (page.next_lesson_button, page.next_lesson_requested),
        (page.back_button, page.back_requested),
        (page.next_step_button, page.next_step_requested),
    )
    for button, asked in buttons:
        with qtbot.waitSignal(asked):
            QTest.mouseClick(button, LEFT)
        assert not button.hasFocus()  # Space then plays
        assert button.width() >= button.fontMetrics().horizontalAdvance(button.text()) + 16
    right = [button.geometry().right() for button in (page.next_step_button, page.back_button)]
    assert right[0] > right[1]
    page.display(there(ENDS))
    with qtbot.waitSignal(page.skip_requested):
        QTest.mouseClick(page.skip_button, LEFT)
    for button, asked in (
        (page.skip_button, page.skip_requested),
        (page.back_button, page.back_requested),
    ):
        button.setFocus(Qt.FocusReason.TabFocusReason)
        with qtbot.waitSignal(asked):
            QTest.keyClick(button, Qt.Key.Key_Space)


def test_words_of_an_exhibit_are_those_that_hold(put, qtbot, sampled):
    words = put(ExhibitPage())
    for exhibit in sampled([*exhibits().values()], 12):
        whole = exhibit.format_texts(resolve(exhibit.exploration, DirectStore()))
        none = tuple("" for _ in whole.look)
        empty = whole._replace(note="", text="", truth="", look=none, is_fully_valid=False)
        for texts in (whole, empty):
            words.display(exhibit, texts)
            QApplication.processEvents()
            visible = seen(words)
            expected = [exhibit.title, texts.note, *texts.look, texts.text, texts.truth]
            expected += [exhibit.source, exhibit.summary]
            labels = [words.title, words.note, *(row.text for row in words.points[: len(none)])]
            labels += [words.text, words.truth, words.source, words.summary]
            assert [each.text() for each in labels] == expected
            assert [each.isVisible() for each in labels] == [bool(text) for text in expected]
            assert not any(row.isVisible() for row in words.points[len(none) :])
            numbers = [text for text in visible if text.isdigit()]
            assert numbers == [f"{n}" for n, text in enumerate(texts.look, 1) if text]
            assert words.restore_button.isVisible() == (not texts.is_fully_valid)
            rows = [row for row in words.tries if row.isVisible()]
            assert [row.button.text() for row in rows] == [each.label for each in exhibit.tries]
            for row, tried, outcome in zip(rows, exhibit.tries, texts.outcomes, strict=True):
                assert row.outcome.isVisible() == bool(outcome)
                hint = row.button.sizeHint()
                assert hint.height() == row.button.heightForWidth(hint.width()) >= 26
                assert row.button.accessibleName().partition(": ")[2] == tried.label
                assert row.button.accessibleDescription() == row.outcome.text() == outcome
                with qtbot.waitSignal(words.requested) as asked:
                    QTest.mouseClick(row.button, LEFT)
                assert asked.args == [tried._replace(outcome=outcome)]
    with qtbot.waitSignal(words.restore_requested):
        QTest.mouseClick(words.restore_button, LEFT)


def test_a_page_shows_a_view_below_its_exhibit_or_a_step_by_itself(put):
    page, state = put(ExplanationPage()), resolve(TYPED[2].exhibit.exploration, DirectStore())
    exhibit, bar = TYPED[2].exhibit, page.verticalScrollBar()
    assert page.title.font().bold()
    assert page.shows.font().pointSizeF() > page.about.font().pointSizeF()
    page.resize(340, 200)
    for given, parts in (
        ((exhibit, exhibit.format_texts(state), None), {page.guide, page.exhibit}),
        ((exhibit, exhibit.format_texts(state), there(TYPED)), {page.lesson}),
        ((None, None, there(WITHOUT)), {page.lesson}),
        ((None, None, None), {page.guide}),
    ):
        for view in ("heatmap", "waves"):
            page.explain(view, state)
        QApplication.processEvents()
        bar.setValue(bar.maximum())
        page.show_texts(*given)
        QApplication.processEvents()
        assert bar.value() == 0
        shown = {part for part in (page.guide, page.exhibit, page.lesson) if part.isVisible()}
        assert shown == parts
        points = [point for point in page.points if point.isVisible()]
        numbers = [text for point in points for text in seen(point) if text.isdigit()]
        assert len(numbers) == (len(points) if given[0] is None else 0)
    bar.setValue(bar.maximum())
    page.explain("heatmap", state)
    assert bar.value() == 0
    QApplication.processEvents()
    parts = [
        each for each in page.guide.children() if isinstance(each, QWidget) and each.isVisible()
    ]
    for (above, head), (_, below) in pairwise(pairwise(sorted(parts, key=QWidget.y))):
        if head.font().bold():  # a heading is nearer to its own text than to what is above it
            words = head.contentsRect().translated(head.pos())
            before = words.top() - above.geometry().bottom()
            assert before > below.geometry().top() - words.bottom()
