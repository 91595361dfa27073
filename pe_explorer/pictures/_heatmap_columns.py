"""The columns of a heatmap: those of the encoding, or one for each pair of sine and cosine."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import Axis, Waves
from pe_explorer.pictures import _columns
from pe_explorer.pictures._heatmap_options import HeatmapOptions

__all__ = ["axis_of", "column_at", "columns_shown", "place_of", "places", "width_of"]

Ints = npt.NDArray[np.int64]

_PAIRS = Axis("pair", "pairs", "i")


def places(subject: Subject, options: HeatmapOptions) -> Ints:
    """Return the column of the subject that each column of the heatmap shows.

    Where each pair has one, it is the first that has the pair's wave.
    """
    if options.by_pairs:
        waves, first = np.unique(subject.angles.wave_of, return_index=True)
        if len(found := first[waves >= 0]):
            return found.astype(np.int64)
    return np.arange(subject.width)


def width_of(subject: Subject, options: HeatmapOptions) -> int:
    """Return how many columns there are."""
    return len(places(subject, options)) if options.by_pairs else subject.width


def axis_of(subject: Subject, options: HeatmapOptions) -> Axis:
    """Return what the columns stand for; waves that have only one column each keep its name."""
    e = subject.encoding
    has_pairs = options.by_pairs and isinstance(e, Waves) and e.pairs
    return _PAIRS if has_pairs else e.columns


def columns_shown(subject: Subject, options: HeatmapOptions) -> tuple[int, int]:
    """Return first and number of the columns shown, fitted to those there are."""
    return _columns.columns_shown(options, width_of(subject, options))


def place_of(subject: Subject, options: HeatmapOptions, place: int | None) -> int | None:
    """Return the column of the heatmap that shows a column of the subject, None if none does."""
    if place is None or not options.by_pairs:
        return place
    wave_of = subject.angles.wave_of
    same = wave_of[places(subject, options)] == wave_of[place]
    return int(same.argmax()) if same.any() else None


def column_at(subject: Subject, options: HeatmapOptions, number: int, cursor: int | None) -> int:
    """Return the subject's column that one of the heatmap shows: the cursor's, if it is of it."""
    known = cursor if options.by_pairs and cursor in range(subject.width) else None
    if known is not None and place_of(subject, options, known) == number:
        return known
    return int(places(subject, options)[number])
