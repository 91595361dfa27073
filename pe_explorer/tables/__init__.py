"""Tables of numbers in files, cached so that an encoding reads its file only once."""

from functools import lru_cache

from pe_explorer.tables.npy import MAX_COLUMNS, Stamp, Table, TableError, read_stamp, read_table
from pe_explorer.tables.words import (
    WORD_FILE_SUFFIXES,
    WordFile,
    find_words,
    is_word_file,
    open_word_file,
)

Source = tuple[str, ...]
"""The location of a table: a file path, and a table name if the file has several tables."""


def load(*source: str) -> Table:
    """Return the table at a `Source`, from the cache if the file has not changed.

    Raises
    ------
    TableError
        If the file is missing or unreadable, or is not a two-dimensional array of numbers.
    """
    return _load_table(source, read_stamp(source[0]))


@lru_cache(maxsize=4)  # a table in memory has at most 64 MB
def _load_table(source: Source, stamp: Stamp | None) -> Table:  # noqa: ARG001 - part of the cache key
    return read_table(*source)
