"""Context: the effect of texts that are longer than the training length."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import ClassVar

import numpy as np

from pe_explorer.analysis import context, scaling
from pe_explorer.analysis.context import LengthPair
from pe_explorer.analysis.scaling import SCALING_TYPES, list_types
from pe_explorer.encodings import Steady, Waves
from pe_explorer.encodings.rope import Rope
from pe_explorer.pictures.context import words
from pe_explorer.pictures.context.numbers import ContextNumbers, ContextOptions, make_answers
from pe_explorer.pictures.figure import Figure, Note, Panel
from pe_explorer.pictures.gestures import DisplayedPicture, Effects, Fields, Wheel
from pe_explorer.pictures.inspection import Inspection, make_inspection
from pe_explorer.pictures.limits import find_finite_limits
from pe_explorer.pictures.lines import Curve, LevelLine
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.places import PanelAxis, PanelPoint, make_whole_axis
from pe_explorer.pictures.waves_across import (
    WavesAcross,
    find_cursor_wave,
    make_wave_areas,
    to_exponents,
)

_MARGIN = 0.04  # margin above and below the bars, as a fraction of their range
_HALF_BAR_WIDTH = 0.5 - 1e-9  # half a bar's width in pairs; below 1/2 to keep a gap between bars
_MAX_BARS = 1024  # maximum number of bars; more pairs are drawn as a line
_EXACT_COST = 3000  # cost per column of frequencies for seven scaling types; see `pictures.cost`


class Context(WavesAcross[ContextOptions, ContextNumbers]):
    """Turns of each pair within the training and target lengths, and the effect of scaling."""

    name: ClassVar[str] = "context"
    title: ClassVar[str] = "Context"
    group: ClassVar[str] = "check"
    rank: ClassVar[int] = 52
    help: ClassVar[str] = (
        "Turns of each pair within the training and target lengths, and the effect of scaling."
    )
    gestures: ClassVar[Effects] = (
        ("Click in the table", "Use a scaling type or a calculated value"),
    )
    main_value_name: ClassVar[str] = "Turns in training"
    has_evidence: ClassVar[bool] = True

    @cached_property
    def lengths(self) -> LengthPair:
        """The training and target lengths, entered or derived from the encoding and positions."""
        e, trained, target = self.state.encoding, self.options.trained, self.options.target
        if not isinstance(e, Steady):
            return LengthPair(trained or self.state.count, target or self.state.count)
        return context.resolve_lengths(e, trained, target, self.state.count)

    def cost(self, size: Size) -> float:
        return float(_EXACT_COST * self.encoding.width)

    def compute_numbers(self) -> ContextNumbers:
        e, lengths, has_type_table = self.encoding, self.lengths, self.options.part == "types"
        assert isinstance(e, Steady)
        current = scaling.scaling(e, *lengths)
        types = tuple(scaling.list_scalings(e, *lengths)) if has_type_table else ()
        answers = () if has_type_table else tuple(make_answers(e, lengths))
        speed_ups = context.compute_speed_ups(current.encoding)
        trained, target = context.turns(e, *lengths).T
        return ContextNumbers(lengths, trained, target, current, types, answers, speed_ups)

    def figure(self, numbers: ContextNumbers) -> Figure:
        (panel,) = self.frame().panels
        turns = np.concatenate([numbers.training_turns, numbers.target_turns, [1.0]])
        low, high = find_finite_limits(to_exponents(turns)) or (0.0, 0.0)
        margin = _MARGIN * max(high - low, 1.0)
        y = replace(panel.y, low=low - margin, high=high + margin)
        curves = tuple(_make_curves(numbers, y.low))
        report, wording = numbers.scaling.report, self.wording(numbers)
        panel = panel._replace(
            y=y,
            curves=curves,
            levels=(LevelLine(0.0, "1 turn"),),
            shaded_areas=tuple(make_wave_areas(report.within, y)),
            hatched_areas=tuple(make_wave_areas(report.new, y)),
            shaded_area_name=wording.text("seen"),
            hatched_name=wording.text("new"),
        )
        is_visible = curves[0].is_visible or curves[1].is_visible
        note = None if is_visible else Note(wording.text("resting"))
        table = words.table(wording, self, numbers)
        return Figure((panel,), status=wording.text("status"), note=note, table=table)

    def frame(self) -> Figure:
        e = self.state.encoding
        pairs = 1 + int(e.wave_indices.max(initial=0)) if isinstance(e, Waves) else 1
        x = make_whole_axis("pair", 0, pairs)
        return Figure((Panel("turns", x, PanelAxis("turns", 0.0, 1.0, powers=True)),))

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        return {"turns": (find_cursor_wave(self.state), None)}

    def inspect(self, progress: threading.Event) -> Inspection:
        self.check()
        return make_inspection(self.wording())

    def find_wheel_fields(self, snapshot: DisplayedPicture | None, wheel: Wheel) -> Fields:
        return {}

    def quantity_name(self) -> str:
        return "turns"

    def compute_table_shape(self) -> tuple[int, int]:
        is_type_table, e = self.options.part == "types", self.state.encoding
        columns = len(words.TYPE_COLUMN_TITLES if is_type_table else words.CALCULATOR_TITLES)
        if not isinstance(e, Rope):
            return 1 if is_type_table else 2, columns
        return 1 + len(list_types(e) if is_type_table else SCALING_TYPES), columns


# -- the figure ------------------------------------------------------------------------------------


def _make_curves(numbers: ContextNumbers, ground: float) -> Iterator[Curve]:
    lengths = numbers.lengths
    for name, colour, turns in (
        (f"in training, {lengths.trained:,}", "accent", numbers.training_turns),
        (f"at the target, {lengths.target:,}", "magenta", numbers.target_turns),
    ):
        x, y = np.arange(len(turns), dtype=np.float64), to_exponents(turns)
        if len(turns) > _MAX_BARS:
            yield Curve(name, x, y, colour)
            continue
        x = np.column_stack([x - _HALF_BAR_WIDTH, x + _HALF_BAR_WIDTH]).ravel()
        yield Curve(name, x, np.repeat(y, 2), colour, bar_base=ground)
