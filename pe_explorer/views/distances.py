"""The distances on the screen: the row above them, and what the mouse does over them."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration, panned, zoomed
from pe_explorer.model import Model
from pe_explorer.pictures.distances import Distances
from pe_explorer.pictures.figure import Figure, Note
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._distance_header import DistanceHeader
from pe_explorer.views._plots import CurvePlot, PlotView
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.plot import ImagePlot, ZoomBox

__all__ = ["DistancesView"]

_MARGINS = 90  # pixels that a matrix has more beside it than above and below
_LEFT = 58  # pixels for the numbers of the curve


class DistancesView(PlotView):
    """The curve from the reference beside the matrix of all pairs."""

    picture: ClassVar[type[Picture]] = Distances
    gestures: ClassVar[tuple[tuple[str, str], ...]] = (
        ("Wheel", "Zoom the positions around the mouse"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Measure from that position"),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        self.curve_plot = CurvePlot(ValueAxis("left"), RangeAxis("bottom", "position"))
        self.curve_plot.left.setWidth(_LEFT)
        across, down = RangeAxis("bottom", "position"), RangeAxis("left", "position")
        self.matrix_plot = ImagePlot(down, across)
        super().__init__([self.curve_plot, self.matrix_plot], (), parent)
        self.header = DistanceHeader(self.stage)
        # Without a label, which its tooltip makes up for: the row is full.
        self.stage.add_option("values", self.set_option, labelled=False)
        self._dragged = 0.0
        """Part of a position that a drag has not moved yet."""
        self._pointed: QObject | None = None
        """The box of the plot that the mouse is over."""
        self.apply_theme()

    def synchronise(self) -> None:
        self.header.attach(self.model)
        super().synchronise()

    def detach(self) -> None:
        super().detach()
        self.header.detach()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = [*super().connections(model), *self.header.connections(model)]
        for plot in self.plots:
            pairs += self._gestures(plot.box)
        pairs.append((self.curve_plot.box.pan_asked, self._pan_curve))
        pairs.append((self.matrix_plot.box.pan_asked, self._pan_matrix))
        return pairs

    def _gestures(self, box: ZoomBox) -> list[tuple[Any, Any]]:
        """Return what the mouse does over either plot."""
        return [
            (box.zoom_asked, self._zoom),
            (box.picked, self._pick),
            (box.pointed, self._point),
            (box.left, self._leave),
            (box.chosen, self._choose_reference),
        ]

    def size_in_pixels(self) -> Size:
        canvas = self.stage.canvas
        # The matrix is as square as there is room for.
        side = min(canvas.width() * 0.5, canvas.height() + _MARGINS)
        canvas.ci.layout.setColumnFixedWidth(1, max(1.0, side))
        curve = self.stage.pixels(self.curve_plot, self.ratio)
        matrix = self.stage.pixels(self.matrix_plot, self.ratio)
        return Size(curve.width, min(matrix.width, matrix.height))

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        self.stage.show_options(self.picture.options(state))
        super().show_figure(state, figure, refining=refining)
        self.header.show(state)

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self.header.show(state)

    # -- the cursor ----------------------------------------------------------------------------

    def show_cursor(self, state: Exploration) -> None:
        place = _place(state)
        self.curve_plot.set_cursor(place, None)
        self.matrix_plot.set_cursor(None, place)

    def show_preview(self, state: Exploration | None) -> None:
        place = _place(state) if state else None
        self.curve_plot.set_preview(place, None)
        self.matrix_plot.set_preview(None, place)

    @Slot(float, float)
    def _point(self, x: float, y: float) -> None:
        self._pointed = self.sender()
        self.model.point_at(position=self._at(x, y))

    @Slot()
    def _leave(self) -> None:
        if self.sender() is self._pointed:  # one plot is left after the other has been entered
            self.model.point_at()

    @Slot(float, float)
    def _pick(self, x: float, y: float) -> None:
        self.model.set(position=self._at(x, y))

    @Slot(float, float)
    def _choose_reference(self, x: float, y: float) -> None:
        self.model.set(reference=_nearest(self.model.state, x))

    def _at(self, x: float, y: float) -> int:
        """Return the position at coordinates of the plot that the mouse is over."""
        return _nearest(self.model.state, y if self.sender() is self.matrix_plot.box else x)

    # -- zooming and moving --------------------------------------------------------------------

    def follow(self, note: Note) -> None:
        if note.metric:
            self.model.set(metric=note.metric)
        else:
            super().follow(note)

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        self.model.set(**zoomed(self.model.state, factor, x))

    @Slot(float, float)
    def _pan_curve(self, x: float, y: float) -> None:
        self._pan(-x)

    @Slot(float, float)
    def _pan_matrix(self, x: float, y: float) -> None:
        self._pan(-(x + y) / 2)  # along the diagonal

    def _pan(self, part: float) -> None:
        self._dragged += part * self.model.state.count
        positions = round(self._dragged)
        self._dragged -= positions
        if positions:
            self.model.set(**panned(self.model.state, positions))


def _place(state: Exploration) -> float | None:
    """Return where the cursor is among the shown positions, None if it is elsewhere."""
    return float(state.position - state.start) if state.position in state.positions else None


def _nearest(state: Exploration, place: float) -> int:
    """Return the shown position that is nearest to a place on an axis."""
    return state.start + min(max(0, round(place)), state.count - 1)
