"""Which flags of `render` change nothing of what is drawn, and why."""

from __future__ import annotations

from collections.abc import Mapping

from pe_explorer import pictures
from pe_explorer.encodings import StoredError
from pe_explorer.exploration import Exploration, Panes
from pe_explorer.figures.own import has_axes_of_values
from pe_explorer.flags.commands import PLATE, WINDOW
from pe_explorer.pictures.picture import AnyPicture


def drawn_views(what: str, state: Exploration) -> tuple[str, ...]:
    """Return the views that a picture of a view, `WINDOW` or `PLATE` consists of."""
    if what not in (WINDOW, PLATE):
        return (what,)
    return (state.panes or Panes()).views


def unused(what: str, state: Exploration, only: str = "") -> Mapping[str, str]:
    """Return the fields that have no effect on a picture, with the reasons.

    `only` is the panel that is drawn alone, empty for all. What a field would do in other views is
    kept in the session that a file carries; a flag that is typed for nothing is a mistake.
    """
    drawn = [pictures.find(name) for name in drawn_views(what, state)]
    names = " and ".join(picture.name for picture in drawn)
    reasons = {}
    if not any("show" in picture.fields for picture in drawn):
        reasons["show"] = _why_not_shown(drawn)
    if not any("name" in picture.fields for picture in drawn):
        reasons["name"] = f"a picture of {names} names no encoding beside pins; leave it out"
    if not _has_limits(drawn, state, only):
        reasons["limits"] = (
            f"this picture of {names} has no colours that stand for numbers between two limits; "
            "leave it out, or draw another part or view"
        )
    if not _has_curves(drawn, state, only):
        why = f"this picture of {names} has no axes of curves; leave it out"
        reasons["x_limits"] = f"{why}, or choose what is shown by --positions"
        reasons["y_limits"] = why
    if not any(picture.name == "clocks" for picture in drawn):
        reasons["clocks"] = f"a picture of {names} has no clocks; leave it out, or draw clocks"
    return reasons


def _has_limits(drawn: list[type[AnyPicture]], state: Exploration, only: str) -> bool:
    """Return whether some colours stand for numbers; True where a missing table hides that."""
    try:
        limited = {panel for picture in drawn for panel in picture.limited_colours(state)}
        panels = {panel.name for picture in drawn for panel in picture.frame(state).panels}
    except StoredError:
        return True
    return bool(limited & {only} if only in panels else limited)


def _has_curves(drawn: list[type[AnyPicture]], state: Exploration, only: str) -> bool:
    """Return whether a left axis has values; True where a missing table hides that."""
    try:
        frames = [picture.frame(state).only(only) for picture in drawn]
    except StoredError:
        return True
    return any(has_axes_of_values(panel) for frame in frames for panel in frame.panels)


def _why_not_shown(drawn: list[type[AnyPicture]]) -> str:
    """Return why a choice for the heatmap changes nothing, and what would."""
    names = " and ".join(picture.name for picture in drawn)
    own = [picture.name for picture in drawn if pictures.shows_by_option(picture.name)]
    *comparing, last = (name for name in pictures.names() if pictures.find(name).compares)
    instead = f"draw {', '.join(comparing)} or {last}"
    if own:
        instead = f"give --{own[0]}-show instead"
    problem = f"it is for the heatmap, which a picture of {names} does not have"
    return f"{problem}; leave it out, or {instead}"
