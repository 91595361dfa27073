"""How the gallery puts its exhibits into groups, and the words by which they are found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from pe_explorer.gallery.exhibits import QUESTIONS, Exhibit, exhibits
from pe_explorer.gallery.lessons import lessons

__all__ = ["GROUPINGS", "Group", "Grouping", "groups", "lesson_words"]

_OF_NO_DOCUMENT = "Beyond the documents"


class Grouping(NamedTuple):
    """A way to put exhibits into groups: what its switch is called, and what it does."""

    title: str
    help: str


class Group(NamedTuple):
    """A heading, and the words by which each of its cards is found, by its id."""

    title: str
    words: Mapping[str, str]


GROUPINGS = {
    "question": Grouping("By question", "Puts exhibits together that answer the same question."),
    "document": Grouping("By document", "Puts exhibits together that are from the same text."),
}


def groups(grouping: str) -> list[Group]:
    """Return the groups of all exhibits, none of them empty."""
    members: dict[str, dict[str, str]] = {}
    if grouping == "question":
        members = {title: {} for title in QUESTIONS.values()}
    for exhibit in exhibits().values():
        title = QUESTIONS[exhibit.question] if grouping == "question" else exhibit.source
        members.setdefault(title or _OF_NO_DOCUMENT, {})[exhibit.id] = _words(exhibit)
    if _OF_NO_DOCUMENT in members:
        members[_OF_NO_DOCUMENT] = members.pop(_OF_NO_DOCUMENT)  # as the last one
    return [Group(title, words) for title, words in members.items() if words]


def _words(exhibit: Exhibit) -> str:
    """Return all texts of an exhibit in small letters."""
    texts = [exhibit.id, exhibit.title, exhibit.note, exhibit.text, exhibit.truth]
    texts += [QUESTIONS[exhibit.question], exhibit.source, exhibit.place]
    texts += [point.text for point in exhibit.look]
    texts += [f"{each.label} {each.outcome}" for each in exhibit.tries]
    return " ".join(texts).casefold()


def lesson_words(name: str) -> str:
    """Return all texts of a lesson in small letters."""
    lesson = lessons()[name]
    texts = ["lesson", lesson.title, lesson.about, lesson.source]
    texts += [f"{step.idea} {step.do}" for step in lesson.steps]
    return " ".join(texts).casefold()
