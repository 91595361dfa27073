"""A second window of positions: as many as in the first, from another start."""

from pe_explorer.encodings import LIMIT
from pe_explorer.numeric.positions import len_of
from pe_explorer.params import Optional, Whole

SECOND_START = Optional(
    None,
    Whole(
        50,
        -LIMIT,
        LIMIT,
        label="Second start",
        help=(
            "As many positions from here on are shown beside the first ones, in the same colours, "
            "and written below them in a file."
        ),
    ),
    auto="there is no second window",
    word="none",
)


def windows(positions: range, second: int | None) -> tuple[range, ...]:
    """Return the positions of each window: those given, and as many from a second start."""
    if second is None:
        return (positions,)
    reach = (len_of(positions) - 1) * positions.step
    start = min(max(second, -LIMIT - min(reach, 0)), LIMIT - max(reach, 0))
    return positions, range(start, start + reach + positions.step, positions.step)
