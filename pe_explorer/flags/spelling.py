"""Positions and pins as people write them: ``0:50``, ``10^12+1000``, ``sinusoidal base=500``."""

import re
import shlex
from collections.abc import Sequence
from dataclasses import replace

from pe_explorer import params
from pe_explorer.encodings import LIMIT, find, require_known
from pe_explorer.exploration import Exploration, Pin, pinned
from pe_explorer.flags.options import parameters as parameters_of
from pe_explorer.params import ParameterError, declared, quoted, reason

POSITIONS_HELP = (
    "START:STOP[:STEP] without STOP itself, or START+COUNT; such as 0:50, 10^12+1000, -8:9 (within "
    "-2^53 to 2^53)"
)
PIN_HELP = (
    "an encoding and its parameters, such as 'sinusoidal base=500', optionally with name='...' and "
    "colour=NAME"
)
_PIN_FIELDS = declared(Pin)


def parse_positions(text: str) -> range:
    """Return the positions that `text` spells: ``START:STOP[:STEP]`` or ``START+COUNT``.

    Raises `ParameterError` if it is neither, holds no position, or leaves ±2^53.
    """
    counted = re.fullmatch(r"([^:]*[^:eE])\+(.+)", text)
    try:
        numbers = [*map(params.whole_number, counted.groups() if counted else text.split(":"))]
        if counted:
            numbers[1] += numbers[0]
        if len(numbers) not in (2, 3):
            raise ValueError("not a range")
        if numbers[2:] == [0]:
            raise ValueError("STEP must not be 0")
    except ValueError as error:
        problem = f"{quoted(text)}: {reason(error)}; give {POSITIONS_HELP}"
        raise ParameterError("positions", problem) from None
    positions = range(*numbers)
    if not positions:
        problem = f"{quoted(text)} holds no position"
        raise ParameterError("positions", problem, "STOP must lie beyond START")
    for end in (positions[0], positions[-1]):
        if abs(end) > LIMIT:
            limits = f"the limits are -2^53 to 2^53 ({-LIMIT} to {LIMIT})"
            raise ParameterError("positions", f"{quoted(text)} reaches {end}; {limits}")
    return positions


def spelled_positions(positions: range) -> str:
    """Return the shortest text that `parse_positions` reads back as these positions."""
    count = positions.stop - positions.start
    numbers = map(str, (positions.start, positions.stop, positions.step, count))
    start, stop, step, counted = (
        re.sub(r"0{6,}$", lambda zeros: f"e{len(zeros[0])}", number) for number in numbers
    )
    if positions.step != 1:
        return f"{start}:{stop}:{step}"
    return min(f"{start}:{stop}", f"{start}+{counted}", key=len)


def parse_pins(texts: Sequence[str]) -> tuple[Pin, ...]:
    """Return the pins that texts such as ``sinusoidal base=500 colour=teal`` spell.

    Raises `ParameterError` if a text is not a pin, or there are too many.
    """
    state = Exploration()
    for text in texts:
        try:
            state = _with_pin(state, *(shlex.split(text) or [""]))
        except ValueError as error:
            problem = reason(error)
            if isinstance(error, ParameterError):
                name, problem = error.name.replace("_", "-"), error.problem
                if name not in ("encoding", "pin"):
                    problem = f"{name}: {problem}"
            if not problem.startswith(quoted(text)):
                problem = f"{quoted(text)}: {problem}"
            raise ParameterError("pin", problem, f"give {PIN_HELP}") from None
    return state.pins


def _with_pin(state: Exploration, name: str, *words: str) -> Exploration:
    """Return an exploration with one more pin; each word is KEY=VALUE."""
    scheme = find(name)
    options = {option.name: option for option in parameters_of(scheme, _PIN_FIELDS)}
    parameters, of_pin = {}, {}
    for word in words:
        key, _, text = word.partition("=")
        key = key.replace("-", "_")
        if key in options:
            parameters[options[key].field] = options[key].parameter.parse(key, text)
        elif key in _PIN_FIELDS:
            of_pin[key] = _PIN_FIELDS[key].parse(key, text)
        else:
            hint = params.did_you_mean(key, (*options, *_PIN_FIELDS))
            raise ParameterError("pin", f"{quoted(key)} is no parameter of {name}{hint}")
    e = scheme(**parameters)
    params.require_used(e, parameters)
    changed = pinned(state.with_(encoding=e))
    *pins, last = changed["pins"]
    return state.with_(**{**changed, "pins": (*pins, replace(last, **of_pin))})


def spelled_pin(pin: Pin) -> str:
    """Return the text that `parse_pins` reads back as a pin."""
    e = require_known(pin.encoding, "pin")
    words, counting = [e.name], params.used(e)
    for option in parameters_of(type(e), _PIN_FIELDS):
        value = getattr(e, option.field)
        if option.field in counting and value != option.parameter.default:
            words.append(f"{option.name}={option.parameter.format(value)}")
    words += [f"{key}={kind.format(getattr(pin, key))}" for key, kind in _PIN_FIELDS.items()]
    return shlex.join(words)
