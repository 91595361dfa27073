"""The base class of quantities: arrays for export that are computed block by block."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis import comparison
from pe_explorer.analysis.comparison import ShowOption, Subject, explain_mismatch
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, needs
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.params import Parameter
from pe_explorer.progress import report

FillFunction = Callable[[range, Floats], None]
_CHUNK_VALUES = 1 << 20  # number of values that are computed together
_NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True)
class Data:
    """A table of values that are computed block by block."""

    index: range  # the position, wave index or head index of each row
    width: int | None  # the number of values in a row; None for a one-dimensional array
    index_title: str
    column_titles: Callable[[], Iterable[str]]  # returns the titles of the values in a row
    fill: FillFunction  # writes the rows for a part of `index` to a float64 array
    labels: tuple[str, ...] = ()  # row names for a CSV file, which are clearer than the index
    curves: tuple[str, ...] = ()  # the names of the columns if they are curves; otherwise empty
    next_part: Data | None = None  # the following rows, such as those of a second window
    notes: tuple[str, ...] = ()  # sentences about the data, such as why a curve is omitted

    def titles(self) -> Iterator[str]:
        """Return the titles of all columns of a CSV file; the first column is the index."""
        return itertools.chain((self.index_title,), self.column_titles())

    @property
    def parts(self) -> tuple[Data, ...]:
        """The table, followed by the tables of further windows."""
        return (self, *self.next_part.parts) if self.next_part else (self,)

    @property
    def rows(self) -> int:
        """The number of rows of all parts together."""
        return sum(len(part.index) for part in self.parts)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the whole table, with one row per index, regardless of the file format."""
        return (self.rows,) if self.width is None else (self.rows, self.width)


class QuantityInput(NamedTuple):
    """The input of a quantity: its subject, and all other values on which it depends."""

    subject: Subject  # an encoding, or the difference between two encodings
    positions: range
    metric: str = "cosine"
    reference: int = 0
    position: int = 0  # the position of the cursor
    options: Mapping[str, Any] = _NO_OPTIONS  # `quantities.data` adds the missing options
    progress: threading.Event | None = None  # receives progress reports; set the event to cancel

    @property
    def report(self) -> Callable[[float], None] | None:
        """The function that reports progress; None if `progress` is None."""
        return partial(report, self.progress) if self.progress else None

    @property
    def encoding(self) -> Encoding:
        """The encoding of the subject; for a difference, the encoding to subtract from."""
        return self.subject.encoding


class Quantity:
    """A base class of arrays that can be exported; its subclasses are not instantiated."""

    name: ClassVar[str]
    help: ClassVar[str]  # a short description of the values, from the docstring
    rank: ClassVar[int]  # the sort key in lists, lowest first
    options: ClassVar[Mapping[str, Parameter]] = _NO_OPTIONS  # options and flags of `export`
    view: ClassVar[str] = ""  # the view with the same options; empty if there is none
    has_offsets: ClassVar[bool] = False  # whether positions are offsets (key minus query)
    has_difference: ClassVar[bool] = False  # whether the values of two encodings can be subtracted
    curve_axis: ClassVar[str] = ""
    """The axis of a curve: positions, offsets, waves, bins or wishes; empty for other arrays."""
    can_have_second_window: ClassVar[bool] = (
        False  # whether a second window of positions is possible
    )
    is_pin_comparison: ClassVar[bool] = False  # whether the quantity always compares with the pin
    # Returns why an encoding has no such array, or an empty string if it has one.
    need: ClassVar[needs.Requirement] = needs.require_nothing
    explain_mismatch = staticmethod(explain_mismatch)
    """Returns why the difference of two encodings is undefined; empty if it is defined."""

    def __init_subclass__(cls) -> None:
        first_line = (cls.__doc__ or "").partition("\n")[0].rstrip(".")
        cls.help = first_line.partition(": (")[0].replace("The ", "the ", 1)  # without the shape

    @classmethod
    def check(cls, inputs: QuantityInput) -> None:
        """Raise `EncodingError` if the quantity is undefined, but skip expensive checks."""
        cls.data(inputs)

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        """Return the data; a subclass with a slow `data` method also overrides `check`."""
        raise NotImplementedError

    @classmethod
    def join_data(cls, named_inputs: Mapping[str, QuantityInput]) -> Data:
        """Return the curves of several named inputs, with one column each."""
        curves = {name: (inputs, cls.data(inputs)) for name, inputs in named_inputs.items()}
        return join_curves(cls, curves)


def join_curves(
    quantity: type[Quantity], curves_by_name: Mapping[str, tuple[QuantityInput, Data]]
) -> Data:
    """Return several curves as columns, with nan for missing values."""
    index = max((data.index for _, data in curves_by_name.values()), key=len)
    curves = []
    for inputs, data in curves_by_name.values():
        curve_index = data.index
        if quantity.curve_axis == "positions":
            curve_index = clip_positions(data.index, inputs.encoding.domain)
        curves.append((curve_index, data.fill))

    def fill(part: range, out: Floats) -> None:
        out[:] = np.nan
        start = index.index(part[0])
        for column, (curve_index, fill_curve) in enumerate(curves):
            first = max(0, index.index(curve_index[0]) - start)
            end = min(len(part), index.index(curve_index[-1]) + 1 - start)
            if first < end:
                numbers = np.empty(end - first)
                fill_curve(part[first:end], numbers)
                out[first:end, column] = numbers

    names, (_, first) = tuple(curves_by_name), next(iter(curves_by_name.values()))
    return Data(index, len(names), first.index_title, lambda: names, fill, first.labels, names)


def explain_row_mismatch(e: Encoding, second: Encoding) -> str:
    """Return why rows of two encodings cannot be subtracted, or an empty string if they can."""
    problem = explain_mismatch(e, second)
    if problem or e.width == second.width:
        return problem
    widths = (f"{x.format_name()} has {x.columns.format_count(x.width)}" for x in (e, second))
    return f"{' and '.join(widths)}, so their difference is undefined"


def subtract(quantity: type[Quantity], inputs: QuantityInput, min_size: float = 0.0) -> Data:
    """Return the difference of a quantity between the two encodings of a subject.

    Values dominated by rounding errors are nan; see `comparison.subtract_values` for `min_size`.
    """
    assert inputs.subject.subtrahend is not None
    encodings = inputs.subject.encoding, inputs.subject.subtrahend
    subjects = (Subject(ShowOption.CURRENT, e) for e in encodings)
    minuend, subtrahend = (quantity.data(inputs._replace(subject=subject)) for subject in subjects)

    def fill(part: range, out: Floats) -> None:
        minuend.fill(part, out)
        values = np.empty_like(out)
        subtrahend.fill(part, values)
        out[:] = comparison.subtract_values(out, values, *encodings, min_size=min_size)

    titles = minuend.index_title, minuend.column_titles
    return Data(minuend.index, minuend.width, *titles, fill)


def join_tables(named_data: Sequence[tuple[str, Data]]) -> Data:
    """Return several tables side by side, with their names in the column titles.

    If all tables are one-dimensional, their columns are curves. Raise `EncodingError` if
    the numbers of rows differ.
    """
    names, parts = zip(*named_data, strict=True)
    index: range = parts[0].index
    if len({len(data.index) for data in parts}) > 1:
        counts = " and ".join(f"{name} has {len(data.index):,}" for name, data in named_data)
        problem = f"{counts} rows, so one table cannot have both"
        raise EncodingError("show", problem, "write them to separate files")
    ends = list(itertools.accumulate(data.width or 1 for data in parts))

    def fill(part: range, out: Floats) -> None:
        rows = slice(index.index(part[0]), index.index(part[-1]) + 1)
        for data, columns in zip(parts, np.split(out, ends[:-1], axis=1), strict=True):
            numbers = np.empty((len(part), *data.shape[1:]))
            data.fill(data.index[rows], numbers)
            columns[:] = numbers.reshape(columns.shape)

    def titles() -> Iterator[str]:
        for name, data in named_data:
            yield from (f"{name}: {text}" if data.width else name for text in data.column_titles())

    next_parts = [(name, data.next_part) for name, data in named_data if data.next_part]
    return replace(
        parts[0],
        width=ends[-1],
        column_titles=titles,
        fill=fill,
        curves=names if all(data.width is None for data in parts) else (),
        next_part=join_tables(next_parts) if next_parts else None,
        notes=tuple(itertools.chain.from_iterable(data.notes for data in parts)),
    )


def make_chunked_fill(compute: Callable[[range], Floats], subject: Subject) -> FillFunction:
    """Return a function that computes a few rows at a time, so that temporary arrays are small."""
    rows = max(1, _CHUNK_VALUES // max(e.width for e in subject.encodings))

    def fill(part: range, out: Floats) -> None:
        for start in range(0, len(part), rows):
            out[start : start + rows] = compute(part[start : start + rows])

    return fill


def make_column_data(inputs: QuantityInput, fill: FillFunction) -> Data:
    """Return data with a row for each position and the columns of the subject."""
    subject, index_title = inputs.subject, inputs.encoding.rows.name
    titles = partial(map, subject.format_column_title, range(subject.width))
    return Data(inputs.positions, subject.width, index_title, titles, fill)


def make_curve_data(
    inputs: QuantityInput, index: str, title: str, compute: Callable[[range], npt.ArrayLike]
) -> Data:
    """Return data with one value for each position."""

    def fill(part: range, out: Floats) -> None:
        out[:] = compute(part)

    return Data(inputs.positions, None, index, lambda: (title,), fill)


def make_value_data(index: str, titles: Sequence[str], values: npt.ArrayLike) -> Data:
    """Return data of values that are already computed.

    Each row has one value, or one value for each title if `values` is two-dimensional.
    """
    array = np.asarray(values)
    rows, width = range(len(array)), None if array.ndim == 1 else len(titles)
    return Data(rows, width, index, lambda: titles, make_array_fill(rows, lambda: array))


def make_array_fill(index: range, compute: Callable[[], Floats]) -> FillFunction:
    """Return a function that copies rows of an array, which is computed when it is first needed."""
    array = cache(compute)

    def fill(part: range, out: Floats) -> None:
        first = index.index(part[0])
        out[:] = array()[first : first + len(part)]

    return fill
