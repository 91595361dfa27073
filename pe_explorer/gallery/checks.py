"""Checks of lessons: conditions that decide whether an exploration completes a task.

A check consists of conditions ``NAME OP VALUE``, joined by ``and`` and ``or``, where ``and`` binds
more tightly. The name is the path of a setting, such as ``encoding.base``, or ``measure.NAME`` with
a name from `MEASURES`. The value is a number, a word, or a string in single quotes. Comparisons of
strings ignore case.
"""

import operator
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pe_explorer import encodings, pictures
from pe_explorer.analysis.comparison import ShowOption, Subject
from pe_explorer.analysis.word_vectors import normalise_word
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.tries import get_setting
from pe_explorer.params import declared, quote_value, suggest_choice
from pe_explorer.words import Facts

_NUMBER_OPERATORS: Mapping[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TEXT_OPERATORS: Mapping[str, Callable[[str, str], bool]] = {
    "==": operator.eq,
    "contains": operator.contains,
    "begins with": str.startswith,
}
OPERATORS = tuple({**_NUMBER_OPERATORS, **_TEXT_OPERATORS})
"""The operators that compare a setting with a value."""

_MEASURE_PREFIX = "measure."
_CONDITION_PATTERN = re.compile(
    r"""\s* (?P<name>[A-Za-z][\w.-]*)
        \s* (?P<op>==|<=|>=|<|>|\bcontains\b|\bbegins\s+with\b)
        \s* (?: '(?P<text>[^']*)'
            | (?P<number>[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?)(?![\w.])
            | (?P<word>[A-Za-z][\w.-]*)
        )
        \s* (?: (?P<joint>and|or)\b | \Z)""",
    re.VERBOSE,
)


class CheckError(ValueError):
    """An error for an invalid check; its message continues a sentence about the check."""


MEASURES = (
    "slowest_wavelength",
    "turning",
    "not_turning",
    "slower",
    "unseen",
    "next_distance",
    "offset",
    "words",
    "sentence",
    "shift_by",
    "line_gap",
    "sine_gap",
    "cosine_gap",
    "result_gap",
    "next_lead",
    "next_ratio",
    "next_anywhere",
    "nearer",
)  # the measures that checks can use: facts, the cursor's offset, and properties of the sentence


@np.errstate(all="ignore")  # values from a file can be NaN or overflow
def _compute_measure(name: str, state: Exploration) -> float | str:
    if name == "sentence":  # the words, without the punctuation around them
        return " ".join(map(normalise_word, pictures.find("tokens")(state).options.tokens))
    if name == "offset":
        return state.position - state.reference
    facts = Facts(state, Subject(ShowOption.CURRENT, require_known(state.encoding)))
    return float(facts.wavelengths[-1]) if name == "slowest_wavelength" else facts[name]


class Condition(NamedTuple):
    """A comparison of a setting or measure with a value."""

    name: str
    op: str
    value: float | str

    def holds(self, state: Exploration) -> bool:
        """Return whether the condition holds; return False for a missing setting."""
        try:
            if self.name.startswith(_MEASURE_PREFIX):
                value: Any = _compute_measure(self.name.removeprefix(_MEASURE_PREFIX), state)
            else:
                value = get_setting(state, self.name)
        except (LookupError, AttributeError, ValueError, TypeError):
            return False
        if isinstance(value, bool):
            value = "on" if value else "off"
        if isinstance(value, tuple):
            value = " ".join(map(str, value))
        if isinstance(self.value, str) and isinstance(value, str):
            return _TEXT_OPERATORS[self.op](value.casefold(), self.value.casefold())
        is_number = isinstance(value, int | float) and not isinstance(self.value, str)
        return is_number and _NUMBER_OPERATORS[self.op](value, self.value)


class Check(NamedTuple):
    """Groups of conditions; the check holds if all conditions of at least one group hold."""

    groups: tuple[tuple[Condition, ...], ...]

    def holds(self, state: Exploration) -> bool:
        """Return whether an exploration passes the check."""
        return any(all(item.holds(state) for item in group) for group in self.groups)


@cache
def parse(text: str) -> Check:
    """Parse a check; raise `CheckError` if the text is invalid."""
    if not text.strip():
        raise CheckError("is empty")
    groups: list[tuple[Condition, ...]] = []
    position, connective = 0, "or"
    while connective:
        match = _CONDITION_PATTERN.match(text, position)
        if not match:
            remaining_text = text[position:].strip()
            place = f"at {quote_value(remaining_text)}" if remaining_text else "at its end"
            form = f"NAME OP VALUE, where OP is one of {', '.join(OPERATORS)}"
            remedy = f"Write {form}. Join conditions with 'and' or 'or'"
            raise CheckError(f"cannot be parsed {place}. {remedy}")
        condition = _parse_condition(match)
        if connective == "or":
            groups.append(())
        groups[-1] += (condition,)
        position, connective = match.end(), match["joint"]
    return Check(tuple(groups))


def _parse_condition(match: re.Match[str]) -> Condition:
    name, op, number = match["name"], " ".join(match["op"].split()), match["number"]
    if name not in _names():
        hint = suggest_choice(name, _names())
        raise CheckError(f"contains the unknown name {quote_value(name)}{hint}")
    if number is None:
        value = match["word"] if match["text"] is None else match["text"]
        if op not in _TEXT_OPERATORS:
            raise CheckError(f"compares the text {quote_value(value)} with {op}")
        return Condition(name, op, value)
    if op not in _NUMBER_OPERATORS:
        raise CheckError(f"compares the number {number} with {op!r}. Put the number in quotes")
    return Condition(name, op, int(number) if number.lstrip("+-").isdigit() else float(number))


@cache
def _names() -> frozenset[str]:
    names = {"encoding", *declared(Exploration), *(_MEASURE_PREFIX + name for name in MEASURES)}
    for scheme in encodings.names():
        names |= {f"encoding.{name}" for name in declared(encodings.find(scheme))}
    for view in pictures.names():
        names |= {f"options.{view}.{name}" for name in declared(pictures.find(view).Options)}
    return frozenset(names)
