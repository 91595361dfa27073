"""Shift by k: the shift matrix or the best fit, the moved rows, and their residuals."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.precision import CODE, compute_code_differences, why_no_code
from pe_explorer.analysis.shift import (
    SHIFT,
    ShiftFit,
    SparseShift,
    build_matrix_or_fit,
    explain_no_fit,
    explain_no_matrix,
)
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, Rotary
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.quantities._base import (
    Data,
    Quantity,
    QuantityInput,
    explain_row_mismatch,
    make_chunked_fill,
    make_curve_data,
    subtract,
)


def _explain_no_moved_rows(e: Encoding) -> str:
    problem = explain_no_matrix(e) and explain_no_fit(e)
    return f"{explain_no_matrix(e)}, and {problem}" if problem else ""


class MovedRowsQuantity(Quantity):
    """A base class of quantities that use the shift-by-k matrix or its best fit."""

    options = {"k": SHIFT}
    view = "shift"
    need = _explain_no_moved_rows


def _make_fit(inputs: QuantityInput) -> Callable[[], SparseShift | ShiftFit]:
    """Return a cached function that computes the shift matrix or the best fit."""
    e, k, positions = inputs.encoding, inputs.options["k"], inputs.positions
    if explain_no_matrix(e, k) and not clip_positions(
        positions, moved_rows.movable_positions(e, k)
    ):
        problem = f"no {e.rows.name} in the range has a row {k:,} positions later"
        raise EncodingError("k", problem, "choose another k or another range of positions")
    return cache(partial(build_matrix_or_fit, e, k, positions, inputs.report))


def _list_column_titles(e: Encoding) -> Iterator[str]:
    if isinstance(e, Rotary):
        return map(str, range(e.head_dim))
    return map(e.format_column_title, range(e.width))


class ShiftMatrix(MovedRowsQuantity):
    """The shift-by-k matrix, or a least-squares fit to the rows if none exists: (d, d)."""

    name = "shift-matrix"
    rank = 56
    has_difference = True
    explain_mismatch = staticmethod(explain_row_mismatch)

    @classmethod
    def data(cls, inputs: QuantityInput) -> Data:
        if inputs.subject.subtrahend is not None:
            return subtract(cls, inputs)
        e, compute_fit = inputs.encoding, _make_fit(inputs)

        def fill(part: range, out: Floats) -> None:
            fit = compute_fit()
            if not isinstance(fit, SparseShift):
                out[:] = fit.matrix[part.start : part.stop]
                return
            out[:] = 0.0
            diagonal = np.arange(part.start, part.stop)
            out[diagonal - part.start, diagonal] = fit.diagonal[diagonal]
            (columns,) = np.nonzero((fit.partner >= part.start) & (fit.partner < part.stop))
            out[fit.partner[columns] - part.start, columns] = fit.partner_values[columns]

        width, index_title = moved_rows.width(e), moved_rows.columns(e).name
        return Data(range(width), width, index_title, partial(_list_column_titles, e), fill)


class ShiftedRows(MovedRowsQuantity):
    """The row of each position, moved by k with the shift matrix or the best fit: (n, d)."""

    name = "shifted"
    rank = 57

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, fit, width = inputs.encoding, _make_fit(inputs), moved_rows.width(inputs.encoding)
        fill = make_chunked_fill(lambda part: fit().apply(moved_rows.rows(e, part)), inputs.subject)
        return Data(inputs.positions, width, e.rows.name, partial(_list_column_titles, e), fill)


class ShiftResidual(MovedRowsQuantity):
    """The largest difference between each row moved by k and the true row: (n,).

    If the option `code` selects floating-point code, a second column contains the
    differences of rows that this code computes and moves. The shape is then (n, 2).
    """

    name = "shift-residual"
    rank = 58
    options = {"k": SHIFT, "code": CODE}
    curve_axis = "positions"

    @classmethod
    def join_data(cls, named_inputs: Mapping[str, QuantityInput]) -> Data:
        exact_inputs = {}
        for name, inputs in named_inputs.items():
            exact_inputs[name] = inputs._replace(options={**inputs.options, "code": "exact"})
        return super().join_data(exact_inputs)

    @staticmethod
    def data(inputs: QuantityInput) -> Data:
        e, k, code = inputs.encoding, inputs.options["k"], inputs.options["code"]
        movable_positions = moved_rows.movable_positions(e, k)
        for position in (inputs.positions[0], inputs.positions[-1]):
            if position not in movable_positions:
                problem = f"{e.rows.name} {position:,} has no row {k:,} positions later"
                raise EncodingError("k", problem, "choose another k or another range of positions")
        if code != "exact" and (problem := why_no_code(e, k, code)):
            raise EncodingError("code", problem)
        compute_fit = _make_fit(inputs)

        def compute_differences(part: range) -> Floats:
            return moved_rows.compute_max_differences(e, k, compute_fit(), part)

        def fill(part: range, out: Floats) -> None:
            out[:, 0] = compute_differences(part)
            out[:, 1] = compute_code_differences(e, k, part, code)

        if code == "exact":
            return make_curve_data(inputs, e.rows.name, "largest difference", compute_differences)
        titles = ("exact rows", f"{code} code")
        return Data(inputs.positions, 2, e.rows.name, lambda: titles, fill)
