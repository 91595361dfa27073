"""Clocks in a figure: circles, points in the order of positions, labels, and optional hands."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import numpy.typing as npt

from pe_explorer.arrays import Floats
from pe_explorer.figures._bar import NO_COLOURS, Bar, order_bar, order_colours, placed_bar
from pe_explorer.figures._data import Inside
from pe_explorer.figures._look import ASCENT, GAP, LINE, PIXEL, Look, filled
from pe_explorer.figures.page import Circle, ClockPoints, Dots, Item, PageText, Polyline
from pe_explorer.figures.style import Style
from pe_explorer.pictures.clock_face import Face, arrange
from pe_explorer.pictures.clock_pixels import drawing_order
from pe_explorer.pictures.clock_texts import count_text, wave_texts
from pe_explorer.pictures.figure import Rectangle, whole_numbers

_TICK_START = 0.88  # radius at which ticks start, relative to the circle
_RIM, _ZERO, _HAND = 0.75, 1.2, 1.2  # line widths in screen pixels
_LEAST_SIDE = 4.0  # minimum side of a legible clock without its label, in font sizes
_HIDDEN = 0.3  # fraction of their radius within which points hide each other
_SPARE = 0.6  # free width beside a label, in font sizes
_UNIT = " turns"
_UNKNOWN_AXIS = whole_numbers("position", 0, 100)


def clock_scale(style: Style) -> tuple[float, float]:
    """Return the points per screen pixel, and the height of a label in screen pixels.

    A label has an additional line with the turns if the style shows the cursor.
    """
    lines = 2 if style.cursor == "show" else 1
    return PIXEL * style.text_size, math.ceil((GAP + lines * LINE) / PIXEL)


def least_height(look: Look) -> float:
    """Return the minimum height of an area for clocks with their labels."""
    return (_LEAST_SIDE + GAP + LINE) * look.size


def room_factor(face: Face | None, area: Rectangle, look: Look) -> float:
    """Return the size of clocks relative to the smallest legible size.

    Before the clocks are computed, assume the clocks that the style lists, or one clock.
    """
    size, pixel = look.size, PIXEL * look.size
    numbers: Sequence[int] = look.style.clocks or (0,)
    _, text = clock_scale(look.style)
    if face is not None:
        numbers = face.grid.numbers
        if not look.style.clocks:
            numbers = (max(numbers),)
    widest = look.width(str(max(numbers))) / size + _SPARE
    grid = arrange(
        max(numbers) + 1, area.width / pixel, area.height / pixel, text, 1.0, 0, clocks=numbers
    )
    width = grid.width * pixel / (max(_LEAST_SIDE, widest) * size)
    height = (grid.height - text) * pixel / (_LEAST_SIDE * size)
    return min(width, height)


def bar_of_order(face: Face | None, area: Rectangle, look: Look) -> Bar | None:
    """Return the colour bar of the positions, or None if the style hides the bar."""
    if not look.style.colour_bar:
        return None
    look = look.of_bars
    if face is None:
        return placed_bar(area, _UNKNOWN_AXIS, NO_COLOURS, look)
    return order_bar(area, face.counted, look)


def draw_clocks(face: Face, area: Rectangle, look: Look) -> Inside:
    """Return the items of clocks that fill an area: circles, labels, points and hands."""
    pixel = PIXEL * look.size
    face = _filling(area.width / pixel, area.height / pixel, face)
    grid = face.grid
    device = pixel / grid.ratio  # one pixel of the image, so that circles and points align
    corner = np.rint(np.array([area.left, area.top]) / device) * device
    place = Rectangle(float(corner[0]), float(corner[1]), area.width, area.height)
    centres = corner + pixel * np.array(grid.centres)
    radius, rim = grid.radius * pixel, _RIM * pixel
    background: list[Item] = [Circle(x, y, radius, look.colours.muted, rim) for x, y in centres]
    background += [*_rim_ticks(face, centres, pixel, look), *_labels(face, centres, pixel, look)]
    hands: list[Item] = []
    if look.style.cursor == "show":
        hands += [*_hands(face, centres, pixel, look), *_turns(face, centres, pixel, look)]
        if face.marked is not None:
            background.insert(0, _frame(face, face.marked, corner, pixel, look))
    points = ClockPoints(
        face, order_colours(look), place, pixel, partial(_dots, face, centres, pixel, look)
    )
    return Inside(tuple(background), (points,), tuple(hands))


def _filling(width: float, height: float, face: Face) -> Face:
    before = face.grid
    grid = replace(before, width=width / before.columns, height=height / before.rows)
    factor = grid.radius / before.radius
    return face._replace(grid=grid, x=face.x * factor, y=face.y * factor)


def _direction(face: Face, turn: float) -> Floats:
    angle = 2 * math.pi * turn
    x = math.cos(angle)
    y = -math.sin(angle)
    if face.clockwise:
        x, y = -y, -x
    return np.array((x, y))


def _rim_ticks(face: Face, centres: Floats, pixel: float, look: Look) -> Iterator[Polyline]:
    grid, shades = face.grid, look.colours
    for quarters, inner, outer, colour, width in (
        ((1, 2, 3), _TICK_START * grid.radius, grid.radius, shades.muted, _RIM),
        ((0,), grid.radius + grid.dot + 0.5, grid.outer, shades.text, _ZERO),
    ):
        ways = pixel * np.array([_direction(face, quarter / 4) for quarter in quarters])
        lines = np.full((len(centres), len(ways), 3, 2), np.nan)  # two ends and a gap for each line
        lines[:, :, 0] = centres[:, None] + inner * ways
        lines[:, :, 1] = centres[:, None] + outer * ways
        yield Polyline(lines.reshape(-1, 2), colour, width * pixel)


def _dots(face: Face, centres: Floats, pixel: float, look: Look) -> Iterator[Dots]:
    table = order_colours(look)
    last = len(table) - 1
    order = drawing_order(len(face.order))
    places = np.rint(face.order[order] * last).astype(np.int64)
    colours = table[places]
    scale = pixel / face.grid.ratio
    radius = face.grid.dot * pixel
    clocks = np.stack([face.x[order].T, face.y[order].T], axis=-1)
    bins = math.ceil(2 * math.pi * face.grid.radius / (_HIDDEN * face.grid.dot))
    for centre, points in zip(centres, clocks, strict=True):
        visible = _topmost(points, bins)
        yield Dots(centre + scale * points[visible], radius, colours[visible])


def _topmost(points: npt.NDArray[np.float32], bins: int) -> npt.NDArray[np.int64]:
    if len(points) <= bins:
        return np.arange(len(points))
    across, down = points.T
    part = np.arctan2(down, across) * (bins / (2 * np.pi))
    _, from_last = np.unique(np.floor(part)[::-1], return_index=True)
    return np.sort(len(points) - 1 - from_last)


def _hands(face: Face, centres: Floats, pixel: float, look: Look) -> Iterator[Item]:
    grid, colour = face.grid, look.colours.cursor
    ring = (grid.dot + 1.5) * pixel
    radius = grid.radius * pixel
    for centre, turn in zip(centres, face.hands, strict=False):
        way = _direction(face, turn)
        hand = np.array([centre, centre + (radius - ring) * way])
        yield Polyline(hand, colour, _HAND * pixel)
        x, y = centre + way * radius
        yield Circle(x, y, ring, colour, pixel)


def longest_turns(width: Callable[[str], float], room: float) -> int:
    """Return the maximum number of characters of the turns below a clock; `width` measures text."""
    return int((room - width(_UNIT)) / width("0")) + len(_UNIT)


def _turns(face: Face, centres: Floats, pixel: float, look: Look) -> Iterator[PageText]:
    offset = face.grid.outer * pixel + (GAP + LINE + ASCENT) * look.size
    longest = longest_turns(look.width, face.grid.width * pixel - _SPARE * look.size)
    for (x, y), turns, part in zip(centres, face.turns, face.hands, strict=False):
        text = look.text(count_text(turns, part, longest), x, y + offset, "middle")
        yield text._replace(colour=look.colours.muted)


def _frame(face: Face, clock: int, corner: Floats, pixel: float, look: Look) -> Polyline:
    left, top, width, height = face.grid.cell(clock)
    x, y = corner[0] + pixel * left, corner[1] + pixel * top
    place = Rectangle(x, y, pixel * width, pixel * height)
    frame = filled(place, look.colours.raised)
    return frame._replace(colour=look.colours.accent, width=_ZERO * pixel)


def _labels(face: Face, centres: Floats, pixel: float, look: Look) -> Iterator[PageText]:
    if "names" in look.style.hide:
        return
    offset = face.grid.outer * pixel + (GAP + ASCENT) * look.size
    room = face.grid.width * pixel - _SPARE * look.size
    # Measuring all labels takes longer than drawing them.
    fitting = (labels for labels in wave_texts(face) if look.width(max(labels, key=len)) <= room)
    labels = next(fitting, None) or map(str, face.grid.numbers)
    for (x, y), label in zip(centres, labels, strict=True):
        yield look.text(label, x, y + offset, "middle")
