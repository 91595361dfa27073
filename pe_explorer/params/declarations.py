"""Frozen values whose fields are declared parameters."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any, ClassVar, Self, TypeVar

from pe_explorer.params.errors import ParameterError
from pe_explorer.params.parameter import Parameter

_KEY = "parameter"
_SECTION = "section"

_found: dict[type[Declared], Mapping[str, Parameter]] = {}

Value = TypeVar("Value", bound="Declared")


def declare(parameter: Parameter, section: str = "") -> Any:
    """Return a dataclass field that carries `parameter`, its default and its section."""
    metadata = {_KEY: parameter, _SECTION: section}
    return dataclasses.field(default=parameter.default, metadata=metadata)


def declared(cls: type[Declared]) -> Mapping[str, Parameter]:
    """Return the declarations of a class by field name, in the order written."""
    if cls not in _found:  # each value that is made asks for them
        fields = (field for field in dataclasses.fields(cls) if _KEY in field.metadata)
        _found[cls] = MappingProxyType({field.name: field.metadata[_KEY] for field in fields})
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
            called = choice.replace("_", "-")
            problem = f"{called} {getattr(value, choice)} does not use it"
            raise value.error(name, problem, f"leave it out, or choose {', '.join(words)}")


def sections(cls: type[Declared]) -> dict[str, tuple[str, ...]]:
    """Return the names of the fields of each section, by its name, in the order written."""
    found: dict[str, tuple[str, ...]] = {}
    for field in dataclasses.fields(cls):
        if section := field.metadata.get(_SECTION):
            found[section] = (*found.get(section, ()), field.name)
    return found


@dataclass(frozen=True)
class Declared:
    """A frozen value whose declared fields are checked when it is made.

    Raises
    ------
    ParameterError
        (or the subclass named by `error`) for the first field with an illegal value, or else
        for the first rule of `check_together` that is broken.
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
