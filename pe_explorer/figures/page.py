"""A page after layout: lines, texts, circles and images with their positions in points.

All formats and the preview draw the same page, so that their results agree. A point is
1/72 inch; x grows to the right and y grows downwards.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.pictures.clock_face import ClockFaces
from pe_explorer.pictures.figure import Rectangle

Measure = Callable[[str, float], float]
"""A function that returns the width of a string in points, for a font size in points."""

SUPERSCRIPT_SIZE, SUPERSCRIPT_HEIGHT = 0.7, 0.38
"""Size of superscripts, and their height above the baseline, in font sizes."""

_SUPERSCRIPT_PATTERN = re.compile(r"\^\{([^{}]*)\}")
_ANCHOR_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}


class TypesetText(str):
    """A string in which ``^{15}`` is a superscript.

    Plain strings are displayed unchanged, because the user may have typed them.
    """

    __slots__ = ()


def split_superscripts(text: str) -> list[tuple[str, bool]]:
    """Split a string into parts, each with a flag that is True for superscripts.

    Only `TypesetText` texts have superscripts.
    """
    if not isinstance(text, TypesetText):
        return [(text, False)] if text else []
    parts = enumerate(_SUPERSCRIPT_PATTERN.split(text))
    return [(part, number % 2 == 1) for number, part in parts if part]


class Source(NamedTuple):
    """A title or a name that a style can replace."""

    key: str  # key in the texts of a style: the name, or the panel and kind of a title
    text: str  # the text before truncation


class PageText(NamedTuple):
    """A line of text, which is displayed unchanged unless it is `TypesetText`."""

    text: str
    x: float  # x coordinate of the start, middle or end of the text
    y: float  # y coordinate of the baseline
    size: float  # font size in points
    colour: str  # hexadecimal, such as #202020
    anchor: str = "start"  # "start", "middle" or "end": the part of the text that lies at `x`
    is_upward: bool = False  # whether the text is rotated to read upwards, as beside a y axis
    is_bold: bool = False
    source: Source | None = None  # key and original text; None if a style cannot replace the text

    @property
    def left_share(self) -> float:
        """The fraction of the width that is left of `x`, from 0 to 1."""
        return _ANCHOR_SHARES[self.anchor]


class Polyline(NamedTuple):
    """A line through points."""

    points: Floats  # shape (n, 2); NaN interrupts the line
    colour: str
    width: float
    dashes: tuple[float, ...] = ()  # alternating lengths of dashes and gaps; empty for a solid line
    clip: Rectangle | None = None  # clipping rectangle, if any
    fill: str = ""  # fill colour of a closed line; empty if not filled
    is_rule: bool = False  # whether the line is a frame or tick, which images align to whole pixels
    source: Source | None = None  # name of the curve, if any


class Circle(NamedTuple):
    """A circle, outlined if `width` is positive, and filled if `fill` is not empty."""

    x: float
    y: float
    radius: float
    colour: str = ""
    width: float = 0.0
    fill: str = ""


class Dots(NamedTuple):
    """Many small discs of equal size, in drawing order."""

    centres: Floats  # shape (n, 2)
    radius: float
    colours: npt.NDArray[np.uint8]  # RGB, shape (n, 3)


class ClockPoints(NamedTuple):
    """The points of all clocks in a figure.

    Raster images compute their pixels directly, because there are many points. For vector
    formats, `make_discs` yields the points of each clock as `Dots`.
    """

    face: ClockFaces  # the clocks, which fill `place`
    colours: npt.NDArray[np.uint8]  # RGB, shape (n, 3), from the first point to the last
    place: Rectangle
    pixel: float  # size of a screen pixel in points
    make_discs: Callable[[], Iterator[Dots]]


class PageImage(NamedTuple):
    """Cells of equal size, each with one colour, that fill a rectangle without interpolation."""

    cells: npt.NDArray[np.uint8]
    """Indices into `colours`, shape (rows, columns), or RGBA values that are not
    premultiplied, shape (rows, columns, 4). The first row is at the top."""
    place: Rectangle
    colours: npt.NDArray[np.uint8] | None = None  # RGBA, shape (256, 4); None if `cells` is RGBA
    clip: Rectangle | None = None  # clipping rectangle, if any

    @property
    def rgba(self) -> npt.NDArray[np.uint8]:
        """Red, green, blue and opacity of each cell, shape (rows, columns, 4)."""
        return self.cells if self.colours is None else self.colours.take(self.cells, axis=0)


Item = PageText | Polyline | Circle | Dots | ClockPoints | PageImage


class PagePart(NamedTuple):
    """A part of a page that can be edited separately."""

    kind: str
    """The kind of part: ``x``, ``y``, ``bar``, ``curve``, ``name``, ``table`` or ``panel``.

    The kinds ``x``, ``y`` and ``bar`` are axes and colour bars with their ticks and titles.
    The kind ``name`` is a name other than a title, and ``panel`` is the area inside axes or
    a figure without axes."""
    source: Source  # title or name of the part
    place: Rectangle
    figure: int = 0  # index of the figure on a plate
    panel: str = ""  # name of the panel; empty if the part does not belong to one panel
    line: Floats | None = None  # points of a curve from left to right; None for other parts
    words: tuple[str, ...] = ()  # words for the parts that a style can hide

    def contains(self, x: float, y: float, reach: float) -> bool:
        """Return whether the part contains a point; a line also contains points within `reach`."""
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
