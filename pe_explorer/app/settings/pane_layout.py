"""The panes of the last end, the splitters between them, and their own windows, as plain texts.

A text that somebody has damaged is refused in a sentence; what it is about begins anew.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from pe_explorer import pictures
from pe_explorer.exploration import Panes
from pe_explorer.params import ParameterError, quoted
from pe_explorer.values import frozen
from pe_explorer.widgets.splits import PARTS, Sizes

Place = tuple[int, int, int, int]
"""Left, top, width and height of a window, in pixels."""

_LARGEST = 1 << 15  # pixels of all screens side by side
_NUMBER = re.compile("-?[0-9]{1,5}")


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
    return " / ".join(pixels_as_text(part) for part in sizes if part)


def sizes_from_text(arrangement: str, text: str) -> Sizes:
    """Return the sizes that `sizes_as_text` wrote; raises `ParameterError` for other texts."""
    outer, _, inner = text.partition("/")
    sizes = _numbers(outer), _numbers(inner)
    fits = tuple(map(len, sizes)) == PARTS[arrangement]
    if not fits or min(map(min, filter(None, sizes))) < 0:
        problem = f"{quoted(text)} is not the sizes of these panes in pixels"
        raise ParameterError(f"sizes/{arrangement}", problem)
    return sizes


def place_from_text(view: str, text: str) -> Place:
    """Return the left, top, width and height in a text; raises `ParameterError` for others."""
    numbers = _numbers(text)
    if len(numbers) != 4 or min(numbers[2:]) < 1:
        problem = f"{quoted(text)} is not left, top, width and height in pixels"
        raise ParameterError(f"own_windows/{view}", problem)
    left, top, width, height = numbers
    return left, top, width, height


def pixels_as_text(numbers: Sequence[int]) -> str:
    """Return pixels with blanks between them, none more than can be read again."""
    return " ".join(str(max(-_LARGEST, min(number, _LARGEST))) for number in numbers)


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers in a text; none if something else is there, or a number is too large."""
    words = text.split()
    if not all(map(_NUMBER.fullmatch, words)):
        return ()
    numbers = tuple(map(int, words))
    return numbers if max(map(abs, numbers), default=0) <= _LARGEST else ()
