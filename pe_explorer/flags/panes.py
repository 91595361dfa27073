"""The panes of a window as people write them: ``heatmap,clocks``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pe_explorer import pictures
from pe_explorer.exploration import Panes, panes_of
from pe_explorer.exploration.panes import arranged
from pe_explorer.params import ParameterError, did_you_mean, quoted

__all__ = ["ACTIVE_HELP", "PANES_HELP", "chosen_panes", "pane_words", "parse_panes"]

PANES_HELP = "one to three views, such as heatmap,clocks; the first is the main and the active one"
ACTIVE_HELP = "the view whose sentence stands below the panes (default: the first)"


def parse_panes(text: str) -> tuple[str, ...]:
    """Return the names of views that a text such as ``heatmap,clocks`` lists.

    Raises
    ------
    ParameterError
        If one is not known or named twice, or if they are too many or none.
    """
    listed = text.strip(" ,;")
    views = re.split(r"[\s,;]+", listed) if listed else []
    known = pictures.names()
    for view in views:
        if view not in known:
            remedy = did_you_mean(view, known) or f"; choose from {', '.join(known)}"
            raise ParameterError("panes", f"{quoted(view)} is not the name of a view{remedy}")
    return panes_of(views).views


def chosen_panes(
    before: Panes | None, views: Sequence[str] = (), arrangement: str = "", active: str = ""
) -> Panes | None:
    """Return the panes that flags ask for; those of `before` where a flag is left out.

    Raises
    ------
    ParameterError
        If the arrangement is for another number of views, or the active one is not among them.
    """
    panes = before
    if views:
        panes = panes_of(views, arrangement)
    elif arrangement:
        panes = arranged(panes or Panes(), arrangement, pictures.names())
    return replace(panes or Panes(), active=active) if active else panes


def pane_words(panes: Panes) -> list[str]:
    """Return the words of the flags from which `chosen_panes` makes these panes."""
    words = ["--panes", ",".join(panes.views)]
    if panes.arrangement != panes_of(panes.views).arrangement:
        words += ["--arrangement", panes.arrangement]
    if panes.active != panes.views[0]:
        words += ["--active", panes.active]
    return words
