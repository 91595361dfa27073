"""Declarations of parameters: each is written once and read by everything else.

A parameter is a field of a frozen dataclass that carries its kind, limits, default,
symbol, unit and help::

    @dataclass(frozen=True)
    class Sinusoidal(Declared):
        dim: int = declare(Whole(128, 1, 65_536, label="Width", symbol="d", ...))

From that one line come validation (`Declared`), the reading of text (`Parameter.parse`),
forms, command-line flags, files and documentation (`declared`).
"""

from __future__ import annotations

import dataclasses
import math
import numbers
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from typing import Any, ClassVar

__all__ = [
    "Choice",
    "Declared",
    "Parameter",
    "ParameterError",
    "Real",
    "Text",
    "Whole",
    "declare",
    "declared",
    "did_you_mean",
    "one_line",
    "reason",
    "shown",
    "whole_number",
]

_KEY = "parameter"
_MOST_DIGITS = 40  # of a typed whole number; far above every limit, and cheap to convert
_LONGEST = 60  # characters of a value quoted in a message
_BY_NAME = {sign * 2**53: f"{'-' if sign < 0 else ''}2^53" for sign in (-1, 1)}  # easier to read, and `whole_number` reads it


class ParameterError(ValueError):
    """A value that a parameter cannot take.

    Attributes
    ----------
    name : str
        The parameter at fault.
    problem : str
        What is wrong with which value, the limits, and the nearest remedy.
    """

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"{name}: {problem}")
        self.name = name
        self.problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.problem)

    @property
    def sentence(self) -> str:
        """The message as a sentence for a window: the name capitalised, a full stop."""
        name = self.name.replace("_", " ")
        return f"{name[:1].upper()}{name[1:]}: {self.problem}."


@dataclass(frozen=True)
class Parameter:
    """What all kinds of parameter declare.

    Attributes
    ----------
    default : value
        What a form, a flag or a constructor starts from.
    label, help : str
        Short name for a form, and a sentence for a tooltip.
    symbol, unit : str
        As the field writes them; either may be empty.
    """

    default: Any
    label: str = field(kw_only=True)
    help: str = field(kw_only=True)
    symbol: str = field(default="", kw_only=True)
    unit: str = field(default="", kw_only=True)

    kind: ClassVar[str] = ""

    def check(self, name: str, value: object) -> Any:
        """Return `value` in this parameter's own type, or raise `ParameterError`."""
        raise NotImplementedError

    def parse(self, name: str, text: str) -> Any:
        """Return the value that `text` spells, or raise `ParameterError`."""
        raise NotImplementedError

    def format(self, value: Any) -> str:
        """Return text that `parse` reads back as an equal value."""
        return str(value)

    @property
    def limits(self) -> str:
        """The legal values in words, such as ``1 to 65536``."""
        raise NotImplementedError


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number from `low` to `high`, both included.

    `comfort` is the range of a slider; a typed number may leave it. `log` says that equal
    steps of a slider should be equal ratios.
    """

    low: int
    high: int
    comfort: tuple[int, int] | None = None
    log: bool = False

    kind: ClassVar[str] = "whole number"

    @property
    def limits(self) -> str:
        """The legal values in words."""
        return f"{self.format(self.low)} to {self.format(self.high)}"

    def format(self, value: int) -> str:
        """Return text that `parse` reads back as an equal value."""
        return _BY_NAME.get(value) or str(value)

    def check(self, name: str, value: object) -> int:
        """Return `value`, a whole number of any type but bool, as an int."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise ParameterError(name, f"{shown(value)} is not a whole number ({self.limits})")
        if isinstance(value, numbers.Integral):
            return self._within(name, int(value))
        number = _as_float(value)
        if not math.isfinite(number):
            raise ParameterError(name, f"{number} is not a whole number ({self.limits})")
        if not number.is_integer():
            nearest = self.clamp(round(number))
            raise ParameterError(name, f"{number!r} is not a whole number ({self.limits}); the nearest is {nearest}")
        return self._within(name, int(number))

    def parse(self, name: str, text: str) -> int:
        """Return the whole number that `text` spells, see `whole_number`."""
        try:
            return self._within(name, whole_number(text))
        except ParameterError:
            raise
        except OverflowError as error:
            nearest = self.format(self.low if text.strip().startswith("-") else self.high)
            raise ParameterError(name, f"{reason(error)} ({self.limits}); the nearest valid value is {nearest}") from None
        except ValueError as error:
            raise ParameterError(name, f"{reason(error)} ({self.limits})") from None

    def clamp(self, value: int) -> int:
        """Return the legal value nearest to `value`."""
        return min(max(value, self.low), self.high)

    def _within(self, name: str, value: int) -> int:
        if not self.low <= value <= self.high:
            nearest = self.format(self.clamp(value))
            raise ParameterError(name, f"{shown(value)} is outside {self.limits}; the nearest valid value is {nearest}")
        return value


@dataclass(frozen=True)
class Real(Parameter):
    """A finite float64 from `low` to `high`; `above` excludes `low` itself."""

    low: float
    high: float
    above: bool = False
    comfort: tuple[float, float] | None = None
    log: bool = False

    kind: ClassVar[str] = "number"

    @property
    def limits(self) -> str:
        """The legal values in words."""
        low, high = self.format(self.low), self.format(self.high)
        return f"above {low}, at most {high}" if self.above else f"{low} to {high}"

    def check(self, name: str, value: object) -> float:
        """Return `value`, a real number of any type but bool, as a float."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            raise ParameterError(name, f"{shown(value)} is not a number ({self.limits})")
        number = _as_float(value)
        if math.isnan(number):
            raise ParameterError(name, f"nan is not a number ({self.limits})")
        if number < self.low or number > self.high or (self.above and number == self.low):
            nearest = self.format(self.clamp(number))
            raise ParameterError(name, f"{self.format(number)} is outside the limits ({self.limits}); the nearest valid value is {nearest}")
        return number

    def parse(self, name: str, text: str) -> float:
        """Return the number that `text` spells."""
        try:
            number = float(_unspaced(text))
        except ValueError:
            raise ParameterError(name, f"{shown(text)} is not a number ({self.limits})") from None
        return self.check(name, number)

    def format(self, value: float) -> str:
        """Return the shortest text that `parse` reads back as an equal value."""
        short, full = f"{value:.0e}", repr(float(value))
        text = short if abs(value) >= 1e6 and float(short) == value else full
        return re.sub(r"e([+-]?)0*", _exponent, text.removesuffix(".0"))

    def clamp(self, value: float) -> float:
        """Return the legal value nearest to `value`."""
        low = math.nextafter(self.low, math.inf) if self.above else self.low
        return min(max(value, low), self.high)


@dataclass(frozen=True)
class Choice(Parameter):
    """One of several names; `choices` maps each to what it means."""

    choices: Mapping[str, str]

    kind: ClassVar[str] = "choice"

    @property
    def limits(self) -> str:
        """The legal values in words."""
        return ", ".join(self.choices)

    def check(self, name: str, value: object) -> str:
        """Return `value` if it is one of the choices."""
        if isinstance(value, str) and value in self.choices:
            return str(value)
        raise ParameterError(name, f"{shown(value)} is not one of {self.limits}{did_you_mean(value, self.choices)}")

    def parse(self, name: str, text: str) -> str:
        """Return the choice that `text` names."""
        return self.check(name, text.strip())


@dataclass(frozen=True)
class Text(Parameter):
    """One line of 1 to `longest` characters; spaces at its ends do not count."""

    longest: int

    kind: ClassVar[str] = "text"

    @property
    def limits(self) -> str:
        """The legal values in words."""
        return f"1 to {self.longest} characters"

    def check(self, name: str, value: object) -> str:
        """Return `value` as one line, if it has as many characters as it may and all can be shown."""
        if not isinstance(value, str):
            raise ParameterError(name, f"{shown(value)} is not a text ({self.limits})")
        line = " ".join(value.split())
        if not 1 <= len(line) <= self.longest:
            raise ParameterError(name, f"{shown(value)} has {len(line)} characters ({self.limits})")
        if not line.isprintable():  # half a surrogate pair cannot even be written to a file
            raise ParameterError(name, f"{shown(value)} holds characters that cannot be shown; leave them out")
        return line

    def parse(self, name: str, text: str) -> str:
        """Return the line that `text` is."""
        return self.check(name, text)


def declare(parameter: Parameter) -> Any:
    """Return a dataclass field that carries `parameter` and its default."""
    return dataclasses.field(default=parameter.default, metadata={_KEY: parameter})


def declared(cls: type[Declared]) -> dict[str, Parameter]:
    """Return the declarations of a class by field name, in the order written."""
    return {f.name: f.metadata[_KEY] for f in dataclasses.fields(cls) if _KEY in f.metadata}


@dataclass(frozen=True)
class Declared:
    """A frozen value whose declared fields are checked when it is made.

    Raises
    ------
    ParameterError
        (or the subclass named by `error`) for the first field that does not fit.
    """

    error: ClassVar[type[ParameterError]] = ParameterError

    def __post_init__(self) -> None:
        for name, parameter in declared(type(self)).items():
            try:
                value = parameter.check(name, getattr(self, name))
            except ParameterError as error:
                raise self.error(error.name, error.problem) from None
            object.__setattr__(self, name, value)


def did_you_mean(value: object, known: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the known name nearest to `value`, or ``""``."""
    import difflib  # only here, as it takes a while to load

    near = difflib.get_close_matches(value, list(known), n=1) if isinstance(value, str) else []
    return f"; did you mean {near[0]!r}?" if near else ""


def shown(value: object) -> str:
    """Return how a value is quoted in a message: not at any length."""
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return "a number of thousands of digits"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def reason(error: BaseException) -> str:
    """Return what an error says, as the rest of a sentence, or else the name of its kind."""
    text = str(getattr(error, "strerror", None) or error).strip().removesuffix(".")
    return text[:1].lower() + text[1:] or type(error).__name__


def one_line(text: str) -> str:
    """Return a text as one line: line breaks, and what else cannot be shown, are escaped."""
    return "".join(character if character.isprintable() else character.encode("unicode_escape").decode() for character in text)


def _as_float(value: numbers.Real) -> float:
    try:
        return float(value)
    except OverflowError:
        return -math.inf if value < 0 else math.inf


def _exponent(found: re.Match[str]) -> str:
    return "e-" if found[1] == "-" else "e"


def whole_number(text: str) -> int:
    """Read a whole number: ``50``, ``1_000_000``, ``1,000,000``, ``1e12``, ``2^53``.

    Raises
    ------
    ValueError
        If the text is no number or has a fraction.
    OverflowError
        If it is far beyond every limit.
    """
    plain = _unspaced(text)
    if power := re.fullmatch(r"([+-]?)2(?:\^|\*\*)(\d{1,3})", plain):
        return int(f"{power[1]}1") << int(power[2])
    try:
        number = Decimal(plain)
    except InvalidOperation:
        raise ValueError(f"{shown(text)} is not a whole number") from None
    if not number.is_finite():
        raise ValueError(f"{shown(text)} is not a whole number")
    if number and number.adjusted() > _MOST_DIGITS:
        raise OverflowError(f"{shown(text)} is too large")
    if number != number.to_integral_value():
        raise ValueError(f"{shown(text)} is not a whole number")
    return int(number)


def _unspaced(text: str) -> str:
    """Return `text` without the separators that people put between thousands."""
    return re.sub(r"(?<=\d)[_, \u2009\u202f](?=\d{3}(?!\d))", "", text.strip()).replace("_", "")
