"""The fields of the document, as one immutable value."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from pe_explorer import encodings
from pe_explorer.analysis import distance
from pe_explorer.analysis.comparison import SHOW, Subject, choose_subject, find_cursor_columns
from pe_explorer.arrays import Ints
from pe_explorer.encodings import LIMIT, Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration.panes import Panes
from pe_explorer.params import Choice, Declared, ParameterError, Text, Whole, declare, sections
from pe_explorer.tables import MAX_COLUMNS

MAX_PINS = 8

PIN_COLOURS = {
    "magenta": "pink, between red and violet",
    "green": "light green of medium brightness",
    "gold": "yellow, darker on light backgrounds",
    "violet": "between blue and purple",
    "brown": "dark and reddish",
    "teal": "dark blue-green",
    "orange": "warm, of medium brightness",
    "ink": "the colour of text: black on light backgrounds, white on dark ones",
}
"""Colours for pins in order of use, which are distinct with any colour vision."""


@dataclass(frozen=True)
class Pin(Declared):
    """An encoding for comparison, with a name and a colour.

    `extra` contains the unknown keys of this pin in a session.
    """

    encoding: Encoding | Unknown
    name: str = declare(
        Text("pin", 60, label="Name", help="The name of the pin in legends and lists.")
    )
    colour: str = declare(
        Choice(
            "magenta",
            PIN_COLOURS,
            label="Colour",
            help="The colour of the pin's curve. Each colour has its own dash pattern.",
        )
    )
    extra: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)


@dataclass(frozen=True)
class Exploration(Declared):
    """An encoding, the positions shown, the cursor, and the options of each view.

    All views show the same positions, so zooming a view changes `start` and `count`. `options`
    contains the options that differ from the defaults, by view. Sections group fields in the window
    and in sessions. If `panes` is None, the panes of the window do not change. `opened` is the
    source of the exploration, such as an exhibit or a model. Undo restores the source, but sessions
    do not contain the source and comparisons ignore it. If the source has a mapping `names`, its
    keys are the default names of encodings. The last position must not exceed 2^53.
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
                "The first row to show. Type a whole number up to 2^53, such as 10^12, 64*1024, "
                "8k (8000) or 8Ki (8192)."
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
            unit="rows",
            help="The number of rows to show, from 1 to 2^53.",
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
            help="The position of the cursor.",
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
            help="The dimension of the cursor.",
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
            help="The position to compare the cursor's position with.",
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
            help="The position or offset from which distances are measured.",
        ),
        section="distances",
    )
    metric: str = declare(
        Choice(
            "cosine",
            distance.METRICS,
            texts=distance.METRIC_NAMES,
            label="Metric",
            help="The measure of distance.",
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
            help="The number of the pin to compare with, counted from 0.",
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
                "The name of the encoding in legends, tables and files. If this is empty, the name "
                "shows how the encoding differs from the pins, such as base 500."
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
            max_count = LIMIT + 1 - self.start
            fault = f"{self.count:,} positions from {self.start:,} end beyond 2^53"
            raise ParameterError("count", fault, f"use at most {max_count:,}")
        if len(self.pins) > MAX_PINS:
            fault = f"expected at most {MAX_PINS} pins, got {len(self.pins)}"
            raise ParameterError("pins", fault, "unpin one first")
        options = {view: value for view, value in self.options.items() if value != value.default()}
        object.__setattr__(self, "options", MappingProxyType(options))
        object.__setattr__(self, "pins", tuple(self.pins))
        # Pins may have been removed, so limit the index to the last pin.
        object.__setattr__(self, "compared", min(self.compared, max(0, len(self.pins) - 1)))
        if not self.pins:
            object.__setattr__(self, "show", SHOW.default)

    @property
    def intention(self) -> Exploration:
        """The exploration before it was resolved, which sessions store and undo restores."""
        return self

    @property
    def positions(self) -> range:
        """The positions shown."""
        return range(self.start, self.start + self.count)

    @property
    def pin(self) -> Pin | None:
        """The pin to compare with, or None if there are no pins."""
        return self.pins[self.compared] if self.pins else None

    @cached_property
    def subject(self) -> Subject:
        """The encoding or difference that `show` selects for views that show only one subject."""
        pinned_encoding = self.pin.encoding if self.pin else None
        return choose_subject(self.show, self.encoding, pinned_encoding)

    @property
    def place(self) -> int | None:
        """The index of the cursor's column in `subject`, or None if there is no such column."""
        places = self.find_places((self.dimension,))
        return int(places[0]) if len(places) else None

    def find_places(self, dimensions: Sequence[int]) -> Ints:
        """Return the indices of the columns of `subject` that show any of `dimensions`, sorted."""
        try:
            return np.flatnonzero(np.isin(self._find_cursor_columns(), dimensions))
        except EncodingError:
            return np.array([], np.int64)

    def find_column(self, place: int) -> int | None:
        """Return the column of the encoding that corresponds to a column of `subject`.

        If no column corresponds, use the nearest preceding column of `subject` that has an
        equivalent. Return None if no preceding column has an equivalent.
        """
        columns = self._find_cursor_columns()[: place + 1]
        defined_columns = columns[columns >= 0]
        return int(defined_columns[-1]) if len(defined_columns) else None

    def _find_cursor_columns(self) -> Ints:
        return find_cursor_columns(self.subject, require_known(self.encoding))

    def with_(self, **fields: Any) -> Exploration:
        """Return the intention with some fields replaced.

        If the encoding is named after the opened model, the name changes with the encoding.
        """
        state = self.intention
        if "encoding" in fields and state.name == find_layer_name(state.opened, state.encoding):
            fields = {"name": find_layer_name(state.opened, fields["encoding"]), **fields}
        return dataclasses.replace(state, **fields)


def find_layer_name(opened: object, e: Encoding | Unknown) -> str:
    """Return the name of an encoding in the opened model; empty if the model does not have it."""
    names: Mapping[str, Encoding | Unknown] = getattr(opened, "names", {})
    return next((name for name, encoding in names.items() if encoding == e), "")


CURSOR_FIELDS = frozenset(sections(Exploration)["cursor"])
"""The fields of the cursor."""

TRANSIENT_FIELDS = CURSOR_FIELDS | {"panes", "opened"}
"""The fields that do not modify the document: the cursor, the panes and the source."""

_PLAIN_FIELDS = tuple(f.name for f in dataclasses.fields(Exploration) if f.name != "options")


def find_differing_fields(old: Exploration, new: Exploration) -> frozenset[str]:
    """Return the names of fields that differ; a view's options count as ``options.VIEW``."""
    names = {name for name in _PLAIN_FIELDS if getattr(old, name) != getattr(new, name)}
    for view in {*old.options, *new.options}:
        if old.options.get(view) != new.options.get(view):
            names.add(f"options.{view}")
    return frozenset(names)


def changes(old: Exploration, new: Exploration) -> frozenset[str]:
    """Return the names of differing fields, except for fields that do not modify the document.

    The name of the encoding is omitted if the encoding itself differs.
    """
    changed = find_differing_fields(old.intention, new.intention) - TRANSIENT_FIELDS
    return changed - {"name"} if "encoding" in changed else changed
