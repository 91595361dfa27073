"""The matrix that moves rows, for the quantities of a shift."""

from collections.abc import Callable, Iterator
from functools import cache

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.shift import (
    SHIFT,
    ShiftFit,
    SparseShift,
    matrix_or_fit,
    why_no_fit,
    why_none,
)
from pe_explorer.encodings import Encoding, EncodingError, Rotary
from pe_explorer.numeric.positions import positions_in
from pe_explorer.quantities._base import Asked, Quantity

MakeMover = Callable[[], SparseShift | ShiftFit]


def _need_moved_rows(e: Encoding) -> str:
    problem = why_none(e) and why_no_fit(e)
    return f"{why_none(e)}, and {problem}" if problem else ""


class MovedRowsQuantity(Quantity):
    """A quantity of rows that are moved by k, by a matrix or else by the best fit."""

    options = {"k": SHIFT}
    view = "shift"
    need = _need_moved_rows


def mover_of(asked: Asked) -> MakeMover:
    """Return a function that returns the matrix, or the best fit, computed the first time."""
    e, k, positions = asked.encoding, asked.options["k"], asked.positions
    if why_none(e, k) and not positions_in(positions, moved_rows.movable(e, k)):
        problem = f"no {e.rows.name} asked for has a row that is {k:,} after it"
        raise EncodingError("k", problem)  # a best fit would have no rows to be fitted to

    @cache
    def found() -> SparseShift | ShiftFit:
        return matrix_or_fit(e, k, positions, asked.report)

    return found


def check_rows(asked: Asked) -> None:
    """Raise `EncodingError` where a position has no row, or none that is k later."""
    e, k, positions = asked.encoding, asked.options["k"], asked.positions
    there = moved_rows.movable(e, k)
    for position in (positions[0], positions[-1]):
        if position not in there:
            problem = f"{e.rows.name} {position:,} has no row that is {k:,} after it"
            raise EncodingError("k", problem)


def column_titles(e: Encoding) -> Iterator[str]:
    """Return the titles of the columns that are moved: of channels, where these are turned."""
    if isinstance(e, Rotary):
        return map(str, range(e.head_dim))
    return map(e.column_title, range(e.width))
