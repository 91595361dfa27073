"""A figure that is laid out, drawn by matplotlib: by a script of its own, or at once.

Both run the same statements, and show what an exported file shows. Where the code of an encoding
makes a panel's numbers, a script computes them; other numbers are written into it, as many digits
as can be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from textwrap import indent
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from pe_explorer.figures._clocks import draw_clocks
from pe_explorer.figures._code_text import Array, AxisCode, Statement, call, lines_of, wrapped
from pe_explorer.figures._look import ASCENT, GAP, TICK, Look
from pe_explorer.figures._page_code import PageCode, of_kind
from pe_explorer.figures._panel_code import PanelCode
from pe_explorer.figures._placing import draw_above, draw_below
from pe_explorer.figures.layout import FigureLayout, laid_out
from pe_explorer.figures.page import Circle, Dots, Measure, PageText, Polyline
from pe_explorer.figures.size import POINTS_PER_INCH, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_pixels import drawing_order
from pe_explorer.pictures.figure import Figure, Rectangle, whole_numbers

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

MOST_CHARACTERS = 1_000_000
"""Characters that a script may have."""

_IMPORTS = {
    "LineCollection": "matplotlib.collections",
    "Line2D": "matplotlib.lines",
    "ListedColormap": "matplotlib.colors",
    "Rectangle": "matplotlib.patches",
    "ScalarMappable": "matplotlib.cm",
    "colormaps": "matplotlib",
}  # names that statements use, and their modules
_NUMPY = "import numpy as np"
_NO_PANELS: Mapping[str, str] = MappingProxyType({})
_INCHES = {"mm": " / 25.4", "in": "", "px": " / 96"}  # from the unit of a side


class FigureCodeError(ParameterError):
    """A figure that no script of a reasonable length draws."""

    def __init__(self, fault: str, remedy: str = "") -> None:
        super().__init__("figure", fault, remedy)


class FigureFormula(NamedTuple):
    """Code that computes numbers of a figure.

    Attributes
    ----------
    table : str
        Lines that make the array `table`, with an import of NumPy; empty for none.
    panels : mapping of str to str
        For some panels, by name, an expression of `table`: their cells, or their first curve.
        Lines before it may define what it needs.
    """

    table: str = ""
    panels: Mapping[str, str] = _NO_PANELS


def figure_code(
    figures: Sequence[Figure],
    style: Style,
    size: FigureSize,
    measure: Measure,
    formula: FigureFormula = FigureFormula(),  # noqa: B008 - a constant
    heading: str = "",
) -> str:
    """Return a script for matplotlib that draws figures as they are laid out on one page.

    Parameters
    ----------
    figures : sequence of Figure
    style : Style
    size : FigureSize
    measure : Measure
    formula : Formula
        How some of the numbers are computed.
    heading : str
        What the figure shows, for the first line.

    Raises
    ------
    FigureCodeError
        If there is nothing to draw, or the numbers would be more than `MOST_CHARACTERS` characters.
    NoRoomError
        If there is so little room that it could not be read.
    """
    layout = laid_out(figures, style, size, measure)
    body = list(_statements(layout, size, formula.panels))
    if not any(isinstance(statement, Array) for statement in body):
        note = next((figure.note for figure in figures if figure.note), None)
        sentence = note.sentence if note else "there are no numbers"
        raise FigureCodeError(sentence.rstrip("."), "choose what can be shown")
    text = "\n".join(_script(layout, size, formula, heading, body)) + "\n"
    if len(text) > MOST_CHARACTERS:
        raise FigureCodeError(
            f"its numbers are {len(text):,} characters of code, more than {MOST_CHARACTERS:,}",
            "show fewer positions",
        )
    return text


def drawn(layout: FigureLayout, size: FigureSize) -> MatplotlibFigure:
    """Return a figure of matplotlib that shows a layout."""
    from matplotlib import style
    from matplotlib.figure import Figure as MatplotlibFigure

    names = {name: getattr(import_module(module), name) for name, module in _IMPORTS.items()}
    names["np"] = np
    width, height = (side / POINTS_PER_INCH for side in size.in_points)
    with style.context(["default", _settings(layout.look)]):
        figure = MatplotlibFigure((width, height), dpi=size.dpi(layout.look.style.dpi))
        names["figure"] = figure
        for statement in _statements(layout, size):
            if isinstance(statement, Array):
                names[statement.name] = statement.values
            else:
                exec(statement, names)
    return figure


def _script(
    layout: FigureLayout,
    size: FigureSize,
    formula: FigureFormula,
    heading: str,
    body: Sequence[Statement],
) -> Iterator[str]:
    """Yield the parts of a script."""
    text = "\n".join(line for statement in body for line in lines_of(statement))
    for line in heading.splitlines():
        yield f"# {line}"
    yield "import matplotlib.pyplot as plt"
    yield _NUMPY
    for name, module in _IMPORTS.items():
        if re.search(rf"\b{name}\b", text):
            yield f"from {module} import {name}"
    yield ""
    codes = formula.panels.values()
    if any((code.rpartition("\n")[0] or code) in text for code in codes):
        yield from (line for line in formula.table.splitlines() if line != _NUMPY)
        yield ""
    yield 'plt.style.use("default")'
    yield "plt.rcParams.update({"
    yield from (f"    {name!r}: {value!r}," for name, value in _settings(layout.look).items())
    yield "})"
    inches = ", ".join(f"{side:.10g}{_INCHES[size.unit]}" for side in (size.width, size.height))
    yield f"figure = plt.figure(figsize=({inches}), dpi={size.dpi(layout.look.style.dpi):.10g})"
    yield text
    yield ""
    yield '# figure.savefig("figure.pdf")'
    yield "plt.show()"


def _settings(look: Look) -> dict[str, Any]:
    """Return the settings of matplotlib with which a figure is drawn."""
    colours, size = look.colours, look.size
    rule, tick = round(look.rule_width, 3), round(TICK * size, 3)
    of_texts = "text.color", "axes.labelcolor", "xtick.labelcolor", "ytick.labelcolor"
    of_rules = "axes.linewidth", "xtick.major.width", "ytick.major.width", "hatch.linewidth"
    return {
        "font.family": [look.style.font, "sans-serif"],
        "font.size": size,
        "text.hinting": "none",
        "figure.facecolor": look.ground or "none",
        "axes.facecolor": "none",
        **dict.fromkeys(of_texts, colours.text),
        **dict.fromkeys(("axes.edgecolor", "xtick.color", "ytick.color"), colours.muted),
        **dict.fromkeys(of_rules, rule),
        **dict.fromkeys(("xtick.major.size", "ytick.major.size"), tick),
        "xtick.major.pad": round((GAP + ASCENT) * size, 3),
        "ytick.major.pad": round(GAP * size, 3),
        "grid.color": colours.line,
        "grid.linewidth": rule / 2,
        "lines.linewidth": look.style.line_width,
        "lines.solid_capstyle": "butt",
        "lines.dashed_pattern": [3, 2],
        "lines.scale_dashes": False,
    }


def _statements(
    layout: FigureLayout, size: FigureSize, expressions: Mapping[str, str] = _NO_PANELS
) -> Iterator[Statement]:
    """Yield what draws a page into `figure`; expressions of `table` make panels, by their names."""
    page = PageCode(*size.in_points, layout.look)
    yield from page.items(layout.title)
    for placed in layout.figures:
        yield from page.items(draw_above(placed, layout.look))
        for panel in placed.panels:
            yield f"\n# {panel.panel.name}"
            yield from PanelCode(panel, page, expressions.get(panel.panel.name, "")).statements()
        if placed.figure.clocks is not None and placed.clocks:
            yield "\n# clocks"
            yield from clock_statements(placed.figure.clocks, placed.clocks, page)
            if placed.bar:
                yield from page.bar_of_order(placed.bar)
        for legend in placed.legends:
            yield from page.legend(legend)
        yield from page.items(draw_below(placed, layout.look))


# -- clocks ----------------------------------------------------------------------------------------


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
