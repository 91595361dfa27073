"""The panes of a window as people write them: ``heatmap,clocks``."""

from collections.abc import Sequence
from dataclasses import replace

from pe_explorer import pictures
from pe_explorer.exploration import Panes, panes_of
from pe_explorer.exploration.panes import arranged

PANES_HELP = "one to three views, such as heatmap,clocks; the first is the main and the active one"
ACTIVE_HELP = "the view whose sentence stands below the panes (default: the first)"


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
