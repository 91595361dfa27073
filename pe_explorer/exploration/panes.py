"""The views in the panes, their arrangement, and the active view."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pe_explorer.params import Choice, Declared, ParameterError, declare, quote_value

ARRANGEMENTS = {
    "one": "one view",
    "beside": "two views side by side",
    "stacked": "two views, one below the other",
    "over-two": "one view above two",
    "three": "three views side by side",
}
_PANE_COUNTS = {"one": 1, "beside": 2, "stacked": 2, "over-two": 3, "three": 3}
_DEFAULT_ARRANGEMENTS = {1: "one", 2: "beside", 3: "over-two"}  # keyed by the number of views


@dataclass(frozen=True)
class Panes(Declared):
    """The views in the panes, the main view first; each view is in at most one pane.

    The number of views must match the arrangement.
    """

    views: tuple[str, ...] = ("heatmap", "clocks", "distances")
    """The names of views from left to right and from top to bottom."""
    arrangement: str = declare(
        Choice("over-two", ARRANGEMENTS, label="Arrangement", help="How the views are placed.")
    )
    active: str = ""
    """The view to copy, to export and to describe in the status line; empty for the first view."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.views:
            if self.views.count(name) > 1:
                raise ParameterError("panes", f"{name} appears twice", "name each view once")
        pane_count, view_count = _PANE_COUNTS[self.arrangement], len(self.views)
        if view_count != pane_count:
            arrangements = [name for name, count in _PANE_COUNTS.items() if count == view_count]
            remedy = f"choose {' or '.join(arrangements) or 'one to three views'}"
            views = "one view" if pane_count == 1 else f"{pane_count} views"
            fault = f"{self.arrangement} is for {views}, not {view_count}"
            raise ParameterError("arrangement", fault, remedy)
        if not self.active:
            object.__setattr__(self, "active", self.views[0])
        if self.active not in self.views:
            fault = f"no pane shows {quote_value(self.active)}"
            raise ParameterError("active", fault, f"choose {' or '.join(self.views)}")


def make_panes(views: Sequence[str], arrangement: str = "", active: str = "") -> Panes:
    """Return panes with the given views; the default arrangement depends on their number."""
    if not 1 <= len(views) <= max(_DEFAULT_ARRANGEMENTS):
        raise ParameterError("panes", f"expected one to three views, got {len(views)}")
    return Panes(tuple(views), arrangement or _DEFAULT_ARRANGEMENTS[len(views)], active)


def show_view(panes: Panes, view: str) -> Panes:
    """Return the panes with a view in the active pane; if it has a pane, activate that pane."""
    if view in panes.views:
        return replace(panes, active=view)
    return swap_views(panes, panes.active, view)


def swap_views(panes: Panes, old: str, new: str) -> Panes:
    """Return the panes with `new` in place of `old`; if both have panes, exchange them."""
    replacements = {old: new, new: old}
    views = tuple(replacements.get(name, name) for name in panes.views)
    return replace(panes, views=views, active=new)


def add_view_beside(panes: Panes, view: str) -> Panes:
    """Return the panes with a view added after the active view.

    If there are already three panes, the view replaces the active view. If the view already
    has a pane, activate that pane.
    """
    if view in panes.views or len(panes.views) == max(_DEFAULT_ARRANGEMENTS):
        return show_view(panes, view)
    views = list(panes.views)
    views.insert(views.index(panes.active) + 1, view)
    return make_panes(views, active=view)


def close_view(panes: Panes, view: str) -> Panes:
    """Return the panes with one view removed, unless it is the only view."""
    remaining_views = tuple(name for name in panes.views if name != view)
    if remaining_views in ((), panes.views):
        return panes
    active = panes.active if panes.active in remaining_views else remaining_views[0]
    return make_panes(remaining_views, active=active)


def put_default_views_first(views: Iterable[str]) -> list[str]:
    """Return the views, starting with the views of the default panes."""
    default_views = Panes().views
    return sorted(views, key=lambda name: name not in default_views)


def arrange(panes: Panes, arrangement: str, candidates: Sequence[str]) -> Panes:
    """Return the panes in another arrangement.

    If the number of panes decreases, keep the active view and the first of the remaining
    views. If it increases, fill the new panes with the first `candidates` without a pane.
    """
    pane_count = _PANE_COUNTS[arrangement]
    hidden_views = [name for name in candidates if name not in panes.views]
    max_count = max(pane_count, len(panes.views))
    views = [*panes.views, *hidden_views][:max_count]
    while len(views) > pane_count:
        last_inactive_view = [name for name in views if name != panes.active][-1]
        views.remove(last_inactive_view)
    return Panes(tuple(views), arrangement, panes.active)
