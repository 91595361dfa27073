"""The histogram of the distances of all pairs: its values and texts."""

import threading
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import histogram
from pe_explorer.analysis.histogram import PairDistances
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import positions_in
from pe_explorer.params import printed
from pe_explorer.pictures.distances.reasons import why_no_rows
from pe_explorer.progress import Part, Reporter, report


class Histogram(NamedTuple):
    """The histogram of the distances of all pairs.

    Attributes
    ----------
    edges : (bins + 1,) float64
        Edges of the bins, empty without distances.
    shares : tuple of (bins,) float64
        Percentages of pairs, of the current encoding and of each pin; nan without distances.
    of_current : PairDistances or None
        The distances of the current encoding, if any.
    """

    edges: Floats
    shares: tuple[Floats, ...]
    of_current: PairDistances | None


def compute(
    state: Exploration, encodings: Sequence[Encoding | Unknown], cancelled: threading.Event
) -> Histogram:
    """Return the histogram of the encodings, of which the first is the current one."""
    part = 1 / len(encodings)
    spreads = []
    for place, e in enumerate(encodings):
        progress = partial(report, Part(cancelled, place * part, part))
        spreads.append(_distances(state, e, progress))
    edges = histogram.edges([spread for spread in spreads if spread])
    none = np.full(max(0, len(edges) - 1), np.nan)
    shares = (100 * spread.shares(edges) if spread else none for spread in spreads)
    return Histogram(edges, tuple(shares), spreads[0])


def _distances(
    state: Exploration, e: Encoding | Unknown, progress: Reporter
) -> PairDistances | None:
    if why_no_rows(state, e):
        return None
    positions = positions_in(state.positions, require_known(e).domain)
    if len(positions) < 2:
        return None
    spread = histogram.spread(require_known(e), positions, state.metric, progress)
    return spread if len(spread.distances) else None


def pair_at(numbers: Histogram, x: float) -> tuple[int, int] | None:
    """Return two positions whose distance is in the histogram bin at `x`, or None."""
    place = _bin_at(numbers, x)
    if numbers.of_current is None or place is None:
        return None
    low, high = numbers.edges[place : place + 2]
    if place == len(numbers.edges) - 2:  # the last bin includes its upper edge
        high = np.nextafter(high, np.inf)
    return numbers.of_current.pair_in(float(low), float(high))


def bin_words(numbers: Histogram, x: float) -> str:
    """Return the range of the bin at `x` and its percentage of the pairs."""
    place = _bin_at(numbers, x)
    if place is None:
        return ""
    low, high = (printed.rounded(float(edge) + 0.0) for edge in numbers.edges[place : place + 2])
    return f"{low} to {high}: {printed.rounded(numbers.shares[0][place], 3)} % of pairs"


def _bin_at(numbers: Histogram, x: float) -> int | None:
    place = int(np.searchsorted(numbers.edges, x, side="right")) - 1
    return place if 0 <= place < len(numbers.edges) - 1 else None
