"""What every picture declares: its name and options, what it needs, what it costs, how it is made.

A picture is made in two steps. `compute` makes the numbers for every pixel; it may take long and
run in any thread. `figure` describes what is drawn of them, and is quick.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar, cast, get_args

from pe_explorer.analysis.comparison import WITHOUT_DIFFERENCE, Subject
from pe_explorer.encodings import (
    Encoding,
    EncodingError,
    Unknown,
    needs,
    reads_a_file,
    require_known,
)
from pe_explorer.exploration import Exploration
from pe_explorer.params import Declared, Optional, Real, capitalised, listed
from pe_explorer.pictures.figure import Figure, PanelPlace
from pe_explorer.pictures.gestures import Gestures
from pe_explorer.pictures.inspection import Inspection, Outside, inspect_value, rows_outside
from pe_explorer.pictures.named import every_encoding
from pe_explorer.pictures.pixels import Room, Size, size_of_all

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

    @property
    def without_effect(self) -> Mapping[str, str]:
        """The options that change nothing now, with the reason as a part of a sentence."""
        return {}

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
        """The problem as a sentence."""
        return f"{capitalised(self.problem)}."


PictureOptions = TypeVar("PictureOptions", bound=Options)
PictureNumbers = TypeVar("PictureNumbers")


class Picture(Gestures, Generic[PictureOptions, PictureNumbers]):
    """One of the pictures of an exploration: a class without instances.

    A subclass names the class of its options and that of the numbers that `compute` returns:
    ``class Heatmap(Picture[HeatmapOptions, HeatmapNumbers])``.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    group: ClassVar[str]
    """One of `GROUPS`."""
    rank: ClassVar[int]
    """Place among the views in lists and menus, smallest first."""
    help: ClassVar[str]
    Options: ClassVar[type[Options]] = Options
    """What can be chosen in its view; the class that a subclass names."""
    fields: ClassVar[frozenset[str]] = frozenset({"encoding", "start", "count"})
    """The fields of the exploration that it depends on, besides its options."""
    inspected: ClassVar[tuple[str, ...]] = ("position", "dimension")
    """The fields of the exploration whose place `inspect` reads; they can be typed beside it."""
    main_number: ClassVar[str] = "Value"
    """Name of the first value that `inspect` returns."""
    sides: ClassVar[tuple[str, str]] = ("above", "below")
    """Where the positions before those shown are, and where those after them."""
    compares: ClassVar[bool] = False
    """Whether it can show a pin, or the difference from it, or several of them."""
    halved: ClassVar[tuple[str, ...]] = ()
    """The sides of its size whose half about halves the cost; what is along others costs little."""
    coloured: ClassVar[frozenset[str]] = frozenset()
    """The panels whose colours stand for numbers."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            cls.Options, _ = get_args(base)

    @classmethod
    def options(cls, state: Exploration) -> PictureOptions:
        """Return its options: those chosen, or else the defaults."""
        return cast(PictureOptions, state.options.get(cls.name) or cls.Options.default())

    @classmethod
    def lack_of(cls, state: Exploration, option: str, value: Any) -> str:
        """Return why a value of an option cannot be had of an exploration, or an empty text."""
        return cls.Options.lack_of(option, value)

    # -- what it is made of ------------------------------------------------------------------

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        """Return what `compute` uses; where that is the same, so are the numbers."""
        fields = [getattr(state, name) for name in sorted(cls.fields)]
        return (*fields, cls.options(state))

    @classmethod
    def needed(cls, state: Exploration) -> dict[str, Encoding | Unknown]:
        """Return the encodings without which there is no picture, by their roles."""
        return {"encoding": state.encoding}

    @classmethod
    def subject(cls, state: Exploration) -> Subject:
        """Return what is looked at: the current encoding, unless a view can compare."""
        return Subject("current", require_known(state.encoding))

    @classmethod
    def need(cls, state: Exploration) -> needs.Need:
        """Return what every encoding that is looked at must have, one of `encodings.needs`."""
        return needs.nothing

    @classmethod
    def remedy(cls, state: Exploration) -> str:
        """Return which choice in the view itself would make a picture, or an empty text."""
        return ""

    # -- how it is made ------------------------------------------------------------------------

    @classmethod
    def cost(cls, state: Exploration, size: Size) -> float:
        """Return about how many numbers `compute` makes; slow ones count as several."""
        raise NotImplementedError

    @classmethod
    def is_made_elsewhere(cls, state: Exploration) -> bool:
        """Return whether `compute` waits for another process; no other picture waits for that."""
        return False

    @classmethod
    def coarser(cls, size: Size) -> Size:
        """Return a size of about half the cost, for a coarse picture; the same if none is."""
        return replace(size, **{side: getattr(size, side) // 2 for side in cls.halved})

    @classmethod
    def size_in(cls, room: Room) -> Size:
        """Return the size to compute for a figure on a page: that of all panels."""
        return size_of_all(room.panels)

    @classmethod
    def compute(cls, state: Exploration, size: Size, cancelled: threading.Event) -> PictureNumbers:
        """Return the numbers of the picture, as plain values and arrays."""
        raise NotImplementedError

    @classmethod
    def figure(cls, state: Exploration, numbers: PictureNumbers) -> Figure:
        """Return the whole figure of what `compute` returned for `state`."""
        raise NotImplementedError

    @classmethod
    def with_cursor(cls, state: Exploration, figure: Figure) -> Figure:
        """Return a figure that says where the cursor is."""
        places = cls.cursor_places(state)
        panels = [
            panel._replace(cursor=places.get(panel.name, panel.cursor)) for panel in figure.panels
        ]
        return figure._replace(panels=tuple(panels))

    @classmethod
    def cursor_places(cls, state: Exploration) -> Mapping[str, PanelPlace]:
        """Return where the cursor is in each panel that marks it by lines, by its name."""
        return {}

    @classmethod
    def frame(cls, state: Exploration) -> Figure:
        """Return the figure without any numbers: its axes, as far as they are known."""
        raise NotImplementedError

    # -- what it says of the cursor --------------------------------------------------------------

    @classmethod
    def inspect(cls, state: Exploration, cancelled: threading.Event) -> Inspection:
        """Return the numbers at the cursor, or raise `EncodingError` where there are none.

        It may take long, as `inspecting_takes_long` says, and run in any thread.
        """
        return inspect_value(require_known(state.encoding), state.position, state.dimension)

    @classmethod
    def inspecting_takes_long(cls, state: Exploration) -> bool:
        """Return whether `inspect` reads a file, or computes longer than a frame."""
        return any(map(reads_a_file, every_encoding(state)))

    @classmethod
    def cursor_outside(cls, state: Exploration) -> Outside | None:
        """Return where the cursor is if the picture, which there is, does not show it."""
        return rows_outside(state, *cls.sides)

    @classmethod
    def facts(cls, state: Exploration) -> Mapping[str, int | float | str]:
        """Return numbers of its own that its words in `resources/guide/` can name."""
        return {}

    @classmethod
    def limited_colours(cls, state: Exploration) -> tuple[str, ...]:
        """Return the panels whose colours stand for numbers between two limits, by their names."""
        names = (panel.name for panel in cls.frame(state).panels)
        return tuple(name for name in names if name in cls.coloured)

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        """Return the quantity whose numbers it shows, and of which of the compared encodings."""
        return "table", "current"

    @classmethod
    def also_shown(cls, state: Exploration) -> tuple[str, ...]:
        """Return what else it shows that is not in what is exported: each is a file of its own."""
        return ()

    @classmethod
    def formula(cls, state: Exploration, figure: Figure) -> Mapping[str, tuple[str, ...]]:
        """Return how panels follow from the table of the positions shown, by their names.

        Each has expressions of NumPy with the array `table` for its cells, or its first curves.
        Panels whose numbers are means, or of several encodings, have none.
        """
        return {}

    # -- why there is none ---------------------------------------------------------------------

    @classmethod
    def lack(cls, state: Exploration) -> str:
        """Return why there is no picture of encodings that are known, or an empty text."""
        subject, need = cls.subject(state), cls.need(state)
        return next(filter(None, map(need, subject.encodings)), "") or subject.lack

    @classmethod
    def lacks_difference(cls, state: Exploration) -> bool:
        """Return whether a difference is wanted that there is not, of known encodings."""
        return False

    @classmethod
    def check(cls, state: Exploration, others: Iterable[type[AnyPicture]]) -> None:
        """Raise `EncodingError` where there is no picture: why not, and which of `others` are."""
        cls.check_known(state)
        problem = cls.lack(state)
        if not problem:
            return
        way_out = cls.remedy(state) or _shown_by(others, state)
        field = "show" if way_out == WITHOUT_DIFFERENCE else "encoding"
        raise LackError(field, f"{problem}; {way_out}" if way_out else problem)

    @classmethod
    def check_known(cls, state: Exploration) -> None:
        """Raise `EncodingError` where a needed encoding is not known here."""
        for role, e in cls.needed(state).items():
            require_known(e, role)

    @classmethod
    def is_lacking(cls, state: Exploration) -> bool:
        """Return whether there is no picture, or an encoding is not known here."""
        if any(isinstance(e, Unknown) for e in cls.needed(state).values()):
            return True
        return bool(cls.lack(state))

    @classmethod
    def lack_in_few_words(cls, state: Exploration, error: EncodingError) -> str:
        """Return that nothing is shown, with the error's sentence where that is not long."""
        start = f"{cls.title}: nothing is shown"
        for e in cls.needed(state).values():
            if isinstance(e, Unknown):
                return f"{start}, as {e.short}."
        return f"{start}. {error.sentence}"


AnyPicture: TypeAlias = Picture[Any, Any]
"""A picture whatever its options and numbers are."""


def _shown_by(pictures: Iterable[type[AnyPicture]], state: Exploration) -> str:
    """Return which pictures there are, or an empty text."""
    titles = [picture.title for picture in pictures if not picture.lack(state)]
    if not titles:
        return ""
    if len(titles) == 1:
        return f"the view {titles[0]} shows it"
    return f"the views {listed(titles)} show it"
