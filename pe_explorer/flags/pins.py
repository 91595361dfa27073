"""Encodings to compare with, as people write them: ``sinusoidal base=500 name='as in 000'``."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pe_explorer.encodings import Encoding, find, require_known
from pe_explorer.exploration import Exploration, Pin, pinned
from pe_explorer.flags.options import named_apart
from pe_explorer.params import ParameterError, declared, did_you_mean, quoted, reason

__all__ = ["PIN_HELP", "parse_pins", "spelled_pin"]

PIN_HELP = (
    "an encoding and its parameters, such as 'sinusoidal base=500', perhaps with name='...' and "
    "colour=NAME"
)
_OWN = declared(Pin)


def parse_pins(texts: Sequence[str]) -> tuple[Pin, ...]:
    """Return the pins that texts such as ``sinusoidal base=500 colour=teal`` spell.

    Raises
    ------
    ParameterError
        If one is none, names a parameter that its encoding has not, or there are too many.
    """
    state = Exploration()
    for text in texts:
        try:
            state = state.with_(**_with_pin(state, shlex.split(text)))
        except ValueError as error:
            problem = error.problem if isinstance(error, ParameterError) else reason(error)
            raise ParameterError("pin", f"{quoted(text)}: {problem}; give {PIN_HELP}") from None
    return state.pins


def _with_pin(state: Exploration, words: list[str]) -> dict[str, Any]:
    name, *rest = words or [""]
    scheme = find(name)
    fields = {option.name: option.field for option in named_apart(scheme, _OWN)}
    kinds = {key: declared(scheme)[field] for key, field in fields.items()} | _OWN
    values = {}
    for word in rest:
        key, _, text = word.partition("=")
        key = key.replace("-", "_")
        if key not in kinds:
            hint = did_you_mean(key, kinds)
            raise ParameterError("pin", f"{quoted(key)} is no parameter of {name}{hint}")
        values[key] = kinds[key].parse(key, text)
    own = {key: values.pop(key) for key in _OWN if key in values}
    e = scheme(**{fields[key]: value for key, value in values.items()})
    found = pinned(state.with_(encoding=e))
    return {**found, "pins": (*found["pins"][:-1], replace(found["pins"][-1], **own))}


def spelled_pin(pin: Pin) -> str:
    """Return the text that `parse_pins` reads back as a pin."""
    e = require_known(pin.encoding, "pin")
    words = [f"{key}={text}" for key, text in _spelled(e).items()]
    own = [f"{key}={kind.format(getattr(pin, key))}" for key, kind in _OWN.items()]
    return shlex.join([e.name, *words, *own])


def _spelled(e: Encoding) -> Mapping[str, str]:
    """Return the parameters that are not the default, as text."""
    return {
        option.name: option.parameter.format(getattr(e, option.field))
        for option in named_apart(type(e), _OWN)
        if getattr(e, option.field) != option.parameter.default
    }
