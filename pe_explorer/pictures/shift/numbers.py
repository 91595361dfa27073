"""Compute the matrix of a shift, the moved rows and the residual."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import moved_rows
from pe_explorer.analysis.comparison import SHOW
from pe_explorer.analysis.moved_rows import compute_max_differences, movable_positions
from pe_explorer.analysis.precision import CODE, compute_code_differences, why_no_code
from pe_explorer.analysis.shift import (
    SHIFT,
    ShiftFit,
    SparseShift,
    build_matrix_or_fit,
    compute_max_rows,
    explain_no_fit,
    explain_no_matrix,
)
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, TableFileError
from pe_explorer.numeric.positions import clip_positions, count_positions, find_blocks_inside
from pe_explorer.params import Choice, declare
from pe_explorer.pictures._columns import COLUMN_COUNT, FIRST_COLUMN, VALUE_COLOURS, select_columns
from pe_explorer.pictures.cost import estimate_reading_cost, estimate_start_cost
from pe_explorer.pictures.limits import PixelImage, find_limit_above, make_pixel_image
from pe_explorer.pictures.picture import Options
from pe_explorer.pictures.pixel_columns import PixelColumns, make_pixel_columns
from pe_explorer.pictures.pixels import Size, spread
from pe_explorer.progress import PartialProgress, report

_PART_CHOICES = {
    "matrix": "the matrix that moves every row",
    "tables": "shifted rows beside true rows",
    "residual": "the error at each position",
}


@dataclass(frozen=True)
class ShiftOptions(Options):
    """Options for the shift and the part shown."""

    k: int = declare(SHIFT)
    part: str = declare(Choice("matrix", _PART_CHOICES, label="Part", help="What to show."))
    code: str = declare(CODE)
    show: str = declare(SHOW)
    values: str = declare(VALUE_COLOURS)
    first: int = declare(FIRST_COLUMN)
    dimensions: int = declare(COLUMN_COUNT)

    def can_show_code(self, e: Encoding) -> bool:
        """Return whether floating-point code is selected and can move the rows by k."""
        return self.code != "exact" and not why_no_code(e, self.k, self.code)

    @property
    def ineffective_parameters(self) -> Mapping[str, str]:
        if self.part != "residual":
            return {"code": "no curve is shown"}
        return dict.fromkeys(("values", "first", "dimensions"), "a curve is shown")


_CHUNK_SIZE = 1 << 19  # number of values computed or read between two checks for cancellation
_MAX_MEASURED_ROWS, _MAX_CURVE_POINTS = 256, 1024  # without and with a curve
_FIT_COST = 0.2  # cost of fitting a matrix, per (rows + columns) · columns²
_CODE_COST = 12  # cost per value of a row computed and moved by code
_FITTED_ROW_COST, _FITTED_VALUE_COST = 20, 12  # cost per fitted row, and per value of the row
_FIT_SHARE = 0.8  # fraction of the progress range reserved for fitting a matrix
_MAX_ZERO_SHARE = 0.02  # fraction of the upper limit below which a value looks like 0


class ShiftNumbers(NamedTuple):
    """The values of a shift, with facts for the texts of the view."""

    e: Encoding
    options: ShiftOptions
    why: str | None  # reason why no matrix moves every row, without a full stop; None if one does
    block: int  # number of positions per row of pixels, or per point of the curve
    group: int  # number of rows, and of columns, per pixel of the matrix
    # How columns of each table share pixels; None if each column has its own pixels.
    columns: tuple[PixelColumns | None, PixelColumns | None]
    first: int  # first column shown
    dimensions: int  # number of columns shown
    matrix: PixelImage | None = None  # shift matrix or best fit; None if not shown or undefined
    tables: tuple[PixelImage, PixelImage] | None = None  # moved rows and true rows
    # Largest difference between the moved and the true values of the middle row of each block; nan
    # if this row does not exist. None if no curve is shown.
    curve: Floats | None = None
    code_curve: Floats | None = None  # like `curve`, for rows computed by code; None if not shown
    # Largest difference in all measured rows; None if no rows are measured.
    largest: float | None = None
    at: int = 0  # position of the largest difference
    measured: int = 0  # number of measured rows
    code_error: float | None = None  # largest value of `code_curve`; None if the curve is not shown
    fit: ShiftFit | None = None  # best fit, if no shift matrix exists
    # Reason why there is neither a matrix nor a fit, without a full stop; None if there is one.
    missing_reason: str | None = None

    @property
    def fewest_rows(self) -> int | None:
        """The number of rows that a fit must exceed to mean something, or None if it does."""
        is_exact = self.fit is not None and self.fit.rank == self.fit.rows
        return moved_rows.width(self.e) if is_exact else None

    @property
    def why_no_code(self) -> str | None:
        """The reason why the selected floating-point code cannot move the rows.

        None if the code can move the rows, no code is selected, or no shift matrix exists.
        """
        if self.options.code == "exact" or self.why:
            return None
        return why_no_code(self.e, self.options.k, self.options.code) or None

    @property
    def thinned(self) -> int | None:
        """The number of positions per point of the curve, or None for one position per point."""
        return self.block if self.block > 1 else None

    @property
    def cancelling(self) -> int | None:
        """The number of positions per pixel if averaging cancels every wave; otherwise, None."""
        if self.tables is None or self.block == 1:
            return None
        values, _, (_, high) = self.tables[1]
        largest = np.abs(values[np.isfinite(values)]).max(initial=0.0)
        return self.block if largest < _MAX_ZERO_SHARE * high else None

    @property
    def matrix_badge(self) -> str:
        """How a pixel of the matrix combines cells; empty if each cell has its own pixel."""
        columns = moved_rows.columns(self.e).format_count(self.group)
        kind = "mean" if self.fit else "greatest"
        return f"{kind} of {self.group:,} × {columns}" if self.group > 1 else ""

    def format_table_badge(self, pixels: PixelColumns | None) -> str:
        """Describe how rows and columns that share a pixel are combined.

        The text is empty if each row and each column has its own pixels.
        """
        rows = f"mean of {self.e.rows.format_count(self.block)}" if self.block > 1 else ""
        columns = pixels.describe_group(moved_rows.columns(self.e).plural) if pixels else ""
        if pixels and columns and pixels.kinds == 1:
            return f"{rows} × {columns}" if rows else f"mean of {columns}"
        return ", ".join(filter(None, (rows, columns)))


def compute(
    e: Encoding, positions: range, options: ShiftOptions, size: Size, cancellation: threading.Event
) -> ShiftNumbers:
    """Return the numbers of the selected part for an area of `size`."""
    first, dimensions, _ = select_columns(options.first, options.dimensions, moved_rows.width(e))
    block, _ = spread(count_positions(positions), size.height)
    group = -(-dimensions // max(1, min(size.width, size.height)))
    kinds = moved_rows.kinds(e)[first : first + dimensions]
    moved = make_pixel_columns(kinds, size.width, size.stripe)
    later = make_pixel_columns(kinds, size.second_panel_size.width, size.stripe)
    why = explain_no_matrix(e, options.k) or None
    numbers = ShiftNumbers(e, options, why, block, group, (moved, later), first, dimensions)
    progress = PartialProgress(cancellation, _FIT_SHARE, 1 - _FIT_SHARE) if why else cancellation
    try:
        report_fit = partial(report, PartialProgress(cancellation, 0.0, _FIT_SHARE))
        shift = build_matrix_or_fit(e, options.k, positions, report_fit)
    except TableFileError:
        raise
    except EncodingError as error:
        return numbers._replace(missing_reason=error.problem)
    fit = shift if isinstance(shift, ShiftFit) else None
    numbers = _measure_residuals(numbers._replace(fit=fit), positions, shift)
    report(progress, 0.0)
    if options.part == "matrix":
        return numbers._replace(matrix=_compute_matrix(shift, numbers))
    if options.part == "tables":
        return numbers._replace(tables=_make_tables(numbers, positions, shift, progress))
    return numbers


def _measure_residuals(
    numbers: ShiftNumbers, positions: range, shift: SparseShift | ShiftFit
) -> ShiftNumbers:
    """Return `numbers` with the residuals of evenly spaced rows.

    The number of measured rows does not depend on the size of the view, because a sentence
    on the screen contains this number.
    """
    e, options, count = numbers.e, numbers.options, count_positions(positions)
    has_curve = options.part == "residual"
    block, columns = spread(count, _MAX_CURVE_POINTS if has_curve else _MAX_MEASURED_ROWS)
    middle = positions.start + (block - 1) // 2
    samples = range(middle, middle + block * columns, block)
    rows = clip_positions(samples, movable_positions(e, options.k))
    curve, code_curve = np.full((2, columns), np.nan)
    can_show_code = has_curve and options.can_show_code(e)
    if rows:
        first = (rows.start - samples.start) // block
        part = slice(first, first + len(rows))
        curve[part] = differences = compute_max_differences(e, options.k, shift, rows)
        largest, at = float(differences.max()), rows[int(differences.argmax())]
        numbers = numbers._replace(largest=largest, at=at, measured=len(rows))
        if can_show_code:
            differences = compute_code_differences(e, options.k, rows, options.code)
            code_curve[part] = differences
            numbers = numbers._replace(code_error=float(np.nanmax(differences)))
    if can_show_code:
        numbers = numbers._replace(code_curve=code_curve)
    return numbers._replace(curve=curve, block=block) if has_curve else numbers


# -- the matrix ----------------------------------------------------------------------------------


def _compute_matrix(shift: SparseShift | ShiftFit, numbers: ShiftNumbers) -> PixelImage:
    """Return an image of the shown part of the matrix.

    A pixel of a best fit is the mean of its cells. A pixel of a sparse matrix is the cell
    with the largest absolute value, because a mean of mostly zeros would be invisible.
    """
    first, dimensions, group = numbers.first, numbers.dimensions, numbers.group
    if isinstance(shift, SparseShift):
        window = range(first, first + dimensions)
        return make_pixel_image(_compute_sparse_pixels(shift, window, group), (-1.0, 1.0))
    part = shift.matrix[first : first + dimensions, first : first + dimensions]
    starts = np.arange(0, dimensions, group)
    sums = np.add.reduceat(np.add.reduceat(part, starts, axis=1).T, starts, axis=1).T
    sizes = np.diff(starts, append=dimensions)
    values = sums / np.outer(sizes, sizes)
    # Exclude the last pixel from the limits, because it may combine fewer cells.
    full_pixel_count = dimensions // group or 1
    largest = find_limit_above(values[:full_pixel_count, :full_pixel_count])
    return make_pixel_image(values, (-largest, largest))


def _compute_sparse_pixels(shift: SparseShift, window: range, group: int) -> Floats:
    columns = np.arange(window.start, window.stop)
    partners = shift.partner[columns]
    has_partner = (partners >= window.start) & (partners < window.stop)
    rows = np.concatenate([columns, partners[has_partner]])
    columns = np.concatenate([columns, columns[has_partner]])
    partner_values = shift.partner_values[columns[len(window) :]]
    cells = np.concatenate([shift.diagonal[columns[: len(window)]], partner_values])
    # Sort the cells so that the largest value of each pixel is written last.
    order = np.argsort(np.abs(cells), kind="stable")
    rows, columns = (rows - window.start) // group, (columns - window.start) // group
    values = np.zeros((-(-len(window) // group),) * 2)
    values[rows[order], columns[order]] = cells[order]
    return values


# -- the tables ----------------------------------------------------------------------------------


def _make_tables(
    numbers: ShiftNumbers,
    positions: range,
    shift: SparseShift | ShiftFit,
    cancellation: threading.Event,
) -> tuple[PixelImage, PixelImage]:
    e, k = numbers.e, numbers.options.k
    block, count = numbers.block, -(-count_positions(positions) // numbers.block)
    inside = find_blocks_inside(positions.start, block, count, movable_positions(e, k))
    widths = [pixels.pixels if pixels else numbers.dimensions for pixels in numbers.columns]
    images = [np.full((count, width), np.nan) for width in widths]
    step = max(1, int(_CHUNK_SIZE // e.cost(1, block)))
    for done_count in range(0, len(inside), step):
        part = inside[done_count : done_count + step]
        start = positions.start + part.start * block
        rows = moved_rows.block_means(e, start, block, len(part))
        later_rows = moved_rows.block_means(e, start + k, block, len(part))
        parts = zip(images, (shift.apply(rows), later_rows), numbers.columns, strict=True)
        for image, table, pixels in parts:
            values = table[:, numbers.first : numbers.first + numbers.dimensions]
            image[part.start : part.stop] = pixels.means(values) if pixels else values
        report(cancellation, (done_count + len(part)) / len(inside))
    limits = e.value_range
    if limits is None:
        largest = max(map(find_limit_above, images))
        limits = -largest, largest
    return make_pixel_image(images[0], limits), make_pixel_image(images[1], limits)


# -- costs ---------------------------------------------------------------------------------------


def cost(e: Encoding, positions: range, options: ShiftOptions, size: Size) -> float:
    """Return the approximate cost of `compute`, in units of `pictures.cost`."""
    width, count = moved_rows.width(e), count_positions(positions)
    block, rows = spread(count, size.height)
    total = float(e.width * estimate_start_cost(e) + estimate_reading_cost(e))
    measured = min(count, _MAX_CURVE_POINTS if options.part == "residual" else _MAX_MEASURED_ROWS)
    total += 2 * measured * e.width
    if options.part == "residual" and options.can_show_code(e):
        total += _CODE_COST * measured * e.width
    if options.part == "tables":
        total += 2 * e.cost(rows, block)
    if explain_no_matrix(e, options.k) and not explain_no_fit(e):
        rows = min(count, compute_max_rows(width))
        total += rows * (_FITTED_ROW_COST + _FITTED_VALUE_COST * width)
        total += _FIT_COST * (rows + width) * width**2
    if options.part == "matrix":
        total += min(size.width, size.height, width) ** 2
    return total
