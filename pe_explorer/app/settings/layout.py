"""Where the window and everything in it stands, as plain texts.

A text that somebody has damaged is refused in a sentence; what it is about begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from pe_explorer import pictures
from pe_explorer.exploration import Panes
from pe_explorer.params import ParameterError, quoted
from pe_explorer.values import frozen
from pe_explorer.widgets.splits import PARTS, Sizes

_LARGEST = 1 << 15  # pixels of all screens side by side
_NUMBER = re.compile("-?[0-9]{1,5}")


class Place(NamedTuple):
    """Where something stands: left and top, mostly width and height, in pixels; and in words."""

    pixels: tuple[int, ...]
    words: tuple[str, ...] = ()

    def as_text(self) -> str:
        """Return the words, then the pixels, with blanks between them."""
        return " ".join((*self.words, _as_text(self.pixels)))


class _Spelling(NamedTuple):
    """What the text of a place consists of: one word of each group, and pixels."""

    words: tuple[tuple[str, ...], ...]
    pixels: int
    name: str


_BOX = "left, top, width and height in pixels"
_SPELLINGS = {
    "window": _Spelling((("normal", "maximised", "full"),), 4, f"a state, {_BOX}"),
    "panels": _Spelling(
        (("left", "right"), ("open", "folded"), ("docked", "tabbed", "floating")),
        4,
        f"the place of a panel in words, {_BOX}",
    ),
    "bars": _Spelling(
        (("top", "left", "right", "bottom"), ("shown", "hidden")),
        2,
        "the place of a bar in words, left and top in pixels",
    ),
    "own_windows": _Spelling((), 4, _BOX),
}
"""By what stands before the slash in a key."""


@frozen
class Layout:
    """Where the window, its panels and its bars are.

    Attributes
    ----------
    window : Place
        With its state: ``normal``, ``maximised`` or ``full``.
    panels : mapping of str to Place
        With the side, whether it is ``open`` or ``folded``, and whether it is ``docked`` alone,
        ``tabbed`` with the one before, or ``floating`` on the screen.
    bars : mapping of str to Place
        With the edge of the window, and whether it is ``shown`` or ``hidden``.
    """

    window: Place
    panels: Mapping[str, Place] = field(default_factory=dict, hash=False)
    bars: Mapping[str, Place] = field(default_factory=dict, hash=False)


@frozen
class PaneLayout:
    """Where the views of a window are.

    Attributes
    ----------
    panes : Panes or None
        None before a window was closed for the first time.
    maximised : bool
        Whether the active pane fills the place of all.
    sizes : mapping of str to Sizes
        Where the splitters are, for each arrangement that was used.
    own_windows : mapping of str to Place
        The windows of views that are in no pane, by the name of the view.
    """

    panes: Panes | None = None
    maximised: bool = False
    sizes: Mapping[str, Sizes] = field(default_factory=dict, hash=False)
    own_windows: Mapping[str, Place] = field(default_factory=dict, hash=False)


def place_from_text(key: str, text: str) -> Place:
    """Return the place that `Place.as_text` wrote; raises `ParameterError` for other texts."""
    choices, count, name = _SPELLINGS[key.partition("/")[0]]
    parts = text.split()
    words, pixels = tuple(parts[: len(choices)]), _numbers(parts[len(choices) :])
    fits = len(pixels) == count and min(pixels[2:], default=1) >= 1
    if not fits or any(word not in each for word, each in zip(words, choices, strict=True)):
        raise ParameterError(key, f"{quoted(text)} is not {name}")
    return Place(pixels, words)


def panes_as_text(panes: Panes) -> str:
    """Return the arrangement, the active view and all views, with blanks between them."""
    return " ".join((panes.arrangement, panes.active, *panes.views))


def panes_from_text(text: str) -> Panes:
    """Return the panes that `panes_as_text` wrote; raises `ParameterError` for other texts."""
    words = text.split()
    views = pictures.parse_names(" ".join(words[2:]))
    arrangement, active = words[:2]
    try:
        return Panes(views, arrangement, active)
    except ParameterError as error:
        raise ParameterError("panes", error.problem) from None


def sizes_as_text(sizes: Sizes) -> str:
    """Return the sizes beside the outer splitter, then those beside the inner one."""
    return " / ".join(_as_text(part) for part in sizes if part)


def sizes_from_text(arrangement: str, text: str) -> Sizes:
    """Return the sizes that `sizes_as_text` wrote; raises `ParameterError` for other texts."""
    outer, _, inner = text.partition("/")
    sizes = _numbers(outer.split()), _numbers(inner.split())
    fits = tuple(map(len, sizes)) == PARTS[arrangement]
    if not fits or min(map(min, filter(None, sizes))) < 0:
        problem = f"{quoted(text)} is not the sizes of these panes in pixels"
        raise ParameterError(f"sizes/{arrangement}", problem)
    return sizes


def _as_text(numbers: Sequence[int]) -> str:
    """Return numbers with blanks between them, none more than can be read again."""
    return " ".join(str(max(-_LARGEST, min(number, _LARGEST))) for number in numbers)


def _numbers(words: Sequence[str]) -> tuple[int, ...]:
    """Return words as numbers; none if one is something else, or a number is too large."""
    if not all(map(_NUMBER.fullmatch, words)):
        return ()
    numbers = tuple(map(int, words))
    return numbers if max(map(abs, numbers), default=0) <= _LARGEST else ()
