"""What callers may pass as positions, brought to one of three exact forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.params import ParameterError, Whole, quoted, reason

__all__ = [
    "LIMIT",
    "EncodingError",
    "Positions",
    "as_column",
    "as_positions",
    "as_whole",
    "check_blocks",
    "len_of",
]

LIMIT = 2**53
"""Largest magnitude of a position: up to here float64 can name every whole number."""

Positions = range | npt.NDArray[np.int64] | npt.NDArray[np.float64]


class EncodingError(ParameterError):
    """An encoding's name, a parameter, a position or a metric that cannot be used."""


def as_positions(positions: Any, name: str = "positions") -> Positions:
    """Return positions as a `range` (equal steps), an int64 or a float64 array.

    Parameters
    ----------
    positions : range, sequence or array of shape (n,)
        Whole or fractional numbers, magnitudes up to 2^53. Whole numbers with one
        common step become a `range`, whatever they came as: that is the fast path.

    Raises
    ------
    EncodingError
        For anything that is not a list of finite numbers within ±2^53.
    """
    if isinstance(positions, range):
        if not positions:
            return range(0)
        _within(min(positions[0], positions[-1]), max(positions[0], positions[-1]), name)
        return positions if len_of(positions) > 1 else range(positions[0], positions[0] + 1)
    array = _as_array(positions, name)
    if array.size == 0:
        return range(0)
    if array.dtype.kind == "f":
        array = array.astype(np.float64)
        if not np.isfinite(array).all():
            raise EncodingError(name, "nan or infinity is not a position; remove it")
        _within(array.min(), array.max(), name)
        if (array != np.rint(array)).any():
            return array
    else:
        _within(int(array.min()), int(array.max()), name)
    return _as_range(array.astype(np.int64))


def as_whole(value: Any, name: str, low: int = -LIMIT, high: int = LIMIT) -> int:
    """Return `value` as a Python int from `low` to `high`, or raise `EncodingError`."""
    try:
        return Whole(low, low, high, label=name, help="").check(name, value)
    except ParameterError as error:
        raise EncodingError(error.name, error.problem) from None


def check_blocks(start: Any, block: Any, rows: Any) -> tuple[int, int, int]:
    """Return the three as ints if `rows` blocks of `block` positions from `start` on lie within
    ±2^53.
    """
    start = as_whole(start, "start")
    block = as_whole(block, "block", low=1)
    rows = as_whole(rows, "rows", low=0)
    last = start + block * rows - 1
    if rows and last > LIMIT:
        most = (LIMIT + 1 - start) // block
        raise EncodingError(
            "rows",
            f"{rows} blocks of {block} from {start} end at {last}, beyond 2^53; at most {most} "
            "rows fit",
        )
    return start, block, rows


def len_of(positions: range) -> int:
    """Length of a range of any size (`len` refuses those above 2^63)."""
    return max(0, -(-(positions.stop - positions.start) // positions.step))


def _as_array(positions: Any, name: str) -> npt.NDArray[Any]:
    if isinstance(
        positions, (list, tuple)
    ):  # checked before NumPy brings a mixed list to one type, and rounds
        for value in positions:
            if isinstance(value, int):
                as_whole(value, name)
    try:
        array = np.asarray(positions)
        if array.dtype.kind == "O":  # Python ints beyond 64 bits, or no numbers at all
            for value in array.ravel():
                as_whole(value, name)
    except (ValueError, TypeError, OverflowError) as error:
        if isinstance(error, EncodingError):
            raise
        raise EncodingError(name, f"cannot be read as numbers ({reason(error)})") from None
    if array.ndim != 1:
        raise EncodingError(
            name,
            f"must be one list of numbers, not an array of shape {array.shape}; use [p] for a "
            "single position",
        )
    if array.size and array.dtype.kind not in "iufO":
        raise EncodingError(name, f"must be whole or real numbers, not {array.dtype}")
    return array


def _as_range(whole: npt.NDArray[np.int64]) -> range | npt.NDArray[np.int64]:
    """Return an arithmetic progression as a range, anything else as it is."""
    first = int(whole[0])
    if len(whole) == 1:
        return range(first, first + 1)
    step = int(whole[1]) - first
    if (
        step == 0
        or int(whole[-1]) - first != step * (len(whole) - 1)
        or (np.diff(whole) != step).any()
    ):
        return whole
    return range(first, first + step * len(whole), step)


def _within(low: float, high: float, name: str) -> None:
    for value in (low, high):
        if not -LIMIT <= value <= LIMIT:
            raise EncodingError(
                name,
                f"{quoted(value)} is outside -2^53 to 2^53 ({-LIMIT} to {LIMIT}); beyond that "
                "float64 skips whole numbers",
            )


def as_column(positions: Positions) -> npt.NDArray[np.float64]:
    """Return positions, of either sign and each within 2^54, as a float64 column (n, 1)."""
    if isinstance(positions, range):  # which NumPy would read number by number
        steps = positions.start, positions.stop, positions.step
        return np.arange(*steps, dtype=np.int64).astype(np.float64)[:, None]
    return positions.astype(np.float64)[:, None]
