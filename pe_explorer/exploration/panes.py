"""Which views are seen, in which arrangement, and which of them is the active one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pe_explorer.params import Choice, Declared, ParameterError, declare, quoted

ARRANGEMENTS = {
    "one": "one view",
    "beside": "two views side by side",
    "stacked": "two views, one below the other",
    "over-two": "one view above two",
    "three": "three views side by side",
}
_PLACES = {"one": 1, "beside": 2, "stacked": 2, "over-two": 3, "three": 3}
_USUAL_ARRANGEMENT = {1: "one", 2: "beside", 3: "over-two"}
"""The arrangement of a number of views, if none is chosen."""


@dataclass(frozen=True)
class Panes(Declared):
    """The views in the panes, the main one first; each view is in one pane at most.

    Raises
    ------
    ParameterError
        If a view is named twice, or the arrangement is for another number of views.
    """

    views: tuple[str, ...] = ("heatmap", "clocks", "distances")
    """Names of views, from left to right and from top to bottom."""
    arrangement: str = declare(
        Choice("over-two", ARRANGEMENTS, label="Arrangement", help="How the views are placed.")
    )
    active: str = ""
    """The view that copies, exports and the status line are about; empty for the first."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in self.views:
            if self.views.count(name) > 1:
                raise ParameterError("panes", f"{name} is named twice; name each view once")
        places = _PLACES[self.arrangement]
        number = len(self.views)
        if number != places:
            fitting = " or ".join(name for name in _PLACES if _PLACES[name] == number)
            instead = f"choose {fitting}" if fitting else "name one to three views"
            problem = f"{self.arrangement} is for {_counted(places)}, not {number}"
            raise ParameterError("arrangement", f"{problem}; {instead}")
        if not self.active:
            object.__setattr__(self, "active", self.views[0])
        if self.active not in self.views:
            seen = " or ".join(self.views)
            problem = f"{quoted(self.active)} is in none of the panes; choose {seen}"
            raise ParameterError("active", problem)


def _counted(views: int) -> str:
    return "one view" if views == 1 else f"{views} views"


def panes_of(views: Sequence[str], arrangement: str = "", active: str = "") -> Panes:
    """Return panes with some views; without an arrangement, the usual one for their number."""
    if not 1 <= len(views) <= max(_USUAL_ARRANGEMENT):
        problem = f"{len(views)} views do not fit" if views else "no view is named"
        raise ParameterError("panes", f"{problem}; name one to three")
    return Panes(tuple(views), arrangement or _USUAL_ARRANGEMENT[len(views)], active)


def put_in(panes: Panes, view: str) -> Panes:
    """Return the panes with a view in the active one; a view that is seen becomes active."""
    if view in panes.views:
        return replace(panes, active=view)
    return swapped(panes, panes.active, view)


def swapped(panes: Panes, old: str, new: str) -> Panes:
    """Return the panes with `new` in the place of `old`; where both are seen they change places."""
    other = {old: new, new: old}
    views = tuple(other.get(name, name) for name in panes.views)
    return replace(panes, views=views, active=new)


def add_beside(panes: Panes, view: str) -> Panes:
    """Return the panes with one more view, after the active one; three make room for no other."""
    if view in panes.views or len(panes.views) == max(_USUAL_ARRANGEMENT):
        return put_in(panes, view)
    views = list(panes.views)
    views.insert(views.index(panes.active) + 1, view)
    return panes_of(views, active=view)


def closed(panes: Panes, view: str) -> Panes:
    """Return the panes without a view; the last one stays."""
    rest = tuple(name for name in panes.views if name != view)
    if rest in ((), panes.views):
        return panes
    active = panes.active if panes.active in rest else rest[0]
    return panes_of(rest, active=active)


def default_views_first(views: Iterable[str]) -> list[str]:
    """Return views in their order, but those that are shown at the first start before others."""
    usual = Panes().views
    return sorted(views, key=lambda name: name not in usual)


def arranged(panes: Panes, arrangement: str, others: Sequence[str]) -> Panes:
    """Return the panes in another arrangement.

    Where it has fewer places, the active view and the first others stay; where it has more, the
    first of `others` that are not seen yet fill them.
    """
    places = _PLACES[arrangement]
    added = [name for name in others if name not in panes.views]
    most = max(places, len(panes.views))
    views = [*panes.views, *added][:most]
    while len(views) > places:
        last_inactive = [name for name in views if name != panes.active][-1]
        views.remove(last_inactive)
    return Panes(tuple(views), arrangement, panes.active)
