"""A step of a lesson as the user stands at it, and the page with its words and buttons."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSize, Qt, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from pe_explorer.params import capitalised, format_real
from pe_explorer.params.number_text import SpellingError, real_number
from pe_explorer.widgets.labels import text_label
from pe_explorer.widgets.layouts import column_in, row_in

if TYPE_CHECKING:
    from pe_explorer.gallery.lessons import Guess, Lesson, Step, StepTexts


GAP, _GAP_BEFORE_HEADING = 6, 12
_LEAST_HEIGHT = 26
_BUTTON_MARGINS = (8, 4, 8, 4)  # pixels around the words of a button
_CHOICES = 3
_NO_NUMBER = "Type a number, such as 12 or 0.5."
_ANSWERED = "The question of this lesson: {}"


def heading(text: str) -> QLabel:
    """Return a heading, with a gap above it."""
    label = text_label("accent", text, bold=True)
    label.setContentsMargins(0, _GAP_BEFORE_HEADING - GAP, 0, 0)
    return label


class WrappedButton(QPushButton):
    """A button whose words take as many lines as they need."""

    def __init__(self) -> None:
        super().__init__()
        # No focus by a click: Space then plays, and does not press it again.
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
        """Return the words; Qt itself paints none."""
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
    """A step of a lesson and how far the user has come."""

    lesson: Lesson
    texts: StepTexts  # for the present picture
    number: int  # of the step, from 1 on
    of: int  # how many there are
    step: Step
    done: bool  # whether its task is done
    asked: bool  # whether a guess was made or skipped, or the step has none
    guess: str = ""  # a number, or the place of a choice; empty for none

    @property
    def waits(self) -> bool:
        """Whether the step waits for a guess."""
        return not (self.asked or self.done)


class LessonPage(QWidget):
    """A step of a lesson: a guess, then the task; once it is done, what it shows."""

    guessed = Signal(str)  # a number, the place of a choice, or an empty text to skip it
    on_asked = Signal()  # to the next step
    back_asked = Signal()
    skip_asked = Signal()
    again_asked = Signal()
    next_asked = Signal()  # to the next lesson

    def __init__(self) -> None:
        super().__init__()
        self._shown: LessonStep | None = None
        self.place = text_label("muted", scale=0.9)
        self.title = text_label("text", scale=1.2, bold=True)
        self.idea = text_label("text")
        self.guess = _GuessQuestion()
        self.guess.guessed.connect(self.guessed)
        self._do_heading = heading("Do this")
        self.do = text_label("text")
        self.now = text_label("text", bold=True)
        self.near = text_label("muted")
        self._shows_heading = heading("Done: what it shows")
        self.shows = text_label("text")
        self.answer = text_label("text", bold=True)
        self._end_heading = heading("")
        self.end = text_label("text")
        self.again_button = _button("Again", "Begins this lesson again.", self.again_asked)
        self.next_button = _button("Next lesson", "Begins the next lesson.", self.next_asked)
        back = "Goes to the previous step (Alt+PageUp)."
        self.back_button = _button("Back", back, self.back_asked)
        skip = "Goes to the next step; this one is not counted as done."
        self.skip_button = _button("Skip step", skip, self.skip_asked)
        on = "Goes to the next step (Alt+PageDown)."
        self.on_button = _button("Next", on, self.on_asked)
        task = (self.place, self.title, self.idea, self.guess, self._do_heading, self.do)
        done = (self.now, self.near, self._shows_heading, self.shows, self.answer)
        column = column_in(self, *task, *done, self._end_heading, self.end, spacing=GAP)
        column.addLayout(_row(self.again_button, self.next_button))
        column.addLayout(_row(self.back_button, None, self.skip_button, self.on_button))

    def display(self, there: LessonStep) -> None:
        if there == self._shown:
            return
        before, self._shown, step = self._shown, there, there.step
        if before is None or before.step is not step:
            self.guess.begin(step.guess)
        self.place.setText(f"Step {there.number} of {there.of}")
        self.title.setText(there.lesson.title)
        self.idea.setText(step.idea)
        self.guess.setVisible(there.waits)
        may_do = not there.waits
        self._do_heading.setVisible(may_do)
        self.do.setVisible(may_do)
        self.do.setText(step.do)
        for label, text in ((self.now, there.texts.now), (self.near, there.texts.near)):
            label.setText(text)
            label.setVisible(bool(text) and may_do)
        self._shows_heading.setVisible(there.done)
        self._shows_heading.setText("Done: what it shows" if there.texts.shows else "Done")
        self.shows.setVisible(bool(there.texts.shows))
        self.shows.setText(there.texts.shows)
        self._show_answer(there)
        is_last = there.number == there.of
        ends = is_last and there.done
        self._end_heading.setText(_ANSWERED.format(there.lesson.question))
        self.end.setText(there.lesson.answer)
        for widget in (self._end_heading, self.end, self.again_button):
            widget.setVisible(ends)
        self.next_button.setVisible(ends and bool(there.lesson.next))
        self.on_button.setText("Finish" if is_last else "Next")
        self.on_button.setEnabled(there.done)
        self.back_button.setEnabled(there.number > 1)
        self.skip_button.setVisible(not there.done)

    def _show_answer(self, there: LessonStep) -> None:
        guess = there.step.guess
        said = ""
        if guess and there.guess:
            said = f"You guessed {_in_words(guess, there.guess)}."
        if guess and there.done:
            said = f"{said} The answer: {_in_words(guess, format_real(guess.truth))}.".lstrip()
        self.answer.setText(said)
        self.answer.setVisible(bool(said))


class _GuessQuestion(QWidget):
    """A question that the picture answers later: a number to type, or three choices."""

    guessed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.question = text_label("text")
        self.field = QLineEdit()
        self.field.setAccessibleName("Your guess")
        self.field.setMaxLength(20)
        self.field.returnPressed.connect(self._take_number)
        keep = "Keeps the guess, to compare it with the truth."
        self.take_button = _button("Guess", keep, self._take_number)
        self._number = QWidget()
        row_in(self._number, self.field, self.take_button).setStretch(0, 1)
        self.refusal = text_label("muted", _NO_NUMBER, scale=0.9)
        self.choices = [WrappedButton() for _ in range(_CHOICES)]
        skip = "Shows what to do at once."
        self.skip_button = _button("Go on without a guess", skip, self._skip)
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
        for place, button in enumerate(self.choices):
            button.setVisible(bool(guess.choices))
            button.set_words(guess.choices[place] if guess.choices else "")

    @Slot()
    def _take_number(self) -> None:
        said = _NO_NUMBER
        try:
            number = real_number(self.field.text())
        except SpellingError as error:
            number = math.nan
            if error.remedy:
                said = f"{capitalised(str(error))}."
        if math.isfinite(number):
            self.guessed.emit(format_real(number))
        else:
            self.refusal.setText(said)
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
    """Return buttons side by side; None is the room between them."""
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
    # No focus by a click: Space then plays, and does not press it again.
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    # Three of them have room beside each other in a narrow panel.
    button.setMinimumWidth(button.fontMetrics().horizontalAdvance(text) + 16)
    return button
