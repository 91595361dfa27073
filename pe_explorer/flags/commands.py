"""The commands, their requests, and the flags that they have for every encoding and view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Event
from types import MappingProxyType
from typing import Any

from pe_explorer import pictures, quantities
from pe_explorer.analysis.comparison import SHOW, Subject
from pe_explorer.analysis.windows import SECOND_START, windows
from pe_explorer.colours.themes import THEMES
from pe_explorer.encodings import Encoding, EncodingError, Unknown
from pe_explorer.exploration import (
    Exploration,
    Pin,
    check_pins,
    current_name,
    distinguishing_name,
    subject_name,
)
from pe_explorer.figures import PLATE as PLATE
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import Choice, Declared, Real, Text, Whole, declare, declared, sections
from pe_explorer.quantities import Data, QuantityInput

WINDOW = "window"  # of the whole window, where `render` takes the name of a view
SIZE = FigureSize(1600, 900)  # of a picture
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

_EXPLORATION_FIELDS = declared(Exploration)
_POSITION_FIELDS = sections(Exploration)["positions"]
Pins = Sequence[Pin]
SHOWN_FIELDS = {
    name: parameter
    for name, parameter in _EXPLORATION_FIELDS.items()
    if name not in _POSITION_FIELDS
}
"""The fields of an exploration that a picture depends on, except its positions."""


@dataclass(frozen=True)
class ExportRequest(Declared):
    """The numbers of an encoding to export; some fields are those of an exploration.

    `options` are those of the quantity; missing ones have their defaults.
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
    show: str = declare(_EXPLORATION_FIELDS["show"])
    compared: int = declare(_EXPLORATION_FIELDS["compared"])
    metric: str = declare(_EXPLORATION_FIELDS["metric"])
    reference: int = declare(_EXPLORATION_FIELDS["reference"])
    position: int = declare(_EXPLORATION_FIELDS["position"])
    name: str = declare(_EXPLORATION_FIELDS["name"])
    curves: str = declare(
        Choice(
            "one",
            {
                "one": "the curve that --show names",
                "all": "that of the current encoding and of each pin, and a second window",
            },
            label="Curves",
            help="What to write where a picture shows several curves or windows.",
        )
    )
    second_start: int | None = declare(SECOND_START)
    dtype: str = declare(
        Choice(
            "float64",
            {"float64": "as computed", "float32": "rounded once", "float16": "rounded once"},
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
    def of(cls, state: Exploration, **fields: Any) -> ExportRequest:
        """Return a request with fields and options of an exploration, except those given."""
        found = cls.found_in(state)
        options = found["options"] | fields.get("options", {})
        return cls(**{**found, **fields, "options": options}).with_windows(state)

    def with_windows(self, state: Exploration) -> ExportRequest:
        """Return the request with the second window of an exploration, if it is for all curves."""
        if self.curves == "one" or self.second_start is not None:
            return self
        heatmap: Any = pictures.find("heatmap")(state).options
        return replace(self, second_start=heatmap.second)

    @property
    def has_all_curves(self) -> bool:
        """Whether the numbers are the curves of all encodings."""
        return self.curves == "all" and bool(quantities.find(self.what).curve_axis)

    @property
    def second_window(self) -> int | None:
        """The start of the second window of positions, None where the quantity has only one."""
        return self.second_start if quantities.find(self.what).has_windows else None

    @classmethod
    def found_in(cls, state: Exploration) -> dict[str, Any]:
        """Return the fields that an exploration has, too, and the options that its views have."""
        options: dict[str, Any] = {}
        for quantity in map(quantities.find, quantities.names()):
            if quantity.view in state.options:
                chosen = state.options[quantity.view]
                options |= {name: getattr(chosen, name) for name in quantity.options}
        return {name: getattr(state, name) for name in _IN_BOTH} | {"options": options}

    def put_into(self, state: Exploration) -> Exploration:
        """Return an exploration with the fields and the options of views that it has, too."""
        if view := quantities.find(self.what).view:
            state = pictures.with_options(state, view, **self.options)
        if self.second_window is not None:
            state = pictures.with_options(state, "heatmap", second=self.second_window)
        return state.with_(**{name: getattr(self, name) for name in _IN_BOTH})

    def subject(self, e: Encoding | Unknown, pins: Pins = ()) -> Subject:
        """Return the encoding or the difference of the numbers, or raise `ParameterError`."""
        check_pins(pins, self.compared, self.show)
        compared = pins[self.compared].encoding if pins else None
        return quantities.subject_of(self.what, self.show, e, compared)

    def check(self, e: Encoding | Unknown, positions: range, pins: Pins = ()) -> None:
        """Raise `ParameterError` if there are no such numbers, as far as it shows at once."""
        for request in () if self.has_all_curves else self._of_each_word:
            quantities.check(self.what, request._quantity_input(e, positions, pins))

    @property
    def _of_each_word(self) -> list[ExportRequest]:
        if quantities.find(self.what).compares_with_pin:
            return [self]
        return [replace(self, show=word) for word in self.show.split()]

    def data(
        self,
        e: Encoding | Unknown,
        positions: range,
        pins: Pins = (),
        progress: Event | None = None,
    ) -> Data:
        """Return the numbers, ready to be written; to get them ready may take seconds.

        Raises `ParameterError` if there are none, and `CancelledError` once `progress` is set.
        """
        if self.has_all_curves:
            asked, notes = self._quantity_inputs(e, positions, pins, progress)
            if not asked:
                raise EncodingError("encoding", notes[0])
            data = quantities.curves(self.what, asked)
            return replace(data, notes=(*notes, *data.notes))
        each_alone = self._of_each_word
        if len(each_alone) > 1:
            state = Exploration(e, pins=tuple(pins), compared=self.compared, name=self.name)
            given = e, positions, pins, progress
            found = [
                (subject_name(state, request.show), request.data(*given)) for request in each_alone
            ]
            return quantities.join_tables(found)
        parts = [
            quantities.data(self.what, self._quantity_input(e, window, pins, progress))
            for window in windows(positions, self.second_window)
        ]
        return replace(parts[0], next_part=parts[1]) if len(parts) > 1 else parts[0]

    def missing_reasons(
        self, e: Encoding | Unknown, positions: range, pins: Pins = ()
    ) -> tuple[str, ...]:
        """Return sentences on the curves that are missing, with the reasons."""
        if not self.has_all_curves:
            return ()
        asked, notes = self._quantity_inputs(e, positions, pins)
        return (*notes, *quantities.omitted_curves(self.what, asked))

    def _quantity_inputs(
        self, e: Encoding | Unknown, positions: range, pins: Pins, progress: Event | None = None
    ) -> tuple[list[tuple[str, QuantityInput]], list[str]]:
        state = Exploration(e, pins=tuple(pins), name=self.name)
        named = [(current_name(state, whole=True), e)]
        named += [(distinguishing_name(pin, e, whole=True), pin.encoding) for pin in pins]
        alone = replace(self, show=SHOW.default, compared=0)
        asked, notes = [], []
        for name, encoding in named:
            try:
                asked.append((name, alone._quantity_input(encoding, positions, (), progress)))
            except EncodingError as error:
                notes.append(f"{name} is not in the file: {error.fault}.")
        return asked, notes

    def _quantity_input(
        self, e: Encoding | Unknown, positions: range, pins: Pins, progress: Event | None = None
    ) -> QuantityInput:
        where = self.metric, self.reference, self.position
        return QuantityInput(self.subject(e, pins), positions, *where, self.options, progress)


_IN_BOTH = declared(ExportRequest).keys() & _EXPLORATION_FIELDS


def left_out(request: ExportRequest, view: str, state: Exploration) -> tuple[str, ...]:
    """Return sentences on what a view shows and a request does not export."""
    picture = pictures.picture_of(view, state)
    what, show = picture.exported(), picture.show
    if request.what != what:
        return ()
    missing_names = [
        subject_name(state, word) for word in show.split() if word not in request.show.split()
    ]
    sentence = "The picture also shows {}; write it to a file of its own."
    several = "The picture shows more than one curve or window; with curves all, all are written."
    found = []
    if missing_names and not request.has_all_curves:
        found.append(sentence.format(" and ".join(missing_names)))
    if request.curves == "one" and shows_several(view, state, what):
        found.append(several)
    return (*found, *map(sentence.format, picture.also_shown(what)))


def shows_several(view: str, state: Exploration, what: str) -> bool:
    """Return whether a view shows a quantity as several curves, or in two windows."""
    quantity, options = quantities.find(what), pictures.find(view)(state).options
    if quantity.curve_axis and state.pins:
        by_words = view == "shift"  # its curves are those that are chosen to be shown
        shows_words = " " in pictures.picture_of(view, state).show
        return "pins" in pictures.find(view).fields and (not by_words or shows_words)
    if what == view == "distances" and options.second_metric:
        return True
    return quantity.has_windows and getattr(options, "second", None) is not None


@dataclass(frozen=True)
class RenderSettings(Declared):
    """The settings of a picture that is drawn into a file."""

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


SUMMARIES = {
    "list": "list the encodings and their parameters, the exhibits, or published models",
    "export": "write a table, distances or other numbers to a file",
    "code": "print code that makes the table, or a matplotlib script that draws a figure",
    "render": "draw a view or the window into a PNG, PDF or SVG file, without a display",
    "check": "explain a model's config.json, and report misleading fields",
}
SUBJECT = ("session", "config", "assume", "override", "model", "layers", "encoding", "positions")
"""Names of the flags that choose what is explored; an exhibit replaces all of them."""
PANES = ("panes", "arrangement", "active")  # flags of a window or a plate
_COMMON = ("help", "version")
_SUBJECT = (*_COMMON, "exhibit", *SUBJECT)
_CHECK = ("each", "semantics", "length", "trained", "assume", "override", "format", "json")
_FIGURE = (*declared(RenderSettings), *declared(Style))
COMMAND_FLAGS = {
    "": (*_COMMON, "theme", "self_test"),
    "list": (*_COMMON, "exhibits", "models", "csv"),
    "export": (*_SUBJECT, *declared(ExportRequest), *quantities.options(), "pin", "output"),
    "code": (*_SUBJECT, "show", "compared", "pin", "for", "figure"),
    "render": (*_SUBJECT, *SHOWN_FIELDS, *PANES, "pin", "size", "preset", *_FIGURE, "output"),
    "check": (*_COMMON, *_CHECK),
}
"""Names of the flags of each command for every encoding; the window has the empty name."""
RESERVED = {
    flag_name for name in COMMAND_FLAGS if name != "check" for flag_name in COMMAND_FLAGS[name]
}
"""Names that no option of an encoding or a view may have; those of `check` are free."""
