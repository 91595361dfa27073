"""The rows to which a shift applies: rows of a table, or heads rotated by a rotary encoding."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Axis, Encoding, Rotary
from pe_explorer.numeric.positions import clip_positions, shift_range

_CHUNK_VALUES = 1 << 19  # values of a table per chunk
_CHANNEL_AXIS = Axis("channel", "channels", "c")


class Mover(Protocol):
    """An object that moves rows by a number of positions, such as a matrix."""

    def apply(self, table: Floats) -> Floats:
        """Return the moved rows of a table, shape (n, width)."""


def width(e: Encoding) -> int:
    """Return the number of columns; for a rotary encoding, the number of channels of a head."""
    return e.head_dim if isinstance(e, Rotary) else e.width


def columns(e: Encoding) -> Axis:
    """Return the axis for the rows and columns of a shift matrix."""
    return _CHANNEL_AXIS if isinstance(e, Rotary) else e.columns


def kinds(e: Encoding) -> Ints:
    """Return the kind of each column.

    For a rotary encoding, the kind is 0 for the first channel of a pair, 1 for the second
    channel, and 2 for channels that are not rotated.
    """
    if not isinstance(e, Rotary):
        return e.kinds
    values = np.full(e.head_dim, 2)
    values[: e.rotary] = e.channels.member_indices
    return values


def rows(e: Encoding, positions: Any) -> Floats:
    """Return the rows to which a shift matrix applies, shape (n, width).

    For a rotary encoding, each row is one head, rotated to the position. Before rotation,
    the head is 0 in the second channel of every pair and 1 in all other channels.
    """
    return _to_heads(e, e.table(positions))


def block_means(e: Encoding, start: int, block: int, count: int) -> Floats:
    """Return the block means of `rows`, to which a shift matrix also applies."""
    return _to_heads(e, e.block_means(start, block, count))


def movable_positions(e: Encoding, k: int) -> range:
    """Return the positions p for which both p and p + k have rows."""
    return clip_positions(e.domain, shift_range(e.domain, -k))


def compute_max_differences(e: Encoding, k: int, mover: Mover, positions: range) -> Floats:
    """Return the largest absolute error of each row that `mover` moves by k, shape (n,)."""
    maxima = np.empty(len(positions))
    for part in split_into_chunks(e, positions):
        sources, targets = positions[part], shift_range(positions[part], k)
        with np.errstate(over="ignore", invalid="ignore"):  # a file can contain arbitrary values
            differences = mover.apply(rows(e, sources)) - rows(e, targets)
        maxima[part] = np.abs(differences).max(axis=1)
    return maxima


def _to_heads(e: Encoding, table: Floats) -> Floats:
    if not isinstance(e, Rotary):
        return table
    cosines, sines = table[:, : e.rotary], table[:, e.rotary :]
    heads = np.ones((len(table), e.head_dim))
    heads[:, : e.rotary] = np.where(e.channels.member_indices == 0, cosines, sines)
    return heads


def split_into_chunks(e: Encoding, positions: range) -> Iterator[slice]:
    """Yield slices that divide positions into chunks whose rows fit into memory."""
    step = max(1, _CHUNK_VALUES // width(e))
    for start in range(0, len(positions), step):
        yield slice(start, min(start + step, len(positions)))
