"""Projection of rows onto a few dimensions by principal component analysis.

The components are the directions in which the rows differ most: the eigenvectors of
XᵀX, where X contains the rows minus their mean. The block Lanczos method computes the
first few components. This method repeatedly multiplies a block of directions by XᵀX.
Within the space spanned by the products, a small symmetric matrix gives the best
directions. The space is extended until these directions converge. Each step takes two
products of X with a few columns, and the computation can be cancelled between steps.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.analysis import umap_process
from pe_explorer.analysis._close import compute_differences_from, has_exact_phases
from pe_explorer.analysis._rows import check_rows
from pe_explorer.arrays import Floats
from pe_explorer.assets import find_asset
from pe_explorer.encodings import Encoding, EncodingError, Multiples, create
from pe_explorer.encodings.abilities.checks import to_whole_number
from pe_explorer.params import Choice, Whole
from pe_explorer.progress import Reporter, ignore_progress, report

METHOD = Choice(
    "pca",
    {
        "pca": "principal components: the plane in which rows differ most",
        "umap": "keeps neighbours together, but distorts long distances",
    },
    texts={"pca": "PCA", "umap": "UMAP"},
    label="Method",
    help="Method that maps rows to points in the plane.",
)
SEED = Whole(
    42, 0, 2**32 - 1, slider_range=(0, 100), label="Seed", help="Seed of UMAP's random numbers."
)
STORED_UMAP_VERSION = "umap-learn 0.5.12"  # version that computed the points of `read_stored_umap`

_EXTRA_DIRECTIONS = 4  # additional directions for faster convergence
_MAX_SPANNED_ROWS = 128  # up to this number of rows, compute in the span of the rows
_TOLERANCE = 1e-13  # maximum residual of a converged direction, relative to the largest eigenvalue
_MIN_EIGENVALUE = 1e-8  # smaller eigenvalues, relative to the largest, give inaccurate directions
_BASIS_GROWTH_FACTOR = 1.2  # factor by which the space grows between two convergence checks
_CHUNK_VALUES = 1 << 17  # values of a table per chunk
_MIN_CHUNK_ROWS = 64  # minimum number of rows in a chunk, because every chunk has a fixed cost
_MIN_ACCURATE_SHARE = 1e-3  # differences above this share of the amplitude are accurate to 1e-12
_EQUAL_TOLERANCE = 1e-6  # relative tolerance within which two scores count as equal
_DISTANCES_PER_CHUNK = 1 << 20  # distances per chunk
_MAX_SUBTRACTED_COLUMNS = 4  # with more columns, compute distances from inner products
_DISTANCE_TOLERANCE = 1e-9  # relative tolerance within which two distances count as equal


class Projection(NamedTuple):
    """Rows as points in the space of their principal components."""

    scores: Floats  # the point of each row, shape (n, components)
    components: Floats  # orthonormal directions, shape (components, columns)
    variance: Floats  # the variance of the scores, shape (components,), in descending order
    ratio: Floats  # the share of the total variance, shape (components,)


def pca(rows: Any, components: int = 2, progress: Reporter | None = None) -> Projection:
    """Return the principal components of rows, and the coordinates of the rows along them.

    Parameters
    ----------
    rows : (n, columns) array of finite numbers
        The mean is subtracted.
    components : int
        The number of components, from 1 to the smaller of n and `columns`.
    progress : function, optional
        Called between steps with the finished share; it may raise an
        exception to cancel.

    Returns
    -------
    Projection
        The sign of each component is chosen so that its score with the largest absolute
        value is positive.

    Raises
    ------
    EncodingError
        If the rows are not a finite matrix, there are fewer than two rows, all rows are
        equal, or `components` is out of range.
    """
    rows = check_rows(rows)
    if len(rows) < 2:
        problem = f"expected at least 2 rows, got {len(rows)}"
        raise EncodingError("rows", problem, "add more rows")
    count, limit = to_whole_number(components, "components"), min(rows.shape)
    if not 1 <= count <= limit:
        shape = f"{len(rows):,} rows of {rows.shape[1]:,} columns"
        problem = f"{count:,} is not from 1 to {limit:,}"
        raise EncodingError("components", f"{problem}, the limit for {shape}")
    report = progress or ignore_progress
    centred_rows, largest, unit = _subtract_first_row(rows)
    if not largest:
        raise EncodingError("rows", "are all equal, so there is no direction in which they differ")
    centred_rows /= largest  # so that sums of squares neither overflow nor underflow
    centred_rows -= centred_rows.mean(axis=0)
    directions = _find_directions(centred_rows, count, report)
    scores = centred_rows @ directions
    limits = (1 - _EQUAL_TOLERANCE) * np.abs(scores).max(axis=0)
    indices = np.argmax(np.abs(scores) >= limits, axis=0)
    signs = np.where(scores[indices, np.arange(count)] < 0, -1.0, 1.0)
    squares = np.square(scores).sum(axis=0)
    with np.errstate(over="ignore"):  # overflowing values are infinite
        variance = np.square(np.sqrt(squares / (len(rows) - 1)) * largest * unit)
        points = scores * signs * largest * unit
    ratio = squares / float(np.vdot(centred_rows, centred_rows))
    return Projection(points, (directions * signs).T, variance, ratio)


def read_stored_umap(e: Encoding, positions: range, seed: int | None) -> Floats | None:
    """Return the stored UMAP points of an exhibit, shape (n, 2); None if none are stored.

    ``python -m tests.umap_points`` creates the files.
    """
    if seed is None or positions != range(1000) or e != create("sinusoidal", dim=1024):
        return None
    path = find_asset(f"gallery/umap/seed-{seed}.npy")
    return np.load(path).astype(np.float64) if path.is_file() else None


def compute_points(
    rows: Floats, seed: int | None, progress: threading.Event
) -> tuple[Floats, tuple[float, ...]]:
    """Return rows as points, shape (n, 2), and the share of variance of each PCA component.

    Use UMAP, which has no shares of variance, if a seed is given; otherwise use PCA. For a
    single column, PCA returns the shape (n, 1).
    """
    if seed is not None:
        return umap_process.embed(rows, seed=seed, request=progress), ()
    projection = pca(rows, min(2, *rows.shape), partial(report, progress))
    return projection.scores, tuple(projection.ratio.tolist())


def compute_chunked_rows(
    e: Encoding,
    positions: range,
    report: Reporter,
    make_rows: Callable[[range], Floats] | None = None,
) -> Floats:
    """Return the result of `make_rows`, by default `e.table`, for positions, shape (n, width).

    The rows are computed in chunks. `report` is called before each chunk and may raise an
    exception to cancel.
    """
    rows = np.empty((len(positions), e.width))
    chunk = max(_MIN_CHUNK_ROWS, _CHUNK_VALUES // e.width)
    for start in range(0, len(positions), chunk):
        report(start / len(positions))
        part = positions[start : start + chunk]
        rows[start : start + len(part)] = (make_rows or e.table)(part)
    return rows


def compute_relative_rows(e: Encoding, positions: range, report: Reporter) -> Floats:
    """Return rows for `pca`, shape (n, width), with the same differences as rows of a table.

    If the rows of the table are too close to be subtracted accurately, return their
    accurate differences from the first row. The errors of the differences are at most 1e-12
    times the largest difference. `report` is as in `compute_chunked_rows`.
    """
    if isinstance(e, Multiples):
        report(0.0)
        factors = e.factors(positions) - e.factors(positions[:1])
        return (factors / e.divisor)[:, None] * e.slopes
    rows = compute_chunked_rows(e, positions, report)
    if not has_exact_phases(e):
        return rows
    for start in range(0, len(rows), _MIN_CHUNK_ROWS):
        steps = np.abs(rows[start : start + _MIN_CHUNK_ROWS] - rows[0])
        if steps.max() >= _MIN_ACCURATE_SHARE * e.amplitude:
            return rows
    make_differences = partial(compute_differences_from, e, first=positions[0])
    return compute_chunked_rows(e, positions, report, make_differences)


def _subtract_first_row(rows: Floats, unit: float = 1.0) -> tuple[Floats, float, float]:
    """Return rows minus the first row, the largest absolute difference, and the unit of both.

    The unit is 2 if the differences would overflow, otherwise 1. Constant columns become
    exactly zero.
    """
    with np.errstate(over="ignore"):
        steps: Floats = rows - rows[0]
    largest = float(max(-steps.min(), steps.max()))  # unlike np.abs, this does not copy the array
    return (steps, largest, unit) if np.isfinite(largest) else _subtract_first_row(rows / 2, 2.0)


def _find_directions(centred_table: Floats, count: int, report: Reporter) -> Floats:
    rows, columns = centred_table.shape
    if rows <= min(_MAX_SPANNED_ROWS, columns / 4):  # compute in the smaller span of the rows
        report(0.0)
        basis, coordinates = np.linalg.qr(centred_table.T)
        return basis @ _find_directions(coordinates.T, count, report)
    block = np.random.default_rng(0).normal(size=(columns, count + _EXTRA_DIRECTIONS))
    if columns <= 3 * (count + _EXTRA_DIRECTIONS):
        block = np.eye(columns)
    basis = images = np.empty((columns, 0))
    converged_share, last_checked_width = 0.0, 0
    while True:
        report(converged_share)
        block = block[:, : columns - basis.shape[1]]
        for _ in range(3):  # one pass would leave rounding errors in the span of the basis
            block = np.linalg.qr(block - basis @ (basis.T @ block))[0]
        basis, block = np.hstack([basis, block]), centred_table.T @ (centred_table @ block)
        images = np.hstack([images, block])
        width = basis.shape[1]
        if width < min(_BASIS_GROWTH_FACTOR * last_checked_width, columns):
            continue
        last_checked_width = width
        products = basis.T @ images
        values, vectors = np.linalg.eigh(products + products.T)
        eigenvectors = vectors[:, ::-1][:, :count]
        eigenvalues = values[::-1][:count] / 2
        directions: Floats = basis @ eigenvectors
        residuals = images @ eigenvectors - directions * eigenvalues
        max_residual = np.linalg.norm(residuals, axis=0).max() / values[-1]
        if max_residual <= _TOLERANCE or width == columns:
            if eigenvalues[-1] < _MIN_EIGENVALUE * eigenvalues[0]:
                # The slower SVD of X is accurate even where eigenvectors of XᵀX are not.
                _, _, right = np.linalg.svd(centred_table @ basis, full_matrices=False)
                directions = basis @ right[:count].T
            return directions
        converged_share = max(converged_share, np.log(max_residual) / np.log(_TOLERANCE))


def compute_neighbour_share(rows: Floats, progress: threading.Event) -> float:
    """Return the share of rows whose nearest row is the previous or the next row.

    Distances are Euclidean. There must be at least two rows, and the squares of their
    values must be finite. `progress` receives progress reports; raise
    `CancelledError` if it is set.
    """
    count = len(rows)
    rows = rows - rows.mean(axis=0)  # a common offset would make the products inaccurate
    chunk = max(1, _DISTANCES_PER_CHUNK // count)
    neighbour_count = 0
    for start in range(0, count, chunk):
        report(progress, start / count)
        indices = np.arange(start, min(start + chunk, count))
        part = rows[indices]
        if rows.shape[1] <= _MAX_SUBTRACTED_COLUMNS:
            squares = np.square(part[:, None] - rows).sum(axis=2)
        else:
            lengths = np.square(part).sum(axis=1)[:, None] + np.square(rows).sum(axis=1)
            squares = (lengths - 2 * (part @ rows.T)).clip(0.0)
        local_indices = np.arange(len(indices))
        squares[local_indices, indices] = np.inf
        limits = squares.min(axis=1) * (1 + _DISTANCE_TOLERANCE)
        # The first and the last row have only one neighbour, so its index is used for both sides.
        left = np.where(indices > 0, indices - 1, 1)
        right = np.where(indices + 1 < count, indices + 1, count - 2)
        smaller_squares = np.minimum(squares[local_indices, left], squares[local_indices, right])
        neighbour_count += int((smaller_squares <= limits).sum())
    return neighbour_count / count
