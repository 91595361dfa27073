"""The documents that exhibits and lessons are from, in `resources/gallery/documents.json`.

Each has the name of its file, and a title: its own, or a few words on its contents.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from pe_explorer.assets import asset
from pe_explorer.gallery._entry import JsonEntry, read_entry

_FILE = "gallery/documents.json"


class SourceDocument(NamedTuple):
    """A document that exhibits are from: its file and its title, both empty for none."""

    file: str = ""
    title: str = ""


@cache
def documents() -> Mapping[str, SourceDocument]:
    """Return all documents by their numbers; raises `DamagedError` if their file is damaged."""
    entry = read_entry(asset(_FILE))
    return MappingProxyType({number: _document(entry.object(number)) for number in [*entry.values]})


def document_of(entry: JsonEntry) -> SourceDocument:
    """Return the document that an entry names by its number, an empty one where it names none."""
    if not entry.has("document"):
        return SourceDocument()
    return documents()[entry.choice("document", documents())]


def _document(entry: JsonEntry) -> SourceDocument:
    found = SourceDocument(entry.text("file"), entry.text("title"))
    entry.end()
    return found
