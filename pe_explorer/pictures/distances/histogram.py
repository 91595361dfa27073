"""How the distances of all pairs are spread: the numbers of the histogram, and its words."""

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
    """How the distances of all pairs are spread.

    Attributes
    ----------
    edges : (bins + 1,) float64
        Where bins begin and end; none where there is no distance.
    shares : tuple of (bins,) float64
        Of all pairs, in percent, of the current encoding and of each pin; nan for none.
    of_current : PairDistances or None
        The distances themselves, None where there is none.
    """

    edges: Floats
    shares: tuple[Floats, ...]
    of_current: PairDistances | None


def compute(
    state: Exploration, encodings: Sequence[Encoding | Unknown], cancelled: threading.Event
) -> Histogram:
    """Return how the distances are spread, the current encoding's first."""
    part = 1 / len(encodings)
    found = []
    for place, e in enumerate(encodings):
        progress = partial(report, Part(cancelled, place * part, part))
        found.append(_spread(state, e, progress))
    edges = histogram.edges([each for each in found if each])
    none = np.full(max(0, len(edges) - 1), np.nan)
    shares = (100 * each.shares(edges) if each else none for each in found)
    return Histogram(edges, tuple(shares), found[0])


def _spread(state: Exploration, e: Encoding | Unknown, progress: Reporter) -> PairDistances | None:
    if why_no_rows(state, e):
        return None
    positions = positions_in(state.positions, require_known(e).domain)
    if len(positions) < 2:
        return None
    found = histogram.spread(require_known(e), positions, state.metric, progress)
    return found if len(found.distances) else None


def pair_at(numbers: Histogram, x: float) -> tuple[int, int] | None:
    """Return two positions whose distance is in the bin at a place; None where it has none."""
    place = _bin_at(numbers, x)
    if numbers.of_current is None or place is None:
        return None
    low, high = numbers.edges[place : place + 2]
    if place == len(numbers.edges) - 2:  # the last bin has its upper edge
        high = np.nextafter(high, np.inf)
    return numbers.of_current.pair_in(float(low), float(high))


def bin_words(numbers: Histogram, x: float) -> str:
    """Return which bin is at a place, which share of pairs it has, and one of them."""
    place = _bin_at(numbers, x)
    if place is None:
        return ""
    low, high = (printed.rounded(float(edge) + 0.0) for edge in numbers.edges[place : place + 2])
    words = f"{low} to {high}: {printed.rounded(numbers.shares[0][place], 3)} % of pairs"
    if pair := pair_at(numbers, x):
        words = f"{words}, such as {pair[0]:,} and {pair[1]:,}"
    return words


def _bin_at(numbers: Histogram, x: float) -> int | None:
    place = int(np.searchsorted(numbers.edges, x, side="right")) - 1
    return place if 0 <= place < len(numbers.edges) - 1 else None
