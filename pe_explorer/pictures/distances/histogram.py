"""How the distances of all pairs are spread: the numbers of the histogram, and its words."""

import threading
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import distance, histogram
from pe_explorer.analysis.comparison import why_other_rows
from pe_explorer.analysis.histogram import PairDistances
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.params import printed
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

    @property
    def middles(self) -> Floats:
        """The middle of each bin."""
        return (self.edges[:-1] + self.edges[1:]) / 2


def compute(
    state: Exploration, encodings: Sequence[Encoding | Unknown], cancelled: threading.Event
) -> Histogram:
    """Return how the distances are spread, the current encoding's first."""
    part = 1 / len(encodings)
    found: list[PairDistances | None] = []
    for place, e in enumerate(encodings):
        progress = partial(report, Part(cancelled, place * part, part))
        found.append(_spread(state, e, progress))
    edges = histogram.edges([each for each in found if each is not None])
    bins = max(0, len(edges) - 1)
    shares = []
    for each in found:
        none = np.full(bins, np.nan)
        shares.append(none if each is None else 100 * each.shares(edges))
    return Histogram(edges, tuple(shares), found[0])


def _spread(state: Exploration, e: Encoding | Unknown, progress: Reporter) -> PairDistances | None:
    """Return the distances of all pairs of rows that an encoding has, None where there is none."""
    if isinstance(e, Unknown) or why_other_rows(require_known(state.encoding), e):
        return None
    first = max(state.start, e.domain[0])
    end = min(state.start + state.count, e.domain[-1] + 1)
    if end - first <= 1:  # no pair
        return None
    found = histogram.spread(e, range(first, end), state.metric, progress)
    return found if len(found.distances) else None


def measured(e: Encoding, metric: str, count: int) -> tuple[int, int]:
    """Return how many separations are measured, or how many positions compared with each other."""
    if not distance.depends_on_offset(e, metric):
        return 0, min(count, histogram.MOST_POSITIONS)
    most = histogram.MOST_SEPARATIONS
    return (count if count - 1 <= most else histogram.DRAWN_SEPARATIONS), 0


# -- words ---------------------------------------------------------------------------------------


def sentence(numbers: Histogram) -> str:
    """Return what the histogram shows, and its main numbers."""
    found = numbers.of_current
    assert found is not None
    nearest = _pair(found, 0)
    farthest = _pair(found, -1)
    least, most = (printed.rounded(found.distances[place]) for place in (0, -1))
    what = f"{found.pairs:,} pairs" if found.pairs > 1 else "the only pair"
    if found.drawn:
        what = f"{found.drawn:,} pairs, spread evenly over all {_rounded(found.pairs)}"
    if found.undefined:
        what = f"{what}, {_rounded(found.undefined)} of them without a distance"
    return (
        f"{what}: mean {printed.rounded(found.mean)}, median {printed.rounded(found.median)}, "
        f"from {least} ({nearest}) to {most} ({farthest})."
    )


def _rounded(pairs: int) -> str:
    """Return a number of pairs in full, or rounded where nobody could read it."""
    return printed.whole(pairs) if pairs < 10**15 else printed.rounded(pairs)


def _pair(found: PairDistances, place: int) -> str:
    return f"{found.earlier[place]:,} and {found.later[place]:,}"


def pair_at(numbers: Histogram, x: float) -> tuple[int, int] | None:
    """Return two positions whose distance is in the bin at a place; None where it has none."""
    found = numbers.of_current
    place = _bin_at(numbers, x)
    if found is None or place is None:
        return None
    high = numbers.edges[place + 1]
    if place == len(numbers.edges) - 2:  # the last bin has its upper edge
        high = np.nextafter(high, np.inf)
    return found.pair_in(float(numbers.edges[place]), float(high))


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
    """Return the bin at a place, None where there is none."""
    place = int(np.searchsorted(numbers.edges, x, side="right")) - 1
    return place if 0 <= place < len(numbers.edges) - 1 else None
