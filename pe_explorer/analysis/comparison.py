"""What is looked at where an encoding is pinned.

The current one, the pinned one, or their difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.angles import AngleDifference, angle_difference
from pe_explorer.analysis.columns import common_columns
from pe_explorer.encodings import Encoding, Unknown, Waves, require_known
from pe_explorer.params import Choice

__all__ = ["SHOW", "Subject", "chosen", "columns_of_cursor", "comparable", "same_rows"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

SHOW = Choice(
    "current",
    {
        "current": "the encoding that is set up",
        "pinned": "the pin that is compared with",
        "difference": "the current encoding minus the pinned one, in what both have",
    },
    label="Show",
    help="Which encoding is shown, where one is pinned to compare with.",
)


def same_rows(e: Encoding, other: Encoding) -> str:
    """Return an empty text where the rows of two encodings mean the same, or what they mean."""
    if e.rows == other.rows:
        return ""
    own, its = e.rows.plural, other.rows.plural
    return f"{e.called()} has rows for {own} and {other.called()} for {its}, which do not compare"


def comparable(e: Encoding, other: Encoding) -> str:
    """Return an empty text where numbers of two encodings can be compared, or why they cannot."""
    if problem := same_rows(e, other):
        return problem
    if e.columns != other.columns:
        own, its = e.columns.plural, other.columns.plural
        return (
            f"{e.called()} has columns for {own} and {other.called()} for {its}, which do not "
            "compare"
        )
    low = max(e.domain[0], other.domain[0])
    if low > min(e.domain[-1], other.domain[-1]):
        return f"{e.called()} and {other.called()} have no {e.rows.name} in common"
    return ""


@dataclass(frozen=True)
class Subject:
    """An encoding, minus another for the difference; `show` is the choice of `SHOW`."""

    show: str
    encoding: Encoding
    less: Encoding | None = None

    @property
    def encodings(self) -> tuple[Encoding, ...]:
        """The encodings that are looked at."""
        return (self.encoding,) if self.less is None else (self.encoding, self.less)

    @property
    def lack(self) -> str:
        """An empty text, or the sentence that says why there is no difference."""
        return "" if self.less is None else comparable(self.encoding, self.less)

    @cached_property
    def columns(self) -> tuple[Ints, Ints]:
        """The columns that are shown: of the encoding, and of the one that is taken from it."""
        if self.less is None:
            own = np.arange(self.encoding.width)
            return own, own
        return common_columns(self.encoding, self.less)

    @property
    def width(self) -> int:
        """The number of columns that all of them have."""
        return self.encoding.width if self.less is None else len(self.columns[0])

    @property
    def domain(self) -> range:
        """The rows that all of them have."""
        domains = [e.domain for e in self.encodings]
        return range(max(d[0] for d in domains), min(d[-1] for d in domains) + 1)

    def column_title(self, place: int) -> str:
        """Return what the column at a place is called."""
        return self.encoding.column_title(int(self.columns[0][place]))

    @cached_property
    def angles(self) -> Waves | AngleDifference:
        """What tells the angles: a mean angle of the difference is none of the two means."""
        if self.less is None:
            assert isinstance(self.encoding, Waves)
            return self.encoding
        assert isinstance(self.encoding, Waves)
        assert isinstance(self.less, Waves)
        return angle_difference(self.encoding, self.less)

    def table(self, positions: Any, out: Floats | None = None) -> Floats:
        """Return the values, shape (n, width), as `Encoding.table` does."""
        if self.less is None:
            return self.encoding.table(positions, out)
        pairs = zip(self.encodings, self.columns, strict=True)
        own, other = (_picked(e.table(positions), columns) for e, columns in pairs)
        with np.errstate(over="ignore", invalid="ignore"):  # a file may hold any numbers
            return np.subtract(own, other, out=out)

    def block_means(self, start: int, block: int, rows: int) -> Floats:
        """Return their means over blocks, shape (rows, width).

        Of a difference, that of the means.
        """
        if self.less is None:
            return self.encoding.block_means(start, block, rows)
        pairs = zip(self.encodings, self.columns, strict=True)
        own, other = (_picked(e.block_means(start, block, rows), columns) for e, columns in pairs)
        with np.errstate(over="ignore", invalid="ignore"):
            return own - other

    def value(self, position: int, place: int) -> float:
        """Return one of the values."""
        pairs = zip(self.encodings, self.columns, strict=False)
        own, *other = (e.value(position, int(columns[place])) for e, columns in pairs)
        return own - other[0] if other else own


def columns_of_cursor(what: Subject, e: Encoding) -> Ints:
    """Return which column of the current encoding means what each place of a subject shows.

    Returns
    -------
    (what.width,) int64
        -1 for a place whose column the current encoding does not have.
    """
    if what.show != "pinned":
        return what.columns[0]
    own, places = common_columns(e, what.encoding)
    columns = np.full(what.width, -1)
    columns[places] = own
    return columns


def _picked(table: Floats, columns: Ints) -> Floats:
    """Return some columns of a table; the first ones without a copy."""
    count = len(columns)
    if count and columns[-1] == count - 1 and columns[0] == 0 and (np.diff(columns) == 1).all():
        return table[:, :count]
    return table[:, columns]


def chosen(show: str, e: Encoding | Unknown, pinned: Encoding | Unknown | None) -> Subject:
    """Return what a choice of `SHOW` means; without a pinned encoding, it is the current one.

    Raises
    ------
    EncodingError
        If an encoding that is looked at is not known here.
    """
    if pinned is None or show == "current":
        return Subject("current", require_known(e))
    other = require_known(pinned, "pin")
    return Subject(show, other) if show == "pinned" else Subject(show, require_known(e), other)
