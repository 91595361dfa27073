"""The table beside the panels of a figure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer.params import printed

_NO_FIELDS: Mapping[str, Any] = MappingProxyType({})


class Detail(NamedTuple):
    """The explanation of a cell and the effect of a click."""

    sentence: str  # text of the cell as a full sentence
    # Fields of the exploration that a click on the cell sets, to show what the cell describes. The
    # entry `options` contains options of the view.
    fields: Mapping[str, Any] = _NO_FIELDS
    # Whether the cell shows `sentence` instead of its short text if the sentence fits.
    can_show_sentence: bool = False
    words: str = ""  # longer text for wide columns; empty if there is none
    is_shown: bool = False  # whether the state already has the values in `fields`
    code: str = ""  # code that a click copies; empty if it copies nothing
    click_effect: str = ""  # effect of a click, for the tooltip; empty for the default text


Cell = tuple[str, Detail]


class TextTable(NamedTuple):
    """A table of texts: column titles, and rows with one text per column."""

    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    # A detail for each text, except for the first text in each row.
    details: tuple[tuple[Detail, ...], ...] = ()
    spare_row_count: int = 0  # number of rows at the end that a small page can omit

    @property
    def with_long_texts(self) -> TextTable:
        """The table with the longer form of each text that has one."""
        rows = []
        for (title, *texts), details in zip(self.rows, self.details, strict=False):
            words = (detail.words or text for text, detail in zip(texts, details, strict=True))
            rows.append((title, *words))
        return self._replace(rows=tuple(rows) or self.rows)

    def with_minus_signs(self) -> TextTable:
        """Return the table with minus signs instead of hyphens before values."""
        rows = tuple(tuple(map(printed.text, row)) for row in self.rows)
        details = [
            [
                d._replace(sentence=printed.text(d.sentence), words=printed.text(d.words))
                for d in row
            ]
            for row in self.details
        ]
        return self._replace(rows=rows, details=tuple(map(tuple, details)))


def make_table(
    titles: Iterable[str], rows: Iterable[tuple[str, Iterable[Cell]]], spare_row_count: int = 0
) -> TextTable:
    """Return a table with the given column titles and rows; a row is a title and its cells."""
    rows = [(title, list(cells)) for title, cells in rows]
    texts = tuple((title, *(text for text, _ in cells)) for title, cells in rows)
    details = tuple(tuple(detail for _, detail in cells) for _, cells in rows)
    return TextTable(("", *titles), texts, details, spare_row_count)
