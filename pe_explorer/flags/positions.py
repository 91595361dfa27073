"""Positions as people write them: ``0:50``, ``10^12+1000``, ``0:8Ki``."""

import re

from pe_explorer.encodings import LIMIT
from pe_explorer.params import ParameterError, quoted, reason, whole_number

POSITIONS_HELP = (
    "START:STOP[:STEP] without STOP itself, or START+COUNT; such as 0:50, 10^12+1000, -8:9 (within "
    "-2^53 to 2^53)"
)


def parse_positions(text: str) -> range:
    """Return the positions that `text` spells: ``START:STOP[:STEP]`` or ``START+COUNT``.

    Raises
    ------
    ParameterError
        If it is neither, holds no position, or leaves ±2^53.
    """
    try:
        positions = _read_positions(text)
    except (ValueError, OverflowError) as error:
        problem = f"{quoted(text)}: {reason(error)}; give {POSITIONS_HELP}"
        raise ParameterError("positions", problem) from None
    if not positions:
        problem = f"{quoted(text)} holds no position; STOP must lie beyond START"
        raise ParameterError("positions", problem)
    for end in (positions[0], positions[-1]):
        if abs(end) > LIMIT:
            limits = f"the limits are -2^53 to 2^53 ({-LIMIT} to {LIMIT})"
            problem = f"{quoted(text)} reaches {end}; {limits}"
            raise ParameterError("positions", problem)
    return positions


def _read_positions(text: str) -> range:
    if counted := re.fullmatch(r"([^:]*[^:eE])\+(.+)", text):
        start = whole_number(counted[1])
        count = whole_number(counted[2])
        return range(start, start + count)
    numbers = [whole_number(part) for part in text.split(":")]
    if len(numbers) not in (2, 3):
        raise ValueError("not a range")
    if numbers[2:] == [0]:
        raise ValueError("STEP must not be 0")
    return range(*numbers)


def spelled_positions(positions: range) -> str:
    """Return the shortest text that `parse_positions` reads back as these positions."""
    ends = [positions.start, positions.stop]
    if positions.step != 1:
        return ":".join(map(_spelled, [*ends, positions.step]))
    span = ":".join(map(_spelled, ends))
    count = _spelled(positions.stop - positions.start)
    counted = f"{_spelled(positions.start)}+{count}"
    return min(span, counted, key=len)


def _spelled(number: int) -> str:
    """Return a whole number, shortened where it ends in many zeros: 1e12."""
    digits = str(number).rstrip("0")
    zeros = len(str(number)) - len(digits)
    if zeros < 6:
        return str(number)
    return f"{digits}e{zeros}"
