"""Checks of lessons: whether an exploration does the task of a step, in a declarative form.

A check is ``NAME OP VALUE``, or several joined by ``and`` and ``or``; ``and`` binds tighter. The
name is the path of a setting, such as ``encoding.base``, or ``measure.NAME`` of `MEASURES`; the
value is a number, a word, or a text in single quotes. In texts the case of letters does not count.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer import encodings, pictures
from pe_explorer.analysis.comparison import Subject
from pe_explorer.analysis.word_vectors import key_of
from pe_explorer.encodings import Encoding, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.gallery.facts import waves
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


# -- measures --------------------------------------------------------------------------------------


def _set_up(state: Exploration) -> SetUp:
    return SetUp(state, Subject("current", require_known(state.encoding)))


def slowest_wavelength(state: Exploration) -> float:
    """Return the wavelength of the slowest wave, in positions."""
    return float(_set_up(state).wavelengths[-1])


def turning(state: Exploration) -> int:
    """Return the number of pairs, or else waves, that complete a turn within the rows shown."""
    return waves.turning(_set_up(state))


def not_turning(state: Exploration) -> int:
    """Return the number of those that do not."""
    return waves.not_turning(_set_up(state))


def slower(state: Exploration) -> int:
    """Return the number of pairs, or else waves, that turn by less than 0.01 radians a row."""
    return waves.slower(_set_up(state))


def words(state: Exploration) -> int:
    """Return the number of words in the sentence of the view Tokens."""
    return len(_tokens(state))


def sentence(state: Exploration) -> str:
    """Return that sentence without the marks around its words."""
    return " ".join(map(key_of, _tokens(state)))


def _tokens(state: Exploration) -> tuple[str, ...]:
    found: tuple[str, ...] = pictures.find("tokens").options(state).tokens
    return found


Measure = Callable[[Exploration], float | str]
MEASURES: Mapping[str, Measure] = MappingProxyType(
    {
        measure.__name__: measure
        for measure in (slowest_wavelength, turning, not_turning, slower, words, sentence)
    }
)
"""The measures that checks can name besides settings, by name."""


# -- checks ----------------------------------------------------------------------------------------


class Condition(NamedTuple):
    """One comparison: a name, an operator, and a value."""

    name: str
    op: str
    value: float | str

    def holds(self, state: Exploration) -> bool:
        """Return whether it holds; it never does for a setting that an exploration lacks."""
        try:
            found = _found(self.name, state)
        except (LookupError, AttributeError, ValueError, TypeError):
            return False
        if isinstance(self.value, str):
            return _holds_for_text(found, self.op, self.value)
        if isinstance(found, bool) or not isinstance(found, int | float):
            return False
        return _NUMBER_OPERATORS[self.op](found, self.value)


class Check(NamedTuple):
    """Groups of conditions: in one of the groups, all have to hold."""

    groups: tuple[tuple[Condition, ...], ...]

    def holds(self, state: Exploration) -> bool:
        """Return whether an exploration passes the check."""
        return any(all(one.holds(state) for one in group) for group in self.groups)

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that the first group compares by ``==``, with the values."""
        equal = [one for one in self.groups[0] if one.op == "==" and one.name not in _measured()]
        return {one.name: one.value for one in equal}


def _measured() -> frozenset[str]:
    return frozenset(f"{_MEASURE_PREFIX}{name}" for name in MEASURES)


def _found(name: str, state: Exploration) -> Any:
    """Return the value of a name in an exploration."""
    if name.startswith(_MEASURE_PREFIX):
        return MEASURES[name.removeprefix(_MEASURE_PREFIX)](state)
    return setting(state, name)


def _holds_for_text(found: object, op: str, wanted: str) -> bool:
    if isinstance(found, bool):
        found = "on" if found else "off"
    if isinstance(found, tuple):
        found = " ".join(map(str, found))
    if not isinstance(found, str):
        return False
    return _TEXT_OPERATORS[op](found.casefold(), wanted.casefold())


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
    kind, name = _next(tokens, "a name")
    if kind != "word":
        raise CheckError(f"has {quoted(name)} where a name is expected")
    if name not in _names():
        raise CheckError(f"names {quoted(name)}, which is not known{did_you_mean(name, _names())}")
    op = _operator(tokens)
    kind, written = _next(tokens, f"a value after {op}")
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


def _operator(tokens: list[tuple[str, str]]) -> str:
    _, op = _next(tokens, "an operator")
    if op == "begins":
        _, word = _next(tokens, "with after begins")
        op = f"begins {word}"
    if op not in OPERATORS:
        raise CheckError(f"has {quoted(op)} where one of {', '.join(OPERATORS)} is expected")
    return op


def _next(tokens: list[tuple[str, str]], expected: str) -> tuple[str, str]:
    if not tokens:
        raise CheckError(f"ends where {expected} is expected")
    return tokens.pop(0)


@cache
def _names() -> frozenset[str]:
    """Return all names of checks."""
    names = {*_measured(), "encoding", *declared(Exploration)}
    for scheme in encodings.names():
        kind: type[Encoding] = encodings.find(scheme)
        names |= {f"encoding.{name}" for name in declared(kind)}
    for view in pictures.names():
        names |= {f"options.{view}.{name}" for name in declared(pictures.find(view).Options)}
    return frozenset(names)
