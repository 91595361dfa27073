"""What float32 costs: tables as the usual code makes them, against the exact ones.

The usual code computes frequencies, then angles, then sines, each in float32. An angle θ is off
by some θ·10^-7 then, and no sine can be better than its angle: the error grows with the position,
most where frequencies are high. Each step is rounded once here, see `Float32Angles`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, EncodingError, Float32Angles, needs
from pe_explorer.encodings.abilities.checks import as_positions
from pe_explorer.encodings.abilities.float32_angles import rounded
from pe_explorer.numeric.positions import Positions, is_whole, len_of
from pe_explorer.progress import Reporter

_CHUNK_NUMBERS = 2**18  # numbers of a table that are computed together


class LocatedError(NamedTuple):
    """An error and its place in the table."""

    position: float
    column: int
    error: float


def float32_table(e: Encoding, positions: Any) -> Floats:
    """Return the rows that the usual float32 code makes.

    Parameters
    ----------
    e : Encoding
    positions : positions
        All that `Encoding.table` takes.

    Returns
    -------
    (n, width) float64
        Numbers of float32.

    Raises
    ------
    EncodingError
        If no such code is known for the encoding, or a position is out of bounds.
    """
    if problem := needs.float32_angles(e):
        raise EncodingError("encoding", problem)
    assert isinstance(e, Float32Angles)
    where = as_positions(positions)
    angles = e.float32_angles(where)
    waves, sines = e.wave_of, e.sines & (e.wave_of >= 0)
    cosines = ~e.sines & (e.wave_of >= 0)
    table = np.zeros((len_of(where), e.width))
    table[:, sines] = np.sin(angles)[:, waves[sines]]
    table[:, cosines] = np.cos(angles)[:, waves[cosines]]
    return rounded(rounded(table) * rounded(e.amplitude))


def float32_error(e: Encoding, positions: Any) -> Floats:
    """Return `float32_table` minus the exact table, (n, width); raises what that raises."""
    return float32_table(e, positions) - e.table(positions)


def largest_error(e: Encoding, positions: Any, progress: Reporter | None = None) -> LocatedError:
    """Return the first of the largest errors of some positions, at least one.

    `progress` is called between blocks with the share that is done, and may raise to stop.
    """
    found = LocatedError(0, 0, 0.0)
    largest = -1.0
    for where, errors in _blocks(e, positions, progress):
        sizes = np.abs(errors)
        row, column = np.unravel_index(sizes.argmax(), sizes.shape)
        if sizes[row, column] > largest:
            largest = sizes[row, column]
            found = _located_error(where, errors, int(row), int(column))
    return found


def first_beyond(
    e: Encoding, positions: Any, tolerance: float, progress: Reporter | None = None
) -> LocatedError | None:
    """Return the first error that is larger than a tolerance, None where there is none.

    Within its position it is that of the first column. `progress` is as in `largest_error`.
    """
    for where, errors in _blocks(e, positions, progress):
        beyond = np.abs(errors) > tolerance
        if beyond.any():
            row, column = divmod(int(beyond.argmax()), e.width)
            return _located_error(where, errors, row, column)
    return None


def _blocks(
    e: Encoding, positions: Any, progress: Reporter | None
) -> Iterator[tuple[Positions, Floats]]:
    """Yield some of the positions and their errors, block by block."""
    where = as_positions(positions)
    count = len_of(where)
    rows = max(1, _CHUNK_NUMBERS // e.width)
    for start in range(0, count, rows):
        if progress:
            progress(start / count)
        some = where[start : start + rows]
        yield some, float32_error(e, some)


def _located_error(positions: Positions, errors: Floats, row: int, column: int) -> LocatedError:
    position = int(positions[row]) if is_whole(positions) else float(positions[row])
    return LocatedError(position, column, float(errors[row, column]))
