"""How the gallery puts its exhibits into groups, and the words by which they are found."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import NamedTuple

from pe_explorer.gallery.documents import Document
from pe_explorer.gallery.exhibits import QUESTIONS, Exhibit, exhibits
from pe_explorer.gallery.lessons import lessons

_OF_NO_DOCUMENT = "Beyond the documents"


class Grouping(NamedTuple):
    """A way to put exhibits into groups: what its switch is called, and what it does."""

    title: str
    help: str


class Words(NamedTuple):
    """The words by which a card is found, as `searchable` returns them."""

    names: str
    """What it is called: its title, and terms of its document."""
    texts: str
    """All that is said of it."""

    def say(self, words: Collection[str]) -> bool:
        """Return whether all words are among them."""
        return all(word in self.names or word in self.texts for word in words)

    def name(self, words: Collection[str]) -> bool:
        """Return whether it is called by all words."""
        return all(word in self.names for word in words)


class Group(NamedTuple):
    """A heading, and the words by which each of its cards is found, by its id."""

    title: str
    words: Mapping[str, Words]


GROUPINGS = {
    "question": Grouping("By question", "Puts exhibits together that answer the same question."),
    "document": Grouping("By document", "Puts exhibits together that are from the same text."),
}


def groups(grouping: str) -> list[Group]:
    """Return the groups of all exhibits, none of them empty."""
    members: dict[str, dict[str, Words]] = {}
    if grouping == "question":
        members = {title: {} for title in QUESTIONS.values()}
    for exhibit in exhibits().values():
        title = QUESTIONS[exhibit.question]
        if grouping == "document":
            title = _named(exhibit.document)
        members.setdefault(title, {})[exhibit.id] = _words(exhibit)
    if _OF_NO_DOCUMENT in members:
        members[_OF_NO_DOCUMENT] = members.pop(_OF_NO_DOCUMENT)  # as the last one
    return [Group(title, words) for title, words in members.items() if words]


def _named(document: Document) -> str:
    """Return the title of a document, and its file."""
    return f"{document.title} ({document.file})" if document.file else _OF_NO_DOCUMENT


def _words(exhibit: Exhibit) -> Words:
    """Return the words by which an exhibit is found."""
    texts = [exhibit.id, exhibit.note, exhibit.text, exhibit.truth]
    texts += [QUESTIONS[exhibit.question], exhibit.source, exhibit.source_file]
    texts += [point.text for point in exhibit.look]
    texts += [f"{each.label} {each.outcome}" for each in exhibit.tries]
    return Words(_joined([exhibit.title, *exhibit.terms]), _joined(texts))


def lesson_words(name: str) -> Words:
    """Return the words by which a lesson is found."""
    lesson = lessons()[name]
    texts = [lesson.about, *lesson.document]
    texts += [f"{step.idea} {step.do}" for step in lesson.steps]
    return Words(_joined(["lesson", lesson.title]), _joined(texts))


def _joined(texts: Collection[str]) -> str:
    return searchable(" ".join(texts))


def searchable(text: str) -> str:
    """Return a text in small letters, and its numbers without commas: 22,500 is 22500, too."""
    return re.sub(r"(?<=\d),(?=\d{3})", "", text.casefold())
