"""The base class `Parameter`, optional parameters, and the base class `Declared`."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

from pe_explorer.params.errors import ParameterError, join_words, quote_value, suggest_choice


@dataclass(frozen=True)
class Parameter:
    """The base class of all kinds of parameter.

    `default` is the initial value in a form, a flag or a constructor. A shared parameter has the
    same meaning in all schemes, so its value is preserved when the scheme changes. Forms hide
    advanced parameters, which are rarely changed, in a section that can be expanded.

    `when` consists of the name of a choice and the options of this choice for which the
    parameter is used. It is empty if the parameter is always used. Unused values are
    stored, but neither shown nor exported.
    """

    default: Any
    label: str = field(kw_only=True)  # short name in a form
    help: str = field(kw_only=True)  # a sentence in a tooltip
    symbol: str = field(default="", kw_only=True)  # symbol used in papers; empty for none
    unit: str = field(default="", kw_only=True)
    is_shared: bool = field(default=False, kw_only=True)
    is_advanced: bool = field(default=False, kw_only=True)
    when: tuple[str, ...] = field(default=(), kw_only=True)

    kind: ClassVar[str] = ""
    """The kind of value in one or two words; command help uses the last word as a placeholder."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "default", self.check(self.label or "default", self.default))

    def check(self, name: str, value: object) -> Any:
        """Return `value` in the parameter's type; raise `ParameterError` if it is illegal."""
        raise NotImplementedError

    def parse(self, name: str, text: str) -> Any:
        """Parse a value from `text`; raise `ParameterError` if it is not legal."""
        raise NotImplementedError

    def format(self, value: Any) -> str:
        """Return a string that `parse` converts back to an equal value."""
        return str(value)

    @property
    def limits(self) -> str:
        """The legal values as text, such as ``1 to 65536``."""
        raise NotImplementedError


@dataclass(frozen=True)
class Optional(Parameter):
    """A parameter whose value is None or legal for `inner`; users see and type None as `word`.

    `auto` describes the meaning of None. Attributes such as label and help default to those
    of `inner`. The word itself is not a legal value, even if `inner` accepts strings.
    """

    inner: Parameter
    auto: str

    label: str = field(default="", kw_only=True)
    help: str = field(default="", kw_only=True)
    word: str = field(default="auto", kw_only=True)

    def __post_init__(self) -> None:
        for name in ("label", "help", "symbol", "unit", "is_advanced", "when"):
            object.__setattr__(self, name, getattr(self, name) or getattr(self.inner, name))
        super().__post_init__()

    @property
    def limits(self) -> str:
        return f"{self.word} ({self.auto}), or {self.inner.limits}"

    def check(self, name: str, value: object) -> Any:
        if value is None:
            return None
        if isinstance(value, str) and self.is_none_word(value):
            problem = f"{quote_value(value)} is reserved for None (null in JSON)"
            raise ParameterError(name, problem, "use None, or enter a different value")
        return self.inner.check(name, value)

    def parse(self, name: str, text: str) -> Any:
        if self.is_none_word(text):
            return None
        try:
            return self.inner.parse(name, text)
        except ParameterError as error:
            fault = re.sub("^expected ", f"expected {self.word} or ", error.fault)
            # Do not offer the word for a wrong list item, because the word replaces the whole list.
            is_word_in_fault = fault != error.fault
            remedy = error.remedy or ("" if is_word_in_fault else f"correct it or type {self.word}")
            raise ParameterError(name, fault, remedy) from None

    def format(self, value: Any) -> str:
        return self.word if value is None else self.inner.format(value)

    def is_none_word(self, text: str) -> bool:
        """Return whether a string stands for None."""
        return text.strip().lower() in (self.word, "auto")  # users can always type "auto"


def find_inner_kind(kind: Any) -> Any:
    """Return the inner kind of an optional parameter; return other kinds unchanged."""
    return kind.inner if isinstance(kind, Optional) else kind


_METADATA_KEY = "parameter"
_declarations: dict[type[Declared], Mapping[str, Parameter]] = {}

Value = TypeVar("Value", bound="Declared")


def declare(parameter: Parameter, section: str = "") -> Any:
    """Return a dataclass field that stores `parameter`, its default and its section."""
    return field(default=parameter.default, metadata={_METADATA_KEY: parameter, "section": section})


def declared(cls: type[Declared]) -> Mapping[str, Parameter]:
    """Return the parameters of a class by field name, in order of declaration."""
    if cls not in _declarations:  # cached, because every new value needs the declarations
        fields = (field for field in dataclasses.fields(cls) if _METADATA_KEY in field.metadata)
        parameters = {field.name: field.metadata[_METADATA_KEY] for field in fields}
        _declarations[cls] = MappingProxyType(parameters)
    return _declarations[cls]


def find_used_parameters(value: Declared) -> dict[str, Parameter]:
    """Return the parameters that a value uses, by field name; see `Parameter.when`."""
    parameters = declared(type(value)).items()
    return {name: parameter for name, parameter in parameters if is_used(parameter, vars(value))}


def drop_unused_fields(value: Value) -> Value:
    """Return a copy of a value in which all unused fields have their defaults."""
    used_values = {name: getattr(value, name) for name in find_used_parameters(value)}
    return dataclasses.replace(value.default(), **used_values)


def is_used(parameter: Parameter, values: Mapping[str, Any]) -> bool:
    """Return whether a parameter is used, given the values of the fields.

    Return True if `values` does not contain the choice named in `Parameter.when`.
    """
    choice, *words = parameter.when or ("",)
    return choice not in values or values[choice] in words


def require_used_fields(value: Declared, names: Iterable[str]) -> None:
    """Raise `ParameterError` if `value` does not use one of the fields in `names`."""
    parameters = declared(type(value))
    for name in names:
        if not is_used(parameters[name], vars(value)):
            choice, *words = parameters[name].when
            problem = f"has no effect with {choice.replace('_', '-')} {getattr(value, choice)}"
            raise value.error(name, problem, f"leave it out, or choose {join_words(words, 'or')}")


def read_words(
    name: str, words: Iterable[str], known: Mapping[str, Parameter], owner: str
) -> dict[str, Any]:
    """Parse words such as ``base=500`` and return the values by parameter name.

    `known` contains the parameters of `owner`, which error messages mention.
    """
    values = {}
    for entry in words:
        word, _, text = entry.partition("=")
        key = word.replace("-", "_")
        if key not in known:
            hint = suggest_choice(key, known) or f", which has {join_words(known)}"
            raise ParameterError(name, f"{quote_value(word)} is not a parameter of {owner}{hint}")
        values[key] = known[key].parse(key, text)
    return values


def sections(cls: type[Declared]) -> dict[str, tuple[str, ...]]:
    """Return the field names of each section, in order of declaration."""
    names: dict[str, tuple[str, ...]] = {}
    for declaration in dataclasses.fields(cls):
        if section := declaration.metadata.get("section"):
            names[section] = (*names.get(section, ()), declaration.name)
    return names


@dataclass(frozen=True)
class Declared:
    """A frozen value whose constructor checks its declared fields.

    The constructor raises an exception of the class `error` for the first illegal field or,
    if all fields are legal, for the first violated rule of `check_combination`.
    """

    error: ClassVar[type[ParameterError]] = ParameterError

    def __post_init__(self) -> None:
        try:
            for name, parameter in declared(type(self)).items():
                object.__setattr__(self, name, parameter.check(name, getattr(self, name)))
            self.check_combination()
        except ParameterError as error:
            raise self.error(error.name, error.fault, error.remedy) from None

    @classmethod
    @cache
    def default(cls) -> Self:
        """Return a cached value in which all fields have their defaults."""
        return cls()

    def check_combination(self) -> None:
        """Raise `ParameterError` if fields that are legal by themselves are incompatible.

        The error names the field to change.
        """
