"""Exhibits: explorations with explanations, each in a file in `resources/gallery/exhibits`.

`problems` reports unusable files.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer import encodings, pictures
from pe_explorer.assets import find_asset
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Exploration, ResolvedState, changes
from pe_explorer.gallery._entry import (
    GalleryFileError,
    GalleryFolder,
    JsonEntry,
    is_name,
    load_folder,
    parse_exploration,
    read_entry,
    read_or_report,
    resolve_table_paths,
)
from pe_explorer.gallery.sentences import Alternatives, Sentence, find_first_text, format_outcome
from pe_explorer.gallery.tries import Try, check_path
from pe_explorer.params import ParameterError, format_fault, quote_value, suggest_choice
from pe_explorer.pictures.spots import ViewPlace

QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "look": "What does an encoding look like?",
        "base": "Why base 10,000?",
        "distance": "How far apart are positions?",
        "shift": "What does a shift do?",
        "ideas": "Why not something simpler?",
        "exact": "How exact are the values?",
        "words": "How do models represent word order?",
    }
)  # the questions that exhibits answer, by the keys that the files use

FOLDER = "gallery/exhibits"  # the folder of the exhibit files within `resources/`


class SourceDocument(NamedTuple):
    """A source of exhibits or lessons; all fields are empty if there is no source."""

    title: str = ""
    author: str = ""
    year: str = ""

    @property
    def name(self) -> str:
        """The title, author and year, omitting unknown parts."""
        return ", ".join(filter(None, self))


class PointOfInterest(NamedTuple):
    """Alternative sentences about a detail to look at, and optionally its location in a view."""

    sentences: Alternatives
    view_place: ViewPlace | None = None

    @property
    def text(self) -> str:
        """The text for the initial state of the exhibit."""
        return self.sentences[0].text


class ExhibitTexts(NamedTuple):
    """The texts of an exhibit for an exploration; texts that do not apply to it are empty."""

    note: str
    text: str
    truth: str
    look: tuple[str, ...]
    places: tuple[ViewPlace | None, ...]  # location of each point; None if missing or not valid
    outcomes: tuple[str, ...]  # the outcome of each try
    is_fully_valid: bool  # whether the note and the first sentence of every point are valid


@dataclass(frozen=True)
class Exhibit:
    """An exploration with explanations."""

    id: str  # the name of the file without its suffix
    title: str
    question: str  # a key of `QUESTIONS`
    note: str  # one sentence about the exhibit in its initial state
    rank: int  # the position in the gallery; low ranks come first
    document: SourceDocument  # the source of the exhibit; empty if there is none
    place: str  # the passage of the document, such as "the formula"
    summary: str  # a sentence about the passage; empty if `text` summarises the passage
    terms: tuple[str, ...]  # additional search terms, such as names in the document's code
    look: tuple[PointOfInterest, ...]
    tries: tuple[Try, ...]
    text: str  # a claim of the document that `truth` corrects; empty if nothing is corrected
    truth: str
    former_ids: tuple[str, ...]  # ids that the exhibit had in earlier versions of the program
    entry: Mapping[str, Any]  # the fields of the exploration; missing fields have default values

    @property
    def source(self) -> str:
        """The source of the exhibit as text, or an empty string if no source is known."""
        return f"{self.document.name}: {self.place}" if self.place else ""

    @cached_property
    def encoding(self) -> Encoding:
        """The encoding of the exhibit, available without parsing the rest of the exploration."""
        return encodings.create(**self.entry["encoding"])

    @cached_property
    def exploration(self) -> Exploration:
        """The exploration of the exhibit, including the panes."""
        return parse_exploration(self.entry).with_(opened=self)

    @property
    def main_view(self) -> str:
        """The view in the main pane."""
        assert self.exploration.panes is not None
        return self.exploration.panes.views[0]

    @property
    def step(self) -> str:
        """The name of the undo step for opening the exhibit."""
        return f"exhibit {self.title}"

    @property
    def picture(self) -> Path:
        """The path of the thumbnail, which ``python -m tests.cards`` draws."""
        return find_asset(f"gallery/cards/{self.id}.png")

    @property
    def dark_picture_path(self) -> Path:
        """The path of the dark thumbnail, or of the light one if no dark thumbnail exists."""
        dark = find_asset(f"gallery/dark_cards/{self.id}.png")
        return dark if dark.exists() else self.picture

    def format_texts(self, state: ResolvedState) -> ExhibitTexts:
        """Return the texts that are valid for an exploration, with its facts filled in."""
        exploration = self.exploration
        assert exploration.panes is not None
        views = exploration.panes.views
        note, text, truth = (
            Sentence(source).format_text(exploration, views, state)
            for source in (self.note, self.text, self.truth)
        )
        look, places, is_whole = [], [], bool(note)
        for point in self.look:
            point_views = (point.view_place.view,) if point.view_place else views
            is_valid = bool(point.sentences[0].format_text(exploration, point_views, state))
            look.append(find_first_text(point.sentences, exploration, point_views, state))
            places.append(point.view_place if is_valid else None)
            is_whole &= is_valid
        outcomes = tuple(format_outcome(item, exploration, state) for item in self.tries)
        text = text if truth else ""
        return ExhibitTexts(note, text, truth, tuple(look), tuple(places), outcomes, is_whole)

    def matches(self, state: Exploration) -> bool:
        """Return whether an exploration equals the exhibit's, ignoring the cursor and panes."""
        has_same_encoding = self.encoding == state.intention.encoding
        return has_same_encoding and not changes(self.exploration, state)


def exhibits() -> Mapping[str, Exhibit]:
    """Return all exhibits by id, in the order of the gallery."""
    return _load_exhibits().entries


def problems() -> tuple[str, ...]:
    """Return a sentence for each unusable exhibit file."""
    return _load_exhibits().problems


def find(name: str) -> Exhibit:
    """Return an exhibit by its current or former id.

    Raise `ParameterError` if the exhibit does not exist or its file is unusable. Finding a current
    id is fast, because only one file is read.
    """
    path = find_asset(f"{FOLDER}/{name}.json") if is_name(name) else None
    if path is not None and path.exists():
        result = _read(path)
        if isinstance(result, Exhibit):
            return result
        raise ParameterError("exhibit", result.removesuffix("."))
    for exhibit in exhibits().values():
        if name in exhibit.former_ids:
            return exhibit
    fault = f"{format_fault('the name of an exhibit', name)}{suggest_choice(name, exhibits())}"
    raise ParameterError("exhibit", fault, "see pe-explorer list --exhibits")


@cache
def _load_exhibits() -> GalleryFolder[Exhibit]:
    return load(find_asset(FOLDER))


def load(folder: Path) -> GalleryFolder[Exhibit]:
    """Return the exhibits in a folder."""
    return load_folder(folder, _read, lambda exhibit: (exhibit.rank, exhibit.id))


@cache
def _read(path: Path) -> Exhibit | str:
    return read_or_report(path, "exhibit", _read_exhibit)


@cache
def load_documents() -> Mapping[str, SourceDocument]:
    """Return all documents by number; raise `GalleryFileError` if their file is invalid."""
    entry = read_entry(find_asset("gallery/documents.json"))
    documents_by_number = {}
    for number in list(entry.values):
        document = entry.object(number)
        year = document.integer("year", 1900, 2100) if document.has("year") else ""
        author = document.find_text("author")
        documents_by_number[number] = SourceDocument(document.text("title"), author, f"{year}")
        document.end()
    return MappingProxyType(documents_by_number)


def find_document(entry: JsonEntry) -> SourceDocument:
    """Return the document whose number an entry contains, or an empty document without a number."""
    if not entry.has("document"):
        return SourceDocument()
    return load_documents()[entry.choice("document", load_documents())]


def _read_exhibit(name: str, entry: JsonEntry) -> Exhibit:
    document, place, summary = SourceDocument(), "", ""
    if entry.has("source"):
        source = entry.object("source")
        document, place = find_document(source), source.text("place")
        summary = source.find_text("summary")
        source.end()
    exhibit = Exhibit(
        id=name,
        title=entry.text("title"),
        question=entry.choice("question", QUESTIONS),
        note=entry.text("note"),
        rank=entry.integer("rank", 0, 9999),
        document=document,
        place=place,
        summary=summary,
        terms=entry.texts("terms"),
        look=tuple(map(_parse_point, entry.objects("look"))),
        tries=tuple(map(_read_try, entry.objects("try"))),
        text=entry.find_text("text"),
        truth=entry.find_text("truth"),
        former_ids=entry.texts("former"),
        entry=MappingProxyType(resolve_table_paths(entry.object("exploration").values)),
    )
    entry.end()
    _check_exhibit(exhibit)
    return exhibit


def _parse_point(entry: JsonEntry) -> PointOfInterest:
    return PointOfInterest(parse_alternatives(entry, "text"), read_place(entry))


def _read_try(entry: JsonEntry) -> Try:
    label, outcome = entry.text("label"), entry.text("then")
    return Try(label, outcome, MappingProxyType(resolve_table_paths(entry.object("set").values)))


def parse_alternatives(entry: JsonEntry, key: str) -> Alternatives:
    """Return the alternative sentences of a required key.

    The value is one alternative or a list of alternatives. An alternative is a string, or an
    object with the key `text` and optionally the key `when`.
    """
    value = entry.pop(key)
    items = value if isinstance(value, list) else [value]
    if not items:
        raise entry.error(key, "is empty. Add a text")
    sentences = []
    for item in items:
        part = JsonEntry(item if isinstance(item, dict) else {"text": item}, entry.path)
        text = part.text("text")
        when = part.object("when").values if part.has("when") else {}
        part.end()
        sentences.append(Sentence(text, MappingProxyType(when)))
    return tuple(sentences)


def read_place(entry: JsonEntry) -> ViewPlace | None:
    """Return the location in a view that the key `at` describes, or None if the key is missing."""
    if not entry.has("at"):
        return None
    place = entry.object("at")
    view = place.choice("view", pictures.names())
    numbers: Any = {key: place.number(key) for key in ViewPlace._fields if place.has(key)}
    place.end()
    return ViewPlace(view, **numbers)


def _check_exhibit(exhibit: Exhibit) -> None:
    panes = exhibit.exploration.panes
    assert panes is not None
    for point in exhibit.look:
        if point.view_place and point.view_place.view not in panes.views:
            raise GalleryFileError(f"look: no pane shows the view {point.view_place.view}")
    for item in exhibit.tries:
        try:
            for path in item.settings:
                check_path(path)
            item.apply(exhibit.exploration)
        except (TypeError, ParameterError) as error:
            is_specific = isinstance(error, ParameterError)
            problem = str(error) if is_specific else "panes or pins has an invalid value"
            raise GalleryFileError(f"try {quote_value(item.label)}: {problem}") from None
