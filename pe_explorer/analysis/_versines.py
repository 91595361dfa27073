"""V(Δ) = 2 Σ_i sin²(Δ·ω_i / 2), which gives distances that depend on the offset only."""

import numpy as np

from pe_explorer.analysis._close import close_mean_versines, close_versines, is_close
from pe_explorer.analysis._offsets import over_offsets, part_reporter
from pe_explorer.analysis._tables import Blocks, products_of_means
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Waves
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, doubled_centres, len_of
from pe_explorer.numeric.turns import Turns
from pe_explorer.progress import Reporter

_CLOSE_MEANS = 1e-2  # mean of V per pair below which 1 - cos has fewer than 13 digits
_SHARE_BEFORE_CLOSE = 0.9  # share of the work before close rows are computed again


def from_versines(versines: Floats, metric: str, pairs: int, weight: float) -> Floats:
    """Return distances by V; `weight` is what a pair adds to the squared length of a row."""
    if metric == "cosine":
        return versines / pairs
    if metric == "dot":
        return weight * (pairs - versines)
    squares = 2 * weight * versines
    if metric == "sse":
        return squares
    return np.sqrt(np.maximum(squares, 0.0))


def versines(turns: Turns, offsets: Positions, report: Reporter) -> Floats:
    """Return V(Δ) for every offset, shape (n,); half of an angle is the phase of a half-step."""
    sums = np.zeros(len_of(offsets))
    for rows, pairs, block in rotation.sweep(turns, offsets):
        sums[rows] += 2 * np.einsum("np,np->n", block.imag, block.imag)
        report(_SHARE_BEFORE_CLOSE * _share_done(rows, pairs, len(sums), len(turns)))
    places = np.asarray(offsets)
    sums[places == 0] = 0.0  # what rotation leaves there is rounding
    doubtful = is_close(sums, "sse", len(turns)) & (places != 0)
    close = np.flatnonzero(doubtful)
    rest = part_reporter(report, _SHARE_BEFORE_CLOSE, 1 - _SHARE_BEFORE_CLOSE)
    sums[close] = close_versines(turns, places[close], rest)
    return sums


def mean_versines(e: Waves, rows: Blocks, cols: Blocks, report: Reporter) -> Floats:
    """Return the mean of V over pairs of blocks."""
    products = mean_products(e, rows, cols, part_reporter(report, 0.0, _SHARE_BEFORE_CLOSE))
    means = e.pairs - products
    close = means < _CLOSE_MEANS * e.pairs
    blocks = rows[1], cols[1]
    centres = doubled_centres(*rows), doubled_centres(*cols)
    rest = part_reporter(report, _SHARE_BEFORE_CLOSE, 1 - _SHARE_BEFORE_CLOSE)
    means[close] = close_mean_versines(e.turns, blocks, centres, close, rest)
    return means


def _share_done(rows: slice, pairs: slice, positions: int, waves: int) -> float:
    """Return the share of a sweep that is done after this block of it."""
    of_tile: float = rows.stop / positions
    tile = pairs.stop - pairs.start
    done: float = pairs.start + tile * of_tile
    return done / waves


def mean_products(e: Waves, rows: Blocks, cols: Blocks, report: Reporter) -> Floats:
    """Return the mean of K over pairs of blocks: Σ D_r(ω) D_c(ω) cos(ω·(centre_r - centre_c))."""
    if rows[1] != cols[1]:  # few equal offsets
        return products_of_means(e, rows, cols, report) / e.pair_weight
    turns = e.turns
    weights = block_means.amplitudes(turns, rows[1]) ** 2

    def of_centres(half_steps: Positions, report: Reporter) -> Floats:
        sums = np.zeros(len_of(half_steps))
        for found, pairs, block in rotation.sweep(turns, half_steps, weights):
            sums[found] += block.real.sum(axis=1)
            report(_share_done(found, pairs, len(sums), len(turns)))
        return sums

    return over_offsets(doubled_centres(*rows), doubled_centres(*cols), report, of_centres)
