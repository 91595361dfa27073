"""Exhibits: explorations worth a look, each with its words, one file of `resources/gallery` each.

A file that is badly edited is named by `problems`, and left out.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer import encodings, pictures
from pe_explorer.assets import asset
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration, Resolved, changes
from pe_explorer.gallery._entry import (
    DamagedError,
    JsonEntry,
    Loaded,
    explored,
    is_name,
    load_folder,
    made_of,
    read_entry,
    with_own_tables,
)
from pe_explorer.gallery.sentences import Alternatives, Sentence, first_text, outcome_of
from pe_explorer.gallery.tries import Try
from pe_explorer.params import ParameterError, did_you_mean, quoted
from pe_explorer.pictures.spots import Where

QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "look": "What does it look like?",
        "base": "Why 10000?",
        "distance": "How far apart?",
        "shift": "What does a shift do?",
        "ideas": "What did the first ideas lack?",
        "exact": "How exact is it?",
        "words": "What does it do to words?",
    }
)
"""The questions that exhibits answer, by the word for each in their files."""

FOLDER = "gallery/exhibits"
"""The folder of their files in `resources/`."""
_HIGHEST_RANK = 9999


class SourceDocument(NamedTuple):
    """A document that exhibits and lessons are from.

    Its file, and its own title or a few words on its contents; both are empty for none.
    """

    file: str = ""
    title: str = ""


class Point(NamedTuple):
    """A point to look at: the first sentence that holds, and a place in a picture or None."""

    sentences: Alternatives
    at: Where | None = None

    @property
    def text(self) -> str:
        """Its text when the exhibit opens."""
        return self.sentences[0].text


class ExhibitTexts(NamedTuple):
    """The texts of an exhibit for an exploration, empty where a sentence does not hold."""

    note: str
    text: str
    truth: str
    look: tuple[str, ...]
    places: tuple[Where | None, ...]
    """The place of each in a picture, if its first sentence holds, which was written for it."""
    outcomes: tuple[str, ...]
    """The outcome of each try."""
    is_whole: bool
    """Whether all texts hold that were written for the exhibit's own settings."""


@dataclass(frozen=True)
class Exhibit:
    """An exploration with words about it."""

    id: str
    """The name of its file, without the ending."""
    title: str
    question: str
    """One of `QUESTIONS`."""
    note: str
    """One sentence on what the exhibit shows when it opens."""
    rank: int
    """Its place in the gallery, smallest first."""
    document: SourceDocument
    """The document that it is from; an empty one for an exhibit that is from none."""
    place: str
    """Its place there, in a few words."""
    lines: str
    """The numbers of lines of the file."""
    terms: tuple[str, ...]
    """Search terms besides its other texts, such as names in the document's code."""
    look: tuple[Point, ...]
    tries: tuple[Try, ...]
    text: str
    """The claim of the document, where the truth is another; else empty."""
    truth: str
    former: tuple[str, ...]
    """Its names in earlier versions."""
    entry: Mapping[str, Any]
    """The fields of its exploration in the file; all others have their defaults."""

    @property
    def source(self) -> str:
        """Its source, for people; empty for one that is from no document."""
        return f"{self.document.title}, {self.place}" if self.place else ""

    @property
    def source_file(self) -> str:
        """The file that it is from, and its lines there; empty for one that is from none."""
        if not self.lines:
            return ""
        lines = "line" if self.lines.isdigit() else "lines"
        return f"{self.document.file}, {lines} {self.lines}"

    @cached_property
    def encoding(self) -> Encoding:
        """Its encoding, which quickly distinguishes most exhibits from an exploration."""
        return encodings.create(**self.entry["encoding"])

    @cached_property
    def exploration(self) -> Exploration:
        """The whole exploration, its panes included."""
        return explored(self.entry).with_(opened=self)

    @property
    def main(self) -> str:
        """The view in its main pane."""
        assert self.exploration.panes is not None
        return self.exploration.panes.views[0]

    @property
    def step(self) -> str:
        """The name of the step of undo that opens it."""
        return f"exhibit {self.title}"

    @property
    def picture(self) -> Path:
        """The file of its small picture, which ``python -m tests.cards`` draws."""
        return asset(f"gallery/cards/{self.id}.png")

    @property
    def dark_picture(self) -> Path:
        """The file of its small picture on a dark ground, if there is one of its own."""
        dark = asset(f"gallery/dark_cards/{self.id}.png")
        return dark if dark.exists() else self.picture

    def texts_for(self, state: Resolved) -> ExhibitTexts:
        """Return its texts that hold for an exploration, with the numbers of that."""
        own = self.exploration
        assert own.panes is not None
        views = own.panes.views
        note, text, truth = (
            Sentence(each).text_for(own, views, state)
            for each in (self.note, self.text, self.truth)
        )
        look, places, is_whole = [], [], bool(note)
        for point in self.look:
            about = (point.at.view,) if point.at else views
            first, *_ = point.sentences
            as_written = bool(first.text_for(own, about, state))
            look.append(first_text(point.sentences, own, about, state))
            places.append(point.at if as_written else None)
            is_whole &= as_written
        outcomes = tuple(outcome_of(tried, own, state) for tried in self.tries)
        text = text if truth else ""
        return ExhibitTexts(note, text, truth, tuple(look), tuple(places), outcomes, is_whole)

    def matches(self, state: Exploration) -> bool:
        """Return whether an exploration is this one, apart from cursor and panes."""
        same = self.encoding == state.intention.encoding
        return same and not changes(self.exploration, state)


def exhibits() -> Mapping[str, Exhibit]:
    """Return all exhibits by their ids, in the order of the gallery."""
    return _all().entries


def problems() -> tuple[str, ...]:
    """Return a sentence for each file that cannot be used."""
    return _all().problems


def find(name: str) -> Exhibit:
    """Return an exhibit by its id, or by one that it had earlier.

    Only its own file is read where its id is given.

    Raises
    ------
    ParameterError
        If there is none, or its file cannot be used.
    """
    path = asset(f"{FOLDER}/{name}.json") if is_name(name) else None
    if path is not None and path.exists():
        found = _read(path)
        if isinstance(found, Exhibit):
            return found
        raise ParameterError("exhibit", found.removesuffix("."))
    for exhibit in exhibits().values():
        if name in exhibit.former:
            return exhibit
    remedy = did_you_mean(name, exhibits()) or "; pe-explorer list --exhibits shows all"
    raise ParameterError("exhibit", f"{quoted(name)} is not the name of an exhibit{remedy}")


@cache
def _all() -> Loaded[Exhibit]:
    return load(asset(FOLDER))


def load(folder: Path) -> Loaded[Exhibit]:
    """Return the exhibits whose files are in a folder."""
    return load_folder(folder, _read, lambda exhibit: (exhibit.rank, exhibit.id))


@cache
def _read(path: Path) -> Exhibit | str:
    return made_of(path, "exhibit", _exhibit)


@cache
def documents() -> Mapping[str, SourceDocument]:
    """Return all documents by their numbers; raises `DamagedError` if their file is damaged."""
    entry = read_entry(asset("gallery/documents.json"))
    found = {}
    for number in list(entry.values):
        document = entry.object(number)
        found[number] = SourceDocument(document.text("file"), document.text("title"))
        document.end()
    return MappingProxyType(found)


def document_of(entry: JsonEntry) -> SourceDocument:
    """Return the document that an entry names by its number, an empty one where it names none."""
    if not entry.has("document"):
        return SourceDocument()
    return documents()[entry.choice("document", documents())]


def _exhibit(name: str, entry: JsonEntry) -> Exhibit:
    document, place, lines = SourceDocument(), "", ""
    if entry.has("source"):
        source = entry.object("source")
        document, place, lines = document_of(source), source.text("place"), source.text("lines")
        source.end()
    exhibit = Exhibit(
        id=name,
        title=entry.text("title"),
        question=entry.choice("question", QUESTIONS),
        note=entry.text("note"),
        rank=entry.whole("rank", 0, _HIGHEST_RANK),
        document=document,
        place=place,
        lines=lines,
        terms=entry.texts("terms"),
        look=tuple(
            Point(alternatives_of(it, "text"), place_of(it)) for it in entry.objects("look")
        ),
        tries=tuple(map(_try, entry.objects("try"))),
        text=entry.text_or_none("text"),
        truth=entry.text_or_none("truth"),
        former=entry.texts("former"),
        entry=MappingProxyType(with_own_tables(entry.object("exploration").values)),
    )
    entry.end()
    _check(exhibit)
    return exhibit


def _try(entry: JsonEntry) -> Try:
    label, outcome = entry.text("label"), entry.text("then")
    return Try(label, outcome, MappingProxyType(with_own_tables(entry.object("set").values)))


def alternatives_of(entry: JsonEntry, key: str) -> Alternatives:
    """Return the sentences of a key, one or several, each a text or an object with `when`."""
    found = entry.take(key)
    texts = found if isinstance(found, list) else [found]
    if not texts:
        raise entry.refuse(key, "there is none")
    sentences = []
    for each in texts:
        part = JsonEntry(each if isinstance(each, dict) else {"text": each}, entry.path)
        text = part.text("text")
        when = part.object("when").values if part.has("when") else {}
        part.end()
        sentences.append(Sentence(text, MappingProxyType(when)))
    return tuple(sentences)


def place_of(entry: JsonEntry) -> Where | None:
    """Return the place in a picture that the key `at` names, None without one."""
    if not entry.has("at"):
        return None
    at = entry.object("at")
    view = at.choice("view", pictures.names())
    numbers: dict[str, Any] = {key: at.number(key) for key in Where._fields if at.has(key)}
    at.end()
    return Where(view, **numbers)


def _check(exhibit: Exhibit) -> None:
    """Raise `DamagedError` where its exploration cannot be made, or a place or try does not fit."""
    panes = exhibit.exploration.panes
    assert panes is not None
    for point in exhibit.look:
        if point.at and point.at.view not in panes.views:
            raise DamagedError(f"look: {point.at.view} is in none of the panes")
    for each in exhibit.tries:
        try:
            each.applied(exhibit.exploration)
        except ParameterError as error:
            raise DamagedError(f"try {quoted(each.label)}: {error}") from None
        except (LookupError, AttributeError, TypeError, ValueError):
            problem = "it sets what there is not"
            raise DamagedError(f"try {quoted(each.label)}: {problem}") from None
