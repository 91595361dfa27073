"""A lesson step with the user's progress, and its page with text and buttons."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from pe_explorer.params import capitalised, format_real, with_full_stop
from pe_explorer.params.number_text import SpellingError, real_number
from pe_explorer.widgets.labels import text_label
from pe_explorer.widgets.layouts import lay_out_column, lay_out_row

if TYPE_CHECKING:
    from pe_explorer.gallery.lessons import Guess, Lesson, Step, StepTexts


GAP = 6  # pixels between widgets
_MIN_HEIGHT = 26  # pixels
_BUTTON_MARGINS = (8, 4, 8, 4)  # padding of a button in pixels
_CHOICE_COUNT = 3
_NUMBER_HELP = "Type a number, such as 12 or 0.5."


def heading(text: str) -> QLabel:
    """Return a heading with a gap above."""
    label = text_label("accent", text, bold=True)
    label.setContentsMargins(0, 6, 0, 0)
    return label


class WrappedButton(QPushButton):
    """A button with word-wrapped text."""

    def __init__(self) -> None:
        super().__init__()
        # A click does not set the focus, so that Space plays instead of pressing the button again.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.label = text_label("text")
        self.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        lay_out_column(self, self.label, margins=_BUTTON_MARGINS)

    def set_words(self, words: str) -> None:
        self.label.setText(words)
        self.setAccessibleName(words)
        self.updateGeometry()

    def text(self) -> str:
        """Return the text of the label, because Qt's own text is empty."""
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
    number: int  # number of the step, from 1
    step_count: int
    step: Step
    is_done: bool  # whether the task is done
    is_guess_settled: bool  # whether the user made or skipped a guess, or the step has no question
    guess: str = ""  # a number, or the index of a choice; empty for no guess


class LessonPage(QWidget):
    """A lesson step: a guess, then the task, then an explanation after the task is done."""

    guessed = Signal(str)  # a number, the index of a choice, or an empty string for a skipped guess
    next_step_requested = Signal()
    back_requested = Signal()
    skip_requested = Signal()
    repeat_requested = Signal()
    next_lesson_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._lesson_step: LessonStep | None = None
        self.place = text_label("muted", scale=0.9)
        self.title = text_label("text", scale=1.2, bold=True)
        self.idea = text_label("text")
        self.guess = _GuessQuestion()
        self.guess.guessed.connect(self.guessed)
        self._do_heading = heading("Do this")
        self.do = text_label("text")
        self.now = text_label("text", bold=True)
        self.near = text_label("muted")
        self._shows_heading = heading("Done: what this shows")
        self.shows = text_label("text")
        self.answer = text_label("text", bold=True)
        self._end_heading = heading("")
        self.end = text_label("text")
        help_text = "Begin this lesson again."
        self.repeat_button = _button("Repeat lesson", help_text, self.repeat_requested)
        help_text = "Begin the next lesson."
        self.next_lesson_button = _button("Next lesson", help_text, self.next_lesson_requested)
        back_help = "Go to the previous step (Alt+PageUp)."
        self.back_button = _button("Back", back_help, self.back_requested)
        help_text = "Go to the next step without completing this step."
        self.skip_button = _button("Skip step", help_text, self.skip_requested)
        help_text = "Go to the next step when this step is complete (Alt+PageDown)."
        self.next_step_button = _button("Next", help_text, self.next_step_requested)
        task = (self.place, self.title, self.idea, self.guess, self._do_heading, self.do)
        result = (self.now, self.near, self._shows_heading, self.shows, self.answer)
        column = lay_out_column(self, *task, *result, self._end_heading, self.end, spacing=GAP)
        column.addLayout(_row(self.repeat_button, self.next_lesson_button))
        column.addLayout(_row(self.back_button, None, self.skip_button, self.next_step_button))

    def display(self, lesson_step: LessonStep) -> None:
        if lesson_step == self._lesson_step:
            return
        previous, self._lesson_step, step = self._lesson_step, lesson_step, lesson_step.step
        if previous is None or previous.step is not step:
            self.guess.begin(step.guess)
        lesson, texts, is_done = lesson_step.lesson, lesson_step.texts, lesson_step.is_done
        self.place.setText(f"Step {lesson_step.number} of {lesson_step.step_count}")
        self.title.setText(lesson.title)
        self.idea.setText(step.idea)
        shows_task = lesson_step.is_guess_settled or is_done
        self.guess.setVisible(not shows_task)
        self._do_heading.setVisible(shows_task)
        self.do.setVisible(shows_task)
        self.do.setText(step.do)
        answer = ""
        if step.guess and lesson_step.guess:
            answer = f"You guessed {_describe(step.guess, lesson_step.guess)}."
        if step.guess and is_done:
            truth = _describe(step.guess, format_real(step.guess.truth))
            answer = f"{answer} The answer: {truth}.".lstrip()
        for label, text, is_shown in (
            (self.now, texts.now, shows_task),
            (self.near, texts.near, shows_task),
            (self.shows, texts.shows, True),
            (self.answer, answer, True),
        ):
            label.setText(text)
            label.setVisible(is_shown and bool(text))
        self._shows_heading.setVisible(is_done)
        self._shows_heading.setText("Done: what this shows" if texts.shows else "Done")
        is_last = lesson_step.number == lesson_step.step_count
        self._end_heading.setText(f"This lesson's question: {lesson.question}")
        self.end.setText(lesson.answer)
        for widget in (self._end_heading, self.end, self.repeat_button):
            widget.setVisible(is_last and is_done)
        self.next_lesson_button.setVisible(is_last and is_done and bool(lesson.next))
        self.next_step_button.setText("Finish" if is_last else "Next")
        self.next_step_button.setEnabled(is_done)
        self.back_button.setEnabled(lesson_step.number > 1)
        self.skip_button.setVisible(not is_done)


class _GuessQuestion(QWidget):
    """A question that the picture answers later, with a number field or three choices."""

    guessed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.question = text_label("text")
        self.field = QLineEdit(maxLength=20)
        self.field.setAccessibleName("Your guess")
        self.field.returnPressed.connect(self._submit_number)
        help_text = "Keep the guess to compare it with the answer."
        self.guess_button = _button("Guess", help_text, self._submit_number)
        self._number_row = QWidget()
        lay_out_row(self._number_row, self.field, self.guess_button).setStretch(0, 1)
        self.refusal = text_label("muted", _NUMBER_HELP, scale=0.9)
        self.choices = [WrappedButton() for _ in range(_CHOICE_COUNT)]
        help_text = "Show what to do in this step."
        self.skip_button = _button("Continue without a guess", help_text, self._skip)
        for button in self.choices:
            button.clicked.connect(self._submit_choice)
        top = (heading("Guess first"), self.question, self._number_row, self.refusal)
        lay_out_column(self, *top, *self.choices, self.skip_button, spacing=GAP)

    def begin(self, guess: Guess | None) -> None:
        self.field.clear()
        self.refusal.hide()
        if guess is None:
            return
        self.question.setText(guess.question)
        self._number_row.setVisible(not guess.choices)
        self.field.setPlaceholderText(guess.unit)
        for index, button in enumerate(self.choices):
            button.setVisible(bool(guess.choices))
            button.set_words(guess.choices[index] if guess.choices else "")

    @Slot()
    def _submit_number(self) -> None:
        problem = _NUMBER_HELP
        try:
            number = real_number(self.field.text())
        except SpellingError as error:
            number = math.nan
            if error.remedy:
                problem = with_full_stop(capitalised(str(error)))
        if math.isfinite(number):
            self.guessed.emit(format_real(number))
        else:
            self.refusal.setText(problem)
            self.refusal.show()

    @Slot()
    def _submit_choice(self) -> None:
        button = self.sender()
        assert isinstance(button, WrappedButton)
        self.guessed.emit(str(self.choices.index(button)))

    @Slot()
    def _skip(self) -> None:
        self.guessed.emit("")


def _describe(guess: Guess, answer: str) -> str:
    """Return an answer with its unit, or the text of a choice in quotation marks."""
    if not guess.choices:
        return f"{answer} {guess.unit}".rstrip()
    return f"“{guess.choices[int(float(answer)) % _CHOICE_COUNT]}”"


def _row(*buttons: QPushButton | None) -> QHBoxLayout:
    """Return a row of buttons; None stands for stretchable space."""
    row = QHBoxLayout()
    row.setContentsMargins(0, GAP, 0, 0)
    row.setSpacing(GAP)
    for button in buttons:
        if button is None:
            row.addStretch()
        else:
            row.addWidget(button)
    return row


def _button(text: str, help_text: str, slot: SignalInstance | Callable[[], None]) -> QPushButton:
    button = QPushButton(text)
    button.clicked.connect(slot)
    button.setToolTip(f"<p>{help_text}</p>")
    # A click does not set the focus, so that Space plays instead of pressing the button again.
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    # A small width leaves room for three buttons in a row.
    button.setMinimumWidth(button.fontMetrics().horizontalAdvance(text) + 16)
    return button
