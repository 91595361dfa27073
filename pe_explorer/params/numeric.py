"""Parameter kinds for numbers, lists of numbers, and ranges."""

import math
import numbers
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from pe_explorer.params.errors import ParameterError, format_fault, quote_value
from pe_explorer.params.number_text import SpellingError, parse_real_number, parse_whole_number
from pe_explorer.params.parameter import Parameter

_Converter = Callable[[str, Any], Any]

_MAX_FLOAT = sys.float_info.max
_MAX_BRIEF_NUMBERS = 3  # maximum length of a list that `brief` shows in full


def format_integer(value: int) -> str:
    """Return a string that `parse_whole_number` converts back to an equal number."""
    return {2**53: "2^53", -(2**53): "-2^53"}.get(value) or str(value)


def format_real(value: float) -> str:
    """Return a short string that `parse_real_number` converts back to an equal number."""
    text = repr(float(value)).removesuffix(".0")
    short_text = f"{value:.0e}"
    if abs(value) >= 1e6 and float(short_text) == value:
        text = short_text
    return re.sub(r"e\+?(-?)0*", r"e\1", text)


def _split_numbers(text: str) -> Iterator[str]:
    brackets_match = re.fullmatch(r"\s*\[(.*)\]\s*", text, re.DOTALL)
    words = brackets_match[1].replace(",", " ") if brackets_match else text
    return (match[0] for match in re.finditer(r"[^ \t\r\n;]+", words))


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number from `low` to `high`, inclusive.

    Users can type numbers outside `slider_range`. If `log` is set, equal steps of the slider are
    equal ratios. If `has_binary_steps` is set, there are sixteen equal steps from each power of two
    to the next, so that the slider stops at widths such as 96, 128 and 768. If 0 has a special
    meaning, `zero_word` is a word that users can type instead of 0, such as "all".
    """

    low: int
    high: int
    slider_range: tuple[int, int] | None = None
    log: bool = False
    has_binary_steps: bool = False
    zero_word: str = ""

    kind = "whole number"

    @property
    def limits(self) -> str:
        limits = f"{format_integer(self.low)} to {format_integer(self.high)}"
        return f"{limits}; 0 is {self.zero_word}" if self.zero_word else limits

    def format(self, value: int) -> str:
        return self.zero_word if self.zero_word and value == 0 else format_integer(value)

    def check(self, name: str, value: object) -> int:
        """Convert `value` to an int; it may be a whole number of any type except bool."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            remedy = _find_quotes_remedy(self.parse, value)
            raise ParameterError(name, self._make_fault(quote_value(value)), remedy)
        if isinstance(value, numbers.Integral):
            return self._require_limits(name, int(value))
        number = _to_float(value)
        if not math.isfinite(number):
            raise ParameterError(name, self._make_fault(f"{number}"))
        if not number.is_integer():
            raise ParameterError(name, self._make_fault(f"{number!r}"), self._remedy(round(number)))
        return self._require_limits(name, int(number))

    def parse(self, name: str, text: str) -> int:
        if self.zero_word and text.strip().lower() == self.zero_word:
            return 0
        try:
            value = parse_whole_number(text)
        except SpellingError as error:
            end = self.low if error.excess_sign < 0 else self.high
            remedy = self._remedy(end) if error.excess_sign else error.remedy
            fault = f"{self._make_fault(quote_value(text))}{error.cause}"
            raise ParameterError(name, fault, remedy) from None
        return self._require_limits(name, value)

    def clamp(self, value: int) -> int:
        """Return the legal value nearest to `value`."""
        return min(max(value, self.low), self.high)

    def _require_limits(self, name: str, value: int) -> int:
        if value != self.clamp(value):
            raise ParameterError(name, self._make_fault(quote_value(value)), self._remedy(value))
        return value

    def _make_fault(self, value_text: str) -> str:
        limits = self.limits.replace("; 0 is", ", or")
        return f"expected a whole number from {limits}, got {value_text}"

    def _remedy(self, value: int) -> str:
        return f"the nearest valid value is {self.format(self.clamp(value))}"


@dataclass(frozen=True)
class Real(Parameter):
    """A finite float64 from `low` to `high`; if `excludes_low` is set, `low` is excluded.

    See `Whole` for `slider_range`, `log` and `has_binary_steps`.
    """

    low: float
    high: float
    excludes_low: bool = False
    slider_range: tuple[float, float] | None = None
    log: bool = False
    has_binary_steps: bool = False

    kind = "number"

    @property
    def limits(self) -> str:
        low, high = self.format(self.low), self.format(self.high)
        return f"above {low}, at most {high}" if self.excludes_low else f"{low} to {high}"

    def check(self, name: str, value: object) -> float:
        """Convert `value` to a float; it may be a real number of any type except bool."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            remedy = _find_quotes_remedy(self.parse, value)
            raise ParameterError(name, self._make_fault(quote_value(value)), remedy)
        number = _to_float(value)
        if math.isnan(number):
            raise ParameterError(name, self._make_fault(f"{number}"))
        if number != self.clamp(number):
            raise ParameterError(name, self._make_fault(self.format(number)), self._remedy(number))
        return number

    def parse(self, name: str, text: str) -> float:
        try:
            number = parse_real_number(text)
        except SpellingError as error:
            fault = f"{self._make_fault(quote_value(text))}{error.cause}"
            raise ParameterError(name, fault, error.remedy) from None
        if math.isinf(number):
            raise ParameterError(name, self._make_fault(quote_value(text)), self._remedy(number))
        return self.check(name, number)

    def format(self, value: float) -> str:
        return format_real(value)

    def clamp(self, value: float) -> float:
        """Return the finite legal value nearest to `value`."""
        low = math.nextafter(self.low, math.inf) if self.excludes_low else self.low
        return min(max(value, low, -_MAX_FLOAT), self.high, _MAX_FLOAT)

    def _make_fault(self, value_text: str) -> str:
        start = "a number" if self.excludes_low else "a number from"
        return f"expected {start} {self.limits}, got {value_text}"

    def _remedy(self, number: float) -> str:
        if self.excludes_low and number <= self.low:  # the next float64 would be a confusing hint
            return f"it must be greater than {self.format(self.low)}"
        return f"the nearest valid value is {self.format(self.clamp(number))}"


@dataclass(frozen=True)
class Numbers(Parameter):
    """A possibly empty list of at most `longest` numbers, each legal for `item`.

    Spaces or semicolons separate the numbers in a string. Commas, narrow spaces and
    non-breaking spaces are not separators, because they can separate thousands. A JSON list
    in brackets is also accepted.
    """

    item: Real | Whole
    longest: int

    kind = "numbers"

    @property
    def limits(self) -> str:
        return f"up to {self.longest} numbers, each {self.item.limits}"

    def check(self, name: str, value: Any) -> tuple[Any, ...]:
        """Return the numbers in a list, an array or another ordered collection as a tuple."""
        try:
            if isinstance(value, (str, bytes, bytearray, Mapping, Set)):
                raise TypeError
            items = iter(value)
        except TypeError:  # also raised for zero-dimensional arrays
            raise ParameterError(name, format_fault(f"a list of {self.limits}", value)) from None
        return self._convert(name, items, self.item.check)

    def parse(self, name: str, text: str) -> tuple[Any, ...]:
        return self._convert(name, _split_numbers(text), self._parse_item)

    def format(self, value: tuple[Any, ...]) -> str:
        return " ".join(map(self.item.format, value))

    def brief(self, value: tuple[Any, ...]) -> str:
        """Format the numbers for display; shorten a long list to its ends and its length."""
        if len(value) <= _MAX_BRIEF_NUMBERS:
            return self.format(value) or "none"
        first, last = self.item.format(value[0]), self.item.format(value[-1])
        return f"{first} … {last} ({len(value):,} numbers)"

    def _convert(self, name: str, items: Iterable[Any], convert: _Converter) -> tuple[Any, ...]:
        values = []
        for number, item in enumerate(items, 1):
            if number > self.longest:
                raise ParameterError(name, f"expected {self.limits}, got more", "remove some")
            try:
                values.append(convert(name, item))
            except ParameterError as error:
                fault = f"number {number}: {error.fault}"
                raise ParameterError(name, fault, error.remedy) from None
        return tuple(values)

    def _parse_item(self, name: str, word: str) -> Any:
        try:
            return self.item.parse(name, word)
        except ParameterError as error:
            if "," not in word:
                raise
            start = f"{error.remedy}, or " if error.remedy else ""
            remedy = f"{start}separate numbers with spaces or semicolons"
            raise ParameterError(name, error.fault, remedy) from None


def _find_quotes_remedy(parse: _Converter, value: object) -> str:
    """Return the remedy for a number in quotes; empty if `value` is not a number in quotes."""
    try:
        return "remove the quotes" if isinstance(value, str) and [parse("", value)] else ""
    except ParameterError:
        return ""


def _to_float(value: numbers.Real) -> float:
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


@dataclass(frozen=True)
class Span(Parameter):
    """Two numbers, each legal for `item`, the lower one first.

    In a string, a space, a semicolon or a comma separates the numbers. If the numbers contain
    commas, a space or a semicolon is required: ``1,000,000 2,000,000``.
    """

    item: Real

    kind = "span"
    limits = "two numbers, the lower one first"

    def check(self, name: str, value: object) -> tuple[float, float]:
        ends = Numbers((), self.item, 2, label=self.label, help=self.help).check(name, value)
        return self._check_order(name, ends, value)

    def parse(self, name: str, text: str) -> tuple[float, float]:
        words = [word for part in _split_numbers(text) if (word := part.strip(","))]
        if len(words) == 1:
            words = text.split(",")
        if len(words) != 2:
            raise self._make_error(name, text)
        try:
            ends = [self.item.parse(name, word) for word in words]
        except ParameterError as error:
            raise ParameterError(name, error.fault, error.remedy or self._remedy) from None
        return self._check_order(name, ends, text)

    def format(self, value: tuple[float, float]) -> str:
        return " ".join(map(self.item.format, value))

    def _check_order(self, name: str, ends: Sequence[float], value: object) -> tuple[float, float]:
        if len(ends) != 2 or not ends[0] < ends[1]:
            raise self._make_error(name, value)
        return ends[0], ends[1]

    def _make_error(self, name: str, value: object) -> ParameterError:
        return ParameterError(name, format_fault(self.limits, value), self._remedy)

    @property
    def _remedy(self) -> str:
        return f"write two numbers with a space between them, such as {self.format(self.default)}"
