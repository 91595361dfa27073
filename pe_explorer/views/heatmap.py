"""The heatmap on the screen: its choices, and what the mouse does over it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.exploration import Exploration, difference_name, panned, zoomed
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Figure, Note
from pe_explorer.pictures.heatmap import (
    PANELS,
    Heatmap,
    HeatmapOptions,
    columns_shown,
    pointed_at,
    width_of,
)
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._columns import zoomed_columns
from pe_explorer.views._contract import Gestures
from pe_explorer.views._plots import PlotView
from pe_explorer.views._whole_steps import WholeSteps
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.plot import ImagePlot

__all__ = ["HeatmapView"]

_ROWS_A_WAVE = 32  # rows of pixels that the longest wave gets when it is zoomed to
_ZOOMS_DIMENSIONS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


class HeatmapView(PlotView):
    """Position down, dimension across, a colour for each value."""

    picture = Heatmap
    gestures: ClassVar[Gestures] = (
        ("Wheel", "Zoom the positions around the mouse"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the dimensions"),
        ("Drag", "Move through positions and dimensions"),
    )

    explored: ClassVar[tuple[str, ...]] = ("show",)

    def __init__(self, parent: QWidget | None = None) -> None:
        plots = {name: _image_plot() for name in PANELS}
        super().__init__(plots, parent)
        self.plot, self.second_plot = (plots[name] for name in PANELS)
        self.header.add_option("quantity", self.set_option)
        of_which = replace(SHOW, label="of")
        self.of = self.header.add_choice("show", of_which, self._choose)
        self._show_choices(Exploration())  # now, or the pane would make room for all of them
        self._moved_border = False
        """Whether the user has chosen how wide the two pictures are."""
        self._row_steps, self._column_steps = WholeSteps(), WholeSteps()
        self.apply_theme()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = super().connections(model)
        pairs.append((self.stage.splitter.splitterMoved, self._keep_border))
        for plot in self.plots.values():
            pairs += [(plot.box.zoom_asked, self._zoom), (plot.box.pan_asked, self._pan)]
        return pairs

    def size_in_pixels(self) -> Size:
        shown = [self.plot]
        if self.options.second is not None:
            shown.append(self.second_plot)
        self.stage.show_beside(shown)
        self.plot.show_bar(len(shown) == 1)
        if len(shown) > 1:
            self._share()
        sizes = [self.stage.pixels(plot, self.ratio) for plot in shown]
        return Size(min(size.width for size in sizes), min(size.height for size in sizes))

    def _share(self) -> None:
        """Give both pictures the same width, unless the border has been moved."""
        splitter = self.stage.splitter
        if self._moved_border or splitter.orientation() == Qt.Orientation.Vertical:
            return
        room = splitter.width() - splitter.handleWidth()
        narrower = round(self.second_plot.around.width() - self.plot.around.width())
        first = max(0, (room - narrower) // 2)
        splitter.setSizes([first, room - first])

    @Slot(int, int)
    def _keep_border(self, place: int, index: int) -> None:
        self._moved_border = True

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        self._show_choices(state)
        super().show_figure(state, figure, refining=refining)

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._show_choices(state)
        super().show_lack(state, frame, sentence)

    def _show_choices(self, state: Exploration) -> None:
        """Show what is chosen, also where it leaves no picture; of which, if there are two."""
        self.header.show_choice("quantity", _options(state).quantity)
        self.of.rename("difference", difference_name(state))
        self.header.show_choice("show", state.show, offered=bool(state.pins))

    @Slot(str, object)
    def _choose(self, field: str, value: object) -> None:
        self.model.set(**{field: value})

    # -- the cursor ----------------------------------------------------------------------------

    def under(self, name: str, x: float, y: float) -> dict[str, int]:
        """Return position and dimension at a point of a plot; nothing without a picture."""
        if self._drawn is None or self.blank:
            return {}
        # What is under the mouse, also while the next picture is on its way.
        return pointed_at(self._drawn, name, x, y, self.model.state.place)

    # -- zooming and moving --------------------------------------------------------------------

    def follow(self, note: Note) -> None:
        if note.period:
            self._zoom_to(note.period)
        else:
            super().follow(note)

    def _zoom_to(self, period: float) -> None:
        """Show as few positions as resolve a wave."""
        rows = self.size_in_pixels().height / self.ratio
        positions = max(1.0, rows * period / _ROWS_A_WAVE)
        state = self.model.state
        factor = positions / state.count
        self.model.set(**zoomed(state, factor, 0.0))

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        if modifiers & _ZOOMS_DIMENSIONS and not self.blank:
            self._zoom_dimensions(factor, x)
        else:
            self._zoom_positions(factor, 1.0 - y if self.options.upward else y)

    def _zoom_positions(self, factor: float, anchor: float) -> None:
        """Show more or fewer positions, from either start as many."""
        state, options = self.model.state, self.options
        changed: dict[str, Any] = zoomed(state, factor, anchor)
        if options.second is not None:
            _, second = options.windows(state.positions)
            beside = zoomed(state.with_(start=second.start), factor, anchor)
            moved = replace(options, second=beside["start"])
            changed["options"] = {**state.options, self.picture.name: moved}
        self.model.set(**changed)

    def _zoom_dimensions(self, factor: float, anchor: float) -> None:
        state = self.model.state
        width = width_of(state.subject, self.options)
        shown = columns_shown(state.subject, self.options)
        self.set_options(**zoomed_columns(shown, width, factor, anchor))

    @Slot(float, float)
    def _pan(self, x: float, y: float) -> None:
        self._pan_positions(-y if self.options.upward else y)
        if not self.blank:
            self._pan_dimensions(x)

    def _pan_positions(self, part: float) -> None:
        """Move through the positions of the picture that is dragged."""
        state, options = self.model.state, self.options
        rows = self._row_steps.add(-part * state.count)
        if not rows:
            return
        if self._plot_in_use() == PANELS[0]:
            self.model.set(**panned(state, rows))
        elif options.second is not None:  # it may have gone while it is dragged
            _, second = options.windows(state.positions)
            beside = panned(state.with_(start=second.start), rows)
            self.set_options(second=beside["start"])

    def _pan_dimensions(self, part: float) -> None:
        state = self.model.state
        last = width_of(state.subject, self.options)
        first, count = columns_shown(state.subject, self.options)
        columns = self._column_steps.add(-part * count)
        moved = min(max(0, first + columns), last - count)
        if moved != first:
            self.set_options(first=moved)


def _image_plot() -> ImagePlot:
    return ImagePlot(RangeAxis("left", "position"), RangeAxis("bottom", "dimension"))


def _options(state: Exploration) -> HeatmapOptions:
    options = Heatmap.options(state)
    assert isinstance(options, HeatmapOptions)
    return options
