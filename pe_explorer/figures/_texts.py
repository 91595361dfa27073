"""Whether all texts of a page can be read: none reaches beyond the page or covers another."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from pe_explorer.figures._look import ASCENT, DESCENT, Look
from pe_explorer.figures.page import Item, Text

_TOLERANCE = 0.06  # of the font's size: ascent and descent are those of the highest letters
_Box = tuple[float, float, float, float]
"""Left, top, right and bottom."""


def are_clear(items: Iterable[Item], look: Look, width: float, height: float) -> bool:
    """Return whether the texts among some items are on a page, and apart from each other."""
    boxes = np.array([_box(item, look) for item in items if isinstance(item, Text)])
    if not len(boxes):
        return True
    low, high = boxes[:, :2], boxes[:, 2:]
    if low.min() < 0 or (high > (width, height)).any():
        return False
    low += _TOLERANCE * look.size
    touching = (low[:, None] < high).all(axis=2)
    others = ~np.eye(len(boxes), dtype=bool)
    return not (touching & touching.T & others).any()


def _box(text: Text, look: Look) -> _Box:
    """Return what a text covers."""
    width = look.width(text.text)
    before = text.before * width
    up, down = ASCENT * text.size, DESCENT * text.size
    if text.upward:
        return text.x - up, text.y - width + before, text.x + down, text.y + before
    left = text.x - before
    return left, text.y - up, left + width, text.y + down
