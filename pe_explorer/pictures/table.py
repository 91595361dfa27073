"""Texts in columns that stand beside the panels of a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer.params import printed

_NOWHERE: Mapping[str, Any] = MappingProxyType({})


class Detail(NamedTuple):
    """What is known behind a text of a table.

    Attributes
    ----------
    sentence : str
        The text as a full sentence.
    fields : mapping
        The fields of an exploration that show its place, none where it has no place; those of
        `options` are the view's own options.
    in_full : bool
        Whether the sentence stands in the place of the text where it can be broken into few lines.
    words : str
        What stands in the place of the text where there is room, empty for the text itself.
    shown : bool
        Whether its place is the one that was asked for last.
    copied : str
        The code that a click copies, empty for none.
    does : str
        What a click does, as a sentence; empty where it shows the place in other views.
    """

    sentence: str
    fields: Mapping[str, Any] = _NOWHERE
    in_full: bool = False
    words: str = ""
    shown: bool = False
    copied: str = ""
    does: str = ""


Cell = tuple[str, Detail]
"""A text of a table, and what is known behind it."""


class TextTable(NamedTuple):
    """A row of titles, and below it others that are as long.

    `details` belong to the texts of each row behind its first; there are none where it is empty.
    So many of the last rows as `spare` says are left out of a page that has little room.
    """

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    details: tuple[tuple[Detail, ...], ...] = ()
    spare: int = 0

    @property
    def in_words(self) -> TextTable:
        """The same table for a place with much room."""
        rows = []
        for (title, *texts), details in zip(self.rows, self.details, strict=False):
            words = (detail.words or text for text, detail in zip(texts, details, strict=True))
            rows.append((title, *words))
        return self._replace(rows=tuple(rows) or self.rows)

    def as_printed(self) -> TextTable:
        """Return the same with a minus sign in the place of each hyphen of its numbers."""
        rows = tuple(tuple(map(printed.text, row)) for row in self.rows)
        details = tuple(tuple(map(_printed, row)) for row in self.details)
        return self._replace(rows=rows, details=details)


def table_of_cells(
    titles: Iterable[str], rows: Iterable[tuple[str, Iterable[Cell]]], spare: int = 0
) -> TextTable:
    """Return a table with titles over its columns, each row with its own title and its cells."""
    rows = [(title, list(cells)) for title, cells in rows]
    texts = tuple((title, *(text for text, _ in cells)) for title, cells in rows)
    details = tuple(tuple(detail for _, detail in cells) for _, cells in rows)
    return TextTable(("", *titles), texts, details, spare)


def _printed(detail: Detail) -> Detail:
    sentence, words = printed.text(detail.sentence), printed.text(detail.words)
    return detail._replace(sentence=sentence, words=words)
