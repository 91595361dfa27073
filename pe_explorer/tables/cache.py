"""Tables that were read, kept so that an encoding reads its file once."""

from __future__ import annotations

import threading
from collections import OrderedDict

from pe_explorer.tables.npy import Stamp, Table, read_table, stamp_of

_MOST = 4  # tables kept; a copy has 64 MB at most

_kept: OrderedDict[tuple[str, Stamp], Table] = OrderedDict()
_lock = threading.Lock()


def load(path: str) -> Table:
    """Return the table that a file holds now, from memory if the file has not changed.

    Raises
    ------
    TableError
        As `read_table` does.
    """
    stamp = stamp_of(path)
    with _lock:
        if stamp is not None and (path, stamp) in _kept:
            _kept.move_to_end((path, stamp))
            return _kept[path, stamp]
    table = read_table(path)
    with _lock:
        _kept[path, table.stamp] = table
        while len(_kept) > _MOST:
            _kept.popitem(last=False)
    return table
