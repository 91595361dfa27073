"""What callers may pass as positions, brought to one of three exact forms."""

from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats, Ints
from pe_explorer.params import ParameterError, Whole, quoted, reason

LIMIT = 2**53
"""Largest magnitude of a position: up to here float64 can name every whole number."""

Positions = range | Ints | Floats


def as_positions(positions: Any, name: str = "positions") -> Positions:
    """Return positions as a `range` (equal steps), an int64 or a float64 array.

    Parameters
    ----------
    positions : range, sequence or array of shape (n,)
        Whole or fractional numbers, magnitudes up to 2^53. Whole numbers with one
        common step become a `range`, whatever they came as: that is the fast path.
    name : str
        What errors call them.

    Raises
    ------
    ParameterError
        For anything that is not a list of finite numbers within ±2^53.
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
            raise ParameterError(name, "nan or infinity is not a position; remove it")
        _check_limits(name, array.min(), array.max())
        if (array != np.rint(array)).any():
            return array
    else:
        _check_limits(name, int(array.min()), int(array.max()))
    return _as_range(array.astype(np.int64))


def as_whole(value: Any, name: str, low: int = -LIMIT, high: int = LIMIT) -> int:
    """Return `value` as a Python int from `low` to `high`, or raise `ParameterError`."""
    if type(value) is int and low <= value <= high:  # as nearly all are
        return value
    limits = Whole(low, low, high, label=name, help="")
    return limits.check(name, value)


def as_column(positions: Positions) -> Floats:
    """Return positions, of either sign and each within 2^54, as a float64 column (n, 1)."""
    if isinstance(positions, range):  # which NumPy would read number by number
        steps = positions.start, positions.stop, positions.step
        positions = np.arange(*steps, dtype=np.int64)
    return positions.astype(np.float64)[:, None]


def len_of(positions: Positions) -> int:
    """Return the number of positions; `len` refuses ranges of more than 2^63."""
    if not isinstance(positions, range):
        return len(positions)
    distance = positions.stop - positions.start
    return max(0, -(-distance // positions.step))


def is_whole(positions: Positions) -> bool:
    """Return whether all positions are whole numbers, so that their differences are exact."""
    return isinstance(positions, range) or positions.dtype.kind == "i"


def check_blocks(start: Any, block: Any, rows: Any) -> tuple[int, int, int]:
    """Return the three as ints if the blocks lie within ±2^53.

    Parameters
    ----------
    start, block, rows : int
        First position, positions in a block (1 or more), number of blocks (0 or more).

    Raises
    ------
    ParameterError
        With the number of blocks that fit, where `rows` of them do not.
    """
    start = as_whole(start, "start")
    block = as_whole(block, "block", low=1)
    rows = as_whole(rows, "rows", low=0)
    last = start + block * rows - 1
    if rows and last > LIMIT:
        most = (LIMIT + 1 - start) // block
        problem = f"{rows} blocks of {block} from {start} end at {last}, beyond 2^53"
        raise ParameterError("rows", f"{problem}; at most {most} rows fit")
    return start, block, rows


def blocks_inside(start: int, block: int, rows: int, domain: range) -> range:
    """Return the numbers of those of `rows` consecutive blocks that lie wholly in a domain."""
    if not domain:
        return range(0)
    before = domain[0] - start
    first = max(0, -(-before // block))
    until_end = domain[-1] + 1 - start
    last = min(rows, until_end // block)
    return range(first, max(first, last))


def positions_in(positions: range, domain: range) -> range:
    """Return those of some positions that lie in a domain, whose step is 1; theirs may be any."""
    upward = positions if positions.step > 0 else positions[::-1]
    first = max(0, -((upward.start - domain.start) // upward.step))
    end = max(first, -((upward.start - domain.stop) // upward.step))
    there = upward[first:end]
    return there if positions.step > 0 else there[::-1]


def shift_range(positions: range, k: int) -> range:
    """Return the positions that come k after some, of either sign."""
    return range(positions.start + k, positions.stop + k, positions.step)


def doubled_centres(start: int, block: int, rows: int) -> range:
    """Return twice the centres of `rows` consecutive blocks, which are whole numbers."""
    first = 2 * start + block - 1
    step = 2 * block
    return range(first, first + step * rows, step)


def _as_array(positions: Any, name: str) -> npt.NDArray[Any]:
    if isinstance(positions, (list, tuple)):
        # Checked before NumPy brings a mixed list to one type, and rounds.
        for value in positions:
            if isinstance(value, int):
                as_whole(value, name)
    try:
        array = np.asarray(positions)
        if array.dtype.kind == "O":  # Python ints beyond 64 bits, or no numbers at all
            for value in array.ravel():
                as_whole(value, name)
    except ParameterError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise ParameterError(name, f"cannot be read as numbers ({reason(error)})") from None
    if array.ndim != 1:
        problem = f"must be one list of numbers, not an array of shape {array.shape}"
        raise ParameterError(name, f"{problem}; use [p] for a single position")
    if array.size and array.dtype.kind not in "iufO":
        raise ParameterError(name, f"must be whole or real numbers, not {array.dtype}")
    return array


def _as_range(whole: Ints) -> range | Ints:
    """Return an arithmetic progression as a range, anything else as it is."""
    count = len(whole)
    first, last = int(whole[0]), int(whole[-1])
    if count == 1:
        return range(first, first + 1)
    step = int(whole[1]) - first
    if step == 0 or last - first != step * (count - 1) or (np.diff(whole) != step).any():
        return whole
    return range(first, first + step * count, step)


def _check_limits(name: str, *values: float) -> None:
    for value in values:
        if not -LIMIT <= value <= LIMIT:
            problem = f"{quoted(value)} is outside -2^53 to 2^53 ({-LIMIT} to {LIMIT})"
            remedy = "beyond that float64 skips whole numbers"
            raise ParameterError(name, f"{problem}; {remedy}")
