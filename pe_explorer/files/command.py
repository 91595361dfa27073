"""What is set up as a line for the shell: flags, and the command that makes the same file again.

The names of flags are made here only, from the declarations; the command line reads what
this module writes.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from pe_explorer.encodings import LIMIT, Encoding, find, known
from pe_explorer.exploration import Exploration, Pin, pinned
from pe_explorer.files import session
from pe_explorer.files.export import Request
from pe_explorer.params import Declared, ParameterError, declare, declared, did_you_mean, reason, shown, whole_number

__all__ = [
    "PIN_HELP",
    "POSITIONS_HELP",
    "SIZE",
    "THEMES",
    "WINDOW",
    "Shown",
    "beside",
    "by_prefix",
    "export_line",
    "flag",
    "join_values",
    "parse_pins",
    "parse_positions",
    "prefixed",
    "renamed",
    "render_line",
    "spelled_positions",
    "split_words",
]

Value = TypeVar("Value")

_LONG_FLAG = re.compile(r"(--[^=\s]+)(?:=(.*))?", re.DOTALL)
_SHORT_FLAG = re.compile(r"(-[A-Za-z])(?:=?(.+))?", re.DOTALL)
_HELP = ("-h", "--help")

WINDOW = "window"
"""What is drawn when it is no single view."""
SIZE = (1600, 900)
"""Width and height of a picture, where nothing else is said."""
THEMES = MappingProxyType({"system": "follow the system", "light": "dark on light", "dark": "light on dark"})
"""Colours to choose from, and what they are."""
PIN_HELP = "an encoding and its parameters, such as 'sinusoidal base=500', perhaps with name='...' and colour=NAME"
POSITIONS_HELP = "START:STOP[:STEP] without STOP itself, or START+COUNT; such as 0:50, 1e12+1000, -8:9 (within -2^53 to 2^53)"


@dataclass(frozen=True)
class Shown(Declared):
    """What a picture depends on besides the encoding and its positions: declared by the exploration."""

    position: int = declare(declared(Exploration)["position"])
    dimension: int = declare(declared(Exploration)["dimension"])
    reference: int = declare(declared(Exploration)["reference"])
    metric: str = declare(declared(Exploration)["metric"])
    compared: int = declare(declared(Exploration)["compared"])
    show: str = declare(declared(Exploration)["show"])


# -- flags -----------------------------------------------------------------------------------------


def flag(field: str) -> str:
    """Return the flag of a declared field: ``--first-pair`` of ``first_pair``."""
    return f"--{field.replace('_', '-')}"


def renamed(taken: Collection[str]) -> Callable[[str], str]:
    """Return how parameters of an encoding are called where the names `taken` mean something else."""
    return lambda field: f"encoding_{field}" if field in taken else field


def prefixed(prefix: str) -> Callable[[str], str]:
    """Return how fields are called that have a prefix."""
    return lambda field: prefix + field


def by_prefix(view: str, options: Mapping[str, Value]) -> dict[str, Value]:
    """Return, of what is given by the names of views, what a picture of `view` needs, by the prefix of its flags."""
    if view == WINDOW:
        return {f"{name}_": value for name, value in options.items()}
    return {"": options[view]} if view in options else {}


def _flags(values: Declared, name: Callable[[str], str] = str, without: Collection[str] = ()) -> list[str]:
    """Return the flags that spell a declared value, but for some fields, and those that say no more than the default."""
    found = []
    for field, parameter in declared(type(values)).items():
        text = parameter.format(getattr(values, field))
        if field not in without and text != parameter.format(parameter.default):
            found += [flag(name(field)), text]
    return found


def join_values(words: Sequence[str]) -> list[str]:
    """Join ``--flag -5:5`` to ``--flag=-5:5``: argparse takes what starts with a minus for a flag."""
    joined: list[str] = []
    for word in words:
        if joined and re.fullmatch(r"--[\w-]+", joined[-1]) and re.match(r"-[\d.]", word):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def split_words(words: Sequence[str]) -> tuple[dict[str, list[str]], list[str]]:
    """Return the values that a command's flags are given, and the words that belong to no flag.

    Every flag takes one value, in a word of its own or after ``=``, but for those that ask for
    help. What looks like a flag is none's value, and after ``--`` there are no flags.
    """
    values: dict[str, list[str]] = {}
    others: list[str] = []
    waiting = ""  # the flag whose value comes next
    for number, word in enumerate(words):
        if word == "--":
            return values, [*others, *words[number + 1 :]]
        if found := _LONG_FLAG.fullmatch(word) or _SHORT_FLAG.fullmatch(word):
            name, value = found.groups()
            waiting = "" if name in _HELP or value is not None else name
            if value is not None:
                values.setdefault(name, []).append(value)
        elif waiting:
            values.setdefault(waiting, []).append(word)
            waiting = ""
        else:
            others.append(word)
    return values, others


# -- positions -------------------------------------------------------------------------------------


def parse_positions(text: str) -> range:
    """Return the positions that `text` spells: ``START:STOP[:STEP]`` or ``START+COUNT``.

    Raises
    ------
    ParameterError
        If it is neither, holds no position, or leaves ±2^53.
    """
    try:
        positions = _read_positions(text)
    except (ValueError, OverflowError) as error:
        raise ParameterError("positions", f"{shown(text)}: {reason(error)}; give {POSITIONS_HELP}") from None
    if not positions:
        raise ParameterError("positions", f"{shown(text)} holds no position; STOP must lie beyond START")
    for end in (positions[0], positions[-1]):
        if abs(end) > LIMIT:
            raise ParameterError("positions", f"{shown(text)} reaches {end}; the limits are -2^53 to 2^53 ({-LIMIT} to {LIMIT})")
    return positions


def _read_positions(text: str) -> range:
    if counted := re.fullmatch(r"([^:]*[^:eE])\+(.+)", text):
        start, count = whole_number(counted[1]), whole_number(counted[2])
        return range(start, start + count)
    numbers = [whole_number(part) for part in text.split(":")]
    if len(numbers) not in (2, 3):
        raise ValueError("not a range")
    if numbers[2:] == [0]:
        raise ValueError("STEP must not be 0")
    return range(*numbers)


def spelled_positions(positions: range) -> str:
    """Return the shortest text that `parse_positions` reads back as these positions."""
    ends = [positions.start, positions.stop] + ([positions.step] if positions.step != 1 else [])
    spans = ":".join(map(_spelled, ends))
    if positions.step != 1:
        return spans
    return min(spans, f"{_spelled(positions.start)}+{_spelled(positions.stop - positions.start)}", key=len)


def _spelled(number: int) -> str:
    """Return a whole number, in short where it ends in many zeros: 1e12."""
    digits = str(number).rstrip("0")
    zeros = len(str(number)) - len(digits)
    return f"{digits}e{zeros}" if zeros >= 6 else str(number)


# -- pins ------------------------------------------------------------------------------------------


def parse_pins(texts: Sequence[str]) -> tuple[Pin, ...]:
    """Return the pins that texts such as ``sinusoidal base=500 name='as in 000' colour=teal`` spell.

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
            raise ParameterError("pin", f"{shown(text)}: {problem}; give {PIN_HELP}") from None
    return state.pins


def _with_pin(state: Exploration, words: list[str]) -> dict[str, Any]:
    name, *rest = words or [""]
    given = {key: text for key, _, text in (word.partition("=") for word in rest)}
    scheme = find(name)
    known = {**declared(scheme), **declared(Pin)}
    for key in given.keys() - known.keys():
        raise ParameterError("pin", f"{shown(key)} is no parameter of {name}{did_you_mean(key, known)}")
    values = {key: known[key].parse(key, text) for key, text in given.items()}
    own = {key: values.pop(key) for key in declared(Pin) if key in values}
    fields = pinned(state.with_(encoding=scheme(**values)))
    return {**fields, "pins": (*fields["pins"][:-1], replace(fields["pins"][-1], **own))}


def _spelled_pin(pin: Pin) -> str:
    """Return the text that `parse_pins` reads back as a pin."""
    e = known(pin.encoding, "pin")
    values = {key: parameter.format(getattr(e, key)) for key, parameter in declared(type(e)).items() if getattr(e, key) != parameter.default}
    return shlex.join([e.name, *(f"{key}={text}" for key, text in {**values, "name": pin.name, "colour": pin.colour}.items())])


# -- lines -----------------------------------------------------------------------------------------


def export_line(e: Encoding, positions: range, request: Request, output: Path | str, pins: Sequence[Pin] = ()) -> str:
    """Return the command that writes the same data, quoted for the shell; of the pins, it has the one that they need."""
    words = ["export", *_of_encoding(e, positions), *_flags(request, without=("compared",))]
    if request.show != "current":
        words += [flag("pin"), _spelled_pin(pins[request.compared])]
    return shlex.join(["pe-explorer", *words, *_to(output)])


def render_line(view: str, state: Exploration, size: tuple[int, int], how: Declared, output: Path | str) -> str:
    """Return the command that draws the same picture, quoted for the shell.

    Parameters
    ----------
    view : str
        What to draw: the name of a view, or `WINDOW`.
    state : Exploration
    size : (width, height)
        In pixels before scaling.
    how : Declared
        How the picture is made, a value of the class that the command `render` makes flags of.
    output : path
    """
    words = ["render", view, *_of_encoding(known(state.encoding), state.positions, renamed(declared(type(how))))]
    words += _flags(Shown(**{name: getattr(state, name) for name in declared(Shown)}))
    for prefix, options in by_prefix(view, state.options).items():
        words += _flags(options, prefixed(prefix))
    for pin in state.pins:
        words += [flag("pin"), _spelled_pin(pin)]
    if size != SIZE:
        words += [flag("size"), "x".join(map(str, size))]
    return shlex.join(["pe-explorer", *words, *_flags(how), *_to(output)])


def beside(state: Exploration, positions: range, request: Request, output: Path | str, extra: Mapping[str, Any] = MappingProxyType({})) -> str | None:
    """Return the session that goes beside exported data, with the command that writes them; None if it is left out.

    Positions that an exploration cannot hold, with a step or too many, are covered as far as
    its limits allow; the command has them exactly. `extra` is what else the session holds.
    """
    if request.carry == "omit":
        return None
    first, last = sorted((positions[0], positions[-1]))
    line = export_line(known(state.encoding), positions, request, Path(output).name, state.pins)
    state = state.with_(start=first, count=min(last - first + 1, LIMIT), **{name: getattr(request, name) for name in ("reference", "metric", "show")})
    return session.dumps(state, {**extra, session.COMMAND: line})


def _of_encoding(e: Encoding, positions: range, name: Callable[[str], str] = str) -> list[str]:
    return [flag("encoding"), e.name, *_flags(e, name), flag("positions"), spelled_positions(positions)]


def _to(output: Path | str) -> list[str]:
    name = str(output)
    return ["-o", f"./{name}" if name.startswith("-") else name]  # or it would be taken for a flag
