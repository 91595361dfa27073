"""What a figure holds: its session, how it was drawn, and the command that draws it."""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from pe_explorer import pictures
from pe_explorer.exploration import Exploration
from pe_explorer.figures.size import FigureSize, parse_figure_size
from pe_explorer.figures.style import KEY, OF, Style, style_in, with_style
from pe_explorer.files.session import COMMAND, shared
from pe_explorer.flags import PLATE, SCALE, RenderSettings, render_line
from pe_explorer.params import ParameterError


class FigureRequest(NamedTuple):
    """How a figure is drawn: a view or a plate, perhaps one part of it, its size and its style."""

    view: str
    size: FigureSize
    style: Style
    scale: float = 1.0
    only: str = ""


def carried_by(
    request: FigureRequest, state: Exploration, extra: Mapping[str, Any], target: Path | None
) -> str:
    """Return the session that a figure holds: from it alone, the same figure is drawn again.

    `state` is what it shows, without what has no effect on it, and `extra` what the session of the
    document holds besides. Names of files are relative to the folder of `target`, the figure, which
    need not exist.
    """
    return shared(state, extra_with(request, state, extra, target), target and target.parent)


def extra_with(
    request: FigureRequest, state: Exploration, extra: Mapping[str, Any], target: Path | None
) -> dict[str, Any]:
    """Return what the session of a figure holds besides what is shown; see `carried_by`."""
    view, size, style, scale, only = request
    how = RenderSettings(scale=scale, only=only)
    settings = {"size": str(size), "scale": repr(scale), "only": only}
    found = with_style(extra, view, style, settings)
    with suppress(ParameterError):  # no command has an encoding that is not known here
        line = render_line(view, state, size, how, target or view, style, names_output=False)
        found[COMMAND] = line
    return found


def request_in(extra: Mapping[str, Any]) -> FigureRequest | None:
    """Return how the figure was drawn whose session has `extra`; None if it is not a figure's."""
    kept = extra.get(KEY)
    if not isinstance(kept, Mapping) or kept.get(OF) not in (*pictures.names(), PLATE):
        return None
    try:
        size = parse_figure_size(str(kept["size"]))
    except (KeyError, ParameterError):
        return None
    found = FigureRequest(kept[OF], size, style_in(extra, kept[OF], Style.default()))
    with suppress(ParameterError):
        found = found._replace(scale=SCALE.parse("scale", str(kept.get("scale", 1))))
    return found._replace(only=str(kept.get("only", "")))
