"""The rows that a shift moves: those of a table, or heads that a rotary encoding turns."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Axis, Encoding, Rotary
from pe_explorer.numeric.positions import positions_in, shift_range

_CHUNK_NUMBERS = 1 << 19  # numbers of a table that are computed together
_CHANNELS = Axis("channel", "channels", "c")


class Mover(Protocol):
    """What moves rows, such as a matrix."""

    def moved(self, table: Floats) -> Floats:
        """Return the rows of a table, shape (n, width), moved."""


def width(e: Encoding) -> int:
    """Return the number of rows of the matrix: the columns of a table, or a head's channels."""
    return e.head_dim if isinstance(e, Rotary) else e.width


def columns(e: Encoding) -> Axis:
    """Return what these stand for."""
    return _CHANNELS if isinstance(e, Rotary) else e.columns


def kinds(e: Encoding) -> Ints:
    """Return which are of one kind: of channels the first of pairs, the second, and the others."""
    if not isinstance(e, Rotary):
        return e.kinds
    found = np.full(e.head_dim, 2)
    found[: e.rotary] = e.channels.member_of
    return found


def rows(e: Encoding, positions: Any) -> Floats:
    """Return the rows that the matrix moves, shape (n, width).

    Those of a rotary encoding are one head, turned by each position: 1 in the first channel of
    every pair and 0 in the second, and 1 in channels that are not turned.
    """
    return _of_heads(e, e.table(positions))


def block_means(e: Encoding, start: int, block: int, count: int) -> Floats:
    """Return the means of `rows` over blocks of positions, which the matrix moves as well."""
    return _of_heads(e, e.block_means(start, block, count))


def movable(e: Encoding, k: int) -> range:
    """Return the positions that have a row, and have one k positions later."""
    return positions_in(e.domain, shift_range(e.domain, -k))


def largest_differences(e: Encoding, k: int, by: Mover, positions: range) -> Floats:
    """Return how far rows that are moved are from those k positions later, shape (n,).

    It is the largest difference in any of the numbers of a row.
    """
    found = np.empty(len(positions))
    for part in parts(e, positions):
        some = positions[part]
        with np.errstate(over="ignore", invalid="ignore"):  # a file may hold any numbers
            differences = by.moved(rows(e, some)) - rows(e, shift_range(some, k))
        found[part] = np.abs(differences).max(axis=1)
    return found


def _of_heads(e: Encoding, table: Floats) -> Floats:
    """Return the heads that a table of cosines and sines turns; other tables as they are."""
    if not isinstance(e, Rotary):
        return table
    cosines, sines = table[:, : e.rotary], table[:, e.rotary :]
    heads = np.ones((len(table), e.head_dim))
    heads[:, : e.rotary] = np.where(e.channels.member_of == 0, cosines, sines)
    return heads


def parts(e: Encoding, positions: range) -> Iterator[slice]:
    """Yield positions in groups whose rows fit into memory."""
    step = max(1, _CHUNK_NUMBERS // width(e))
    for start in range(0, len(positions), step):
        yield slice(start, min(start + step, len(positions)))
