"""Checks of lessons: whether an exploration does the task of a step, in a declarative form.

A check is ``NAME OP VALUE``, or several joined by ``and`` and ``or``; ``and`` binds tighter. The
name is the path of a setting, such as ``encoding.base``, or ``measure.NAME`` of `MEASURES`; the
value is a number, a word, or a text in single quotes. In texts the case of letters does not count.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from pe_explorer import encodings, pictures
from pe_explorer.analysis.comparison import Subject
from pe_explorer.analysis.word_vectors import key_of
from pe_explorer.encodings import Encoding, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.facts import FACTS
from pe_explorer.gallery.facts.set_up import SetUp
from pe_explorer.gallery.tries import setting
from pe_explorer.params import declared, did_you_mean, quoted

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
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<text>'[^']*') |
        (?P<number>[-+]?\d+(?:\.\d*)?(?:[eE][-+]?\d+)?(?![\w.])) |
        (?P<op>==|<=|>=|<|>) |
        (?P<word>[A-Za-z][\w.-]*)
    )""",
    re.VERBOSE,
)


class CheckError(ValueError):
    """A check that cannot be read; the message is the rest of a sentence."""


# -- checks ----------------------------------------------------------------------------------------

MEASURES = ("slowest_wavelength", "turning", "not_turning", "slower", "words", "sentence")
"""The measures that checks can name besides settings: two of the sentence, and facts."""


def _measured(name: str, state: Exploration) -> float | str:
    words = pictures.find("tokens").options(state).tokens
    if name == "words":
        return len(words)
    if name == "sentence":  # without the marks around its words
        return " ".join(map(key_of, words))
    of = SetUp(state, Subject("current", require_known(state.encoding)))
    return float(of.wavelengths[-1]) if name == "slowest_wavelength" else FACTS[name](of)


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
        if not isinstance(self.value, str):
            is_number = isinstance(found, int | float) and not isinstance(found, bool)
            return is_number and _NUMBER_OPERATORS[self.op](found, self.value)
        if isinstance(found, bool):
            found = "on" if found else "off"
        if isinstance(found, tuple):
            found = " ".join(map(str, found))
        if not isinstance(found, str):
            return False
        return _TEXT_OPERATORS[self.op](found.casefold(), self.value.casefold())


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
    tokens = list(_tokens_of(text))
    if not tokens:
        raise CheckError("is empty")
    groups: list[list[Condition]] = [[]]
    while True:
        groups[-1].append(_condition(tokens))
        if not tokens:
            return Check(tuple(tuple(group) for group in groups))
        _, joint = tokens.pop(0)
        if joint == "or":
            groups.append([])
        elif joint != "and":
            raise CheckError(f"has {quoted(joint)} where only and, or, or its end can stand")


def _tokens_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the parts of a text, each with its kind: text, number, op or word."""
    rest = text.rstrip()
    place = 0
    while place < len(rest):
        found = _TOKEN.match(rest, place)
        if not found:
            raise CheckError(f"cannot be read from {quoted(rest[place:].strip())} on")
        kind = str(found.lastgroup)
        yield kind, found[kind]
        place = found.end()


def _condition(tokens: list[tuple[str, str]]) -> Condition:
    """Take one comparison from the front of some parts."""

    def next_token(expected: str) -> tuple[str, str]:
        if not tokens:
            raise CheckError(f"ends where {expected} is expected")
        return tokens.pop(0)

    kind, name = next_token("a name")
    if kind != "word":
        raise CheckError(f"has {quoted(name)} where a name is expected")
    if name not in _names():
        raise CheckError(f"names {quoted(name)}, which is not known{did_you_mean(name, _names())}")
    _, op = next_token("an operator")
    if op == "begins":
        op = f"begins {next_token('with after begins')[1]}"
    if op not in OPERATORS:
        raise CheckError(f"has {quoted(op)} where one of {', '.join(OPERATORS)} is expected")
    kind, written = next_token(f"a value after {op}")
    if kind == "op":
        raise CheckError(f"has {quoted(written)} where a value is expected")
    if kind != "number":
        value = written.strip("'") if kind == "text" else written
        if op not in _TEXT_OPERATORS:
            raise CheckError(f"compares the text {quoted(value)} by {op}")
        return Condition(name, op, value)
    if op not in _NUMBER_OPERATORS:
        raise CheckError(f"compares the number {written} by {op!r}; put it in single quotes")
    is_whole = written.lstrip("+-").isdigit()
    return Condition(name, op, int(written) if is_whole else float(written))


@cache
def _names() -> frozenset[str]:
    """Return all names of checks."""
    names = {"encoding", *declared(Exploration), *(_MEASURE_PREFIX + name for name in MEASURES)}
    for scheme in encodings.names():
        kind: type[Encoding] = encodings.find(scheme)
        names |= {f"encoding.{name}" for name in declared(kind)}
    for view in pictures.names():
        names |= {f"options.{view}.{name}" for name in declared(pictures.find(view).Options)}
    return frozenset(names)
