"""Lessons: sequences of steps with tasks that answer a question.

A step opens an exhibit, with settings of its own if needed, and ends when a check holds. The text
about the result is filled with facts of the exploration that passed the check, and of the
exploration before the task (``{before.NAME}``), so it is true however the task was completed.

Each lesson is a file in ``resources/gallery/lessons``; `problems` reports unusable files.
"""

import dataclasses
import math
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer import params
from pe_explorer.assets import find_asset
from pe_explorer.exploration import Exploration, ResolvedState
from pe_explorer.gallery._entry import (
    GalleryFolder,
    JsonEntry,
    load_folder,
    read_or_report,
    resolve_table_paths,
)
from pe_explorer.gallery.checks import Check, CheckError, parse
from pe_explorer.gallery.exhibits import Exhibit, find, parse_alternatives, read_place
from pe_explorer.gallery.sentences import Alternatives, make_facts
from pe_explorer.gallery.tries import get_setting
from pe_explorer.params import ParameterError, format_real, printed, quote_value
from pe_explorer.pictures.spots import ViewPlace
from pe_explorer.words.templates import FactSource, fill, format_value
from pe_explorer.words.texts import fits

_FOLDER = "gallery/lessons"
_ORDER = ("waves", "base", "pairs", "distance", "rotary", "context")
_MAX_CHOICES = 4
_MAX_CLOSE_RATIO = 1.1  # maximum factor between a correct guess and the truth
_MAX_ORDER_RATIO = 3.2  # maximum factor between the truth and a guess of its order of magnitude


class Guess(NamedTuple):
    """A question that the user answers before the picture shows the answer."""

    question: str
    truth: float  # the correct number, or the index of the correct choice
    because: str  # template of the reason, a clause after "because"
    unit: str = ""  # the unit of the number; empty for choices
    choices: tuple[str, ...] = ()  # two to four answers; empty if the answer is a number
    powers: tuple[int, ...] = ()
    """The lowest and the highest power of ten of a slider; empty if there is no slider."""

    def format_answer(self, answer: float) -> str:
        """Return an answer as text, with its unit."""
        if self.choices:
            return f"“{self.choices[int(answer) % len(self.choices)].removesuffix('.')}”"
        number = printed.whole(int(answer)) if answer == int(answer) else format_real(answer)
        unit = self.unit.removesuffix("s") if answer == 1 else self.unit
        return f"{number}{unit}" if unit == "%" else f"{number} {unit}".rstrip()

    def verdict(self, answer: float) -> str:
        """Return a clause that states whether a guess is right, or what the right answer is."""
        truth = self.format_answer(self.truth)
        if self.choices:
            return f"Right: {truth}" if answer == self.truth else f"No, the answer is {truth}"
        ratio = answer / self.truth if self.truth else math.inf
        if 1 / _MAX_CLOSE_RATIO <= ratio <= _MAX_CLOSE_RATIO:
            return f"Right: {truth}"
        if self.powers and 1 / _MAX_ORDER_RATIO <= ratio <= _MAX_ORDER_RATIO:
            return f"Right, the order of magnitude is correct: {truth}"
        size = "large" if answer > self.truth else "small"
        factor = max(ratio, 1 / ratio) if 0 < ratio < math.inf else math.inf
        if factor < 1.5:
            size = f"slightly too {size}"
        elif factor < math.inf:
            size = f"{format_value(float(f'{factor:.2g}'))} times too {size}"
        else:
            size = f"too {size}"
        return f"Your guess, {self.format_answer(answer)}, is {size}: the answer is {truth}"


class NearMiss(NamedTuple):
    """A check for an almost completed task, and a hint that says how to complete it."""

    check: Check
    text: str


class StepTexts(NamedTuple):
    """The texts about the progress of a step; each text can be empty."""

    now: str = ""  # the progress of the task
    near: str = ""  # the text of a near miss


class Result(NamedTuple):
    """The texts about a completed task, which later changes of the exploration do not affect."""

    shows: str = ""  # what the picture shows, and why
    because: str = ""  # the reason for the correct answer; empty if the step has no guess


class Step(NamedTuple):
    """A step of a lesson: a task in an exhibit."""

    exhibit: Exhibit  # the exhibit, changed by the settings of the step
    idea: str  # the idea of the step, with an explanation of new terms
    do: str  # the task
    check: Check  # the condition for completing the task
    now: Alternatives  # sentences on the progress of the task; the first valid sentence is shown
    near: tuple[NearMiss, ...]
    shows: Alternatives  # sentences on the result; the first valid sentence is shown
    view_place: ViewPlace | None = None  # the location in a view that `shows` describes
    guess: Guess | None = None  # the question before the task

    def is_done(self, state: Exploration) -> bool:
        """Return whether an exploration completes the task."""
        return self.check.holds(state)

    def format_texts(self, before: ResolvedState, state: ResolvedState) -> StepTexts:
        """Return the texts for an exploration that does not complete the task yet."""
        near = (miss.text for miss in self.near if state != before and miss.check.holds(state))
        return StepTexts(self._choose_text(self.now, before, state), next(near, ""))

    def result(self, before: ResolvedState, state: ResolvedState) -> Result:
        """Return the texts about an exploration that completes the task."""
        because = fill(self.guess.because, self._make_facts(before, state)) if self.guess else ""
        return Result(self._choose_text(self.shows, before, state), printed.text(because))

    def _choose_text(self, texts: Alternatives, before: ResolvedState, state: ResolvedState) -> str:
        facts = self._make_facts(before, state)
        matches = (text for text in texts if fits(text.when, partial(get_setting, state)))
        return next(filter(None, (printed.text(fill(text.text, facts)) for text in matches)), "")

    def _make_facts(self, before: ResolvedState, state: ResolvedState) -> "_StepFacts":
        return _StepFacts(*(make_facts(self.exhibit.main_view, each) for each in (before, state)))


class _StepFacts(NamedTuple):
    """The facts of a step; names that begin with ``before.`` are facts before the task."""

    before: FactSource
    after: FactSource

    def get(self, name: str) -> Any:
        if name.startswith("before."):
            return self.before.get(name.removeprefix("before."))
        return self.after.get(name)


class Experiment(NamedTuple):
    """A suggestion at the end of a lesson: a sentence, and the id of an exhibit."""

    text: str
    exhibit: str


class Lesson(NamedTuple):
    """A sequence of steps that answers a question."""

    id: str
    title: str
    about: str
    question: str
    answer: str
    steps: tuple[Step, ...]
    ending: Guess  # a sentence with a gap that the user fills after the last step
    experiment: Experiment

    @property
    def next(self) -> str:
        """The id of the next lesson, or an empty string after the last lesson."""
        ids = list(lessons())
        return next(iter(ids[ids.index(self.id) + 1 :]), "") if self.id in ids else ""


def lessons() -> Mapping[str, Lesson]:
    """Return all lessons by id, in the order of the documents."""
    return _load_lessons().entries


def problems() -> tuple[str, ...]:
    """Return a sentence for each unusable lesson file."""
    return _load_lessons().problems


def find_lesson(name: str) -> Lesson:
    """Return the lesson with an id; raise `ParameterError` if the id is unknown."""
    if name in lessons():
        return lessons()[name]
    raise ParameterError("lesson", params.describe_bad_choice(name, lessons()))


@cache
def _load_lessons() -> GalleryFolder[Lesson]:
    return load(find_asset(_FOLDER))


def load(folder: Path) -> GalleryFolder[Lesson]:
    """Return the lessons in a folder."""
    read = partial(read_or_report, kind="lesson", parse_entry=_parse_lesson)
    return load_folder(folder, read, lambda lesson: (*_ORDER, lesson.id).index(lesson.id))


def _parse_lesson(name: str, entry: JsonEntry) -> Lesson:
    title, about, question, answer = map(entry.text, ("title", "about", "question", "answer"))
    steps = tuple(map(_parse_step, entry.objects("steps")))
    if not steps:
        raise entry.error("steps", "is empty. Add at least one step")
    ending = _parse_guess(entry.object("ending"))
    if not ending.choices:
        raise entry.error("ending", "has no choices. Add 2 to 4")
    after = entry.object("next")
    experiment = Experiment(after.text("text"), _find_exhibit(after).id)
    after.end()
    entry.end()
    return Lesson(name, title, about, question, answer, steps, ending, experiment)


def _find_exhibit(entry: JsonEntry) -> Exhibit:
    try:
        return find(entry.text("exhibit"))
    except ParameterError as error:
        raise entry.error("exhibit", error.problem) from None


def _parse_step(entry: JsonEntry) -> Step:
    exhibit = _find_exhibit(entry)
    if entry.has("exploration"):
        own = resolve_table_paths(entry.object("exploration").values)
        # The exhibit's texts and tries do not apply to the settings of the step.
        exhibit = dataclasses.replace(
            exhibit,
            entry=MappingProxyType({**exhibit.entry, **own}),
            note="",
            look=(),
            tries=(),
            text="",
            truth="",
        )
    idea, do = entry.text("idea"), entry.text("do")
    check = _parse_check(entry, exhibit)
    now = parse_alternatives(entry, "now") if entry.has("now") else ()
    near = tuple(NearMiss(_parse_check(miss), miss.text("text")) for miss in entry.objects("near"))
    shows = parse_alternatives(entry, "shows")
    guess = _parse_guess(entry.object("guess")) if entry.has("guess") else None
    return Step(exhibit, idea, do, check, now, near, shows, read_place(entry), guess)


def _parse_check(entry: JsonEntry, before: Exhibit | None = None) -> Check:
    text = entry.text("check")
    try:
        check = parse(text)
    except CheckError as error:
        raise entry.error("check", f"{quote_value(text)} {error}") from None
    if before and check.holds(before.exploration):
        raise entry.error("check", f"{quote_value(text)} is already true before the task")
    return check


def _parse_guess(entry: JsonEntry) -> Guess:
    question, because = entry.text("question"), entry.text("because")
    choices = entry.texts("choices")
    if choices and not 2 <= len(choices) <= _MAX_CHOICES:
        raise entry.error("choices", f"has {len(choices)} choices. Provide 2 to {_MAX_CHOICES}")
    if choices:
        truth = entry.integer("truth", 0, len(choices) - 1)
        guess = Guess(question, truth, because, choices=choices)
    else:
        powers: tuple[int, ...] = ()
        if entry.has("powers"):
            limits = entry.object("powers")
            powers = tuple(limits.integer(key, -9, 15) for key in ("low", "high"))
            limits.end()
        unit = entry.find_text("unit")
        guess = Guess(question, entry.number("truth"), because, unit, powers=powers)
    entry.end()
    return guess
