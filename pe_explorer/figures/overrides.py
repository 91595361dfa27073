"""Apply the settings of a style to a figure: texts, curves, axes, colours and hidden parts."""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, compress, islice
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.figures.style import HIDEABLE_PARTS, CurveStyle, Style
from pe_explorer.params import ParameterError, printed, quote_value
from pe_explorer.pictures.figure import Band, Cells, Curve, Figure, Panel, PanelAxis, Rectangle
from pe_explorer.pictures.limits import find_finite_limits
from pe_explorer.pictures.pixels import compute_colour_indices
from pe_explorer.pictures.table import TextTable

X, Y, BAR_TITLE = "x title", "y title", "bar title"
"""Keys of titles in all panels; a key after a panel's name applies only to that panel."""
# As in Markdown, "$5 and $6" contains no formula.
_FORMULA_PATTERN = re.compile(r"\$(?!\s)[^$]+(?<!\s)\$(?!\d)")
_MAX_LISTED_TEXTS = 8  # maximum number of texts listed in a message
_MIN_LOG_VALUE = 1e-300  # replacement for values on a logarithmic axis that are not positive
_LOG_AXIS_PROBLEM = "cannot be shown on a logarithmic axis"
_MAX_VALUE = 9e307  # maximum value on a linear axis; for larger values, its margin would overflow
_MIN_AXIS_POWERS = 1.0  # minimum length of a logarithmic axis, in powers of ten
_MARGIN = 0.03  # margin above and below the curves, as a fraction of the axis
_TOLERANCE = 1e-12  # tolerance for rounding errors, relative to the distance between the limits


def with_overrides(figure: Figure, style: Style) -> Figure:
    """Apply texts, curves, axes and colours of a style to a figure, and remove hidden parts.

    Raises
    ------
    ParameterError
        If a limit or a value of a curve cannot be placed on an axis.
    """
    hidden_texts, face = dict.fromkeys(style.hide, ""), figure.clocks
    texts = {old: hidden_texts.get(new, new) for old, new in style.texts} | hidden_texts
    styles = {name: CurveStyle.read("curves", words) for name, words in style.curves}
    if face is not None:
        title = _find_replacement(texts, face.counted_items[0], BAR_TITLE)
        face = face._replace(counted_items=(title, *face.counted_items[1:]))
    # Cells without a colour bar use the limits and colours of another panel's bar.
    barless_cells = [panel.cells for panel in figure.panels if panel.cells and not panel.has_bar]
    has_values, panels = any(map(has_axes_of_values, figure.panels)), []
    for panel in figure.panels:
        panel = _with_curve_styles(_hide_parts(panel, style.hide), texts, styles)
        panel = _with_axes(_with_texts(panel, texts) if texts else panel, style)
        panel = _with_colours(panel, barless_cells, style)
        if has_axes_of_values(panel) or not has_values:  # ticks of curves do not apply to cells
            x, y = replace(panel.x, ticks=style.x_ticks), replace(panel.y, ticks=style.y_ticks)
            panel = panel._replace(x=x, y=y)
        panels.append(panel)
    return figure._replace(
        panels=tuple(panels),
        clocks=face,
        note=None if "notes" in hidden_texts else figure.note,
        table=None if "table" in hidden_texts else _hide_table_parts(figure.table, hidden_texts),
        removed_texts=tuple(hidden_texts.keys() & {*_list_texts(figure), *_names(figure)}),
    )


def format_texts_note(figures: Sequence[Figure], style: Style) -> str:
    """Return a warning about texts in a style that no figure contains.

    Return an empty string if every text occurs in a figure. The texts of the style must
    already be applied to `figures`.
    """
    panels = [panel for figure in figures for panel in figure.panels]
    texts = dict.fromkeys(filter(None, chain.from_iterable(map(_list_texts, figures))))
    curves = [curve for panel in panels for curve in panel.curves if curve.name]
    names = ((curve.legend_name, curve.original_name, curve.name) for curve in curves)
    curve_names = dict.fromkeys(filter(None, chain.from_iterable(names)))
    known = {X, Y, BAR_TITLE, *HIDEABLE_PARTS}.union(*(figure.removed_texts for figure in figures))
    known.update(f"{panel.name} {title}" for panel in panels for title in (X, Y, BAR_TITLE))
    old_texts = [old for old, new in style.texts if new not in texts]
    missing_curves = [name for name, _ in style.curves if name not in curve_names]
    sentences = []
    for noun, requested, valid_texts in (
        ("text", [*old_texts, *style.hide], texts),
        ("curve", missing_curves, curve_names),
    ):
        if unknown_text := next((text for text in requested if text not in known), ""):
            choices = ", ".join(map(quote_value, islice(valid_texts, _MAX_LISTED_TEXTS))) or "none"
            fault = f"the figure has no {noun} {quote_value(unknown_text)}. It has {choices}."
            sentences.append(f"Custom {noun}s: {fault}")
    return " ".join(sentences)


def has_formula(text: str) -> bool:
    """Return whether text contains a formula between $ signs, which only matplotlib renders."""
    return bool(_FORMULA_PATTERN.search(text))


def format_formulas_note(style: Style) -> str:
    """Return a note that formulas are not rendered; empty if the style has no formulas."""
    if not any(map(has_formula, (style.title, style.subtitle, *(new for _, new in style.texts)))):
        return ""
    return "Only the matplotlib script draws formulas between $ signs; figures show them as text."


def _list_texts(figure: Figure) -> Iterator[str]:
    """Yield the texts of a figure that a style can replace."""
    if figure.clocks is not None:
        yield figure.clocks.counted_items[0]
    for panel in figure.panels:
        yield from (panel.x.title, panel.y.title, panel.heading)
        if panel.cells is not None:
            yield panel.cells.title
        if panel.trail is not None:
            yield panel.trail.counted_items[0]
        yield from (curve.legend_name for curve in panel.legend)
        yield from (level.name for level in panel.levels)
        yield from (mark.label for mark in panel.marks)


def _names(figure: Figure) -> Iterator[str]:
    """Yield the names of curves, table columns and table rows, which a style can hide."""
    for panel in figure.panels:
        yield from (text for curve in panel.curves for text in (curve.name, curve.legend_name))
    if figure.table is not None:
        yield from (*figure.table.titles, *(row[0] for row in figure.table.rows))


_HIDDEN_FIELDS: Mapping[str, dict[str, Any]] = {
    "shading": {"shaded_areas": ()},
    "hatching": {"hatched_areas": ()},
    "dots": {"dots": ()},
    "levels": {"levels": ()},
    "marks": {"marks": ()},
    "badges": {"badge": "", "band_name": ""},
    "legend": {"has_legend": False},
}  # the new values of panel fields that hide a part, by its word in `HIDEABLE_PARTS`


def _hide_parts(panel: Panel, words: Iterable[str]) -> Panel:
    for word in _HIDDEN_FIELDS.keys() & words:
        panel = panel._replace(**_HIDDEN_FIELDS[word])
    if "names" in words:
        marks = (mark._replace(label="") for mark in panel.marks)
        levels = (level._replace(name="") for level in panel.levels)
        panel = panel._replace(marks=tuple(marks), levels=tuple(levels))
    if "numbers" in words and panel.cells is not None and panel.cells.has_numbers:
        panel = panel._replace(cells=panel.cells._replace(has_numbers=False))
    return panel


def list_hideable_parts(panel: Panel) -> tuple[str, ...]:
    """Return the names in `HIDEABLE_PARTS` of the parts that a panel has."""

    def has_effect(word: str) -> bool:
        areas = {"shading": panel.shaded_areas, "hatching": panel.hatched_areas}.get(word)
        if areas is not None and all(area.is_empty for area in areas):
            return False
        pairs = zip(panel, _hide_parts(panel, [word]), strict=True)
        is_changed = any(old is not new for old, new in pairs)
        return is_changed and bool(word != "legend" or panel.legend)

    return tuple(filter(has_effect, HIDEABLE_PARTS))


def _hide_table_parts(table: TextTable | None, hidden_texts: Collection[str]) -> TextTable | None:
    """Return a table without hidden rows and columns, or None if no values remain."""
    if table is None or not hidden_texts:
        return table
    rows = [row[0] not in hidden_texts for row in table.rows]
    columns = [title not in hidden_texts for title in table.titles]
    if not any(rows) or not any(columns[1:]):
        return None

    def select_cells(cells: Iterable[Sequence[Any]], columns: Sequence[bool]) -> tuple[Any, ...]:
        return tuple(tuple(compress(row, columns)) for row in compress(cells, rows))

    return table._replace(
        titles=tuple(compress(table.titles, columns)),
        rows=select_cells(table.rows, columns),
        details=select_cells(table.details, columns[1:]),
        spare_row_count=sum(rows[len(rows) - table.spare_row_count :]),
    )


def _with_curve_styles(
    panel: Panel, texts: Mapping[str, str], styles: Mapping[str, CurveStyle]
) -> Panel:
    """Apply names and styles to curves.

    A hidden curve remains in the panel, but has no visible points. Dots and unnamed curves
    get the new colour of the first named curve with the same old colour. A curve keeps its
    dash pattern if the style replaces only its colour.
    """
    if not texts and not styles:
        return panel
    curves = []
    colours: dict[str, str] = {}  # new colour by old colour; empty for a hidden curve
    for curve in panel.curves:
        names = curve.name, curve.legend_name
        new_name = next((texts[name] for name in names if name in texts), None)
        keys = (key for key in (*names, new_name or "") if key in styles)
        style = styles.get(next(keys, ""), CurveStyle())
        colour = "" if new_name == "" else style.colour or curve.colour
        if curve.name:
            colours.setdefault(curve.colour, colour)
        else:
            colour = colours.get(curve.colour, colour)
        if not colour:
            curves.append(curve._replace(name="", y=np.full(len(curve.y), np.nan), band=None))
            continue
        dash = style.dash or curve.dash or (curve.colour if style.colour else "")
        curve = curve._replace(colour=colour, dash=dash, width=style.width or 0.0)
        if new_name:
            curve = curve._replace(name=new_name, brief="", original_name=curve.legend_name)
        curves.append(curve)
    dots = (dot._replace(colour=colours.get(dot.colour, dot.colour)) for dot in panel.dots)
    return panel._replace(curves=tuple(curves), dots=tuple(dot for dot in dots if dot.colour))


def _find_replacement(texts: Mapping[str, str], text: str, title: str = "", panel: str = "") -> str:
    """Return the replacement of a text, or the text itself if it is not replaced.

    A replacement for the title of `panel` takes precedence over a replacement for the text,
    which takes precedence over a replacement for this title in all panels.
    """
    keys = (key for key in (f"{panel} {title}", text, title) if key in texts)
    return texts.get(next(keys, ""), text)


def _with_texts(panel: Panel, texts: Mapping[str, str]) -> Panel:
    def find_replacement(text: str, title: str = "") -> str:
        return _find_replacement(texts, text, title, panel.name)

    def with_title(axis: PanelAxis, key: str) -> PanelAxis:
        title = find_replacement(axis.title, key)
        return axis if title == axis.title else replace(axis, title=title, original_name=axis.title)

    def with_names(lines: Iterable[Any], field: str) -> Iterator[Any]:
        for line in lines:
            old = getattr(line, field)
            if (name := texts.get(old)) != "":
                yield line if name is None else line._replace(**{field: name, "original_name": old})

    trail = panel.trail
    if trail is not None:
        title, first, count = trail.counted_items
        trail = trail._replace(counted_items=(find_replacement(title, BAR_TITLE), first, count))
    return panel._replace(
        x=with_title(panel.x, X),
        y=with_title(panel.y, Y),
        cells=panel.cells
        and panel.cells._replace(title=find_replacement(panel.cells.title, BAR_TITLE)),
        trail=trail,
        levels=tuple(with_names(panel.levels, "name")),
        marks=tuple(with_names(panel.marks, "label")),
        heading=find_replacement(panel.heading) or panel.heading,
        has_heading=texts.get(panel.heading) != "",
        shaded_areas=() if texts.get(panel.shaded_area_name) == "" else panel.shaded_areas,
        hatched_areas=() if texts.get(panel.hatched_name) == "" else panel.hatched_areas,
        shaded_area_name=find_replacement(panel.shaded_area_name),
        hatched_name=find_replacement(panel.hatched_name),
        band_name=find_replacement(panel.band_name),
    )


def has_axes_of_values(panel: Panel) -> bool:
    """Return whether a panel has axes of values, whose limits can be changed."""
    return panel.y.origin is None and panel.trail is None


class _AxisChange(NamedTuple):
    """An axis before and after a style changes its limits or its scale."""

    old_axis: PanelAxis
    new_axis: PanelAxis

    @property
    def has_new_scale(self) -> bool:
        return self.old_axis.powers != self.new_axis.powers

    def convert(self, values: Any) -> Any:
        """Convert coordinates to the scale after the change.

        `values` can be an array, a float or None, which is returned unchanged.
        """
        if not self.has_new_scale or values is None:
            return values
        if self.old_axis.powers:
            with np.errstate(over="ignore"):
                results = np.power(10.0, values)
        else:
            results = np.log10(np.maximum(values + (self.old_axis.origin or 0), _MIN_LOG_VALUE))
        return results if isinstance(values, np.ndarray) else float(results)

    def contains(self, value: Any) -> Any:
        return (self.new_axis.low <= value) & (value <= self.new_axis.high)

    def convert_span(self, low: float, high: float) -> tuple[float, float]:
        """Convert the ends of an area to the new axis.

        An end that reached the limit of the old axis is moved to the limit of the new axis.
        """
        old, new = self.old_axis, self.new_axis
        ends = np.clip([self.convert(low), self.convert(high)], new.low, new.high).tolist()
        return (new.low if low <= old.low else ends[0], new.high if high >= old.high else ends[1])


def _with_axes(panel: Panel, style: Style) -> Panel:
    """Apply the limits and scales of a style to the axes of curves."""
    x_settings, y_settings = (style.x_limits, style.x_scale), (style.y_limits, style.y_scale)
    if not has_axes_of_values(panel) or x_settings == y_settings == (None, "auto"):
        return panel
    x = _AxisChange(panel.x, _with_limits(panel.x, "x", *x_settings))
    y = _AxisChange(panel.y, replace(panel.y, powers=_has_powers(panel.y, style.y_scale)))
    if panel.cells is not None and (x.has_new_scale or y.has_new_scale):
        name = "x-scale" if x.has_new_scale else "y-scale"
        raise ParameterError(name, f"the strip of colours {_LOG_AXIS_PROBLEM}", "choose auto")
    if y.has_new_scale and style.y_limits is None:
        y = y._replace(new_axis=_fit_y_axis(panel, x, y))
    else:
        y = y._replace(new_axis=_with_limits(panel.y, "y", *y_settings))

    def convert_place(place: Rectangle) -> Rectangle:
        left, right = x.convert_span(place.left, place.right)
        top, bottom = y.convert_span(place.top, place.bottom)
        return Rectangle(left, top, right - left, bottom - top)

    marks = (mark._replace(x=x.convert(mark.x)) for mark in panel.marks)
    levels = (level._replace(y=y.convert(level.y)) for level in panel.levels)
    dots = (dot._replace(x=x.convert(dot.x), y=y.convert(dot.y)) for dot in panel.dots)
    curves = panel.curves
    if x.has_new_scale or y.has_new_scale:
        curves = tuple(_convert_curve(c, x, y) if c.is_visible else c for c in curves)
    return panel._replace(
        x=x.new_axis,
        y=y.new_axis,
        curves=curves,
        shaded_areas=tuple(map(convert_place, panel.shaded_areas)),
        hatched_areas=tuple(map(convert_place, panel.hatched_areas)),
        marks=tuple(mark for mark in marks if x.contains(mark.x)),
        levels=tuple(level for level in levels if y.contains(level.y)),
        dots=tuple(dot for dot in dots if x.contains(dot.x) and y.contains(dot.y)),
        cursor=(x.convert(panel.cursor[0]), y.convert(panel.cursor[1])),
    )


def _has_powers(axis: PanelAxis, scale: str) -> bool:
    return axis.powers if scale == "auto" else scale == "log"


def _with_limits(
    axis: PanelAxis, side: str, limits: tuple[float, float] | None, scale: str
) -> PanelAxis:
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
        raise ParameterError(name, f"{printed.brief(low)} {_LOG_AXIS_PROBLEM}", remedy)
    low, high = math.log10(low), math.log10(high)
    return replace(axis, low=low, high=high, origin=None, count=count, names=(), powers=True)


def _fit_y_axis(panel: Panel, x: _AxisChange, y: _AxisChange) -> PanelAxis:
    """Return a y axis with a new scale that shows the visible points of all curves."""
    lines: list[Any] = [np.empty((2, 0))]
    for curve in panel.curves:
        lines += ([curve.x, edge] for edge in (curve.band[:2] if curve.band else (curve.y,)))
    places, values = np.hstack(lines)
    is_visible = np.isfinite(values) & x.contains(x.convert(places))
    places, values = places[is_visible], values[is_visible]
    levels = [level.y for level in panel.levels if y.old_axis.powers or level.y > 0]
    heights = y.convert(np.append(values, levels))
    if not y.new_axis.powers:
        high = float(heights.max(initial=0.0, where=heights < _MAX_VALUE))
        return y.new_axis.with_ends(0.0, high or 1.0, _MARGIN)
    if values.min(initial=1.0) <= 0:
        index = int(values.argmin())
        place = float(places[index] + (panel.x.origin or 0))
        number = printed.exact(place) if place.is_integer() else printed.fine(place)
        value = printed.brief(values[index])
        problem = f"{value} at {panel.x.title} {number} {_LOG_AXIS_PROBLEM}"
        raise ParameterError("y-scale", problem, "choose y-limits above 0, or a linear scale")
    low, high = find_finite_limits(heights) or (-_MIN_AXIS_POWERS, 0.0)
    extra = max(0.0, _MIN_AXIS_POWERS - (high - low)) / 2
    return y.new_axis.with_ends(low - extra, high + extra, _MARGIN)


def _convert_curve(curve: Curve, x: _AxisChange, y: _AxisChange) -> Curve:
    places, ground, band = curve.x, curve.bar_base, curve.band
    values = np.array([curve.y, *(band[:2] if band else ())])
    has_blocks = band is not None and x.has_new_scale
    if curve.is_stepped or has_blocks:
        half, ground = (places[1] - places[0]) / 2, 0.0 if curve.is_stepped else ground
        places = np.column_stack([places - half, places + half]).ravel()
        values = values.repeat(2, axis=1)
    new_places = x.convert(places)
    if x.has_new_scale and (has_blocks or ground is not None):
        new_places = np.maximum(new_places, x.new_axis.low - 1.0)  # at most 1 left of the axis
    elif x.has_new_scale:
        values[:, places + (x.old_axis.origin or 0) <= 0] = np.nan
    if y.has_new_scale and ground is not None:
        ground = y.new_axis.low if y.new_axis.powers else 0.0
    heights, *edges = y.convert(values)
    band = band and Band(edges[0], edges[1], band.is_exact)
    return curve._replace(x=new_places, y=heights, is_stepped=False, bar_base=ground, band=band)


def _with_colours(panel: Panel, barless_cells: Sequence[Cells], style: Style) -> Panel:
    """Apply the colours and limits of a style, and record which limits clip values."""
    cells = panel.cells
    if cells is None:
        return panel
    if style.limits and cells.unit != "°":
        low, high = style.limits
        tolerance = _TOLERANCE * (high - low)
        ends = [find_finite_limits(part.values) or (low, high) for part in (cells, *barless_cells)]
        is_clipped = min(ends)[0] < low - tolerance, max(end for _, end in ends) > high + tolerance
        indices = compute_colour_indices(cells.values, (low, high))
        cells = cells._replace(limits=(low, high), indices=indices, has_clipped_values=is_clipped)
    colours = style.colours or cells.colour_map
    return panel._replace(cells=cells._replace(colour_map=colours, ticks=style.bar_ticks))
