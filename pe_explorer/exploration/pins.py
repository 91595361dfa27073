"""Add, remove and change pins, and name pins and encodings."""

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

from pe_explorer.analysis.comparison import SHOW, ShowOption
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration.fields import MAX_PINS, PIN_COLOURS, Exploration, Pin, find_layer_name
from pe_explorer.exploration.moves import find_initial_fields
from pe_explorer.params import (
    FileName,
    Flag,
    Numbers,
    Parameter,
    ParameterError,
    Real,
    Whole,
    declared,
    find_inner_kind,
    find_used_parameters,
    format_fault,
    printed,
    to_one_line,
)

_MAX_NAME_LENGTH: int = declared(Pin)["name"].longest  # type: ignore[attr-defined]
_MAX_BRIEF_LENGTH = 24  # maximum number of characters in a name if space is limited
_MAX_PARAMS = 3  # maximum number of parameters in a name, unless distinguishing pins requires more
_SUFFIX = re.compile(r"(?: \(\d\))?")  # optional suffix that makes a name unique, such as " (2)"


def check_pins(pins: Sequence[Pin], compared: int, show: str) -> None:
    """Raise `ParameterError` if a requested pin does not exist."""
    if not pins and (compared or show != SHOW.default):
        name = "compared" if show == SHOW.default else "show"
        remedy = "add one, such as --pin 'sinusoidal base=500'"
        raise ParameterError(name, "there is no pin to compare with", remedy)
    if pins and compared >= len(pins):
        limits = "0, the only pin" if len(pins) == 1 else f"a pin from 0 to {len(pins) - 1}"
        raise ParameterError("compared", format_fault(limits, compared))


def add_pin(
    state: Exploration, e: Encoding | Unknown | None = None, name: str = ""
) -> dict[str, Any]:
    """Return the fields `pins` and `compared` with a new pin, which becomes the compared pin.

    By default, the pin has the current encoding. Its name is made unique, and its colour is
    unused if possible. Creating an exploration with too many pins raises an error.
    """
    state = state.intention
    names = {pin.name for pin in state.pins}
    if e is None:
        e = state.encoding
        name = find_layer_name(state.opened, e) or make_short_name(e)
    else:
        names.add(state.name)
    used_colours = {pin.colour for pin in state.pins}
    colour = next((c for c in PIN_COLOURS if c not in used_colours), next(iter(PIN_COLOURS)))
    name, number = _shorten(name), 2
    if name in names:
        start = name[: _MAX_NAME_LENGTH - len(" (9)")]
        while f"{start} ({number})" in names:
            number += 1
        name = f"{start} ({number})"
    compared = min(len(state.pins), MAX_PINS - 1)
    return {"pins": (*state.pins, Pin(e, name, colour)), "compared": compared}


def remove_pin(state: Exploration, index: int) -> dict[str, Any]:
    """Return `pins` and `compared` without a pin; the compared pin changes only if removed."""
    pins = list(state.intention.pins)
    del pins[index]
    compared = state.intention.compared
    return {"pins": tuple(pins), "compared": compared - (index < compared)}


def update_pin(state: Exploration, index: int, **fields: Any) -> dict[str, Any]:
    """Return the field `pins` after changing fields of one pin, such as its name or colour."""
    pins = list(state.intention.pins)
    pins[index] = dataclasses.replace(pins[index], **fields)
    return {"pins": tuple(pins)}


def apply_pin(state: Exploration, index: int) -> dict[str, Any]:
    """Return the fields that make a pin's encoding the current encoding."""
    encoding = state.intention.pins[index].encoding
    return {"encoding": encoding, **find_initial_fields(state.intention.encoding, encoding)}


def make_short_name(e: Encoding | Unknown) -> str:
    """Return a short name of an encoding, such as ``sinusoidal d=128 b=500 endpoint``.

    The name contains all numeric parameters with a symbol, and all other parameters that do
    not have their default value. The name of an unknown encoding is that of its scheme.
    """
    if isinstance(e, Unknown):
        return _shorten(e.label)
    kinds = find_used_parameters(e).items()
    words = [_format_short_text(name, kind, getattr(e, name)) for name, kind in kinds]
    return _shorten(" ".join(filter(None, [e.name, *words])))


def make_current_name(state: Exploration, *, is_full: bool = False) -> str:
    """Return the typed name of the current encoding, or its differences from the pins.

    The differences are the scheme, if a pin has another scheme, and the parameters that differ
    from those of any pin, such as ``base 10,000``. If nothing differs, the name is that of the
    scheme. A full name is not shortened, and includes parameters even if nothing differs.
    """
    e, others = state.encoding, [pin.encoding for pin in state.pins]
    words = _list_differences(e, others)[:_MAX_PARAMS]
    if any(type(other) is not type(e) for other in others):
        words = [e.format_name(), *words]
    name = state.name or ", ".join(words)
    if is_full:
        return name or make_full_name(e)
    return _shorten(name or e.format_name(), _MAX_BRIEF_LENGTH)


def make_distinguishing_name(state: Exploration, pin: Pin, *, is_full: bool = False) -> str:
    """Return the typed name of a pin, or its differences from the current encoding.

    The name contains some of the parameters that differ, or all of them if this is necessary
    to distinguish pins. A long name is shortened, unless `is_full` is True.
    """
    name, number = pin.name, pin.name.removeprefix(make_short_name(pin.encoding))
    if _SUFFIX.fullmatch(number) or name == declared(Pin)["name"].default:
        words = _list_pin_texts(state, pin, is_full)
        others = [_list_pin_texts(state, other, is_full) for other in state.pins]
        if all(other == words or other[:_MAX_PARAMS] != words[:_MAX_PARAMS] for other in others):
            words = words[:_MAX_PARAMS]
        name = f"{', '.join(words)}{number if _SUFFIX.fullmatch(number) else ''}"
    return name if is_full else _shorten(name, _MAX_BRIEF_LENGTH)


def _list_pin_texts(state: Exploration, pin: Pin, is_full: bool) -> list[str]:
    if pin.encoding == state.encoding:
        return ["same as current"]
    words = _list_differences(pin.encoding, [state.encoding])
    return words or _list_full_texts(pin.encoding, is_full)


def make_difference_name(state: Exploration, *, is_full: bool = False) -> str:
    """Return a name for the difference from the compared pin: ``base 10,000 − base 500``."""
    return make_subject_names(state, is_full=is_full)[ShowOption.DIFFERENCE]


def make_subject_name(state: Exploration, word: str) -> str:
    """Return the name of the subject to which a word in a choice of `SHOW` refers."""
    return word if word == ShowOption.DIFFERENCE else make_subject_names(state)[word]


def make_subject_names(state: Exploration, *, is_full: bool = False) -> dict[str, str]:
    """Return a name for each choice of `SHOW`; without a pin, only ``current`` has its own name."""
    current, pin = make_current_name(state, is_full=is_full), state.pin
    declared_names = {word: SHOW.texts.get(word, word) for word in SHOW.choices}
    if pin is None:
        return {**declared_names, ShowOption.CURRENT: current}
    pinned_name = make_distinguishing_name(state, pin, is_full=is_full)
    names: dict[str, str] = {ShowOption.CURRENT: current, ShowOption.PINNED: pinned_name}
    names[ShowOption.DIFFERENCE] = f"{current} − {pinned_name}"
    words = {**names, ShowOption.DIFFERENCE: "difference"}
    for choice in SHOW.choices:
        if len(choice.split()) == 2:
            names[choice] = " | ".join(words[word] for word in choice.split())
    return {**declared_names, **names}


def _list_differences(e: Encoding | Unknown, others: Sequence[Encoding | Unknown]) -> list[str]:
    """Return the parameters that differ between `e` and any of `others` with the same scheme."""
    if isinstance(e, Unknown):
        return []
    words, same_scheme_encodings = [], [other for other in others if type(other) is type(e)]
    for name, parameter in find_used_parameters(e).items():
        value = getattr(e, name)
        if any(value != getattr(other, name) for other in same_scheme_encodings):
            words.append(_format_legend_text(name, parameter, value))
    return words


def make_full_name(e: Encoding | Unknown) -> str:
    """Return a name for display, such as ``sinusoidal, width 128, base 10,000``."""
    return ", ".join(_list_full_texts(e, is_full=True)[: _MAX_PARAMS + 1])


def _list_full_texts(e: Encoding | Unknown, is_full: bool) -> list[str]:
    """Return the scheme and its parameters; include default numbers only if `is_full` is True."""
    if isinstance(e, Unknown):
        return [make_short_name(e)]
    words = [e.format_name()]
    for name, parameter in find_used_parameters(e).items():
        value = getattr(e, name)
        is_in_short_name = bool(_format_short_text(name, parameter, value))
        if is_in_short_name if is_full else value != parameter.default:
            words.append(_format_legend_text(name, parameter, value))
    return words


def _format_legend_text(name: str, parameter: Parameter, value: Any) -> str:
    label, kind = parameter.label.lower(), find_inner_kind(parameter)
    if isinstance(parameter, FileName):
        return _format_parameter_text(name, parameter, value)
    if isinstance(parameter, Flag):
        return label if value else f"not {label}"
    if isinstance(kind, Numbers):
        return printed.text(f"{label} {kind.brief(value)}")
    text = parameter.format(value)
    if isinstance(kind, Whole | Real):
        return f"{label} {printed.format_plain_number(text)}"
    return f"{text} {label}" if value == parameter.default else text


def _format_short_text(name: str, parameter: Parameter, value: Any) -> str:
    is_numeric = isinstance(parameter, Whole | Real) and parameter.symbol
    if value == parameter.default and not is_numeric:
        return ""
    return _format_parameter_text(name, parameter, value)


def _format_parameter_text(name: str, parameter: Parameter, value: Any) -> str:
    if isinstance(parameter, FileName):
        file = " ".join(
            parameter.get_last_part(value).split()
        )  # omit the folder, which may be private
        return to_one_line(file) if file else f"no {name}"
    kind = find_inner_kind(parameter)
    if isinstance(kind, Numbers):
        return f"{name}={kind.brief(value)}"
    if isinstance(kind, Whole | Real):
        return f"{parameter.symbol or name}={parameter.format(value)}"
    if isinstance(parameter, Flag):
        return name if value else f"no {name}"
    return parameter.format(value)


def _shorten(name: str, max_length: int = _MAX_NAME_LENGTH) -> str:
    return name if len(name) <= max_length else f"{name[: max_length - 1].rstrip(' ,')}…"
