"""A page that is laid out: lines, texts, circles and images, each at its place in points.

The painter of pictures, the writer of SVG files and the preview all draw the same page, so that
they cannot differ. A point is 1/72 inch; x grows to the right and y downwards.
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
"""Returns the width of a text in a font of so many points, in points."""

RAISED_SIZE, RAISED_HEIGHT = 0.7, 0.38
"""Size and height of raised text, in font sizes."""

_RAISED_PART = re.compile(r"\^\{([^{}]*)\}")


class Typeset(str):
    """A text of the program's own, in which ``^{15}`` raises what is in the braces.

    Any other text is shown as it is: it may be a title that somebody has typed.
    """

    __slots__ = ()


def pieces(text: str) -> list[tuple[str, bool]]:
    """Return the parts of a text, and whether each is raised; only a `Typeset` one has such."""
    if not isinstance(text, Typeset):
        return [(text, False)] if text else []
    split = _RAISED_PART.split(text)
    found = ((part, place % 2 == 1) for place, part in enumerate(split))
    return [(part, raised) for part, raised in found if part]


_ANCHOR_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}


class Source(NamedTuple):
    """What a line of text belongs to: a title or a name that can be replaced.

    Attributes
    ----------
    key : str
        What a style replaces it by: the name itself, or which title of which panel it is.
    text : str
        The whole of it as it is shown.
    """

    key: str
    text: str


class PageText(NamedTuple):
    """A line of text.

    Attributes
    ----------
    text : str
        Shown as it is, unless it is a `Typeset` one.
    x, y : float
        Where the text begins, is centred or ends; on its base line.
    size : float
        Of the font.
    colour : str
        Such as ``#202020``.
    anchor : str
        ``start``, ``middle`` or ``end``: which part of the text lies at `x`.
    upward : bool
        Whether it is written from below to above, as beside a vertical axis.
    bold : bool
    source : Source or None
        None for a text that nobody can replace.
    """

    text: str
    x: float
    y: float
    size: float
    colour: str
    anchor: str = "start"
    upward: bool = False
    bold: bool = False
    source: Source | None = None

    @property
    def before(self) -> float:
        """The part of its width that is before `x`, from 0 to 1."""
        return _ANCHOR_SHARES[self.anchor]


class Polyline(NamedTuple):
    """A line through points.

    Attributes
    ----------
    points : (n, 2) float64
        Where a number is nan, there is a gap.
    colour : str
    width : float
    dashes : tuple of float
        Lengths drawn and left out in turn; empty for an unbroken line.
    clip : Rectangle or None
        Nothing is drawn outside.
    fill : str
        The colour inside a closed line; empty for none.
    rule : bool
        Whether it is a frame or a tick, which is a whole number of pixels wide in a picture.
    source : Source or None
        The name of the curve that it is.
    """

    points: Floats
    colour: str
    width: float
    dashes: tuple[float, ...] = ()
    clip: Rectangle | None = None
    fill: str = ""
    rule: bool = False
    source: Source | None = None


class Circle(NamedTuple):
    """A circle: its rim if `width` is more than 0, its inside if `fill` is not empty."""

    x: float
    y: float
    radius: float
    colour: str = ""
    width: float = 0.0
    fill: str = ""


class Dots(NamedTuple):
    """Many small discs of the same size, drawn in their order.

    Attributes
    ----------
    centres : (n, 2) float64
    radius : float
    colours : (n, 3) uint8
        Red, green and blue of each.
    """

    centres: Floats
    radius: float
    colours: npt.NDArray[np.uint8]


class ClockPoints(NamedTuple):
    """The points of a page of clocks: an image computes its pixels, because there are many points.

    Attributes
    ----------
    face : Face
        They fill `place`.
    colours : (n, 3) uint8
        From the first to the last in the order.
    place : Rectangle
    pixel : float
        A pixel of the screen, in points.
    discs : callable
        Yields the same points as `Dots`, one for each clock, for files that are not images.
    """

    face: Face
    colours: npt.NDArray[np.uint8]
    place: Rectangle
    pixel: float
    discs: Callable[[], Iterator[Dots]]


class PageImage(NamedTuple):
    """Equal cells, each of one colour, that fill a place.

    Attributes
    ----------
    cells : (rows, columns) uint8, or (rows, columns, 4) uint8
        Places in the table of colours, or else red, green, blue and opacity, not multiplied; the
        first row is the upper one. Whoever draws it scales it without mixing neighbours.
    place : Rectangle
    colours : (256, 4) uint8 or None
        The table: red, green, blue and opacity of each place.
    clip : Rectangle or None
        Nothing is drawn outside.
    """

    cells: npt.NDArray[np.uint8]
    place: Rectangle
    colours: npt.NDArray[np.uint8] | None = None
    clip: Rectangle | None = None

    @property
    def rgba(self) -> npt.NDArray[np.uint8]:
        """Red, green, blue and opacity of each cell, shape (rows, columns, 4)."""
        return self.cells if self.colours is None else self.colours.take(self.cells, axis=0)


Item = PageText | Polyline | Circle | Dots | ClockPoints | PageImage


class PagePart(NamedTuple):
    """A part of a page that can be changed on its own, and where it is.

    `kind` is ``x``, ``y`` or ``bar`` for an axis or a colour bar with its numbers and title,
    ``curve``, ``name`` of anything else, ``table``, or ``panel``, what is inside axes or has none.
    """

    kind: str
    source: Source  # its title or name
    place: Rectangle
    figure: int = 0  # which of the figures of a plate it belongs to
    panel: str = ""  # the name of its panel, empty where it belongs to no single one
    line: Floats | None = None  # the points of a curve from left to right
    words: tuple[str, ...] = ()  # what a style can hide of it

    def reaches(self, x: float, y: float, reach: float) -> bool:
        """Return whether it is at a point, or its line is no further than `reach` from it."""
        left, top, right, bottom = *self.place[:2], self.place.right, self.place.bottom
        if self.line is None or not (left <= x <= right and top <= y <= bottom):
            return left <= x <= right and top <= y <= bottom
        across, down = self.line.T
        between = np.interp([x - reach, x, x + reach], across, down, left=np.nan, right=np.nan)
        near = np.append(between, down[np.abs(across - x) <= reach])
        return bool(np.fmin.reduce(near) - reach <= y <= np.fmax.reduce(near) + reach)


class Page(NamedTuple):
    """A whole figure, in the order in which it is drawn.

    Attributes
    ----------
    width, height : float
    ground : str
        The colour behind all; empty for a transparent one.
    items : tuple of Item
    font : str
        The family of all texts.
    title : str
        What the figure is called in the properties of its file.
    note : str
        A sentence about what is left out for want of room; empty where nothing is.
    parts : tuple of PagePart
        Where several lie above each other, the uppermost comes first.
    """

    width: float
    height: float
    ground: str
    items: tuple[Item, ...]
    font: str
    title: str = ""
    note: str = ""
    parts: tuple[PagePart, ...] = ()
