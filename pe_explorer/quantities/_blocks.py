"""Fills large blocks in small parts, where the computation needs much memory."""

from pe_explorer.analysis.comparison import Subject
from pe_explorer.arrays import Floats
from pe_explorer.quantities._base import Fill

_CHUNK_NUMBERS = 1 << 20  # numbers that are computed together


def by_few_rows(fill: Fill, subject: Subject) -> Fill:
    """Return `fill` for few rows at a time, so that its temporary arrays stay small."""
    widest = max(e.width for e in subject.encodings)
    rows = max(1, _CHUNK_NUMBERS // widest)

    def fill_by_few_rows(part: range, out: Floats) -> None:
        for start in range(0, len(part), rows):
            fill(part[start : start + rows], out[start : start + rows])

    return fill_by_few_rows
