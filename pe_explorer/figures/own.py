"""What a style gives a figure instead of its own: texts, curves, axes, colours; what it hides."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.figures.style import LEFT_OUT, CurveStyle, Style
from pe_explorer.params import ParameterError, printed, quoted
from pe_explorer.pictures.figure import Band, Cells, Curve, Figure, Panel, PanelAxis, Rectangle
from pe_explorer.pictures.limits import finite_ends
from pe_explorer.pictures.pixels import colour_indices
from pe_explorer.pictures.table import TextTable

X, Y, BAR = "x title", "y title", "bar title"
"""What titles are called: those of all panels, or after the name of a panel its own."""
_TYPED_FORMULA = re.compile(r"\$(?!\s)[^$]+(?<!\s)\$(?!\d)")  # as in Markdown; not $5 and $6
_MOST_LISTED = 8  # texts that a sentence lists
_LEAST = 1e-300  # in the place of 0 and less on a logarithmic axis: far beyond its end
_NO_PLACE = "has no place on a logarithmic axis"
_LARGEST = 9e307  # with its margin, a linear axis of larger values overflows
_LEAST_POWERS = 1.0  # powers of ten that a logarithmic axis shows at least
_MARGIN = 0.03  # share of the range of numbers left free above and below the curves
_ROUNDING = 1e-12  # of the distance of two limits: what lies no further beyond is not clipped


def with_own(figure: Figure, style: Style) -> Figure:
    """Return a figure with the texts, curves, axes and colours of a style, without what it hides.

    Raises
    ------
    ParameterError
        If a limit or a number of a curve has no place on an axis.
    """
    hidden, face = dict.fromkeys(style.hide, ""), figure.clocks
    own = {old: hidden.get(new, new) for old, new in style.texts} | hidden
    lines = {name: CurveStyle.read("curves", words) for name, words in style.curves}
    if face is not None and own:
        title, first, count = face.counted
        face = face._replace(counted=(_called(own, title, BAR), first, count))
    barless = [it.cells for it in figure.panels if it.cells is not None and not it.has_bar]
    has_values, panels = any(map(has_axes_of_values, figure.panels)), []
    for each in figure.panels:
        panel = _with_own_curves(_without(each, style.hide), own, lines)
        panel = _coloured(_shaped(_renamed(panel, own), style), barless, style)
        if has_axes_of_values(panel) or not has_values:  # values mean nothing beside cells
            x, y = replace(panel.x, ticks=style.x_ticks), replace(panel.y, ticks=style.y_ticks)
            panel = panel._replace(x=x, y=y)
        panels.append(panel)
    return figure._replace(
        panels=tuple(panels),
        clocks=face,
        note=None if "notes" in hidden else figure.note,
        table=None if "table" in hidden else _without_texts(figure.table, hidden),
        hidden=tuple(hidden.keys() & {*_texts(figure), *_other_texts(figure)}),
    )


def note_on_texts(figures: Iterable[Figure], style: Style) -> str:
    """Return a sentence on texts that a style has and no figure, an empty text for none.

    `figures` have the texts of the style already.
    """
    known: dict[str, None] = {}
    curves: dict[str, None] = {}
    others = {X, Y, BAR, *LEFT_OUT}
    for figure in figures:
        known.update(dict.fromkeys(text for text in _texts(figure) if text))
        others.update(f"{panel.name} {each}" for panel in figure.panels for each in (X, Y, BAR))
        others.update(figure.hidden)
        named = [curve for panel in figure.panels for curve in panel.curves if curve.name]
        curves.update((text, None) for it in named for text in (it.called, it.own, it.name) if text)
    texts = [old for old, new in style.texts if new not in known]
    sentences = []
    for noun, wanted, has in (
        ("text", [*texts, *style.hide], known),
        ("curve", [name for name, _ in style.curves if name not in curves], curves),
    ):
        if lacking := [text for text in wanted if text not in others]:
            listed = ", ".join(map(quoted, list(has)[:_MOST_LISTED])) or "none"
            fault = f"the figure has no {noun} {quoted(lacking[0])}; it has {listed}."
            sentences.append(f"Own {noun}s: {fault}")
    return " ".join(sentences)


def has_formula(text: str) -> bool:
    """Return whether a typed text has a formula between $ signs, which only matplotlib draws."""
    return bool(_TYPED_FORMULA.search(text))


def note_on_formulas(style: Style) -> str:
    """Return a sentence on formulas in the texts of a style, an empty text where it has none."""
    typed = (style.title, style.subtitle, *(new for _, new in style.texts))
    if not any(map(has_formula, typed)):
        return ""
    return "Formulas between $ signs are plain text here; the matplotlib script draws them."


def _texts(figure: Figure) -> Iterator[str]:
    if figure.clocks is not None:
        yield figure.clocks.counted[0]
    for panel in figure.panels:
        yield from (panel.x.title, panel.y.title, panel.heading)
        if panel.cells is not None:
            yield panel.cells.title
        if panel.trail is not None:
            yield panel.trail.counted[0]
        yield from (curve.called for curve in panel.legend)
        yield from (level.name for level in panel.levels)
        yield from (mark.label for mark in panel.marks)


def _other_texts(figure: Figure) -> Iterator[str]:
    """Yield texts by which something can be hidden, but not replaced."""
    for panel in figure.panels:
        yield from (text for curve in panel.curves for text in (curve.name, curve.called))
    if figure.table is not None:
        yield from (*figure.table.titles, *(row[0] for row in figure.table.rows))


# -- what is left out ------------------------------------------------------------------------------

_OF_PANELS: Mapping[str, dict[str, Any]] = {
    "shading": {"shaded": ()},
    "hatching": {"hatched": ()},
    "dots": {"dots": ()},
    "levels": {"levels": ()},
    "marks": {"marks": ()},
    "badges": {"badge": "", "band_name": ""},
    "legend": {"has_legend": False},
}


def _without(panel: Panel, words: Iterable[str]) -> Panel:
    """Return a panel without what some words stand for."""
    for word in _OF_PANELS.keys() & words:
        panel = panel._replace(**_OF_PANELS[word])
    if "names" in words:
        marks = (mark._replace(label="") for mark in panel.marks)
        levels = (level._replace(name="") for level in panel.levels)
        panel = panel._replace(marks=tuple(marks), levels=tuple(levels))
    if "numbers" in words and panel.cells is not None and panel.cells.numbered:
        panel = panel._replace(cells=panel.cells._replace(numbered=False))
    return panel


def hideable(panel: Panel) -> tuple[str, ...]:
    """Return the words of `LEFT_OUT` for what a panel has."""
    differs = {word: zip(panel, _without(panel, [word]), strict=True) for word in LEFT_OUT}
    found = (word for word, pairs in differs.items() if any(one is not two for one, two in pairs))
    return tuple(word for word in found if word != "legend" or panel.legend)


def _without_texts(table: TextTable | None, hidden: Collection[str]) -> TextTable | None:
    """Return a table without hidden rows and columns, None if nothing is left."""
    if table is None or not hidden:
        return table
    rows = [row[0] not in hidden for row in table.rows]
    columns = [title not in hidden for title in table.titles]
    if not any(rows) or not any(columns[1:]):
        return None

    def kept(lines: Iterable[Sequence[Any]], columns: Sequence[bool]) -> tuple[Any, ...]:
        return tuple(tuple(compress(line, columns)) for line in compress(lines, rows))

    return table._replace(
        titles=tuple(compress(table.titles, columns)),
        rows=kept(table.rows, columns),
        details=kept(table.details, columns[1:]),
        spare=sum(rows[len(rows) - table.spare :]),
    )


# -- curves and texts ------------------------------------------------------------------------------


def _with_own_curves(
    panel: Panel, own: Mapping[str, str], lines: Mapping[str, CurveStyle]
) -> Panel:
    """Return a panel with its curves as an author draws them; a hidden one stays without points.

    Dots, and curves without a name, belong to the first curve of their colour. Where an author only
    chooses a colour, the dashes stay.
    """
    if not own and not lines:
        return panel
    curves = []
    shades: dict[str, str] = {}  # by the colours before, empty for that of a hidden curve
    for curve in panel.curves:
        names = curve.name, curve.called
        new = next((own[name] for name in names if name in own), None)
        line = next((lines[it] for it in (*names, new or "") if it in lines), CurveStyle())
        shade = "" if new == "" else line.colour or curve.colour
        if curve.name:
            shades.setdefault(curve.colour, shade)
        else:
            shade = shades.get(curve.colour, shade)
        if not shade:
            curves.append(curve._replace(name="", y=np.full(len(curve.y), np.nan), band=None))
            continue
        dash = line.dash or curve.dash or (curve.colour if line.colour else "")
        curve = curve._replace(colour=shade, dash=dash, width=line.width or 0.0)
        curves.append(curve._replace(name=new, brief="", own=curve.called) if new else curve)
    dots = (dot._replace(colour=shades.get(dot.colour, dot.colour)) for dot in panel.dots)
    return panel._replace(curves=tuple(curves), dots=tuple(dot for dot in dots if dot.colour))


def _called(own: Mapping[str, str], text: str, title: str = "", panel: str = "") -> str:
    """Return what a text becomes: what is chosen for this panel alone, for the text, or for all."""
    chosen = (own.get(key) for key in (f"{panel} {title}", text, title))
    return next((new for new in chosen if new is not None), text)


def _renamed(panel: Panel, own: Mapping[str, str]) -> Panel:
    if not own:
        return panel
    cells, trail = panel.cells, panel.trail
    if cells is not None:
        title = _called(own, cells.title, BAR, panel.name)
        if title != cells.title:
            cells = cells._replace(title=title)
    if trail is not None:
        title, first, count = trail.counted
        trail = trail._replace(counted=(_called(own, title, BAR, panel.name), first, count))
    return panel._replace(
        x=_renamed_axis(panel.x, _called(own, panel.x.title, X, panel.name)),
        y=_renamed_axis(panel.y, _called(own, panel.y.title, Y, panel.name)),
        cells=cells,
        trail=trail,
        levels=tuple(_renamed_lines(panel.levels, "name", own)),
        marks=tuple(_renamed_lines(panel.marks, "label", own)),
        heading=_called(own, panel.heading) or panel.heading,
        has_heading=own.get(panel.heading) != "",
        shaded=() if own.get(panel.shaded_name) == "" else panel.shaded,
        hatched=() if own.get(panel.hatched_name) == "" else panel.hatched,
        shaded_name=_called(own, panel.shaded_name),
        hatched_name=_called(own, panel.hatched_name),
        band_name=_called(own, panel.band_name),
    )


def _renamed_axis(axis: PanelAxis, title: str) -> PanelAxis:
    return axis if title == axis.title else replace(axis, title=title, own=axis.title)


def _renamed_lines(lines: Iterable[Any], field: str, own: Mapping[str, str]) -> Iterator[Any]:
    """Yield the lines across that are not hidden; what they are called is in a `field` of them."""
    for line in lines:
        old = getattr(line, field)
        if (new := own.get(old)) != "":
            yield line if new is None else line._replace(**{field: new, "own": old})


def has_axes_of_values(panel: Panel) -> bool:
    """Return whether the ends of its axes can be chosen: those of curves, not of a square."""
    return panel.y.origin is None and panel.trail is None


class _Change(NamedTuple):
    """An axis before and after a style has changed its ends, and perhaps its scale."""

    before: PanelAxis
    after: PanelAxis

    @property
    def rescales(self) -> bool:
        return self.before.powers != self.after.powers

    def at(self, numbers: Any) -> Any:
        """Return where numbers of the axis are after the change: one number, or an array."""
        if not self.rescales:
            return numbers
        if self.before.powers:
            with np.errstate(over="ignore"):
                found = np.power(10.0, numbers)
        else:
            found = np.log10(np.maximum(numbers + (self.before.origin or 0), _LEAST))
        return found if isinstance(numbers, np.ndarray) else float(found)

    def has(self, number: Any) -> Any:
        """Return whether a number lies on the axis after the change, or which of an array do."""
        return (self.after.low <= number) & (number <= self.after.high)

    def span(self, low: float, high: float) -> tuple[float, float]:
        """Return where a ground begins and ends: at the end of the axis, if it was so before."""
        before, after = self.before, self.after
        begin, end = (min(max(self.at(each), after.low), after.high) for each in (low, high))
        return after.low if low <= before.low else begin, after.high if high >= before.high else end


def _shaped(panel: Panel, style: Style) -> Panel:
    """Return a panel of curves with the chosen axes, and nothing beyond their ends."""
    chosen = (style.x_limits, style.x_scale), (style.y_limits, style.y_scale)
    if not has_axes_of_values(panel) or chosen == ((None, "auto"), (None, "auto")):
        return panel
    x = _Change(panel.x, _ended(panel.x, "x", *chosen[0]))
    y = _Change(panel.y, replace(panel.y, powers=_has_powers(panel.y, style.y_scale)))
    if panel.cells is not None and (x.rescales or y.rescales):
        name, problem = "x-scale" if x.rescales else "y-scale", f"the strip of colours {_NO_PLACE}"
        raise ParameterError(name, problem, "choose auto")
    is_fitted = y.rescales and style.y_limits is None
    y = y._replace(after=_fitted(panel, x, y) if is_fitted else _ended(panel.y, "y", *chosen[1]))

    def stretched(place: Rectangle) -> Rectangle:
        left, right = x.span(place.left, place.right)
        top, bottom = y.span(place.top, place.bottom)
        return Rectangle(left, top, right - left, bottom - top)

    shaded, hatched = (tuple(map(stretched, each)) for each in (panel.shaded, panel.hatched))
    marks = (mark._replace(x=x.at(mark.x)) for mark in panel.marks)
    levels = (level._replace(y=y.at(level.y)) for level in panel.levels)
    dots = (dot._replace(x=x.at(dot.x), y=y.at(dot.y)) for dot in panel.dots)
    across, down = panel.cursor
    return panel._replace(
        x=x.after,
        y=y.after,
        curves=tuple(_moved(curve, x, y) for curve in panel.curves),
        shaded=shaded,
        hatched=hatched,
        marks=tuple(mark for mark in marks if x.has(mark.x)),
        levels=tuple(level for level in levels if y.has(level.y)),
        dots=tuple(dot for dot in dots if x.has(dot.x) and y.has(dot.y)),
        cursor=(None if across is None else x.at(across), None if down is None else y.at(down)),
    )


def _has_powers(axis: PanelAxis, scale: str) -> bool:
    return axis.powers if scale == "auto" else scale == "log"


def _ended(axis: PanelAxis, side: str, limits: tuple[float, float] | None, scale: str) -> PanelAxis:
    """Return an axis of a scale between chosen limits, or between the ends that it has."""
    has_powers, origin, count = _has_powers(axis, scale), axis.origin or 0, axis.count
    if limits is None and has_powers == axis.powers:
        return axis
    low, high = limits or (origin + axis.value(axis.low), origin + axis.value(axis.high))
    if axis.origin is not None:
        count = max(1, math.floor(high) - math.ceil(low) + 1)
    if not has_powers:
        return replace(axis, low=low - origin, high=high - origin, count=count, powers=False)
    if low <= 0:
        name, remedy = f"{side}-limits", "choose numbers above 0"
        if limits is None:
            name, remedy = f"{side}-scale", f"choose {side}-limits above 0, or a linear scale"
            low = low if axis.origin is None else math.ceil(low)
        raise ParameterError(name, f"{printed.brief(low)} {_NO_PLACE}", remedy)
    low, high = math.log10(low), math.log10(high)
    return replace(axis, low=low, high=high, origin=None, count=count, names=(), powers=True)


def _fitted(panel: Panel, x: _Change, y: _Change) -> PanelAxis:
    """Return the upright axis on its other scale, with the ends that curves and levels need."""
    places, numbers = np.empty(0), np.empty(0)
    for curve in panel.curves:
        for each in curve.band[:2] if curve.band else (curve.y,):
            places, numbers = np.append(places, curve.x), np.append(numbers, each)
    shown = np.isfinite(numbers) & x.has(x.at(places))
    places, numbers = places[shown], numbers[shown]
    levels = [level.y for level in panel.levels if y.before.powers or level.y > 0]
    found = y.at(np.append(numbers, levels))
    if not y.after.powers:
        high = float(found.max(initial=0.0, where=found < _LARGEST))
        return y.after.reaching(0.0, high or 1.0, _MARGIN)
    if numbers.min(initial=1.0) <= 0:
        worst = int(numbers.argmin())
        place = f"{panel.x.title} {printed.exact(places[worst] + (panel.x.origin or 0))}"
        problem = f"{printed.brief(numbers[worst])} at {place} {_NO_PLACE}"
        raise ParameterError("y-scale", problem, "choose y-limits above 0, or a linear scale")
    low, high = finite_ends(found) or (-_LEAST_POWERS, 0.0)
    spare = max(0.0, _LEAST_POWERS - (high - low)) / 2
    return y.after.reaching(low - spare, high + spare, _MARGIN)


def _moved(curve: Curve, x: _Change, y: _Change) -> Curve:
    """Return a curve on other scales, on which both ends of a step or a block have their place."""
    if not (x.rescales or y.rescales) or not curve.visible:
        return curve
    places, ground, band = curve.x, curve.filled_to, curve.band
    numbers = np.array([curve.y, *(band[:2] if band else ())])
    has_blocks = band is not None and x.rescales
    if curve.stepped or has_blocks:
        half, ground = (places[1] - places[0]) / 2, 0.0 if curve.stepped else ground
        places = np.column_stack([places - half, places + half]).ravel()
        numbers = numbers.repeat(2, axis=1)
    moved = x.at(places)
    if x.rescales and (has_blocks or ground is not None):
        moved = np.maximum(moved, x.after.low - 1.0)  # out of sight
    elif x.rescales:
        numbers[:, places + (x.before.origin or 0) <= 0] = np.nan
    if y.rescales and ground is not None:
        ground = y.after.low if y.after.powers else 0.0
    heights, *edges = y.at(numbers)
    band = band and Band(edges[0], edges[1], band.exact)
    return curve._replace(x=moved, y=heights, stepped=False, filled_to=ground, band=band)


def _coloured(panel: Panel, barless: Sequence[Cells], style: Style) -> Panel:
    """Return a panel with the chosen colours; its bar serves for cells without one, too."""
    cells = panel.cells
    if cells is None:
        return panel
    if style.limits and cells.unit != "°":
        low, high = style.limits
        spare = _ROUNDING * (high - low)
        ends = [finite_ends(each.values) or (low, high) for each in (cells, *barless)]
        clipped = min(ends)[0] < low - spare, max(most for _, most in ends) > high + spare
        indices = colour_indices(cells.values, (low, high))
        cells = cells._replace(limits=(low, high), indices=indices, clipped=clipped)
    colours = style.colours or cells.colour_map
    return panel._replace(cells=cells._replace(colour_map=colours, ticks=style.bar_ticks))
