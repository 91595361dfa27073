"""Tables of numbers in files, read as plain values: what a file holds, and rows of it.

Tables that were read are kept, so that an encoding reads its file once.
"""

from functools import lru_cache

from pe_explorer.tables.npy import MAX_COLUMNS, Stamp, Table, TableError, read_table, stamp_of
from pe_explorer.tables.words import WORD_ENDINGS, WordFile, find_words, is_word_file, open_words

Source = tuple[str, ...]
"""Where a table is: the path of a file, then its name where the file holds several."""


def load(*source: str) -> Table:
    """Return the table that there is now at a `Source`, from memory if the file has not changed.

    Raises
    ------
    TableError
        As `read_table` does.
    """
    return _load(source, stamp_of(source[0]))


@lru_cache(maxsize=4)  # a copy has at most 64 MB
def _load(source: Source, stamp: Stamp | None) -> Table:  # noqa: ARG001 - a part of the key
    return read_table(*source)
