"""A lesson step with the user's progress, and its page with text and buttons."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from pe_explorer.params import capitalised, ended, format_real
from pe_explorer.params.number_text import SpellingError, real_number
from pe_explorer.widgets.labels import text_label
from pe_explorer.widgets.layouts import column_in, row_in

if TYPE_CHECKING:
    from pe_explorer.gallery.lessons import Guess, Lesson, Step, StepTexts


GAP, _GAP_BEFORE_HEADING = 6, 12
_LEAST_HEIGHT = 26
_BUTTON_MARGINS = (8, 4, 8, 4)  # padding of a button in pixels
_CHOICES = 3
_NO_NUMBER = "Type a number, such as 12 or 0.5."
_ANSWERED = "This lesson's question: {}"


def heading(text: str) -> QLabel:
    """Return a heading with a gap above."""
    label = text_label("accent", text, bold=True)
    label.setContentsMargins(0, _GAP_BEFORE_HEADING - GAP, 0, 0)
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
        column_in(self, self.label, margins=_BUTTON_MARGINS)

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
        return max(_LEAST_HEIGHT, height + top + bottom)

    def sizeHint(self) -> QSize:
        width = self.label.sizeHint().width() + _BUTTON_MARGINS[0] + _BUTTON_MARGINS[2]
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, _LEAST_HEIGHT)


class LessonStep(NamedTuple):
    """A step of a lesson and the user's progress in it."""

    lesson: Lesson
    texts: StepTexts  # texts for the current picture
    number: int  # number of the step, from 1
    of: int  # the number of steps
    step: Step
    is_done: bool  # whether the task is done
    is_guess_settled: bool  # whether the user made or skipped a guess, or the step has no question
    guess: str = ""  # a number, or the index of a choice; empty for no guess

    @property
    def waits(self) -> bool:
        """Whether the step is waiting for a guess."""
        return not (self.is_guess_settled or self.is_done)


class LessonPage(QWidget):
    """A lesson step: a guess, then the task, then an explanation after the task is done."""

    guessed = Signal(str)  # a number, the index of a choice, or an empty string for a skipped guess
    on_requested = Signal()  # the user goes to the next step
    back_requested = Signal()
    skip_requested = Signal()
    again_requested = Signal()
    next_requested = Signal()  # the user goes to the next lesson

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
        self.again_button = _button(
            "Repeat lesson", "Begin this lesson again.", self.again_requested
        )
        self.next_button = _button("Next lesson", "Begin the next lesson.", self.next_requested)
        back_help = "Go to the previous step (Alt+PageUp)."
        self.back_button = _button("Back", back_help, self.back_requested)
        skip_help = "Go to the next step without completing this step."
        self.skip_button = _button("Skip step", skip_help, self.skip_requested)
        on_help = "Go to the next step when this step is complete (Alt+PageDown)."
        self.on_button = _button("Next", on_help, self.on_requested)
        task = (self.place, self.title, self.idea, self.guess, self._do_heading, self.do)
        result = (self.now, self.near, self._shows_heading, self.shows, self.answer)
        column = column_in(self, *task, *result, self._end_heading, self.end, spacing=GAP)
        column.addLayout(_row(self.again_button, self.next_button))
        column.addLayout(_row(self.back_button, None, self.skip_button, self.on_button))

    def display(self, lesson_step: LessonStep) -> None:
        if lesson_step == self._lesson_step:
            return
        previous, self._lesson_step, step = self._lesson_step, lesson_step, lesson_step.step
        if previous is None or previous.step is not step:
            self.guess.begin(step.guess)
        self.place.setText(f"Step {lesson_step.number} of {lesson_step.of}")
        self.title.setText(lesson_step.lesson.title)
        self.idea.setText(step.idea)
        self.guess.setVisible(lesson_step.waits)
        shows_task = not lesson_step.waits
        self._do_heading.setVisible(shows_task)
        self.do.setVisible(shows_task)
        self.do.setText(step.do)
        for label, text in ((self.now, lesson_step.texts.now), (self.near, lesson_step.texts.near)):
            label.setText(text)
            label.setVisible(bool(text) and shows_task)
        self._shows_heading.setVisible(lesson_step.is_done)
        self._shows_heading.setText("Done: what this shows" if lesson_step.texts.shows else "Done")
        self.shows.setVisible(bool(lesson_step.texts.shows))
        self.shows.setText(lesson_step.texts.shows)
        self._show_answer(lesson_step)
        is_last = lesson_step.number == lesson_step.of
        ends = is_last and lesson_step.is_done
        self._end_heading.setText(_ANSWERED.format(lesson_step.lesson.question))
        self.end.setText(lesson_step.lesson.answer)
        for widget in (self._end_heading, self.end, self.again_button):
            widget.setVisible(ends)
        self.next_button.setVisible(ends and bool(lesson_step.lesson.next))
        self.on_button.setText("Finish" if is_last else "Next")
        self.on_button.setEnabled(lesson_step.is_done)
        self.back_button.setEnabled(lesson_step.number > 1)
        self.skip_button.setVisible(not lesson_step.is_done)

    def _show_answer(self, lesson_step: LessonStep) -> None:
        guess = lesson_step.step.guess
        text = ""
        if guess and lesson_step.guess:
            text = f"You guessed {_in_words(guess, lesson_step.guess)}."
        if guess and lesson_step.is_done:
            text = f"{text} The answer: {_in_words(guess, format_real(guess.truth))}.".lstrip()
        self.answer.setText(text)
        self.answer.setVisible(bool(text))


class _GuessQuestion(QWidget):
    """A question that the picture answers later, with a number field or three choices."""

    guessed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.question = text_label("text")
        self.field = QLineEdit()
        self.field.setAccessibleName("Your guess")
        self.field.setMaxLength(20)
        self.field.returnPressed.connect(self._take_number)
        keep_help = "Keep the guess to compare it with the answer."
        self.take_button = _button("Guess", keep_help, self._take_number)
        self._number = QWidget()
        row_in(self._number, self.field, self.take_button).setStretch(0, 1)
        self.refusal = text_label("muted", _NO_NUMBER, scale=0.9)
        self.choices = [WrappedButton() for _ in range(_CHOICES)]
        skip_help = "Show what to do in this step."
        self.skip_button = _button("Continue without a guess", skip_help, self._skip)
        for button in self.choices:
            button.clicked.connect(self._take_choice)
        above = (heading("Guess first"), self.question, self._number, self.refusal)
        column_in(self, *above, *self.choices, self.skip_button, spacing=GAP)

    def begin(self, guess: Guess | None) -> None:
        self.field.clear()
        self.refusal.hide()
        if guess is None:
            return
        self.question.setText(guess.question)
        self._number.setVisible(not guess.choices)
        self.field.setPlaceholderText(guess.unit)
        for index, button in enumerate(self.choices):
            button.setVisible(bool(guess.choices))
            button.set_words(guess.choices[index] if guess.choices else "")

    @Slot()
    def _take_number(self) -> None:
        problem = _NO_NUMBER
        try:
            number = real_number(self.field.text())
        except SpellingError as error:
            number = math.nan
            if error.remedy:
                problem = ended(capitalised(str(error)))
        if math.isfinite(number):
            self.guessed.emit(format_real(number))
        else:
            self.refusal.setText(problem)
            self.refusal.show()

    @Slot()
    def _take_choice(self) -> None:
        button = self.sender()
        assert isinstance(button, WrappedButton)
        self.guessed.emit(str(self.choices.index(button)))

    @Slot()
    def _skip(self) -> None:
        self.guessed.emit("")


def _in_words(guess: Guess, answer: str) -> str:
    if not guess.choices:
        return f"{answer} {guess.unit}".rstrip()
    return f"“{guess.choices[int(float(answer)) % _CHOICES]}”"


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


def _button(
    text: str, help_text: str, receive_click: SignalInstance | Callable[[], None]
) -> QPushButton:
    button = QPushButton(text)
    button.clicked.connect(receive_click)
    button.setToolTip(f"<p>{help_text}</p>")
    # A click does not set the focus, so that Space plays instead of pressing the button again.
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    # A small width leaves room for three buttons in a row.
    button.setMinimumWidth(button.fontMetrics().horizontalAdvance(text) + 16)
    return button
