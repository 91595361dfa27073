"""What every picture declares: its name and options, what it needs, what it costs, how it is made.

A picture is made in two steps. `numbers` makes the numbers for every pixel; it may take long and
run in any thread. `figure` describes what is drawn of them, and is quick.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast, get_args

from pe_explorer.analysis.comparison import WITHOUT_DIFFERENCE, Show, Subject, chosen
from pe_explorer.encodings import (
    Encoding,
    EncodingError,
    Unknown,
    needs,
    reads_a_file,
    require_known,
)
from pe_explorer.exploration import Exploration, panned, zoomed
from pe_explorer.params import Declared, Optional, Real, capitalised, listed
from pe_explorer.pictures.figure import Figure, PanelPlace
from pe_explorer.pictures.gestures import Drag, Effects, Fields, OnScreen, Pointer, Wheel
from pe_explorer.pictures.inspection import Inspection, Outside, inspect_value, rows_outside
from pe_explorer.pictures.named import every_encoding
from pe_explorer.pictures.pixels import Room, Size, size_of_all
from pe_explorer.pictures.shown_positions import nearest_position
from pe_explorer.words import Facts
from pe_explorer.words.texts import Wording, setting

_PIXELS_PER_WAVE = 200  # width of the longest wave once zoomed to
GROUPS = {
    "look": "The numbers themselves",
    "turn": "What turns, and how fast",
    "measure": "How far positions are from each other",
    "check": "What holds, and what differs",
}
"""The groups of views in the order of the rail, and what their views show."""


@dataclass(frozen=True)
class Options(Declared):
    """What can be chosen in a view; each picture has its own subclass."""

    former: ClassVar[Mapping[str, str]] = {}
    """Options by the names that they had in earlier versions, which are still read."""

    @classmethod
    def renamed(cls, fields: Mapping[str, Any]) -> dict[str, Any]:
        """Return fields with the present names of options."""
        return {cls.former.get(name, name): value for name, value in fields.items()}

    @property
    def without_effect(self) -> Mapping[str, str]:
        """The options that change nothing now, with the reason as a part of a sentence."""
        return {}

    @property
    def compared(self) -> Options | None:
        """Those of a picture that stands beside others, None where no part is compared."""
        return self

    @property
    def common(self) -> Options | None:
        """Those of the parts that show all encodings together, None where there are none."""
        return None

    @classmethod
    def lack_of(cls, option: str, value: Any) -> str:
        """Return why a value cannot be had on this machine, and what helps, or an empty text."""
        return ""


SHARE = Optional(
    None,
    Real(0.5, 0.1, 0.9, label="Share", help="A part of 1."),
    label="Second part",
    auto="as it suits both",
)
"""How much of the width or height of two panels the second has; a drag of their border sets it."""


class LackError(EncodingError):
    """A view that has no picture of an encoding; the problem begins with the encoding."""

    @property
    def sentence(self) -> str:
        return f"{capitalised(self.problem)}."


PictureOptions = TypeVar("PictureOptions", bound=Options)
PictureNumbers = TypeVar("PictureNumbers")


@dataclass(frozen=True)
class Picture(Generic[PictureOptions, PictureNumbers]):
    """One of the pictures of an exploration: a value that may be used in any thread.

    A subclass names the class of its options and that of its numbers:
    ``class Heatmap(Picture[HeatmapOptions, HeatmapNumbers])``.
    """

    state: Exploration

    name: ClassVar[str]
    title: ClassVar[str]
    group: ClassVar[str]  # one of `GROUPS`
    rank: ClassVar[int]  # place among the views in lists and menus, smallest first
    help: ClassVar[str]
    Options: ClassVar[type[Options]] = Options  # the class that a subclass names
    fields: ClassVar[frozenset[str]] = frozenset({"encoding", "start", "count"})
    """The fields of the exploration that its view depends on, besides its options."""
    inspected: ClassVar[tuple[str, ...]] = ("position", "dimension")
    """The fields of the exploration whose place `inspect` reads; they can be typed beside it."""
    main_number: ClassVar[str] = "Value"  # name of the first value that `inspect` returns
    sides: ClassVar[tuple[str, str]] = (
        "above",
        "below",
    )  # of positions before and after those shown
    compares: ClassVar[bool] = False
    """Whether its view can show a pin, or the difference from it, or several of them."""
    halved: ClassVar[tuple[str, ...]] = ()
    """The sides of its size whose half about halves the cost; what is along others costs little."""
    coloured: ClassVar[frozenset[str]] = frozenset()  # the panels whose colours stand for numbers
    has_evidence: ClassVar[bool] = False
    """Whether the table of its figure stands above it in the window: a click on a cell leads on."""

    gestures: ClassVar[Effects] = ()
    """What the mouse does beside pointing and clicking, and the effect of it, for the help."""
    explored: ClassVar[tuple[str, ...]] = ()  # the fields chosen with its options
    is_plain: ClassVar[bool] = False  # whether its view has no file of its own
    header: ClassVar[Mapping[str, bool]] = {}
    """The options chosen in the header of its pane; whether each has its label before it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            cls.Options, _ = get_args(base)
        if cls.compares:
            cls.fields |= {"pins", "compared", "name"}

    @cached_property
    def options(self) -> PictureOptions:
        """Its options: those chosen, or else the defaults."""
        return cast(PictureOptions, self.state.options.get(self.name) or self.Options.default())

    @property
    def encoding(self) -> Encoding:
        """The current encoding; raises `EncodingError` where it is not known here."""
        return require_known(self.state.encoding)

    def lack_of(self, option: str, value: Any) -> str:
        """Return why a value of an option cannot be had of the exploration, or an empty text."""
        return self.Options.lack_of(option, value)

    # -- what it is made of ------------------------------------------------------------------

    def ingredients(self) -> tuple[Any, ...]:
        """Return what `numbers` uses; where that is the same, so are the numbers."""
        return self.state.encoding, self.state.start, self.state.count, self.options

    @property
    def show(self) -> str:
        """What is shown, in words of `SHOW`."""
        return Show.CURRENT

    @property
    def subject(self) -> Subject:
        """The encoding, or the difference of two, that is looked at."""
        pinned = self.state.pin.encoding if self.state.pin else None
        return chosen(self.show, self.state.encoding, pinned)

    def needed(self) -> dict[str, Encoding | Unknown]:
        """Return the encodings without which there is no picture, by their roles."""
        if self.state.pin is None or self.show == Show.CURRENT:
            return {"encoding": self.state.encoding}
        return {"encoding": self.state.encoding, "pin": self.state.pin.encoding}

    def need(self) -> needs.Need:
        """Return what every encoding that is looked at must have, one of `encodings.needs`."""
        return needs.nothing

    def remedy(self) -> str:
        """Return which choice in the view itself would make a picture, or an empty text."""
        return ""

    # -- how it is made ------------------------------------------------------------------------

    def cost(self, size: Size) -> float:
        """Return about how many numbers `numbers` makes; slow ones count as several."""
        raise NotImplementedError

    def is_made_elsewhere(self) -> bool:
        """Return whether `numbers` waits for another process; no other picture waits for that."""
        return False

    @classmethod
    def coarser(cls, size: Size) -> Size:
        """Return a size of about half the cost, for a coarse picture; the same if none is."""
        return replace(size, **{side: getattr(size, side) // 2 for side in cls.halved})

    @classmethod
    def size_in(cls, room: Room) -> Size:
        """Return the size to compute for a figure on a page: that of all panels."""
        return size_of_all(room.panels)

    def numbers(self, size: Size, progress: threading.Event) -> PictureNumbers:
        """Return the numbers of the picture, as plain values and arrays."""
        raise NotImplementedError

    def figure(self, numbers: PictureNumbers) -> Figure:
        """Return the whole figure of what `numbers` returned."""
        raise NotImplementedError

    def with_cursor(self, figure: Figure) -> Figure:
        """Return a figure that says where the cursor is."""
        places, panels = self.cursor_places(), []
        for panel in figure.panels:
            trail = panel.trail
            if trail is not None:
                trail = trail._replace(marked=trail.place_of(self.state.position))
            cursor = places.get(panel.name, panel.cursor)
            panels.append(panel._replace(cursor=cursor, trail=trail))
        return figure._replace(panels=tuple(panels))

    def cursor_places(self) -> Mapping[str, PanelPlace]:
        """Return where the cursor is in each panel that marks it by lines, by its name."""
        return {}

    def frame(self) -> Figure:
        """Return the figure without any numbers: its axes, as far as they are known."""
        raise NotImplementedError

    def table_shape(self) -> tuple[int, int]:
        """Return how many rows and columns its evidence has, titles left out."""
        raise NotImplementedError

    @property
    def least(self) -> float:
        """The size of its numbers that has the same rounding errors, where those are smaller."""
        return 0.0

    # -- what it says of the cursor --------------------------------------------------------------

    def inspect(self, progress: threading.Event) -> Inspection:
        """Return the numbers at the cursor, or raise `EncodingError` where there are none.

        It may take long, as `inspecting_takes_long` says, and run in any thread.
        """
        return inspect_value(self.encoding, self.state.position, self.state.dimension)

    def inspecting_takes_long(self) -> bool:
        """Return whether `inspect` reads a file, or computes longer than a frame."""
        return any(map(reads_a_file, every_encoding(self.state)))

    def cursor_outside(self) -> Outside | None:
        """Return where the cursor is if the picture, which there is, does not show it."""
        return rows_outside(self.state, *self.sides)

    def wording(self, numbers: PictureNumbers | None = None) -> Wording:
        """Return its words, with facts of the exploration and of its numbers, if there are any."""
        facts = Facts(self.state, self.subject, numbers, self.options)
        return Wording(
            self.name, facts, lambda path: setting(self.state, path, lambda _: self.options)
        )

    def limited_colours(self) -> tuple[str, ...]:
        """Return the panels whose colours stand for numbers between two limits, by their names."""
        names = (panel.name for panel in self.frame().panels)
        return tuple(name for name in names if name in self.coloured)

    def exported(self) -> str:
        """Return the quantity whose numbers it shows."""
        return "table"

    def also_shown(self, exported: str) -> tuple[str, ...]:
        """Return what else it shows than what is exported: each is a file of its own."""
        return ()

    def formula(self, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        """Return how panels follow from the table of the positions shown, by their names.

        Each has expressions of NumPy with the array `table` for its cells, or its first curves.
        Panels whose numbers are means, or of several encodings, have none.
        """
        return {}

    # -- what the mouse does: by default as where positions are across ---------------------------

    # `drawn` is what is on the screen, which may be of another state; None where no picture is.

    def pointed_at(self, drawn: OnScreen | None, at: Pointer) -> Mapping[str, int]:
        """Return the fields of the cursor at a point of a panel; nothing where there are none."""
        return {"position": nearest_position(self.state, at.x)}

    def double_clicked(self, drawn: OnScreen | None, at: Pointer) -> Fields:
        """Return what a double-click at a point of a panel changes."""
        return {}

    def wheeled(self, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        """Return what a turn of the wheel changes."""
        return zoomed(self.state, wheel.factor, wheel.x)

    def dragged(self, drawn: OnScreen | None, drag: Drag) -> Fields:
        """Return what a drag of the picture changes."""
        return panned(self.state, drag.rows(-drag.x * self.state.count))

    @classmethod
    def positions_of(cls, period: float, width: float, height: float) -> float:
        """Return how many positions show a wave of a period well, on so many pixels."""
        return width * period / _PIXELS_PER_WAVE

    # -- why there is none ---------------------------------------------------------------------

    def lack(self) -> str:
        """Return why there is no picture of encodings that are known, or an empty text."""
        lacks = map(self.need(), self.subject.encodings)
        return self.why_no_difference() or next(filter(None, lacks), "")

    def why_no_difference(self) -> str:
        """Return why a difference is wanted that there is not, as its export is refused."""
        if Show.DIFFERENCE not in self.show:
            return ""
        from pe_explorer import quantities  # not needed at the start

        assert self.state.pin is not None
        pinned = require_known(self.state.pin.encoding)
        return quantities.why_no_difference(self.exported(), self.encoding, pinned)

    def has_unknown(self) -> bool:
        """Return whether a needed encoding is not known here."""
        return any(isinstance(e, Unknown) for e in self.needed().values())

    def is_lacking(self) -> bool:
        """Return whether there is no picture, or an encoding is not known here."""
        return self.has_unknown() or bool(self.lack())

    def lacks_difference(self) -> bool:
        """Return whether a difference is wanted that there is not, of known encodings."""
        return not self.has_unknown() and bool(self.why_no_difference())

    def check(self, others: Iterable[tuple[str, AnyPicture]] = ()) -> None:
        """Raise `EncodingError` where there is no picture: why not, and which of `others` are."""
        self.check_known()
        problem, way_out = self.lack(), self.remedy()
        if not problem:
            return
        titles = [] if way_out else [title for title, each in others if not each.lack()]
        if titles:
            way_out = f"the views {listed(titles)} show it"
        if len(titles) == 1:
            way_out = f"the view {titles[0]} shows it"
        field = "show" if way_out == WITHOUT_DIFFERENCE else "encoding"
        raise LackError(field, f"{problem}; {way_out}" if way_out else problem)

    def check_known(self) -> None:
        """Raise `EncodingError` where a needed encoding is not known here."""
        for role, e in self.needed().items():
            require_known(e, role)


AnyPicture: TypeAlias = Picture[Any, Any]
"""A picture whatever its options and numbers are."""
