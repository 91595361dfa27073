"""From positions to pixels: how many positions one stands for, and the colour of a value."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats, Ints

NO_VALUE = 255  # the colour index of a cell without a value: it is transparent
HALF = 0.5 + 1e-6  # half a pixel, and what rounding may take from it
_CELLS_PER_SPARE = 100  # cells for each pixel too many or too few
_CHUNK = 1 << 16  # values coloured at a time: they fit into the cache of a processor


@dataclass(frozen=True)
class Size:
    """Device pixels of the area that a picture fills.

    Where columns of different kinds take turns, each is `stripe` pixels wide, at least. A second
    panel may have another width, which is `beside`; 0 for the same. With `ranges`, the numbers of
    a curve that stand for many positions have their least and greatest beside them: those of all
    positions if there are at most so many, else proven bounds.
    """

    width: int
    height: int
    stripe: int = 1
    beside: int = 0
    ranges: int = 0

    @property
    def second(self) -> Size:
        """The size of the second panel."""
        return replace(self, width=self.beside or self.width)


class Room(NamedTuple):
    """The room that a page has for a figure."""

    panels: tuple[Size, ...]  # device pixels of each panel, or of the clocks
    ratio: float = 1.0  # device pixels to a pixel of the screen
    text: float = 0.0  # height of the lines of text below a clock, in pixels of the screen
    clocks: tuple[int, ...] = ()  # the pairs whose clocks are drawn; empty for those on the screen


def size_of_all(panels: Sequence[Size]) -> Size:
    """Return the size of one panel or two, with the least height of both; of more, the least."""
    first, *others = panels
    beside = others[0].width if others else 0
    if len(others) > 1:
        beside = min(size.width for size in panels)
        first = replace(first, width=beside)
    return replace(first, height=min(size.height for size in panels), beside=beside)


def spread(count: int, pixels: int) -> tuple[int, int]:
    """Return (block, rows): how many positions a pixel stands for, and how many such there are."""
    block = -(-count // max(1, pixels))
    return block, -(-count // block)


def nearest_pixel(place: float) -> int:
    """Return the pixel nearest to a place; the higher one of two as near."""
    return math.floor(place + HALF)


def edges_down(cells: int, low: float, high: float) -> Ints:
    """Return where equal cells from `low` to `high` begin and end, each at the nearest pixel."""
    places: Floats = np.linspace(low, high, cells + 1)
    return np.floor(places + HALF).astype(np.int64)


def edges_across(cells: int, low: float, high: float) -> Ints:
    """Return where equal cells from `low` to `high` begin and end, in whole pixels.

    Cells that are made for single pixels have one each, though rounding may leave a few more
    pixels or fewer than cells: at the right end, where it does not show.
    """
    edges = edges_down(cells, low, high)
    first, last = edges[0], edges[-1]
    if abs(last - first - cells) <= cells // _CELLS_PER_SPARE:
        edges[:-1] = first + np.minimum(np.arange(cells), last - first)
    return edges


def colour_indices(values: npt.NDArray[Any], limits: tuple[float, float]) -> npt.NDArray[np.uint8]:
    """Return the colour index of every value: the one gate before arrays reach Qt.

    0 is the lower limit, 254 the upper; what is not finite is `NO_VALUE`. The answer is
    2-D, C-contiguous and of bytes, whatever comes in.
    """
    table = np.atleast_2d(np.asarray(values))
    indices = np.empty(table.shape, dtype=np.uint8)
    (low, high), exponent = limits, 0
    scale = 254 / ((high - low) or 1.0)
    if not scale or math.isinf(scale):  # the scale over- or underflows
        exponent = math.frexp(max(abs(low), abs(high)))[1] + 1
        low, high = math.ldexp(low, -exponent), math.ldexp(high, -exponent)
        scale = 254 / (high - low)
    step = max(1, _CHUNK // max(1, table.shape[1]))
    for first in range(0, len(table), step):
        part = slice(first, first + step)
        numbers = np.asarray(table[part], dtype=np.float64)
        if exponent:
            numbers = np.ldexp(numbers, -exponent)
        with np.errstate(invalid="ignore", over="ignore"):
            scaled = (numbers - low) * scale
            np.maximum(scaled, 0, out=scaled)
            np.minimum(scaled, 254, out=scaled)
            scaled += 0.5
            indices[part] = scaled.astype(np.uint8)
        np.copyto(indices[part], NO_VALUE, where=~np.isfinite(numbers))
    return indices
