"""The commands, their requests, and the flags that they have for every encoding and view."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import Any

from pe_explorer import pictures, quantities
from pe_explorer.analysis.comparison import Subject
from pe_explorer.colours.themes import THEMES
from pe_explorer.encodings import Encoding, EncodingError, Unknown
from pe_explorer.exploration import Exploration, Pin, check_pins
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import (
    Choice,
    Declared,
    Real,
    Text,
    Whole,
    declare,
    declared,
    sections,
)
from pe_explorer.quantities import Asked, Data
from pe_explorer.values import frozen

WINDOW = "window"
"""Name of the whole window, where `render` takes the name of a view."""
PLATE = "plate"
"""Name of the figure of several views, with a letter for each."""
SIZE = FigureSize(1600, 900)
"""Default width and height of a picture."""
WIDTH = Whole(
    1600, 240, 16_384, label="Width", unit="pixels", help="Width of the picture before scaling."
)
HEIGHT = Whole(
    900, 160, 16_384, label="Height", unit="pixels", help="Height of the picture before scaling."
)
SCALE = Real(
    1.0,
    0.25,
    8.0,
    label="Scale",
    help="Enlarges a PNG: 2 makes it twice as wide and as high in pixels, and equally sharp.",
)
CARRY = Choice(
    "keep",
    {"keep": "save the session, too", "omit": "write the file alone"},
    texts={"keep": "yes", "omit": "no"},
    label="Include session",
    help="A saved session lets the file be opened again with all it shows. It is stored inside "
    "a figure or picture, and in a second file beside data.",
)

_EXPLORED = declared(Exploration)
_POSITIONS = sections(Exploration)["positions"]
SHOWN = tuple(name for name in _EXPLORED if name not in _POSITIONS)
"""Fields of an exploration that a picture depends on, besides its positions."""


@frozen
class Request(Declared):
    """What to export of an encoding; some fields are those of an exploration.

    `options` are those of the quantity: what is not given has its default.
    """

    error = EncodingError

    what: str = declare(
        Choice(
            quantities.names()[0],
            {name: quantities.find(name).help for name in quantities.names()},
            label="What",
            help="The numbers to write.",
        )
    )
    show: str = declare(_EXPLORED["show"])
    compared: int = declare(_EXPLORED["compared"])
    metric: str = declare(_EXPLORED["metric"])
    reference: int = declare(_EXPLORED["reference"])
    position: int = declare(_EXPLORED["position"])
    dtype: str = declare(
        Choice(
            "float64",
            {
                "float64": "as computed",
                "float32": "rounded once",
                "float16": "rounded once",
            },
            label="Type",
            help="Type of the numbers in the file.",
        )
    )
    carry: str = declare(CARRY)
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        options = quantities.checked_options(self.what, self.options)
        object.__setattr__(self, "options", MappingProxyType(options))

    @classmethod
    def of(cls, state: Exploration, **fields: Any) -> Request:
        """Return a request with fields and options of an exploration, except those given."""
        options = {**quantity_options(state), **fields.pop("options", {})}
        return cls(**{**cls.found_in(state), "options": options, **fields})

    @classmethod
    def explored(cls) -> tuple[str, ...]:
        """Return the names of the fields that an exploration also has."""
        return tuple(name for name in declared(cls) if name in _EXPLORED)

    @classmethod
    def found_in(cls, state: Exploration) -> dict[str, Any]:
        """Return the fields that an exploration also has."""
        return {name: getattr(state, name) for name in cls.explored()}

    def put_into(self, state: Exploration) -> Exploration:
        """Return an exploration with the fields that it also has, and the options of its views."""
        if view := quantities.find(self.what).view:
            state = pictures.with_options(state, view, **self.options)
        return state.with_(**{name: getattr(self, name) for name in self.explored()})

    def subject(self, e: Encoding | Unknown, pins: Sequence[Pin] = ()) -> Subject:
        """Return the encoding or the difference that the numbers describe.

        Raises
        ------
        ParameterError
            If a pin does not exist, or an encoding is not known here.
        """
        check_pins(pins, self.compared, self.show)
        compared = pins[self.compared].encoding if pins else None
        return quantities.subject_of(self.what, self.show, e, compared)

    def check(self, e: Encoding | Unknown, positions: range, pins: Sequence[Pin] = ()) -> None:
        """Raise `ParameterError` if it can be told at once that there are no such numbers."""
        quantities.check(self.what, self._asked(e, positions, pins))

    def data(
        self,
        e: Encoding | Unknown,
        positions: range,
        pins: Sequence[Pin] = (),
        progress: threading.Event | None = None,
    ) -> Data:
        """Return the numbers, ready to be written; to get them ready may take seconds.

        Raises
        ------
        ParameterError
            If there are none, or a pin does not exist.
        CancelledError
            Once the event `progress` is set; see `progress.report`.
        """
        asked = self._asked(e, positions, pins)._replace(progress=progress)
        return quantities.data(self.what, asked)

    def _asked(self, e: Encoding | Unknown, positions: range, pins: Sequence[Pin]) -> Asked:
        subject = self.subject(e, pins)
        where = self.metric, self.reference, self.position
        return Asked(subject, positions, *where, self.options)


def quantity_options(state: Exploration) -> dict[str, Any]:
    """Return the options of quantities that the views of an exploration have, too."""
    found: dict[str, Any] = {}
    for quantity in map(quantities.find, quantities.names()):
        if quantity.view in state.options:
            chosen = state.options[quantity.view]
            found |= {name: getattr(chosen, name) for name in quantity.options}
    return found


@frozen
class Print(Declared):
    """How a picture is drawn and what goes with it."""

    scale: float = declare(SCALE)
    carry: str = declare(CARRY)
    theme: str = declare(
        Choice(
            "light",
            {name: THEMES[name] for name in ("light", "dark")},
            label="Theme",
            help="Colours of the picture; a dark figure is one on dark ground.",
        )
    )
    only: str = declare(
        Text(
            "",
            40,
            shortest=0,
            label="Only",
            help="One part of a view alone, such as curve or matrix; empty for all of it.",
        )
    )


SUMMARIES: Mapping[str, str] = MappingProxyType(
    {
        "list": "list the encodings and their parameters, the exhibits, or published models",
        "export": "write a table, distances or other numbers to a file",
        "code": "print code that makes the table",
        "render": "draw a view or the window into a PNG, PDF or SVG file, without a display",
        "check": "say what a model's config.json means, and what in it misleads",
    }
)
"""The commands, and what each does."""

_ALWAYS = ("help", "version")
_SUBJECT = (*_ALWAYS, "session", "exhibit", "config", "model", "layers", "encoding", "positions")
_EXPORT = (*_SUBJECT, *declared(Request), *quantities.options(), "pin", "output")
_PANES = ("panes", "arrangement", "active")
_FIGURE = (*declared(Print), *declared(Style))
_RENDER = (*_SUBJECT, *SHOWN, *_PANES, "pin", "size", "preset", *_FIGURE, "output")
_CODE = (*_SUBJECT, "for")
_WINDOW = (*_ALWAYS, "theme", "self_test")
_LIST = (*_ALWAYS, "exhibits", "models", "csv")
_CHECK = (*_ALWAYS, "semantics", "length", "trained", "json")

FIXED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "": _WINDOW,
        "list": _LIST,
        "export": _EXPORT,
        "code": _CODE,
        "render": _RENDER,
        "check": _CHECK,
    }
)
"""Names of the flags that each command always has; the window has the empty name."""

RESERVED = frozenset(name for command in FIXED if command != "check" for name in FIXED[command])
"""Names that mean the same in every command: no option of an encoding or a view has one.

Those of `check` are free, as it has no such options: its length is that of a text.
"""
