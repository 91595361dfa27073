"""Facts by their names, and their subject: an exploration, its encoding and its table."""

import math
import string
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import Subject
from pe_explorer.arrays import Bools, Floats
from pe_explorer.encodings import Encoding, EncodingError, Steady, reads_a_file
from pe_explorer.exploration import Exploration

Fact = int | float | str | Sequence[Any]
"""A number, a text, or items whose attributes are facts; a template has the number of items."""
T = TypeVar("T")
Numbers = TypeVar("Numbers")
Kind = TypeVar("Kind", bound=Encoding)

_VISIBLE_DIFFERENCE = 1e-3  # relative difference of two numbers that read differently
_EACH_PAIR = 4  # measuring a pair of neighbours takes as long as computing four rows
MOST_NUMBERS = 1 << 16
"""The most numbers that one fact may compute, in about a millisecond."""


class NoFactError(KeyError):
    """A fact that an exploration lacks, or that would take too long to compute."""


class Facts:
    """The facts of an exploration by their names, and the numbers that several facts share.

    A fact is one of `FACTS`, or else an attribute of the `numbers` of the picture that a text
    stands in, of its `options`, of the exploration or of its encoding. An item of a repeated text
    has attributes, too, which come first. A fact can be a part of one: ``lengths.target``.
    """

    def __init__(
        self,
        state: Exploration,
        subject: Subject,
        numbers: Any = None,
        options: Any = None,
        item: Any = None,
    ) -> None:
        self.state, self.subject, self.numbers = state, subject, numbers
        self.options, self.item = options, item
        self._found: dict[str, Any] = {}
        self._whole: Facts | None = None

    def of(self, item: Any) -> "Facts":
        """Return the facts of an item; the facts of all items are computed once."""
        found = Facts(self.state, self.subject, self.numbers, self.options, item)
        found._whole = self
        return found

    def __getitem__(self, name: str) -> Any:
        return given(self.get(name))

    def get(self, name: str) -> Any:
        """Return a fact, or None where it is missing."""
        if name not in self._found:
            has_parts = "." in name or "[" in name
            found = self._part(name) if has_parts else self._compute(name)
            found = found.item() if isinstance(found, np.generic) else found
            is_finite = not isinstance(found, float) or math.isfinite(found)
            self._found[name] = found if is_finite else None
        return self._found[name]

    def _compute(self, name: str) -> Any:
        try:
            own = getattr(self.item, name, self)
            if own is not self and not callable(own):  # a method, such as `count`, is no fact
                return own
            if self._whole:
                return self._whole.get(name)
            if name in FACTS:
                return FACTS[name](self)
            owners = (self.numbers, self.options, self.state, self.e)
            values = (getattr(owner, name, None) for owner in owners)
            return next((each for each in values if each is not None and not callable(each)), None)
        except (NoFactError, EncodingError):
            return None

    def _part(self, path: str) -> Any:
        """Return a part of a fact, such as ``lengths.target`` or ``shares[0]``."""
        try:
            return string.Formatter().get_field(path, (), self)[0]  # type: ignore[arg-type]
        except (LookupError, AttributeError, TypeError):
            return None

    def numbers_as(self, kind: type[Numbers]) -> Numbers:
        """Return the numbers of the picture, if they are of a kind."""
        require(isinstance(self.numbers, kind))
        return cast(Numbers, self.numbers)

    @property
    def e(self) -> Encoding:
        """The encoding of the subject."""
        return self.subject.encoding

    @cached_property
    def waves(self) -> Steady:
        """The same, if it has steady waves."""
        e = self.known_as(Steady)
        require(len(e.turns))
        return e

    def known_as(self, kind: type[Kind]) -> Kind:
        """Return the encoding, if it is of a kind."""
        require(isinstance(self.e, kind))
        return cast(Kind, self.e)

    @cached_property
    def shown(self) -> range:
        """The rows shown that the encoding has."""
        domain, positions = self.subject.domain, self.state.positions
        start = max(positions.start, domain.start)
        return range(start, max(start, min(positions.stop, domain.stop)))

    def require_few(self, numbers: int) -> None:
        """Raise `NoFactError` where numbers are too many, or have to be read from a file."""
        reading = any(reads_a_file(e) for e in self.subject.encodings)
        require(self.shown and numbers <= MOST_NUMBERS and not reading)

    @cached_property
    def table(self) -> Floats:
        """The table of the rows shown."""
        self.require_few(len(self.shown) * self.subject.width)
        values = self.subject.table(self.shown)
        require(values.size and np.isfinite(values).all())
        return values

    @cached_property
    def row_lengths(self) -> Floats:
        """The lengths of the rows shown."""
        return np.asarray(np.linalg.norm(self.table, axis=1))

    @cached_property
    def completing(self) -> Bools:
        """Which waves complete a turn in as many rows as are shown."""
        return self.waves.completes_turn(self.state.count)

    @cached_property
    def wavelengths(self) -> Floats:
        """The wavelengths of the pairs, fastest first; of all waves where there are no pairs."""
        waves = self.waves
        return np.sort(waves.wavelengths()[: waves.pairs or None])

    @cached_property
    def curve(self) -> Floats:
        """The distances of the rows shown from the reference."""
        self.require_few(len(self.shown) * self.e.width)
        require(self.state.reference in self.e.domain)
        return distance.from_reference(self.e, self.state.reference, self.shown, self.state.metric)

    @cached_property
    def neighbours(self) -> Floats:
        """The distances between each row shown and the next, where they have one."""
        require(not distance.is_similarity(self.state.metric) and len(self.table) >= 2)
        if not distance.depends_on_offset(self.e, self.state.metric):
            self.require_few(_EACH_PAIR * self.table.size)
        found = distance.between_neighbours(self.e, self.shown, self.state.metric)
        require(np.isfinite(found).any())
        return found[np.isfinite(found)]


def require(condition: object) -> None:
    """Raise `NoFactError` if a condition does not hold."""
    if not condition:
        raise NoFactError


def given(found: T | None) -> T:
    """Return a fact, or raise `NoFactError` if it is missing."""
    if found is None:
        raise NoFactError
    return found


def differing(lengths: Floats) -> float | None:
    """Return the greatest of some lengths, if they differ enough to be seen."""
    most = float(lengths.max())
    return most if most - float(lengths.min()) >= _VISIBLE_DIFFERENCE * most else None


FACTS: dict[str, Callable[[Facts], Any]] = {}
"""All facts by their names; other files declare them."""


def fact(find: Callable[[Facts], T]) -> Callable[[Facts], T]:
    """Add a function to the facts, by its name."""
    FACTS[find.__name__] = find
    return find
