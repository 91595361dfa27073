"""Rows that are moved by k: the matrix that moves them, or the best fit, and what they become."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.precision import CODE, code_differences, why_no_code
from pe_explorer.analysis.shift import (
    SHIFT,
    ShiftFit,
    SparseShift,
    matrix_or_fit,
    why_no_fit,
    why_none,
)
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, Rotary
from pe_explorer.numeric.positions import positions_in
from pe_explorer.quantities._base import (
    Data,
    Quantity,
    QuantityInput,
    by_few_rows,
    curve,
    same_width,
    subtracted,
    titled,
)


def _need_moved_rows(e: Encoding) -> str:
    problem = why_none(e) and why_no_fit(e)
    return f"{why_none(e)}, and {problem}" if problem else ""


class MovedRowsQuantity(Quantity):
    """A quantity of rows that are moved by k, by a matrix or else by the best fit."""

    options = {"k": SHIFT}
    view = "shift"
    need = _need_moved_rows


def _mover_of(asked: QuantityInput) -> Callable[[], SparseShift | ShiftFit]:
    """Return a function that returns the matrix, or the best fit, computed the first time."""
    e, k, positions = asked.encoding, asked.options["k"], asked.positions
    if why_none(e, k) and not positions_in(positions, moved_rows.movable(e, k)):
        problem = f"no {e.rows.name} asked for has a row that is {k:,} after it"
        raise EncodingError("k", problem)  # a best fit would have no rows to be fitted to
    return cache(partial(matrix_or_fit, e, k, positions, asked.report))


def _column_titles(e: Encoding) -> Iterator[str]:
    if isinstance(e, Rotary):
        return map(str, range(e.head_dim))
    return map(e.column_title, range(e.width))


class ShiftMatrix(MovedRowsQuantity):
    """The matrix that moves every row by k, or the best fit where there is none: (d, d)."""

    name = "shift-matrix"
    help = "the matrix that moves rows by k, or else the best fit to those shown"
    rank = 56
    has_difference = True
    why_not_comparable = staticmethod(same_width)

    @classmethod
    def data(cls, asked: QuantityInput) -> Data:
        if asked.subject.less is not None:
            return subtracted(cls, asked)
        e, by = asked.encoding, _mover_of(asked)

        def fill(part: range, out: Floats) -> None:
            found = by()
            if not isinstance(found, SparseShift):
                out[:] = found.whole[part.start : part.stop]
                return
            out[:] = 0.0
            own = np.arange(part.start, part.stop)
            out[own - part.start, own] = found.kept[own]
            (others,) = np.nonzero((found.partner >= part.start) & (found.partner < part.stop))
            out[found.partner[others] - part.start, others] = found.taken[others]

        width, name = moved_rows.width(e), moved_rows.columns(e).name
        return Data(range(width), width, titled(name, partial(_column_titles, e)), fill)


class Shifted(MovedRowsQuantity):
    """The row of each position, moved by k by the matrix: (n, d)."""

    name = "shifted"
    help = "the row of each position, moved by k by that matrix"
    rank = 57

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        e, by = asked.encoding, _mover_of(asked)
        titles = titled(e.rows.name, partial(_column_titles, e))
        fill = by_few_rows(lambda part: by().moved(moved_rows.rows(e, part)), asked.subject)
        return Data(asked.positions, moved_rows.width(e), titles, fill)


class ShiftResidual(MovedRowsQuantity):
    """The largest difference of each row that is moved by k from the true one: (n,).

    Beside it, the same of the rows that code makes, where they are asked for: (n, 2).
    """

    name = "shift-residual"
    help = "the largest difference between each moved row and the true one"
    rank = 58
    options = {"k": SHIFT, "code": CODE}
    curve_axis = "positions"

    @classmethod
    def side_by_side(cls, asked: Mapping[str, QuantityInput]) -> Data:
        """Return the curves of exact rows of several encodings."""
        exact = {
            name: each._replace(options={**each.options, "code": "exact"})
            for name, each in asked.items()
        }
        return super().side_by_side(exact)

    @staticmethod
    def data(asked: QuantityInput) -> Data:
        e, k, code = asked.encoding, asked.options["k"], asked.options["code"]
        there = moved_rows.movable(e, k)
        for position in (asked.positions[0], asked.positions[-1]):
            if position not in there:
                problem = f"{e.rows.name} {position:,} has no row that is {k:,} after it"
                raise EncodingError("k", problem)
        if code != "exact" and (problem := why_no_code(e, k, code)):
            raise EncodingError("code", problem)
        by = _mover_of(asked)

        def exact(part: range) -> Floats:
            return moved_rows.largest_differences(e, k, by(), part)

        def fill_both(part: range, out: Floats) -> None:
            out[:, 0] = exact(part)
            out[:, 1] = code_differences(e, k, part, code)

        if code == "exact":
            return curve(asked, e.rows.name, "largest difference", exact)
        titles = titled(e.rows.name, lambda: ("exact rows", f"{code} code"))
        return Data(asked.positions, 2, titles, fill_both)
