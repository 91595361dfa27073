"""The one place that says why a view has no picture, and what to do: for windows and commands."""

from __future__ import annotations

from collections.abc import Iterable

from pe_explorer.encodings import EncodingError, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.params import capitalised
from pe_explorer.views._contract import Contract

__all__ = ["check", "in_few_words"]


class LackError(EncodingError):
    """A view that has no picture of an encoding; its sentence begins with the encoding."""

    @property
    def sentence(self) -> str:
        """The problem as a sentence."""
        return f"{capitalised(self.problem)}."


def check(view: type[Contract], views: Iterable[type[Contract]], state: Exploration) -> None:
    """Raise `EncodingError` where a view, one of all `views`, has no picture of an exploration."""
    view.check_known(state)
    problem = view.lack(state)
    if not problem:
        return
    way_out = view.remedy(state) or _shown_by(
        [other for other in views if other is not view], state
    )
    raise LackError("encoding", f"{problem}; {way_out}" if way_out else problem)


def in_few_words(view: type[Contract], state: Exploration, error: EncodingError) -> str:
    """Return that nothing is shown, with the error's sentence where that is not long."""
    start = f"{view.title}: nothing is shown"
    for e in view.needed(state).values():
        if isinstance(e, Unknown):
            return f"{start}, as {e.short}."
    return f"{start}. {error.sentence}"


def _shown_by(views: list[type[Contract]], state: Exploration) -> str:
    """Return which views have a picture."""
    views = [view for view in sorted(views, key=_rank) if not view.lack(state)]
    if not views:
        return ""
    titles = " and ".join(view.title for view in views)
    return f"{titles} {'shows' if len(views) == 1 else 'show'} it"


def _rank(view: type[Contract]) -> int:
    return view.rank
