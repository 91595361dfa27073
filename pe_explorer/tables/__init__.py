"""Tables of numbers in files, read as plain values: what a file holds, and rows of it.

Tables that were read are kept, so that an encoding reads its file once.
"""

import threading
from collections import OrderedDict

from pe_explorer.tables.npy import MOST_COLUMNS, Stamp, Table, TableError, read_table, stamp_of
from pe_explorer.tables.words import WORD_ENDINGS, WordFile, find_words, is_word_file, open_words

_MOST_TABLES = 4  # tables that are cached; a copy has at most 64 MB


Source = tuple[str, ...]
"""Where a table is: the path of a file, then its name where the file holds several."""

_kept: OrderedDict[tuple[Source, Stamp], Table] = OrderedDict()
_lock = threading.Lock()


def load(*source: str) -> Table:
    """Return the table that there is now at a `Source`, from memory if the file has not changed.

    Raises
    ------
    TableError
        As `read_table` does.
    """
    stamp = stamp_of(source[0])
    with _lock:
        if stamp is not None and (source, stamp) in _kept:
            _kept.move_to_end((source, stamp))
            return _kept[source, stamp]
    table = read_table(*source)
    with _lock:
        _kept[source, table.stamp] = table
        while len(_kept) > _MOST_TABLES:
            _kept.popitem(last=False)
    return table
