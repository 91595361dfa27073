"""Numbers and names of an exploration for the words of the guide, which name them.

A fact is computed when words name it, and only then.
"""

import math
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.facts import distances, shown, waves
from pe_explorer.gallery.facts.set_up import FACTS, Fact, NoFactError, SetUp

_FILES = (shown, waves, distances)  # they add their facts when they are imported


class Facts(Mapping[str, Fact]):
    """The facts of one exploration by their names; `NoFactError` for one that is missing.

    `more` returns those of a view, for names that are not declared here.
    """

    def __init__(
        self, state: Exploration, subject: Subject, more: Callable[[], Mapping[str, Fact]]
    ) -> None:
        self._of = SetUp(state, subject)
        self._more = more
        self._found: dict[str, Fact] = {}

    def __getitem__(self, name: str) -> Fact:
        if name in self._found:
            return self._found[name]
        try:
            with np.errstate(all="ignore"):  # a file may hold any numbers
                found = FACTS[name](self._of) if name in FACTS else self._more()[name]
        except EncodingError as error:
            raise NoFactError(name) from error
        if isinstance(found, float) and not math.isfinite(found):
            raise NoFactError(name)
        self._found[name] = found
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(FACTS)

    def __len__(self) -> int:
        return len(FACTS)
