"""Tries: settings that a button applies, and their outcome.

Settings have paths: ``encoding`` and ``encoding.base``, ``options.VIEW.NAME``, or a field.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pe_explorer import pictures
from pe_explorer.exploration import Exploration, panes_of, with_encoding
from pe_explorer.words import texts


class Try(NamedTuple):
    """Something to try: a label, its outcome, and the settings."""

    label: str
    outcome: str
    settings: Mapping[str, Any]

    @property
    def lack(self) -> str:
        """Why it is impossible on this machine, with the remedy; empty where it is possible."""
        for path, value in self.settings.items():
            first, *rest = path.split(".")
            if first == "options" and (
                lack := pictures.unavailable_reason(rest[0], {rest[1]: value})
            ):
                return lack
        return ""

    def applied(self, state: Exploration) -> Exploration:
        """Return the intention with the settings, or raise `ParameterError`."""
        return with_settings(state, self.settings)


def setting(state: Exploration, path: str) -> Any:
    """Return the present value; raises `LookupError` or `AttributeError` for no such setting."""
    return texts.setting(state, path, lambda view: pictures.find(view)(state).options)


def with_settings(state: Exploration, settings: Mapping[str, Any]) -> Exploration:
    """Return the intention with other settings, or raise `ParameterError`."""
    encoding, fields = {}, {}
    state = state.intention
    for path, value in settings.items():
        first, _, rest = path.partition(".")
        if first == "encoding" and rest:
            encoding[rest] = value
        elif first == "options":
            view, name = rest.split(".")
            state = pictures.with_options(state, view, **{name: value})
        elif path == "panes":
            fields[path] = panes_of(**value)
        elif path != "encoding":
            fields[path] = value
    if encoding or "encoding" in settings:
        state = with_encoding(state, settings.get("encoding"), **encoding)
    return state.with_(**fields)
