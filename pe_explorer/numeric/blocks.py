"""Which of the shown blocks of positions have rows."""

from __future__ import annotations

__all__ = ["blocks_inside"]


def blocks_inside(start: int, block: int, rows: int, domain: range) -> range:
    """Return the numbers of those of `rows` consecutive blocks that lie wholly in a domain."""
    first = max(0, -((start - domain[0]) // block))
    last = min(rows, (domain[-1] + 1 - start) // block)
    return range(first, max(first, last))
