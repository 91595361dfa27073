"""Context: what a text that is longer than those of training asks of an encoding."""

import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import numpy as np

from pe_explorer.analysis import context
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Steady, Waves, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.pictures.clock_texts import number
from pe_explorer.pictures.context import words
from pe_explorer.pictures.context.numbers import (
    ContextNumbers,
    ContextOptions,
    compute,
    cost,
    exponents,
    lengths_of,
)
from pe_explorer.pictures.context.words import column_count, row_count
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
from pe_explorer.pictures.gestures import Effects, Fields, OnScreen, Wheel
from pe_explorer.pictures.inspection import Inspection, Value
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.waves_across import WavesAcross, areas, wave_of_cursor

_MARGIN = 0.04  # share of the range of numbers left free above and below the bars
_HALF_BAR = 0.5 - 1e-9  # half a bar's width, in pairs: no two bars share a point
_MOST_BARS = 1024  # more pairs are drawn as lines
_MAIN = "Turns in training"
_STANDING = "No pair ever turns: every frequency is 0."


class Context(WavesAcross[ContextOptions, ContextNumbers]):
    """Turns of every pair in training and at a target, and what each type of scaling costs."""

    name: ClassVar[str] = "context"
    title: ClassVar[str] = "Context"
    group: ClassVar[str] = "check"
    rank: ClassVar[int] = 52
    help: ClassVar[str] = (
        "What a text beyond the trained length asks of each pair, and what scaling makes of it. "
        "A click in the table makes a row the encoding, a click on a bar chooses its pair."
    )
    gestures: ClassVar[Effects] = (
        ("Click in the table", "Make a row the encoding, or take an answer"),
    )
    main_number: ClassVar[str] = _MAIN

    @classmethod
    def cost(cls, state: Exploration, size: Size) -> float:
        return cost(state)

    compute_all = staticmethod(compute)

    @classmethod
    def figure(cls, state: Exploration, numbers: ContextNumbers) -> Figure:
        (panel,) = cls.frame(state).panels
        heights = np.concatenate([exponents(numbers.before), exponents(numbers.now), [0.0]])
        heights = heights[np.isfinite(heights)]
        low, high = float(heights.min()), float(heights.max())
        margin = _MARGIN * max(high - low, 1.0)
        y = replace(panel.y, low=low - margin, high=high + margin)
        curves = tuple(_curves(numbers, y.low))
        report = numbers.current.report
        panel = panel._replace(
            y=y,
            curves=curves,
            levels=(Level(0.0, "1 turn"),),
            shaded=tuple(areas(report.within, y)),
            hatched=tuple(areas(report.new, y)),
            shaded_name="no whole turn in training, angles within those seen",
            hatched_name="angles beyond those seen in training",
        )
        status = f"Context: {words.sentence(numbers)}"
        note = None if curves[0].visible or curves[1].visible else Note(_STANDING)
        table = words.table(state, cls.options(state), numbers)
        return Figure((panel,), status=status, note=note, table=table)

    @classmethod
    def frame(cls, state: Exploration) -> Figure:
        e, pairs = state.encoding, 1
        if isinstance(e, Waves):
            pairs = int(e.wave_of.max(initial=0)) + 1
        x = whole_numbers("pair", 0, pairs)
        return Figure((Panel("turns", x, PanelAxis("turns", 0.0, 1.0, powers=True)),))

    @classmethod
    def cursor_places(cls, state: Exploration) -> dict[str, PanelPlace]:
        return {"turns": (wave_of_cursor(state), None)}

    @classmethod
    def inspect(cls, state: Exploration, cancelled: threading.Event) -> Inspection:
        cls.check(state, ())
        e, lengths = require_known(state.encoding), lengths_of(state, cls.options(state))
        assert isinstance(e, Steady)
        pair = wave_of_cursor(state)
        if pair is None:
            lack = "The column of the cursor has no wave, so it never turns."
            return Inspection(lack=lack, brief=("no wave",))
        before, now = context.turns(e, *lengths)[pair].tolist()
        seen = before >= 1 or now <= before
        growth = 1.0 if seen else now / before if before else math.inf
        values = (
            Value(_MAIN, repr(before), f"In {lengths.trained:,} positions, without scaling."),
            Value("Turns at the target", f"{now:.12g}", f"In {lengths.target:,} positions."),
            Value("Angles grow by", f"{growth:.12g}", "Beyond those of training; 1 for none new."),
            Value("Pair", str(pair), "Number of the pair, counted from 0, the fastest."),
        )
        brief = (f"pair {pair}", f"{number(before)} turns", f"then {number(now)}")
        return Inspection(values, brief=brief)

    @classmethod
    def wheeled(cls, state: Exploration, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        return {}

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        return "turns", "current"


# -- the figure ------------------------------------------------------------------------------------


def _curves(numbers: ContextNumbers, ground: float) -> Iterator[Curve]:
    """Yield the turns in training and at the target, as bars where they can be told apart."""
    lengths = numbers.lengths
    has_bars = len(numbers.before) <= _MOST_BARS
    for name, colour, turns in (
        (f"in training, {lengths.trained:,}", "accent", numbers.before),
        (f"at the target, {lengths.target:,}", "magenta", numbers.now),
    ):
        y: Floats = exponents(turns)
        x = np.arange(len(y), dtype=np.float64)
        if has_bars:
            x = np.column_stack([x - _HALF_BAR, x + _HALF_BAR]).ravel()
            y = np.repeat(y, 2)
        yield Curve(name, x, y, colour, filled_to=ground if has_bars else None)
