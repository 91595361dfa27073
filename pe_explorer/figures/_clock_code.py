"""Clocks as lines of a script for matplotlib."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from pe_explorer.colours.maps import ORDER_MAP, TOO_DARK
from pe_explorer.colours.themes import DARK, Colours
from pe_explorer.figures._code_text import LETTER, AxisCode, Name, array_lines, call
from pe_explorer.figures.style import Style
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_texts import wave_texts
from pe_explorer.pictures.figure import whole_numbers

__all__ = ["bar_of_order", "clock_lines", "order_map_lines"]

Floats = npt.NDArray[np.float64]

_SAME = 1e-4  # of the radius: how near the plain formula must come to the exact points
_WIDEST = 96  # characters of a line
_INDENT = 4 * " "

_CLOCK = """\
    ax.add_patch(plt.Circle((0, 0), 1, fill=False, color={muted!r}, linewidth=0.6, zorder=0))
    for a, b in ((1, 0), (0, 1), (-1, 0), (0, -1)):
        ax.plot([0.88 * a, a], [0.88 * b, b], color={muted!r}, linewidth=0.6, zorder=0)
    ax.plot({zero}, color={text!r}, linewidth=0.9)
    dots = ax.scatter(
        x[:, clock], y[:, clock], s={area}, c=order, cmap=colours, vmin={low!r}, vmax={high!r}
    )
    ax.set(xlim=(-1.25, 1.25), ylim=(-1.25, 1.25), aspect="equal")
"""
"""What is drawn of each clock: the rim, its ticks, that of the angle 0 outside, and the points."""

_MARKED = """\
    if clock == {clock}:
        look = dict(facecolor={raised!r}, edgecolor={accent!r}, linewidth=0.9)
        ax.add_patch(plt.Rectangle((0, 0), 1, 1, transform=ax.transAxes, zorder=0, **look))
"""

_HAND = """\
    hand = dict(color={cursor!r}, linewidth=0.9, marker="o", markevery=[1], fillstyle="none")
    ax.plot([0, np.{across}(hands[clock])], [0, np.{up}(hands[clock])], **hand)
"""


def clock_lines(face: Face, style: Style, colours: Colours, width: float) -> Iterator[str]:
    """Yield lines that draw a page of clocks into `figure`, which is so many points wide."""
    bar = AxisCode(whole_numbers(*face.counted), labelled=style.labels)
    yield from _points(face)
    yield from _order(face, bar)
    yield from order_map_lines(colours)
    if style.cursor == "show":
        yield from _exact("hands", 2 * np.pi * np.array(face.hands))
    if style.labels:
        yield from ("", "labels = [")
        for text in _label_texts(face, style, width):
            yield f"    {text!r},"
        yield "]"
    rows, columns, shown = face.grid.rows, face.grid.columns, face.grid.shown
    yield f"figure, axes = plt.subplots({rows}, {columns}, squeeze=False)"
    yield "for ax in axes.flat:"
    yield '    ax.axis("off")'
    yield f"for clock, ax in enumerate(axes.flat[:{shown}]):"
    yield from _clock(face, style, colours, bar)
    if style.colour_bar:
        yield bar_of_order(bar, "axes")


def bar_of_order(bar: AxisCode, axes: str) -> str:
    """Return a line that adds the colour bar of `dots` to some axes."""
    options: dict[str, Any] = {"label": bar.title} if bar.title else {}
    if bar.is_whole:
        options["ticks"] = Name("MaxNLocator(integer=True, steps=[1, 2, 5, 10])")
    return call("figure.colorbar", Name("dots"), ax=Name(axes), **options)


def _clock(face: Face, style: Style, colours: Colours, bar: AxisCode) -> Iterator[str]:
    """Yield the lines of a loop that draw the clock number `clock` on its axes `ax`."""
    shades = colours._asdict()
    with_cursor = style.cursor == "show"
    if with_cursor and face.marked is not None:
        yield from _MARKED.format(clock=face.marked, **shades).splitlines()
    zero = "[0, 0], [1.1, 1.2]" if face.clockwise else "[1.1, 1.2], [0, 0]"
    low, high = _counted(face, bar)
    area = _dot_area(face)
    clock = _CLOCK.format(zero=zero, area=area, low=low, high=high, **shades)
    yield from clock.splitlines()
    if with_cursor:
        across, up = _directions(face)
        yield from _HAND.format(across=across, up=up, **shades).splitlines()
    if style.labels:
        yield '    ax.text(0, -1.3, labels[clock], ha="center", va="top")'


def _directions(face: Face) -> tuple[str, str]:
    """Return the functions of an angle that lead across and up."""
    return ("sin", "cos") if face.clockwise else ("cos", "sin")


def _dot_area(face: Face) -> float:
    """Return the area of a point on paper, in square points, for a clock of common size."""
    shrink = min(1.0, 40 / max(face.grid.radius, 1.0))
    radius = 0.75 * face.grid.dot * shrink
    return round(np.pi * radius**2, 2)


def _label_texts(face: Face, style: Style, width: float) -> list[str]:
    """Return the longest labels that have about enough room below the clocks."""
    letter = LETTER * style.font_size
    room = width / face.grid.columns / letter
    for texts in wave_texts(face):
        if max(map(len, texts)) <= room:
            return texts
    return [str(number) for number in face.grid.numbers]


# -- numbers -------------------------------------------------------------------------------------


def _points(face: Face) -> Iterator[str]:
    """Yield lines that make `x` and `y`: by the formula where that is close enough."""
    across, up = _directions(face)
    scale = face.grid.radius * face.grid.ratio
    x = face.x.astype(np.float64) / scale
    y = -face.y.astype(np.float64) / scale
    if _is_close(face, x, across) and _is_close(face, y, up):
        yield from _positions(face.positions)
        yield from _exact("frequencies", face.frequencies)
        yield "angles = positions[:, None] * frequencies"
        yield f"x, y = np.{across}(angles), np.{up}(angles)"
    else:
        yield from array_lines("x", x)
        yield from array_lines("y", y)


def _is_close(face: Face, exact: Floats, function: str) -> bool:
    """Return whether a function of plain angles is where the points are."""
    compute = getattr(np, function)
    with np.errstate(over="ignore", invalid="ignore"):
        angles = np.multiply.outer(face.positions.astype(np.float64), face.frequencies)
        error = np.abs(compute(angles) - exact)
    return bool(error.max(initial=0.0) < _SAME)


def _counted(face: Face, bar: AxisCode) -> tuple[float, float]:
    """Return the first and the last position, as the colour bar counts them."""
    *_, count = face.counted
    return bar.at(0), bar.at(count - 1)


def _order(face: Face, bar: AxisCode) -> list[str]:
    """Return lines that make the position of each point, as the colour bar counts them."""
    low, high = _counted(face, bar)
    even = np.linspace(0.0, 1.0, len(face.order))
    if np.abs(face.order - even).max(initial=0.0) < _SAME:
        return [f"order = np.linspace({low!r}, {high!r}, {len(even)})"]
    parts = face.order.astype(np.float64)
    return array_lines("order", low + parts * (high - low))


def order_map_lines(colours: Colours) -> Iterator[str]:
    """Yield lines that make the colours of the points."""
    if colours is not DARK:
        yield f'colours = "{ORDER_MAP}"'
        return
    first = round(TOO_DARK / 255, 4)
    count = 256 - TOO_DARK
    yield f'colours = plt.get_cmap("{ORDER_MAP}")(np.linspace({first}, 1, {count}))'
    yield "colours = ListedColormap(colours)"


def _positions(positions: npt.NDArray[np.int64]) -> list[str]:
    """Return lines that make the positions of the points."""
    first = int(positions[0])
    last = int(positions[-1])
    if last - first == len(positions) - 1:
        return [f"positions = np.arange({first}, {last + 1})"]
    return _exact("positions", positions)


def _exact(name: str, values: npt.NDArray[np.float64] | npt.NDArray[np.int64]) -> list[str]:
    """Return lines that make an array with all digits of its numbers."""
    numbers = " ".join(f"{value!r}," for value in values.tolist())
    lines = textwrap.wrap(numbers, _WIDEST, initial_indent=_INDENT, subsequent_indent=_INDENT)
    return [f"{name} = np.array([", *lines, "])"]
