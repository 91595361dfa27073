"""Distances: from a reference to every position as a curve, between all positions as a matrix."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.colours.maps import DIVERGING, VALUE_MAPS
from pe_explorer.encodings import Encoding, Unknown, require_known
from pe_explorer.exploration import Exploration
from pe_explorer.numeric.positions import blocks_inside
from pe_explorer.params import Choice, declare
from pe_explorer.pictures._distance_numbers import (
    Numbers,
    compared,
    compute,
    cost,
    kind_of_mean,
    pairs_cost,
    why_no_curve,
    why_no_curve_in_few_words,
    with_curves,
)
from pe_explorer.pictures.axis_numbers import short
from pe_explorer.pictures.figure import (
    Axis,
    Cells,
    Curve,
    Figure,
    Mark,
    Note,
    Panel,
    Rectangle,
    whole_numbers,
)
from pe_explorer.pictures.levels import other_colours
from pe_explorer.pictures.picture import Options, Picture
from pe_explorer.pictures.pixels import Size

__all__ = ["Distances", "DistancesOptions", "Numbers", "pairs_cost"]

_MARGIN = 0.03  # of the range of values: what is left free above and below the curve


@dataclass(frozen=True)
class DistancesOptions(Options):
    """How the matrix is coloured."""

    values: str = declare(
        Choice("viridis", VALUE_MAPS, label="Colours", help="Colour map of the matrix.")
    )


class Distances(Picture):
    """The curve from the reference beside the matrix of all pairs."""

    name: ClassVar[str] = "distances"
    title: ClassVar[str] = "Distances"
    rank: ClassVar[int] = 30
    help: ClassVar[str] = (
        "How far encodings lie from that of the reference, and from each other. "
        "Wheel zooms, drag moves, a click sets the cursor, double-click the reference."
    )
    Options: ClassVar[type[Options]] = DistancesOptions
    fields: ClassVar[frozenset[str]] = Picture.fields | {"reference", "metric", "pins"}

    @classmethod
    def ingredients(cls, state: Exploration) -> tuple[Any, ...]:
        return compared(state), state.start, state.count, state.reference, state.metric

    @classmethod
    def cost(cls, state: Exploration, size: Size) -> float:
        return cost(state, size)

    @classmethod
    def coarser(cls, size: Size) -> Size:
        return replace(size, width=size.width // 2, height=size.height // 2)

    @classmethod
    def compute(cls, state: Exploration, size: Size, cancelled: threading.Event) -> Numbers:
        """Return the distances; `size` has the curve's width and the matrix's shorter side."""
        return compute(state, size, cancelled)

    @classmethod
    def figure(cls, state: Exploration, numbers: Numbers) -> Figure:
        curves, matrix = cls.frame(state).panels
        low, high = numbers.curve_levels
        margin = _MARGIN * (high - low)
        title = _title(state)
        marks: tuple[Mark, ...] = ()
        if state.reference in state.positions:
            marks = (Mark(float(state.reference - state.start), "reference"),)
        curves = replace(
            curves,
            y=Axis(title, low - margin, high + margin),
            curves=_named_curves(state, numbers),
            marks=marks,
        )
        matrix = replace(
            matrix,
            cells=_cells(state, numbers),
            hatched=_without_rows(state, numbers.block),
        )
        return Figure((curves, matrix), status=_status(state, numbers), note=_note(numbers))

    @classmethod
    def frame(cls, state: Exploration) -> Figure:
        e = state.encoding
        name = Encoding.rows.name if isinstance(e, Unknown) else e.rows.name
        across = whole_numbers(name, state.start, state.count)
        down = replace(across, down=True)
        return Figure((Panel(across, Axis(_title(state), 0.0, 1.0)), Panel(across, down)))


# -- the figure ----------------------------------------------------------------------------------


def _title(state: Exploration) -> str:
    return f"{state.metric} from {short(state.reference)}"


def _named_curves(state: Exploration, numbers: Numbers) -> tuple[Curve, ...]:
    """Return the curves with their names and colours, the current one first."""
    block, columns = numbers.curve_block, len(numbers.curves[0])
    x = block * np.arange(columns, dtype=np.float64) + (block - 1) / 2
    curves = numbers.curves
    if columns == 1:  # one position: a level line is what can be seen
        x = np.array([-0.5, 0.5])
        curves = tuple(np.repeat(curve, 2) for curve in curves)
    named = [Curve("current", x, curves[0])]
    for pin, y in zip(state.pins, curves[1:], strict=True):
        lack = ""
        if not np.isfinite(y).any():
            lack = why_no_curve_in_few_words(state, pin.encoding)
        named.append(Curve(pin.name, x, y, pin.colour, lack))
    return tuple(named)


def _cells(state: Exploration, numbers: Numbers) -> Cells:
    """Return the cells of the matrix."""
    side = len(numbers.matrix) * numbers.block
    place = Rectangle(-0.5, -0.5, side, side)
    colour_map = _colour_map(state, numbers)
    return Cells(numbers.matrix, numbers.indices, place, colour_map, numbers.levels, state.metric)


def _colour_map(state: Exploration, numbers: Numbers) -> str:
    """Return the map for the matrix: one with a middle only where values lie on both sides of 0."""
    chosen = _options(state).values
    return chosen if numbers.levels[0] < 0 or chosen not in DIVERGING else "viridis"


def _options(state: Exploration) -> DistancesOptions:
    options = Distances.options(state)
    assert isinstance(options, DistancesOptions)
    return options


def _without_rows(state: Exploration, block: int) -> tuple[Rectangle, ...]:
    """Return where in the matrix one of two positions has no row."""
    count, cells = state.count, -(-state.count // block)
    inside = blocks_inside(state.start, block, cells, require_known(state.encoding).domain)
    if not inside:
        return (Rectangle(-0.5, -0.5, count, count),)
    low, high = inside.start * block, min(inside.stop * block, count)
    above = Rectangle(-0.5, -0.5, count, low)
    below = Rectangle(-0.5, high - 0.5, count, count - high)
    left = Rectangle(-0.5, low - 0.5, low, high - low)
    right = Rectangle(high - 0.5, low - 0.5, count - high, high - low)
    return above, below, left, right


def _note(numbers: Numbers) -> Note | None:
    """Return why there is no curve, and what leads to one."""
    if not numbers.note:
        return None
    if numbers.rows is not None:
        return Note(numbers.note, "Show its rows", rows=numbers.rows)
    offer = f"Use {numbers.metric} distance" if numbers.metric else ""
    return Note(numbers.note, offer, metric=numbers.metric)


def _status(state: Exploration, numbers: Numbers) -> str:
    """Return in sentences what the pixels are, which pins are left out, and other colours."""
    colours = other_colours(_options(state).values, _colour_map(state, numbers))
    return f"{_pixels(state, numbers)}{_left_out(state, numbers)}{colours}"


def _pixels(state: Exploration, numbers: Numbers) -> str:
    if numbers.rows is not None:
        return f"Distances: {numbers.note}"
    rows = require_known(state.encoding).rows
    if numbers.block == 1 and numbers.curve_block == 1:
        return f"Distances: every {rows.name} is shown."
    current, *pins = (kind_of_mean(e, state.metric) for e in with_curves(state))
    of_matrix = f"{numbers.block:,} × {numbers.block:,} {rows.plural}"
    if numbers.curve_block == 1:
        on_curve = f"Distances: every {rows.name} is on the curve"
        return f"{on_curve}; {current} of {of_matrix} for each pixel of the matrix."
    of_curve = f"{current} of {numbers.curve_block:,} {rows.plural} for each pixel of the curve"
    of_pins = ""
    if {*pins} - {current}:
        counts = [f"{pins.count(kind)} of {kind}" for kind in dict.fromkeys(pins)]
        of_pins = f" Curves of pins: {', '.join(counts)}."
    return f"Distances: {of_curve}, of {of_matrix} for each pixel of the matrix.{of_pins}"


def _left_out(state: Exploration, numbers: Numbers) -> str:
    """Return which pins have no curve, and why."""
    reasons = []
    for pin, curve in zip(state.pins, numbers.curves[1:], strict=True):
        if not np.isfinite(curve).any():
            reasons.append(f"{pin.name} ({why_no_curve(state, pin.encoding)})")
    return f" Not drawn: {'; '.join(reasons)}." if reasons else ""
