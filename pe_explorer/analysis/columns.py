"""Which columns of two encodings mean the same."""

import numpy as np

from pe_explorer.arrays import Ints
from pe_explorer.encodings import Encoding


def common_columns(e: Encoding, other: Encoding) -> tuple[Ints, Ints]:
    """Return the columns of two encodings that mean the same, in the order of the first.

    Returns
    -------
    columns, other_columns : (m,) int64
        Columns of `e` and, at the same places, those of `other`. Both are empty where the
        columns of the two are not the same axis.
    """
    if e.columns != other.columns:
        none = np.arange(0)
        return none, none
    meanings, other_meanings = e.column_meanings(), other.column_meanings()
    order = np.argsort(other_meanings)
    places = np.searchsorted(other_meanings, meanings, sorter=order)
    last = len(order) - 1
    found = order[np.minimum(places, last)]
    both = other_meanings[found] == meanings
    return np.flatnonzero(both), found[both]
