"""Lessons: paths through exhibits, with a task at each step and a check that it is done.

Each is a file of ``resources/gallery/lessons``. One that is badly edited is named by `problems`,
and left out.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration, Resolved
from pe_explorer.gallery._entry import DamagedError, JsonEntry, files_in, read_entry
from pe_explorer.gallery.checks import Check, CheckError, parse
from pe_explorer.gallery.documents import SourceDocument, document_of
from pe_explorer.gallery.exhibits import Exhibit, alternatives_of, find, place_of
from pe_explorer.gallery.sentences import Alternatives, first_text
from pe_explorer.gallery.tries import with_settings
from pe_explorer.params import ParameterError, did_you_mean, quoted
from pe_explorer.pictures.spots import Where

_FOLDER = "gallery/lessons"
_LESSON_ORDER = ("000", "001", "002", "003", "004", "beyond")
_CHOICES = 3


class Guess(NamedTuple):
    """A question before a step shows the answer.

    Attributes
    ----------
    question : str
    truth : float
        The right number, or the place of the right choice, from 0 on.
    unit : str
        The unit of a number, empty for choices.
    choices : tuple of str
        Three answers; none where the answer is a number.
    """

    question: str
    truth: float
    unit: str = ""
    choices: tuple[str, ...] = ()


class NearMiss(NamedTuple):
    """A check for a near miss, and a text on what is missing."""

    check: Check
    text: str


class StepTexts(NamedTuple):
    """The texts of a step for an exploration, empty where there are none.

    Attributes
    ----------
    now : str
        How far the task is done.
    near : str
        What is missing in a near miss.
    shows : str
        What the step shows once it is done, for the present picture.
    """

    now: str = ""
    near: str = ""
    shows: str = ""


class Step(NamedTuple):
    """One step of a lesson.

    Attributes
    ----------
    exhibit : Exhibit
        The exhibit in which it is done.
    idea : str
        The idea of the step, with each term explained where it first occurs.
    do : str
        The task.
    check : Check
        The check whether the task is done.
    now : tuple of Sentence
        Sentences on the progress of the task; the first that holds is shown until it is done.
    near : tuple of NearMiss
    shows : tuple of Sentence
        Sentences on what the step shows. Plain numbers hold after the settings that `check` names.
    at : Where or None
        The place of that in a picture.
    guess : Guess or None
        The question before the task.
    """

    exhibit: Exhibit
    idea: str
    do: str
    check: Check
    now: Alternatives
    near: tuple[NearMiss, ...]
    shows: Alternatives
    at: Where | None = None
    guess: Guess | None = None

    def done(self, state: Exploration) -> bool:
        """Return whether the task is done."""
        return self.check.holds(state)

    @property
    def written_for(self) -> Exploration:
        """The exhibit with the settings of the check."""
        return with_settings(self.exhibit.exploration, self.check.settings)

    def texts_for(self, state: Resolved, *, done: bool) -> StepTexts:
        """Return its texts for an exploration, before the task is done or afterwards."""
        panes = self.exhibit.exploration.panes
        assert panes is not None
        if done:
            return StepTexts(shows=first_text(self.shows, self.written_for, panes.views, state))
        now = first_text(self.now, self.exhibit.exploration, panes.views, state)
        near = (miss.text for miss in self.near if miss.check.holds(state))
        return StepTexts(now, next(near, ""))


class Lesson(NamedTuple):
    """A path through exhibits to the answer of a question.

    `document` is its source, an empty one where there is none.
    """

    id: str
    title: str
    about: str
    question: str
    answer: str
    document: SourceDocument
    steps: tuple[Step, ...]

    @property
    def next(self) -> str:
        """The id of the lesson after it, an empty text for the last one."""
        names = list(lessons())
        return next(iter(names[names.index(self.id) + 1 :]), "") if self.id in names else ""

    @property
    def step_name(self) -> str:
        """The name of its steps of undo."""
        return f"lesson {self.title}"


class LoadedLessons(NamedTuple):
    """The lessons of a folder by their ids, and a sentence for each that is left out."""

    lessons: Mapping[str, Lesson]
    problems: tuple[str, ...]


def lessons() -> Mapping[str, Lesson]:
    """Return all lessons by their ids, in the order of the documents."""
    return _all().lessons


def problems() -> tuple[str, ...]:
    """Return a sentence for each file that cannot be used."""
    return _all().problems


def find_lesson(name: str) -> Lesson:
    """Return a lesson, or raise `ParameterError`."""
    if name in lessons():
        return lessons()[name]
    remedy = did_you_mean(name, lessons()) or f"; choose from {', '.join(lessons())}"
    raise ParameterError("lesson", f"{quoted(name)} is not the name of a lesson{remedy}")


@cache
def _all() -> LoadedLessons:
    return load(asset(_FOLDER))


def load(folder: Path) -> LoadedLessons:
    """Return the lessons whose files are in a folder."""
    found, left_out = [], []
    for path in files_in(folder):
        try:
            found.append(_lesson(path.stem, read_entry(path)))
        except DamagedError as error:
            left_out.append(f"The lesson in {path.name} is left out: {error}.")
    found.sort(key=_place)
    in_order = {lesson.id: lesson for lesson in found}
    return LoadedLessons(MappingProxyType(in_order), tuple(left_out))


def _place(lesson: Lesson) -> tuple[int, str]:
    """Return the sort key of a lesson: known ones in their order, then others."""
    place = _LESSON_ORDER.index(lesson.id) if lesson.id in _LESSON_ORDER else len(_LESSON_ORDER)
    return place, lesson.id


def _lesson(name: str, entry: JsonEntry) -> Lesson:
    title, about = entry.text("title"), entry.text("about")
    question, answer = entry.text("question"), entry.text("answer")
    document = document_of(entry)
    steps = tuple(map(_step, entry.objects("steps")))
    if not steps:
        raise entry.refuse("steps", "there are none")
    entry.end()
    return Lesson(name, title, about, question, answer, document, steps)


def _step(entry: JsonEntry) -> Step:
    exhibit = _exhibit(entry)
    idea, do = entry.text("idea"), entry.text("do")
    check = _check(entry, exhibit)
    now = alternatives_of(entry, "now") if entry.has("now") else ()
    near = tuple(map(_near, entry.objects("near")))
    shows = alternatives_of(entry, "shows")
    at = place_of(entry.object("at")) if entry.has("at") else None
    guess = _guess(entry.object("guess")) if entry.has("guess") else None
    entry.end()
    return Step(exhibit, idea, do, check, now, near, shows, at, guess)


def _near(entry: JsonEntry) -> NearMiss:
    check, text = _parsed(entry), entry.text("text")
    entry.end()
    return NearMiss(check, text)


def _exhibit(entry: JsonEntry) -> Exhibit:
    try:
        return find(entry.text("exhibit"))
    except ParameterError as error:
        raise entry.refuse("exhibit", error.problem) from None


def _check(entry: JsonEntry, exhibit: Exhibit) -> Check:
    text = entry.values.get("check")
    check = _parsed(entry)
    if check.holds(exhibit.exploration):
        raise entry.refuse("check", f"{quoted(text)} holds before anything is done")
    return check


def _parsed(entry: JsonEntry) -> Check:
    text = entry.text("check")
    try:
        return parse(text)
    except CheckError as error:
        raise entry.refuse("check", f"{quoted(text)} {error}") from None


def _guess(entry: JsonEntry) -> Guess:
    question, choices = entry.text("question"), entry.texts("choices")
    if choices:
        if len(choices) != _CHOICES:
            raise entry.refuse("choices", f"there are {len(choices)}, not {_CHOICES}")
        truth: float = entry.whole("truth", 0, _CHOICES - 1)
        unit = ""
    else:
        truth = entry.number("truth")
        unit = entry.text_or_none("unit")
    entry.end()
    return Guess(question, truth, unit, choices)
