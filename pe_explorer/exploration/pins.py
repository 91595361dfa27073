"""Encodings that are kept to compare with: what pinning changes of an exploration."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration.fields import MOST_PINS, PIN_COLOURS, Exploration, Pin
from pe_explorer.exploration.moves import first_look
from pe_explorer.params import FileName, Flag, ParameterError, Real, Whole, declared

__all__ = ["check_pins", "named", "pinned", "repinned", "taken_back", "unpinned"]


def check_pins(pins: Sequence[Pin], compared: int, show: str) -> None:
    """Raise `ParameterError` where a pin is asked for that there is not.

    An exploration itself follows its pins.
    """
    if not pins and (show != SHOW.default or compared):
        problem = (
            "there is no pin to compare with; give one first, such as --pin 'sinusoidal base=500'"
        )
        raise ParameterError("show" if show != SHOW.default else "compared", problem)
    if compared >= max(len(pins), 1):
        raise ParameterError(
            "compared", f"there is no pin {compared}; the first is 0, the last {len(pins) - 1}"
        )


def pinned(state: Exploration) -> dict[str, Any]:
    """Return `pins` and `compared` with the current encoding kept.

    In a free colour, named, and compared with.
    """
    state = state.intention
    used = {pin.colour for pin in state.pins}
    colour = next((colour for colour in PIN_COLOURS if colour not in used), next(iter(PIN_COLOURS)))
    # One pin too many is refused by the exploration, with a sentence; until then it is no index.
    return {
        "pins": (*state.pins, Pin(state.encoding, _new_name(state), colour)),
        "compared": min(len(state.pins), MOST_PINS - 1),
    }


def _new_name(state: Exploration) -> str:
    """Return a name for the current encoding that no pin has yet."""
    name, taken = named(state.encoding), {pin.name for pin in state.pins}
    most = declared(Pin)["name"].longest - len(" (9)")  # type: ignore[attr-defined]
    numbered = (f"{name[:most]} ({number})" for number in range(2, MOST_PINS + 2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def unpinned(state: Exploration, index: int) -> dict[str, Any]:
    """Return `pins` and `compared` without one of the pins.

    The compared one stays so, if it can.
    """
    state = state.intention
    return {
        "pins": state.pins[:index] + state.pins[index + 1 :],
        "compared": state.compared - (index < state.compared),
    }


def repinned(state: Exploration, index: int, **fields: Any) -> dict[str, Any]:
    """Return `pins` with another name or colour of one of them, checked."""
    state = state.intention
    return {
        "pins": (
            *state.pins[:index],
            dataclasses.replace(state.pins[index], **fields),
            *state.pins[index + 1 :],
        )
    }


def taken_back(state: Exploration, index: int) -> dict[str, Any]:
    """Return the encoding of a pin as the current one, and a first look at it where its rows mean
    something else.
    """
    state = state.intention
    encoding = state.pins[index].encoding
    return {"encoding": encoding, **first_look(state.encoding, encoding)}


def named(e: Encoding | Unknown) -> str:
    """Return a short name that tells an encoding from others of its scheme.

    ``sinusoidal d=128 b=500 endpoint``.

    Numbers that have a symbol are always named, other parameters where they are not the default.
    Of one that is not known here, it is the name of the scheme alone.
    """
    if isinstance(e, Unknown):
        return _cut(e.label)
    words = [e.name]
    for name, parameter in declared(type(e)).items():
        value = getattr(e, name)
        text = parameter.format(value)
        if isinstance(parameter, Whole | Real):
            words += [f"{parameter.symbol or name}={text}"] * (
                bool(parameter.symbol) or value != parameter.default
            )
        elif isinstance(parameter, Flag):
            words += [name if value else f"no {name}"] * (value != parameter.default)
        elif isinstance(parameter, FileName):  # without its folder: names of pins go to others
            words += [parameter.last_part(value)] * bool(value)
        else:
            words += [text] * (value != parameter.default)
    return _cut(" ".join(words))


def _cut(name: str) -> str:
    """Return a name of a length that pins may have."""
    most = declared(Pin)["name"].longest  # type: ignore[attr-defined]
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"
