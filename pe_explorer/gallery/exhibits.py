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
from pe_explorer.gallery._entry import DamagedError, JsonEntry, files_in, is_name, read_entry
from pe_explorer.gallery._explored import explored, with_own_tables
from pe_explorer.gallery.documents import SourceDocument, document_of
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


class Point(NamedTuple):
    """A point to look at: the first sentence that holds, and a place in a picture or None."""

    sentences: Alternatives
    at: Where | None = None

    @property
    def text(self) -> str:
        """Its text when the exhibit opens."""
        return self.sentences[0].text


class ExhibitTexts(NamedTuple):
    """The texts of an exhibit for an exploration, empty where a sentence does not hold.

    Attributes
    ----------
    note, text, truth : str
    look : tuple of str
    places : tuple of Where or None
        The place of each in a picture, if its first sentence holds, which was written for it.
    outcomes : tuple of str
        The outcome of each try.
    is_whole : bool
        Whether all texts hold that were written for the exhibit's own settings.
    """

    note: str
    text: str
    truth: str
    look: tuple[str, ...]
    places: tuple[Where | None, ...]
    outcomes: tuple[str, ...]
    is_whole: bool


@dataclass(frozen=True)
class Exhibit:
    """An exploration with words about it.

    Attributes
    ----------
    id : str
        The name of its file, without the ending.
    title : str
    question : str
        One of `QUESTIONS`.
    note : str
        One sentence on what the exhibit shows when it opens.
    rank : int
        Its place in the gallery, smallest first.
    document : Document
        The document that it is from; an empty one for an exhibit that is from none.
    place, lines : str
        Its place there, in a few words, and the numbers of lines of the file.
    terms : tuple of str
        Search terms besides its other texts, such as names in the document's code.
    look : tuple of Point
        What to look at.
    tries : tuple of Try
        What to try.
    text, truth : str
        The claim of the document, and the truth, where the two differ; else empty.
    former : tuple of str
        Its names in earlier versions.
    entry : mapping
        The fields of its exploration in the file; all others have their defaults.
    """

    id: str
    title: str
    question: str
    note: str
    rank: int
    document: SourceDocument
    place: str
    lines: str
    terms: tuple[str, ...]
    look: tuple[Point, ...]
    tries: tuple[Try, ...]
    text: str
    truth: str
    former: tuple[str, ...]
    entry: Mapping[str, Any]

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


class LoadedExhibits(NamedTuple):
    """The exhibits of a folder by their ids, in order, and a sentence for each that is left out."""

    exhibits: Mapping[str, Exhibit]
    problems: tuple[str, ...]


def exhibits() -> Mapping[str, Exhibit]:
    """Return all exhibits by their ids, in the order of the gallery."""
    return _all().exhibits


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
def _all() -> LoadedExhibits:
    return load(asset(FOLDER))


def load(folder: Path) -> LoadedExhibits:
    """Return the exhibits whose files are in a folder."""
    found, left_out = [], []
    for path in files_in(folder):
        each = _read(path)
        if isinstance(each, Exhibit):
            found.append(each)
        else:
            left_out.append(each)
    found.sort(key=lambda exhibit: (exhibit.rank, exhibit.id))
    in_order = {exhibit.id: exhibit for exhibit in found}
    return LoadedExhibits(MappingProxyType(in_order), tuple(left_out))


@cache
def _read(path: Path) -> Exhibit | str:
    """Return the exhibit in a file, or the sentence on why there is none."""
    try:
        return _exhibit(path.stem, read_entry(path))
    except DamagedError as error:
        return f"The exhibit in {path.name} is left out: {error}."


def _exhibit(name: str, entry: JsonEntry) -> Exhibit:
    """Return the exhibit of an entry; raises `DamagedError`."""
    document, place, lines = _source(entry)
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
        look=tuple(map(_point, entry.objects("look"))),
        tries=tuple(map(_try, entry.objects("try"))),
        text=entry.text_or_none("text"),
        truth=entry.text_or_none("truth"),
        former=entry.texts("former"),
        entry=MappingProxyType(with_own_tables(entry.object("exploration").values)),
    )
    entry.end()
    _check(exhibit)
    return exhibit


def _source(entry: JsonEntry) -> tuple[SourceDocument, str, str]:
    """Return the document that an exhibit is from, and its place and lines there."""
    if not entry.has("source"):
        return SourceDocument(), "", ""
    source = entry.object("source")
    document, place, lines = document_of(source), source.text("place"), source.text("lines")
    source.end()
    return document, place, lines


def _point(entry: JsonEntry) -> Point:
    sentences = alternatives_of(entry, "text")
    where = place_of(entry.object("at")) if entry.has("at") else None
    entry.end()
    return Point(sentences, where)


def alternatives_of(entry: JsonEntry, key: str) -> Alternatives:
    """Return the sentences of a key, one or several, each a text or an object with `when`."""
    found = entry.take(key)
    texts = found if isinstance(found, list) else [found]
    if not texts:
        raise entry.refuse(key, "there is none")
    named = [each if isinstance(each, dict) else {"text": each} for each in texts]
    return tuple(_sentence(JsonEntry(each, entry.path)) for each in named)


def _sentence(entry: JsonEntry) -> Sentence:
    text = entry.text("text")
    when = entry.object("when").values if entry.has("when") else {}
    entry.end()
    return Sentence(text, MappingProxyType(when))


def place_of(entry: JsonEntry) -> Where:
    """Return the place in a picture that an object names."""
    view = entry.choice("view", pictures.names())
    numbers: dict[str, Any] = {key: entry.number(key) for key in Where._fields if entry.has(key)}
    entry.end()
    return Where(view, **numbers)


def _try(entry: JsonEntry) -> Try:
    label, outcome = entry.text("label"), entry.text("then")
    settings = with_own_tables(entry.object("set").values)
    entry.end()
    return Try(label, outcome, MappingProxyType(settings))


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
