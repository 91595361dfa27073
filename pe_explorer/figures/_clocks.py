"""Clocks in a figure: circles, points coloured by position, labels, and optional hands."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.figures._bar import NO_COLOURS, Bar, make_order_bar, make_order_colours, place_bar
from pe_explorer.figures._data import InnerItems
from pe_explorer.figures._look import ASCENT, GAP, LINE_HEIGHT, PIXEL_SIZE, Look, make_rectangle
from pe_explorer.figures.page import Circle, ClockPoints, Dots, Item, PageText, Polyline
from pe_explorer.figures.style import Style
from pe_explorer.pictures.clock_face import ClockFaces, arrange
from pe_explorer.pictures.clock_pixels import make_drawing_order
from pe_explorer.pictures.clock_texts import format_count, format_wave_labels
from pe_explorer.pictures.figure import Rectangle, make_whole_axis

_TICK_INNER_RADIUS = 0.88  # inner radius of ticks, relative to the radius of the circle
_RIM_WIDTH, _LINE_WIDTH = 0.75, 1.2  # line widths of rims and of other lines, in screen pixels
_MIN_CLOCK_SIDE = 4.0  # minimum side of a legible clock without its label, in font sizes
_HIDING_DISTANCE = 0.3  # distance within which points hide each other, relative to their radius
_LABEL_MARGIN = 0.6  # horizontal gap between labels, in font sizes
_TURNS_UNIT = " turns"


def compute_clock_scale(style: Style) -> tuple[float, float]:
    """Return the size of a screen pixel in points, and the height of a label in screen pixels."""
    lines = 2 if style.cursor == "show" else 1  # the second line shows the number of turns
    return PIXEL_SIZE * style.text_size, math.ceil((GAP + lines * LINE_HEIGHT) / PIXEL_SIZE)


def compute_min_height(look: Look) -> float:
    """Return the minimum height of an area for clocks with their labels."""
    return (_MIN_CLOCK_SIDE + GAP + LINE_HEIGHT) * look.size


def room_factor(face: ClockFaces | None, area: Rectangle, look: Look) -> float:
    """Return the size of clocks relative to the smallest legible size.

    If `face` is None, assume the clocks listed in the style, or one clock if the list is empty.
    """
    size, pixel = look.size, PIXEL_SIZE * look.size
    numbers: Sequence[int] = look.style.clocks or (0,)
    _, text = compute_clock_scale(look.style)
    if face is not None:
        numbers = face.grid.numbers
        if not look.style.clocks:
            numbers = (max(numbers),)
    max_number = max(numbers)
    label_width = look.width(str(max_number)) / size + _LABEL_MARGIN
    grid = arrange(
        max_number + 1, area.width / pixel, area.height / pixel, text, 1.0, 0, clocks=numbers
    )
    width = grid.width * pixel / (max(_MIN_CLOCK_SIDE, label_width) * size)
    height = (grid.height - text) * pixel / (_MIN_CLOCK_SIDE * size)
    return min(width, height)


def make_clock_bar(face: ClockFaces | None, area: Rectangle, look: Look) -> Bar | None:
    """Return the colour bar of the positions, or None if the style hides the bar."""
    if not look.style.colour_bar:
        return None
    if face is None:
        return place_bar(area, make_whole_axis("position", 0, 100), NO_COLOURS, look.bar_look)
    return make_order_bar(area, face.counted_items, look.bar_look)


def draw_clocks(face: ClockFaces, area: Rectangle, look: Look) -> InnerItems:
    """Return the items for drawing clocks in an area: circles, labels, points and hands."""
    pixel, old_grid = PIXEL_SIZE * look.size, face.grid
    width, height = area.width / pixel, area.height / pixel
    grid = replace(old_grid, width=width / old_grid.columns, height=height / old_grid.rows)
    factor = grid.radius / old_grid.radius
    face = face._replace(grid=grid, x=face.x * factor, y=face.y * factor)
    device = pixel / grid.ratio  # size of an image pixel, to which circles and points are aligned
    corner = np.rint(np.array([area.left, area.top]) / device) * device
    place = Rectangle(float(corner[0]), float(corner[1]), area.width, area.height)
    centres = corner + pixel * np.array(grid.centres)
    radius, rim_width = grid.radius * pixel, _RIM_WIDTH * pixel
    background: list[Item] = [
        Circle(x, y, radius, look.colours.muted, rim_width) for x, y in centres
    ]
    clocks = face, centres, pixel, look
    background += [*_draw_ticks(*clocks), *_draw_labels(*clocks)]
    hands: list[Item] = []
    if look.style.cursor == "show":
        hands += [*_draw_hands(*clocks), *_draw_turns(*clocks)]
        if face.marked_index is not None:
            left, top, width, height = pixel * np.array(grid.cell(face.marked_index))
            cell = Rectangle(corner[0] + left, corner[1] + top, width, height)
            frame = make_rectangle(cell, look.colours.raised_background)
            frame = frame._replace(colour=look.colours.accent, width=_LINE_WIDTH * pixel)
            background.insert(0, frame)
    points = ClockPoints(face, make_order_colours(look), place, pixel, partial(_draw_dots, *clocks))
    return InnerItems(tuple(background), (points,), tuple(hands))


def _compute_direction(face: ClockFaces, turn: float) -> Floats:
    """Convert an angle in turns to a unit vector on the page."""
    angle = 2 * math.pi * turn
    x, y = math.cos(angle), -math.sin(angle)
    if face.is_clockwise:
        x, y = -y, -x
    return np.array((x, y))


def _draw_ticks(face: ClockFaces, centres: Floats, pixel: float, look: Look) -> Iterator[Polyline]:
    grid, colours = face.grid, look.colours
    for turns, start, end, colour, width in (
        (
            (0.25, 0.5, 0.75),
            _TICK_INNER_RADIUS * grid.radius,
            grid.radius,
            colours.muted,
            _RIM_WIDTH,
        ),
        ((0.0,), grid.radius + grid.dot_radius + 0.5, grid.outer_radius, colours.text, _LINE_WIDTH),
    ):
        directions = pixel * np.array([_compute_direction(face, turn) for turn in turns])
        lines = np.full((len(centres), len(turns), 3, 2), np.nan)  # two ends and a gap per tick
        lines[:, :, 0] = centres[:, None] + start * directions
        lines[:, :, 1] = centres[:, None] + end * directions
        yield Polyline(lines.reshape(-1, 2), colour, width * pixel)


def _draw_dots(face: ClockFaces, centres: Floats, pixel: float, look: Look) -> Iterator[Dots]:
    """Yield the visible points of each clock."""
    table, grid = make_order_colours(look), face.grid
    order = make_drawing_order(len(face.order))
    colours = table[np.rint(face.order[order] * (len(table) - 1)).astype(np.int64)]
    clocks = np.stack([face.x[order].T, face.y[order].T], axis=-1)
    bins = math.ceil(2 * math.pi * grid.radius / (_HIDING_DISTANCE * grid.dot_radius))
    for centre, points in zip(centres, clocks, strict=True):
        visible_indices: Any = slice(None)
        if len(points) > bins:  # later points hide earlier points in the same bin of angles
            x, y = points.T
            bin_numbers = np.floor(np.arctan2(y, x) * (bins / (2 * np.pi)))
            _, reversed_indices = np.unique(bin_numbers[::-1], return_index=True)
            visible_indices = np.sort(len(points) - 1 - reversed_indices)
        places = centre + pixel / grid.ratio * points[visible_indices]
        yield Dots(places, grid.dot_radius * pixel, colours[visible_indices])


def _draw_hands(face: ClockFaces, centres: Floats, pixel: float, look: Look) -> Iterator[Item]:
    grid, colour = face.grid, look.colours.cursor
    ring_radius = (grid.dot_radius + 1.5) * pixel
    radius = grid.radius * pixel
    for centre, turn in zip(centres, face.hands, strict=False):
        direction = _compute_direction(face, turn)
        hand = np.array([centre, centre + (radius - ring_radius) * direction])
        yield Polyline(hand, colour, _LINE_WIDTH * pixel)
        x, y = centre + direction * radius
        yield Circle(x, y, ring_radius, colour, pixel)


def find_max_turn_length(width: Callable[[str], float], space: float) -> int:
    """Return the maximum number of characters for the number of turns below a clock.

    `width` measures a string, and `space` is the available width.
    """
    return int((space - width(_TURNS_UNIT)) / width("0")) + len(_TURNS_UNIT)


def _draw_turns(face: ClockFaces, centres: Floats, pixel: float, look: Look) -> Iterator[PageText]:
    offset = face.grid.outer_radius * pixel + (GAP + LINE_HEIGHT + ASCENT) * look.size
    longest = find_max_turn_length(look.width, face.grid.width * pixel - _LABEL_MARGIN * look.size)
    for (x, y), turns, part in zip(centres, face.turns, face.hands, strict=False):
        text = look.text(format_count(turns, part, longest), x, y + offset, "middle")
        yield text._replace(colour=look.colours.muted)


def _draw_labels(face: ClockFaces, centres: Floats, pixel: float, look: Look) -> Iterator[PageText]:
    if "names" in look.style.hide:
        return
    offset = face.grid.outer_radius * pixel + (GAP + ASCENT) * look.size
    space = face.grid.width * pixel - _LABEL_MARGIN * look.size
    for labels in format_wave_labels(face):
        if look.width(max(labels, key=len)) <= space:  # measuring all labels would be slow
            break
    else:
        labels = [*map(str, face.grid.numbers)]
    for (x, y), label in zip(centres, labels, strict=True):
        yield look.text(label, x, y + offset, "middle")
