"""Tries: settings that a button applies, and the outcome to expect.

The path of a setting is ``encoding``, a parameter such as ``encoding.base``, an option
``options.VIEW.NAME``, or a field of the exploration.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any, NamedTuple

from pe_explorer import pictures
from pe_explorer.exploration import Exploration, make_panes, with_encoding
from pe_explorer.params import ParameterError, declared, describe_bad_choice
from pe_explorer.words import texts

_UNAVAILABLE_FIELDS = ("options", "opened")  # fields of an exploration that are not settings


class Try(NamedTuple):
    """An experiment that a button offers: a label, an outcome, and settings."""

    label: str
    outcome: str
    settings: Mapping[str, Any]

    @property
    def unavailable_reason(self) -> str:
        """The reason why the try is unavailable on this machine; empty if it is available."""
        for path, value in self.settings.items():
            if path.startswith("options."):
                _, view, name = path.split(".")
                if problem := pictures.unavailable_reason(view, {name: value}):
                    return problem
        return ""

    def apply(self, state: Exploration) -> Exploration:
        """Return `state` with the settings of the try; see `with_settings`."""
        return with_settings(state, self.settings)


def check_path(path: str) -> None:
    """Raise `ParameterError` for an unknown path; `with_settings` checks encoding parameters."""
    first, *names = path.split(".")
    if first == "encoding" and "" not in names:
        return
    if first != "options":
        fields = [field.name for field in dataclasses.fields(Exploration)]
        name, choices = path, [field for field in fields if field not in _UNAVAILABLE_FIELDS]
    elif len(names) != 2:
        raise ParameterError(path, "expected options.VIEW.NAME")
    elif names[0] not in pictures.names():
        name, choices = names[0], [*pictures.names()]
    else:
        name, choices = names[1], [*declared(pictures.find(names[0]).Options)]
    if name not in choices:
        raise ParameterError(path, describe_bad_choice(name, choices))


def get_setting(state: Exploration, path: str) -> Any:
    """Return a setting's value; raise `LookupError` or `AttributeError` for unknown paths."""
    return texts.get_setting(state, path, lambda view: pictures.find(view)(state).options)


def with_settings(state: Exploration, settings: Mapping[str, Any]) -> Exploration:
    """Return an unresolved `state` with new settings; raise `ParameterError` for invalid ones."""
    encoding, fields = {}, {}
    state = state.intention
    for path, value in settings.items():
        first, _, remaining_path = path.partition(".")
        if first == "encoding" and remaining_path:
            encoding[remaining_path] = value
        elif first == "options":
            view, name = remaining_path.split(".")
            state = pictures.with_options(state, view, **{name: value})
        elif path == "panes":
            fields[path] = make_panes(**value)
        elif path != "encoding":
            fields[path] = value
    if encoding or "encoding" in settings:
        state = with_encoding(state, settings.get("encoding"), **encoding)
    return state.with_(**fields)
