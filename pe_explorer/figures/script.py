"""Draw figures with matplotlib: write a script, or run its statements.

The script computes values that follow from the formula of an encoding. It contains all
other values as literals, with as many digits as are visible in the figure.
"""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple
from unicodedata import name as name_of, normalize

import numpy as np
import numpy.typing as npt

from pe_explorer.colours import maps
from pe_explorer.colours.themes import DARK
from pe_explorer.figures._bar import make_order_colours
from pe_explorer.figures._look import Look, make_look
from pe_explorer.figures._ticks import format_custom_ticks
from pe_explorer.figures.overrides import has_formula
from pe_explorer.figures.size import POINTS_PER_INCH, FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError, declared
from pe_explorer.pictures.axis_numbers import find_axis_notation, make_range_title
from pe_explorer.pictures.clock_face import ClockFaces
from pe_explorer.pictures.clock_texts import format_wave_labels
from pe_explorer.pictures.figure import Cells, Curve, Figure, Panel, PanelAxis
from pe_explorer.pictures.limits import find_finite_limits
from pe_explorer.pictures.trail import Trail

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

MAX_CHARACTERS = 1_000_000  # maximum number of characters in a script

Expressions = Mapping[str, Sequence[str]]
"""Code that computes the cells or the first curves of each panel, by panel name.

If a string is empty, the script contains the values of the panel."""

_INCH_FACTORS = {"mm": " / 25.4", "in": "", "px": " / 96"}  # conversion to inches by unit
_MAX_LINE_LENGTH = 96  # maximum number of characters in a line of the script
_UNBREAKABLE_PATTERN = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|\([-\d., ]+\)""")
_SYMBOL_PATTERN = re.compile("([\u0391-\u03a9\u03b1-\u03c9])([₀-₉ᵢⱼₖ]*)")
_SIGNIFICANT_DIGITS = 7  # number of significant digits, in addition to digits that all values share
_SAMPLE_LENGTH = 2.0  # length of a sample line in matplotlib's legends, in font sizes
_COLOUR_COUNT = 17  # number of colours written for a colour map that is not in matplotlib
_POWER_DECIMALS = 9  # number of decimals to which computed powers of ten are rounded
_EXTENSIONS = {(False, False): "", (True, False): "min", (False, True): "max", (True, True): "both"}
_NAME_HEIGHT = 0.12  # vertical space for the name of a horizontal line, as a fraction of the axis


class FigureCodeError(ParameterError):
    """An error for a figure that is empty or whose script would be too long."""

    def __init__(self, fault: str, remedy: str) -> None:
        super().__init__("figure", fault, remedy)


class Array(NamedTuple):
    """A named array. The script contains `code`, or the values if `code` is empty."""

    name: str
    values: npt.NDArray[Any]
    code: str = ""


Statement = str | Array
SizeInPoints = tuple[float, float]  # width and height in points


def make_figure_script(
    figures: Sequence[Figure],
    style: Style,
    size: FigureSize,
    heading: str = "",
    table: str = "",
    expressions: Expressions = MappingProxyType({}),
) -> str:
    """Return a script that draws figures on one page, with their data, limits and names.

    The script begins with `heading` as a comment. The code in `table` creates the array
    ``table``, from which `expressions` compute the values if there is only one figure.

    Raises
    ------
    FigureCodeError
        If the figure is empty, or the script would exceed `MAX_CHARACTERS`.
    """
    look = make_look(style.with_size(size), estimate_width)
    body = list(_write_statements(figures, look, size, expressions))
    arrays = [statement for statement in body if isinstance(statement, Array)]
    if not arrays:
        note = next((figure.note for figure in figures if figure.note), None)
        sentence = note.sentence if note else "the figure contains no numbers"
        raise FigureCodeError(sentence.rstrip("."), "change the settings or draw another view")
    # Check a lower bound of the length first, because writing a long script is slow.
    _require_short(sum(2 * array.values.size for array in arrays if not array.code))
    text = "\n".join(map(_format_statement, body))
    lines = [f"# {heading}", "import matplotlib.pyplot as plt", "import numpy as np"]
    if "LinearSegmentedColormap" in text:
        lines.append("from matplotlib.colors import LinearSegmentedColormap")
    lines += ["", *(line for line in table.splitlines() if line not in lines), ""]
    *style_names, settings = _list_styles(look)
    lines += [f"plt.style.use({name!r})" for name in style_names]
    lines.append(f"plt.rcParams.update({settings})")
    width, height = (f"{side:.10g}{_INCH_FACTORS[size.unit]}" for side in size[:2])
    options = f"dpi={size.dpi(style.dpi):.10g}, layout='constrained'"
    lines.append(f"figure = plt.figure(figsize=({width}, {height}), {options})")
    script = "\n".join([*lines, text, "figure.savefig('figure.pdf')", "plt.show()", ""])
    _require_short(len(script))
    return script


def _require_short(char_count: int) -> None:
    if char_count > MAX_CHARACTERS:
        problem = f"its numbers take {char_count:,} characters of code; the limit is"
        raise FigureCodeError(f"{problem} {MAX_CHARACTERS:,}", "show fewer positions")


def draw_figure(figures: Sequence[Figure], style: Style, size: FigureSize) -> MatplotlibFigure:
    """Return the figure that the script would draw, with all digits of the values."""
    import matplotlib.style
    from matplotlib.colors import LinearSegmentedColormap
    from matplotlib.figure import Figure as MatplotlibFigure

    look = make_look(style.with_size(size), estimate_width)
    width, height = (side / POINTS_PER_INCH for side in size.in_points)
    with matplotlib.style.context(["default", *_list_styles(look)]):
        figure = MatplotlibFigure((width, height), size.dpi(style.dpi), layout="constrained")
        names = {"np": np, "figure": figure, "LinearSegmentedColormap": LinearSegmentedColormap}
        for statement in _write_statements(figures, look, size, {}):
            if isinstance(statement, Array):
                names[statement.name] = statement.values
            else:
                exec(statement, names)
    return figure


def estimate_width(text: str, size: float) -> float:
    """Estimate the width of a string, which matplotlib measures only when drawing."""
    return 0.55 * size * len(text)


def _list_styles(look: Look) -> list[str | dict[str, Any]]:
    """Return names of matplotlib's styles, followed by settings."""
    settings: dict[str, Any] = {"font.size": round(look.size, 3)}
    settings["lines.linewidth"] = look.style.line_width
    if look.style.font != declared(Style)["font"].default:
        settings["font.family"] = [look.style.font, "sans-serif"]
    if look.ground != "#ffffff":
        settings |= dict.fromkeys(("figure.facecolor", "axes.facecolor"), look.ground or "none")
    return ["dark_background", settings] if look.colours is DARK else [settings]


def _write_statements(
    figures: Sequence[Figure], look: Look, size: FigureSize, expressions: Expressions
) -> Iterator[Statement]:
    titles = filter(None, (look.style.title, look.style.subtitle))
    if lines := [_text(title, look) for title in titles]:
        yield _format_call("figure.suptitle", repr("\n".join(lines)))
    width, height = size.in_points
    columns = min(len(figures), max(1, round(1.4 * width / height)))
    if len(figures) > 3:
        columns = max(1, round(math.sqrt(len(figures) / 1.4 * width / height)))
    rows = -(-len(figures) // columns)
    parent = "figure" if len(figures) == 1 and not figures[0].letter else "part"
    if parent == "part":
        yield f"parts = figure.subfigures({rows}, {columns}, squeeze=False).ravel()"
    for number, figure in enumerate(figures):
        if parent == "part":
            yield f"\npart = parts[{number}]"
            if figure.letter:
                letter = repr(_text(figure.letter, look))
                yield _format_call("part.suptitle", letter, x=0.01, ha="left", weight="bold")
        if figure.clocks is not None:
            yield from _write_clocks(figure.clocks, parent, look, width / columns)
            continue
        yield from _add_panels(figure, parent, look, expressions, (width / columns, height / rows))


def _add_panels(
    figure: Figure, parent: str, look: Look, expressions: Expressions, space: SizeInPoints
) -> Iterator[Statement]:
    row: list[Any] = []
    is_lower_panel = False
    for panel in figure.panels:
        if is_lower_panel:
            row[-1] = [[row[-1]], [panel.name]]
        else:
            row.append(panel.name)
        is_lower_panel = panel.is_above_next_panel
    mosaic, table, share = str([row]), figure.table, 0.0
    if table is not None:
        share = round(min(0.8, 1.7 * look.size * (len(table.rows) + 1) / space[1]), 2)
        mosaic = f"{[row, ['table'] * len(row)]}, height_ratios={[round(1 - share, 2), share]}"
    is_single = len(figure.panels) == 1 and table is None
    yield f"ax = {parent}.subplots()" if is_single else f"axes = {parent}.subplot_mosaic({mosaic})"
    is_stacked = len(row) < len(figure.panels)
    for number, panel in enumerate(figure.panels):
        if not is_single:
            yield f"\nax = axes[{panel.name!r}]"
        part = 0.8 * space[0] / len(row), 0.8 * (1 - share) * space[1] / (1 + 1.5 * is_stacked)
        yield from _panel(panel, parent, look, expressions.get(panel.name, ()), part)
        if figure.note is not None and number == figure.note_index:
            middle = "ha='center', va='center', wrap=True, transform=ax.transAxes"
            yield f"ax.text(0.5, 0.5, {_text(figure.note.sentence, look)!r}, {middle})"
    if table is not None:
        lines = (table.titles, *table.rows)
        titles, *rows = ([_text(text, look) for text in line] for line in lines)
        yield "\nax = axes['table']\nax.axis('off')"
        yield f"ax.table({rows}, colLabels={titles}, loc='center', edges='open')"


class _Axis:
    """An axis in a script; long integers are written relative to a round number."""

    def __init__(self, axis: PanelAxis, look: Look, length: float) -> None:
        self.axis, self.length, self.title = axis, length, _text(axis.title, look, length)
        self._origin, self._unit = 0, 1
        if axis.origin is not None:
            offset, power = find_axis_notation(axis.origin, axis.count)
            self._origin, self._unit = axis.origin - offset, 10**power
            factor = f" × $10^{{{power}}}$" if power else ""
            self.title = make_range_title(self.title, offset, factor)

    def convert(self, places: Any) -> Any:
        """Convert one coordinate or an array of coordinates to values in the script."""
        if not self.axis.powers:
            return (self._origin + places) / self._unit
        values = 10.0**places
        if not self.axis.count:
            return values
        values = np.round(values, _POWER_DECIMALS)  # avoids values such as 6.999999999
        return values if isinstance(places, np.ndarray) else float(values)


def _panel(
    panel: Panel, parent: str, look: Look, codes: Sequence[str], space: SizeInPoints
) -> Iterator[Statement]:
    x, y, style = _Axis(panel.x, look, space[0]), _Axis(panel.y, look, space[1]), look.style
    cells, trail = panel.cells, panel.trail
    bar: tuple[str, str] | None = None
    if panel.heading and panel.has_heading:
        yield f"ax.set_title({_text(panel.heading, look, 0.8 * space[0])!r})"
    if cells is not None:
        yield from _write_cells(cells, x, y, look, next(iter(codes), ""))
        codes, bar = (), (cells.title, cells.unit)
    yield from _write_areas(panel, x, y, look)
    yield from _write_straight_lines(panel, x, y, look)
    if look.style.cursor == "show":
        yield from _write_cursor(panel, x, y, look)
    yield from _write_curves(panel, x, y, look, codes)
    for dot in panel.dots:
        place = f"{x.convert(dot.x)}, {y.convert(dot.y)}"
        yield f"ax.plot({place}, 'o', color={look.shade(dot.colour)!r})"
    if trail is not None and trail.is_visible:
        yield from _write_trail(trail, look)
        bar = trail.counted_items[0], ""
    if bar is not None and panel.has_bar and style.colour_bar:
        extension = _EXTENSIONS[cells.has_clipped_values] if cells is not None else ""
        yield _write_colour_bar("ax", *bar, parent, look, space[1], extension)
    yield from _write_axis_settings("x", x, look)
    yield from _write_axis_settings("y", y, look)
    if not panel.legend:
        return
    dash_patterns = [look.dashes(curve) for curve in panel.legend if curve.dash]
    length = max((sum((*dashes, *dashes[:1])) / look.size for dashes in dash_patterns), default=0.0)
    options = [f"handlelength={length:.1f}"] if length > _SAMPLE_LENGTH else []
    if style.legend == "below":
        place = f"loc='outside lower center', ncols={min(4, len(panel.legend))}"
        yield _format_call(f"{parent}.legend", "*ax.get_legend_handles_labels()", place, *options)
    elif style.legend != "none":
        yield _format_call("ax.legend", *options)


def _write_areas(panel: Panel, x: _Axis, y: _Axis, look: Look) -> Iterator[str]:
    hatching = {"facecolor": "none", "hatch": "///", "edgecolor": look.colours.line, "linewidth": 0}
    for places, name, fill in (
        (panel.shaded_areas, panel.shaded_area_name, {"color": look.colours.raised_background}),
        (panel.hatched_areas, panel.hatched_name, hatching),
    ):
        label = _make_label(name, look)
        for part in (part for part in places if not part.is_empty):
            sides = [x.convert(part.left), x.convert(part.right)]
            heights = y.convert(part.top), y.convert(part.bottom)
            yield _format_call("ax.fill_between", sides, *heights, **fill, zorder=0.5, **label)
            label = {}  # the legend has one entry for all areas
    if look.style.grid:
        yield "ax.grid(alpha=0.4)"


def _write_cells(cells: Cells, x: _Axis, y: _Axis, look: Look, code: str) -> Iterator[Statement]:
    yield Array("values", cells.values, code)
    yield _write_colours(cells.colour_map, maps.table(cells.colour_map))
    low, high = cells.limits
    left, right = x.convert(cells.place.left), x.convert(cells.place.right)
    top, bottom = y.convert(cells.place.top), y.convert(cells.place.bottom)
    place = f"aspect='auto', extent={left, right, bottom, top}"
    yield f"image = ax.imshow(values, cmap=colours, vmin={low}, vmax={high}, {place})"
    if _shows_cell_numbers(cells, x, y, look):
        rows, columns = cells.values.shape
        width, height = (right - left) / columns, (bottom - top) / rows
        place = f"{left + width / 2} + {width} * j, {top + height / 2} + {height} * i"
        yield (
            "for (i, j), value in np.ndenumerate(values):\n"
            "    colour = 'white' if sum(image.to_rgba(value)[:3]) < 1.5 else 'black'\n"
            f"    ax.text({place}, f'{{value:.2f}}',\n"
            "            color=colour, size='small', ha='center', va='center')"
        )


def _shows_cell_numbers(cells: Cells, x: _Axis, y: _Axis, look: Look) -> bool:
    rows, columns = cells.values.shape
    width, height = 0.8 * x.length / columns, y.length / rows
    return cells.has_numbers and width > look.width("−0.00") and height > look.size


def _write_straight_lines(panel: Panel, x: _Axis, y: _Axis, look: Look) -> Iterator[str]:
    """Yield statements that draw the vertical and horizontal lines, with their names."""
    colour = look.colours.reference
    lines = [("v", x.convert(mark.x), colour, f" {mark.label}", "top") for mark in panel.marks]
    for level in panel.levels:
        gap = min((line.y - level.y for line in panel.levels if line.y > level.y), default=math.inf)
        is_below = level.is_high(panel.y) or gap < _NAME_HEIGHT * panel.y.length
        anchor = "top" if is_below else "bottom"
        lines.append(("h", y.convert(level.y), colour, f" {level.name}", anchor))
    for kind, value, colour, name, anchor in lines:
        yield f"ax.ax{kind}line({value}, color={colour!r}, linestyle='--', linewidth=0.8)"
        if name.strip():
            point = f"{value}, 1" if kind == "v" else f"0, {value}"
            text = f"{point}, {_text(name, look)!r}, color={colour!r}, va={anchor!r}"
            axis_name = "x" if kind == "v" else "y"
            yield f"ax.text({text}, transform=ax.get_{axis_name}axis_transform())"


def _write_cursor(panel: Panel, x: _Axis, y: _Axis, look: Look) -> Iterator[str]:
    """Yield statements that draw lines at the cursor, or a frame if lines would cross values."""
    line, places = "linestyle='--', linewidth=0.8", list(zip((x, y), panel.cursor, strict=True))
    has_cursor = panel.cursor != (None, None)
    if has_cursor and panel.cells and _shows_cell_numbers(panel.cells, x, y, look):
        sides, (top, bottom) = (
            [axis.convert(axis.axis.low), axis.convert(axis.axis.high)]
            if place is None
            else [axis.convert(place - 0.5), axis.convert(place + 0.5)]
            for axis, place in places
        )
        frame = f"{sides}, {top}, {bottom}, facecolor='none', edgecolor='black', {line}"
        yield f"ax.fill_between({frame})"
        return
    for kind, (axis, place) in zip("vh", places, strict=True):
        if place is not None:
            yield f"ax.ax{kind}line({axis.convert(place)}, color='0.5', {line})"


def _write_curves(
    panel: Panel, x: _Axis, y: _Axis, look: Look, codes: Sequence[str]
) -> Iterator[Statement]:
    previous_places: npt.NDArray[Any] = np.empty(0)
    band_label = _make_label(panel.band_name, look)
    curves_with_code = zip(panel.curves, chain(codes, repeat("")), strict=False)
    for number, (curve, code) in enumerate(curves_with_code):
        band, lines = curve.band, ["x, y"]
        options = _style_line(
            curve, look, 0.7 * x.length, is_above=number == 0 < len(panel.curves) - 1
        )
        if not curve.is_visible:
            if curve.name:
                yield _format_call("ax.plot", [], [], **options)
            continue
        places, heights = (curve.x, curve.y) if band else curve.outline
        if not np.array_equal(places, previous_places):
            yield Array("x", x.convert(places))
            previous_places = places
        if band is not None:
            yield Array("low", y.convert(band.low))
            yield Array("high", y.convert(band.high))
            fill = {"color": options["color"], "alpha": 0.3, "linewidth": 0, **band_label}
            yield _format_call("ax.fill_between", "x, low, high", **fill)
            band_label = {}
            lines = ["x, high", "x, low"] if band.is_exact else lines
        if "x, y" in lines:
            yield Array("y", y.convert(heights), code)
        if number == 0 and panel.bars:
            low = 0.0 if curve.bar_base is None else y.convert(curve.bar_base)
            colour = look.area_fill(curve.colour)
            yield _format_call("ax.fill_between", "x, y", low, color=colour, linewidth=0)
        for points in lines:
            yield _format_call("ax.plot", points, **options)
            options.pop("label", None)


def _style_line(curve: Curve, look: Look, length: float, *, is_above: bool) -> dict[str, Any]:
    """Return the options of a line, which is above other lines if `is_above` is True."""
    name = ": ".join(filter(None, (curve.legend_name, curve.missing_reason)))
    options: dict[str, Any] = {"color": look.shade(curve.colour)}
    options |= _make_label(name if curve.name else "", look, length)
    options |= {"linewidth": curve.width} if curve.width else {}
    dashes = [round(dash / look.line_width(curve), 2) for dash in look.dashes(curve)]
    options |= {"linestyle": (0, tuple(dashes))} if dashes else {}
    return options | {"zorder": 3} if is_above else options


def _write_trail(trail: Trail, look: Look) -> Iterator[Statement]:
    _, first, count = trail.counted_items
    yield Array("x", trail.x)
    yield Array("y", trail.y)
    yield Array("order", first + np.array(trail.numbers))
    yield _write_order_colours(look)
    yield f"ax.plot(x, y, color={look.colours.line!r}, zorder=1)"
    limits = f"vmin={first}, vmax={first + count - 1}"
    yield f"image = ax.scatter(x, y, c=order, cmap=colours, {limits}, s=9)"
    if look.style.cursor == "show" and trail.marked_index is not None:
        place = f"{trail.x[trail.marked_index]}, {trail.y[trail.marked_index]}"
        yield f"ax.plot({place}, 'o', color={look.colours.cursor!r}, fillstyle='none')"
    yield "ax.set_aspect('equal')"


def _write_axis_settings(name: str, script_axis: _Axis, look: Look) -> Iterator[str]:
    """Yield statements that set the scale, limits, title and ticks of the x or y axis."""
    axis, max_ticks = script_axis.axis, look.style.ticks
    ends = script_axis.convert(axis.low), script_axis.convert(axis.high)
    options: dict[str, Any] = {f"{name}scale": "log"} if axis.powers else {}
    if axis.powers and axis.count:  # points at 0 are not drawn
        options = {}
        yield f"ax.set_{name}scale('log', nonpositive='mask')"
    options[f"{name}lim"] = ends[::-1] if axis.is_downward and not look.style.upward else ends
    options |= {f"{name}label": script_axis.title} if look.style.labels else {}
    yield _format_call("ax.set", **options)
    if axis.ticks is not None:
        values = [*axis.custom_ticks.values()]
        if axis.origin is not None:
            values = [*map(script_axis.convert, axis.custom_ticks)]
        labels = [_text(text, look) for text in format_custom_ticks(axis)]
        yield _format_call(f"ax.set_{name}ticks", values, labels=labels)
        if axis.powers:
            yield f"ax.set_{name}ticks([], minor=True)"
    elif axis.names:
        count = len(axis.names)
        places = range(0, count, max(1, round(count / (max_ticks or 24))))
        labels = [_text(axis.names[place], look) for place in places]
        needs_vertical_labels = name == "x" and look.width("  ".join(labels)) > script_axis.length
        rotation = {"rotation": "vertical"} if needs_vertical_labels else {}
        yield _format_call(f"ax.set_{name}ticks", [*places], labels=labels, **rotation)
    elif max_ticks and axis.powers:
        yield f"ax.locator_params(axis={name!r}, numticks={max_ticks})"
    elif max_ticks or axis.origin is not None:
        limit = f", nbins={max_ticks - 1}" if max_ticks else ""
        yield f"ax.locator_params(axis={name!r}, integer={axis.origin is not None}{limit})"


def _write_clocks(face: ClockFaces, parent: str, look: Look, width: float) -> Iterator[Statement]:
    """Yield statements that draw clocks, with code for the angles if float64 is accurate enough."""
    grid, colours = face.grid, look.colours
    x, y = ("sin", "cos") if face.is_clockwise else ("cos", "sin")
    sides = face.x.astype(np.float64), -face.y.astype(np.float64)
    angles = np.arctan2(*(sides if face.is_clockwise else sides[::-1]))
    with np.errstate(over="ignore", invalid="ignore"):
        products = np.multiply.outer(face.positions.astype(np.float64), face.frequencies)
        is_accurate = np.cos(products - angles).min() > 1 - 1e-9
    yield Array("positions", face.positions)
    if is_accurate:
        yield f"frequencies = np.array({face.frequencies.tolist()})"
    yield Array("angles", angles, "np.outer(positions, frequencies)" if is_accurate else "")
    space = 0.8 * width / grid.columns
    forms = (names for names in format_wave_labels(face) if look.max_width(names) <= space)
    names = next(forms, [*map(str, grid.numbers)])
    has_names = "names" not in look.style.hide
    yield f"names = {[_text(name, look) if has_names else '' for name in names]}"
    yield _write_order_colours(look)
    name, first, count = face.counted_items
    limits = f"vmin={first}, vmax={first + count - 1}"
    yield f"axes = {parent}.subplots({grid.rows}, {grid.columns}, squeeze=False)"
    yield (
        "for ax in axes.flat:\n"
        "    ax.set_aspect('equal')\n"
        "    ax.axis('off')\n"
        "circle = np.linspace(0, 2 * np.pi, 100)\n"
        "for ax, angle, name in zip(axes.flat, angles.T, names):\n"
        "    ax.set_title(name, size='medium', y=-0.2)\n"
        f"    ax.plot(np.sin(circle), np.cos(circle), color={colours.muted!r}, linewidth=1)\n"
        f"    x, y = np.{x}(angle), np.{y}(angle)\n"
        f"    image = ax.scatter(x, y, s=6, c=positions, cmap=colours, {limits}, zorder=2)"
    )
    if look.style.cursor == "show":
        yield Array("hands", 2 * np.pi * np.array(face.hands))
        inputs = f"[0, np.{x}(hand)], [0, np.{y}(hand)], color={colours.cursor!r}"
        yield f"for ax, hand in zip(axes.flat, hands):\n    ax.plot({inputs})"
    if look.style.colour_bar:
        yield _write_colour_bar("axes", name, "", parent, look, math.inf)


def _write_colours(name: str, table: npt.NDArray[np.uint8]) -> str:
    if name in maps.MATPLOTLIB_MAPS:
        return f"colours = {name!r}"
    sampled_colours = table[np.linspace(0, len(table) - 1, _COLOUR_COUNT).round().astype(int)]
    shades = [f"#{shade.tobytes().hex()}" for shade in sampled_colours]
    if name.startswith("#"):
        name, shades = "own", name.split()
    return f"colours = LinearSegmentedColormap.from_list({name!r}, {shades})"


def _write_order_colours(look: Look) -> str:
    default = "bright" if look.colours is DARK else maps.ORDER_MAP
    return _write_colours(look.style.colours or default, make_order_colours(look))


def _write_colour_bar(
    axes: str, title: str, unit: str, parent: str, look: Look, length: float, extend: str = ""
) -> str:
    options: dict[str, Any] = {"label": _text(title, look, length)} if look.style.labels else {}
    options |= {"format": f"%g{unit}"} if unit else {}
    options |= {"extend": extend} if extend else {}
    if look.style.bar_ticks is not None:
        options["ticks"] = [*look.style.bar_ticks]
    return _format_call(f"{parent}.colorbar", f"image, ax={axes}", **options)


def _make_label(name: str, look: Look, length: float = math.inf) -> dict[str, Any]:
    """Return the label option, with a space before an underscore that would hide the label."""
    text = _text(name, look, length)
    return {"label": f" {text}" if text.startswith("_") else text} if text else {}


def _text(text: str, look: Look, length: float = math.inf) -> str:
    """Wrap text for matplotlib, and convert Greek letters and powers to formulas.

    Return the text unchanged if the user typed it and it contains a formula.
    """
    typed_texts = look.style.title, look.style.subtitle, *dict(look.style.texts).values()
    if text in typed_texts and has_formula(text):
        return text
    if length < look.width(text):
        char_count = math.ceil(1.2 * len(text) / math.ceil(look.width(text) / length))
        text = textwrap.fill(text, char_count, break_long_words=False)  # lines of similar length
    text = _SYMBOL_PATTERN.sub(_format_formula, text.replace("$", r"\$"))
    return re.sub("[⁺⁻]?[⁰¹²³⁴-⁹]+", lambda match: f"$^{{{normalize('NFKC', match[0])}}}$", text)


def _format_formula(match: re.Match[str]) -> str:
    letter, index = match.groups()
    symbol = name_of(letter).split()[-1].replace("LAMDA", "LAMBDA")
    symbol = symbol.lower() if letter.islower() else symbol.capitalize()
    return rf"$\{symbol}_{{{normalize('NFKC', index)}}}$" if index else rf"$\{symbol}$"


def _format_call(function: str, *inputs: Any, **options: Any) -> str:
    words = [*map(str, inputs), *(f"{name}={value!r}" for name, value in options.items())]
    return f"{function}({', '.join(words)})"


def _format_statement(statement: Statement) -> str:
    if isinstance(statement, Array) and not statement.code:
        return _format_values(statement.name, statement.values)
    text = statement if isinstance(statement, str) else f"{statement.name} = {statement.code}"
    if "\n" in text or len(text) <= _MAX_LINE_LENGTH:
        return text
    text = _UNBREAKABLE_PATTERN.sub(lambda part: part[0].replace(" ", "\0"), text)
    lines = textwrap.wrap(
        text,
        _MAX_LINE_LENGTH,
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).replace("\0", " ")


def _format_values(name: str, values: npt.NDArray[Any]) -> str:
    """Return a statement that assigns an array.

    Use ``linspace`` if the differences are equal, and ``geomspace`` if the ratios are equal.
    Otherwise, list all values.
    """
    if values.ndim == 1 and len(values) > 2 and np.isfinite(values).all():
        logarithms = np.log(values) if values.min() > 0 else values
        for function, numbers in (("linspace", values), ("geomspace", logarithms)):
            steps = np.diff(numbers)
            if np.ptp(steps) <= 1e-9 * abs(steps[0]):
                return f"{name} = np.{function}({values[0]!s}, {values[-1]!s}, {len(values)})"
    low, high = find_finite_limits(values.astype(np.float64)) or (0.0, 0.0)
    ratio = max(abs(low), abs(high)) / (high - low) if low < high else 1.0
    digits = _SIGNIFICANT_DIGITS + math.ceil(math.log10(min(max(ratio, 1.0), 1e10)))

    def format_value(value: Any) -> str:
        return f"{value:.{digits}g}" if np.isfinite(value) else "np.nan"

    text = np.array2string(
        values,
        _MAX_LINE_LENGTH,
        separator=", ",
        prefix=f"{name} = np.array(",
        threshold=values.size,
        formatter={"float_kind": format_value},
    )
    return f"{name} = np.array({text})"
