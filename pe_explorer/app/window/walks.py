"""The walks through the exhibits of the gallery and through the steps of lessons."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.document.document import Document
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.settings.settings import SKIPPED_GUESS, LessonProgress, SettingsFile
from pe_explorer.exploration import ResolvedState, changes
from pe_explorer.exploration.opened_model import OpenedModel
from pe_explorer.model import Model
from pe_explorer.model.steps import Steps

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit, ExhibitTexts
    from pe_explorer.gallery.lessons import Lesson, Result, Step, StepTexts
    from pe_explorer.panels.lesson_page import LessonStep
    from pe_explorer.pictures.spots import ViewPlace


_Hook = Callable[[], object] | None


class ExhibitWalk(QObject):
    """A walk through the exhibits, each of which opens in one undo step.

    An exhibit replaces the user's document with a new, unsaved document. The open exhibit is a
    field of the exploration, so undo restores the previous exhibit.
    """

    changed = Signal()  # the open exhibit was replaced, closed, changed or restored
    opened = Signal()  # the user has chosen an exhibit

    def __init__(self, model: Model, document: Document, files: FileActions) -> None:
        super().__init__(model)
        self._model, self._document, self._file_actions = model, document, files
        self.exhibit: Exhibit | None = None  # the open exhibit
        self.is_changed = False  # whether the user has changed the open exhibit
        self.texts: ExhibitTexts | None = None  # texts of the open exhibit for the current state
        model.changed.connect(self.follow)

    @property
    def place(self) -> tuple[int, int]:
        """The number of the open exhibit, counted from 1, and the number of exhibits.

        The first number is 0 if no exhibit is open.
        """
        ids = _list_exhibit_ids()
        exhibit = self.exhibit
        return (ids.index(exhibit.id) + 1 if exhibit and exhibit.id in ids else 0), len(ids)

    def open(self, name: str) -> None:
        """Open an exhibit by its id, after asking about unsaved changes of the user's document."""
        from pe_explorer.gallery.exhibits import find

        self.show(find(name), self.opened.emit)

    @Slot()
    def restore(self) -> None:
        if self.exhibit is not None:
            self.show(self.exhibit)

    @Slot()
    def leave(self) -> None:
        """Close the exhibit, and keep the exploration."""
        self._model.set(opened=None)
        self._model.emit_changes()

    @Slot()
    def go_forward(self) -> None:
        self._move(1)

    @Slot()
    def go_back(self) -> None:
        self._move(-1)

    def _move(self, steps: int) -> None:
        from pe_explorer.gallery.exhibits import find

        ids = _list_exhibit_ids()
        number, _ = self.place
        if ids and number:
            self.show(find(ids[(number - 1 + steps) % len(ids)]))
        elif ids:
            self.open(ids[0 if steps > 0 else -1])

    def show(self, exhibit: Exhibit, on_end: _Hook = None, on_begin: _Hook = None) -> None:
        """Show an exhibit unless the user cancels; call `on_begin` first and `on_end` last."""
        self._file_actions.begin(self._show(exhibit, on_end, on_begin))

    def _show(self, exhibit: Exhibit, on_end: _Hook, on_begin: _Hook) -> Steps[None]:
        # Do not ask about an unsaved exhibit, because undo can restore the exhibit.
        is_own_document = self.exhibit is None or self._document.saved_version.path is not None
        if is_own_document and not (yield from self._file_actions.save_or_discard()):
            return
        self._model.emit_changes()
        if on_begin is not None:
            on_begin()
        self._document.start_exploration(exhibit.exploration, exhibit.step)
        self.changed.emit()  # needed even if the same unchanged exhibit was open
        if on_end is not None:
            on_end()

    @Slot()
    def follow(self) -> None:
        """Update the open exhibit and its texts after a change of the model."""
        state, exhibit = self._model.state, None
        # The module for exhibits is slow to import.
        if not isinstance(state.opened, OpenedModel | None):
            from pe_explorer.gallery.exhibits import Exhibit

            exhibit = state.opened if isinstance(state.opened, Exhibit) else None
        is_changed = exhibit is not None and bool(changes(exhibit.exploration, state))
        texts = exhibit.format_texts(state) if exhibit else None
        if (exhibit, is_changed, texts) != (self.exhibit, self.is_changed, self.texts):
            self.exhibit, self.is_changed, self.texts = exhibit, is_changed, texts
            self.changed.emit()


def _list_exhibit_ids() -> list[str]:
    from pe_explorer.gallery.exhibits import exhibits

    return list(exhibits())


class LessonWalk(QObject):
    """A walk through the steps of a lesson.

    A step is done as soon as its check passes, and only then is the next step available. The text
    about the result describes the exploration that passed the check, and stays until the next step
    even if the user goes on changing the picture. The settings store completed steps and guesses,
    so that the user can continue later.
    """

    changed = Signal()  # the open step has changed, is done, or has a guess
    guess_pending_changed = Signal(
        bool
    )  # whether a guess is pending, so that the answer stays hidden
    ended = Signal()  # the user has completed the last step

    def __init__(self, walk: ExhibitWalk, model: Model, settings: SettingsFile) -> None:
        super().__init__(walk)
        self._walk, self._model, self._settings = walk, model, settings
        self.lesson: Lesson | None = None  # the open lesson
        self.number = 0  # number of the step, from 0
        self._initial_state: ResolvedState | None = (
            None  # the exploration with which the step began
        )
        self._step_texts: StepTexts | None = None  # texts of the step for the current state
        self._result: Result | None = None  # texts about the completed task, until the next step
        walk.changed.connect(self._receive_exhibit)
        model.changed.connect(self._receive_change)

    @property
    def step(self) -> Step | None:
        return None if self.lesson is None else self.lesson.steps[self.number]

    @property
    def is_done(self) -> bool:
        return self.lesson is not None and self.number in self.progress.completed_steps

    @property
    def places(self) -> tuple[ViewPlace | None, ...]:
        """The points in views that the text of the exhibit, or of a completed step, refers to."""
        if self.step is None:
            return self._walk.texts.places if self._walk.texts else ()
        return (self.step.view_place,) if self._result else ()

    @property
    def lesson_step(self) -> LessonStep | None:
        lesson, step = self.lesson, self.step
        if lesson is None or step is None or self._step_texts is None:
            return None
        from pe_explorer.panels.lesson_page import LessonStep

        guesses, count = self.progress.guesses, len(lesson.steps)
        guess = guesses.get(self.number, "")
        return LessonStep(
            lesson=lesson,
            texts=self._step_texts,
            result=self._result,
            number=self.number + 1,
            step_count=count,
            step=step,
            is_done=self.is_done,
            is_guess_settled=not step.guess or bool(guess),
            guess=guess if guess != SKIPPED_GUESS else "",
            ending=guesses.get(count, ""),
        )

    @property
    def progress(self) -> LessonProgress:
        return self.find_progress(self.lesson.id if self.lesson else "")

    def find_progress(self, name: str) -> LessonProgress:
        return self._settings.settings.lessons.get(name, LessonProgress())

    def begin(self, name: str) -> None:
        """Begin a lesson, or continue at the step that was opened last."""
        from pe_explorer.gallery.lessons import find_lesson

        lesson = find_lesson(name)
        number = min(self.find_progress(name).last_step, len(lesson.steps) - 1)
        self._go_to(lesson, number, self._walk.opened.emit)

    @Slot()
    def go_forward(self) -> None:
        if self.is_done:
            self.skip()

    @Slot()
    def skip(self) -> None:
        """Go to the next step, even if the current step is not done."""
        if self.lesson is None:
            return
        if self.number == len(self.lesson.steps) - 1:
            self.leave()
            self.ended.emit()
        else:
            self._go_to(self.lesson, self.number + 1)

    @Slot()
    def go_back(self) -> None:
        if self.lesson is not None and self.number > 0:
            self._go_to(self.lesson, self.number - 1)

    @Slot()
    def repeat(self) -> None:
        if self.lesson is not None:
            self._settings.change(lessons={self.lesson.id: LessonProgress()})
            self._go_to(self.lesson, 0)

    @Slot()
    def begin_next_lesson(self) -> None:
        if self.lesson is not None and (name := self.lesson.next):
            self.begin(name)

    @Slot()
    def leave(self) -> None:
        """Leave the lesson, and keep its exhibit open."""
        self.lesson = None
        self._emit_signals()

    @Slot(str)
    def store_guess(self, guess: str) -> None:
        """Store a guess: a number, the index of a choice, or an empty string to skip the guess."""
        guesses = {**self.progress.guesses, self.number: guess or SKIPPED_GUESS}
        self._store(self.progress._replace(guesses=guesses))

    @Slot(str)
    def store_ending(self, choice: str) -> None:
        """Store the index of the choice that completes the last sentence of the lesson."""
        if self.lesson is not None:
            guesses = {**self.progress.guesses, len(self.lesson.steps): choice}
            self._store(self.progress._replace(guesses=guesses))

    @Slot()
    def open_experiment(self) -> None:
        """Leave the lesson, and open the exhibit that the lesson suggests."""
        if self.lesson is not None:
            name = self.lesson.experiment.exhibit
            self.leave()
            self._walk.open(name)

    def _go_to(self, lesson: Lesson, number: int, on_end: _Hook = None) -> None:
        def begin() -> None:
            self.lesson, self.number = lesson, number
            self._settings.change(lessons={lesson.id: self.progress._replace(last_step=number)})
            self._initial_state = self._result = None

        self._walk.show(lesson.steps[number].exhibit, on_end, begin)

    @Slot()
    def _receive_exhibit(self) -> None:
        exhibit, step = self._walk.exhibit, self.step
        if step is not None and (exhibit is None or exhibit.id != step.exhibit.id):
            self.lesson = None
        self._update_texts()

    @Slot(object, object)
    def _receive_change(self, old: ResolvedState, new: ResolvedState) -> None:
        step, exhibit = self.step, self._walk.exhibit
        if step is None or exhibit is None or exhibit.id != step.exhibit.id:
            return
        if self._result is None and step.is_done(new):
            self._result = step.result(self._initial_state or new, new)
            completed_steps = self.progress.completed_steps | {self.number}
            self._store(self.progress._replace(completed_steps=completed_steps))
        elif self._step_texts != step.format_texts(self._initial_state or new, new):
            self._update_texts()

    def _store(self, progress: LessonProgress) -> None:
        if self.lesson is not None:
            self._settings.change(lessons={self.lesson.id: progress})
            self._update_texts()

    def _update_texts(self) -> None:
        step, state = self.step, self._model.state
        if step is not None and self._initial_state is None:
            self._initial_state = state
        self._step_texts = step.format_texts(self._initial_state or state, state) if step else None
        self._emit_signals()

    def _emit_signals(self) -> None:
        lesson_step = self.lesson_step
        self.guess_pending_changed.emit(
            lesson_step is not None and not lesson_step.is_guess_settled
        )
        self.changed.emit()
