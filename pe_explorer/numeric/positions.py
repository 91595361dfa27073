"""Conversion of positions to one of three exact forms, and calculations with position ranges."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats, Ints
from pe_explorer.params import ParameterError, Whole, format_fault, reason

LIMIT = 2**53  # largest magnitude of a position; float64 represents all integers up to 2^53 exactly

Positions = range | Ints | Floats


def to_positions(positions: Any, name: str = "positions") -> Positions:
    """Return positions as a `range`, an int64 array or a float64 array.

    Equally spaced whole numbers of any type become a `range`, because ranges are the
    fastest to compute. Raise `ParameterError`, whose message contains the argument's
    `name`, if `positions` is not a list of finite numbers within ±2^53.
    """
    if isinstance(positions, range):
        if not positions:
            return range(0)
        first, last = positions[0], positions[-1]
        _check_limits(name, first, last)
        return range(first, first + 1) if first == last else positions
    array = _as_array(positions, name)
    if array.size == 0:
        return range(0)
    if array.dtype.kind == "f":
        array = array.astype(np.float64)
        if not np.isfinite(array).all():
            fault = "expected finite positions, got NaN or infinity"
            raise ParameterError(name, fault, "remove them")
        _check_limits(name, float(array.min()), float(array.max()))
        if (array != np.rint(array)).any():
            return array
    else:
        _check_limits(name, int(array.min()), int(array.max()))
    integers = array.astype(np.int64)
    count, first, last = len(integers), int(integers[0]), int(integers[-1])
    step = int(integers[1]) - first if count > 1 else 1
    if step == 0 or last - first != step * (count - 1) or (np.diff(integers) != step).any():
        return integers
    return range(first, first + step * count, step)


def to_whole_number(value: Any, name: str, low: int = -LIMIT, high: int = LIMIT) -> int:
    """Return `value` as an int; raise `ParameterError` if it is fractional or out of range."""
    if type(value) is int and low <= value <= high:  # fast path for the usual case
        return value
    return Whole(low, low, high, label=name, help="").check(name, value)


def as_column(positions: Positions) -> Floats:
    """Return positions, which can be up to ±2^54, as a float64 column, shape (n, 1)."""
    if isinstance(positions, range):  # avoids NumPy's slow element-by-element conversion
        positions = np.arange(positions.start, positions.stop, positions.step, dtype=np.int64)
    return positions.astype(np.float64)[:, None]


def count_positions(positions: Positions) -> int:
    """Return the number of positions, even for a range that is too long for `len`."""
    if not isinstance(positions, range):
        return len(positions)
    return max(0, -((positions.start - positions.stop) // positions.step))


def is_whole(positions: Positions) -> bool:
    """Return whether all positions are whole numbers."""
    return isinstance(positions, range) or positions.dtype.kind == "i"


def check_blocks(start: Any, block: Any, rows: Any) -> tuple[int, int, int]:
    """Return the first position, the block size and the number of blocks as ints.

    Raise `ParameterError` if an argument is out of range, or if the blocks extend beyond
    2^53; the message then states how many blocks fit.
    """
    start = to_whole_number(start, "start")
    block = to_whole_number(block, "block", low=1)
    rows = to_whole_number(rows, "rows", low=0)
    last = start + block * rows - 1
    if rows and last > LIMIT:
        max_rows = (LIMIT + 1 - start) // block
        fault = f"{rows} blocks of {block} starting at {start} end at {last}"
        fault += "; the largest supported position is 2^53"
        raise ParameterError("rows", fault, f"use at most {max_rows} rows")
    return start, block, rows


def find_blocks_inside(start: int, block: int, rows: int, domain: range) -> range:
    """Return the indices of the blocks within a domain, out of `rows` consecutive blocks."""
    if not domain:
        return range(0)
    first = max(0, -((start - domain[0]) // block))
    end = min(rows, (domain[-1] + 1 - start) // block)
    return range(first, max(first, end))


def clip_positions(positions: range, domain: range) -> range:
    """Return the positions that are in a domain; the domain must have a step of 1."""
    ascending_range = positions if positions.step > 0 else positions[::-1]
    first = max(0, -((ascending_range.start - domain.start) // ascending_range.step))
    end = max(first, -((ascending_range.start - domain.stop) // ascending_range.step))
    part = ascending_range[first:end]
    return part if positions.step > 0 else part[::-1]


def shift_range(positions: range, k: int) -> range:
    """Return a range with k added to every position; k can be negative."""
    return range(positions.start + k, positions.stop + k, positions.step)


def list_doubled_centres(start: int, block: int, rows: int) -> range:
    """Return twice the centres of `rows` consecutive blocks, which are always integers."""
    first, step = 2 * start + block - 1, 2 * block
    return range(first, first + step * rows, step)


def _as_array(positions: Any, name: str) -> npt.NDArray[Any]:
    if isinstance(positions, (list, tuple)):
        # NumPy would convert a list of mixed types to float64 and round large integers.
        for value in positions:
            if isinstance(value, int):
                to_whole_number(value, name)
    try:
        array = np.asarray(positions)
        if array.dtype.kind == "O":  # integers beyond 64 bits, or objects that are not numbers
            for value in array.ravel():
                to_whole_number(value, name)
    except ParameterError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise ParameterError(name, f"cannot be read as numbers ({reason(error)})") from None
    if array.ndim != 1:
        fault = f"expected a one-dimensional array, got the shape {array.shape}"
        raise ParameterError(name, fault, "use [p] for a single position")
    if array.size and array.dtype.kind not in "iufO":
        fault = f"expected integers or floating-point numbers, got {array.dtype}"
        raise ParameterError(name, fault)
    return array


def _check_limits(name: str, *values: float) -> None:
    for value in values:
        if not -LIMIT <= value <= LIMIT:
            fault = format_fault(f"a position from -2^53 to 2^53 ({-LIMIT} to {LIMIT})", value)
            cause = "float64 cannot represent all whole numbers beyond these limits"
            raise ParameterError(name, fault, cause)
