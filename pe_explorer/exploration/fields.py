"""The document: everything that the user has set up, as one frozen value."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import SHOW, Subject, chosen, columns_of_cursor
from pe_explorer.arrays import Ints
from pe_explorer.encodings import LIMIT, Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration.panes import Panes
from pe_explorer.params import Choice, Declared, ParameterError, Text, Whole, declare, sections
from pe_explorer.tables import MAX_COLUMNS

MAX_PINS = 8

PIN_COLOURS = {
    "magenta": "pink, between red and violet",
    "green": "fresh and of middle brightness",
    "gold": "yellow, darker on light ground",
    "violet": "between blue and purple",
    "brown": "dark and reddish",
    "teal": "dark, between blue and green",
    "orange": "warm and of middle brightness",
    "ink": "that of text: black on light ground, white on dark",
}
"""Colours that are distinct for every kind of colour vision, in the order new pins get them."""


@dataclass(frozen=True)
class Pin(Declared):
    """An encoding that is kept for comparison, with a name and a colour.

    `extra` are keys of its file that are not known here.
    """

    encoding: Encoding | Unknown
    name: str = declare(
        Text("pin", 60, label="Name", help="What the pin is called in legends and lists.")
    )
    colour: str = declare(
        Choice(
            "magenta",
            PIN_COLOURS,
            label="Colour",
            help="Of the pin's curve. Each colour has dashes of its own.",
        )
    )
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)


@dataclass(frozen=True)
class Exploration(Declared):
    """An encoding, the positions shown, the cursor, and the options of each view.

    The same positions are shown in every view; zooming one of them changes `start` and
    `count`. `options` holds those that are not the defaults, by the view's name. The section
    of a field says what it belongs to, in the window and in a session's file. Without `panes` the
    window keeps those that it has. `opened` is what it was opened as, such as an exhibit: undo
    restores it, no file holds it, and two explorations are equal without it. If it has `names`, a
    mapping to encodings, the current encoding is called by them while nobody names it otherwise.

    Raises
    ------
    ParameterError
        If a field leaves its limits, or the last position passes 2^53.
    """

    encoding: Encoding | Unknown = field(
        default_factory=lambda: encodings.create(encodings.names()[0])
    )
    start: int = declare(
        Whole(
            0,
            -LIMIT,
            LIMIT,
            slider_range=(0, 1000),
            label="Start",
            help=(
                "First row shown. Any whole number up to 2^53 can be typed, also as 10^12, "
                "64*1024, 8k (8000) or 8Ki (8192)."
            ),
        ),
        section="positions",
    )
    count: int = declare(
        Whole(
            50,
            1,
            LIMIT,
            slider_range=(1, 100_000),
            log=True,
            label="Count",
            symbol="L",
            unit="rows",
            help="How many rows are shown, from one to 2^53.",
        ),
        section="positions",
    )
    position: int = declare(
        Whole(
            0,
            -LIMIT,
            LIMIT,
            label="Position",
            symbol="p",
            unit="positions",
            help="Position of the cursor.",
        ),
        section="cursor",
    )
    dimension: int = declare(
        Whole(
            0,
            0,
            MAX_COLUMNS - 1,
            label="Dimension",
            symbol="j",
            unit="dimensions",
            help="Dimension of the cursor.",
        ),
        section="cursor",
    )
    second: int = declare(
        Whole(
            1,
            -LIMIT,
            LIMIT,
            label="Second position",
            symbol="q",
            unit="position",
            help="Position that the cursor's is compared with.",
        ),
        section="cursor",
    )
    reference: int = declare(
        Whole(
            0,
            -LIMIT,
            LIMIT,
            slider_range=(0, 1000),
            label="Reference",
            symbol="r",
            help="The position, or offset, from which distances are measured.",
        ),
        section="distances",
    )
    metric: str = declare(
        Choice(
            "cosine",
            distance.METRICS,
            texts=distance.MEASURES,
            label="Metric",
            help="How distances are measured.",
        ),
        section="distances",
    )
    pins: tuple[Pin, ...] = ()
    compared: int = declare(
        Whole(
            0,
            0,
            MAX_PINS - 1,
            label="Compared pin",
            help="Number of the pin to compare with, counted from 0.",
        ),
        section="comparison",
    )
    show: str = declare(SHOW, section="comparison")
    name: str = declare(
        Text(
            "",
            60,
            shortest=0,
            label="Name",
            help=(
                "What the encoding is called beside the pins, in legends, tables and files. "
                "Without a name it is called by what tells it from them, such as b = 500."
            ),
        ),
        section="comparison",
    )
    options: Mapping[str, Declared] = field(
        default_factory=lambda: MappingProxyType({}), hash=False
    )
    panes: Panes | None = None
    opened: object = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.start + self.count - 1 > LIMIT:
            most = LIMIT + 1 - self.start
            problem = f"{self.count} positions from {self.start} end beyond 2^53"
            raise ParameterError("count", problem, f"at most {most} fit")
        if len(self.pins) > MAX_PINS:
            problem = f"{len(self.pins)} are too many, there is room for {MAX_PINS}"
            raise ParameterError("pins", f"{problem}; unpin one first")
        object.__setattr__(self, "pins", tuple(self.pins))
        chosen = {view: each for view, each in self.options.items() if each != each.default()}
        object.__setattr__(self, "options", MappingProxyType(chosen))
        # Without its pin, the comparison moves to another one, or ends.
        last = max(0, len(self.pins) - 1)
        object.__setattr__(self, "compared", min(self.compared, last))
        show = self.show if self.pins else SHOW.default
        object.__setattr__(self, "show", show)

    @property
    def intention(self) -> Exploration:
        """What was set up, with or without its files: the value that is saved and undone."""
        return self

    @property
    def positions(self) -> range:
        """The positions shown."""
        return range(self.start, self.start + self.count)

    @property
    def pin(self) -> Pin | None:
        """The pin that is compared with, None without pins."""
        return self.pins[self.compared] if self.pins else None

    @cached_property
    def subject(self) -> Subject:
        """The encoding or the difference that views of one subject show, as `show` says."""
        pinned = self.pin.encoding if self.pin else None
        return chosen(self.show, self.encoding, pinned)

    @property
    def place(self) -> int | None:
        """The column of `subject` that means what the cursor's column means; None without one.

        There is none of an encoding that nobody knows, either.
        """
        try:
            columns = self._columns_of_cursor()
        except EncodingError:
            return None
        places = np.flatnonzero(columns == self.dimension)
        return int(places[0]) if len(places) else None

    def column_at(self, place: int) -> int | None:
        """Return the encoding's column at a place of `subject`, or the last one before it."""
        columns = self._columns_of_cursor()[: place + 1]
        reached = columns[columns >= 0]
        return int(reached[-1]) if len(reached) else None

    def _columns_of_cursor(self) -> Ints:
        return columns_of_cursor(self.subject, require_known(self.encoding))

    def with_(self, **fields: Any) -> Exploration:
        """Return the intention with other fields, checked; a name follows the encoding it is of."""
        state = self.intention
        if "encoding" in fields and state.name == name_in_model(state.opened, state.encoding):
            fields = {"name": name_in_model(state.opened, fields["encoding"]), **fields}
        return dataclasses.replace(state, **fields)


def name_in_model(opened: object, e: Encoding | Unknown) -> str:
    """Return what the model that was opened calls an encoding, an empty text where it does not."""
    names: Mapping[str, Encoding | Unknown] = getattr(opened, "names", {})
    return next((name for name, each in names.items() if each == e), "")


CURSOR = frozenset(sections(Exploration)["cursor"])
"""The fields of the cursor."""

TRANSIENT = CURSOR | {"panes", "opened"}
"""The fields that change no document: the cursor, the panes, and what is open."""


_PLAIN_FIELDS = tuple(f.name for f in dataclasses.fields(Exploration) if f.name != "options")


def differing(old: Exploration, new: Exploration) -> frozenset[str]:
    """Return the names of the fields that differ, those of views as ``options.NAME``."""
    changed = {name for name in _PLAIN_FIELDS if getattr(old, name) != getattr(new, name)}
    views = {*old.options, *new.options}
    for view in views:
        if old.options.get(view) != new.options.get(view):
            changed.add(f"options.{view}")
    return frozenset(changed)


def changes(old: Exploration, new: Exploration) -> frozenset[str]:
    """Return the names of the fields that were set differently, without those of `TRANSIENT`.

    The name goes with the encoding.
    """
    changed = differing(old.intention, new.intention) - TRANSIENT
    return changed - {"name"} if "encoding" in changed else changed
