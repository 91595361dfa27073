"""The projection: every position as a point in the plane, joined in order."""

import threading
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from pe_explorer.analysis import umap_process
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Unknown, axes_of, require_known
from pe_explorer.exploration import Exploration, zoomed
from pe_explorer.pictures.comparing import ComparingPicture
from pe_explorer.pictures.cost import takes_long
from pe_explorer.pictures.figure import Figure, Note, Panel, PanelAxis, Substitute
from pe_explorer.pictures.gestures import Drag, Effects, Fields, OnScreen, Pointer, Wheel
from pe_explorer.pictures.inspection import Outside, rows_outside
from pe_explorer.pictures.pixels import Room, Size
from pe_explorer.pictures.projection import words
from pe_explorer.pictures.projection.numbers import (
    ProjectionNumbers,
    ProjectionOptions,
    compute,
    cost,
    has_stored_points,
    task_of,
)
from pe_explorer.pictures.projection.words import status, title
from pe_explorer.pictures.trail import Trail

_MARGIN = 0.05  # share of the range of the points left free on each side
_NEAR = 0.05  # share of the panel's width within which a place means a point


class ProjectionPicture(ComparingPicture[ProjectionOptions, ProjectionNumbers]):
    """Positions as points in the plane that shows most of how their rows differ."""

    name: ClassVar[str] = "projection"
    title: ClassVar[str] = "Projection"
    group: ClassVar[str] = "turn"
    rank: ClassVar[int] = 27
    help: ClassVar[str] = (
        "Every position as a point, joined in order: near each other where their rows are alike. "
        "A click on a point sets the cursor; the wheel shows more or fewer positions."
    )
    header: ClassVar[Mapping[str, bool]] = {"method": True}
    gestures: ClassVar[Effects] = (("Wheel", "Show more or fewer positions"),)
    main_number: ClassVar[str] = words.MAIN
    inspected: ClassVar[tuple[str, ...]] = ("position",)

    @classmethod
    def cost_one(cls, state: Exploration, options: ProjectionOptions, size: Size) -> float:
        return cost(task_of(state, options))

    @classmethod
    def is_made_elsewhere(cls, state: Exploration) -> bool:
        options = cls.options(state)
        is_one = options.show == "current"
        return options.method == "umap" and not (is_one and has_stored_points(state, options))

    @classmethod
    def lack_of(cls, state: Exploration, option: str, value: Any) -> str:
        """Return how UMAP is added where it is not installed, and no points are stored."""
        lack = super().lack_of(state, option, value)
        if not lack:
            return ""
        wanted = replace(cls.options(state), **{option: value})
        return "" if has_stored_points(state, wanted) else lack

    @classmethod
    def size_in(cls, room: Room) -> Size:
        return Size(1, 1)

    @classmethod
    def compute_one(
        cls, state: Exploration, options: ProjectionOptions, size: Size, cancelled: threading.Event
    ) -> ProjectionNumbers:
        """Return the points, whatever the size of the picture."""
        return compute(task_of(state, options), cancelled)

    @classmethod
    def figure_one(cls, state: Exploration, numbers: ProjectionNumbers) -> Figure:
        (panel,) = cls.frame_one(state).panels
        taken, (across, up) = numbers.task.positions, numbers.points.T
        reach = max(_reach(across), _reach(up)) or 1.0
        x = _around(across, reach, title(numbers, 0))
        y = _around(up, reach, title(numbers, 1))
        first, last = taken.start - state.start, taken.stop - state.start
        offsets = range(first, last, taken.step)[: len(across)]
        trail = Trail(across, up, offsets, _counted(state))
        options = cls.options(state)
        return Figure(
            (panel._replace(x=x, y=y, trail=trail),),
            status=status(state, options, numbers),
            note=_note(state, numbers),
            substitute=_substitute(options, numbers),
        )

    @classmethod
    def figure(cls, state: Exploration, numbers: Any) -> Figure:
        figure = super().figure(state, numbers)
        (panel,) = figure.panels
        return figure._replace(panels=(_square(panel),))

    @classmethod
    def with_cursor(cls, state: Exploration, figure: Figure) -> Figure:
        (panel,) = figure.panels
        assert panel.trail is not None
        trail = panel.trail._replace(marked=panel.trail.place_of(state.position))
        return figure._replace(panels=(panel._replace(trail=trail),))

    @classmethod
    def frame_one(cls, state: Exploration) -> Figure:
        trail = Trail(np.empty(0), np.empty(0), range(0), _counted(state))
        x, y = (PanelAxis(f"component {number}", -1.0, 1.0) for number in (1, 2))
        return Figure((Panel("points", x, y, trail=trail),))

    inspect_one = staticmethod(words.inspect)

    @classmethod
    def inspecting_takes_long(cls, state: Exploration) -> bool:
        if super().inspecting_takes_long(state) or isinstance(state.encoding, Unknown):
            return True
        return takes_long(cost(task_of(state, cls.options(state))))

    @classmethod
    def cursor_outside(cls, state: Exploration) -> Outside | None:
        if found := rows_outside(state, "earlier", "later"):
            return found
        taken = task_of(state, cls.options(state)).positions
        if taken.step == 1 or state.position in taken:
            return None
        start = state.start + (state.position - state.start) % taken.step
        fields = {"start": start, "count": state.count}
        if start + state.count - 1 > LIMIT:
            fields["start"] -= taken.step
        return Outside(f"{state.position:,}, between two points", fields)

    @classmethod
    def pointed_at(
        cls,
        state: Exploration,
        drawn: OnScreen | None,
        at: Pointer,
    ) -> Mapping[str, int]:
        """Return the position whose point is near a place, nothing where there is none."""
        trail = drawn.figure.panels[0].trail if drawn else None
        place = trail.nearest(at.x, at.y) if trail else None
        if drawn is None or trail is None or place is None:
            return {}
        far = np.hypot(trail.x[place] - at.x, trail.y[place] - at.y)
        is_near = far <= _NEAR * drawn.figure.panels[0].x.length
        return {"position": trail.number(place)} if is_near else {}

    @classmethod
    def wheeled(cls, state: Exploration, drawn: OnScreen | None, wheel: Wheel) -> Fields:
        return zoomed(state, wheel.factor, 0.0)

    @classmethod
    def dragged(cls, state: Exploration, drawn: OnScreen | None, drag: Drag) -> Fields:
        return {}

    @classmethod
    def exported(cls, state: Exploration) -> tuple[str, str]:
        return "projection", cls.show(state)


def _counted(state: Exploration) -> tuple[str, int, int]:
    """Return what the colours run through."""
    rows, _ = axes_of(state.encoding)
    return rows.name, state.start, state.count


def _square(panel: Panel) -> Panel:
    """Return a panel whose axes are equally long."""
    half = max(panel.x.length, panel.y.length) / 2
    middles = ((axis.low + axis.high) / 2 for axis in (panel.x, panel.y))
    x, y = (
        replace(axis, low=middle - half, high=middle + half)
        for axis, middle in zip((panel.x, panel.y), middles, strict=True)
    )
    return panel._replace(x=x, y=y) if panel.curves else panel


def _reach(places: Floats) -> float:
    return float(np.ptp(places)) if len(places) else 0.0


def _around(places: Floats, reach: float, name: str) -> PanelAxis:
    """Return an axis with the points in its middle, as long as any other."""
    middle = (places.min() + places.max()) / 2 if len(places) else 0.0
    half = (0.5 + _MARGIN) * reach
    return PanelAxis(name, float(middle - half), float(middle + half))


def _note(state: Exploration, numbers: ProjectionNumbers) -> Note | None:
    """Return why there are no points, and what leads to some."""
    e = require_known(state.encoding)
    if numbers.can_retry:
        return Note(numbers.lack, "Try again", again=True)
    if numbers.task.positions or not numbers.lack:
        return Note(numbers.lack) if numbers.lack else None
    first, last = e.domain[0], e.domain[-1]
    rows = f"{e.called()} has rows for {e.rows.plural} {first:,} to {last:,} only"
    return Note(f"There is nothing here: {rows}.", "Show its rows", rows=e.domain)


def _substitute(options: ProjectionOptions, numbers: ProjectionNumbers) -> Substitute | None:
    """Return that PCA is shown where UMAP is wanted and not installed."""
    if options.method == "pca" or numbers.task.is_umap:
        return None
    return Substitute("method", "pca", ("umap",), umap_process.missing())
