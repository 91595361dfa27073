"""The clocks: a hand on a unit circle for each pair of sine and cosine."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from pe_explorer.encodings import EncodingError, Steady, needs
from pe_explorer.params import Choice, Optional, ParameterError, Whole, declare
from pe_explorer.pictures.clock_face import (
    MAX_CLOCKS,
    ClockFaces,
    ClockGrid,
    arrange,
    face,
    thin_out_positions,
)
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.gestures import Effects
from pe_explorer.pictures.inspection import Inspection, Value, make_inspection
from pe_explorer.pictures.picture import Options, Picture
from pe_explorer.pictures.pixels import FigureSpace, Size
from pe_explorer.progress import CancelledError
from pe_explorer.words import FACTS, Facts, register_fact, require

TurnCount = tuple[int, float]  # whole turns, rounded down, and the remaining fraction of a turn

_DIRECTIONS = {
    "sin-cos": "clockwise from 12 o'clock (sine to the right, cosine up)",
    "cos-sin": "counter-clockwise from 3 o'clock (cosine to the right, sine up)",
}
_PAIR_CHOICES = {
    "first": 'consecutive pairs, starting with the value of "First pair"',
    "spread": "evenly spread over all pairs",
}
_PAIR_TEXTS = {"first": "in a row", "spread": "evenly spread"}
_FIRST_PAIR_HELP = "Pair that the first clock shows if not all clocks fit."
_PAIRS_HELP = "Which pairs are shown if not all clocks fit."
_DIRECTION_HELP = "Direction in which the hands turn."
_MAX_CLOCKS_PARAMETER = Whole(
    10, 1, MAX_CLOCKS, label="At most", unit="clocks", help="Maximum number of clocks per page."
)
_COLUMN_PARAMETER = Whole(
    3, 1, MAX_CLOCKS, label="Columns", unit="clocks", help="Number of clocks per row."
)


@dataclass(frozen=True)
class ClockOptions(Options):
    """Options that select the clocks and their direction."""

    first: int = declare(
        Whole(0, 0, 32_767, label="First pair", symbol="i", unit="pair", help=_FIRST_PAIR_HELP)
    )
    pairs: str = declare(
        Choice("spread", _PAIR_CHOICES, texts=_PAIR_TEXTS, label="Pairs", help=_PAIRS_HELP)
    )
    most: int | None = declare(Optional(None, _MAX_CLOCKS_PARAMETER, auto="as many as fit"))
    columns: int | None = declare(
        Optional(None, _COLUMN_PARAMETER, auto="chosen to make the clocks as large as possible")
    )
    direction: str = declare(
        Choice("sin-cos", _DIRECTIONS, label="Direction", symbol="(x, y)", help=_DIRECTION_HELP)
    )

    @property
    def ineffective_parameters(self) -> Mapping[str, str]:
        return {"first": "the clocks are spread over all pairs"} if self.spread else {}

    @property
    def spread(self) -> bool:
        return self.pairs == "spread"

    @property
    def is_clockwise(self) -> bool:
        return self.direction == "sin-cos"


@dataclass(frozen=True)
class ClockArea(Size):
    """The size of the area of clocks in device pixels."""

    ratio: float = 1.0  # device pixels per logical pixel
    text: float = 28.0  # height of the text below a clock, in logical pixels
    first: int | None = None  # first pair on the page; None to use the option
    clocks: tuple[int, ...] = ()  # pairs shown; empty to use the options


class Clocks(Picture[ClockOptions, ClockFaces]):
    """A unit circle for each pair, with positions as points and a hand at the cursor."""

    name: ClassVar[str] = "clocks"
    title: ClassVar[str] = "Clocks"
    group: ClassVar[str] = "turn"
    rank: ClassVar[int] = 20
    help: ClassVar[str] = (
        "Each clock shows one sine–cosine pair. Click a clock to select its pair, or a point to "
        "select its position."
    )
    gestures: ClassVar[Effects] = (
        ("Drag a hand", "Turn all hands by the same number of positions, and set the shift k"),
        ("Shift + ↑ ↓", "Turn all hands by one position, and set the shift k"),
        ("Wheel", "Show other pairs"),
    )
    sides: ClassVar[tuple[str, str]] = ("earlier", "later")
    main_value_name: ClassVar[str] = "Angle"

    @property
    def encoding(self) -> Steady:
        e = super().encoding
        assert isinstance(e, Steady)
        return e

    def need(self) -> needs.Requirement:
        return needs.pairs

    def cost(self, size: Size) -> float:
        clocks = self._make_grid(size).clock_count
        return clocks * len(thin_out_positions(self.state.positions, clocks))

    @classmethod
    def find_size(cls, space: FigureSpace) -> Size:
        size = space.panels[0]
        return ClockArea(
            size.width, size.height, ratio=space.ratio, text=space.text, clocks=space.clocks
        )

    def numbers(self, size: Size, progress: threading.Event) -> ClockFaces:
        if progress.is_set():
            raise CancelledError
        grid, is_clockwise = self._make_grid(size), self.options.is_clockwise
        page = face(self.encoding, self.state.positions, grid, is_clockwise)
        return page._replace(area=Size(size.width, size.height))

    def figure(self, numbers: ClockFaces) -> Figure:
        return Figure(clocks=numbers, status=self.wording(numbers).text("status"))

    def with_cursor(self, figure: Figure) -> Figure:
        page, e = figure.clocks, self.encoding
        if page is None:
            return figure
        turns, hands = zip(*compute_turns(e, page, self.state.position), strict=True)
        index = find_clock_index(e, page, self.state.dimension)
        return figure._replace(clocks=page._replace(hands=hands, turns=turns, marked_index=index))

    def frame(self) -> Figure:
        return Figure()

    def find_cursor_page(self, area: ClockArea) -> int | None:
        """Return the first pair of the page with the cursor's pair.

        Return `area.first` if the current page already shows that pair, or if no page can.
        """
        grid, e = self._make_grid(area), self.encoding
        wave = int(e.wave_indices[min(self.state.dimension, e.width - 1)])
        has_clock = 0 <= wave < e.pairs
        if wave in grid.numbers or not has_clock or self.options.spread:
            return area.first
        return wave // grid.clock_count * grid.clock_count

    def _make_grid(self, size: Size) -> ClockGrid:
        area = size if isinstance(size, ClockArea) else ClockArea(size.width, size.height)
        options, pairs = self.options, self.encoding.pairs
        if bad_pairs := [pair for pair in area.clocks if pair >= pairs]:
            problem = f"there is no pair {bad_pairs[0]:,}; choose a pair from 0 to {pairs - 1:,}"
            raise ParameterError("clocks", problem)
        return arrange(
            pairs,
            area.width / area.ratio,
            area.height / area.ratio,
            area.text,
            area.ratio,
            options.first if area.first is None else area.first,
            options.most,
            spread=options.spread,
            clocks=area.clocks,
            requested_columns=options.columns or 0,
        )

    def inspect(self, progress: threading.Event) -> Inspection:
        if problem := needs.pairs(super().encoding):
            raise EncodingError("encoding", problem)
        return make_inspection(self.wording())


def compute_turns(e: Steady, face: ClockFaces, position: int, lead: float = 0.0) -> list[TurnCount]:
    """Return the turns of each clock at `position` + `lead`; `lead` may be fractional."""
    return e.compute_turns(face.grid.numbers, position + Fraction(lead) if lead else position)


def find_clock_index(e: Steady, face: ClockFaces, dimension: int) -> int | None:
    """Return the index of a dimension's clock, or None if it is not shown or the only clock."""
    wave = int(e.wave_indices[min(dimension, e.width - 1)])
    if e.pairs == 1 or wave not in face.grid.numbers:
        return None
    return face.grid.numbers.index(wave)


# -- facts -----------------------------------------------------------------------------------------


# The number of unpaired waves.
FACTS["lone_waves"] = lambda facts: len(facts.waves.turns) - facts.waves.pairs


@register_fact
def other_readings(facts: Facts) -> list[Value]:
    """Return additional values at the cursor; the cursor's column must belong to a pair."""
    require(facts["pair_columns"])
    reading = facts.e.reading(facts.state.position, facts.state.dimension)
    main_value_names = {"Value", "Angle", "Wave"}
    return [Value(name, text) for name, text in reading if name not in main_value_names]
