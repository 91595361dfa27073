"""Functions that raise `EncodingError` if an argument is invalid."""

from typing import Any

from pe_explorer.numeric import positions as exact
from pe_explorer.numeric.positions import LIMIT, Positions
from pe_explorer.params import ParameterError


class EncodingError(ParameterError):
    """An error for an invalid encoding name, parameter, position or metric."""


def to_positions(positions: Any, name: str = "positions") -> Positions:
    """Return positions in an exact form; see `numeric.positions.to_positions`."""
    try:
        return exact.to_positions(positions, name)
    except ParameterError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None


def to_whole_number(value: Any, name: str, low: int = -LIMIT, high: int = LIMIT) -> int:
    """Return `value` as an int from `low` to `high`."""
    try:
        return exact.to_whole_number(value, name, low, high)
    except ParameterError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None


def check_blocks(start: Any, block: Any, rows: Any) -> tuple[int, int, int]:
    """Return the arguments as ints; raise `EncodingError` unless the blocks lie within ±2^53."""
    try:
        return exact.check_blocks(start, block, rows)
    except ParameterError as error:
        raise EncodingError(error.name, error.fault, error.remedy) from None
