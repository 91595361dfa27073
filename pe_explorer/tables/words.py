"""Word vectors in files: of a text file, or of a `.npy` table with a list of words beside it.

Only the words that are asked for are kept. The rest of a file is read past, line by line, so
that three million words need no more memory than ten.
"""

import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.params import listed
from pe_explorer.progress import report
from pe_explorer.tables.npy import (
    MAX_COLUMNS,
    Stamp,
    Table,
    TableError,
    open_regular,
    stamp_of_open,
)

Vectors = dict[str, Floats]

WORD_ENDINGS = (".txt", ".vec")
"""The endings of text files with word vectors, as word2vec and GloVe write them."""

_LIST_ENDINGS = (".vocab", ".txt")  # endings of a list of words beside a table
_LONGEST_LINE = 1 << 24  # bytes
_LINES_PER_REPORT = 1 << 12  # lines between two reports of progress
_MOST_QUOTED = 20  # letters of a text that is not a number


@dataclass(frozen=True)
class WordFile:
    """A text file with a word and its numbers on each line.

    Attributes
    ----------
    path : str
    stamp : Stamp
        That of the file when it was opened.
    columns : int
        The number of entries of each vector.
    words : int or None
        The number of words that the first line declares, None without such a line.
    """

    path: str
    stamp: Stamp
    columns: int
    words: int | None


def is_word_file(path: str) -> bool:
    """Return whether the name of a file is that of a text with word vectors."""
    return path.lower().endswith(WORD_ENDINGS)


def open_words(path: str) -> WordFile:
    """Return the width and the word count of a text file, from its first line alone.

    Raises
    ------
    TableError
        If the file is missing, cannot be read, or does not begin with a word and its numbers.
    """
    with open_regular(path) as file:
        stamp = stamp_of_open(file)
        first = _line(path, file, 1).split()
        if len(first) == 2 and all(part.isdigit() for part in first):
            words, columns = map(int, first)
            if not 1 <= columns <= MAX_COLUMNS:
                raise TableError(path, f"line 1 promises {columns:,} numbers for each word")
            return WordFile(path, stamp, columns, words)
        if not first:
            raise TableError(path, "is empty, or line 1 is; it should have a word and its numbers")
        columns = len(first) - 1
        if not 1 <= columns <= MAX_COLUMNS:
            raise TableError(path, f"line 1 has {columns:,} numbers after its word")
        _numbers(path, 1, first[1:])
        return WordFile(path, stamp, columns, None)


def find_words(held: WordFile | Table, keys: frozenset[str], progress: threading.Event) -> Vectors:
    """Return the vectors of those words that a file has, by their keys in small letters.

    Of words that differ in capitals only, the one in small letters wins, or else the first.

    Raises
    ------
    TableError
        If a line is broken, which it names, or the file has changed since it was opened.
    CancelledError
        If the answer is no longer wanted.
    """
    if isinstance(held, WordFile):
        return _in_text(held, keys, progress)
    return _in_table(held, keys, progress)


def _in_text(held: WordFile, keys: frozenset[str], progress: threading.Event) -> Vectors:
    """Return the vectors of those words that a text file has; it is read until all are found."""
    found: Vectors = {}
    exact: set[str] = set()
    with open_regular(held.path) as file:
        if stamp_of_open(file) != held.stamp:
            raise TableError(held.path, "has changed since it was opened")
        for number, word, line in _entries(held, file, progress):
            key = word.lower()
            if key not in keys or (key in found and word != key):
                continue
            found[key] = _numbers(held.path, number, line.split()[-held.columns :])
            if word == key:
                exact.add(key)
            if len(exact) == len(keys):
                break
    return found


def _entries(
    held: WordFile, file: BinaryIO, progress: threading.Event
) -> Iterator[tuple[int, str, bytes]]:
    """Yield the number of each line, its word, and the whole line.

    At the end of the file, raise `TableError` where there are fewer words than promised.
    """
    there = 0
    for number, line in _lines(held.path, file, progress):
        if number > 1 or held.words is None:
            there += 1
            yield number, _word(held, number, line), line
    if held.words is not None and there < held.words:
        problem = f"is cut short: line 1 promises {held.words:,} words, and there are {there:,}"
        raise TableError(held.path, problem)


def _word(held: WordFile, number: int, line: bytes) -> str:
    """Return the word of a line, or raise `TableError` where too few numbers follow it."""
    gap = b"\t" if b"\t" in line else b" "
    spaces = line.count(gap)
    if spaces < held.columns:
        there = len(line.split()) - 1
        if there < held.columns:
            problem = f"line {number:,} has {there:,} numbers, not {held.columns:,}"
            raise TableError(held.path, problem)
    word = line.partition(gap)[0]
    if spaces > held.columns:  # the word has spaces, or the numbers have more than one
        word = b" ".join(line.split()[: -held.columns])
    return word.decode("utf-8", "replace")


def _lines(path: str, file: BinaryIO, progress: threading.Event) -> Iterator[tuple[int, bytes]]:
    size = max(1, os.fstat(file.fileno()).st_size)
    number = 1
    while line := _line(path, file, number):
        if number % _LINES_PER_REPORT == 0:
            report(progress, file.tell() / size)
        if stripped := line.strip():
            yield number, stripped
        number += 1


def _line(path: str, file: BinaryIO, number: int) -> bytes:
    line = file.readline(_LONGEST_LINE)
    if len(line) == _LONGEST_LINE:
        raise TableError(path, f"line {number:,} is too long for a word and its numbers")
    return line


def _numbers(path: str, number: int, parts: list[bytes]) -> Floats:
    for part in parts:
        try:
            float(part)
        except ValueError:
            text = part.decode("utf-8", "replace")[:_MOST_QUOTED]
            raise TableError(path, f"line {number:,}: {text!r} is not a number") from None
    return np.array([float(part) for part in parts])


def _in_table(table: Table, keys: frozenset[str], progress: threading.Event) -> Vectors:
    """Return the rows of a table whose words are listed in a file of the same name beside it."""
    stem = table.path[: -len(".npy")]
    names = [stem + ending for ending in _LIST_ENDINGS]
    path = next((name for name in names if os.path.exists(name)), "")
    if not path:
        found = listed(map(os.path.basename, names), "or")
        raise TableError(table.path, f"has no list of its words beside it: {found}")
    rows: dict[str, int] = {}
    count = 0
    with open_regular(path) as file:
        for number, line in _lines(path, file, progress):
            count += 1
            if count != number:
                raise TableError(path, f"line {count:,} is empty; it should have a word")
            word = line.split()[0].decode("utf-8", "replace")
            key = word.lower()
            if key in keys and (key not in rows or word == key):
                rows[key] = count - 1
    if count != table.rows:
        raise TableError(path, f"lists {count:,} words, and the table has {table.rows:,} rows")
    return {key: table.part(row, row + 1)[0] for key, row in rows.items()}
