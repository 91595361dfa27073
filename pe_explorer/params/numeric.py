"""Kinds of parameter that are numbers, lists of them, or the two ends of a range."""

import math
import numbers
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from pe_explorer.params.errors import ParameterError, quoted
from pe_explorer.params.number_text import SpellingError, real_number, whole_number
from pe_explorer.params.parameter import Parameter

_Take = Callable[[str, Any], Any]

_LARGEST = sys.float_info.max
_MOST_NAMED = 3  # numbers of a list that is written in full where there is little room


def format_whole(value: int) -> str:
    """Return text that `whole_number` reads back as an equal number."""
    return {2**53: "2^53", -(2**53): "-2^53"}.get(value) or str(value)


def format_real(value: float) -> str:
    """Return the shortest text that `real_number` reads back as an equal number."""
    text = repr(float(value)).removesuffix(".0")
    short = f"{value:.0e}"
    if abs(value) >= 1e6 and float(short) == value:
        text = short
    return re.sub(r"e\+?(-?)0*", r"e\1", text)


def _number_words(text: str) -> Iterator[str]:
    """Return what stands between spaces and semicolons, and in JSON's brackets between commas."""
    bracketed = re.fullmatch(r"\s*\[(.*)\]\s*", text, re.DOTALL)
    words = bracketed[1].replace(",", " ") if bracketed else text
    return (found[0] for found in re.finditer(r"[^ \t\r\n;]+", words))


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number from `low` to `high`, both included.

    `slider_range` is the range of a slider; a typed number may be outside. With `log`, equal steps
    of a slider are equal ratios. With `doubling` instead, sixteen equal steps lead from each
    power of two to the next one, so that a slider stops at widths such as 96, 128 and 768. `zero_word`
    is what 0 is called where it stands for something else, such as all; it can be typed, too.
    """

    low: int
    high: int
    slider_range: tuple[int, int] | None = None
    log: bool = False
    doubling: bool = False
    zero_word: str = ""

    kind = "whole number"

    @property
    def limits(self) -> str:
        limits = f"{format_whole(self.low)} to {format_whole(self.high)}"
        return f"{limits}; 0 is {self.zero_word}" if self.zero_word else limits

    def format(self, value: int) -> str:
        return self.zero_word if self.zero_word and value == 0 else format_whole(value)

    def check(self, name: str, value: object) -> int:
        """Return `value`, a whole number of any type but bool, as an int."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise ParameterError(name, f"{quoted(value)} is not a whole number ({self.limits})")
        if isinstance(value, numbers.Integral):
            return self._within(name, int(value))
        number = _as_float(value)
        if not math.isfinite(number):
            raise ParameterError(name, f"{number} is not a whole number ({self.limits})")
        if not number.is_integer():
            problem = f"{number!r} is not a whole number ({self.limits})"
            nearest = self.format(self.clamp(round(number)))
            raise ParameterError(name, problem, f"the nearest is {nearest}")
        return self._within(name, int(number))

    def parse(self, name: str, text: str) -> int:
        """Return the whole number that `text` spells, see `whole_number`, or 0 for its name."""
        if self.zero_word and text.strip().lower() == self.zero_word:
            return 0
        try:
            value = whole_number(text)
        except SpellingError as error:
            nearest = self.format(self.low if error.beyond < 0 else self.high)
            remedy = f"the nearest valid value is {nearest}" if error.beyond else error.remedy
            raise ParameterError(name, f"{error.fault} ({self.limits})", remedy) from None
        return self._within(name, value)

    def clamp(self, value: int) -> int:
        """Return the legal value nearest to `value`."""
        return min(max(value, self.low), self.high)

    def _within(self, name: str, value: int) -> int:
        nearest = self.clamp(value)
        if value != nearest:
            problem = f"{quoted(value)} is outside {self.limits}"
            remedy = f"the nearest valid value is {self.format(nearest)}"
            raise ParameterError(name, problem, remedy)
        return value


@dataclass(frozen=True)
class Real(Parameter):
    """A finite float64 from `low` to `high`; `excludes_low` excludes `low` itself.

    `slider_range`, `log` and `doubling` are those of `Whole`.
    """

    low: float
    high: float
    excludes_low: bool = False
    slider_range: tuple[float, float] | None = None
    log: bool = False
    doubling: bool = False

    kind = "number"

    @property
    def limits(self) -> str:
        low, high = self.format(self.low), self.format(self.high)
        return f"above {low}, at most {high}" if self.excludes_low else f"{low} to {high}"

    def check(self, name: str, value: object) -> float:
        """Return `value`, a real number of any type but bool, as a float."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise ParameterError(name, f"{quoted(value)} is not a number ({self.limits})")
        number = _as_float(value)
        if math.isnan(number):
            raise ParameterError(name, f"nan is not a number ({self.limits})")
        if number != self.clamp(number):
            problem = f"{self.format(number)} is outside the limits ({self.limits})"
            raise ParameterError(name, problem, self._remedy(number))
        return number

    def parse(self, name: str, text: str) -> float:
        """Return the number that `text` spells, see `real_number`."""
        try:
            number = real_number(text)
        except SpellingError as error:
            raise ParameterError(name, f"{error.fault} ({self.limits})", error.remedy) from None
        if math.isinf(number):
            size = "large" if number == math.inf else "small"
            problem = f"{quoted(text)} is too {size} ({self.limits})"
            raise ParameterError(name, problem, self._remedy(number))
        return self.check(name, number)

    def format(self, value: float) -> str:
        """Return the shortest text that `parse` reads back as an equal value."""
        return format_real(value)

    def clamp(self, value: float) -> float:
        """Return the legal value nearest to `value`; a finite one, whatever the limits."""
        low = math.nextafter(self.low, math.inf) if self.excludes_low else self.low
        return min(max(value, low, -_LARGEST), self.high, _LARGEST)

    def _remedy(self, number: float) -> str:
        if self.excludes_low and number <= self.low:  # nobody would choose the number just above
            return f"it must be greater than {self.format(self.low)}"
        return f"the nearest valid value is {self.format(self.clamp(number))}"


@dataclass(frozen=True)
class Numbers(Parameter):
    """A list of numbers, each legal for `item`, at most `longest` of them; it may be empty.

    As text they are separated by spaces or semicolons. Each is read as it would be alone, except
    that a usual space ends it: commas, narrow and non-breaking spaces may stand between
    thousands, and separate no items. A list of JSON, in its brackets, is read as JSON has it.
    """

    item: Real | Whole
    longest: int

    kind = "numbers"

    @property
    def limits(self) -> str:
        return f"up to {self.longest} numbers, each {self.item.limits}"

    def check(self, name: str, value: object) -> tuple[Any, ...]:
        """Return the numbers of a list, an array or the like as a tuple, in their order."""
        items = _ordered(value)
        if items is None:
            problem = f"{quoted(value)} is not a list of numbers ({self.limits})"
            raise ParameterError(name, problem)
        return self._all(name, items, self.item.check)

    def parse(self, name: str, text: str) -> tuple[Any, ...]:
        return self._all(name, _number_words(text), self._read)

    def format(self, value: tuple[Any, ...]) -> str:
        return " ".join(map(self.item.format, value))

    def brief(self, value: tuple[Any, ...]) -> str:
        """Return the numbers for people: of a long list the first, the last and how many."""
        if len(value) <= _MOST_NAMED:
            return self.format(value) or "none"
        first, last = self.item.format(value[0]), self.item.format(value[-1])
        return f"{first} … {last} ({len(value):,} numbers)"

    def _all(self, name: str, items: Iterable[Any], take: _Take) -> tuple[Any, ...]:
        found = []
        for place, item in enumerate(items, 1):
            if place > self.longest:
                raise ParameterError(name, f"more than {self.longest} numbers; remove some")
            try:
                found.append(take(name, item))
            except ParameterError as error:
                raise ParameterError(name, f"number {place}: {error.problem}") from None
        return tuple(found)

    def _read(self, name: str, word: str) -> Any:
        try:
            return self.item.parse(name, word)
        except ParameterError as error:
            if "," not in word:
                raise
            remedy = f"{error.remedy}, or {_SEPARATE}" if error.remedy else _SEPARATE
            raise ParameterError(name, error.fault, remedy) from None


_SEPARATE = "separate numbers by spaces or semicolons"
_NO_LIST = (str, bytes, bytearray, Mapping, Set)  # texts, and collections without an order


def _ordered(value: Any) -> Iterator[Any] | None:
    """Return the items of a collection that has an order, else None."""
    if isinstance(value, _NO_LIST):
        return None
    try:
        items: Iterator[Any] = iter(value)
    except TypeError:  # an array without dimensions has the method, but no items
        return None
    return items


def _as_float(value: numbers.Real) -> float:
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


@dataclass(frozen=True)
class Span(Parameter):
    """Two numbers, each legal for `item`, the lower one first.

    As text there is a space, a semicolon or a comma between them. One with more commas is read as
    two numbers only where a space or a semicolon says which: ``1,000,000 2,000,000``.
    """

    item: Real

    kind = "span"
    limits = "two numbers, the lower one first"

    def check(self, name: str, value: object) -> tuple[float, float]:
        """Return both numbers of a list, an array or the like as a tuple."""
        found = Numbers((), self.item, 2, label=self.label, help=self.help).check(name, value)
        return self._both(name, found, value)

    def parse(self, name: str, text: str) -> tuple[float, float]:
        words = _words(text)
        if len(words) != 2:
            raise self._error(name, text)
        try:
            found = [self.item.parse(name, word) for word in words]
        except ParameterError as error:
            remedies = filter(None, (error.remedy, self._remedy))
            raise ParameterError(name, error.fault, "; ".join(remedies)) from None
        return self._both(name, found, text)

    def format(self, value: tuple[float, float]) -> str:
        return " ".join(map(self.item.format, value))

    def _both(self, name: str, found: Sequence[float], given: object) -> tuple[float, float]:
        if len(found) != 2 or not found[0] < found[1]:
            raise self._error(name, given)
        low, high = found
        return low, high

    def _error(self, name: str, given: object) -> ParameterError:
        return ParameterError(name, f"{quoted(given)} is not {self.limits}", self._remedy)

    @property
    def _remedy(self) -> str:
        return f"write two with a space between, such as {self.format(self.default)}"


def _words(text: str) -> list[str]:
    """Return what stands between spaces and semicolons, or else around the only comma."""
    words = [word for part in _number_words(text) if (word := part.strip(","))]
    return text.split(",") if len(words) == 1 else words
