"""The projection: positions as points in the plane, joined in order."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis import umap_process
from pe_explorer.encodings import LIMIT, Stored, Unknown, find_axes
from pe_explorer.exploration import zoom_range
from pe_explorer.pictures.cost import is_expensive
from pe_explorer.pictures.figure import Figure, Note, Panel, Substitute
from pe_explorer.pictures.gestures import Drag, Effects, Fields, Pointer, Snapshot, Wheel
from pe_explorer.pictures.inspection import HiddenCursor, Inspection, make_inspection
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import FigureSpace, Size
from pe_explorer.pictures.places import PanelAxis
from pe_explorer.pictures.projection.numbers import (
    ProjectionNumbers,
    ProjectionOptions,
    Task,
    compute,
    cost,
    make_task,
)
from pe_explorer.pictures.trail import Trail

_MARGIN = 0.05  # margin on each side, relative to the range of the points
_CLICK_DISTANCE = 0.05  # maximum distance, in panel widths, between a click and the selected point


class ProjectionPicture(Picture[ProjectionOptions, ProjectionNumbers]):
    """Positions as points in the plane; positions with similar rows are close together."""

    name: ClassVar[str] = "projection"
    title: ClassVar[str] = "Projection"
    group: ClassVar[str] = "turn"
    rank: ClassVar[int] = 27
    help: ClassVar[str] = (
        "Each position is a point. Positions with similar rows are close together."
    )
    header: ClassVar[Mapping[str, bool]] = {"method": True}
    gestures: ClassVar[Effects] = (("Wheel", "Show more or fewer positions"),)
    main_value_name: ClassVar[str] = "Across"
    cursor_fields: ClassVar[tuple[str, ...]] = ("position",)
    sides: ClassVar[tuple[str, str]] = ("earlier", "later")
    can_compare: ClassVar[bool] = True

    @cached_property
    def task(self) -> Task:
        return make_task(self.encoding, self.state.positions, self.options)

    def cost(self, size: Size) -> float:
        return cost(self.task)

    def should_use_own_thread(self) -> bool:
        return self.options.method == "umap" and not self._has_stored_points(self.options)

    def unavailable_reason(self, option: str, value: Any) -> str:
        reason = super().unavailable_reason(option, value)
        is_stored = reason and self._has_stored_points(replace(self.options, **{option: value}))
        return "" if is_stored else reason

    def _has_stored_points(self, options: ProjectionOptions) -> bool:
        e = self.state.encoding
        if isinstance(e, Stored | Unknown):
            return False
        return make_task(e, self.state.positions, options).stored_points is not None

    @classmethod
    def find_size(cls, space: FigureSpace) -> Size:
        return Size(1, 1)

    def numbers(self, size: Size, progress: threading.Event) -> ProjectionNumbers:
        return compute(self.task, progress)

    def figure(self, numbers: ProjectionNumbers) -> Figure:
        (panel,) = self.frame().panels
        assert panel.trail is not None
        wording = self.wording(numbers)
        positions, points = numbers.task.positions, numbers.points
        low, high = (points.min(axis=0), points.max(axis=0)) if len(points) else np.zeros((2, 2))
        length = (1 + 2 * _MARGIN) * (float((high - low).max()) or 1.0)
        x, y = (
            PanelAxis(wording.text(name), float(start), float(end)).with_length(length)
            for name, start, end in zip(("across", "up"), low, high, strict=True)
        )
        first, last = positions.start - self.state.start, positions.stop - self.state.start
        offsets = range(first, last, positions.step)[: len(points)]
        trail = panel.trail._replace(x=points[:, 0], y=points[:, 1], numbers=offsets)
        substitute, status = None, wording.text("status")
        if self.options.method == "umap" and not numbers.task.is_umap:  # UMAP is not installed
            substitute = Substitute("method", "pca", ("umap",), umap_process.unavailable_reason())
            status = f"{substitute.reason}. PCA is shown instead. {status}"
        return Figure(
            (panel._replace(x=x, y=y, trail=trail),),
            status=status,
            note=self._note(numbers),
            substitute=substitute,
        )

    def _note(self, numbers: ProjectionNumbers) -> Note | None:
        if numbers.missing_reason is None:
            return None
        if numbers.can_retry:
            return Note(numbers.missing_reason, "Try again", should_retry=True)
        if numbers.task.positions:
            return Note(numbers.missing_reason)
        e = self.encoding
        first, last = e.domain[0], e.domain[-1]
        rows = f"{e.format_name()} has rows only for {e.rows.plural} {first:,} to {last:,}"
        return Note(f"There are no points, because {rows}.", "Show its rows", rows=e.domain)

    def frame(self) -> Figure:
        rows, _ = find_axes(self.state.encoding)
        counted_items = rows.name, self.state.start, self.state.count
        trail = Trail(np.empty(0), np.empty(0), range(0), counted_items)
        x, y = (PanelAxis(f"component {number}", -1.0, 1.0) for number in (1, 2))
        return Figure((Panel("points", x, y, trail=trail),))

    def inspect(self, progress: threading.Event) -> Inspection:
        numbers = compute(self.task, progress)
        facts = numbers.make_point_facts(self.state.position)
        return make_inspection(self.wording(numbers).with_item(facts))

    def is_inspection_slow(self) -> bool:
        if super().is_inspection_slow() or isinstance(self.state.encoding, Unknown):
            return True
        return is_expensive(cost(self.task))

    def find_hidden_cursor(self) -> HiddenCursor | None:
        state = self.state
        if hidden_cursor := super().find_hidden_cursor():
            return hidden_cursor
        positions = self.task.positions
        if positions.step == 1 or state.position in positions:
            return None
        start = state.start + (state.position - state.start) % positions.step
        fields = {"start": start, "count": state.count}
        if start + state.count - 1 > LIMIT:
            fields["start"] -= positions.step
        return HiddenCursor(f"{state.position:,}, between two points", fields)

    def find_pointer_fields(self, snapshot: Snapshot, pointer: Pointer) -> Mapping[str, int]:
        """Return the position of the point nearest to a click, or {} if no point is near."""
        panel = snapshot.figure.panels[0] if snapshot else None
        trail = panel.trail if panel else None
        point = trail.find_nearest_index(pointer.x, pointer.y) if trail else None
        if panel is None or trail is None or point is None:
            return {}
        distance = np.hypot(trail.x[point] - pointer.x, trail.y[point] - pointer.y)
        is_near = distance <= _CLICK_DISTANCE * panel.x.length
        return {"position": trail.number(point)} if is_near else {}

    def find_wheel_fields(self, snapshot: Snapshot, wheel: Wheel) -> Fields:
        return zoom_range(self.state, wheel.factor, 0.0)

    def find_drag_fields(self, snapshot: Snapshot, drag: Drag) -> Fields:
        return {}

    def quantity_name(self) -> str:
        return "projection"
