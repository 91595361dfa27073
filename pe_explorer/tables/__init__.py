"""Tables of numbers in files, read as plain values: what a file holds, and rows of it."""

from pe_explorer.tables.cache import load
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
