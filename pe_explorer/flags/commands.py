"""The commands, their requests, and the flags that do not depend on the encoding or view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Event
from types import MappingProxyType
from typing import Any

from pe_explorer import params, pictures, quantities
from pe_explorer.analysis.comparison import SHOW, Subject
from pe_explorer.analysis.windows import SECOND_START, windows
from pe_explorer.colours.themes import THEMES
from pe_explorer.encodings import Encoding, EncodingError, Unknown
from pe_explorer.exploration import (
    Exploration,
    Pin,
    check_pins,
    make_current_name,
    make_distinguishing_name,
    make_subject_name,
)
from pe_explorer.figures import PLATE as PLATE
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.params import Choice, Declared, Real, Text, Whole, declare, declared, sections
from pe_explorer.quantities import Data, QuantityInput

WINDOW = "window"  # the argument of `render` that draws the whole window
DEFAULT_SIZE = FigureSize(1600, 900)  # default size of an image in pixels
WIDTH = Whole(1600, 240, 16_384, label="Width", unit="pixels", help="Width before scaling.")
HEIGHT = Whole(900, 160, 16_384, label="Height", unit="pixels", help="Height before scaling.")
SCALE = Real(
    1.0, 0.25, 8.0, label="Scale", help="Scale of a PNG: 2 doubles its width and height in pixels."
)
SESSION_CHOICE = Choice(
    "keep",
    {"keep": "save it", "omit": "do not save it"},
    texts={"keep": "yes", "omit": "no"},
    label="Include session",
    help="Include the session, so that you can open the file again with its settings. Figures and "
    "pictures contain the session; for data, the session is a second file.",
)

_EXPLORATION_FIELDS = declared(Exploration)
SHOWN_FIELDS = {
    name: parameter
    for name, parameter in _EXPLORATION_FIELDS.items()
    if name not in sections(Exploration)["positions"]
}  # the fields of an exploration, except positions, that a view can depend on
Pins = Sequence[Pin]


@dataclass(frozen=True)
class ExportRequest(Declared):
    """A request to export a quantity; some fields are also fields of `Exploration`."""

    error = EncodingError

    what: str = declare(
        Choice(
            quantities.names()[0],
            {name: quantities.find(name).help for name in quantities.names()},
            label="What",
            help="The quantity to write.",
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
                "one": "the curve that --show selects",
                "all": "the curves of the current encoding and of all pins, and the second range",
            },
            label="Curves",
            help="The curves to write if a picture shows several curves or ranges.",
        )
    )
    second_start: int | None = declare(SECOND_START)
    dtype: str = declare(
        Choice(
            "float64",
            {
                "float64": "as computed",
                "float32": "rounded to float32",
                "float16": "rounded to float16",
            },
            label="Type",
            help="Type of the numbers in the file.",
        )
    )
    carry: str = declare(SESSION_CHOICE)
    options: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        options = quantities.check_options(self.what, self.options)
        object.__setattr__(self, "options", MappingProxyType(options))

    @classmethod
    def from_exploration(cls, state: Exploration, **fields: Any) -> ExportRequest:
        """Return a request with the values of an exploration, overridden by `fields`."""
        defaults = cls.read_shared_fields(state)
        options = defaults["options"] | fields.get("options", {})
        return cls(**{**defaults, **fields, "options": options}).with_windows(state)

    def with_windows(self, state: Exploration) -> ExportRequest:
        """Return a request for several curves with the second window of `state`.

        Return the request unchanged if it is for one curve or already has a second window.
        """
        if self.curves == "one" or self.second_start is not None:
            return self
        heatmap: Any = pictures.find("heatmap")(state).options
        return replace(self, second_start=heatmap.second)

    @property
    def has_all_curves(self) -> bool:
        """Whether the request is for the curves of all encodings."""
        return self.curves == "all" and bool(quantities.find(self.what).curve_axis)

    @property
    def second_window(self) -> int | None:
        """The start of the second window, or None if only one window is exported."""
        return self.second_start if quantities.find(self.what).can_have_second_window else None

    @classmethod
    def read_shared_fields(cls, state: Exploration) -> dict[str, Any]:
        """Return the values in `state` of the fields and options that a request also has."""
        options: dict[str, Any] = {}
        for quantity in map(quantities.find, quantities.names()):
            if quantity.view in state.options:
                view_options = state.options[quantity.view]
                options |= {name: getattr(view_options, name) for name in quantity.options}
        return {name: getattr(state, name) for name in _SHARED_FIELDS} | {"options": options}

    def apply_to(self, state: Exploration) -> Exploration:
        """Return `state` with the fields and options of this request."""
        if view := quantities.find(self.what).view:
            state = pictures.with_options(state, view, **self.options)
        if self.second_window is not None:
            state = pictures.with_options(state, "heatmap", second=self.second_window)
        return state.with_(**{name: getattr(self, name) for name in _SHARED_FIELDS})

    def subject(self, e: Encoding | Unknown, pins: Pins = ()) -> Subject:
        """Return the subject of the export: an encoding, or the difference between two encodings.

        Raise `ParameterError` if the requested pin does not exist.
        """
        check_pins(pins, self.compared, self.show)
        compared = pins[self.compared].encoding if pins else None
        return quantities.select_subject(self.what, self.show, e, compared)

    def check(self, e: Encoding | Unknown, positions: range, pins: Pins = ()) -> None:
        """Raise `ParameterError` if the quantity is undefined; compute no values."""
        for request in () if self.has_all_curves else self._split_subjects():
            quantities.check(self.what, request._make_quantity_input(e, positions, pins))

    def _split_subjects(self) -> list[ExportRequest]:
        if quantities.find(self.what).is_pin_comparison:
            return [self]
        return [replace(self, show=word) for word in self.show.split()]

    def data(
        self,
        e: Encoding | Unknown,
        positions: range,
        pins: Pins = (),
        progress: Event | None = None,
    ) -> Data:
        """Return the values to write; computing them can take seconds.

        Raise `ParameterError` if the quantity is undefined, and `CancelledError` if `progress`
        is set during the computation.
        """
        if self.has_all_curves:
            inputs, notes = self._list_curve_inputs(e, positions, pins, progress)
            if not inputs:
                raise EncodingError("encoding", notes[0])
            data = quantities.curves(self.what, inputs)
            return replace(data, notes=(*notes, *data.notes))
        requests = self._split_subjects()
        if len(requests) > 1:
            state = Exploration(e, pins=tuple(pins), compared=self.compared, name=self.name)
            names = [make_subject_name(state, request.show) for request in requests]
            tables = [request.data(e, positions, pins, progress) for request in requests]
            return quantities.join_tables(list(zip(names, tables, strict=True)))
        parts = [
            quantities.data(self.what, self._make_quantity_input(e, window, pins, progress))
            for window in windows(positions, self.second_window)
        ]
        return replace(parts[0], next_part=parts[1]) if len(parts) > 1 else parts[0]

    def find_missing_curves(
        self, e: Encoding | Unknown, positions: range, pins: Pins = ()
    ) -> tuple[str, ...]:
        """Return a sentence for each curve that cannot be exported, with the reason."""
        if not self.has_all_curves:
            return ()
        inputs, notes = self._list_curve_inputs(e, positions, pins)
        return (*notes, *quantities.explain_omitted_curves(self.what, inputs))

    def _list_curve_inputs(
        self, e: Encoding | Unknown, positions: range, pins: Pins, progress: Event | None = None
    ) -> tuple[list[tuple[str, QuantityInput]], list[str]]:
        state = Exploration(e, pins=tuple(pins), name=self.name)
        encodings = [(make_current_name(state, is_full=True), e)]
        encodings += [
            (make_distinguishing_name(state, pin, is_full=True), pin.encoding) for pin in pins
        ]
        request = replace(self, show=SHOW.default, compared=0)
        inputs, notes = [], []
        for name, encoding in encodings:
            try:
                inputs.append(
                    (name, request._make_quantity_input(encoding, positions, (), progress))
                )
            except EncodingError as error:
                notes.append(params.with_full_stop(f"{name} is not in the file: {error.fault}"))
        return inputs, notes

    def _make_quantity_input(
        self, e: Encoding | Unknown, positions: range, pins: Pins, progress: Event | None = None
    ) -> QuantityInput:
        settings = self.metric, self.reference, self.position, self.options
        return QuantityInput(self.subject(e, pins), positions, *settings, progress)


_SHARED_FIELDS = declared(ExportRequest).keys() & _EXPLORATION_FIELDS


def omissions(request: ExportRequest, view: str, state: Exploration) -> tuple[str, ...]:
    """Return sentences about the parts of a view that a request does not export."""
    picture = pictures.make_picture(view, state)
    what = picture.quantity_name()
    if request.what != what:
        return ()
    omitted_words = [word for word in picture.show.split() if word not in request.show.split()]
    omitted_names = [make_subject_name(state, word) for word in omitted_words]
    sentence = "The picture also shows {}, which is not in the file. Export it separately."
    sentences = []
    if omitted_names and not request.has_all_curves:
        sentences.append(sentence.format(" and ".join(omitted_names)))
    if request.curves == "one" and has_several_curves(view, state, what):
        problem = "The file contains only one of the curves or ranges in the picture."
        sentences.append(f'{problem} To write all of them, set curves to "all".')
    return (*sentences, *map(sentence.format, picture.list_omitted_data(what)))


def has_several_curves(view: str, state: Exploration, quantity_name: str) -> bool:
    """Return whether a view shows a quantity as several curves, or in two windows."""
    quantity, options = quantities.find(quantity_name), pictures.find(view)(state).options
    if quantity.curve_axis and state.pins:
        # The view `shift` shows several curves only if its option `show` has several words.
        has_curves = view != "shift" or " " in pictures.make_picture(view, state).show
        return has_curves and "pins" in pictures.find(view).fields
    if quantity_name == view == "distances" and options.second_metric:
        return True
    return quantity.can_have_second_window and getattr(options, "second", None) is not None


@dataclass(frozen=True)
class RenderSettings(Declared):
    """The settings for drawing an image into a file."""

    scale: float = declare(SCALE)
    carry: str = declare(SESSION_CHOICE)
    theme: str = declare(
        Choice(
            "light",
            {name: THEMES[name] for name in ("light", "dark")},
            label="Theme",
            help='Colours of the picture. For a figure, "dark" gives a dark background.',
        )
    )
    only: str = declare(
        Text(
            "",
            40,
            shortest=0,
            label="Only",
            help="Draw only one part of a view, such as curve or matrix. Leave it empty to draw "
            "all parts.",
        )
    )


_SOURCE_FLAGS = ("session", "config", "assume", "override", "model", "layers")
EXPLORATION_FLAGS = (*_SOURCE_FLAGS, "encoding", "positions")
"""The names of the flags that select the exploration; ``--exhibit`` replaces all of them."""
PANE_FLAGS = ("panes", "arrangement", "active")  # flags for the panes of a window or a plate
_COMMON_FLAGS = ("help", "version")
_INPUT_FLAGS = (*_COMMON_FLAGS, "exhibit", *EXPLORATION_FLAGS)
_CHECK_FLAGS = ("each", "semantics", "length", "trained", "assume", "override", "format", "json")
_IMAGE_FLAGS = ("size", "preset", *declared(RenderSettings), *declared(Style), "output")
COMMAND_FLAGS = {
    "": (*_COMMON_FLAGS, "theme", "self_test"),
    "list": (*_COMMON_FLAGS, "exhibits", "models", "csv"),
    "export": (*_INPUT_FLAGS, *declared(ExportRequest), *quantities.options(), "pin", "output"),
    "code": (*_INPUT_FLAGS, "show", "compared", "pin", "for", "rounded_to", "cast", "figure"),
    "render": (*_INPUT_FLAGS, *SHOWN_FIELDS, *PANE_FLAGS, "pin", *_IMAGE_FLAGS),
    "check": (*_COMMON_FLAGS, *_CHECK_FLAGS),
}  # flags that depend on neither encoding nor view, by command; "" is the window's command
RESERVED_NAMES = {flag for name in COMMAND_FLAGS if name != "check" for flag in COMMAND_FLAGS[name]}
"""The names that options must not have, because a command other than `check` uses them."""
