"""The values and texts of the histogram of the distances of all pairs."""

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
from pe_explorer.numeric.positions import clip_positions
from pe_explorer.params import printed
from pe_explorer.pictures.distances.reasons import no_rows_reason
from pe_explorer.progress import PartialProgress, report


class Histogram(NamedTuple):
    """The histogram of the distances of all pairs."""

    edges: Floats  # edges of the bins, shape (bins + 1,); empty if there are no distances
    # Percentages of pairs in each bin, shape (bins,), for the current encoding and each pin; nan if
    # an encoding has no distances.
    shares: tuple[Floats, ...]
    current_pairs: PairDistances | None  # None if the current encoding has no distances


def compute(
    state: Exploration, encodings: Sequence[Encoding | Unknown], cancellation: threading.Event
) -> Histogram:
    """Return the histogram of the current encoding and the pins."""
    share = 1 / len(encodings)
    all_distances = []
    for number, e in enumerate(encodings):
        pairs, positions = None, range(0)
        if isinstance(e, Encoding) and not no_rows_reason(state, e):
            positions = clip_positions(state.positions, e.domain)
        if len(positions) > 1:
            progress = partial(report, PartialProgress(cancellation, number * share, share))
            pairs = histogram.spread(require_known(e), positions, state.metric, progress)
        all_distances.append(pairs if pairs and len(pairs.distances) else None)
    edges = histogram.edges([pairs for pairs in all_distances if pairs])
    undefined_shares = np.full(max(0, len(edges) - 1), np.nan)
    shares = (100 * pairs.shares(edges) if pairs else undefined_shares for pairs in all_distances)
    return Histogram(edges, tuple(shares), all_distances[0])


def find_pair(numbers: Histogram, x: float) -> tuple[int, int] | None:
    """Return two positions whose distance is in the bin at `x`, or None if no such pair exists."""
    bin_index = _find_bin(numbers, x)
    if numbers.current_pairs is None or bin_index is None:
        return None
    low, high = numbers.edges[bin_index : bin_index + 2]
    if bin_index == len(numbers.edges) - 2:  # the last bin includes its upper edge
        high = np.nextafter(high, np.inf)
    return numbers.current_pairs.find_pair_between(float(low), float(high))


def format_bin(numbers: Histogram, x: float) -> str:
    """Describe the bin at `x` by its range and percentage; return "" outside all bins."""
    bin_index = _find_bin(numbers, x)
    if bin_index is None:
        return ""
    edges = numbers.edges[bin_index : bin_index + 2]
    low, high = (printed.format_rounded(float(edge) + 0.0) for edge in edges)
    return f"{low} to {high}: {printed.format_rounded(numbers.shares[0][bin_index], 3)} % of pairs"


def _find_bin(numbers: Histogram, x: float) -> int | None:
    bin_index = int(np.searchsorted(numbers.edges, x, side="right")) - 1
    return bin_index if 0 <= bin_index < len(numbers.edges) - 1 else None
