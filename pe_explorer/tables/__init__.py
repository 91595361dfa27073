"""Tables of numbers in files, read as plain values: what a file holds, and rows of it.

Tables that were read are kept, so that an encoding reads its file once.
"""

from __future__ import annotations

import threading
from collections import OrderedDict

from pe_explorer.tables.npy import MOST_COLUMNS, Stamp, Table, TableError, read_table, stamp_of
from pe_explorer.tables.words import WORD_ENDINGS, WordFile, find_words, is_word_file, open_words

__all__ = [
    "MOST_COLUMNS",
    "WORD_ENDINGS",
    "Stamp",
    "Table",
    "TableError",
    "WordFile",
    "find_words",
    "is_word_file",
    "load",
    "open_words",
    "read_table",
    "stamp_of",
]


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
