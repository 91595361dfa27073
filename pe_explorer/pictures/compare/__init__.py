"""Compare: whether the current encoding and the pinned one mean the same."""

import threading
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Encoding, Unknown, Waves, needs, require_known
from pe_explorer.exploration import Exploration, panned
from pe_explorer.params import printed
from pe_explorer.pictures.compare import words
from pe_explorer.pictures.compare.numbers import (
    CompareNumbers,
    CompareOptions,
    compute,
    cost,
    other_of,
    pair_of_cursor,
)
from pe_explorer.pictures.compare.words import row_count
from pe_explorer.pictures.figure import (
    Curve,
    Figure,
    Level,
    Note,
    Panel,
    PanelAxis,
    PanelPlace,
    whole_numbers,
)
from pe_explorer.pictures.gestures import Drag, Effects, Fields, OnScreen, Pointer
from pe_explorer.pictures.inspection import Inspection, Value
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.shown_positions import nearest_position, place_of_position
from pe_explorer.pictures.waves_across import WavesAcross

_MARGIN = 0.06  # share of the range of numbers left free above and below the curves
_LEAST_POWER = 0.32  # the axis of ratios reaches to 10^0.32 at least, beyond 2
_POINTS = 257  # of a curve over offsets
_RATIO, _ERROR = "frequency ratio", "phase error, radians"
_MAIN = "Frequency ratio"


class Compare(WavesAcross[CompareOptions, CompareNumbers]):
    """How the current encoding and the pinned one differ, as a curve and as evidence."""

    name: ClassVar[str] = "compare"
    title: ClassVar[str] = "Compare"
    group: ClassVar[str] = "check"
    rank: ClassVar[int] = 50
    help: ClassVar[str] = (
        "Whether the current encoding and the compared pin mean the same: frequencies pair by "
        "pair, phase errors, and the order of channels. A click on evidence leads to its pair."
    )
    gestures: ClassVar[Effects] = (
        (
            "Click in the table",
            "Show the pair or the offset of the evidence; copy an order as code",
        ),
        ("Wheel", "Show more or fewer offsets"),
        ("Drag", "Move through the offsets"),
    )
    fields: ClassVar[frozenset[str]] = WavesAcross.fields | {"pins", "compared", "dimension"}
    main_number: ClassVar[str] = _MAIN

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        shown = state.encoding, other_of(state), state.start, state.count
        return *shown, state.dimension, cls.options(state)

    @classmethod
    def needed(cls, state: Exploration) -> dict[str, Encoding | Unknown]:
        return {"encoding": state.encoding, "pin": other_of(state)}

    @classmethod
    def lack(cls, state: Exploration) -> str:
        other = other_of(state)
        return super().lack(state) or needs.steady(require_known(other, "pin"))

    @classmethod
    def remedy(cls, state: Exploration) -> str:
        return "" if super().lack(state) else "compare with another pin"

    @classmethod
    def cost(cls, state: Exploration, size: Size) -> float:
        return cost(state)

    @classmethod
    def compute_all(cls, state: Exploration, options: CompareOptions) -> CompareNumbers:
        """Return how the two encodings differ."""
        return compute(state)

    @classmethod
    def figure(cls, state: Exploration, numbers: CompareNumbers) -> Figure:
        (panel,) = cls.frame(state).panels
        options = cls.options(state)
        if options.curve == "ratio":
            panel = _ratios(panel, numbers)
        else:
            panel = _errors(panel, state, options, numbers)
        sentence = words.sentence(state, options, numbers.found)
        status = f"Compare: {words.verdict(state)}{sentence}"
        note = None
        if not panel.curves[0].visible:
            note = Note("No pair turns in both, so no ratio has a place on a logarithmic axis.")
        table = words.table(state, options, numbers)
        return Figure((panel,), status=status, note=note, table=table)

    @classmethod
    def frame(cls, state: Exploration) -> Figure:
        options = cls.options(state)
        if options.curve == "error":
            x = whole_numbers("offset", 0, state.count)
            return Figure((Panel("curve", x, PanelAxis(_ERROR, 0.0, 1.0)),))
        pairs = 1 if cls.is_lacking(state) else _common_pairs(state)
        y = PanelAxis(_RATIO, -_LEAST_POWER, _LEAST_POWER, powers=True)
        return Figure((Panel("curve", whole_numbers("pair", 0, pairs), y),))

    @classmethod
    def cursor_places(cls, state: Exploration) -> dict[str, PanelPlace]:
        if cls.options(state).curve == "error":
            return {"curve": (place_of_position(state, state.position), None)}
        return {"curve": (pair_of_cursor(state, _common_pairs(state)), None)}

    @classmethod
    def inspect(cls, state: Exploration, cancelled: threading.Event) -> Inspection:
        cls.check(state, ())
        numbers = compute(state)
        found, pair = numbers.found, numbers.pair
        if pair is None:
            lack = "The column of the cursor belongs to no pair that both encodings have."
            return Inspection(lack=lack, brief=("no pair",))
        offset = abs(state.position - state.start)
        ratio, error = float(found.ratios[pair]), found.error(pair, offset)
        values = (
            Value(_MAIN, repr(ratio), "The frequency of the pair, divided by that of the other."),
            Value("Phase error", f"{error:.12g} rad", "Between the first position and the cursor."),
            Value("Offset", f"{offset:,}", "From the first position shown to the cursor."),
            Value("Pair", str(pair), "Number of the pair, counted from 0."),
        )
        brief = (
            f"pair {pair}",
            f"ratio {printed.fine(ratio)}",
            f"off by {printed.fine(error)} rad",
        )
        return Inspection(values, brief=brief)

    @classmethod
    def inspecting_takes_long(cls, state: Exploration) -> bool:
        return super().inspecting_takes_long(state) or _common_pairs(state) > _QUICK_PAIRS

    @classmethod
    def pointed_at(
        cls, state: Exploration, drawn: OnScreen | None, at: Pointer
    ) -> Mapping[str, int]:
        """Return a dimension of the pair at a place, or the position at an offset."""
        if drawn is not None and cls.options(state).curve == "error":
            return {"position": nearest_position(state, at.x)}
        return super().pointed_at(state, drawn, at)

    @classmethod
    def dragged(cls, state: Exploration, drawn: OnScreen | None, drag: Drag) -> Fields:
        if cls.options(state).curve == "ratio":
            return {}
        return panned(state, drag.rows(-drag.x * state.count))

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        return "ratios", "current"


_QUICK_PAIRS = 1024  # so many are compared within a frame


def _common_pairs(state: Exploration) -> int:
    """Return the number of pairs that both encodings have, at least 1."""
    both = (state.encoding, other_of(state))
    found = [int(e.wave_of.max(initial=0)) + 1 for e in both if isinstance(e, Waves)]
    return min(found, default=1)


# -- the figure ------------------------------------------------------------------------------------


def _ratios(panel: Panel, numbers: CompareNumbers) -> Panel:
    """Return the panel with the ratio of each pair."""
    found = numbers.found
    with np.errstate(divide="ignore"):
        powers = np.log10(np.abs(found.ratios))
    powers[~np.isfinite(powers)] = np.nan
    x = np.arange(len(powers), dtype=np.float64)
    if len(powers) < 2:  # of one pair, a level line is what can be seen
        x, powers = np.array([-0.5, 0.5]), np.repeat(powers, 2)
    heights = powers[np.isfinite(powers)]
    low, high = heights.min(initial=-_LEAST_POWER), heights.max(initial=_LEAST_POWER)
    y = panel.y.reaching(float(low), float(high), _MARGIN)
    level = Level(0.0, "1")
    curve = Curve("ratio", x, powers)
    return panel._replace(y=y, curves=(curve,), levels=(level,))


def _errors(
    panel: Panel, state: Exploration, options: CompareOptions, numbers: CompareNumbers
) -> Panel:
    """Return the panel with the phase errors of two pairs."""
    found, last = numbers.found, state.count - 1
    worst = found.worst or 0
    x = np.linspace(0.0, max(last, 1), min(_POINTS, max(2, state.count)))
    curves = [Curve(f"worst: pair {worst:,}", x, _error_curve(numbers, worst, x))]
    if numbers.pair is not None and numbers.pair != worst:
        title = f"cursor: pair {numbers.pair:,}"
        curves.append(Curve(title, x, _error_curve(numbers, numbers.pair, x), "ink"))
    tolerance = options.tolerance
    level = Level(tolerance, f"tolerance {printed.exact(tolerance)} rad")
    high = max(tolerance, *(float(curve.y[-1]) for curve in curves))
    y = panel.y.reaching(0.0, high, _MARGIN)
    return panel._replace(y=y, curves=tuple(curves), levels=(level,))


def _error_curve(numbers: CompareNumbers, pair: int, offsets: Floats) -> Floats:
    """Return the phase errors of a pair at offsets: the last is exact, the others lie below it."""
    last = offsets[-1]
    errors: Floats = offsets * (numbers.found.error(pair, int(last)) / last)
    return errors
