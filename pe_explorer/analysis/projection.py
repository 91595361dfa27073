"""Rows as points of few dimensions: principal component analysis.

The components are the directions in which the rows differ most: the eigenvectors of XᵀX, where X
is the rows less their mean. The few that are wanted are found by Lanczos' method for blocks:
within the space that a block of directions and its products with XᵀX span, the best directions
are those of a small symmetric matrix. That space is widened until they no longer change. It costs
two products of X with a few columns for each step, and can be stopped between any two.
"""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.analysis import umap_process
from pe_explorer.analysis._close import differences_from, keeps_digits
from pe_explorer.analysis._rows import checked_rows
from pe_explorer.arrays import Floats
from pe_explorer.assets import asset
from pe_explorer.encodings import Encoding, EncodingError, Multiples, create
from pe_explorer.encodings.abilities.checks import as_whole
from pe_explorer.params import Choice, Whole
from pe_explorer.progress import Reporter, no_report, report

METHOD = Choice(
    "pca",
    {
        "pca": "principal components: the directions in which the rows differ most",
        "umap": "neighbours stay together, and longer distances are distorted",
    },
    texts={"pca": "PCA", "umap": "UMAP"},
    label="Method",
    help="How rows of many dimensions become points of two.",
)
SEED = Whole(
    42,
    0,
    2**32 - 1,
    slider_range=(0, 100),
    label="Seed",
    help="Where UMAP's random numbers begin; another seed gives another shape.",
)
STORED_BY = "umap-learn 0.5.12"  # what made the points that `stored_umap` returns

_EXTRA_DIRECTIONS = 4  # directions besides those wanted, for a faster convergence
_MOST_SPANNED_ROWS = 128  # rows whose span is found first, which takes long for more
_CONVERGED = 1e-13  # change of a direction at the end, relative to the largest eigenvalue
_WEAK_EIGENVALUE = 1e-8  # relative to the largest one: below it, the direction has few digits
_WIDENING = 1.2  # growth of the space between two searches for the directions
_CHUNK_NUMBERS = 1 << 17  # numbers of a table between two reports
_LEAST_CHUNK_ROWS = 64  # least rows of a part, each of which begins with work for all rows
_CLEAR_DIFFERENCE = 1e-3  # relative to the amplitude: then rounding is less than 1e-12 of it
_TIE_TOLERANCE = 1e-6  # change of a score by rounding, relative to the largest one
_CHUNK_DISTANCES = 1 << 20  # distances that are computed together
_MOST_COLUMNS_BY_DIFFERENCE = 4  # for so few, differences are formed, which keep all digits
_DISTANCE_TOLERANCE = 1e-9  # relative difference below which two distances count as equal


class Projection(NamedTuple):
    """Rows as points in the plane or space that shows most of how they differ."""

    scores: Floats  # (n, components), the point of each row
    components: Floats  # (components, columns), the directions: perpendicular, of length 1
    variance: Floats  # (components,), that of the scores, divided by n - 1, largest first
    ratio: Floats  # (components,), its share of the variance of all columns


def pca(rows: Any, components: int = 2, progress: Reporter | None = None) -> Projection:
    """Return the principal components of rows, and the rows as points along them.

    Parameters
    ----------
    rows : (n, columns) array of finite numbers
        Their mean is taken off.
    components : int
        How many directions, from 1 to the smaller side of `rows`.
    progress : function, optional
        Called between steps with the share that is done; it may raise to stop.

    Returns
    -------
    Projection
        Of the two signs of a component, the one that makes its largest score positive.

    Raises
    ------
    EncodingError
        If the rows cannot be read, are fewer than two, or all equal, or have too few directions.
    """
    given = checked_rows(rows)
    if len(given) < 2:
        found = "here is 1" if len(given) else "here are 0"
        problem = f"a projection shows how rows differ, and {found}"
        raise EncodingError("rows", problem, "give at least 2")
    count, most = as_whole(components, "components"), min(given.shape)
    if not 1 <= count <= most:
        shape = f"{len(given):,} rows of {given.shape[1]:,} columns"
        problem = f"{shape} have {most:,} of them at most"
        raise EncodingError("components", f"{problem}, and at least 1; {count:,} are wanted")
    report = progress or no_report
    centred, largest, unit = _minus_first(given)
    if not largest:
        raise EncodingError("rows", "are all equal, so there is no direction in which they differ")
    centred /= largest  # squares neither overflow nor underflow
    centred -= centred.mean(axis=0)
    squares = float(np.vdot(centred, centred))
    directions = _directions(centred, count, report)
    scores = centred @ directions
    signs = _signs(scores)
    lengths = np.square(scores).sum(axis=0)
    with np.errstate(over="ignore"):  # too large for float64 is infinite
        variance = np.square(np.sqrt(lengths / (len(given) - 1)) * largest * unit)
        points = scores * signs * largest * unit
    turned = directions * signs
    return Projection(points, turned.T, variance, lengths / squares)


def stored_umap(e: Encoding, positions: range, seed: int | None) -> Floats | None:
    """Return the points of UMAP that are stored for an exhibit, shape (n, 2); None of other rows.

    ``python -m tests.umap_points`` makes their files.
    """
    if seed is None or positions != range(1000) or e != create("sinusoidal", dim=1024):
        return None
    path = asset(f"gallery/umap/seed-{seed}.npy")
    return np.load(path).astype(np.float64) if path.is_file() else None


def points_of(
    rows: Floats, seed: int | None, progress: threading.Event
) -> tuple[Floats, tuple[float, ...]]:
    """Return rows as points, shape (n, 2), and for PCA the share of variance of each component.

    They are points of UMAP with a seed, or else of PCA: (n, 1) where rows have one number.
    """
    if seed is not None:
        return umap_process.embed(rows, seed=seed, request=progress), ()
    found = pca(rows, min(2, *rows.shape), partial(report, progress))
    return found.scores, tuple(found.ratio.tolist())


def rows_of(
    e: Encoding, positions: range, report: Reporter, make: Callable[[range], Floats] | None = None
) -> Floats:
    """Return a table, or what `make` makes of positions, shape (n, width), part by part.

    `report` may raise to stop between any two parts of it.
    """
    rows = np.empty((len(positions), e.width))
    together = max(_LEAST_CHUNK_ROWS, _CHUNK_NUMBERS // e.width)
    for first in range(0, len(positions), together):
        report(first / len(positions))
        part = positions[first : first + together]
        rows[first : first + len(part)] = (make or e.table)(part)
    return rows


def relative_rows(e: Encoding, positions: range, report: Reporter) -> Floats:
    """Return rows that differ as those of a table do, shape (n, width): what `pca` is to see.

    Where numbers of the table have too few digits for the differences between its rows, all are
    less the first one. So the differences are right to 1e-12 of the largest of them. `report` is
    as in `rows_of`.
    """
    if isinstance(e, Multiples):
        report(0.0)
        whole = np.arange(positions.start, positions.stop, positions.step, dtype=np.int64)
        factors = e.factors(whole) - e.factors(whole[:1])
        return (factors / e.divisor)[:, None] * e.slopes
    rows = rows_of(e, positions, report)
    if not keeps_digits(e):
        return rows
    for start in range(0, len(rows), _LEAST_CHUNK_ROWS):
        steps = np.abs(rows[start : start + _LEAST_CHUNK_ROWS] - rows[0])
        if steps.max() >= _CLEAR_DIFFERENCE * e.amplitude:
            return rows
    return rows_of(e, positions, report, partial(differences_from, e, first=positions[0]))


def _minus_first(rows: Floats, unit: float = 1.0) -> tuple[Floats, float, float]:
    """Return rows less the first of them, the largest size of any number of these, and a unit.

    The unit is 2 where they would overflow, else 1. They are exactly zero where a column is
    constant; no digits are lost before, as the subtraction comes first.
    """
    with np.errstate(over="ignore"):
        steps: Floats = rows - rows[0]
    largest = float(max(-steps.min(), steps.max()))  # without a copy of them
    return (steps, largest, unit) if np.isfinite(largest) else _minus_first(rows / 2, 2.0)


def _directions(centred: Floats, count: int, report: Reporter) -> Floats:
    rows, columns = centred.shape
    if rows <= min(_MOST_SPANNED_ROWS, columns / 4):  # few long rows: within the space they span
        report(0.0)
        axes, places = np.linalg.qr(centred.T)
        return axes @ _directions(places.T, count, report)
    block = np.random.default_rng(0).normal(size=(columns, count + _EXTRA_DIRECTIONS))
    if columns <= 3 * (count + _EXTRA_DIRECTIONS):
        block = np.eye(columns)
    basis = images = np.empty((columns, 0))
    settled, looked = 0.0, 0
    while True:
        report(settled)
        block = block[:, : columns - basis.shape[1]]
        for _ in range(3):  # once leaves rounding, which is most of a column within the basis
            block = np.linalg.qr(block - basis @ (basis.T @ block))[0]
        image = centred.T @ (centred @ block)
        basis = np.hstack([basis, block])
        images = np.hstack([images, image])
        block = image
        width = basis.shape[1]
        if width < min(_WIDENING * looked, columns):
            continue
        looked = width
        inner = basis.T @ images
        values, vectors = np.linalg.eigh(inner + inner.T)
        best = vectors[:, ::-1][:, :count]
        stretched = values[::-1][:count] / 2
        found: Floats = basis @ best
        changes = images @ best - found * stretched
        change = np.linalg.norm(changes, axis=0).max() / values[-1]
        if change <= _CONVERGED or width == columns:
            if stretched[-1] < _WEAK_EIGENVALUE * stretched[0]:
                # Squares hide what is 1e-8 of the largest; this takes longer.
                _, _, within = np.linalg.svd(centred @ basis, full_matrices=False)
                found = basis @ within[:count].T
            return found
        settled = max(settled, np.log(change) / np.log(_CONVERGED))


def _signs(scores: Floats) -> Floats:
    """Return 1 or -1 for each column: the sign of the first score that is largest in size."""
    sizes = np.abs(scores)
    least = (1 - _TIE_TOLERANCE) * sizes.max(axis=0)
    first = np.argmax(sizes >= least, axis=0)
    largest = np.take_along_axis(scores, first[None], axis=0)[0]
    return np.where(largest < 0, -1.0, 1.0)


# -- which rows are nearest to each other ----------------------------------------------------------


def share_of_neighbours(rows: Floats, progress: threading.Event) -> float:
    """Return for what share of rows the nearest other one is the one before or the one after.

    Distances are Euclidean. There are at least two rows, whose squares are finite. `progress`
    learns how much is done; what is cancelled raises `CancelledError`.
    """
    count = len(rows)
    rows = rows - rows.mean(axis=0)  # what all have in common would cost digits of the products
    together = max(1, _CHUNK_DISTANCES // count)
    found = 0
    for first in range(0, count, together):
        report(progress, first / count)
        numbers = np.arange(first, min(first + together, count))
        some = rows[numbers]
        if rows.shape[1] <= _MOST_COLUMNS_BY_DIFFERENCE:
            squares = np.square(some[:, None] - rows).sum(axis=2)
        else:
            lengths = np.square(some).sum(axis=1)[:, None] + np.square(rows).sum(axis=1)
            squares = (lengths - 2 * (some @ rows.T)).clip(0.0)
        here = np.arange(len(numbers))
        squares[here, numbers] = np.inf
        nearest = squares.min(axis=1)
        before = np.where(numbers > 0, squares[here, numbers - 1], np.inf)
        after = squares[here, (numbers + 1) % count]
        after = np.where(numbers + 1 < count, after, np.inf)
        found += int((np.minimum(before, after) <= nearest * (1 + _DISTANCE_TOLERANCE)).sum())
    return found / count
