"""Properties: evidence for desirable properties, and the similarity to the cursor's position."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis.likeness import increases_with_similarity, title
from pe_explorer.colours.maps import reverse_map
from pe_explorer.encodings import find_axes
from pe_explorer.params import printed
from pe_explorer.pictures.figure import Cells, Figure, Panel
from pe_explorer.pictures.gestures import Effects, Fields, Pointer, Snapshot
from pe_explorer.pictures.limits import describe_substitute, find_colour_substitute
from pe_explorer.pictures.lines import Band, Curve, MarkLine
from pe_explorer.pictures.named import NamedEncoding, list_encodings, named_encodings
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import FigureSpace, Size, compute_colour_indices
from pe_explorer.pictures.places import PanelAxis, PanelPoint, Rectangle, make_whole_axis
from pe_explorer.pictures.properties.likeness import (
    SIMILAR_POSITION_COUNT,
    RankedPositions,
    SimilarityNumbers,
)
from pe_explorer.pictures.properties.numbers import (
    COARSE_HEIGHT,
    PropertiesNumbers,
    PropertiesOptions,
    compute,
    cost,
)
from pe_explorer.pictures.properties.words import make_similar_rows
from pe_explorer.pictures.shown_positions import (
    find_coordinate,
    find_hatched_areas,
    find_nearest_position,
)
from pe_explorer.pictures.table import TextTable, make_table
from pe_explorer.words.texts import Wording

_PROPERTY_ROW_COUNT = 6  # number of table rows with properties
# Margin above the curves, gap below them, and height of the strip, relative to the value range.
_MARGIN, _STRIP_GAP, _STRIP_HEIGHT = 0.04, 0.05, 0.14


class Properties(Picture[PropertiesOptions, PropertiesNumbers]):
    """A table of evidence, and the similarity of all positions to the position of the cursor."""

    name: ClassVar[str] = "properties"
    title: ClassVar[str] = "Properties"
    group: ClassVar[str] = "measure"
    rank: ClassVar[int] = 36
    help: ClassVar[str] = (
        "Evidence for desirable properties, and positions similar to the one at the cursor."
    )
    gestures: ClassVar[Effects] = (
        ("Click in the table", "Go to the position that the evidence refers to"),
        ("Click on a similar position", "Make this position the reference position"),
        ("Wheel", "Zoom in or out around the mouse pointer"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Measure distances from this position"),
    )
    sides: ClassVar[tuple[str, str]] = ("to the left", "to the right")
    shown_fields: ClassVar[tuple[str, ...]] = ("metric", "reference")
    coloured_panels: ClassVar[frozenset[str]] = frozenset({"likeness"})
    fields: ClassVar[frozenset[str]] = Picture.fields.union(
        ("position", "reference", "metric", "pins", "name")
    )
    has_evidence: ClassVar[bool] = True

    @cached_property
    def named_encodings(self) -> tuple[NamedEncoding, ...]:
        return named_encodings(self.state)

    def inputs(self) -> tuple[Any, ...]:
        state = self.state
        cursor_inputs = state.position, state.reference, state.metric, self.options.part
        return list_encodings(state), state.start, state.count, *cursor_inputs

    def cost(self, size: Size) -> float:
        return cost(self.state, self.options, size)

    @classmethod
    def coarsen(cls, size: Size) -> Size:
        return replace(size, width=max(1, size.width // 2), height=COARSE_HEIGHT)

    @classmethod
    def find_size(cls, space: FigureSpace) -> Size:
        """Return the size of the panel, with a height that requests the evidence as well."""
        return replace(space.panels[0], height=COARSE_HEIGHT + 1)

    def numbers(self, size: Size, progress: threading.Event) -> PropertiesNumbers:
        return compute(self.state, self.options, size, progress, self.wording())

    def figure(self, numbers: PropertiesNumbers) -> Figure:
        likeness = numbers.likeness
        symmetric = likeness.limits[0] < 0
        substitute = find_colour_substitute(self.options.values, symmetric=symmetric)
        colours = substitute.replacement if substitute else self.options.values
        (panel,) = self.frame().panels
        wording = self.wording(numbers)
        status = wording.with_item(likeness.ranked_positions[0] or RankedPositions()).text("status")
        return Figure(
            (self._fill_panel(panel, likeness, colours),),
            status=f"{status}{describe_substitute(substitute)}",
            note=likeness.distances.note,
            substitute=substitute,
            table=self._make_table(wording, numbers),
        )

    def _make_table(self, wording: Wording, numbers: PropertiesNumbers) -> TextTable:
        columns = []
        for number, ranked_positions in enumerate(numbers.likeness.ranked_positions):
            column = [*numbers.evidence[number].rows] if numbers.evidence else []
            if self.options.shows_similar_positions:
                column += make_similar_rows(wording, self.state, ranked_positions)
            columns.append(column)
        rows = [(row[0][0], [cell for _, cell in row]) for row in zip(*columns, strict=True)]
        spare_row_count = len(rows) - (_PROPERTY_ROW_COUNT if self.options.shows_wishes else 1)
        return make_table(
            (named_encoding.brief for named_encoding in self.named_encodings), rows, spare_row_count
        )

    def _fill_panel(self, panel: Panel, likeness: SimilarityNumbers, colours: str) -> Panel:
        block, (low, high) = likeness.distances.curve_block, likeness.limits
        length = high - low
        bottom = low - (_STRIP_GAP + _STRIP_HEIGHT) * length
        y = replace(panel.y, low=bottom, high=high + _MARGIN * length)
        if not increases_with_similarity(self.state.metric):
            colours = reverse_map(colours)  # make similar positions bright or red for every metric
        values, limits = likeness.curves[0][None], likeness.colour_limits
        place = Rectangle(-0.5, bottom, values.size * block, _STRIP_HEIGHT * length)
        indices = compute_colour_indices(values, limits)
        cells = Cells(values, indices, place, colours, limits, title(self.state.metric))
        marks, ranking = [], likeness.ranked_positions[0]
        for rank, position, *_ in ranking.ranks if ranking else ():
            if position is not None:
                label = f"{rank}: {printed.whole(position)}"
                marks.append(MarkLine(float(position - self.state.start), label, label))
        return panel._replace(
            y=y,
            cells=cells if np.isfinite(values).any() else None,
            curves=tuple(self._make_curves(likeness)),
            marks=tuple(marks),
            hatched_areas=find_hatched_areas(self.state, block, self.encoding.domain, y),
            badge=likeness.distances.badge,
        )

    def _make_curves(self, likeness: SimilarityNumbers) -> Iterator[Curve]:
        for number, (_, name, brief, colour) in enumerate(self.named_encodings):
            y, factor = likeness.curves[number], likeness.factors[number]
            block = likeness.distances.curve_block
            x = block * np.arange(len(y), dtype=np.float64) + (block - 1) / 2
            missing_reason = "" if np.isfinite(y).any() else f"no {title(self.state.metric)}"
            if len(y) == 1:  # draw a horizontal line, because a single point is invisible
                x, y = np.array([-0.5, 0.5]), np.repeat(y, 2)
            scale = _format_scale(factor)
            if band := likeness.bands[number]:
                band = Band(factor * band.low, factor * band.high, band.is_exact)
            names = f"{name}{scale}", f"{brief}{scale}"
            yield Curve(names[0], x, y * factor, colour, missing_reason, names[1], band=band)

    def find_cursor_points(self) -> dict[str, PanelPoint]:
        return {"likeness": (find_coordinate(self.state, self.state.position), None)}

    def find_double_click_fields(self, snapshot: Snapshot, pointer: Pointer) -> Fields:
        """Return the field that moves the reference position to a point."""
        return {"reference": find_nearest_position(self.state, pointer.x)}

    def frame(self) -> Figure:
        state, (rows, _) = self.state, find_axes(self.state.encoding)
        x = make_whole_axis(rows.name, state.start, state.count)
        y = PanelAxis(
            title(state.metric, f"{rows.name} {printed.format_short_number(state.position)}"),
            0.0,
            1.0,
        )
        values, limits, colours = np.full((1, 1), np.nan), (-1.0, 1.0), self.options.values
        place = Rectangle(-0.5, 0.0, state.count, 0.0)
        indices = compute_colour_indices(values, limits)
        cells = Cells(values, indices, place, colours, limits, title(state.metric))
        return Figure((Panel("likeness", x, y, cells),))

    def quantity_name(self) -> str:
        return "evidence" if self.options.shows_wishes else "likeness"

    def list_omitted_data(self, exported: str) -> tuple[str, ...]:
        return ("the likeness",) if self.options.shows_wishes else ()

    def compute_table_shape(self) -> tuple[int, int]:
        properties = _PROPERTY_ROW_COUNT * self.options.shows_wishes
        positions = (SIMILAR_POSITION_COUNT + 2) * self.options.shows_similar_positions
        return properties + positions, 1 + len(self.state.pins)


def _format_scale(factor: float) -> str:
    if factor == 1:
        return ""
    sign, number = ("×", factor) if factor > 1 else ("÷", 1 / factor)
    return f" {sign} {printed.format_short_number(round(number))}"
