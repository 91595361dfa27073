"""Sessions in figures: the exploration, the style, and the command that draws the figure."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pe_explorer import pictures
from pe_explorer.exploration import (
    DirectStore,
    Exploration,
    ResolvedState,
    ResolvedTables,
    resolve,
)
from pe_explorer.figures.size import FigureSize, parse_figure_size
from pe_explorer.figures.style import FIGURE_KEY, VIEW_KEY, Style, read_style, with_style
from pe_explorer.files.session import COMMAND_KEY, dumps_for_sharing
from pe_explorer.flags import PLATE, SCALE, WINDOW, RenderSettings, format_render_line
from pe_explorer.params import ParameterError


class FigureRequest(NamedTuple):
    """A request to draw a figure of a view or a plate, or of only one part of a view."""

    view: str
    size: FigureSize
    style: Style
    scale: float = 1.0
    only: str = ""


def make_embedded_state(view: str, state: Exploration) -> Exploration:
    """Return the session to embed in an image.

    The panes are included only if the image shows several views. The number of clock columns on the
    screen is included only in images that show clocks.
    """
    if view in (WINDOW, PLATE):
        return state
    single = state.with_(panes=None)
    if view != "clocks" and "clocks" in state.options:
        single = pictures.with_options(single, "clocks", columns=None)
    if single == state:
        return state
    return resolve(
        single, ResolvedTables(state) if isinstance(state, ResolvedState) else DirectStore()
    )


def format_figure_session(
    request: FigureRequest, state: Exploration, extra: Mapping[str, Any], target: Path | None
) -> str:
    """Return the text of the session in a figure, from which the figure can be drawn again.

    `state` is the drawn exploration without values that have no effect, and `extra`
    contains the unknown keys of the document's session. Paths in the session are relative
    to the folder of `target`, the path of the figure, which need not exist.
    """
    values = make_session_values(request, state, extra, target)
    return dumps_for_sharing(state, values, target and target.parent)


def make_session_values(
    request: FigureRequest, state: Exploration, extra: Mapping[str, Any], target: Path | None
) -> dict[str, Any]:
    """Return the values that `format_figure_session` adds to the exploration, by key."""
    view, size, style, scale, only = request
    texts = {"size": str(size), "scale": repr(scale), "only": only}
    keys = with_style(extra, view, style, texts)
    with suppress(ParameterError):  # raised for an unknown encoding, which has no command
        arguments = view, state, size, RenderSettings(scale=scale, only=only), target or view
        keys[COMMAND_KEY] = format_render_line(*arguments, style, has_output_flag=False)
    return keys


def read_figure_request(extra: Mapping[str, Any]) -> FigureRequest | None:
    """Return the figure request in a session's `extra` keys, or None if it is not valid."""
    entry = extra.get(FIGURE_KEY)
    if not isinstance(entry, Mapping) or entry.get(VIEW_KEY) not in (*pictures.names(), PLATE):
        return None
    try:
        size = parse_figure_size(str(entry["size"]))
    except (KeyError, ParameterError):
        return None
    view = entry[VIEW_KEY]
    request = FigureRequest(view, size, read_style(extra, view, Style.default()))
    with suppress(ParameterError):
        request = request._replace(scale=SCALE.parse("scale", str(entry.get("scale", 1))))
    return request._replace(only=str(entry.get("only", "")))
