"""What the wheel does to the columns of a picture: others are shown, or more, or fewer."""

from __future__ import annotations

__all__ = ["zoomed_columns", "zoomed_count"]


def zoomed_columns(
    shown: tuple[int, int], width: int, factor: float, anchor: float
) -> dict[str, int]:
    """Return the options that show `factor` times as many of the columns.

    `shown` are first and number of those shown, of `width` that there are. The column at the
    fraction `anchor` stays there, if the limits allow it.
    """
    first, count = shown
    wanted = zoomed_count(count, factor, width)
    start = min(max(0, first + round((count - wanted) * anchor)), width - wanted)
    return {"first": start, "dimensions": 0 if wanted == width else wanted}


def zoomed_count(count: int, factor: float, most: int) -> int:
    """Return another number of cells, at least one more or less than before."""
    wanted = round(count * factor)
    if wanted == count:
        wanted += 1 if factor > 1 else -1
    return min(max(1, wanted), most)
