"""A page after layout: lines, texts, circles and images with their places in points.

All formats and the preview draw the same page, so that their results agree. A point is 1/72 inch; x
grows to the right and y grows downwards.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.figure import Rectangle

Measure = Callable[[str, float], float]
"""Returns the width of a text in points, for a font size in points."""

SUPERSCRIPT_SIZE, SUPERSCRIPT_HEIGHT = 0.7, 0.38
"""Size and height of superscripts, in font sizes."""

_SUPERSCRIPT = re.compile(r"\^\{([^{}]*)\}")
_ANCHOR_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}


class Typeset(str):
    """A text of the program in which ``^{15}`` is a superscript.

    Plain strings are displayed unchanged, because the user may have typed them.
    """

    __slots__ = ()


def pieces(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a text, each with whether it is a superscript.

    Only `Typeset` texts have superscripts.
    """
    if not isinstance(text, Typeset):
        return [(text, False)] if text else []
    parts = enumerate(_SUPERSCRIPT.split(text))
    return [(part, number % 2 == 1) for number, part in parts if part]


class Source(NamedTuple):
    """A title or a name that a style can replace."""

    key: str  # the key among the texts of a style: the name, or the kind of title and its panel
    text: str  # the text before truncation


class PageText(NamedTuple):
    """A line of text, which is displayed unchanged unless it is `Typeset`."""

    text: str
    x: float  # x coordinate of the start, middle or end of the text
    y: float  # y coordinate of the baseline
    size: float  # font size
    colour: str  # hexadecimal, such as #202020
    anchor: str = "start"  # "start", "middle" or "end": the part of the text that lies at `x`
    upward: bool = False  # whether the text is rotated to read upwards, as beside a y axis
    bold: bool = False
    source: Source | None = None  # key for replacing the text; None if it cannot be replaced

    @property
    def left_share(self) -> float:
        """The fraction of the width that is left of `x`, from 0 to 1."""
        return _ANCHOR_SHARES[self.anchor]


class Polyline(NamedTuple):
    """A line through points."""

    points: Floats  # (n, 2) float64; nan leaves a gap
    colour: str
    width: float
    dashes: tuple[float, ...] = ()  # alternating lengths of dashes and gaps; empty for a solid line
    clip: Rectangle | None = None  # clipping rectangle
    fill: str = ""  # fill colour of a closed line; empty if not filled
    is_rule: bool = False  # whether the line is a frame or tick, which has whole pixels in images
    source: Source | None = None  # name of the curve


class Circle(NamedTuple):
    """A circle, with an outline if `width` is positive and filled if `fill` is not empty."""

    x: float
    y: float
    radius: float
    colour: str = ""
    width: float = 0.0
    fill: str = ""


class Dots(NamedTuple):
    """Many small discs of equal size, in drawing order."""

    centres: Floats  # (n, 2) float64
    radius: float
    colours: npt.NDArray[np.uint8]  # (n, 3): red, green and blue


class ClockPoints(NamedTuple):
    """The points of a page of clocks.

    Images compute pixels directly, because there are many points. For other formats, `discs` yields
    the points of each clock as `Dots`.
    """

    face: Face  # the clocks, which fill `place`
    colours: npt.NDArray[np.uint8]  # RGB, shape (n, 3), from the first point to the last
    place: Rectangle
    pixel: float  # size of a screen pixel in points
    discs: Callable[[], Iterator[Dots]]


class PageImage(NamedTuple):
    """Cells of equal size, each with one colour, that fill a rectangle without interpolation."""

    cells: npt.NDArray[np.uint8]
    """Shape (rows, columns): indices into `colours`; or (rows, columns, 4): red, green, blue and
    opacity, not premultiplied. The first row is at the top."""
    place: Rectangle
    colours: npt.NDArray[np.uint8] | None = None  # RGBA, shape (256, 4)
    clip: Rectangle | None = None  # clipping rectangle

    @property
    def rgba(self) -> npt.NDArray[np.uint8]:
        """Red, green, blue and opacity of each cell, shape (rows, columns, 4)."""
        return self.cells if self.colours is None else self.colours.take(self.cells, axis=0)


Item = PageText | Polyline | Circle | Dots | ClockPoints | PageImage


class PagePart(NamedTuple):
    """A part of a page that can be edited separately."""

    kind: str
    """``x``, ``y`` or ``bar`` for an axis or a colour bar with ticks and title; ``curve``; ``name``
    for other names; ``table``; or ``panel`` for the inside of axes or a figure without axes."""
    source: Source  # title or name of the part
    place: Rectangle
    figure: int = 0  # index of the figure on a plate
    panel: str = ""  # name of the panel; empty if the part does not belong to one panel
    line: Floats | None = None  # points of a curve from left to right
    words: tuple[str, ...] = ()  # parts that a style can hide

    def contains(self, x: float, y: float, reach: float) -> bool:
        """Return whether the part contains a point; a line contains points closer than `reach`."""
        place = self.place
        is_inside = place.left <= x <= place.right and place.top <= y <= place.bottom
        if self.line is None or not is_inside:
            return is_inside
        line_x, line_y = self.line.T
        heights = np.interp([x - reach, x, x + reach], line_x, line_y, left=np.nan, right=np.nan)
        heights = np.append(heights, line_y[np.abs(line_x - x) <= reach])
        return bool(np.fmin.reduce(heights) - reach <= y <= np.fmax.reduce(heights) + reach)


class Page(NamedTuple):
    """A complete figure, with its items in drawing order."""

    width: float
    height: float
    ground: str  # background colour; empty if transparent
    items: tuple[Item, ...]
    font: str  # font family of all texts
    title: str = ""  # title in the metadata of the file
    note: str = ""  # sentence about parts that do not fit; empty if all parts fit
    parts: tuple[PagePart, ...] = ()  # parts in stacking order, the uppermost first
