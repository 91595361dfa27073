"""The open lesson, its step and the guesses of the user."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.settings.settings import SKIPPED, LessonProgress
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.window.exhibit_walk import ExhibitWalk
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model

if TYPE_CHECKING:
    from pe_explorer.gallery.lessons import Lesson, Step, StepTexts
    from pe_explorer.panels.lesson_page import LessonStep
    from pe_explorer.pictures.spots import Where


class LessonWalk(QObject):
    """Leads through the steps of a lesson: the next one is open once this one is done.

    A step is done as soon as its check holds. What was done and guessed is remembered in the
    settings, so that leaving and coming back loses nothing.
    """

    changed = Signal()
    """The open step has changed, was done, or has got a guess."""
    guessing = Signal(bool)
    """Whether the user has to guess now, so that nothing on the screen may show the answer."""
    ended = Signal()
    """The user has gone on from the last step."""

    def __init__(self, walk: ExhibitWalk, model: Model, settings: SettingsFile) -> None:
        super().__init__(walk)
        self._walk, self._model, self._settings = walk, model, settings
        self.lesson: Lesson | None = None
        """The lesson, None where nobody walks through any."""
        self.number = 0
        """The number of the step, counted from 0."""
        self._step_texts: StepTexts | None = None
        """The texts of the step for what is shown."""
        walk.changed.connect(self._follow_walk)
        model.changed.connect(self._receive_change)

    # -- state --------------------------------------------------------------------------------

    @property
    def step(self) -> Step | None:
        """The step of the lesson."""
        return None if self.lesson is None else self.lesson.steps[self.number]

    @property
    def done(self) -> bool:
        """Whether what the step asks has been done, now or at another time."""
        return self.lesson is not None and self.number in self.progress.done

    @property
    def places(self) -> tuple[Where | None, ...]:
        """The places that the words name: of the exhibit, or of a step that is done."""
        if self.step is None:
            return self._walk.texts.places if self._walk.texts else ()
        return (self.step.at,) if self._step_texts and self._step_texts.shows else ()

    @property
    def there(self) -> LessonStep | None:
        """The open step, None outside of lessons."""
        lesson, step = self.lesson, self.step
        if lesson is None or step is None or self._step_texts is None:
            return None
        from pe_explorer.panels.lesson_page import LessonStep

        guess = self.progress.guesses.get(self.number)
        return LessonStep(
            lesson=lesson,
            texts=self._step_texts,
            number=self.number + 1,
            of=len(lesson.steps),
            step=step,
            done=self.done,
            asked=step.guess is None or guess is not None,
            guess=guess if guess and guess != SKIPPED else "",
        )

    @property
    def progress(self) -> LessonProgress:
        """The progress of the user in the lesson."""
        return self.progress_of(self.lesson.id if self.lesson else "")

    def progress_of(self, name: str) -> LessonProgress:
        """Return the progress of the user in a lesson."""
        return self._settings.settings.lessons.get(name, LessonProgress())

    # -- what the user does --------------------------------------------------------------------

    def begin(self, name: str) -> None:
        """Begin a lesson, or continue where the user left it."""
        from pe_explorer.gallery.lessons import find_lesson

        lesson = find_lesson(name)
        at = min(self.progress_of(name).at, len(lesson.steps) - 1)
        self._go_to(lesson, at, asked_for=True)

    @Slot()
    def go_on(self) -> None:
        """Go to the next step, if this one is done."""
        if self.done:
            self.skip()

    @Slot()
    def skip(self) -> None:
        """Go to the next step, whether this one is done or not."""
        if self.lesson is None:
            return
        if self.number == len(self.lesson.steps) - 1:
            self.leave()
            self.ended.emit()
        else:
            self._go_to(self.lesson, self.number + 1)

    @Slot()
    def go_back(self) -> None:
        """Go to the step before."""
        if self.lesson is not None and self.number > 0:
            self._go_to(self.lesson, self.number - 1)

    @Slot()
    def begin_again(self) -> None:
        """Begin the lesson again, without guesses."""
        if self.lesson is not None:
            self._settings.change(lessons={self.lesson.id: LessonProgress()})
            self._go_to(self.lesson, 0)

    @Slot()
    def begin_next(self) -> None:
        """Begin the lesson after this one."""
        if self.lesson is not None and (name := self.lesson.next):
            self.begin(name)

    @Slot()
    def leave(self) -> None:
        """Leave the lesson; its exhibit stays open."""
        self.lesson = None
        self._announce()

    @Slot(str)
    def take_guess(self, guess: str) -> None:
        """Keep a guess, a number or the index of a choice; empty for none."""
        progress = self.progress
        guesses = {**progress.guesses, self.number: guess or SKIPPED}
        self._remember(progress._replace(guesses=guesses))

    # -- what happens --------------------------------------------------------------------------

    def _go_to(self, lesson: Lesson, number: int, *, asked_for: bool = False) -> None:
        begin = partial(self._begin, lesson, number)
        shown = self._walk.opened.emit if asked_for else None
        self._walk.show(lesson.steps[number].exhibit, shown, begin)

    def _begin(self, lesson: Lesson, number: int) -> None:
        """Be at a step, whose exhibit is shown next."""
        self.lesson, self.number = lesson, number
        self._settings.change(lessons={lesson.id: self.progress._replace(at=number)})

    @Slot()
    def _follow_walk(self) -> None:
        """Leave the lesson if another exhibit than that of its step is open."""
        exhibit, step = self._walk.exhibit, self.step
        if step is not None and (exhibit is None or exhibit.id != step.exhibit.id):
            self.lesson = None
        self._update_texts()

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        step, exhibit = self.step, self._walk.exhibit
        if step is None or exhibit is None or exhibit.id != step.exhibit.id:
            return
        if not self.done and step.done(new):
            progress = self.progress
            self._remember(progress._replace(done=progress.done | {self.number}))
        elif self._step_texts != step.texts_for(self._model.state, done=self.done):
            self._update_texts()

    def _remember(self, progress: LessonProgress) -> None:
        if self.lesson is not None:
            self._settings.change(lessons={self.lesson.id: progress})
            self._update_texts()

    def _update_texts(self) -> None:
        """Find what the step says now, and let everybody know."""
        step = self.step
        self._step_texts = step.texts_for(self._model.state, done=self.done) if step else None
        self._announce()

    def _announce(self) -> None:
        there = self.there
        self.guessing.emit(there is not None and not there.asked)
        self.changed.emit()


def done_in_words(lesson: Lesson, progress: LessonProgress) -> str:
    """Return how many steps were done, such as "3 of 10"."""
    done = len(progress.done & set(range(len(lesson.steps))))
    return f"{done} of {len(lesson.steps)}"
