"""Figures for matplotlib, as an author would draw them: as a script, or made by its statements.

What follows from the formula of an encoding is computed in the script. Other numbers are written
into it, with as many digits as can be seen.
"""

from __future__ import annotations

import math
import re
import textwrap
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pe_explorer.colours import maps
from pe_explorer.colours.themes import DARK
from pe_explorer.figures._bar import chosen_limits
from pe_explorer.figures._look import Look, look_of
from pe_explorer.figures.own import has_formula
from pe_explorer.figures.page import pieces
from pe_explorer.figures.size import POINTS_PER_INCH, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError, declared
from pe_explorer.pictures.axis_numbers import notation, range_title
from pe_explorer.pictures.clock_face import Face
from pe_explorer.pictures.clock_texts import wave_texts
from pe_explorer.pictures.figure import Band, Cells, Curve, Figure, Panel, PanelAxis, Rectangle
from pe_explorer.pictures.limits import finite_ends
from pe_explorer.pictures.pixels import NO_VALUE
from pe_explorer.pictures.trail import Trail

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

MOST_CHARACTERS = 1_000_000
"""Characters that a script may have."""

_IMPORTS = {
    "Circle": "matplotlib.patches",
    "LinearSegmentedColormap": "matplotlib.colors",
    "ListedColormap": "matplotlib.colors",
    "Rectangle": "matplotlib.patches",
    "colormaps": "matplotlib",
}  # names that statements use, and their modules
_INCHES = {"mm": " / 25.4", "in": "", "px": " / 96"}  # from the unit of a side
_WIDTH = 96  # characters of a line
_VISIBLE_PART = 1e-6  # of a range of numbers
_ROUNDING = 1e-12  # relative
_MOST_DECIMALS = 15  # rounding to more, or to larger powers of ten, could overflow
_MOST_IN_A_LIST = 16  # numbers that are written as a list
_COLOURS = 17  # of a map that matplotlib does not have
_MOST_NUMBERED = 400  # cells with their numbers in them
_SAME = 1e-4  # error of a point on a clock that cannot be seen, in radii
_TABLE_LINE = 1.7  # of a table, in font sizes
_ROOM_OF_NAMES = 0.8  # of the width of a clock
_LETTER_WIDTH = 0.55  # of a usual letter, in font sizes


class FigureCodeError(ParameterError):
    """A figure that no script of a reasonable length draws."""

    def __init__(self, fault: str, remedy: str = "") -> None:
        super().__init__("figure", fault, remedy)


Expressions = Mapping[str, tuple[str, ...]]


class FigureFormula(NamedTuple):
    """Code that computes numbers of a figure.

    Attributes
    ----------
    table : str
        Lines that make the array `table`, with an import of NumPy; empty for none.
    panels : {str: tuple of str}
        For some panels, by name, expressions of what these lines define: the values of the cells,
        or of the first curves; empty for numbers that are in the script.
    """

    table: str = ""
    panels: Expressions = MappingProxyType({})


class Array(NamedTuple):
    """An array under a name: its numbers are in the script, unless `code` computes them there.

    `resolution` is the least difference that is visible; 0 for a millionth of the values' range.
    """

    name: str
    values: npt.NDArray[Any]
    code: str = ""
    resolution: float = 0.0


Statement = str | Array
"""What draws a figure: a piece of a script, or an array that the next ones know by its name."""


class Name(str):
    """A name or an expression of a script, which is not quoted."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def figure_script(
    figures: Sequence[Figure],
    style: Style,
    size: FigureSize,
    formula: FigureFormula = FigureFormula(),  # noqa: B008 - a constant
    heading: str = "",
) -> str:
    """Return a script that draws figures on one page, with the same data, limits and names.

    Parameters
    ----------
    figures : sequence of Figure
    style : Style
    size : FigureSize
    formula : FigureFormula
        How numbers of the only figure are computed.
    heading : str
        What is shown, for the first line.

    Raises
    ------
    FigureCodeError
        If there is nothing to draw, or the numbers would be more than `MOST_CHARACTERS` characters.
    """
    look = look_of(style.for_size(size), about_as_wide)
    body = list(_statements(figures, look, size, formula.panels))
    if not any(isinstance(statement, Array) for statement in body):
        note = next((figure.note for figure in figures if figure.note), None)
        sentence = note.sentence if note else "there are no numbers"
        raise FigureCodeError(sentence.rstrip("."), "choose what can be shown")
    text = "\n".join(map(_written, body))
    lines = [f"# {line}" for line in heading.splitlines()]
    lines += ["import matplotlib.pyplot as plt", "import numpy as np"]
    used = (name for name in _IMPORTS if re.search(rf"\b{name}\b", text))
    lines += [f"from {_IMPORTS[name]} import {name}" for name in used]
    if any(code and code in text for codes in formula.panels.values() for code in codes):
        lines += ["", *(it for it in formula.table.splitlines() if it != "import numpy as np")]
    lines += ["", call("plt.rcParams.update", _settings(look))]
    inches = ", ".join(f"{side:.10g}{_INCHES[size.unit]}" for side in (size.width, size.height))
    dpi = f"dpi={size.dpi(style.dpi):.10g}"
    lines.append(f'figure = plt.figure(figsize=({inches}), {dpi}, layout="constrained")')
    script = "\n".join([*lines, text, 'figure.savefig("figure.pdf")', "plt.show()", ""])
    if len(script) > MOST_CHARACTERS:
        problem = f"its numbers are {len(script):,} characters of code"
        raise FigureCodeError(f"{problem}, more than {MOST_CHARACTERS:,}", "show fewer positions")
    return script


def drawn(figures: Sequence[Figure], style: Style, size: FigureSize) -> MatplotlibFigure:
    """Return the figure that such a script draws, with all digits of its numbers."""
    import matplotlib.style
    from matplotlib.figure import Figure as MatplotlibFigure

    look = look_of(style.for_size(size), about_as_wide)
    names = {name: getattr(import_module(module), name) for name, module in _IMPORTS.items()}
    width, height = (side / POINTS_PER_INCH for side in size.in_points)
    with matplotlib.style.context(["default", _settings(look)]):
        figure = MatplotlibFigure((width, height), size.dpi(style.dpi), layout="constrained")
        names |= {"np": np, "figure": figure}
        for statement in _statements(figures, look, size, {}):
            if isinstance(statement, Array):
                names[statement.name] = statement.values
            else:
                exec(statement, names)
    return figure


def about_as_wide(text: str, size: float) -> float:
    """Return about how wide a text is in a font of a size: matplotlib lays out what it draws."""
    return _LETTER_WIDTH * size * len(text)


def _settings(look: Look) -> dict[str, Any]:
    """Return the settings of matplotlib with which a figure is drawn."""
    settings: dict[str, Any] = {"font.size": round(look.size, 3)}
    settings["lines.linewidth"] = look.style.line_width
    if look.style.font != declared(Style)["font"].default:
        settings["font.family"] = [look.style.font, "sans-serif"]
    if look.ground != "#ffffff":
        settings |= {"figure.facecolor": look.ground or "none", "axes.facecolor": "none"}
    if look.colours is DARK:
        of_texts = "text.color", "axes.labelcolor", "xtick.color", "ytick.color"
        settings |= dict.fromkeys((*of_texts, "axes.edgecolor"), look.colours.text)
        settings["legend.facecolor"] = look.colours.raised
    return settings


def _statements(
    figures: Sequence[Figure], look: Look, size: FigureSize, expressions: Expressions
) -> Iterator[Statement]:
    """Yield what draws figures into `figure`."""
    if look.style.title:
        yield call("figure.suptitle", _text(look.style.title, look))
    width, height = size.in_points
    columns = 1 if len(figures) == 1 else min(len(figures), max(1, round(1.4 * width / height)))
    if len(figures) > 1:
        rows = -(-len(figures) // columns)
        yield call("parts = figure.subfigures", rows, columns, squeeze=False) + ".ravel()"
    for number, figure in enumerate(figures):
        holder = "figure"
        if len(figures) > 1:
            holder = "part"
            yield f"\npart = parts[{number}]"
            if figure.label:
                yield call("part.suptitle", _text(figure.label, look))
        if figure.clocks is not None:
            yield from _clocks(figure.clocks, holder, look, width / columns)
        else:
            yield from _panels(figure, holder, look, expressions, height)


def _panels(
    figure: Figure, holder: str, look: Look, expressions: Expressions, height: float
) -> Iterator[Statement]:
    """Yield what draws the panels of a figure beside each other, and a table below them."""
    is_alone = len(figure.panels) == 1 and figure.table is None
    yield f"ax = {holder}.subplots()" if is_alone else _mosaic(figure, holder, look, height)
    for number, panel in enumerate(figure.panels):
        if not is_alone:
            yield f"\nax = axes[{panel.name!r}]"
        if panel.heading:
            yield call("ax.set_title", _text(panel.heading, look))
        yield from _Panel(panel, holder, look, expressions.get(panel.name, ())).statements()
        if figure.note is not None and number == figure.noted:
            place = Name('transform=ax.transAxes, ha="center", va="center", wrap=True')
            yield call("ax.text", 0.5, 0.5, _text(figure.note.sentence, look), place)
    if figure.table is not None:
        titles, *rows = (
            [_text(text, look) for text in row] for row in (figure.table.titles, *figure.table.rows)
        )
        yield '\nax = axes["table"]\nax.axis("off")'
        yield call("ax.table", rows, colLabels=titles, loc="center", edges="open")


def _mosaic(figure: Figure, holder: str, look: Look, height: float) -> str:
    """Return what makes the axes of panels by name: one that is `upper` is above the next one."""
    columns: list[list[str]] = []
    is_above = False
    for panel in figure.panels:
        columns[-1:] = [[*columns[-1], panel.name]] if is_above else [*columns[-1:], [panel.name]]
        is_above = panel.upper
    rows = [[column[0] for column in columns], [column[-1] for column in columns]]
    rows = rows[:1] if rows[0] == rows[1] else rows
    heights = {}
    if figure.table is not None:
        share = min(0.8, _TABLE_LINE * look.size * (len(figure.table.rows) + 1) / height)
        others = [round((1 - share) / len(rows), 2)] * len(rows)
        heights["height_ratios"] = [*others, round(share, 2)]
        rows.append(["table"] * len(columns))
    return call(f"axes = {holder}.subplot_mosaic", rows, **heights)


class _Panel:
    """Writes what draws a panel on the axes `ax`."""

    def __init__(self, panel: Panel, holder: str, look: Look, expressions: tuple[str, ...]) -> None:
        self._panel, self._holder, self._look = panel, holder, look
        self._expressions = expressions
        self._x, self._y = _Axis(panel.x, look), _Axis(panel.y, look)

    def statements(self) -> Iterator[Statement]:
        """Yield all of them."""
        panel, look = self._panel, self._look
        if panel.cells is not None:
            yield from self._cells(panel.cells)
        yield from self._grounds()
        if look.style.grid:
            yield "ax.grid()"
        yield from self._marks()
        yield from self._curves()
        for dot in panel.dots:
            place = self._x.at(dot.x), self._y.at(dot.y)
            yield call("ax.plot", *place, "o", color=look.shade(dot.colour))
        if panel.trail is not None and panel.trail.visible:
            yield from self._trail(panel.trail)
        yield from self._sides()
        if panel.legend and look.style.legend == "below":
            columns = min(4, len(panel.legend))
            yield call(f"{self._holder}.legend", loc="outside lower center", ncols=columns)
        elif panel.legend and look.style.legend != "none":
            yield "ax.legend()"

    def _grounds(self) -> Iterator[str]:
        """Yield what sets parts of the panel apart; the first of a kind has its name."""
        panel, colours = self._panel, self._look.colours
        hatched = {"fill": False, "hatch": "///", "edgecolor": colours.line, "linewidth": 0}
        kinds: tuple[tuple[tuple[Rectangle, ...], str, dict[str, Any]], ...] = (
            (panel.shaded, panel.shaded_name, {"color": colours.raised}),
            (panel.hatched, panel.hatched_name, hatched),
        )
        for parts, name, look in kinds:
            label = {"label": _text(name, self._look)} if name else {}
            for part in (part for part in parts if not part.empty):
                left, top, *sides = self._box(part)
                patch = call("Rectangle", (left, top), *sides, **look, zorder=0.5, **label)
                yield f"ax.add_patch({patch})"
                label = {}

    def _marks(self) -> Iterator[str]:
        """Yield dashed lines across the panel with what they are called, and the cursor."""
        panel, colour = self._panel, self._look.colours.reference
        dashed = {"color": colour, "linestyle": "--", "linewidth": 0.8}
        for mark in panel.marks:
            x = self._x.at(mark.x)
            yield call("ax.axvline", x, **dashed)
            if mark.label:
                place = {"transform": Name("ax.get_xaxis_transform()"), "va": "top"}
                yield call(
                    "ax.text", x, 1, f" {_text(mark.label, self._look)}", color=colour, **place
                )
        for level in panel.levels:
            y, name = self._y.at(level.y), _text(level.name, self._look)
            yield call("ax.axhline", y, **dashed)
            place = {"transform": Name("ax.get_yaxis_transform()")}
            place["va"] = "top" if level.is_high(panel.y) else "bottom"
            yield call("ax.text", 0.01, y, name, color=colour, **place)
        if self._look.style.cursor == "show":
            dashed["color"] = "0.5"
            x_of_cursor, y_of_cursor = panel.cursor
            if x_of_cursor is not None:
                yield call("ax.axvline", self._x.at(x_of_cursor), **dashed)
            if y_of_cursor is not None:
                yield call("ax.axhline", self._y.at(y_of_cursor), **dashed)

    def _box(self, part: Rectangle) -> tuple[float, float, float, float]:
        """Return left, top, width and height of a part of the panel in numbers of the script."""
        left, top = self._x.at(part.left), self._y.at(part.top)
        return left, top, self._x.at(part.right) - left, self._y.at(part.bottom) - top

    def _cells(self, cells: Cells) -> Iterator[Statement]:
        low, high = chosen_limits(cells, self._look.style)
        code = f"values = {self._expressions[0]}" if any(self._expressions) else ""
        yield Array("values", cells.values, code, _VISIBLE_PART * (high - low))
        colours = cells.colour_map
        if colours not in maps.MATPLOTLIB_MAPS:
            table = maps.table(colours, NO_VALUE)
            some = table[np.linspace(0, len(table) - 1, _COLOURS).round().astype(int)]
            shades = [f"#{shade.tobytes().hex()}" for shade in some]
            yield call("colours = LinearSegmentedColormap.from_list", colours, shades)
            colours = Name("colours")
        left, top, width, height = self._box(cells.place)
        look = {"aspect": "auto", "extent": (left, left + width, top + height, top)}
        yield call("image = ax.imshow", Name("values"), cmap=colours, vmin=low, vmax=high, **look)
        if cells.numbered and cells.values.size <= _MOST_NUMBERED:
            rows, columns = cells.values.shape
            x, y = f"{left} + {width / columns} * (j + 0.5)", f"{top} + {height / rows} * (i + 0.5)"
            yield (
                "for (i, j), value in np.ndenumerate(values):\n"
                "    is_dark = sum(image.cmap(image.norm(value))[:3]) < 1.5\n"
                f'    ax.text({x}, {y}, f"{{value:.2f}}", ha="center", va="center", size="small", '
                'color="white" if is_dark else "black")'
            )
        if panel_bar(self._panel, self._look):
            unit = {"format": f"%g{cells.unit}"} if cells.unit else {}
            label = {"label": _text(cells.title, self._look)} if self._look.style.labels else {}
            yield call(f"{self._holder}.colorbar", Name("image"), ax=Name("ax"), **label, **unit)

    def _curves(self) -> Iterator[Statement]:
        panel, look = self._panel, self._look
        if panel.band_name:
            name = _text(panel.band_name, look)
            yield call("ax.fill_between", [], [], color=look.shade("accent"), alpha=0.3, label=name)
        codes = () if panel.cells else self._expressions
        numbers: npt.NDArray[Any] = np.empty(0)
        for number, curve in enumerate(panel.curves):
            if not curve.visible:
                yield call("ax.plot", [], [], **self._look_of(curve))
                continue
            if curve.band is not None:
                yield from self._band(curve, curve.band)
                continue
            places, values = curve.outline
            if not np.array_equal(places, numbers):
                numbers = places
                yield Array("x", self._x.all_at(places))
            has_code = number < len(codes) and bool(codes[number])
            yield Array("y", values, f"y = {codes[number]}" if has_code else "")
            y = Name("10.0**y") if panel.y.powers and not has_code else Name("y")
            if number == 0 and panel.bars:
                low = 0.0 if curve.filled_to is None else panel.y.value(curve.filled_to)
                filling = {"color": look.colours.filling, "linewidth": 0}
                yield call("ax.fill_between", Name("x"), y, low, **filling)
            above = {"zorder": 3} if number == 0 and len(panel.curves) > 1 else {}
            yield call("ax.plot", Name("x"), y, **self._look_of(curve), **above)

    def _band(self, curve: Curve, band: Band) -> Iterator[Statement]:
        """Yield the ground of a band, and its edges, or the mean if they are only bounds."""
        yield Array("x", self._x.all_at(curve.x))
        for name, values in {"low": band.low, "high": band.high, "mean": curve.y}.items():
            if name != "mean" or not band.exact:
                yield Array(name, values)
        look = self._look_of(curve)
        label = look.pop("label", None)
        place = Name("x"), Name("low"), Name("high")
        yield call("ax.fill_between", *place, color=look["color"], alpha=0.3, linewidth=0)
        if band.exact:
            look["linewidth"] = self._look.style.line_width / 2
            yield call("ax.plot", Name("x"), Name("low"), **look)
        look |= {"label": label} if label else {}
        yield call("ax.plot", Name("x"), Name("high" if band.exact else "mean"), **look)

    def _look_of(self, curve: Curve) -> dict[str, Any]:
        """Return colour, dashes and name of a curve."""
        look: dict[str, Any] = {"color": self._look.shade(curve.colour)}
        width = self._look.style.line_width  # of which matplotlib counts dashes
        dashes = tuple(round(each / width, 2) for each in self._look.dashes(curve))
        if dashes:
            look["linestyle"] = 0, dashes
        if curve.name:
            name = f"{curve.called}: {curve.lack}" if curve.lack else curve.called
            text = _text(name, self._look)
            # Matplotlib leaves out of legends what begins with an underscore.
            look["label"] = f" {text}" if text.startswith("_") else text
        return look

    def _trail(self, trail: Trail) -> Iterator[Statement]:
        """Yield points in the colours of their order, and a line through them."""
        resolution = _VISIBLE_PART * self._panel.x.length
        yield Array("x", trail.x, resolution=resolution)
        yield Array("y", trail.y, resolution=resolution)
        name, first, count = trail.counted
        yield Array("order", first + np.array(trail.numbers, dtype=np.float64))
        yield call("ax.plot", Name("x"), Name("y"), color=self._look.colours.line, zorder=1)
        ends = {"vmin": first, "vmax": first + count - 1}
        look = {"c": Name("order"), "cmap": _order_map(self._look), "s": 9, **ends}
        yield call("points = ax.scatter", Name("x"), Name("y"), **look)
        if self._look.style.cursor == "show" and trail.marked is not None:
            x, y = trail.x[trail.marked], trail.y[trail.marked]
            ring = {"color": self._look.colours.cursor, "fillstyle": "none"}
            yield call("ax.plot", float(x), float(y), "o", **ring)
        if panel_bar(self._panel, self._look):
            label = {"label": _text(name, self._look)} if self._look.style.labels else {}
            yield call(f"{self._holder}.colorbar", Name("points"), ax=Name("ax"), **label)
        yield 'ax.set_aspect("equal")'

    def _sides(self) -> Iterator[str]:
        """Yield what is written beside the axes, and how far they reach."""
        x, y = self._panel.x, self._panel.y
        ends = self._y.at(y.low), self._y.at(y.high)
        chosen: dict[str, Any] = {"xlim": (self._x.at(x.low), self._x.at(x.high))}
        chosen["ylim"] = ends[::-1] if y.down and not self._look.style.upward else ends
        if self._look.style.labels:
            chosen |= {"xlabel": self._x.title, "ylabel": self._y.title}
        if y.powers:
            chosen["yscale"] = "log"
        yield call("ax.set", **chosen)
        for side, axis in (("x", x), ("y", y)):
            most = self._look.style.ticks
            if axis.names:
                step = max(1, round(len(axis.names) / (most or 24)))
                places = list(range(0, len(axis.names), step))
                words = [_text(axis.names[place], self._look) for place in places]
                yield call(f"ax.set_{side}ticks", places, labels=words)
            elif most and axis.powers:
                yield call("ax.locator_params", axis=side, numticks=most)
            elif axis.origin is not None or most:
                whole = {"integer": True} if axis.origin is not None else {}
                limited = {"nbins": most - 1} if most else {}
                yield call("ax.locator_params", axis=side, **whole, **limited)


def panel_bar(panel: Panel, look: Look) -> bool:
    """Return whether a panel has a colour bar."""
    return panel.has_bar and look.style.colour_bar


def _order_map(look: Look) -> str:
    """Return the colours from the first to the last, without those too dark for the ground."""
    if look.colours is not DARK:
        return maps.ORDER_MAP
    return Name(f"ListedColormap(colormaps[{maps.ORDER_MAP!r}].colors[{maps.TOO_DARK}:])")


# -- clocks ----------------------------------------------------------------------------------------


def _clocks(face: Face, holder: str, look: Look, width: float) -> Iterator[Statement]:
    """Yield what draws a page of clocks: by the plain formula where that is close enough."""
    grid = face.grid
    across, up = ("sin", "cos") if face.clockwise else ("cos", "sin")
    scale = grid.radius * grid.ratio
    x, y = face.x.astype(np.float64) / scale, -face.y.astype(np.float64) / scale
    with np.errstate(over="ignore", invalid="ignore"):
        angles = np.multiply.outer(face.positions.astype(np.float64), face.frequencies)
        off = np.abs(getattr(np, across)(angles) - x) + np.abs(getattr(np, up)(angles) - y)
    is_plain = bool(off.max(initial=0.0) < _SAME)
    first, last = face.positions[[0, -1]].tolist()
    is_range = last - first == len(face.positions) - 1
    counted = f"positions = np.arange({first}, {last + 1})" if is_range else ""
    yield Array("positions", face.positions, counted)
    frequencies = call("frequencies = np.array", face.frequencies.tolist())
    turned = f"{frequencies}\nangles = positions[:, None] * frequencies\nx = np.{across}(angles)"
    yield Array("x", x, turned if is_plain else "")
    yield Array("y", y, f"y = np.{up}(angles)" if is_plain else "")
    room = _ROOM_OF_NAMES * width / grid.columns
    names = next((it for it in wave_texts(face) if look.widest(it) <= room), None)
    yield call("names = np.array", [_text(name, look) for name in names or map(str, grid.numbers)])
    colours = look.colours
    circle = call("Circle", (0, 0), 1, fill=False, edgecolor=colours.muted)
    name, low, count = face.counted
    dots = {"c": Name("positions"), "cmap": _order_map(look), "vmin": low, "vmax": low + count - 1}
    shape = {"squeeze": False, "subplot_kw": {"aspect": "equal"}}
    yield call(f"axes = {holder}.subplots", grid.rows, grid.columns, **shape) + ".ravel()"
    lines = ["for ax in axes:", '    ax.axis("off")']
    lines += ["for ax, across, up, name in zip(axes, x.T, y.T, names):"]
    lines += [f"    ax.add_patch({circle})"]
    scattered = call("dots = ax.scatter", Name("across"), Name("up"), s=6, **dots, zorder=2)
    lines += [textwrap.indent(scattered, "    "), '    ax.set_title(name, size="medium", y=-0.2)']
    yield "\n".join(lines)
    if look.style.cursor == "show":
        hands = 2 * np.pi * np.array(face.hands)
        yield Array("hands", hands)
        yield "for ax, hand in zip(axes, hands):"
        ends = f"[0, np.{across}(hand)], [0, np.{up}(hand)]"
        yield f"    ax.plot({ends}, color={colours.cursor!r})"
    if look.style.colour_bar:
        yield call(f"{holder}.colorbar", Name("dots"), ax=Name("axes"), label=_text(name, look))


# -- texts and numbers -----------------------------------------------------------------------------


class _Axis:
    """The numbers of an axis in a script, from a round number on where they would be long."""

    def __init__(self, axis: PanelAxis, look: Look) -> None:
        self._axis, self._origin, self._unit = axis, 0, 1
        self.title = _text(axis.title, look)
        if axis.origin is not None:
            offset, power = notation(axis.origin, axis.count)
            self._origin, self._unit = axis.origin - offset, int(10**power)
            factor = rf" × $10^{{{power}}}$" if power else ""
            self.title = range_title(self.title, offset, factor)[0]

    def at(self, place: float) -> float:
        """Return a place, counted from the axis' origin, as a number of the script."""
        if self._axis.powers:
            return self._axis.value(place)
        doubled = round(2 * place) if math.isfinite(place) else 0
        if 2 * place == doubled:  # exact, as ends and middles of cells are
            return (2 * self._origin + doubled) / (2 * self._unit)
        return (self._origin + place) / self._unit

    def all_at(self, places: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Return places as numbers of the script."""
        return np.array([self.at(place) for place in places.tolist()])


_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
_SYMBOL = re.compile(r"([Α-Ωα-ω])([₀-₉ᵢⱼₖ]*)|([⁺⁻]?[⁰¹²³⁴-⁹]+)")


def _text(text: str, look: Look) -> str:
    """Return a text for matplotlib, with Greek letters and powers as formulas.

    A text that the author typed may have formulas of its own, and stays as it is.
    """
    typed = (look.style.title, *dict(look.style.texts).values())
    if text in typed and has_formula(text):
        return text
    parts = (
        (_SYMBOL.sub(_formula, part.replace("$", r"\$")), raised) for part, raised in pieces(text)
    )
    return "".join(f"$^{{{part}}}$" if raised else part for part, raised in parts)


def _formula(found: re.Match[str]) -> str:
    letter, index, power = found.groups()
    if power:
        return f"$^{{{unicodedata.normalize('NFKC', power)}}}$".replace("−", "-")
    *_, size, _, name = unicodedata.name(letter).split()[-4:]
    name = name.replace("LAMDA", "LAMBDA")
    symbol = name.lower() if size == "SMALL" else name.capitalize()
    below = f"_{{{unicodedata.normalize('NFKC', index)}}}" if index else ""
    return rf"$\{symbol}{below}$"


def call(function: str, *values: Any, **options: Any) -> str:
    """Return the call of a function in short lines; texts are quoted, unless they are a `Name`.

    The function may have a variable before it, such as ``image = ax.imshow``.
    """
    words = [repr(value) for value in values]
    words += [f"{name}={value!r}" for name, value in options.items()]
    inside = ", ".join(words)
    if len(function) + len(inside) < _WIDTH:
        return f"{function}({inside})"
    filled = textwrap.fill(
        _QUOTED.sub(lambda quoted: quoted[0].replace(" ", "\0"), inside),
        _WIDTH,
        initial_indent="    ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return f"{function}(\n{filled},\n)".replace("\0", " ")


def _written(statement: Statement) -> str:
    """Return a statement as text."""
    if isinstance(statement, str):
        return statement
    if statement.code:
        return statement.code
    name, values, numbers = statement.name, statement.values, statement.values.astype(np.float64)
    if spaced := _evenly_spaced(numbers):
        return f"{name} = {spaced}"
    low, high = finite_ends(numbers) or (0.0, 0.0)
    resolution = statement.resolution or (high - low) * _VISIBLE_PART
    decimals = 1 - math.floor(math.log10(resolution)) if 0 < resolution < math.inf else 99
    if abs(decimals) <= _MOST_DECIMALS:
        numbers = np.round(numbers, decimals) + 0.0  # no minus before a zero
    texts = [str(number).removesuffix(".0") for number in numbers.ravel().tolist()]
    if numbers.size <= _MOST_IN_A_LIST and numbers.ndim == 1:
        return call(f"{name} = np.array", Name(f"[{', '.join(texts)}]".replace("nan", "np.nan")))
    lines = textwrap.fill(" ".join(texts), _WIDTH, break_on_hyphens=False, break_long_words=False)
    shape = "" if values.ndim == 1 else f".reshape{values.shape}"
    return f'{name} = np.array("""\n{lines}\n""".split(), dtype=float){shape}'


def _evenly_spaced(numbers: npt.NDArray[np.float64]) -> str:
    """Return a short expression of numbers with equal steps, or an empty text."""
    count = len(numbers)
    if numbers.ndim != 1 or count < 3 or not np.isfinite(numbers).all():
        return ""
    first, last = numbers[[0, -1]].tolist()
    off = np.abs(np.linspace(first, last, count) - numbers).max()
    if off > _ROUNDING * max(abs(first), abs(last)):
        return ""
    if first.is_integer() and last - first == count - 1:
        return f"np.arange({int(first)}, {int(last) + 1})"
    return f"np.linspace({first!r}, {last!r}, {count})"
