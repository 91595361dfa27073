"""Lists of whole numbers as they are typed: 3,17,20-25."""

from collections.abc import Sequence


def read(text: str) -> tuple[int, ...]:
    """Return the numbers of a text, in its order; raises `ValueError` if it is none."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def written(numbers: Sequence[int]) -> str:
    """Return the text that `read` understands; numbers that follow each other become a range."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(f"{low}-{high}" if high > low else f"{low}" for low, high in ranges)
