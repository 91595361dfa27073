"""The data that a plot shows: the current encoding, a pinned one, or their difference."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from pe_explorer.analysis.angles import (
    AngleDifference,
    WaveDifference,
    are_almost_equal,
    find_common_columns,
    subtract_angles,
    subtract_waves,
)
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding, Steady, Unknown, Waves, require_known
from pe_explorer.encodings.abilities.checks import check_blocks, to_positions
from pe_explorer.numeric.positions import clip_positions, count_positions
from pe_explorer.params import MultiChoice, join_words


class ShowOption(StrEnum):
    """An encoding or a difference to show; a value of `SHOW` combines one or more members."""

    CURRENT = "current"
    PINNED = "pinned"
    DIFFERENCE = "difference"


SHOW = MultiChoice(
    "current",
    {
        "current": "the current encoding",
        "pinned": "the pinned encoding",
        "difference": "the current encoding minus the pinned encoding, where both have values",
    }
    | {
        " ".join(words): f"{join_words(words)}, side by side in the same colours"
        for words in (*combinations(ShowOption, 2), tuple(ShowOption))
    },
    texts={
        "current pinned": "both",
        "current difference": "first and difference",
        "pinned difference": "second and difference",
        "current pinned difference": "both and difference",
    },
    label="Shown encoding",
    help="The encodings to show if an encoding is pinned.",
)

DIFFERENCE_REMEDY = "show one of the encodings, or both side by side"
_MIN_DIFFERENCE = 1e-11  # smaller relative differences have fewer than three accurate digits


def explain_different_rows(e: Encoding, second: Encoding) -> str:
    """Return why the rows of two encodings differ in meaning, or "" if they do not."""
    return "" if e.rows == second.rows else _explain_difference(e, second, "rows")


def explain_mismatch(e: Encoding, second: Encoding) -> str:
    """Return why the values of two encodings cannot be compared, or "" if they can."""
    if problem := explain_different_rows(e, second):
        return problem
    if e.columns != second.columns:
        return _explain_difference(e, second, "columns")
    if not clip_positions(e.domain, second.domain):
        return f"{e.format_name()} and {second.format_name()} have no {e.rows.name} in common"
    return ""


def _explain_difference(e: Encoding, second: Encoding, parts: str) -> str:
    first_text = f"{e.format_name()} has {parts} for {getattr(e, parts).plural}"
    second_text = f"{second.format_name()} for {getattr(second, parts).plural}"
    effect = "their difference is undefined" if parts == "columns" else "they cannot be compared"
    return f"{first_text} and {second_text}: their {parts} differ in meaning, so {effect}"


@dataclass(frozen=True)
class Subject:
    """An encoding, or the difference between two encodings."""

    show: ShowOption
    encoding: Encoding
    subtrahend: Encoding | None = None

    @property
    def encodings(self) -> tuple[Encoding, ...]:
        """The encoding or, for a difference, both encodings."""
        return (self.encoding,) if self.subtrahend is None else (self.encoding, self.subtrahend)

    @property
    def missing_reason(self) -> str:
        """The reason why the difference is undefined; empty if it is defined or not shown."""
        return "" if self.subtrahend is None else explain_mismatch(self.encoding, self.subtrahend)

    @cached_property
    def columns(self) -> tuple[Ints, Ints]:
        """The columns of the first encoding, and the corresponding columns of the second."""
        if self.subtrahend is None:
            columns = np.arange(self.encoding.width)
            return columns, columns
        return find_common_columns(self.encoding, self.subtrahend)

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.columns[0])

    @property
    def kinds(self) -> Ints:
        """The kind of each column, encoded as a number, shape (width,)."""
        if self.subtrahend is None:
            return self.encoding.kinds
        kinds, other_kinds = (e.kinds[c] for e, c in zip(self.encodings, self.columns, strict=True))
        return kinds * (other_kinds.max(initial=0) + 1) + other_kinds

    @property
    def domain(self) -> range:
        """The positions for which all encodings have rows."""
        domain = self.encoding.domain
        return domain if self.subtrahend is None else clip_positions(domain, self.subtrahend.domain)

    def format_column_title(self, place: int) -> str:
        """Return the title of a column, given its index."""
        return self.encoding.format_column_title(int(self.columns[0][place]))

    @cached_property
    def angles(self) -> Waves | AngleDifference:
        """The angles of the encoding, or the difference between the angles of both encodings."""
        if self.subtrahend is None:
            assert isinstance(self.encoding, Waves)
            return self.encoding
        assert isinstance(self.encoding, Steady)
        assert isinstance(self.subtrahend, Steady)
        return subtract_angles(self.encoding, self.subtrahend)

    @cached_property
    def waves(self) -> WaveDifference | None:
        """The differences between waves, computed from phases; None if no waves are subtracted."""
        if not isinstance(self.encoding, Steady) or not isinstance(self.subtrahend, Steady):
            return None
        waves = subtract_waves(self.encoding, self.subtrahend)
        return waves if len(waves.columns) else None

    def table(self, positions: Any, out: Floats | None = None) -> Floats:
        """Return the values, shape (n, width); see `Encoding.table`."""
        if self.subtrahend is None:
            return self.encoding.table(positions, out)
        positions = to_positions(positions)
        out = np.empty((count_positions(positions), self.width)) if out is None else out
        if not self._has_only_waves:
            self._subtract(self.encoding.table(positions), self.subtrahend.table(positions), out)
        if self.waves is not None:
            self.waves.write(positions, out)
        return out

    def block_means(self, start: int, block: int, rows: int) -> Floats:
        """Return the means of the values over blocks, shape (rows, width)."""
        if self.subtrahend is None:
            return self.encoding.block_means(start, block, rows)
        start, block, rows = check_blocks(start, block, rows)
        out = np.empty((rows, self.width))
        if not self._has_only_waves:
            means = self.encoding.block_means(start, block, rows)
            self._subtract(means, self.subtrahend.block_means(start, block, rows), out)
        if self.waves is not None:
            self.waves.write_means(start, block, out)
        return out

    def value(self, position: int, place: int) -> float:
        """Return a single value; `place` is the index of the column."""
        column, other_column = (int(columns[place]) for columns in self.columns)
        value = self.encoding.value(position, column)
        if self.subtrahend is None:
            return value
        if isinstance(self.encoding, Steady) and isinstance(self.subtrahend, Steady):
            waves = subtract_waves(self.encoding, self.subtrahend, place)
            if len(waves.columns):
                out = np.empty((1, 1))
                waves.write(range(position, position + 1), out)
                return float(out[0, 0])
        return value - self.subtrahend.value(position, other_column)

    @property
    def _has_only_waves(self) -> bool:
        return self.waves is not None and len(self.waves.columns) == self.width

    def _subtract(self, table: Floats, subtrahend: Floats, out: Floats) -> None:
        tables = []
        for values, columns in zip((table, subtrahend), self.columns, strict=True):
            count = len(columns)
            is_prefix = np.array_equal(columns, np.arange(count))  # a view is faster than a copy
            tables.append(values[:, :count] if is_prefix else values[:, columns])
        with np.errstate(over="ignore", invalid="ignore"):  # a file can contain arbitrary values
            np.subtract(tables[0], tables[1], out=out)


def subtract_values(
    numbers: Floats, subtrahend: Floats, e: Encoding, second: Encoding, min_size: float = 0.0
) -> Floats:
    """Return the values of an encoding minus those of another; nan if rounding errors dominate.

    A difference is nan if it has fewer than three accurate digits. The difference between
    equal values is 0, unless the encodings have almost equal waves. It is nan for almost
    equal waves, because rounding can make their values equal. Absolute values below
    `min_size` are assumed to have the rounding error of `min_size`.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # a file can contain arbitrary values
        differences: Floats = numbers - subtrahend
        sizes = np.maximum(np.maximum(np.abs(numbers), np.abs(subtrahend)), min_size)
        is_inaccurate = np.abs(differences) < _MIN_DIFFERENCE * sizes
    if not are_almost_equal(e, second):
        is_inaccurate &= differences != 0
    differences[is_inaccurate] = np.nan
    return differences


def find_cursor_columns(subject: Subject, e: Encoding) -> Ints:
    """Return the column of `e` for each column of a subject, shape (width,), or -1 if none."""
    if subject.show != ShowOption.PINNED:
        return subject.columns[0]
    own_columns, pin_columns = find_common_columns(e, subject.encoding)
    columns = np.full(subject.width, -1)
    columns[pin_columns] = own_columns
    return columns


def choose_subject(show: str, e: Encoding | Unknown, pin: Encoding | Unknown | None) -> Subject:
    """Return the subject that is selected by the first word of `show`, a value of `SHOW`.

    If `pin` is None, return `e`. Raise `EncodingError` if a required encoding is unknown.
    """
    word = ShowOption(show.split()[0])
    if pin is None or word == ShowOption.CURRENT:
        return Subject(ShowOption.CURRENT, require_known(e))
    pinned_encoding = require_known(pin, "pin")
    if word == ShowOption.PINNED:
        return Subject(word, pinned_encoding)
    return Subject(word, require_known(e), pinned_encoding)
