"""Facts by name, and the exploration, encoding and table from which facts are computed."""

import math
import string
from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import Subject
from pe_explorer.arrays import Bools, Floats
from pe_explorer.encodings import Encoding, EncodingError, Steady, is_file_based
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import clip_positions

T = TypeVar("T")

_MIN_VISIBLE_DIFFERENCE = 1e-2  # smallest relative difference that three digits always show
_PAIR_COST = 4  # cost of a distance between neighbours, relative to a computed row
MAX_VALUES = 1 << 16
"""The maximum number of values that a fact may compute, which takes about a millisecond."""


class NoFactError(KeyError):
    """An error for a fact that does not exist, or takes too long to compute."""


class Facts:
    """The facts of an exploration by name, and values that several facts share.

    A fact is a number, a text or a sequence of items. It is an entry of `FACTS` or an
    attribute of an object. The objects are searched in this order: the view's `numbers`,
    the view's `options`, the exploration, the encoding. In a text that is repeated for
    each item of a fact, attributes of the item take precedence. A name can be a path,
    such as ``lengths.target``.
    """

    def __init__(
        self, state: Exploration, subject: Subject, numbers: Any = None, options: Any = None
    ) -> None:
        self.state, self.subject, self.numbers, self.options = state, subject, numbers, options
        self.item: Any = None
        self._cache: dict[str, Any] = {}
        self._parent_facts: Facts | None = None

    def with_item(self, item: Any) -> "Facts":
        """Return a copy of the facts to which the attributes of an item are added."""
        facts = Facts(self.state, self.subject, self.numbers, self.options)
        facts.item, facts._parent_facts = item, self
        return facts

    def __getitem__(self, name: str) -> Any:
        return require_fact(self.get(name))

    def get(self, name: str) -> Any:
        """Return a fact, or None if it does not exist or is not finite."""
        if name not in self._cache:
            has_parts = "." in name or "[" in name
            value = self._compute_part(name) if has_parts else self._compute_fact(name)
            value = value.item() if isinstance(value, np.generic) else value
            is_finite = not isinstance(value, float) or math.isfinite(value)
            self._cache[name] = value if is_finite else None
        return self._cache[name]

    def _compute_fact(self, name: str) -> Any:
        try:
            value = getattr(self.item, name, self)  # the default `self` marks a missing attribute
            if value is not self and not callable(value):  # a method is not a fact
                return value
            if self._parent_facts:
                return self._parent_facts.get(name)
            if name in FACTS:
                return FACTS[name](self)
            owners = (self.numbers, self.options, self.state, self.e)
            values = (getattr(owner, name, None) for owner in owners)
            return next((v for v in values if v is not None and not callable(v)), None)
        except (NoFactError, EncodingError):
            return None

    def _compute_part(self, path: str) -> Any:
        try:
            return string.Formatter().get_field(path, (), self)[0]  # type: ignore[arg-type]
        except (LookupError, AttributeError, TypeError):
            return None

    def cast_numbers(self, kind: type[T]) -> T:
        """Return the numbers of the view if they have the type `kind`, or raise `NoFactError`."""
        require(isinstance(self.numbers, kind))
        return cast(T, self.numbers)

    @property
    def e(self) -> Encoding:
        """The encoding of the subject."""
        return self.subject.encoding

    @cached_property
    def waves(self) -> Steady:
        """The encoding if it has waves of constant frequency; otherwise raises `NoFactError`."""
        e = self.cast_encoding(Steady)
        require(len(e.turns))
        return e

    def cast_encoding(self, kind: type[T]) -> T:
        """Return the encoding if it has the type `kind`, or raise `NoFactError`."""
        require(isinstance(self.e, kind))
        return cast(T, self.e)

    @cached_property
    def shown_rows(self) -> range:
        """The shown positions for which the encoding has rows."""
        return clip_positions(self.state.positions, self.subject.domain)

    def require_few_numbers(self, numbers: int) -> None:
        """Raise `NoFactError` if a fact is too expensive, or if no rows are shown.

        A fact is too expensive if it needs a file or more than `MAX_VALUES` values.
        """
        has_file_encoding = any(is_file_based(e) for e in self.subject.encodings)
        require(self.shown_rows and numbers <= MAX_VALUES and not has_file_encoding)

    @cached_property
    def table(self) -> Floats:
        """The values of the shown rows."""
        self.require_few_numbers(len(self.shown_rows) * self.subject.width)
        values = self.subject.table(self.shown_rows)
        require(values.size and np.isfinite(values).all())
        return values

    @cached_property
    def row_lengths(self) -> Floats:
        """The Euclidean norm of each shown row."""
        return np.asarray(np.linalg.norm(self.table, axis=1))

    @cached_property
    def completing(self) -> Bools:
        """Whether each wave completes a turn within the shown rows."""
        return self.waves.completes_turn(self.state.count)

    @cached_property
    def wavelengths(self) -> Floats:
        """The wavelengths of the pairs (of all waves if there are no pairs), in ascending order."""
        return np.sort(self.waves.wavelengths()[: self.waves.pairs or None])

    @cached_property
    def curve(self) -> Floats:
        """The distances (or similarities) between the shown rows and the reference."""
        self.require_few_numbers(len(self.shown_rows) * self.e.width)
        reference, metric = self.state.reference, self.state.metric
        require(reference in self.e.domain)
        return distance.from_reference(self.e, reference, self.shown_rows, metric)

    @cached_property
    def neighbours(self) -> Floats:
        """The finite distances between consecutive shown rows."""
        require(not distance.is_similarity(self.state.metric) and len(self.table) >= 2)
        if not distance.depends_on_offset(self.e, self.state.metric):
            self.require_few_numbers(_PAIR_COST * self.table.size)
        distances = distance.measure_neighbours(self.e, self.shown_rows, self.state.metric)
        require(np.isfinite(distances).any())
        return distances[np.isfinite(distances)]


def require(condition: object) -> None:
    """Raise `NoFactError` if a condition is false."""
    if not condition:
        raise NoFactError


def require_fact(value: T | None) -> T:
    """Return a fact, or raise `NoFactError` if it is None."""
    if value is None:
        raise NoFactError
    return value


def find_distinct_maximum(lengths: Floats) -> float | None:
    """Return the largest length, or None if all lengths are almost equal."""
    largest = float(lengths.max())
    return largest if largest - float(lengths.min()) >= _MIN_VISIBLE_DIFFERENCE * largest else None


FACTS: dict[str, Callable[[Facts], Any]] = {}
"""The functions that compute facts, by name of the fact; other modules add entries."""


def register_fact(function: Callable[[Facts], T]) -> Callable[[Facts], T]:
    """Register a function as the fact with the same name."""
    FACTS[function.__name__] = function
    return function
