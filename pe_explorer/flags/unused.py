"""Which flags of `render`, and settings of a figure, change nothing of it, and why."""

from collections.abc import Mapping
from contextlib import suppress

from pe_explorer import pictures
from pe_explorer.encodings import StoredError
from pe_explorer.exploration import Exploration, Panes
from pe_explorer.figures.own import has_axes_of_values
from pe_explorer.flags.commands import PLATE, WINDOW
from pe_explorer.params import ParameterError, listed
from pe_explorer.pictures.figure import Panel

_REMEDIES = {
    "limits": "leave it out, or draw another part or view",
    "x_limits": "leave it out, or choose what is shown by --positions",
    "y_limits": "leave it out",
    "clocks": "leave it out, or draw clocks",
}
"""What to do about a setting of a figure that is typed and has no effect."""


def drawn_views(what: str, state: Exploration) -> tuple[str, ...]:
    """Return the views that a picture of a view, `WINDOW` or `PLATE` consists of."""
    if what not in (WINDOW, PLATE):
        return (what,)
    return (state.panes or Panes()).views


def check_drawn(what: str, state: Exploration) -> None:
    """Raise `EncodingError` where the exploration has no picture.

    In a picture of the window or in a plate, a view that does not apply says so in its place.
    """
    if what not in (WINDOW, PLATE):
        pictures.check(what, state)
        return
    for name in drawn_views(what, state):
        pictures.find(name).check_known(state)


def unused(what: str, state: Exploration, only: str = "") -> Mapping[str, ParameterError]:
    """Return the fields that have no effect on a picture, with what is said where one is typed.

    `only` is the panel that is drawn alone, empty for all. Fields for other views are kept in the
    session that a file carries; a flag without effect that was typed is a mistake.
    """
    drawn = [pictures.find(name) for name in drawn_views(what, state)]
    names = " and ".join(drawn_views(what, state))
    faults = {}
    if not any("show" in picture.fields for picture in drawn):
        own = [picture.name for picture in drawn if pictures.shows_by_option(picture.name)]
        comparing = [name for name in pictures.names() if pictures.find(name).compares]
        instead = f"give --{own[0]}-show instead" if own else f"draw {listed(comparing, 'or')}"
        fault = f"it is for the heatmap, which a picture of {names} does not have"
        faults["show"] = fault, f"leave it out, or {instead}"
    if not any("name" in picture.fields for picture in drawn):
        faults["name"] = f"a picture of {names} names no encoding beside pins", "leave it out"
    why = without_effect(what, state, only)
    faults |= {name: (why[name], remedy) for name, remedy in _REMEDIES.items() if name in why}
    return {name: ParameterError(name, *fault) for name, fault in faults.items()}


def without_effect(what: str, state: Exploration, only: str = "") -> Mapping[str, str]:
    """Return the fields of `Style` that change nothing of a figure, with the reasons.

    `only` is the panel that is drawn alone, empty for all.
    """
    views = drawn_views(what, state)
    drawn, has_clocks = [pictures.find(name) for name in views], "clocks" in views
    needs = {"clocks": (has_clocks, "clocks")}
    with suppress(StoredError):  # of a table that is missing nothing is known
        frames = [picture.frame(state) for picture in drawn]
        limited = {panel for picture in drawn for panel in picture.limited_colours(state)}
        if any(panel.name == only for frame in frames for panel in frame.panels):
            limited &= {only}
        panels = [panel for frame in frames for panel in frame.only(only).panels]
        needs |= _needs_of_panels(panels, has_limited=bool(limited), has_clocks=has_clocks)
    figure = f"this picture of {' and '.join(views)}"
    return {name: f"{figure} has no {need}" for name, (there, need) in needs.items() if not there}


def _needs_of_panels(
    panels: list[Panel], *, has_limited: bool, has_clocks: bool
) -> dict[str, tuple[bool, str]]:
    """Return what settings change, by their names: whether a figure has it, and its name."""
    has_curves = any(map(has_axes_of_values, panels))
    has_trail = any(panel.trail is not None for panel in panels)
    has_cells = any(panel.y.origin is not None for panel in panels)
    has_colours = has_cells or has_trail or has_clocks or has_limited
    return {
        "limits": (has_limited, "colours that stand for numbers between two limits"),
        "x_limits": (has_curves, "axes of curves"),
        "y_limits": (has_curves, "axes of curves"),
        "legend": (has_curves, "curves"),
        "line_width": (has_curves or has_trail, "curves"),
        "colour_bar": (has_colours, "colours that stand for numbers"),
        "grid": (bool(panels), "axes"),
        "upward": (any(panel.y.down for panel in panels), "axis that counts downward"),
    }
