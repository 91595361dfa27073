"""What a style gives a figure instead of its own: texts, curves, limits; and what it hides."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from typing import Any

import numpy as np

from pe_explorer.figures.style import LEFT_OUT, CurveStyle, Style
from pe_explorer.params import ParameterError, quoted
from pe_explorer.pictures.figure import Figure, Panel, PanelAxis, Rectangle
from pe_explorer.pictures.table import TextTable

X, Y, BAR = "x title", "y title", "bar title"
"""What titles are called: those of all panels, or after the name of a panel its own."""
_TYPED_FORMULA = re.compile(r"\$(?!\s)[^$]+(?<!\s)\$(?!\d)")  # as in Markdown; not $5 and $6
_MOST_LISTED = 8  # texts that a sentence lists


def with_own(figure: Figure, style: Style) -> Figure:
    """Return a figure with the texts, curves and limits of a style, without what that hides.

    Raises
    ------
    ParameterError
        If a limit has no place on an axis.
    """
    hidden, face = dict.fromkeys(style.hide, ""), figure.clocks
    own = {old: hidden.get(new, new) for old, new in style.texts} | hidden
    lines = {name: CurveStyle.read("curves", words) for name, words in style.curves}
    if face is not None and own:
        title, first, count = face.counted
        face = face._replace(counted=(_called(own, title, BAR), first, count))
    panels = (_without(panel, style.hide) for panel in figure.panels)
    panels = (_with_own_curves(panel, own, lines) for panel in panels)
    panels = (_limited(_renamed(panel, own), style) for panel in panels)
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
    typed = (style.title, *(new for _, new in style.texts))
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
    if "numbers" in words and panel.cells is not None:
        panel = panel._replace(cells=panel.cells._replace(numbered=False))
    return panel


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
        dash = line.dash or (curve.colour if line.colour else "")
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


def _limited(panel: Panel, style: Style) -> Panel:
    """Return a panel of curves with the chosen ends of its axes, and nothing beyond them."""
    if not has_axes_of_values(panel) or not (style.x_limits or style.y_limits):
        return panel
    x, y = panel.x, panel.y
    if style.x_limits:
        x = _ended(x, "x-limits", style.x_limits)
    if style.y_limits:
        y = _ended(y, "y-limits", style.y_limits)

    def stretched(place: Rectangle) -> Rectangle:
        left, right = _span(place.left, place.right, panel.x, x)
        top, bottom = _span(place.top, place.bottom, panel.y, y)
        return Rectangle(left, top, right - left, bottom - top)

    shaded, hatched = (tuple(map(stretched, each)) for each in (panel.shaded, panel.hatched))
    return panel._replace(
        x=x,
        y=y,
        shaded=shaded,
        hatched=hatched,
        marks=tuple(mark for mark in panel.marks if x.low <= mark.x <= x.high),
        levels=tuple(level for level in panel.levels if y.low <= level.y <= y.high),
        dots=tuple(d for d in panel.dots if x.low <= d.x <= x.high and y.low <= d.y <= y.high),
    )


def _span(low: float, high: float, before: PanelAxis, after: PanelAxis) -> tuple[float, float]:
    """Return where a ground begins and ends: at the end of the axis, if it was so before."""
    begins = min(low, after.low) if low <= before.low else low
    return begins, max(high, after.high) if high >= before.high else high


def _ended(axis: PanelAxis, name: str, limits: tuple[float, float]) -> PanelAxis:
    low, high = limits
    if axis.powers:
        if low <= 0:
            problem = f"{low:g} has no place on a logarithmic axis"
            raise ParameterError(name, problem, "choose numbers above 0")
        return replace(axis, low=math.log10(low), high=math.log10(high))
    if axis.origin is None:
        return replace(axis, low=low, high=high)
    low, high = low - axis.origin, high - axis.origin
    count = max(1, math.floor(high) - math.ceil(low) + 1)
    return replace(axis, low=low, high=high, count=count)
