"""How the gallery puts its exhibits into groups, and the words by which they are found."""

from collections.abc import Mapping
from typing import NamedTuple

from pe_explorer.app.window.search import SearchWords, search_words
from pe_explorer.gallery.documents import SourceDocument
from pe_explorer.gallery.exhibits import QUESTIONS, Exhibit, exhibits
from pe_explorer.gallery.lessons import lessons

_OF_NO_DOCUMENT = "Beyond the documents"


class Grouping(NamedTuple):
    """A way to put exhibits into groups: what its switch is called, and what it does."""

    title: str
    help: str


class ExhibitGroup(NamedTuple):
    """A heading, and the words by which each of its cards is found, by its id."""

    title: str
    words: Mapping[str, SearchWords]


GROUPINGS = {
    "question": Grouping("By question", "Puts exhibits together that answer the same question."),
    "document": Grouping("By document", "Puts exhibits together that are from the same text."),
}


def groups(grouping: str) -> list[ExhibitGroup]:
    """Return the groups of all exhibits, none of them empty."""
    members: dict[str, dict[str, SearchWords]] = {}
    if grouping == "question":
        members = {title: {} for title in QUESTIONS.values()}
    for exhibit in exhibits().values():
        title = QUESTIONS[exhibit.question]
        if grouping == "document":
            title = _named(exhibit.document)
        members.setdefault(title, {})[exhibit.id] = exhibit_words(exhibit)
    if _OF_NO_DOCUMENT in members:
        members[_OF_NO_DOCUMENT] = members.pop(_OF_NO_DOCUMENT)  # as the last one
    return [ExhibitGroup(title, words) for title, words in members.items() if words]


def _named(document: SourceDocument) -> str:
    """Return the title of a document, and its file."""
    return f"{document.title} ({document.file})" if document.file else _OF_NO_DOCUMENT


def exhibit_words(exhibit: Exhibit) -> SearchWords:
    """Return the words by which an exhibit is found."""
    texts = ["exhibit", exhibit.id, exhibit.note, exhibit.text, exhibit.truth]
    texts += [QUESTIONS[exhibit.question], exhibit.source, exhibit.source_file]
    texts += [point.text for point in exhibit.look]
    texts += [f"{each.label} {each.outcome}" for each in exhibit.tries]
    return search_words(exhibit.title, exhibit.terms, texts)


def lesson_words(name: str) -> SearchWords:
    """Return the words by which a lesson is found."""
    lesson = lessons()[name]
    texts = [lesson.about, *lesson.document]
    texts += [f"{step.idea} {step.do}" for step in lesson.steps]
    return search_words(lesson.title, ("lesson",), texts)
