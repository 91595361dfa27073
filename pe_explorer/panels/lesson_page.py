"""A lesson step with the user's progress, and its page with text and buttons."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QSlider, QWidget

from pe_explorer.params import capitalise, format_real, printed, with_full_stop
from pe_explorer.params.number_text import SpellingError, parse_real_number
from pe_explorer.widgets.labels import TintedLabel, make_text_label
from pe_explorer.widgets.layouts import lay_out_column, lay_out_row

if TYPE_CHECKING:
    from pe_explorer.gallery.lessons import Guess, Lesson, Result, Step, StepTexts


GAP = 6  # pixels between widgets
_MIN_HEIGHT = 26  # minimum height of a button in pixels
_BUTTON_MARGINS = (8, 4, 8, 4)  # padding of a button in pixels
_MAX_CHOICES = 4
_STEPS_PER_POWER = 10  # steps of a slider between two powers of ten
_NUMBER_HELP = "Type a number, such as 12 or 0.5."
_COMPLETED_TEXT = "You completed this step earlier. Repeat the task to see the explanation again."


def heading(text: str) -> TintedLabel:
    """Return a heading with a gap above."""
    label = make_text_label("accent", text, bold=True)
    label.setContentsMargins(0, 6, 0, 0)
    return label


class WrappedButton(QPushButton):
    """A button with word-wrapped text."""

    def __init__(self) -> None:
        super().__init__()
        # A click does not set the focus. Otherwise, Space would press the button again.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        # Long texts must wrap instead of widening the page, and the button must be tall enough.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.label = make_text_label("text")
        self.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        lay_out_column(self, self.label, margins=_BUTTON_MARGINS)

    def set_text(self, words: str) -> None:
        self.label.setText(words)
        self.setAccessibleName(words)
        self.updateGeometry()

    def text(self) -> str:
        """Return the text of the label, because the button's own text is empty."""
        return self.label.text()

    def heightForWidth(self, width: int) -> int:
        left, top, right, bottom = _BUTTON_MARGINS
        height = self.label.heightForWidth(width - left - right)
        return max(_MIN_HEIGHT, height + top + bottom)

    def sizeHint(self) -> QSize:
        width = self.label.sizeHint().width() + _BUTTON_MARGINS[0] + _BUTTON_MARGINS[2]
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _MIN_HEIGHT)


class LessonStep(NamedTuple):
    """A step of a lesson and the user's progress in it."""

    lesson: Lesson
    texts: StepTexts  # texts for the current picture
    result: Result | None  # texts about the completed task; None if it was completed earlier
    number: int  # number of the step, from 1
    step_count: int
    step: Step
    is_done: bool
    is_guess_settled: bool  # whether the user made or skipped a guess, or the step has no question
    guess: str = ""  # a number, or the index of a choice; empty if there is no guess
    ending: str = ""  # the index of the choice that completes the last sentence, or empty


class LessonPage(QWidget):
    """A lesson step: a guess, then the task, then an explanation after the task is done.

    After the last task, the user completes a sentence that answers the question of the lesson.
    """

    guessed = Signal(str)  # a number, the index of a choice, or an empty string for a skipped guess
    next_step_requested = Signal()  # the user goes to the next step
    back_requested = Signal()
    skip_requested = Signal()
    repeat_requested = Signal()
    next_lesson_requested = Signal()  # the user goes to the next lesson
    completed = Signal(str)  # the index of the choice that completes the last sentence
    experiment_requested = Signal()  # the user opens the exhibit that the lesson suggests

    def __init__(self) -> None:
        super().__init__()
        self._lesson_step: LessonStep | None = None
        self.place = make_text_label("muted", scale=0.9)
        self.title = make_text_label("text", scale=1.2, bold=True)
        self.idea = make_text_label("text")
        self.guess = _GuessQuestion("Guess first")
        self.guess.guessed.connect(self.guessed)
        self.ending = _GuessQuestion("Complete the sentence")
        self.ending.guessed.connect(self.completed)
        self.ending.skip_button.hide()
        self._task_heading = heading("Do this")
        self.do = make_text_label("text")
        self.now = make_text_label("text", bold=True)
        self.near = make_text_label("muted")
        self._result_heading = heading("Done: what this shows")
        self.shows = make_text_label("text")
        self.answer = make_text_label("text", bold=True)
        self._end_heading = heading("")
        self.end = make_text_label("text")
        self.experiment_button = WrappedButton()
        self.experiment_button.clicked.connect(self.experiment_requested)
        repeat_help = "Begin this lesson again."
        self.repeat_button = _make_button("Repeat lesson", repeat_help, self.repeat_requested)
        next_help = "Begin the next lesson."
        self.next_lesson_button = _make_button("Next lesson", next_help, self.next_lesson_requested)
        back_help = "Go to the previous step (Alt+PageUp)."
        self.back_button = _make_button("Back", back_help, self.back_requested)
        skip_help = "Go to the next step without completing this step."
        self.skip_button = _make_button("Skip step", skip_help, self.skip_requested)
        step_help = "Go to the next step when this step is complete (Alt+PageDown)."
        self.next_step_button = _make_button("Next", step_help, self.next_step_requested)
        task = (self.place, self.title, self.idea, self.guess, self._task_heading, self.do)
        result = (self.now, self.near, self._result_heading, self.shows, self.answer)
        ending = (self.ending, self._end_heading, self.end, self.experiment_button)
        column = lay_out_column(self, *task, *result, *ending, spacing=GAP)
        column.addLayout(_make_row(self.repeat_button, self.next_lesson_button))
        column.addLayout(_make_row(self.back_button, None, self.skip_button, self.next_step_button))

    def display(self, lesson_step: LessonStep) -> None:
        if lesson_step == self._lesson_step:
            return
        previous_step, self._lesson_step, step = self._lesson_step, lesson_step, lesson_step.step
        if previous_step is None or previous_step.step is not step:
            self.guess.begin(step.guess)
        self.place.setText(f"Step {lesson_step.number} of {lesson_step.step_count}")
        self.title.setText(lesson_step.lesson.title)
        self.idea.setText(step.idea)
        is_task_visible = lesson_step.is_guess_settled or lesson_step.is_done
        self.guess.setVisible(not is_task_visible)
        self._task_heading.setVisible(is_task_visible)
        self.do.setVisible(is_task_visible)
        self.do.setText(step.do)
        for label, text in ((self.now, lesson_step.texts.now), (self.near, lesson_step.texts.near)):
            label.setText(text)
            label.setVisible(bool(text) and is_task_visible and not lesson_step.result)
        result = lesson_step.result
        self._result_heading.setVisible(lesson_step.is_done)
        self._result_heading.setText("Done: what this shows" if result else "Done")
        self.shows.setVisible(lesson_step.is_done)
        self.shows.setText(result.shows if result else _COMPLETED_TEXT)
        answer = _format_answer(step.guess, lesson_step)
        self.answer.setText(answer)
        self.answer.setVisible(bool(answer))
        is_last = lesson_step.number == lesson_step.step_count
        ends = is_last and lesson_step.is_done
        lesson, ending = lesson_step.lesson, lesson_step.lesson.ending
        self.ending.setVisible(ends and not lesson_step.ending)
        if ends and not lesson_step.ending:
            self.ending.begin(ending)
        has_ended = ends and bool(lesson_step.ending)
        self._end_heading.setText(f"This lesson's question: {lesson.question}")
        feedback = ""
        if lesson_step.ending:
            verdict = ending.verdict(float(lesson_step.ending))
            feedback = f"{verdict}, because {ending.because}."
        self.end.setText(f"{feedback} {lesson.answer}".lstrip())
        self.experiment_button.set_text(lesson.experiment.text)
        for widget in (self._end_heading, self.end, self.repeat_button, self.experiment_button):
            widget.setVisible(has_ended)
        self.next_lesson_button.setVisible(has_ended and bool(lesson.next))
        self.next_step_button.setText("Finish" if is_last else "Next")
        self.next_step_button.setEnabled(lesson_step.is_done)
        self.back_button.setEnabled(lesson_step.number > 1)
        self.skip_button.setVisible(not lesson_step.is_done)

    @property
    def last_visible_widget(self) -> QWidget:
        """The widget to scroll to after a task: the final question or the next-step button."""
        return self.ending if self.ending.isVisible() else self.next_step_button


class _GuessQuestion(QWidget):
    """A question with a number field, a slider over powers of ten, or up to four choices."""

    guessed = Signal(str)

    def __init__(self, title: str) -> None:
        super().__init__()
        self._powers: tuple[int, ...] = ()
        self.question = make_text_label("text")
        self.field = QLineEdit()
        self.field.setAccessibleName("Your guess")
        self.field.setMaxLength(40)
        self.field.returnPressed.connect(self._submit_number)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName("Order of magnitude of your guess")
        self.slider.valueChanged.connect(self._show_slider_value)
        guess_help = "Record your guess to compare it with the answer."
        self.guess_button = _make_button("Guess", guess_help, self._submit_number)
        self._number_row = QWidget()
        lay_out_row(self._number_row, self.field, self.guess_button).setStretch(0, 1)
        self.problem_label = make_text_label("muted", _NUMBER_HELP, scale=0.9)
        self.choices = [WrappedButton() for _ in range(_MAX_CHOICES)]
        skip_help = "Show what to do in this step."
        self.skip_button = _make_button("Continue without a guess", skip_help, self._skip_guess)
        for button in self.choices:
            button.clicked.connect(self._submit_choice)
        above = (heading(title), self.question, self.slider, self._number_row, self.problem_label)
        lay_out_column(self, *above, *self.choices, self.skip_button, spacing=GAP)

    def begin(self, guess: Guess | None) -> None:
        self.field.clear()
        self.problem_label.hide()
        if guess is None:
            return
        self._powers = guess.powers
        self.question.setText(guess.question)
        self._number_row.setVisible(not guess.choices)
        self.slider.setVisible(bool(guess.powers))
        self.field.setPlaceholderText(guess.unit)
        if guess.powers:
            low, high = guess.powers
            self.slider.setRange(_STEPS_PER_POWER * low, _STEPS_PER_POWER * high)
            self.slider.setPageStep(_STEPS_PER_POWER)
            self.slider.setValue(_STEPS_PER_POWER * low)
        for index, button in enumerate(self.choices):
            has_choice = index < len(guess.choices)
            button.setVisible(has_choice)
            button.set_text(guess.choices[index] if has_choice else "")

    @Slot(int)
    def _show_slider_value(self, value: int) -> None:
        self.field.setText(printed.format_rounded(float(f"{10 ** (value / _STEPS_PER_POWER):.2g}")))

    @Slot()
    def _submit_number(self) -> None:
        problem = _NUMBER_HELP
        entry = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", self.field.text())  # 60,611 becomes 60611
        unit = self.field.placeholderText()
        entry = entry.strip().removesuffix(unit).removesuffix(unit.removesuffix("s"))
        try:
            number = parse_real_number(entry)
        except SpellingError as error:
            number = math.nan
            if error.remedy:
                problem = with_full_stop(capitalise(str(error)))
        if math.isfinite(number):
            self.guessed.emit(format_real(number))
        else:
            self.problem_label.setText(problem)
            self.problem_label.show()

    @Slot()
    def _submit_choice(self) -> None:
        button = self.sender()
        assert isinstance(button, WrappedButton)
        self.guessed.emit(str(self.choices.index(button)))

    @Slot()
    def _skip_guess(self) -> None:
        self.guessed.emit("")


def _format_answer(guess: Guess | None, lesson_step: LessonStep) -> str:
    """Return a sentence about the user's guess; after the task, also about the answer."""
    if guess is None:
        return ""
    answer = float(lesson_step.guess or "nan")
    if not lesson_step.is_done:
        return f"You guessed {guess.format_answer(answer)}." if lesson_step.guess else ""
    verdict = f"The answer: {guess.format_answer(guess.truth)}"
    if lesson_step.guess:
        verdict = guess.verdict(answer)
    because = lesson_step.result.because if lesson_step.result else ""
    return with_full_stop(f"{verdict}, because {because}" if because else verdict)


def _make_row(*buttons: QPushButton | None) -> QHBoxLayout:
    """Return a row of buttons, with stretchable space in the place of None."""
    row = QHBoxLayout()
    row.setContentsMargins(0, GAP, 0, 0)
    row.setSpacing(GAP)
    for button in buttons:
        if button is None:
            row.addStretch()
        else:
            row.addWidget(button)
    return row


def _make_button(text: str, tooltip: str, slot: SignalInstance | Callable[[], None]) -> QPushButton:
    button = QPushButton(text)
    button.clicked.connect(slot)
    button.setToolTip(f"<p>{tooltip}</p>")
    # A click does not set the focus. Otherwise, Space would press the button again.
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    # A small width leaves room for three buttons in a row.
    button.setMinimumWidth(button.fontMetrics().horizontalAdvance(text) + 16)
    return button
