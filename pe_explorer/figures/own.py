"""What a style gives a figure instead of its own: texts, and the ends of the axes of curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError, quoted
from pe_explorer.pictures.figure import Axis, Curve, Figure, Panel, Rectangle

_X, _Y, _BAR = "x title", "y title", "bar title"
"""What stands for the titles of all panels, whatever they are."""
_FEW = 8  # texts that a sentence lists


def with_own(figure: Figure, style: Style) -> Figure:
    """Return a figure with the texts and limits of a style.

    Raises
    ------
    ParameterError
        If a limit has no place on an axis.
    """
    own = dict(style.texts)
    panels = (_limited(_renamed(panel, own), style) for panel in figure.panels)
    return figure._replace(panels=tuple(panels))


def note_on_texts(figures: Iterable[Figure], style: Style) -> str:
    """Return a sentence on texts that a style replaces and no figure has, an empty text for none.

    `figures` have the texts of the style already.
    """
    texts = (text for figure in figures for text in _texts(figure) if text)
    shown = list(dict.fromkeys(texts))
    lacking = [old for old, new in style.texts if new not in shown and old not in (_X, _Y, _BAR)]
    if not lacking:
        return ""
    known = ", ".join(map(quoted, shown[:_FEW]))
    return f"Own texts: the figure has no text {quoted(lacking[0])}; it has {known}."


def _texts(figure: Figure) -> Iterator[str]:
    """Yield the texts of a figure that can be replaced."""
    for panel in figure.panels:
        yield from (panel.x.title, panel.y.title, panel.heading)
        if panel.cells is not None:
            yield panel.cells.title
        yield from (curve.called for curve in panel.legend)


def _renamed(panel: Panel, own: dict[str, str]) -> Panel:
    def called(text: str, role: str = "") -> str:
        return own.get(text) or own.get(role) or text

    cells = panel.cells
    if cells is not None and called(cells.title, _BAR) != cells.title:
        cells = cells._replace(title=called(cells.title, _BAR), brief="")
    return panel._replace(
        x=replace(panel.x, title=called(panel.x.title, _X)),
        y=replace(panel.y, title=called(panel.y.title, _Y)),
        cells=cells,
        curves=tuple(_renamed_curve(curve, own) for curve in panel.curves),
        heading=called(panel.heading),
        shaded_name=called(panel.shaded_name),
        hatched_name=called(panel.hatched_name),
    )


def _renamed_curve(curve: Curve, own: dict[str, str]) -> Curve:
    new = own.get(curve.name) or own.get(curve.called)
    return curve if new is None else curve._replace(name=new, brief="")


def _limited(panel: Panel, style: Style) -> Panel:
    """Return a panel of curves with the chosen ends of its axes."""
    if panel.y.origin is not None:  # of cells
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
    return panel._replace(x=x, y=y, shaded=shaded, hatched=hatched)


def _span(low: float, high: float, before: Axis, after: Axis) -> tuple[float, float]:
    """Return where a ground begins and ends: at the end of the axis, if it was so before."""
    begins = min(low, after.low) if low <= before.low else low
    return begins, max(high, after.high) if high >= before.high else high


def _ended(axis: Axis, name: str, limits: tuple[float, float]) -> Axis:
    """Return an axis with other ends."""
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
