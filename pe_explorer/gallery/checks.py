"""Checks of lessons: whether an exploration does the task of a step, in a declarative form.

A check is ``NAME OP VALUE``, or several joined by ``and`` and ``or``; ``and`` binds tighter. The
name is the path of a setting, such as ``encoding.base``, or ``measure.NAME`` of `MEASURES`; the
value is a number, a word, or a text in single quotes. In texts the case of letters does not count.
"""

import operator
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pe_explorer import encodings, pictures
from pe_explorer.analysis.comparison import Show, Subject
from pe_explorer.analysis.word_vectors import key_of
from pe_explorer.encodings import Encoding, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.tries import setting
from pe_explorer.params import declared, did_you_mean, quoted
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
_CONDITION = re.compile(
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
    """A check that cannot be read; the message is the rest of a sentence."""


# -- checks ----------------------------------------------------------------------------------------

MEASURES = ("slowest_wavelength", "turning", "not_turning", "slower", "words", "sentence")
"""The measures that checks can name besides settings: two of the sentence, and facts."""


@np.errstate(all="ignore")  # a file may hold any numbers
def _measured(name: str, state: Exploration) -> float | str:
    if name == "sentence":  # without the marks around its words
        return " ".join(map(key_of, pictures.find("tokens")(state).options.tokens))
    of = Facts(state, Subject(Show.CURRENT, require_known(state.encoding)))
    return float(of.wavelengths[-1]) if name == "slowest_wavelength" else of[name]


class Condition(NamedTuple):
    """One comparison: a name, an operator, and a value."""

    name: str
    op: str
    value: float | str

    def holds(self, state: Exploration) -> bool:
        """Return whether it holds; it never does for a setting that an exploration lacks."""
        try:
            if self.name.startswith(_MEASURE_PREFIX):
                found: Any = _measured(self.name.removeprefix(_MEASURE_PREFIX), state)
            else:
                found = setting(state, self.name)
        except (LookupError, AttributeError, ValueError, TypeError):
            return False
        if isinstance(found, bool):
            found = "on" if found else "off"
        if isinstance(found, tuple):
            found = " ".join(map(str, found))
        if isinstance(self.value, str):
            both = isinstance(found, str) and (found.casefold(), self.value.casefold())
            return both and _TEXT_OPERATORS[self.op](*both)
        return isinstance(found, int | float) and _NUMBER_OPERATORS[self.op](found, self.value)


class Check(NamedTuple):
    """Groups of conditions: in one of the groups, all have to hold."""

    groups: tuple[tuple[Condition, ...], ...]

    def holds(self, state: Exploration) -> bool:
        """Return whether an exploration passes the check."""
        return any(all(one.holds(state) for one in group) for group in self.groups)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that the first group compares by ``==``, with the values."""
        return {
            one.name: one.value
            for one in self.groups[0]
            if one.op == "==" and not one.name.startswith(_MEASURE_PREFIX)
        }


# -- reading ---------------------------------------------------------------------------------------


@cache
def parse(text: str) -> Check:
    """Return the check that a text describes, or raise `CheckError`."""
    if not text.strip():
        raise CheckError("is empty")
    groups: list[tuple[Condition, ...]] = []
    place, joint = 0, "or"
    while joint:
        found = _CONDITION.match(text, place)
        if not found:
            rest = text[place:].strip()
            where = f"from {quoted(rest)} on" if rest else "at its end"
            form = (
                f"NAME OP VALUE, with one of {', '.join(OPERATORS)}; join several by 'and' or 'or'"
            )
            raise CheckError(f"cannot be read {where}; write {form}")
        condition = _condition(found)
        if joint == "or":
            groups.append(())
        groups[-1] += (condition,)
        place, joint = found.end(), found["joint"]
    return Check(tuple(groups))


def _condition(found: re.Match[str]) -> Condition:
    name, op, number = found["name"], " ".join(found["op"].split()), found["number"]
    if name not in _names():
        raise CheckError(f"names {quoted(name)}, which is not known{did_you_mean(name, _names())}")
    if number is None:
        value = found["word"] if found["text"] is None else found["text"]
        if op not in _TEXT_OPERATORS:
            raise CheckError(f"compares the text {quoted(value)} by {op}")
        return Condition(name, op, value)
    if op not in _NUMBER_OPERATORS:
        raise CheckError(f"compares the number {number} by {op!r}; put it in single quotes")
    is_whole = number.lstrip("+-").isdigit()
    return Condition(name, op, int(number) if is_whole else float(number))


@cache
def _names() -> frozenset[str]:
    names = {"encoding", *declared(Exploration), *(_MEASURE_PREFIX + name for name in MEASURES)}
    for scheme in encodings.names():
        kind: type[Encoding] = encodings.find(scheme)
        names |= {f"encoding.{name}" for name in declared(kind)}
    for view in pictures.names():
        names |= {f"options.{view}.{name}" for name in declared(pictures.find(view).Options)}
    return frozenset(names)
