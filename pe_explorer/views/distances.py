"""The distances on the screen: where curve and matrix are, and what the mouse does there."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration, zoomed
from pe_explorer.model import Model
from pe_explorer.pictures.distances import (
    Distances,
    DistancesOptions,
    Histogram,
    bin_words,
    pair_at,
)
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.shown_positions import nearest_position
from pe_explorer.views._contract import Gestures
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views._plots import CurvePlot
from pe_explorer.views._positions_view import PositionsView
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.plot import ImagePlot, RangePlot

__all__ = ["DistancesView"]

_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
_LEFT = 58  # pixels for the numbers of the curve
_MATRIX = 0.55  # of the place of both: so much the matrix may take in any case
_CURVE = 340  # pixels: what it leaves to the curve where there is more
_CURVE_WITH_WORDS = 160  # pixels of its width that its legend needs
_BESIDE = 1.3  # times as wide as high, where the matrix is no smaller beside the curve than below
_WIDE = 300  # pixels, the least for both beside each other
_LOW = 320  # pixels of both parts, which leave no place for a title between them
_NARROW = 260  # pixels of a matrix with its axes, where the left title is left to the lower axis


class DistancesView(PositionsView):
    """The curve from the reference beside the matrix of all pairs."""

    picture = Distances
    gestures: ClassVar[Gestures] = (
        ("Wheel", "Zoom the positions around the mouse"),
        ("Drag", "Move through the positions"),
        ("Double-click", "Measure from that position"),
    )

    explored: ClassVar[tuple[str, ...]] = ("metric", "reference")

    def __init__(self, parent: QWidget | None = None) -> None:
        self.curve_plot = CurvePlot(ValueAxis("left"), RangeAxis("bottom", "position"))
        self.curve_plot.left.setWidth(_LEFT)
        down, across = RangeAxis("left", "position"), RangeAxis("bottom", "position")
        self.matrix_plot = ImagePlot(down, across)
        self.histogram_plot = CurvePlot(ValueAxis("left"), ValueAxis("bottom"))
        self.histogram_plot.left.setWidth(_LEFT)
        plots = {
            "curve": self.curve_plot,
            "matrix": self.matrix_plot,
            "histogram": self.histogram_plot,
        }
        super().__init__(plots, parent)
        self.choices = DistanceChoices(self)
        self._shares: dict[Qt.Orientation, float] = {}
        """Of the matrix, as the user has set them: beside the curve, and below it."""
        self._histogram: Histogram | None = None
        """What the histogram shows, None where it is not shown."""
        self.apply_theme()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = super().connections(model)
        pairs += self.choices.connections(model)
        for box in (self.curve_plot.box, self.matrix_plot.box):
            pairs += [(box.zoom_asked, self.zoom_positions), (box.chosen, self._choose_reference)]
        box = self.histogram_plot.box
        pairs += [
            (box.pointed, self._name_bin),
            (box.left, self._leave_bins),
            (box.zoom_asked, self._zoom_from_start),
            (box.pan_asked, self.pan_positions),
        ]
        pairs.append((self.stage.splitter.splitterMoved, self._keep_share))
        pairs.append((self.curve_plot.box.pan_asked, self.pan_positions))
        pairs.append((self.matrix_plot.box.pan_asked, self._pan_matrix))
        return pairs

    # -- the two parts -------------------------------------------------------------------------

    def size_in_pixels(self) -> Size:
        options = self.options
        self._arrange(options)
        if options.shows_histogram:
            return self.stage.pixels(self.histogram_plot, self.ratio)
        width = self.stage.pixels(self.curve_plot, self.ratio).width
        matrix = self.stage.pixels(self.matrix_plot, self.ratio)
        side = min(matrix.width, matrix.height)
        # What is not shown must not keep the other from being coarse at first.
        if not options.shows_curve:
            return Size(side, side)
        return Size(width, side if options.shows_matrix else width)

    def _arrange(self, options: DistancesOptions) -> None:
        """Give the parts that are shown their places; the matrix is a square."""
        shown: dict[RangePlot, bool] = {
            self.curve_plot: options.shows_curve,
            self.matrix_plot: options.shows_matrix,
            self.histogram_plot: options.shows_histogram,
        }
        self.stage.show_plots([plot for plot in shown if shown[plot]])
        splitter = self.stage.splitter
        beside = splitter.width() >= max(_WIDE, _BESIDE * splitter.height())
        both = options.shows_curve and options.shows_matrix
        if both:
            splitter.setOrientation(_ACROSS if beside else _DOWN)
            length = splitter.width() if beside else splitter.height()
            matrix = round(self._share_of_matrix(splitter.orientation()) * length)
            splitter.setSizes([length - matrix, matrix, 0])
        low = both and not beside and splitter.height() < _LOW
        self.curve_plot.bottom.show_title(not low)  # the matrix below has the same
        width = self.stage.canvas_of(self.matrix_plot).width()
        self.matrix_plot.left.show_title(width > _NARROW)
        self.stage.keep_square(self.matrix_plot, at_bottom=beside and both)

    def _share_of_matrix(self, orientation: Qt.Orientation) -> float:
        """Return the part of the place that the matrix has: what the user chose, or can be used."""
        if orientation in self._shares:
            return self._shares[orientation]
        splitter, around = self.stage.splitter, self.matrix_plot.around
        wider = round(around.width() - around.height())
        if orientation == _ACROSS:
            length, useful = splitter.width(), splitter.height() + wider
        else:
            length, useful = splitter.height(), splitter.width() - wider
        part = _MATRIX * length
        if orientation == _ACROSS:
            part = min(part, max(length - _CURVE_WITH_WORDS, length / 2))
        most = max(part, length - _CURVE)
        return min(useful, most) / max(1, length)

    @Slot(int, int)
    def _keep_share(self, place: int, index: int) -> None:
        curve, matrix, _ = self.stage.splitter.sizes()
        orientation = self.stage.splitter.orientation()
        self._shares[orientation] = matrix / max(1, curve + matrix)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.choices.show(state, measures_from_reference=not self.options.shows_histogram)

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self.choices.show(state, measures_from_reference=not self.options.shows_histogram)

    # -- the cursor ----------------------------------------------------------------------------

    def under(self, name: str, x: float, y: float) -> dict[str, int]:
        """Return a position on the curve; two of them in matrix and histogram."""
        state = self.model.state
        if name == "histogram":
            return self._pair_at(x)
        if name == "matrix":
            row, column = nearest_position(state, y), nearest_position(state, x)
            return {"position": row, "second": column}
        return {"position": nearest_position(state, x)}

    @Slot(float, float)
    def _choose_reference(self, x: float, y: float) -> None:
        self.model.set(reference=nearest_position(self.model.state, x))

    # -- the histogram -------------------------------------------------------------------------

    def show_numbers(self, state: Exploration, numbers: Any) -> None:
        self._histogram = numbers.histogram
        super().show_numbers(state, numbers)

    @Slot(float, float)
    def _name_bin(self, x: float, y: float) -> None:
        """Say which bin the mouse is over."""
        if self._histogram is not None and not self.blank:
            words = bin_words(self._histogram, x)
            self.histogram_plot.badge.show_text(words, f"<p>{words}.</p>" if words else "")

    @Slot()
    def _leave_bins(self) -> None:
        self.histogram_plot.badge.show_text("", "")

    def _pair_at(self, x: float) -> dict[str, int]:
        """Return two positions that are as far apart as a place of the histogram says."""
        if self._histogram is None or self.blank:
            return {}
        pair = pair_at(self._histogram, x)
        return {"position": pair[0], "second": pair[1]} if pair else {}

    @Slot(float, float, float, object)
    def _zoom_from_start(
        self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier
    ) -> None:
        self.model.set(**zoomed(self.model.state, factor, 0.0))

    # -- zooming and moving --------------------------------------------------------------------

    @Slot(float, float)
    def _pan_matrix(self, x: float, y: float) -> None:
        self.move_by(-(x + y) / 2)  # along the diagonal
