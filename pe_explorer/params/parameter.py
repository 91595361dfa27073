"""What all kinds of parameter have in common, one that may be left out, and values made of them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

from pe_explorer.params.errors import ParameterError, did_you_mean, quoted, with_remedy


@dataclass(frozen=True)
class Parameter:
    """What all kinds of parameter declare.

    Attributes
    ----------
    default : value
        Initial value of a form, a flag or a constructor; legal, and of the parameter's own type.
    label, help : str
        Short name in a form, and a sentence for a tooltip.
    symbol, unit : str
        As papers write them; either may be empty.
    shared : bool
        Whether the parameter means the same in every scheme that has one of this name, so that
        a change of scheme keeps its value.
    is_advanced : bool
        Whether few people ever change it; a form folds such parameters away.
    when : tuple of str
        The field of a choice, and those of its words with which the parameter is used; empty for
        one that always is. What is not used is kept, but neither shown nor written out.
    """

    default: Any
    label: str = field(kw_only=True)
    help: str = field(kw_only=True)
    symbol: str = field(default="", kw_only=True)
    unit: str = field(default="", kw_only=True)
    shared: bool = field(default=False, kw_only=True)
    is_advanced: bool = field(default=False, kw_only=True)
    when: tuple[str, ...] = field(default=(), kw_only=True)

    kind: ClassVar[str] = ""
    """What its values are, in a word or two whose last stands for one in the help of a command."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "default", self.check(self.label or "default", self.default))

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


_INHERITED = ("label", "help", "symbol", "unit", "is_advanced", "when")
_AUTO = "auto"  # stands for None in every optional parameter, beside its own word


@dataclass(frozen=True)
class Optional(Parameter):
    """A value of another kind, or None, which is shown and typed as a `word`.

    `inner` declares the other values, and what all kinds declare: label, help and so on; `auto`
    says in words what None stands for. The word itself is not a legal value, whatever the inner
    kind is: read back, it would be None.
    """

    inner: Parameter
    auto: str

    label: str = field(default="", kw_only=True)
    help: str = field(default="", kw_only=True)
    word: str = field(default="auto", kw_only=True)

    def __post_init__(self) -> None:
        for name in _INHERITED:
            own_or_inner = getattr(self, name) or getattr(self.inner, name)
            object.__setattr__(self, name, own_or_inner)
        super().__post_init__()

    @property
    def limits(self) -> str:
        return f"{self.word} ({self.auto}), or {self.inner.limits}"

    def check(self, name: str, value: object) -> Any:
        """Return None, or `value` as the inner kind returns it."""
        if value is None:
            return None
        if isinstance(value, str) and self.is_word(value):
            problem = f"{quoted(value)} is a text; here None stands for it (null in JSON)"
            raise ParameterError(name, problem, "use that, or another text")
        return self.inner.check(name, value)

    def parse(self, name: str, text: str) -> Any:
        """Return None for the word, else what the inner kind reads."""
        if self.is_word(text):
            return None
        try:
            return self.inner.parse(name, text)
        except ParameterError as error:
            message = with_remedy(error.problem, f"or type {self.word}")
            raise ParameterError(name, message) from None

    def format(self, value: Any) -> str:
        return self.word if value is None else self.inner.format(value)

    def is_word(self, text: str) -> bool:
        """Return whether a text stands for None."""
        return text.strip().lower() in (self.word, _AUTO)


def inner_kind(kind: Any) -> Any:
    """Return the inner kind of an optional parameter; any other kind unchanged."""
    return kind.inner if isinstance(kind, Optional) else kind


# -- frozen values whose fields are declared parameters --------------------------------------------

_KEY = "parameter"
_SECTION = "section"

_found: dict[type[Declared], Mapping[str, Parameter]] = {}

Value = TypeVar("Value", bound="Declared")


def declare(parameter: Parameter, section: str = "") -> Any:
    """Return a dataclass field that carries `parameter`, its default and its section."""
    metadata = {_KEY: parameter, _SECTION: section}
    return field(default=parameter.default, metadata=metadata)


def declared(cls: type[Declared]) -> Mapping[str, Parameter]:
    """Return the declarations of a class by field name, in the order written."""
    if cls not in _found:  # each value that is made asks for them
        fields = (each for each in dataclasses.fields(cls) if _KEY in each.metadata)
        _found[cls] = MappingProxyType({each.name: each.metadata[_KEY] for each in fields})
    return _found[cls]


def used(value: Declared) -> dict[str, Parameter]:
    """Return the declarations that count in a value: without those of choices not made there."""
    found = declared(type(value)).items()
    return {name: each for name, each in found if is_used(each, vars(value))}


def only_used(value: Value) -> Value:
    """Return a value in which all that does not count has its default."""
    kept = {name: getattr(value, name) for name in used(value)}
    return dataclasses.replace(value.default(), **kept)


def is_used(parameter: Parameter, values: Mapping[str, Any]) -> bool:
    """Return whether a parameter counts where fields have these values, as far as is known."""
    choice, *words = parameter.when or ("",)
    return choice not in values or values[choice] in words


def require_used(value: Declared, names: Iterable[str]) -> None:
    """Raise `ParameterError` for the first of some fields that does not count in a value."""
    parameters = declared(type(value))
    for name in names:
        if not is_used(parameters[name], vars(value)):
            choice, *words = parameters[name].when
            problem = f"{choice.replace('_', '-')} {getattr(value, choice)} does not use it"
            raise value.error(name, problem, f"leave it out, or choose {', '.join(words)}")


def read_words(
    name: str, words: Iterable[str], known: Mapping[str, Parameter], owner: str
) -> dict[str, Any]:
    """Return the values of words such as ``base=500`` by key; `owner` has the `known` ones."""
    found = {}
    for word in words:
        typed, _, text = word.partition("=")
        key = typed.replace("-", "_")
        if key not in known:
            hint = did_you_mean(key, known) or f", which has {', '.join(known)}"
            raise ParameterError(name, f"{quoted(typed)} is no parameter of {owner}{hint}")
        found[key] = known[key].parse(key, text)
    return found


def sections(cls: type[Declared]) -> dict[str, tuple[str, ...]]:
    """Return the names of the fields of each section, by its name, in the order written."""
    found: dict[str, tuple[str, ...]] = {}
    for each in dataclasses.fields(cls):
        if section := each.metadata.get(_SECTION):
            found[section] = (*found.get(section, ()), each.name)
    return found


@dataclass(frozen=True)
class Declared:
    """A frozen value whose declared fields are checked when it is made.

    Raises `ParameterError`, or the subclass named by `error`, for the first field with an illegal
    value, or else for the first rule of `check_together` that is broken.
    """

    error: ClassVar[type[ParameterError]] = ParameterError

    def __post_init__(self) -> None:
        try:
            for name, parameter in declared(type(self)).items():
                value = parameter.check(name, getattr(self, name))
                object.__setattr__(self, name, value)
            self.check_together()
        except ParameterError as error:
            raise self.error(error.name, error.fault, error.remedy) from None

    @classmethod
    @cache
    def default(cls) -> Self:
        """Return the value whose fields all have their defaults; it is made only once."""
        return cls()

    def check_together(self) -> None:
        """Raise `ParameterError` where fields that are legal one by one do not fit together.

        All fields have been checked by then; the error names the field to change.
        """
