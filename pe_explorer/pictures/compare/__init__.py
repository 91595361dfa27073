"""Compare: whether the current encoding and the pinned encoding are equivalent."""

import threading
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.specification import compare, prove
from pe_explorer.encodings import Encoding, Unknown, Waves, needs, require_known
from pe_explorer.exploration import pan_range
from pe_explorer.params import printed
from pe_explorer.pictures.compare import words
from pe_explorer.pictures.compare.numbers import (
    CompareNumbers,
    CompareOptions,
    find_cursor_pair,
    find_pinned_encoding,
)
from pe_explorer.pictures.figure import Figure, Note, Panel
from pe_explorer.pictures.gestures import DisplayedPicture, Drag, Effects, Fields, Pointer
from pe_explorer.pictures.inspection import Inspection, make_inspection
from pe_explorer.pictures.lines import Curve, LevelLine
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.places import PanelAxis, PanelPoint, make_whole_axis
from pe_explorer.pictures.shown_positions import find_coordinate, find_nearest_position
from pe_explorer.pictures.waves_across import WavesAcross, make_wave_points, to_exponents

_MARGIN = 0.06  # margin above and below the curves, as a fraction of their range
_MIN_EXPONENT = 0.32  # minimum power of ten at the ends of a ratio axis, which then includes 2
_CURVE_POINTS = 257  # number of points in a curve over offsets
_EXACT_COST = 300  # cost of the exact frequency of a column, in the unit of `pictures.cost`
_MAX_QUICK_PAIRS = 1024  # maximum number of pairs that can be compared within a frame


class ComparePicture(WavesAcross[CompareOptions, CompareNumbers]):
    """Differences between the current and the pinned encoding: a curve and a table of evidence."""

    name: ClassVar[str] = "compare"
    title: ClassVar[str] = "Compare"
    group: ClassVar[str] = "check"
    rank: ClassVar[int] = 50
    help: ClassVar[str] = (
        "Compares frequencies, phase errors and channel order with those of a pinned encoding."
    )
    gestures: ClassVar[Effects] = (
        (
            "Click in the table",
            "Go to the pair or offset that the evidence refers to, or copy a channel order",
        ),
        ("Wheel", "Show more or fewer offsets"),
        ("Drag", "Move through the offsets"),
    )
    fields: ClassVar[frozenset[str]] = WavesAcross.fields | {"pins", "compared", "dimension"}
    main_value_name: ClassVar[str] = "Frequency ratio"
    is_plain: ClassVar[bool] = True
    header: ClassVar[Mapping[str, bool]] = {"curve": True}
    has_evidence: ClassVar[bool] = True

    @property
    def pinned_encoding(self) -> Encoding | Unknown:
        return find_pinned_encoding(self.state)

    @property
    def common_pair_count(self) -> int:
        """The number of pairs common to both encodings.

        It is 1 if neither encoding has waves, because the empty frame has an axis for one pair.
        """
        encodings = (self.state.encoding, self.pinned_encoding)
        pairs = [int(e.wave_indices.max(initial=0)) + 1 for e in encodings if isinstance(e, Waves)]
        return min(pairs, default=1)

    def inputs(self) -> tuple[Any, ...]:
        state = self.state
        encodings = state.encoding, self.pinned_encoding
        return *encodings, state.start, state.count, state.dimension, self.options

    def find_required_encodings(self) -> dict[str, Encoding | Unknown]:
        return {"encoding": self.state.encoding, "pin": self.pinned_encoding}

    def explain_unavailability(self) -> str:
        return super().explain_unavailability() or needs.steady(
            require_known(self.pinned_encoding, "pin")
        )

    def remedy(self) -> str:
        return "" if super().explain_unavailability() else "compare with another pin"

    def cost(self, size: Size) -> float:
        pinned_encoding = require_known(self.pinned_encoding, "pin")
        return float(_EXACT_COST * (self.encoding.width + pinned_encoding.width))

    def compute_numbers(self) -> CompareNumbers:
        e, pinned_encoding = self.encoding, require_known(self.pinned_encoding, "pin")
        comparison = compare(e, pinned_encoding)
        order = comparison.permutation
        proof = None if order is None else prove(e, pinned_encoding, order)
        pair = find_cursor_pair(self.state, len(comparison.ratios))
        return CompareNumbers(pinned_encoding, comparison, proof, pair)

    def figure(self, numbers: CompareNumbers) -> Figure:
        wording = self.wording(numbers)
        is_ratio = self.options.curve == "ratio"
        panel = self._make_ratio_panel(numbers) if is_ratio else self._make_error_panel(numbers)
        note = None if panel.curves[0].is_visible else Note(wording.text("no_ratio"))
        table = words.table(wording, self, numbers)
        return Figure((panel,), status=wording.text("status"), note=note, table=table)

    def _make_ratio_panel(self, numbers: CompareNumbers) -> Panel:
        (panel,) = self.frame().panels
        powers = to_exponents(np.abs(numbers.comparison.ratios))
        heights = powers[np.isfinite(powers)]
        low, high = heights.min(initial=-_MIN_EXPONENT), heights.max(initial=_MIN_EXPONENT)
        y = panel.y.with_ends(float(low), float(high), _MARGIN)
        curve = Curve("ratio", *make_wave_points(powers))
        return panel._replace(y=y, curves=(curve,), levels=(LevelLine(0.0, "1"),))

    def _make_error_panel(self, numbers: CompareNumbers) -> Panel:
        (panel,) = self.frame().panels
        comparison, count = numbers.comparison, self.state.count
        x = np.linspace(0.0, max(count - 1, 1), min(_CURVE_POINTS, max(2, count)))
        last, pairs = int(x[-1]), [("worst", comparison.worst or 0, "accent")]
        if numbers.pair is not None and numbers.pair != pairs[0][1]:
            pairs.append(("cursor", numbers.pair, "ink"))
        curves = []
        for name, pair, colour in pairs:
            y = x * (comparison.error(pair, last) / last)  # linear, and exact at the last offset
            curves.append(Curve(f"{name}: pair {pair:,}", x, y, colour))
        tolerance = self.options.tolerance
        level = LevelLine(tolerance, f"tolerance {printed.exact(tolerance)} rad")
        high = max(tolerance, *(float(curve.y[-1]) for curve in curves))
        y_axis = panel.y.with_ends(0.0, high, _MARGIN)
        return panel._replace(y=y_axis, curves=tuple(curves), levels=(level,))

    def frame(self) -> Figure:
        if self.options.curve == "error":
            x = make_whole_axis("offset", 0, self.state.count)
            return Figure((Panel("curve", x, PanelAxis("phase error, radians", 0.0, 1.0)),))
        pairs = 1 if self.is_unavailable() else self.common_pair_count
        y = PanelAxis("frequency ratio", -_MIN_EXPONENT, _MIN_EXPONENT, powers=True)
        return Figure((Panel("curve", make_whole_axis("pair", 0, pairs), y),))

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        if self.options.curve == "error":
            return {"curve": (find_coordinate(self.state, self.state.position), None)}
        return {"curve": (find_cursor_pair(self.state, self.common_pair_count), None)}

    def inspect(self, progress: threading.Event) -> Inspection:
        self.check()
        return make_inspection(self.wording(self.compute_numbers()))

    def is_inspection_slow(self) -> bool:
        return super().is_inspection_slow() or self.common_pair_count > _MAX_QUICK_PAIRS

    def find_pointer_fields(
        self, snapshot: DisplayedPicture | None, pointer: Pointer
    ) -> Mapping[str, int]:
        """Return the position at the mouse or, for curves over pairs, a dimension of the pair."""
        if snapshot is not None and self.options.curve == "error":
            return {"position": find_nearest_position(self.state, pointer.x)}
        return super().find_pointer_fields(snapshot, pointer)

    def find_drag_fields(self, snapshot: DisplayedPicture | None, drag: Drag) -> Fields:
        if self.options.curve == "ratio":
            return {}
        return pan_range(self.state, drag.rows(-drag.x * self.state.count))

    def quantity_name(self) -> str:
        return "ratios"

    def compute_table_shape(self) -> tuple[int, int]:
        return 8, 1
