"""What every quantity declares: an array that can be exported, computed block by block."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis import comparison
from pe_explorer.analysis.comparison import Show, Subject, why_not_comparable
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, needs
from pe_explorer.numeric.positions import positions_in
from pe_explorer.params import Parameter
from pe_explorer.progress import report

Fill = Callable[[range, Floats], None]
Titles = Callable[[], Iterator[str]]
_CHUNK_NUMBERS = 1 << 20  # numbers that are computed together
_NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Data:
    """Numbers to be written, computed block by block."""

    index: range  # the position of each row, or the number of its wave or head
    width: int | None  # numbers in a row; None for one plain number, a one-dimensional array
    titles: Titles  # the column titles of a CSV file: of the index, then of the numbers
    fill: Fill  # writes the rows of a part of the index to an array, float64
    labels: tuple[str, ...] = ()  # names of rows in a CSV file that are more than their index
    curves: tuple[str, ...] = ()  # names of columns that are curves: an array has a row for each
    next_part: Data | None = None  # rows that follow, such as those of a second window
    notes: tuple[str, ...] = ()  # sentences on curves that were asked for and are missing

    @property
    def parts(self) -> tuple[Data, ...]:
        """The numbers, and those that follow."""
        return (self, *self.next_part.parts) if self.next_part else (self,)

    @property
    def rows(self) -> int:
        """The number of rows of all parts."""
        return sum(len(part.index) for part in self.parts)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the whole array, a row for each of the index, whatever a file has."""
        return (self.rows,) if self.width is None else (self.rows, self.width)


class QuantityInput(NamedTuple):
    """The subject and the fields that a quantity is computed from."""

    subject: Subject  # the encoding, or the difference of two
    positions: range
    metric: str = "cosine"
    reference: int = 0
    position: int = 0  # that of the cursor
    options: Mapping[str, Any] = _NO_OPTIONS  # `quantities.data` adds those that are not given
    progress: threading.Event | None = None  # before the first number; set to cancel

    @property
    def report(self) -> Callable[[float], None] | None:
        """The function that reports progress, None where nobody asks for it."""
        return partial(report, self.progress) if self.progress else None

    @property
    def encoding(self) -> Encoding:
        """The encoding, if no difference is asked for."""
        return self.subject.encoding


class Quantity:
    """One array that can be exported of an encoding: a subclass, which has no instances."""

    name: ClassVar[str]
    help: ClassVar[str]  # what the numbers are, in a few words
    rank: ClassVar[int]  # place in lists, smallest first
    options: ClassVar[Mapping[str, Parameter]] = _NO_OPTIONS  # by name: each is a flag of `export`
    view: ClassVar[str] = ""  # the view that has the same options, if one has
    by_offset: ClassVar[bool] = False  # whether its positions are offsets: key minus query
    has_difference: ClassVar[bool] = False  # whether it exists for the difference of two encodings
    curve_axis: ClassVar[str] = ""
    """What its curve is over: positions, offsets, waves, bins or wishes; empty for no curve."""
    has_windows: ClassVar[bool] = False  # whether there is a second window of positions, too
    compares_with_pin: ClassVar[bool] = (
        False  # whether it always compares with the pin, whatever is shown
    )
    need: ClassVar[needs.Need] = needs.nothing  # what every encoding that has it must have
    why_not_comparable = staticmethod(why_not_comparable)
    """Returns why two encodings that have it have no difference of it, or an empty text."""

    @classmethod
    def check(cls, asked: QuantityInput) -> None:
        """Raise `EncodingError` if there are no such numbers, as far as it shows at once."""
        cls.data(asked)

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        """Return the numbers, ready to be computed; what takes long to get ready has a `check`."""
        raise NotImplementedError

    @classmethod
    def side_by_side(cls, asked: Mapping[str, QuantityInput]) -> Data:
        """Return the curves of several encodings, by their names, a column for each."""
        return joined(cls, {name: (each, cls.data(each)) for name, each in asked.items()})


def joined(quantity: type[Quantity], found: Mapping[str, tuple[QuantityInput, Data]]) -> Data:
    """Return several curves side by side, nan where one of them has no number."""
    index = max((data.index for _, data in found.values()), key=len)
    curves = []
    for asked, data in found.values():
        is_limited = quantity.curve_axis == "positions"
        there = positions_in(data.index, asked.encoding.domain) if is_limited else data.index
        curves.append((there, data.fill))

    def fill(part: range, out: Floats) -> None:
        out[:] = np.nan
        before = index.index(part[0])
        for column, (there, fill_curve) in enumerate(curves):
            first = max(0, index.index(there[0]) - before)
            end = min(len(part), index.index(there[-1]) + 1 - before)
            if first < end:
                numbers = np.empty(end - first)
                fill_curve(part[first:end], numbers)
                out[first:end, column] = numbers

    names, (_, first) = tuple(found), next(iter(found.values()))
    titles = titled(next(first.titles()), lambda: names)
    return Data(index, len(names), titles, fill, labels=first.labels, curves=names)


def same_width(e: Encoding, other: Encoding) -> str:
    """Return why rows of two encodings cannot be subtracted one by one, or an empty text."""
    if problem := why_not_comparable(e, other):
        return problem
    if e.width == other.width:
        return ""
    counts = (
        f"{each.display_name()} has {each.columns.counted(each.width)}" for each in (e, other)
    )
    return f"{' and '.join(counts)}, so there is no difference"


def subtracted(quantity: type[Quantity], asked: QuantityInput, least: float = 0.0) -> Data:
    """Return the numbers of one encoding minus those of the other that is asked for.

    They are nan where rounding decides; `least` is as in `comparison.subtracted`.
    """
    assert asked.subject.less is not None
    encodings = asked.subject.encoding, asked.subject.less
    alone = (asked._replace(subject=Subject(Show.CURRENT, e)) for e in encodings)
    one, other = map(quantity.data, alone)

    def fill(part: range, out: Floats) -> None:
        one.fill(part, out)
        less = np.empty_like(out)
        other.fill(part, less)
        out[:] = comparison.subtracted(out, less, *encodings, least=least)

    return Data(one.index, one.width, one.titles, fill)


def _titles_of_all(named: Sequence[tuple[str, Data]]) -> Iterator[str]:
    """Yield the title of the index, and of each column, after the name of what it is of."""
    for place, (name, data) in enumerate(named):
        index, *columns = data.titles()
        if place == 0:
            yield index
        yield from (f"{name}: {column}" if data.width else name for column in columns)


def join_tables(named: Sequence[tuple[str, Data]]) -> Data:
    """Return the numbers of several encodings side by side, whose columns begin with their names.

    Single columns become curves. Raises `EncodingError` where they have not as many rows each.
    """
    names, parts = zip(*named, strict=True)
    first: Data = parts[0]
    if len({len(data.index) for data in parts}) > 1:
        counts = " and ".join(f"{name} has {len(data.index):,}" for name, data in named)
        problem = f"{counts} rows, which cannot stand side by side"
        raise EncodingError("show", problem, "write each to a file of its own")
    ends = list(itertools.accumulate(data.width or 1 for data in parts))

    def fill(part: range, out: Floats) -> None:
        where = slice(first.index.index(part[0]), first.index.index(part[-1]) + 1)
        for data, columns in zip(parts, np.split(out, ends[:-1], axis=1), strict=True):
            own = np.empty((len(part), *data.shape[1:]))
            data.fill(data.index[where], own)
            columns[:] = own.reshape(columns.shape)

    then = [(name, data.next_part) for name, data in named if data.next_part]
    is_curves = all(data.width is None for data in parts)
    return replace(
        first,
        width=ends[-1],
        titles=partial(_titles_of_all, named),
        fill=fill,
        curves=names if is_curves else (),
        next_part=join_tables(then) if then else None,
        notes=tuple(itertools.chain.from_iterable(data.notes for data in parts)),
    )


def by_few_rows(numbers: Callable[[range], Floats], subject: Subject) -> Fill:
    """Return what fills in numbers for few rows at a time, so that temporary arrays stay small."""
    rows = max(1, _CHUNK_NUMBERS // max(e.width for e in subject.encodings))

    def fill(part: range, out: Floats) -> None:
        for start in range(0, len(part), rows):
            out[start : start + rows] = numbers(part[start : start + rows])

    return fill


def by_columns(asked: QuantityInput, fill: Fill) -> Data:
    """Return a row for each position, with the columns of the encodings that are asked for."""
    subject, name = asked.subject, asked.subject.encoding.rows.name
    titles = titled(name, lambda: map(subject.column_title, range(subject.width)))
    return Data(asked.positions, subject.width, titles, fill)


def curve(
    asked: QuantityInput, index: str, title: str, numbers: Callable[[range], npt.ArrayLike]
) -> Data:
    """Return one number for each position, as `numbers` computes them for a part of these."""

    def fill(part: range, out: Floats) -> None:
        out[:] = numbers(part)

    return Data(asked.positions, None, titled(index, lambda: (title,)), fill)


def known(index: str, titles: Sequence[str], numbers: npt.ArrayLike) -> Data:
    """Return numbers that need no more computing: one in each row, or one for each title."""
    values = np.asarray(numbers)

    def fill(part: range, out: Floats) -> None:
        out[:] = values[part.start : part.stop]

    width = None if values.ndim == 1 else len(titles)
    return Data(range(len(values)), width, titled(index, lambda: titles), fill)


def titled(index: str, numbers: Callable[[], Iterable[str]]) -> Titles:
    """Return the column titles of a CSV file: that of the index, then those of the numbers."""
    return lambda: itertools.chain((index,), numbers())
