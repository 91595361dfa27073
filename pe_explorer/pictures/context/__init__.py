"""Context: what a text that is longer than those of training asks of an encoding."""

import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from pe_explorer.analysis import context
from pe_explorer.analysis.context import Lengths, Report
from pe_explorer.analysis.scaling import TYPES, types_of
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Steady, Waves
from pe_explorer.encodings.rope import Rope
from pe_explorer.pictures.context import words
from pe_explorer.pictures.context.numbers import ContextNumbers, ContextOptions, compute, exponents
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
from pe_explorer.pictures.inspection import Inspection, inspection_of
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.waves_across import WavesAcross, areas, wave_of_cursor
from pe_explorer.words import FACTS, Facts, fact, given, once, require

_MARGIN = 0.04  # share of the range of numbers left free above and below the bars
_HALF_BAR = 0.5 - 1e-9  # half a bar's width, in pairs: no two bars share a point
_MOST_BARS = 1024  # more pairs are drawn as lines
_EXACT_COST = 3000  # cost of a column's frequencies of seven types, in values of a table


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
    main_number: ClassVar[str] = "Turns in training"

    has_evidence: ClassVar[bool] = True

    @cached_property
    def lengths(self) -> Lengths:
        """The two lengths: those typed, or else what the scheme and the positions say."""
        e, trained, target = self.state.encoding, self.options.trained, self.options.target
        if not isinstance(e, Steady):
            return Lengths(trained or self.state.count, target or self.state.count)
        return context.lengths_of(e, trained, target, self.state.count)

    def cost(self, size: Size) -> float:
        return float(_EXACT_COST * self.encoding.width)

    def all_numbers(self) -> ContextNumbers:
        """Return what the target means for the current encoding."""
        e = self.encoding
        assert isinstance(e, Steady)
        return compute(e, self.lengths, self.options)

    def figure(self, numbers: ContextNumbers) -> Figure:
        (panel,) = self.frame().panels
        heights = np.concatenate([exponents(numbers.before), exponents(numbers.now), [0.0]])
        heights = heights[np.isfinite(heights)]
        low, high = float(heights.min()), float(heights.max())
        margin = _MARGIN * max(high - low, 1.0)
        y = replace(panel.y, low=low - margin, high=high + margin)
        curves = tuple(_curves(numbers, y.low))
        report, told = numbers.current.report, self.telling(numbers)
        panel = panel._replace(
            y=y,
            curves=curves,
            levels=(Level(0.0, "1 turn"),),
            shaded=tuple(areas(report.within, y)),
            hatched=tuple(areas(report.new, y)),
            shaded_name=told.text("seen"),
            hatched_name=told.text("new"),
        )
        seen = curves[0].visible or curves[1].visible
        note = None if seen else Note(told.text("resting"))
        table = words.table(told, self, numbers)
        return Figure((panel,), status=told.text("status"), note=note, table=table)

    def frame(self) -> Figure:
        e, pairs = self.state.encoding, 1
        if isinstance(e, Waves):
            pairs = int(e.wave_of.max(initial=0)) + 1
        x = whole_numbers("pair", 0, pairs)
        return Figure((Panel("turns", x, PanelAxis("turns", 0.0, 1.0, powers=True)),))

    def cursor_places(self) -> dict[str, PanelPlace]:
        return {"turns": (wave_of_cursor(self.state), None)}

    def inspect(self, progress: threading.Event) -> Inspection:
        self.check()
        return inspection_of(self.telling())

    def wheeled(self, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        return {}

    def exported(self) -> str:
        return "turns"

    def table_shape(self) -> tuple[int, int]:
        is_types, e = self.options.part == "types", self.state.encoding
        columns = len(words.TYPE_COLUMNS if is_types else words.CALCULATOR_COLUMNS)
        if not isinstance(e, Rope):
            return 1 if is_types else 2, columns
        return 1 + len(types_of(e) if is_types else TYPES), columns


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


# -- facts -----------------------------------------------------------------------------------------


def _picture(of: Facts) -> Context:
    given(of.waves)
    return Context(of.state)


def _lengths(of: Facts) -> Lengths:
    return Lengths(of["trained"], of["target"])


def _in_use(of: Facts) -> Steady:
    return context.in_use(of.waves, *_lengths(of))


@once
def _report(of: Facts) -> Report:
    return context.report(_in_use(of), *_lengths(of))


@once
def _sped_up(of: Facts) -> dict[int, float]:
    return context.sped_up(_in_use(of))


@once
def _turns(of: Facts) -> tuple[float, float]:
    before, now = context.turns(of.waves, *_lengths(of))[of["cursor_wave"]].tolist()
    return before, now


FACTS |= {
    # lengths of texts, and the pairs that turned in training, that stay within the angles of
    # training at the target, and that meet new angles there
    "trained": lambda of: _picture(of).lengths.trained,
    "target": lambda of: _picture(of).lengths.target,
    "turned_pairs": lambda of: len(_report(of).turned),
    "within_pairs": lambda of: len(_report(of).within),
    "new_pairs": lambda of: len(_report(of).new),
    # the first wave whose angles grow most beyond those of training, and by which factor
    "growth_wave": lambda of: given(_report(of).worst)[0],
    "growth": lambda of: given(_report(of).worst)[1],
    # waves that the scaling makes faster, as a factor below 1 does, and by which factor at most
    "sped_up": lambda of: given(len(_sped_up(of)) or None),
    "most_sped_up": lambda of: given(max(_sped_up(of).values(), default=None)),
    # of the wave of the cursor
    "turns_in_training": lambda of: _turns(of)[0],
    "turns_at_target": lambda of: _turns(of)[1],
    "cursor_growth": lambda of: _growth(of),
}


def _growth(of: Facts) -> float:
    """Return by which factor the angles of the cursor's wave grow beyond those of training."""
    before, now = _turns(of)
    if before >= 1 or now <= before:
        return 1.0
    return now / before if before else math.inf


@fact
def base_needed(of: Facts) -> int:
    """Return the least base at which no pair is new without any type, rounded up, if some are."""
    found = given(context.base_for(of.waves, *_lengths(of)))
    require(math.isfinite(found) and found != context.base_of(of.waves))
    return math.ceil(found)
