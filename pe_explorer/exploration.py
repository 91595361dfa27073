"""The document: everything that the user has set up, as one frozen value."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import SHOW, Subject, chosen
from pe_explorer.encodings import LIMIT, Encoding, Unknown
from pe_explorer.params import Choice, Declared, ParameterError, Real, Text, Whole, declare, declared

__all__ = [
    "CURSOR",
    "MOST_PINS",
    "PIN_COLOURS",
    "Exploration",
    "Pin",
    "changes",
    "check_pins",
    "differing",
    "moved_cursor",
    "named",
    "panned",
    "pinned",
    "repinned",
    "taken_back",
    "unpinned",
    "zoomed",
]

MOST_PINS = 8

CURSOR = frozenset({"position", "dimension"})
"""The fields that say where the cursor is: they move all the time, and are no change of the document."""

PIN_COLOURS = {
    "magenta": "bright and reddish",
    "green": "fresh and of middle brightness",
    "gold": "yellow, darker on light ground",
    "violet": "between blue and purple",
    "brown": "dark and reddish",
    "teal": "dark, between blue and green",
    "orange": "warm and of middle brightness",
    "ink": "that of text: black on light ground, white on dark",
}
"""Colours that eyes of every kind tell from each other, by name, as they are given to new pins."""


@dataclass(frozen=True)
class Pin(Declared):
    """An encoding that was kept to compare with, under a name and in a colour.

    `extra` is what else a file says of it, and is not known here.
    """

    encoding: Encoding | Unknown
    name: str = declare(Text("pin", 60, label="Name", help="What the pin is called in legends and lists."))
    colour: str = declare(Choice("magenta", PIN_COLOURS, label="Colour", help="Of the pin's curve and its mark."))
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)


@dataclass(frozen=True)
class Exploration(Declared):
    """An encoding, the positions shown, the cursor, and the options of each view.

    The same positions are shown in every view; zooming one of them changes `start` and
    `count`. `options` holds a declared value for each view, by the view's name.

    Raises
    ------
    ParameterError
        If a field leaves its limits, or the last position passes 2^53.
    """

    encoding: Encoding | Unknown = field(default_factory=lambda: encodings.create(encodings.names()[0]))
    start: int = declare(
        Whole(
            0,
            -LIMIT,
            LIMIT,
            comfort=(0, 1000),
            label="Start",
            unit="position",
            help="First position shown. Any whole number up to 2^53 can be typed.",
        )
    )
    count: int = declare(
        Whole(
            50,
            1,
            LIMIT,
            comfort=(1, 100_000),
            log=True,
            label="Count",
            symbol="L",
            unit="positions",
            help="How many positions are shown, from one to 2^53.",
        )
    )
    position: int = declare(Whole(0, -LIMIT, LIMIT, label="Position", symbol="p", unit="position", help="Position of the cursor."))
    dimension: int = declare(Whole(0, 0, 65_535, label="Dimension", symbol="j", unit="dimension", help="Dimension of the cursor."))
    reference: int = declare(
        Whole(0, -LIMIT, LIMIT, comfort=(0, 1000), label="Reference", symbol="r", unit="position", help="Position from which distances are measured.")
    )
    metric: str = declare(Choice("cosine", distance.METRICS, label="Metric", help="How distances are measured."))
    pins: tuple[Pin, ...] = ()
    compared: int = declare(Whole(0, 0, MOST_PINS - 1, label="Compared pin", help="Which pin is compared with, counted from 0."))
    show: str = declare(SHOW)
    options: Mapping[str, Declared] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.start + self.count - 1 > LIMIT:
            most = LIMIT + 1 - self.start
            raise ParameterError("count", f"{self.count} positions from {self.start} pass 2^53, the last one; at most {most} fit")
        if len(self.pins) > MOST_PINS:
            raise ParameterError("pins", f"{len(self.pins)} are too many, there is room for {MOST_PINS}; unpin one first")
        object.__setattr__(self, "pins", tuple(self.pins))
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        # Cursor and comparison follow where width or pins shrink: they are no choices that could be lost.
        if not isinstance(self.encoding, Unknown):
            object.__setattr__(self, "dimension", min(self.dimension, self.encoding.dim - 1))
        object.__setattr__(self, "compared", min(self.compared, max(0, len(self.pins) - 1)))
        object.__setattr__(self, "show", self.show if self.pins else SHOW.default)

    @property
    def positions(self) -> range:
        """The positions shown."""
        return range(self.start, self.start + self.count)

    @property
    def pin(self) -> Pin | None:
        """The pin that is compared with, None where there are no pins."""
        return self.pins[self.compared] if self.pins else None

    @property
    def subject(self) -> Subject:
        """What is looked at, where one encoding at a time can be: as `show` says."""
        return chosen(self.show, self.encoding, self.pin.encoding if self.pin else None)

    def with_(self, **fields: Any) -> Exploration:
        """Return a copy with other fields, checked."""
        return dataclasses.replace(self, **fields)

    def with_options(self, view: str, **fields: Any) -> Exploration:
        """Return a copy with other options of one view, checked."""
        changed = dataclasses.replace(self.options[view], **fields)
        return dataclasses.replace(self, options={**self.options, view: changed})


def check_pins(pins: Sequence[Pin], compared: int, show: str) -> None:
    """Raise `ParameterError` where a pin is asked for that there is not; an exploration itself follows its pins."""
    if not pins and (show != SHOW.default or compared):
        problem = "there is no pin to compare with; give one first, such as --pin 'sinusoidal base=500'"
        raise ParameterError("show" if show != SHOW.default else "compared", problem)
    if compared >= max(len(pins), 1):
        raise ParameterError("compared", f"there is no pin {compared}; the first is 0, the last {len(pins) - 1}")


def differing(old: Exploration, new: Exploration) -> frozenset[str]:
    """Return the names of the fields that differ, those of views as ``options.NAME``."""
    names = {f.name for f in dataclasses.fields(new) if f.name != "options" and getattr(old, f.name) != getattr(new, f.name)}
    views = {f"options.{name}" for name in new.options if old.options.get(name) != new.options[name]}
    return frozenset(names | views)


def changes(old: Exploration, new: Exploration) -> frozenset[str]:
    """Return the names of the fields that differ, but those of the cursor."""
    return differing(old, new) - CURSOR


def pinned(state: Exploration) -> dict[str, Any]:
    """Return `pins` and `compared` with the current encoding kept: in a free colour, named, and compared with."""
    used = {pin.colour for pin in state.pins}
    colour = next((colour for colour in PIN_COLOURS if colour not in used), next(iter(PIN_COLOURS)))
    # One pin too many is refused by the exploration, with a sentence; until then it is no index.
    return {"pins": (*state.pins, Pin(state.encoding, _new_name(state), colour)), "compared": min(len(state.pins), MOST_PINS - 1)}


def _new_name(state: Exploration) -> str:
    """Return a name for the current encoding that no pin has yet."""
    name, taken = named(state.encoding), {pin.name for pin in state.pins}
    most = declared(Pin)["name"].longest - len(" (9)")  # type: ignore[attr-defined]
    numbered = (f"{name[:most]} ({number})" for number in range(2, MOST_PINS + 2))
    return name if name not in taken else next(other for other in numbered if other not in taken)


def unpinned(state: Exploration, index: int) -> dict[str, Any]:
    """Return `pins` and `compared` without one of the pins; the compared one stays so, if it can."""
    return {"pins": state.pins[:index] + state.pins[index + 1 :], "compared": state.compared - (index < state.compared)}


def repinned(state: Exploration, index: int, **fields: Any) -> dict[str, Any]:
    """Return `pins` with another name or colour of one of them, checked."""
    return {"pins": (*state.pins[:index], dataclasses.replace(state.pins[index], **fields), *state.pins[index + 1 :])}


def taken_back(state: Exploration, index: int) -> dict[str, Any]:
    """Return the encoding of a pin as the current one."""
    return {"encoding": state.pins[index].encoding}


def named(e: Encoding | Unknown) -> str:
    """Return a short name that tells an encoding from others of its scheme: ``sinusoidal d=128 b=500 endpoint``.

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
            words += [f"{parameter.symbol or name}={text}"] * (bool(parameter.symbol) or value != parameter.default)
        else:
            words += [text] * (value != parameter.default)
    return _cut(" ".join(words))


def _cut(name: str) -> str:
    """Return a name of a length that pins may have."""
    most = declared(Pin)["name"].longest  # type: ignore[attr-defined]
    return name if len(name) <= most else f"{name[: most - 1].rstrip()}…"


def zoomed(state: Exploration, factor: float, anchor: float = 0.5) -> dict[str, int]:
    """Return `start` and `count` for `factor` times as many positions.

    What lies at the fraction `anchor` of the range stays there, as far as the limits of
    the positions allow.
    """
    count = max(1, round(state.count * factor))
    if count == state.count and factor != 1:
        count += 1 if factor > 1 else -1
    count = min(max(count, 1), LIMIT)
    return _fitted(state, state.start + round((state.count - count) * anchor), count)


def panned(state: Exploration, positions: int) -> dict[str, int]:
    """Return `start` and `count` moved by a number of positions, within the limits."""
    return _fitted(state, state.start + positions, state.count)


def moved_cursor(state: Exploration, what: str, steps: int) -> dict[str, int]:
    """Return the cursor moved by `steps`, and the shown positions moved along where it leaves them.

    `what` is ``position``, ``dimension``, ``page`` (a tenth of the shown positions) or
    ``end`` (the first or last of them).
    """
    if what == "dimension":
        if isinstance(state.encoding, Unknown):
            return {}
        return {"dimension": min(max(state.dimension + steps, 0), state.encoding.dim - 1)}
    if what == "end":
        return {"position": state.positions[0 if steps < 0 else -1]}
    stride = steps * max(1, state.count // 10) if what == "page" else steps
    low = min(0, state.start, state.position)
    position = min(max(state.position + stride, low), LIMIT)
    if position in state.positions or state.position not in state.positions:
        return {"position": position}
    return {"position": position, **panned(state, position - (state.start if steps < 0 else state.positions[-1]))}


def _fitted(state: Exploration, start: int, count: int) -> dict[str, int]:
    # Sequences begin at 0; what lies before it is shown only to those who went there by typing.
    low = 0 if state.start >= 0 else -LIMIT
    return {"start": min(max(start, low), LIMIT + 1 - count), "count": count}
