"""The base class of pictures: name, options, requirements, cost and contents.

A picture is made in two steps. `numbers` computes the values of all pixels, which may
take long and can run in any thread. `figure` describes how to draw the values, which is
quick.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast, get_args

from pe_explorer.analysis.comparison import DIFFERENCE_REMEDY, ShowOption, Subject, choose_subject
from pe_explorer.encodings import (
    Encoding,
    EncodingError,
    Unknown,
    is_file_based,
    needs,
    require_known,
)
from pe_explorer.exploration import Exploration, pan_range, zoom_range
from pe_explorer.params import Declared, Optional, Real, capitalise, join_words, with_full_stop
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.gestures import Drag, Effects, Fields, Pointer, Snapshot, Wheel
from pe_explorer.pictures.inspection import (
    HiddenCursor,
    Inspection,
    inspect_value,
    make_hidden_cursor,
)
from pe_explorer.pictures.named import list_encodings
from pe_explorer.pictures.pixels import FigureSpace, Size, combine_sizes
from pe_explorer.pictures.places import PanelPoint
from pe_explorer.pictures.shown_positions import find_nearest_position
from pe_explorer.words import Facts
from pe_explorer.words.texts import Wording, get_setting

_PIXELS_PER_WAVE = 200  # pixels per period of a wave after zooming to the wave
VIEW_GROUPS = {
    "look": "Values of the encoding",
    "turn": "Rotations and frequencies",
    "measure": "Distances between positions",
    "check": "Properties and differences",
}  # descriptions of the groups of views, in the order in which the groups are listed


@dataclass(frozen=True)
class Options(Declared):
    """The options of a view; each picture has its own subclass."""

    former_names: ClassVar[Mapping[str, str]] = {}
    """The current names of renamed options, by former name; old session files contain the
    former names."""

    @classmethod
    def rename_fields(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return `fields` with former names of options replaced by the current names."""
        return {cls.former_names.get(name, name): value for name, value in fields.items()}

    @property
    def ineffective_parameters(self) -> Mapping[str, str]:
        """The options without effect, each with a clause that gives the reason."""
        return {}

    @property
    def compared_options(self) -> Options | None:
        """The options for pictures side by side; None if one picture shows all encodings."""
        return self

    @property
    def common_options(self) -> Options | None:
        """The options for parts that always show all encodings; None if no such part is shown."""
        return None

    @classmethod
    def unavailable_reason(cls, option: str, value: Any) -> str:
        """Return why a value is unavailable on this machine, with a remedy; empty if available."""
        return ""


PANEL_SHARE = Optional(
    None,
    Real(0.5, 0.1, 0.9, label="Share", help="Share of the width or height for the second part."),
    label="Second part",
    auto="chosen automatically",
)  # fraction of the total width or height for the second panel; dragging the border sets it


class UnavailableError(EncodingError):
    """An error for a picture that cannot be drawn; its `problem` is a clause with a subject."""

    @property
    def sentence(self) -> str:
        return with_full_stop(capitalise(self.problem))


PictureOptions = TypeVar("PictureOptions", bound=Options)
PictureNumbers = TypeVar("PictureNumbers")


@dataclass(frozen=True)
class Picture(Generic[PictureOptions, PictureNumbers]):
    """A picture of an exploration; an immutable value that any thread can use.

    A subclass passes its classes of options and numbers as type arguments, for example
    ``class Heatmap(Picture[HeatmapOptions, HeatmapNumbers])``.
    """

    state: Exploration

    name: ClassVar[str]
    title: ClassVar[str]
    group: ClassVar[str]  # one of `VIEW_GROUPS`
    rank: ClassVar[int]  # sort key in lists and menus, lowest first
    help: ClassVar[str]
    Options: ClassVar[type[Options]] = Options  # set from the type arguments of a subclass
    fields: ClassVar[frozenset[str]] = frozenset({"encoding", "start", "count"})
    """The fields of the exploration that determine the picture, in addition to its options."""
    cursor_fields: ClassVar[tuple[str, ...]] = ("position", "dimension")
    """The exploration fields that determine the values of `inspect`; users can edit them."""
    main_value_name: ClassVar[str] = "Value"  # name of the first value of `inspect`
    # Words for the directions of earlier and later positions.
    sides: ClassVar[tuple[str, str]] = ("above", "below")
    can_compare: ClassVar[bool] = False
    """Whether the view can show a pin, or the difference from a pin."""
    cost_sides: ClassVar[tuple[str, ...]] = ()
    """The sides, ``width`` or ``height``, to which the cost is roughly proportional."""
    coloured_panels: ClassVar[frozenset[str]] = frozenset()  # names of the panels with a colour map
    has_evidence: ClassVar[bool] = False
    """Whether the window shows the figure's table above the figure, with links in the cells."""

    gestures: ClassVar[Effects] = ()
    """Gestures and their effects, for the help; pointing at and clicking the plot are omitted."""
    shown_fields: ClassVar[tuple[str, ...]] = ()  # exploration fields shown with the options
    is_plain: ClassVar[bool] = False  # whether the generic view class is sufficient
    header: ClassVar[Mapping[str, bool]] = {}
    """The options in the header of the pane, and whether each option has a label."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            cls.Options, _ = get_args(base)
        if cls.can_compare:
            cls.fields |= {"pins", "compared", "name"}

    @cached_property
    def options(self) -> PictureOptions:
        """The options of this view, or the defaults if the state contains none."""
        return cast(PictureOptions, self.state.options.get(self.name) or self.Options.default())

    @property
    def encoding(self) -> Encoding:
        """The current encoding; raises `EncodingError` if the encoding is unknown."""
        return require_known(self.state.encoding)

    def unavailable_reason(self, option: str, value: Any) -> str:
        """Return why an option value is unavailable in this state, or an empty string."""
        return self.Options.unavailable_reason(option, value)

    # -- the contents ------------------------------------------------------------------

    def inputs(self) -> tuple[Any, ...]:
        """Return all values on which `numbers` depends, except the size, as a cache key."""
        return self.state.encoding, self.state.start, self.state.count, self.options

    @property
    def show(self) -> str:
        """The value of `SHOW` that selects the encodings to show."""
        return ShowOption.CURRENT

    @property
    def subject(self) -> Subject:
        """The subject of the picture: an encoding, or the difference between two encodings."""
        pin_encoding = self.state.pin.encoding if self.state.pin else None
        return choose_subject(self.show, self.state.encoding, pin_encoding)

    def find_required_encodings(self) -> dict[str, Encoding | Unknown]:
        """Return the encodings that the picture requires, by role, such as ``pin``."""
        encodings = {"encoding": self.state.encoding}
        if self.state.pin is not None and self.show != ShowOption.CURRENT:
            encodings["pin"] = self.state.pin.encoding
        return encodings

    def need(self) -> needs.Requirement:
        """Return the requirement that each shown encoding must meet; see `encodings.needs`."""
        return needs.require_nothing

    def remedy(self) -> str:
        """Return what to change so that a picture can be drawn; empty if no change helps."""
        return ""

    # -- numbers and figure ------------------------------------------------------------------------

    def cost(self, size: Size) -> float:
        """Return the approximate cost of `numbers`, in units of `pictures.cost`."""
        raise NotImplementedError

    def should_use_own_thread(self) -> bool:
        """Return whether `numbers` waits for another process and therefore needs its own thread."""
        return False

    @classmethod
    def coarsen(cls, size: Size) -> Size:
        """Return a smaller size with about half the cost, or `size` if none is cheaper."""
        return replace(size, **{side: getattr(size, side) // 2 for side in cls.cost_sides})

    @classmethod
    def find_size(cls, space: FigureSpace) -> Size:
        """Return the size at which to compute a figure for a page."""
        return combine_sizes(space.panels)

    def numbers(self, size: Size, progress: threading.Event) -> PictureNumbers:
        """Return the numbers of the picture as plain values and arrays."""
        raise NotImplementedError

    def figure(self, numbers: PictureNumbers) -> Figure:
        """Return the figure that shows `numbers`."""
        raise NotImplementedError

    def with_cursor(self, figure: Figure) -> Figure:
        """Return the figure with the cursor added."""
        places, panels = self.find_cursor_points(), []
        for panel in figure.panels:
            trail = panel.trail
            if trail is not None:
                trail = trail._replace(marked_index=trail.locate(self.state.position))
            cursor = places.get(panel.name, panel.cursor)
            panels.append(panel._replace(cursor=cursor, trail=trail))
        return figure._replace(panels=tuple(panels))

    def find_cursor_points(self) -> Mapping[str, PanelPoint]:
        """Return the coordinates of the cursor lines, by panel name."""
        return {}

    def find_panel_columns(self, dimensions: Sequence[int]) -> Mapping[str, Sequence[float]]:
        """Return the x coordinates of the columns for `dimensions`, sorted, by panel name."""
        return {}

    def frame(self) -> Figure:
        """Return the figure without data, but with the axes that are already known."""
        raise NotImplementedError

    def compute_table_shape(self) -> tuple[int, int]:
        """Return the numbers of rows and columns of the figure's table, not counting titles."""
        raise NotImplementedError

    @property
    def min_magnitude(self) -> float:
        """The minimum magnitude to assume for values when estimating their rounding errors."""
        return 0.0

    # -- the cursor and texts --------------------------------------------------------------------

    def inspect(self, progress: threading.Event) -> Inspection:
        """Return the values at the cursor, or raise `EncodingError` if there are no values.

        This method can run in any thread. It may take long if `is_inspection_slow` is true.
        """
        return inspect_value(self.encoding, self.state.position, self.state.dimension)

    def is_inspection_slow(self) -> bool:
        """Return whether `inspect` may be slow, for example because it reads a file."""
        return any(map(is_file_based, list_encodings(self.state)))

    def find_hidden_cursor(self) -> HiddenCursor | None:
        """Return the location of the cursor if it is hidden, or None if it is shown."""
        return make_hidden_cursor(self.state, *self.sides)

    def wording(self, numbers: PictureNumbers | None = None) -> Wording:
        """Return the texts of the view, filled with facts about the state and about `numbers`."""
        facts = Facts(self.state, self.subject, numbers, self.options)
        return Wording(
            self.name, facts, lambda path: get_setting(self.state, path, lambda _: self.options)
        )

    def list_limited_colours(self) -> tuple[str, ...]:
        """Return the names of the panels whose colour maps have a lower and an upper limit."""
        return tuple(p.name for p in self.frame().panels if p.name in self.coloured_panels)

    def quantity_name(self) -> str:
        """Return the name of the quantity that the picture shows."""
        return "table"

    def list_omitted_data(self, exported: str) -> tuple[str, ...]:
        """Return descriptions of the shown data that the quantity `exported` does not contain."""
        return ()

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        """Return NumPy expressions for the data of panels, by panel name.

        The expressions use `table`, the array of the rows shown. They evaluate to the cells of
        the panel, or to its first curves. Panels that show means or several encodings have no
        expression.
        """
        return {}

    # -- gestures: by default, positions run from left to right ---------------------------

    def find_pointer_fields(self, snapshot: Snapshot, pointer: Pointer) -> Mapping[str, int]:
        """Return the cursor fields to set when the mouse points at or clicks a point of a panel."""
        return {"position": find_nearest_position(self.state, pointer.x)}

    def find_double_click_fields(self, snapshot: Snapshot, pointer: Pointer) -> Fields:
        """Return the fields that a double-click at a point of a panel changes."""
        return {}

    def find_wheel_fields(self, snapshot: Snapshot, wheel: Wheel) -> Fields:
        """Return the fields that a turn of the wheel changes."""
        return zoom_range(self.state, wheel.factor, wheel.x)

    def find_drag_fields(self, snapshot: Snapshot, drag: Drag) -> Fields:
        """Return the fields that a drag of the picture changes."""
        return pan_range(self.state, drag.rows(-drag.x * self.state.count))

    @classmethod
    def count_legible_positions(cls, period: float, width: float, height: float) -> float:
        """Return the number of positions to show so that a wave of the given period is legible.

        `width` and `height` are in pixels.
        """
        return width * period / _PIXELS_PER_WAVE

    # -- why there is no picture -------------------------------------------------------------------

    def explain_unavailability(self) -> str:
        """Return why there is no picture although the encodings are known, or an empty string."""
        reasons = map(self.need(), self.subject.encodings)
        return self.explain_no_difference() or next(filter(None, reasons), "")

    def explain_no_difference(self) -> str:
        """Return why the difference is undefined; empty if it is defined or not requested."""
        if ShowOption.DIFFERENCE not in self.show:
            return ""
        from pe_explorer import quantities  # imported here so that the program starts faster

        assert self.state.pin is not None
        pin_encoding = require_known(self.state.pin.encoding)
        return quantities.explain_no_difference(self.quantity_name(), self.encoding, pin_encoding)

    def has_unknown_encoding(self) -> bool:
        """Return whether a required encoding is unknown."""
        return any(isinstance(e, Unknown) for e in self.find_required_encodings().values())

    def is_unavailable(self) -> bool:
        """Return whether the picture is unavailable, for example for an unknown encoding."""
        return self.has_unknown_encoding() or bool(self.explain_unavailability())

    def is_difference_undefined(self) -> bool:
        """Return whether all encodings are known but the requested difference is undefined."""
        return not self.has_unknown_encoding() and bool(self.explain_no_difference())

    def check(self, alternatives: Iterable[tuple[str, AnyPicture]] = ()) -> None:
        """Raise `EncodingError`, with a reason and a remedy, if there is no picture.

        `alternatives` are titles and pictures of other views that the remedy may suggest.
        """
        self.require_known_encodings()
        problem, remedy = self.explain_unavailability(), self.remedy()
        if not problem:
            return
        if not remedy:
            titles = [
                title for title, picture in alternatives if not picture.explain_unavailability()
            ]
            if len(titles) == 1:
                remedy = f"the view {titles[0]} shows it"
            elif titles:
                remedy = f"the views {join_words(titles)} show it"
        field = "show" if remedy == DIFFERENCE_REMEDY else "encoding"
        raise UnavailableError(field, problem, remedy)

    def require_known_encodings(self) -> None:
        """Raise `EncodingError` if a required encoding is unknown."""
        for role, e in self.find_required_encodings().items():
            require_known(e, role)


AnyPicture: TypeAlias = Picture[Any, Any]  # a picture with any types of options and numbers
