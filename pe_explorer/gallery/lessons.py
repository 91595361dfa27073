"""Lessons: paths through exhibits, with something to do at each step and a check that it was done.

Each is a file of ``resources/gallery/lessons``. One that is badly edited is named by `problems`,
and left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pe_explorer.assets import asset
from pe_explorer.exploration import Exploration, Resolved
from pe_explorer.gallery._entry import DamagedError, Entry, files_in, read_entry
from pe_explorer.gallery.checks import Check, CheckError, parse
from pe_explorer.gallery.documents import Document, document_of
from pe_explorer.gallery.exhibits import Exhibit, find, pieces_of, place_of
from pe_explorer.gallery.sentences import Pieces, first_said
from pe_explorer.gallery.tries import with_settings
from pe_explorer.params import ParameterError, did_you_mean, quoted
from pe_explorer.pictures.spots import Where

_FOLDER = "gallery/lessons"
_ORDER = ("000", "001", "002", "003", "004", "beyond")
_CHOICES = 3


class Guess(NamedTuple):
    """What is asked before a step shows it.

    Attributes
    ----------
    question : str
    truth : float
        The right number, or which of the choices is right, counted from 0.
    unit : str
        What a number counts, empty for choices.
    choices : tuple of str
        Three answers; none where a number is asked for.
    """

    question: str
    truth: float
    unit: str = ""
    choices: tuple[str, ...] = ()


class NearMiss(NamedTuple):
    """What somebody did who came close, and what that lacks."""

    check: Check
    text: str


class Said(NamedTuple):
    """What a step says now; empty texts where there is nothing to say.

    Attributes
    ----------
    now : str
        How far one has come with what there is to do.
    near : str
        What a near miss lacks.
    shows : str
        What it shows that the step was done, of the picture as it is.
    """

    now: str = ""
    near: str = ""
    shows: str = ""


class Step(NamedTuple):
    """One step of a lesson.

    Attributes
    ----------
    exhibit : Exhibit
        Where it is done.
    idea : str
        Why it is worth doing, with each term explained where it first occurs.
    do : str
        What there is to do.
    check : Check
        Whether it was done.
    now : tuple of Sentence
        How far one has come, of which the first that holds is said until the step is done.
    near : tuple of NearMiss
    shows : tuple of Sentence
        What that shows. Numbers written out are those after the settings that `check` names.
    at : Where or None
        Where that is to be seen.
    guess : Guess or None
        What is asked before.
    """

    exhibit: Exhibit
    idea: str
    do: str
    check: Check
    now: Pieces
    near: tuple[NearMiss, ...]
    shows: Pieces
    at: Where | None = None
    guess: Guess | None = None

    def done(self, state: Exploration) -> bool:
        """Return whether what the step asks has been done."""
        return self.check.holds(state)

    @property
    def written_for(self) -> Exploration:
        """The exhibit with the settings that the check asks for."""
        return with_settings(self.exhibit.exploration, self.check.settings)

    def said(self, state: Resolved, *, done: bool) -> Said:
        """Return what it says of an exploration, before it was done or afterwards."""
        panes = self.exhibit.exploration.panes
        assert panes is not None
        if done:
            return Said(shows=first_said(self.shows, self.written_for, panes.views, state))
        now = first_said(self.now, self.exhibit.exploration, panes.views, state)
        near = (miss.text for miss in self.near if miss.check.holds(state))
        return Said(now, next(near, ""))


class Lesson(NamedTuple):
    """A path through exhibits to the answer of a question.

    `document` is what it is from, an empty one for that of none.
    """

    id: str
    title: str
    about: str
    question: str
    answer: str
    document: Document
    steps: tuple[Step, ...]

    @property
    def next(self) -> str:
        """The id of the lesson after it, an empty text for the last one."""
        names = list(lessons())
        return next(iter(names[names.index(self.id) + 1 :]), "") if self.id in names else ""

    @property
    def step_name(self) -> str:
        """What going through it is called among the steps that can be undone."""
        return f"lesson {self.title}"


class Loaded(NamedTuple):
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
def _all() -> Loaded:
    return load(asset(_FOLDER))


def load(folder: Path) -> Loaded:
    """Return the lessons whose files are in a folder."""
    found, left_out = [], []
    for path in files_in(folder):
        try:
            found.append(_lesson(path.stem, read_entry(path)))
        except DamagedError as error:
            left_out.append(f"The lesson in {path.name} is left out: {error}.")
    found.sort(key=_place)
    in_order = {lesson.id: lesson for lesson in found}
    return Loaded(MappingProxyType(in_order), tuple(left_out))


def _place(lesson: Lesson) -> tuple[int, str]:
    """Return where a lesson stands: those that are known in their order, then others."""
    place = _ORDER.index(lesson.id) if lesson.id in _ORDER else len(_ORDER)
    return place, lesson.id


def _lesson(name: str, entry: Entry) -> Lesson:
    title, about = entry.text("title"), entry.text("about")
    question, answer = entry.text("question"), entry.text("answer")
    document = document_of(entry)
    steps = tuple(map(_step, entry.objects("steps")))
    if not steps:
        raise entry.refuse("steps", "there are none")
    entry.end(("title", "about", "question", "answer", "document", "steps"))
    return Lesson(name, title, about, question, answer, document, steps)


def _step(entry: Entry) -> Step:
    exhibit = _exhibit(entry)
    idea, do = entry.text("idea"), entry.text("do")
    check = _check(entry, exhibit)
    now = pieces_of(entry, "now") if entry.has("now") else ()
    near = tuple(map(_near, entry.objects("near")))
    shows = pieces_of(entry, "shows")
    at = place_of(entry.object("at")) if entry.has("at") else None
    guess = _guess(entry.object("guess")) if entry.has("guess") else None
    entry.end(("exhibit", "idea", "do", "check", "now", "near", "shows", "at", "guess"))
    return Step(exhibit, idea, do, check, now, near, shows, at, guess)


def _near(entry: Entry) -> NearMiss:
    check, text = _parsed(entry), entry.text("text")
    entry.end(("check", "text"))
    return NearMiss(check, text)


def _exhibit(entry: Entry) -> Exhibit:
    try:
        return find(entry.text("exhibit"))
    except ParameterError as error:
        raise entry.refuse("exhibit", error.problem) from None


def _check(entry: Entry, exhibit: Exhibit) -> Check:
    text = entry.values.get("check")
    check = _parsed(entry)
    if check.holds(exhibit.exploration):
        raise entry.refuse("check", f"{quoted(text)} holds before anything is done")
    return check


def _parsed(entry: Entry) -> Check:
    text = entry.text("check")
    try:
        return parse(text)
    except CheckError as error:
        raise entry.refuse("check", f"{quoted(text)} {error}") from None


def _guess(entry: Entry) -> Guess:
    question, choices = entry.text("question"), entry.texts("choices")
    if choices:
        if len(choices) != _CHOICES:
            raise entry.refuse("choices", f"there are {len(choices)}, not {_CHOICES}")
        truth: float = entry.whole("truth", 0, _CHOICES - 1)
        unit = ""
    else:
        truth = entry.take("truth")
        if type(truth) not in (int, float) or not math.isfinite(truth):
            raise entry.refuse("truth", f"{quoted(truth)} is not a number")
        unit = entry.text_or_none("unit")
    entry.end(("question", "choices", "truth", "unit"))
    return Guess(question, truth, unit, choices)
