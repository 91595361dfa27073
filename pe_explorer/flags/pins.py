"""Pins as people write them: ``sinusoidal base=500 name='as in 000'``."""

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pe_explorer.encodings import find, require_known
from pe_explorer.exploration import Exploration, Pin, pinned
from pe_explorer.flags.options import parameters as parameters_of
from pe_explorer.params import (
    Parameter,
    ParameterError,
    declared,
    did_you_mean,
    quoted,
    reason,
    require_used,
    used,
)

PIN_HELP = (
    "an encoding and its parameters, such as 'sinusoidal base=500', optionally with name='...' and "
    "colour=NAME"
)
_FIELDS = declared(Pin)


def parse_pins(texts: Sequence[str]) -> tuple[Pin, ...]:
    """Return the pins that texts such as ``sinusoidal base=500 colour=teal`` spell.

    Raises
    ------
    ParameterError
        If a text is not a pin, names an unknown parameter, or there are too many.
    """
    state = Exploration()
    for text in texts:
        try:
            changed = _with_pin(state, shlex.split(text))
            state = state.with_(**changed)
        except ValueError as error:
            problem = _problem_of(error)
            if not problem.startswith(quoted(text)):
                problem = f"{quoted(text)}: {problem}"
            raise ParameterError("pin", problem, f"give {PIN_HELP}") from None
    return state.pins


def _problem_of(error: ValueError) -> str:
    """Return what is wrong with a pin; a parameter at fault is named as it is typed."""
    if not isinstance(error, ParameterError):
        return reason(error)
    if error.name in ("encoding", "pin"):
        return error.problem
    return f"{error.name.replace('_', '-')}: {error.problem}"


def _with_pin(state: Exploration, words: list[str]) -> dict[str, Any]:
    name, *rest = words or [""]
    scheme = find(name)
    options = {option.name: option for option in parameters_of(scheme, _FIELDS)}
    kinds: dict[str, Parameter] = {name: option.parameter for name, option in options.items()}
    kinds |= _FIELDS
    parameters: dict[str, Any] = {}
    of_pin: dict[str, Any] = {}
    for word in rest:
        key, _, text = word.partition("=")
        key = key.replace("-", "_")
        if key not in kinds:
            hint = did_you_mean(key, kinds)
            problem = f"{quoted(key)} is no parameter of {name}{hint}"
            raise ParameterError("pin", problem)
        value = kinds[key].parse(key, text)
        if key in options:
            parameters[options[key].field] = value
        else:
            of_pin[key] = value
    e = scheme(**parameters)
    require_used(e, parameters)
    changed = pinned(state.with_(encoding=e))
    *pins, last = changed["pins"]
    return {**changed, "pins": (*pins, replace(last, **of_pin))}


def spelled_pin(pin: Pin) -> str:
    """Return the text that `parse_pins` reads back as a pin."""
    e = require_known(pin.encoding, "pin")
    words = [e.name]
    counting = used(e)
    for option in parameters_of(type(e), _FIELDS):
        value = getattr(e, option.field)
        if option.field in counting and value != option.parameter.default:
            text = option.parameter.format(value)
            words.append(f"{option.name}={text}")
    for key, parameter in _FIELDS.items():
        text = parameter.format(getattr(pin, key))
        words.append(f"{key}={text}")
    return shlex.join(words)
