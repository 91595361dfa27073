"""Lessons: sequences of exhibits with tasks, and checks whether a task is done.

Each lesson is a file in ``resources/gallery/lessons``; `problems` reports unusable files.
"""

from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration, Resolved
from pe_explorer.gallery import exhibits
from pe_explorer.gallery._entry import GalleryFolder, JsonEntry, load_folder, read_or_report
from pe_explorer.gallery.checks import Check, CheckError, parse
from pe_explorer.gallery.exhibits import Exhibit, SourceDocument, alternatives_of, place_of
from pe_explorer.gallery.sentences import Alternatives, first_text
from pe_explorer.gallery.tries import with_settings
from pe_explorer.params import ParameterError, not_one_of, quote_value
from pe_explorer.pictures.spots import ViewPlace

_DOCUMENT_LESSONS = ("000", "001", "002", "003", "004", "beyond")
_CHOICES = 3


class Guess(NamedTuple):
    """A question that the user answers before a step shows the truth."""

    question: str
    truth: float  # the correct number, or the index of the correct choice
    unit: str = ""  # the unit of the number; empty for choices
    choices: tuple[str, ...] = ()  # three answers; empty if the answer is a number


class NearMiss(NamedTuple):
    """A check for an almost correct answer, and a text that says what is missing."""

    check: Check
    text: str


class StepTexts(NamedTuple):
    """The texts of a step for an exploration; each can be empty."""

    now: str = ""  # the progress of the task
    near: str = ""  # the text of a near miss
    shows: str = ""  # a description of the current picture after the task is done


class Step(NamedTuple):
    """A step of a lesson: a task in an exhibit."""

    exhibit: Exhibit
    idea: str  # the idea of the step, with an explanation of new terms
    do: str  # the task
    check: Check  # the condition for completing the task
    now: Alternatives  # sentences on the progress of the task
    near: tuple[NearMiss, ...]
    shows: Alternatives  # sentences about the picture, written for the settings of `check`
    view_place: ViewPlace | None = None  # the place in a picture that `shows` is about
    guess: Guess | None = None  # the question before the task

    def is_done(self, state: Exploration) -> bool:
        """Return whether an exploration completes the task."""
        return self.check.holds(state)

    @property
    def completed_state(self) -> Exploration:
        """The exploration of the exhibit with the settings that the check requires."""
        return with_settings(self.exhibit.exploration, self.check.settings)

    def texts_for(self, state: Resolved, *, is_done: bool) -> StepTexts:
        """Return the texts for an exploration, before or after the task is done."""
        panes = self.exhibit.exploration.panes
        assert panes is not None
        if is_done:
            return StepTexts(shows=first_text(self.shows, self.completed_state, panes.views, state))
        now = first_text(self.now, self.exhibit.exploration, panes.views, state)
        near = (miss.text for miss in self.near if miss.check.holds(state))
        return StepTexts(now, next(near, ""))


class Lesson(NamedTuple):
    """A sequence of exhibits that answers a question; the source `document` can be empty."""

    id: str
    title: str
    about: str
    question: str
    answer: str
    document: SourceDocument
    steps: tuple[Step, ...]

    @property
    def next(self) -> str:
        """The id of the next lesson, or an empty string."""
        ids = list(lessons())
        return next(iter(ids[ids.index(self.id) + 1 :]), "") if self.id in ids else ""


def lessons() -> Mapping[str, Lesson]:
    """Return all lessons by id, in the order of the documents."""
    return _load_all().entries


def problems() -> tuple[str, ...]:
    """Return a sentence for each unusable file."""
    return _load_all().problems


def find_lesson(name: str) -> Lesson:
    """Return the lesson with a name; raise `ParameterError` if there is none."""
    if name in lessons():
        return lessons()[name]
    raise ParameterError("lesson", not_one_of(name, lessons()))


@cache
def _load_all() -> GalleryFolder[Lesson]:
    return load(asset("gallery/lessons"))


def load(folder: Path) -> GalleryFolder[Lesson]:
    """Return the lessons in a folder."""
    read = partial(read_or_report, kind="lesson", make=_lesson)
    return load_folder(folder, read, lambda lesson: (lesson.id not in _DOCUMENT_LESSONS, lesson.id))


def _lesson(name: str, entry: JsonEntry) -> Lesson:
    title, about, question, answer = map(entry.text, ("title", "about", "question", "answer"))
    document, steps = exhibits.document_of(entry), tuple(map(_step, entry.objects("steps")))
    if not steps:
        raise entry.error("steps", "is empty. Write at least one step")
    entry.end()
    return Lesson(name, title, about, question, answer, document, steps)


def _step(entry: JsonEntry) -> Step:
    try:
        exhibit = exhibits.find(entry.text("exhibit"))
    except ParameterError as error:
        raise entry.error("exhibit", error.problem) from None
    idea, do = entry.text("idea"), entry.text("do")
    check = _check(entry, exhibit)
    now = alternatives_of(entry, "now") if entry.has("now") else ()
    near = tuple(NearMiss(_check(miss), miss.text("text")) for miss in entry.objects("near"))
    shows = alternatives_of(entry, "shows")
    guess = _guess(entry.object("guess")) if entry.has("guess") else None
    return Step(exhibit, idea, do, check, now, near, shows, place_of(entry), guess)


def _check(entry: JsonEntry, exhibit: Exhibit | None = None) -> Check:
    text = entry.text("check")
    try:
        check = parse(text)
    except CheckError as error:
        raise entry.error("check", f"{quote_value(text)} {error}") from None
    if exhibit and check.holds(exhibit.exploration):
        raise entry.error("check", f"{quote_value(text)} is true before the task is done")
    return check


def _guess(entry: JsonEntry) -> Guess:
    question, choices, unit = entry.text("question"), entry.texts("choices"), ""
    if not choices:
        truth, unit = entry.number("truth"), entry.optional_text("unit")
    elif len(choices) == _CHOICES:
        truth = entry.integer("truth", 0, _CHOICES - 1)
    else:
        raise entry.error("choices", f"has {len(choices)} choices. Write {_CHOICES}")
    entry.end()
    return Guess(question, truth, unit, choices)
