"""The names of curves: in the emptiest corner of their panel, or in rows below it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.figures._data import points_of
from pe_explorer.figures._look import ASCENT, BASE, GAP, LINE, Look, border
from pe_explorer.figures.page import Item, Line, Text
from pe_explorer.pictures.figure import Curve, Panel, Rectangle

__all__ = ["Legend", "draw_legend", "legend_below", "legend_inside"]

Floats = npt.NDArray[np.float64]

_STROKE = 1.6  # the piece of curve beside a name, in font sizes
_APART = 1.0  # of two names in a row, in font sizes
_PAD = 0.4  # between the border and what is inside, in font sizes
_WIDEST, _HIGHEST = 0.65, 0.5  # parts of the area
_STEPS = 256  # places along a curve where the legend looks for it


class _Name(NamedTuple):
    """The lines of a name, where they are from the legend's corner on, and its colour."""

    lines: list[str]
    x: float
    y: float
    colour: str
    drawn: bool


class Legend(NamedTuple):
    """A legend with its place on the page; `framed` inside a panel."""

    names: list[_Name]
    place: Rectangle
    framed: bool


def _forms(curve: Curve) -> tuple[str, ...]:
    """Return what a curve is called, longer and shorter."""
    brief = curve.name
    if curve.brief and not curve.brief.endswith("…"):  # a printed name is whole
        brief = curve.brief
    if not curve.lack:
        return curve.name, brief
    return f"{curve.name}: {curve.lack}", f"{curve.name}: none", f"{brief}: none"


def legend_below(panel: Panel, room: Rectangle, look: Look) -> Legend:
    """Return a legend in rows at the bottom of a room."""
    size = look.size
    stroke = (_STROKE + GAP) * size
    names: list[_Name] = []
    x = y = 0.0
    height = 0.0  # of the row
    for curve in panel.legend:
        lines = look.fitting_lines(_forms(curve), room.width - stroke, most=1)
        own = stroke + look.widest(tuple(lines))
        if x and x + own > room.width:
            x, y, height = 0.0, y + height, 0.0
        names.append(_Name(lines, x, y, look.shade(curve.colour), curve.visible))
        x += own + _APART * size
        height = max(height, LINE * size * len(lines))
    height += y
    top = room.top + room.height - height
    return Legend(names, Rectangle(room.left, top, room.width, height), framed=False)


def legend_inside(panel: Panel, area: Rectangle, look: Look) -> Legend | None:
    """Return a legend in the emptiest corner; None if it covers a curve and may stand elsewhere."""
    size, forced = look.size, look.style.legend == "inside"
    stroke = (_STROKE + GAP) * size
    room = area.width * _WIDEST - stroke - 2 * _PAD * size
    names: list[_Name] = []
    y = _PAD * size
    for curve in panel.legend:
        lines = look.fitting_lines(_forms(curve), room, most=1)
        names.append(_Name(lines, _PAD * size, y, look.shade(curve.colour), curve.visible))
        y += LINE * size * len(lines)
    widest = max(look.widest(tuple(name.lines)) for name in names)
    width, height = stroke + widest + 2 * _PAD * size, y + _PAD * size
    if width > area.width or height > area.height:
        return None
    if not forced and (height > area.height * _HIGHEST or widest > room):
        return None
    curves = [points_of(curve, panel, area) for curve in panel.curves if curve.visible]
    places = _corners(area, width, height, GAP * size)
    marks = [
        area.left + (mark.x - panel.x.low) / panel.x.length * area.width for mark in panel.marks
    ]
    covered = [_covered(corner, curves) + _crossed(corner, marks) for corner in places]
    if not forced and min(covered):
        return None
    place = places[covered.index(min(covered))]
    return Legend(names, place, framed=True)


def _corners(area: Rectangle, width: float, height: float, gap: float) -> Sequence[Rectangle]:
    """Return the places in the corners of an area, the upper right one first."""
    right = area.left + area.width - width - gap
    low = area.top + area.height - height - gap
    corners = itertools.product((area.top + gap, low), (right, area.left + gap))
    return [Rectangle(x, y, width, height) for y, x in corners]


def _covered(place: Rectangle, curves: Sequence[Floats]) -> int:
    """Return how much of the curves lies in a place or close to it."""
    close = 2.0  # points
    left, right = place.left - close, place.left + place.width + close
    top, bottom = place.top - close, place.top + place.height + close
    across = np.linspace(left, right, _STEPS)
    covered = 0
    for points in curves:
        y = np.interp(across, points[:, 0], points[:, 1], left=np.nan, right=np.nan)
        covered += int(np.count_nonzero((y >= top) & (y <= bottom)))
        inside = (points >= (left, top)) & (points <= (right, bottom))
        covered += int(inside.all(axis=1).any())
    return covered


def _crossed(place: Rectangle, marks: Sequence[float]) -> int:
    """Return how many upright lines cross a place."""
    return sum(place.left <= x <= place.left + place.width for x in marks)


def draw_legend(legend: Legend, look: Look) -> Iterator[Item]:
    """Yield all that is drawn of a legend."""
    size, place = look.size, legend.place
    if legend.framed:
        yield border(place, look.colours.line, look.ground or "#ffffff")
    for name in legend.names:
        left = place.left + name.x
        base = place.top + name.y + (ASCENT + (LINE - 1) / 2) * size
        if name.drawn:
            middle = base - BASE * size
            ends = [(left, middle), (left + _STROKE * size, middle)]
            yield Line(np.array(ends), name.colour, look.style.line_width)
        for number, line in enumerate(name.lines):
            x, y = left + (_STROKE + GAP) * size, base + number * LINE * size
            yield Text(line, x, y, size, look.colours.text)
