"""Clocks as statements of matplotlib: all on one pair of axes, where each has the radius 1."""

from collections.abc import Iterator
from textwrap import indent

import numpy as np

from pe_explorer.figures._clocks import draw_clocks
from pe_explorer.figures._code_text import Array, AxisCode, Statement, call, wrapped
from pe_explorer.figures._page_code import PageCode, of_kind
from pe_explorer.figures.page import Circle, Dots, PageText, Polyline
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_pixels import drawing_order
from pe_explorer.pictures.figure import Rectangle, whole_numbers

_SAME = 1e-4  # largest error of the plain formula, relative to the radius
_TICKS = 4  # of each clock
_RIMS = """\
turn = np.linspace(0, 2 * np.pi, 97)
for clock, (right, down) in enumerate(centres):
    ax.plot(right + np.sin(turn), down + np.cos(turn), color={!r}, linewidth={})"""
_TICK = "    ax.plot(right + np.array({}), down + np.array({}), color={!r}, linewidth={})"
_HAND = """\
    across, up = np.{0}(hands[clock]), np.{1}(hands[clock])
    ax.plot([right, right + {2} * across], [down, down - {2} * up], color={3!r}, linewidth={4})
    {5}"""


def clock_statements(face: Face, area: Rectangle, page: PageCode) -> Iterator[Statement]:
    """Yield what draws a page of clocks that fills an area."""
    items = list(draw_clocks(face, area, page.look))
    lines, circles = of_kind(items, Polyline), of_kind(items, Circle)
    rims, rings = circles[: face.grid.shown], circles[face.grid.shown :]
    radius, corner = rims[0].radius, np.array([area.left, area.top])
    if lines[0].fill:
        yield page.rectangle(lines.pop(0), zorder=-1)
    yield call("ax = figure.add_axes", page.box(area))
    yield 'ax.axis("off")'
    yield call("ax.set", xlim=(0, area.width / radius), ylim=(area.height / radius, 0))
    centres = (np.array([(rim.x, rim.y) for rim in rims]) - corner) / radius
    yield Array("centres", centres)
    yield from _points(face)
    yield page.order_colours()
    loop = [_RIMS.format(rims[0].colour, round(rims[0].width, 3))]
    for line in lines[:_TICKS]:
        ends = np.round((line.points[:2] - corner) / radius - centres[0], 4)
        loop.append(_TICK.format(*ends.T.tolist(), line.colour, round(line.width, 3)))
    dot = of_kind(items, Dots)[0].radius
    dots = page.dots("right + x[:, clock]", "down - y[:, clock]", dot, face.counted)
    loop.append(indent(dots, "    "))
    if rings:
        yield Array("hands", 2 * np.pi * np.array(face.hands))
        hand, reach = lines[_TICKS], round(1 - rings[0].radius / radius, 4)
        ring = page.ring("right + across", "down - up", rings[0])
        look = reach, hand.colour, round(hand.width, 3), ring
        loop.append(_HAND.format(*_directions(face), *look))
    yield "\n".join(loop)
    yield from page.items(of_kind(items, PageText))


def _directions(face: Face) -> tuple[str, str]:
    """Return the functions of an angle that lead across and up."""
    return ("sin", "cos") if face.clockwise else ("cos", "sin")


def _points(face: Face) -> Iterator[Statement]:
    """Yield `x`, `y` and `order` of the points: by the formula where that is close enough."""
    scale, (right, up) = face.grid.radius * face.grid.ratio, _directions(face)
    x = face.x.astype(np.float64) / scale
    y = -face.y.astype(np.float64) / scale
    with np.errstate(over="ignore", invalid="ignore"):
        angles = np.multiply.outer(face.positions.astype(np.float64), face.frequencies)
        computed = {"sin": np.sin(angles), "cos": np.cos(angles)}
        off = np.abs(computed[right] - x) + np.abs(computed[up] - y)
    is_close = off.max(initial=0.0) < _SAME
    yield Array("x", x, code=f"{_angles(face)}\nx = np.{right}(angles)" if is_close else "")
    yield Array("y", y, code=f"y = np.{up}(angles)" if is_close else "")
    _, first, _ = face.counted
    numbers = (face.positions - first).astype(np.float64)
    yield Array("order", AxisCode(whole_numbers(*face.counted)).all_at(numbers))
    above = drawing_order(len(face.order))
    if not isinstance(above, slice):
        yield f"above = np.arange({len(above)}) * {above[1]} % {len(above)}  # many are mixed"
        yield "x, y, order = x[above], y[above], order[above]"


def _angles(face: Face) -> str:
    """Return lines that make the plain angles of all points."""
    first, last = face.positions[[0, -1]].tolist()
    numbers = f"np.arange({first}, {last + 1})"
    if last - first != len(face.positions) - 1:
        numbers = f"np.array([\n{wrapped(str(face.positions.tolist())[1:-1], '    ')},\n])"
    frequencies = wrapped(str(face.frequencies.tolist())[1:-1], "    ")
    return (
        f"positions = {numbers}\nfrequencies = np.array([\n{frequencies},\n])\n"
        "angles = positions[:, None] * frequencies"
    )
