"""A second range of positions, as long as the first one."""

from pe_explorer.encodings import LIMIT
from pe_explorer.numeric.positions import count_positions
from pe_explorer.params import Optional, Whole

SECOND_START = Optional(
    None,
    Whole(
        50,
        -LIMIT,
        LIMIT,
        label="Second start",
        help="Show a second range of the same length, starting at this position.",
    ),
    auto="there is no second range",
    word="none",
)


def windows(positions: range, second: int | None) -> tuple[range, ...]:
    """Return the positions, followed by an equally long range from `second` if it is given."""
    if second is None:
        return (positions,)
    span = (count_positions(positions) - 1) * positions.step
    start = min(max(second, -LIMIT - min(span, 0)), LIMIT - max(span, 0))
    return positions, range(start, start + span + positions.step, positions.step)
