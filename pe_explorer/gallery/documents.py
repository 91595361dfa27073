"""The documents that exhibits and lessons are from, as `resources/gallery/documents.json` has them.

Each has the name of its file, and a title: its own where it has one, or what it is in a few words.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from pe_explorer.assets import asset
from pe_explorer.gallery._entry import Entry, read_entry

_FILE = "gallery/documents.json"


class Document(NamedTuple):
    """A text that exhibits are from: its file and its title, both empty for no document."""

    file: str = ""
    title: str = ""


@cache
def documents() -> Mapping[str, Document]:
    """Return all documents by their numbers; raises `DamagedError` if their file is damaged."""
    entry = read_entry(asset(_FILE))
    return MappingProxyType({number: _document(entry.object(number)) for number in [*entry.values]})


def document_of(entry: Entry) -> Document:
    """Return the document that an entry names by its number, an empty one where it names none."""
    if not entry.has("document"):
        return Document()
    return documents()[entry.choice("document", documents())]


def _document(entry: Entry) -> Document:
    found = Document(entry.text("file"), entry.text("title"))
    entry.end(Document._fields)
    return found
