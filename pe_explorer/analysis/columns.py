"""Which columns of two encodings mean the same."""

from functools import lru_cache

import numpy as np

from pe_explorer.arrays import Ints
from pe_explorer.encodings import Encoding


@lru_cache(maxsize=8)  # a picture and its words ask again and again, also for 65,536 columns
def common_columns(e: Encoding, other: Encoding) -> tuple[Ints, Ints]:
    """Return the columns of two encodings that mean the same, in the order of the first.

    Returns
    -------
    columns, other_columns : (m,) int64
        Columns of `e` and, at the same places, those of `other`. Both are empty where the
        columns of the two are not the same axis. They are shared, and cannot be written to.
    """
    columns, places = np.arange(0), np.arange(0)
    if e.columns == other.columns:
        meanings, other_meanings = e.column_meanings(), other.column_meanings()
        order = np.argsort(other_meanings)
        sorted_places = np.searchsorted(other_meanings, meanings, sorter=order)
        found = order[np.minimum(sorted_places, len(order) - 1)]
        both = other_meanings[found] == meanings
        columns, places = np.flatnonzero(both), found[both]
    columns.setflags(write=False)
    places.setflags(write=False)
    return columns, places
