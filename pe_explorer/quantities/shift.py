"""Shift by k: the shift matrix or the best fit, the moved rows, and their residuals."""

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
    """A quantity of rows that the shift matrix or the best fit moves by k."""

    options = {"k": SHIFT}
    view = "shift"
    need = _need_moved_rows


def _mover_of(inputs: QuantityInput) -> Callable[[], SparseShift | ShiftFit]:
    e, k, positions = inputs.encoding, inputs.options["k"], inputs.positions
    if why_none(e, k) and not positions_in(positions, moved_rows.movable(e, k)):
        problem = f"no {e.rows.name} in the range has a row {k:,} positions later"
        raise EncodingError("k", problem, "choose another k or another range of positions")
    return cache(partial(matrix_or_fit, e, k, positions, inputs.report))


def _column_titles(e: Encoding) -> Iterator[str]:
    if isinstance(e, Rotary):
        return map(str, range(e.head_dim))
    return map(e.column_title, range(e.width))


class ShiftMatrix(MovedRowsQuantity):
    """The matrix that moves every row by k, or a least-squares fit if none exists: (d, d)."""

    name = "shift-matrix"
    help = "the shift-by-k matrix, or a least-squares fit to the rows if none exists"
    rank = 56
    has_difference = True
    why_not_comparable = staticmethod(same_width)

    @classmethod
    def data(cls, inputs: QuantityInput) -> Data:
        if inputs.subject.less is not None:
            return subtracted(cls, inputs)
        e, fitted = inputs.encoding, _mover_of(inputs)

        def fill(part: range, out: Floats) -> None:
            fit = fitted()
            if not isinstance(fit, SparseShift):
                out[:] = fit.whole[part.start : part.stop]
                return
            out[:] = 0.0
            diagonal = np.arange(part.start, part.stop)
            out[diagonal - part.start, diagonal] = fit.diagonal[diagonal]
            (columns,) = np.nonzero((fit.partner >= part.start) & (fit.partner < part.stop))
            out[fit.partner[columns] - part.start, columns] = fit.partner_values[columns]

        width, name = moved_rows.width(e), moved_rows.columns(e).name
        return Data(range(width), width, titled(name, partial(_column_titles, e)), fill)


class Shifted(MovedRowsQuantity):
    """The row of each position, moved by k with the shift matrix or the best fit: (n, d)."""

    name = "shifted"
    help = "the row of each position, moved by k with the shift matrix"
    rank = 57

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, fitted = inputs.encoding, _mover_of(inputs)
        titles = titled(e.rows.name, partial(_column_titles, e))
        fill = by_few_rows(lambda part: fitted().apply(moved_rows.rows(e, part)), inputs.subject)
        return Data(inputs.positions, moved_rows.width(e), titles, fill)


class ShiftResidual(MovedRowsQuantity):
    """The largest difference between each row moved by k and the row at p + k: (n,).

    With the option `code`, a second column contains the same for rows that code computes: (n, 2).
    """

    name = "shift-residual"
    help = "the largest difference between each moved row and the true row"
    rank = 58
    options = {"k": SHIFT, "code": CODE}
    curve_axis = "positions"

    @classmethod
    def side_by_side(cls, named_inputs: Mapping[str, QuantityInput]) -> Data:
        """Return the curves of several named inputs, without those of code."""
        exact = {
            name: inputs._replace(options={**inputs.options, "code": "exact"})
            for name, inputs in named_inputs.items()
        }
        return super().side_by_side(exact)

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, k, code = inputs.encoding, inputs.options["k"], inputs.options["code"]
        movable_positions = moved_rows.movable(e, k)
        for position in (inputs.positions[0], inputs.positions[-1]):
            if position not in movable_positions:
                problem = f"{e.rows.name} {position:,} has no row {k:,} positions later"
                raise EncodingError("k", problem, "choose another k or another range of positions")
        if code != "exact" and (problem := why_no_code(e, k, code)):
            raise EncodingError("code", problem)
        fitted = _mover_of(inputs)

        def exact(part: range) -> Floats:
            return moved_rows.largest_differences(e, k, fitted(), part)

        def fill_both(part: range, out: Floats) -> None:
            out[:, 0] = exact(part)
            out[:, 1] = code_differences(e, k, part, code)

        if code == "exact":
            return curve(inputs, e.rows.name, "largest difference", exact)
        titles = titled(e.rows.name, lambda: ("exact rows", f"{code} code"))
        return Data(inputs.positions, 2, titles, fill_both)
