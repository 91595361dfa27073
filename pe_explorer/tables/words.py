"""Word vectors in text files, or in `.npy` tables with a separate list of words.

Only the vectors of requested words are kept in memory. Other lines are skipped one by
one, so that memory use does not grow with the number of words in the file.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Event
from typing import BinaryIO

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.params import join_words
from pe_explorer.progress import report
from pe_explorer.tables.npy import MAX_COLUMNS, Stamp, Table, TableError, open_regular_file

VectorsByWord = dict[str, Floats]

WORD_FILE_SUFFIXES = (".txt", ".vec")
"""The extensions of text files with word vectors in the formats of word2vec and GloVe."""

_WORD_LIST_SUFFIXES = (".vocab", ".txt")  # extensions of the file that lists the words of a table
_MAX_LINE_SIZE = 1 << 24  # maximum length of a line in bytes
_LINES_PER_REPORT = 1 << 12  # number of lines between two progress reports
_MAX_QUOTED_LENGTH = 20  # maximum number of characters quoted in a message


@dataclass(frozen=True)
class WordFile:
    """A text file with a word and its vector on each line."""

    path: str
    stamp: Stamp  # stamp at the time of opening; reading fails if it has changed
    columns: int  # the length of each vector
    words: int | None  # number of words that line 1 declares; None if line 1 declares no number


def is_word_file(path: str) -> bool:
    """Return whether a file name has the extension of a text file with word vectors."""
    return path.lower().endswith(WORD_FILE_SUFFIXES)


def open_word_file(path: str) -> WordFile:
    """Open a text file with word vectors; only its first line is read.

    Raises
    ------
    TableError
        If the file is missing, cannot be read, or does not begin with a word and a vector.
    """
    with open_regular_file(path) as (file, stamp):
        parts = _read_line(path, file, 1).split()
    if not parts:
        raise TableError(path, "line 1: expected a word and its numbers, got an empty line")
    words: int | None = None
    columns = len(parts) - 1
    has_word_count = columns == 1 and all(part.isdigit() for part in parts)
    if has_word_count:
        words, columns = map(int, parts)
    if not 1 <= columns <= MAX_COLUMNS:
        problem = f"line 1: expected 1 to {MAX_COLUMNS:,} numbers for each word, got {columns:,}"
        raise TableError(path, problem)
    if not has_word_count:
        _parse_vector(path, 1, parts[1:])
    return WordFile(path, stamp, columns, words)


def find_words(source: WordFile | Table, keys: frozenset[str], progress: Event) -> VectorsByWord:
    """Return the vectors of the requested words that a file contains, by word in lower case.

    If several words differ only in case, the lower-case word is used. If the file does not
    contain the lower-case word, the first of the words is used.

    Raises
    ------
    TableError
        If a line is invalid, or the file has changed since it was opened.
    CancelledError
        If the search is cancelled.
    """
    if isinstance(source, Table):
        return _find_words_in_table(source, keys, progress)
    vectors: VectorsByWord = {}
    lower_case_keys: set[str] = set()  # keys that the file contains in lower case
    with open_regular_file(source.path) as (file, stamp):
        if stamp != source.stamp:
            raise TableError(source.path, "has changed since it was opened", "open it again")
        for number, word, line in _read_word_lines(source, file, progress):
            key = word.lower()
            if key not in keys or (key in vectors and word != key):
                continue
            vectors[key] = _parse_vector(source.path, number, line.split()[-source.columns :])
            if word == key:
                lower_case_keys.add(key)
            if len(lower_case_keys) == len(keys):
                break
    return vectors


def _read_word_lines(
    source: WordFile, file: BinaryIO, progress: Event
) -> Iterator[tuple[int, str, bytes]]:
    """Yield the line number, the word and the line of each word vector."""
    count = 0
    for number, line in _read_numbered_lines(source.path, file, progress):
        if number > 1 or source.words is None:
            count += 1
            yield number, _parse_word(source, number, line), line
    if source.words is not None and count < source.words:
        problem = f"is truncated: line 1 declares {source.words:,} words, but there are {count:,}"
        raise TableError(source.path, problem)


def _parse_word(source: WordFile, number: int, line: bytes) -> str:
    gap = b"\t" if b"\t" in line else b" "
    if line.count(gap) == source.columns:
        return line.partition(gap)[0].decode("utf-8", "replace")
    parts = line.split()  # the word contains spaces, or gaps consist of several characters
    if (count := len(parts) - 1) < source.columns:
        problem = f"line {number:,}: expected {source.columns:,} numbers, got {count:,}"
        raise TableError(source.path, problem)
    return b" ".join(parts[: -source.columns]).decode("utf-8", "replace")


def _read_numbered_lines(path: str, file: BinaryIO, progress: Event) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the content of each line that is not empty."""
    size = max(1, os.fstat(file.fileno()).st_size)
    number = 1
    while line := _read_line(path, file, number):
        if number % _LINES_PER_REPORT == 0:
            report(progress, file.tell() / size)
        if stripped_line := line.strip():
            yield number, stripped_line
        number += 1


def _read_line(path: str, file: BinaryIO, number: int) -> bytes:
    line = file.readline(_MAX_LINE_SIZE)
    if len(line) == _MAX_LINE_SIZE:
        raise TableError(path, f"line {number:,} is too long: expected a word and its vector")
    return line


def _parse_vector(path: str, number: int, parts: list[bytes]) -> Floats:
    values = []
    for part in parts:
        try:
            values.append(float(part))
        except ValueError:
            text = part.decode("utf-8", "replace")[:_MAX_QUOTED_LENGTH]
            raise TableError(path, f"line {number:,}: expected a number, got {text!r}") from None
    return np.array(values)


def _find_words_in_table(table: Table, keys: frozenset[str], progress: Event) -> VectorsByWord:
    path_stem = table.path[: -len(".npy")]
    names = [path_stem + ending for ending in _WORD_LIST_SUFFIXES]
    path = next((name for name in names if os.path.exists(name)), "")
    if not path:
        remedy = f"add {join_words(map(os.path.basename, names), 'or')}"
        raise TableError(table.path, "has no list of words in its folder", remedy)
    rows: dict[str, int] = {}
    count = 0
    with open_regular_file(path) as (file, _):
        for number, line in _read_numbered_lines(path, file, progress):
            if number != count + 1:
                raise TableError(path, f"line {count + 1:,}: expected a word, got an empty line")
            word = line.split()[0].decode("utf-8", "replace")
            key = word.lower()
            if key in keys and (key not in rows or word == key):
                rows[key] = count
            count = number
    if count != table.rows:
        problem = f"expected {table.rows:,} words, one for each row of the table, got {count:,}"
        raise TableError(path, problem)
    return {key: table.part(row, row + 1)[0] for key, row in rows.items()}
