"""Frequencies: how fast each pair turns, and which pairs complete no turn in the range shown."""

import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings import Steady, Unknown, Waves, find_axes
from pe_explorer.pictures.figure import Figure, Note, Panel
from pe_explorer.pictures.frequencies import words  # imported to register its facts
from pe_explorer.pictures.frequencies.numbers import (
    FrequencyNumbers,
    FrequencyOptions,
    WaveSpeeds,
    compute_exponents,
    compute_values,
    explain_no_curve,
    find_first_departure,
    find_turn_length,
    list_drawn_encodings,
)
from pe_explorer.pictures.gestures import DisplayedPicture, Effects, Fields, Pointer
from pe_explorer.pictures.inspection import Inspection, make_inspection
from pe_explorer.pictures.limits import find_finite_limits
from pe_explorer.pictures.lines import Curve, Dot, LevelLine
from pe_explorer.pictures.named import list_encodings, named_encodings
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.places import PanelAxis, PanelPoint, make_whole_axis
from pe_explorer.pictures.waves_across import (
    WavesAcross,
    find_cursor_wave,
    make_wave_areas,
    make_wave_points,
)
from pe_explorer.words.waves import choose_wave_noun

_MARGIN = 0.03  # margin above and below the curves, as a fraction of their range
_MAX_AXIS_VALUE = 9e307  # maximum value drawn, because an axis with a margin must not overflow
_EXACT_COST = 160  # cost of an exact frequency, in the unit of `pictures.cost`
_MIN_AXIS_LENGTH = 1.0  # minimum length of a logarithmic axis, in powers of ten


class Frequencies(WavesAcross[FrequencyOptions, FrequencyNumbers]):
    """The frequency, the wavelength or the turns of each pair as a curve over pairs."""

    name: ClassVar[str] = "frequencies"
    title: ClassVar[str] = "Frequencies"
    group: ClassVar[str] = "look"
    rank: ClassVar[int] = 14
    help: ClassVar[str] = (
        "The frequency, the wavelength or the turns of each pair. Shaded pairs do not complete a "
        "turn in the positions shown."
    )
    is_plain: ClassVar[bool] = True
    header: ClassVar[Mapping[str, bool]] = {"quantity": True, "axis": True}
    gestures: ClassVar[Effects] = (
        ("Wheel", "Show more or fewer positions"),
        ("Double-click", "Mark the wavelength at this height"),
    )
    fields: ClassVar[frozenset[str]] = WavesAcross.fields | {"pins", "name"}
    main_value_name: ClassVar[str] = "Frequency"

    def inputs(self) -> tuple[Any, ...]:
        return list_encodings(self.state), self.state.start, self.state.count

    def cost(self, size: Size) -> float:
        return float(sum(_EXACT_COST * e.width for e in list_drawn_encodings(self.state)))

    def compute_numbers(self) -> FrequencyNumbers:
        waves: list[WaveSpeeds] = []
        for e in list_encodings(self.state):
            speeds, has_turn = np.array([]), np.array([], dtype=bool)
            if not explain_no_curve(self.state, e):
                assert isinstance(e, Steady)
                speeds, has_turn = np.abs(e.frequencies()), e.completes_turn(self.state.count)
            first = find_first_departure(waves[0].speeds, speeds) if waves else None
            waves.append(WaveSpeeds(speeds, has_turn, first))
        return FrequencyNumbers(waves[0], tuple(waves[1:]))

    def figure(self, numbers: FrequencyNumbers) -> Figure:
        (panel,) = self.frame().panels
        wording = self.wording(numbers)
        curves, lengths = tuple(self._make_curves(numbers)), self.options.lengths or ()
        marks = np.array([length for length, _ in lengths], float)
        levels = self._compute_heights(2 * np.pi / marks)
        heights = np.concatenate([*(curve.y for curve in curves), levels])
        low, high = find_finite_limits(heights) or (0.0, 0.0)
        if panel.y.powers:
            margin = max(0.0, _MIN_AXIS_LENGTH - (high - low)) / 2
            y = panel.y.with_ends(low - margin, high + margin, _MARGIN)
        else:
            y = panel.y.with_ends(0.0, high or 1.0, _MARGIN)
        dots = list(_find_isolated_dots(curves))
        for curve, waves in zip(curves[1:], numbers.pins, strict=True):
            first = waves.departure_index
            if first is not None and np.isfinite(curve.y[first]):
                dots.append(Dot(float(first), float(curve.y[first]), curve.colour))
        panel = panel._replace(
            y=y,
            curves=curves,
            levels=tuple(
                LevelLine(float(height), f"{label}, {length:,}" if label else f"length {length:,}")
                for height, (length, label) in zip(levels, lengths, strict=True)
            ),
            dots=tuple(dots),
            shaded_areas=tuple(make_wave_areas(np.flatnonzero(~numbers.current.has_turn), y)),
            shaded_area_name=wording.text("caption"),
        )
        note = None
        if not curves[0].is_visible:
            note = Note(wording.text("too_long" if numbers.current.speeds.any() else "all_resting"))
        return Figure((panel,), status=wording.text("status"), note=note)

    def _make_curves(self, numbers: FrequencyNumbers) -> Iterator[Curve]:
        pairs = zip(named_encodings(self.state), (numbers.current, *numbers.pins), strict=True)
        for encoding, waves in pairs:
            x, y = make_wave_points(self._compute_heights(waves.speeds))
            missing_reason = "" if np.isfinite(y).any() else "nothing to draw"
            yield Curve(encoding.name, x, y, encoding.colour, missing_reason, encoding.brief)

    def _compute_heights(self, waves: Floats) -> Floats:
        compute_heights = compute_exponents if self.options.is_logarithmic else compute_values
        heights = compute_heights(waves, self.options.quantity, self.state.count)
        is_drawn = np.isfinite(heights) & (heights <= _MAX_AXIS_VALUE)
        return np.where(is_drawn, heights, np.nan)

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        return {"curve": (find_cursor_wave(self.state), None)}

    def frame(self) -> Figure:
        e, options, (rows, _) = self.state.encoding, self.options, find_axes(self.state.encoding)
        noun, last_wave = "pair", 0
        if not isinstance(e, Unknown):
            noun, encodings = choose_wave_noun(e), list_drawn_encodings(self.state)
            waves = (int(w.wave_indices.max(initial=0)) for w in encodings if isinstance(w, Waves))
            last_wave = max(waves, default=0)
        title = {
            "frequency": f"frequency ω, radians per {rows.name}",
            "wavelength": f"wavelength λ, {rows.plural} per turn",
            "turns": f"turns in {rows.format_count(self.state.count)}",
        }[options.quantity]
        y = PanelAxis(title, 0.0, 1.0, powers=options.is_logarithmic)
        return Figure((Panel("curve", make_whole_axis(noun, 0, 1 + last_wave), y),))

    def inspect(self, progress: threading.Event) -> Inspection:
        self.check()
        return make_inspection(self.wording(self.compute_numbers()))

    def find_double_click_fields(
        self, snapshot: DisplayedPicture | None, pointer: Pointer
    ) -> Fields:
        """Return fields that mark the wavelength here, in place of the nearest unlabelled mark."""
        if snapshot is None:
            return {}
        (panel,), lengths = self.frame().panels, dict(self.options.lengths or ())
        length = find_turn_length(panel.y.value(pointer.y), self.options.quantity, self.state.count)
        marks = [mark for mark, label in lengths.items() if not label]
        if marks:
            del lengths[min(marks, key=lambda mark: abs(math.log(mark / length)))]
        return {"options": {"lengths": tuple({length: "", **lengths}.items())}}

    def quantity_name(self) -> str:
        return "wavelengths" if self.options.quantity == "wavelength" else "frequencies"


# -- the figure ------------------------------------------------------------------------------------


def _find_isolated_dots(curves: Sequence[Curve]) -> Iterator[Dot]:
    """Yield a dot for each point without adjacent points, because no line would show the point."""
    for curve in curves:
        is_drawn = np.isfinite(curve.y)
        padded_mask = np.pad(is_drawn, 1)
        for wave in np.flatnonzero(is_drawn & ~padded_mask[:-2] & ~padded_mask[2:]).tolist():
            yield Dot(float(curve.x[wave]), float(curve.y[wave]), curve.colour)
