"""What a style gives a figure instead of its own: texts, and the ends of the axes of curves."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError, quoted
from pe_explorer.pictures.figure import Curve, Figure, Level, Panel, PanelAxis, Rectangle

X, Y, BAR = "x title", "y title", "bar title"
"""What titles are called: those of all panels, or after the name of a panel its own."""
_TYPED_FORMULA = re.compile(r"\$(?!\s)[^$]+(?<!\s)\$(?!\d)")  # as in Markdown; not $5 and $6
_MOST_LISTED = 8  # texts that a sentence lists


def with_own(figure: Figure, style: Style) -> Figure:
    """Return a figure with the texts and limits of a style.

    Raises
    ------
    ParameterError
        If a limit has no place on an axis.
    """
    own = dict(style.texts)
    face = figure.clocks
    if face is not None and own:
        title, first, count = face.counted
        face = face._replace(counted=(_called(own, title, BAR), first, count))
    panels = (_limited(_renamed(panel, own), style) for panel in figure.panels)
    return figure._replace(panels=tuple(panels), clocks=face)


def note_on_texts(figures: Iterable[Figure], style: Style) -> str:
    """Return a sentence on texts that a style replaces and no figure has, an empty text for none.

    `figures` have the texts of the style already.
    """
    known: dict[str, None] = {}
    titles = {X, Y, BAR}
    for figure in figures:
        known.update(dict.fromkeys(text for text in _texts(figure) if text))
        titles |= {f"{panel.name} {each}" for panel in figure.panels for each in (X, Y, BAR)}
    lacking = [old for old, new in style.texts if new not in known and old not in titles]
    if not lacking:
        return ""
    texts = ", ".join(map(quoted, list(known)[:_MOST_LISTED]))
    return f"Own texts: the figure has no text {quoted(lacking[0])}; it has {texts}."


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


def _called(own: dict[str, str], text: str, title: str = "", panel: str = "") -> str:
    """Return what a text becomes: what is chosen for this panel alone, for the text, or for all."""
    chosen = (own.get(key) for key in (f"{panel} {title}", text, title))
    return next(filter(None, chosen), text)


def _renamed(panel: Panel, own: dict[str, str]) -> Panel:
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
        curves=tuple(_renamed_curve(curve, own) for curve in panel.curves),
        levels=tuple(_renamed_level(level, own) for level in panel.levels),
        heading=_called(own, panel.heading),
        shaded_name=_called(own, panel.shaded_name),
        hatched_name=_called(own, panel.hatched_name),
    )


def _renamed_axis(axis: PanelAxis, title: str) -> PanelAxis:
    return axis if title == axis.title else replace(axis, title=title, own=axis.title)


def _renamed_curve(curve: Curve, own: dict[str, str]) -> Curve:
    new = own.get(curve.name) or own.get(curve.called)
    return curve if new is None else curve._replace(name=new, brief="", own=curve.called)


def _renamed_level(level: Level, own: dict[str, str]) -> Level:
    new = own.get(level.name)
    return level if new is None else level._replace(name=new, own=level.name)


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
