"""Fields of an exploration that change with pinning, and the names of pins."""

import dataclasses
from collections.abc import Sequence
from typing import Any

from pe_explorer.analysis.comparison import SHOW, Show
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration.fields import MAX_PINS, PIN_COLOURS, Exploration, Pin, name_in_model
from pe_explorer.exploration.moves import initial_fields
from pe_explorer.params import (
    FileName,
    Flag,
    Numbers,
    Parameter,
    ParameterError,
    Real,
    Whole,
    declared,
    inner_kind,
    one_line,
    printed,
    used,
)

_LONGEST_NAME: int = declared(Pin)["name"].longest  # type: ignore[attr-defined]
_BRIEF_NAME = 24  # characters of a name where there is little room
_SAME_ENCODING = "the same, pinned"
"""The name of a pin whose encoding is the current one."""


def check_pins(pins: Sequence[Pin], compared: int, show: str) -> None:
    """Raise `ParameterError` if a pin is asked for that does not exist."""
    remedy = "give one first, such as --pin 'sinusoidal base=500'"
    if not pins and show != SHOW.default:
        raise ParameterError("show", f"there is no pin to compare with; {remedy}")
    if not pins and compared:
        raise ParameterError("compared", f"there is no pin to compare with; {remedy}")
    if pins and compared >= len(pins):
        numbers = f"the first is 0, the last {len(pins) - 1}"
        raise ParameterError("compared", f"there is no pin {compared}; {numbers}")


def pinned(
    state: Exploration, e: Encoding | Unknown | None = None, name: str = ""
) -> dict[str, Any]:
    """Return `pins` and `compared` with a new pin, which is compared.

    It is the current encoding, unless another is given with a name. The new pin gets a name and a
    colour that are free. One pin too many is refused by the exploration.
    """
    state = state.intention
    taken = {pin.name for pin in state.pins}
    if e is None:
        e = state.encoding
        name = name_in_model(state.opened, e) or short_name(e)
    else:
        taken.add(state.name)
    used = {pin.colour for pin in state.pins}
    free = [colour for colour in PIN_COLOURS if colour not in used]
    colour = free[0] if free else next(iter(PIN_COLOURS))
    name, number = _cut(name), 2
    if name in taken:
        start = name[: _LONGEST_NAME - len(" (9)")]
        while f"{start} ({number})" in taken:
            number += 1
        name = f"{start} ({number})"
    pin = Pin(e, name, colour)
    compared = min(len(state.pins), MAX_PINS - 1)
    return {"pins": (*state.pins, pin), "compared": compared}


def unpinned(state: Exploration, index: int) -> dict[str, Any]:
    """Return `pins` and `compared` without one of the pins; the same one stays compared."""
    state = state.intention
    pins = list(state.pins)
    del pins[index]
    compared = state.compared
    if index < compared:
        compared -= 1
    return {"pins": tuple(pins), "compared": compared}


def updated_pin(state: Exploration, index: int, **fields: Any) -> dict[str, Any]:
    """Return `pins` with another name or colour of one of them, checked."""
    pins = list(state.intention.pins)
    pins[index] = dataclasses.replace(pins[index], **fields)
    return {"pins": tuple(pins)}


def restored_from_pin(state: Exploration, index: int) -> dict[str, Any]:
    """Return the fields that make a pin's encoding the current one."""
    state = state.intention
    encoding = state.pins[index].encoding
    return {"encoding": encoding, **initial_fields(state.encoding, encoding)}


def short_name(e: Encoding | Unknown) -> str:
    """Return a short name, such as ``sinusoidal d=128 b=500 endpoint``.

    Numbers that have a symbol are always in it, other parameters only if they are not the
    default. An encoding that is not known here has the name of its scheme alone.
    """
    if isinstance(e, Unknown):
        return _cut(e.label)
    words = [e.name]
    for name, parameter in used(e).items():
        words.append(_word(name, parameter, getattr(e, name)))
    return _cut(" ".join(filter(None, words)))


def current_name(state: Exploration, *, whole: bool = False) -> str:
    """Return what the current encoding is called: its typed name, or what tells it from the pins.

    That is its scheme where a pin has another one, and each parameter in which it differs from any
    pin, such as ``b = 10,000``. Where nothing tells it apart it is its scheme, with its parameters
    if the `whole` name is wanted; else a long one is cut.
    """
    e, others = state.encoding, [pin.encoding for pin in state.pins]
    words = _different_words(e, others)
    if any(type(other) is not type(e) for other in others):
        words = [e.name, *words]
    name = state.name or ", ".join(words)
    if whole:
        return name or _full_name(e, whole=True)
    return _cut(name or e.name, _BRIEF_NAME)


def distinguishing_name(pin: Pin, e: Encoding | Unknown, *, whole: bool = False) -> str:
    """Return the name that somebody gave to a pin, or how it differs from the encoding.

    A long one is cut, unless the `whole` one is wanted.
    """
    name = pin.name
    if name in (short_name(pin.encoding), declared(Pin)["name"].default):
        name = ", ".join(_different_words(pin.encoding, [e]))
        name = name or (
            _SAME_ENCODING if pin.encoding == e else _full_name(pin.encoding, whole=whole)
        )
    return name if whole else _cut(name, _BRIEF_NAME)


def difference_name(state: Exploration, *, whole: bool = False) -> str:
    """Return what the difference to the compared pin is called: ``b = 10,000 − b = 500``."""
    return subject_names(state, whole=whole)[Show.DIFFERENCE]


def subject_name(state: Exploration, word: str) -> str:
    """Return what is drawn for one word of `SHOW` is called beside the others."""
    return word if word == Show.DIFFERENCE else subject_names(state)[word]


def subject_names(state: Exploration, *, whole: bool = False) -> dict[str, str]:
    """Return what each choice of `SHOW` is called; without a pin, as it is declared."""
    current, pin = current_name(state, whole=whole), state.pin
    declared_names = {word: SHOW.texts.get(word, word) for word in SHOW.choices}
    if pin is None:
        return {**declared_names, Show.CURRENT: current}
    pinned = distinguishing_name(pin, state.encoding, whole=whole)
    names: dict[str, str] = {Show.CURRENT: current, Show.PINNED: pinned}
    names[Show.DIFFERENCE] = f"{current} − {pinned}"
    words = {**names, Show.DIFFERENCE: "difference"}
    for choice in SHOW.choices:
        if len(choice.split()) == 2:
            names[choice] = " | ".join(words[word] for word in choice.split())
    return {**declared_names, **names}


def _different_words(e: Encoding | Unknown, others: Sequence[Encoding | Unknown]) -> list[str]:
    """Return the values in which an encoding differs from any other one of the same scheme."""
    alike = [other for other in others if type(other) is type(e)]
    if isinstance(e, Unknown):
        return []
    words = []
    for name, parameter in used(e).items():
        value = getattr(e, name)
        if any(value != getattr(other, name) for other in alike):
            words.append(_drawn(name, parameter, value))
    return words


def _full_name(e: Encoding | Unknown, *, whole: bool) -> str:
    """Return a short name as it is drawn: ``sinusoidal, d = 128, b = 10,000``.

    Only a `whole` name has the numbers that are the default.
    """
    if isinstance(e, Unknown):
        return short_name(e)
    words = [e.name]
    for name, parameter in used(e).items():
        value = getattr(e, name)
        named = _word(name, parameter, value) if whole else value != parameter.default
        if named:
            words.append(_drawn(name, parameter, value))
    return ", ".join(words)


def _drawn(name: str, parameter: Parameter, value: Any) -> str:
    """Return the value of a parameter as a legend has it: ``b = 10,000``."""
    if isinstance(parameter, FileName | Flag):
        return _spelled(name, parameter, value)
    kind = inner_kind(parameter)
    if isinstance(kind, Numbers):
        return printed.text(f"{name} = {kind.brief(value)}")
    text = parameter.format(value)
    if not isinstance(kind, Whole | Real):
        return f"{parameter.label.lower()} = {text}"
    return f"{parameter.symbol or name} = {printed.from_plain(text)}"


def _word(name: str, parameter: Parameter, value: Any) -> str:
    """Return the part of a short name that a parameter adds, which may be empty."""
    numbered = isinstance(parameter, Whole | Real) and parameter.symbol
    if value == parameter.default and not numbered:
        return ""
    return _spelled(name, parameter, value)


def _spelled(name: str, parameter: Parameter, value: Any) -> str:
    """Return the value of a parameter in a word that says which parameter it is."""
    if isinstance(parameter, FileName):  # without its folder: names of pins are shared
        file = " ".join(parameter.last_part(value).split())
        return one_line(file) if file else f"no {name}"  # what no name of a pin may hold is escaped
    kind = inner_kind(parameter)
    if isinstance(kind, Numbers):
        return f"{name}={kind.brief(value)}"
    if isinstance(kind, Whole | Real):
        return f"{parameter.symbol or name}={parameter.format(value)}"
    if isinstance(parameter, Flag):
        return name if value else f"no {name}"
    return parameter.format(value)


def _cut(name: str, most: int = _LONGEST_NAME) -> str:
    """Return a name of at most so many characters."""
    if len(name) <= most:
        return name
    start = name[: most - 1].rstrip()
    return f"{start}…"
