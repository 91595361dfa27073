"""The figure of a view as a figure of matplotlib, laid out with the widths that its texts have."""

from __future__ import annotations

import threading
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from pe_explorer import pictures
from pe_explorer.exploration import DirectStore, Exploration, Resolved, resolve
from pe_explorer.figures.code import drawn
from pe_explorer.figures.layout import NoRoomError, laid_out, no_room
from pe_explorer.figures.making import Wanted, computed, sufficient_size
from pe_explorer.figures.page import Measure
from pe_explorer.figures.size import FigureSize, parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.params import ParameterError, not_one_of, reason

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_GROUNDS = {"light": "white", "dark": "dark"}  # backgrounds of themes


def figure_of(
    view: str,
    exploration: Exploration,
    size: str | FigureSize,
    theme: str,
    fields: Mapping[str, Any],
) -> Figure:
    """Return the figure of a view; see `figures.matplotlib_figure`."""
    try:
        import matplotlib  # noqa: F401, ICN001 - whether it is there
    except ImportError as error:
        problem = f"matplotlib cannot be imported: {reason(error)}"
        raise ImportError(f'{problem}; pip install "pe-explorer[matplotlib]"') from error
    _require_choice("view", view, pictures.names())
    _require_choice("theme", theme, _GROUNDS)
    style = Style(**{"ground": _GROUNDS[theme], **fields})
    size = parse_figure_size(size) if isinstance(size, str) else size
    state = exploration
    if not isinstance(state, Resolved):
        state = resolve(state, DirectStore())
    wanted, density = [Wanted(view, state)], size.density(size.dpi(style.dpi))
    measure, never = _measure(style.font), threading.Event()
    sized, points = style.for_size(size), size.in_points
    figures = computed(wanted, sized, *points, density, measure, never)
    try:
        layout = laid_out(figures, style, size, measure)
    except NoRoomError:
        least = sufficient_size(wanted, style, size, density, measure, never)
        raise no_room(1, style, size, least) from None
    return drawn(layout, size)


def _require_choice(name: str, chosen: str, choices: Collection[str]) -> None:
    """Raise `ParameterError` where something is not one of the choices."""
    if chosen not in choices:
        raise ParameterError(name, not_one_of(chosen, choices))


def _measure(family: str) -> Measure:
    """Return the measure of texts in a font, as matplotlib writes them."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=[family, "sans-serif"])

    def measure(text: str, size: float) -> float:
        font.set_size(size)
        width, _, _ = text_to_path.get_text_width_height_descent(text, font, False)
        return float(width)

    return measure
