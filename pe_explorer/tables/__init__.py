"""Tables of numbers in files, read as plain values: what a file holds, and rows of it."""

from pe_explorer.tables.cache import load
from pe_explorer.tables.npy import MOST_COLUMNS, Stamp, Table, TableError, read_table, stamp_of

__all__ = ["MOST_COLUMNS", "Stamp", "Table", "TableError", "load", "read_table", "stamp_of"]
