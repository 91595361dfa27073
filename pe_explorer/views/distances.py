"""The distances on the screen: where curve and matrix are, and what the mouse does there."""

from collections.abc import Collection
from typing import Any

from PySide6.QtCore import QSizeF, Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer import pictures
from pe_explorer.exploration import Exploration, Resolved, resolve
from pe_explorer.model import Model
from pe_explorer.pictures.distances import (
    SECOND,
    Distances,
    DistancesOptions,
    bin_words,
)
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._comparing_view import ComparingView
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views._plots import CurvePlot
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.plot import ImagePlot, RangePlot
from pe_explorer.widgets.splits import Splitter

_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
_AXIS_WIDTH = 58  # pixels for the numbers beside the curve
_LEAST_SIDE = 140  # pixels of the matrix; where it would be smaller, one part is shown alone
_BOTH_PARTS = ("curve", "matrix")
_HISTOGRAM = "histogram"
_MATRIX_SHARE = 0.55  # of the room of both parts, in any case
_CURVE_LENGTH = 340  # pixels that the matrix leaves to the curve where there is more room
_CURVE_WITH_LEGEND = 160  # pixels of width that the curve and its legend need
_BESIDE_RATIO = 1.3  # width to height of a view in which the matrix stands beside the curve
_LEAST_BESIDE = 300  # pixels of width for both parts beside each other
_LOW = 320  # pixels of height below which both parts have no title between them
_LOW_COLUMN = 190  # pixels of height below which two curves have no title below them
_NARROW = 260  # pixels of width up to which only the lower axis of the matrix has a title


class DistancesView(ComparingView):
    """The curve from the reference beside the matrix of all pairs."""

    picture = Distances

    def __init__(self, parent: QWidget | None = None) -> None:
        self.curve_plot = CurvePlot(_AXIS_WIDTH, RangeAxis("bottom", "position"))
        down, across = RangeAxis("left", "position"), RangeAxis("bottom", "position")
        self.matrix_plot = ImagePlot(down, across)
        super().__init__({"curve": self.curve_plot, "matrix": self.matrix_plot}, parent)
        self.column: Splitter | None = None
        """Both curves, once there is a second one."""
        self.choices = DistanceChoices(self)
        self.add_comparison()
        self._parts: tuple[str, ...] = ()
        """The plots that are shown."""
        self._shares: dict[Qt.Orientation, float] = {}
        """Of the matrix, as the user has set them: beside the curve, and below it."""
        self._upper_share = 0.0
        """Of the curve above a second one, as the user has set it; 0 for equal areas."""

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = super().connections(model)
        pairs.append((self.stage.splitter.splitterMoved, self._keep_share))
        return pairs

    def connections_of(self, plot: RangePlot) -> list[tuple[Any, Any]]:
        pairs = super().connections_of(plot)
        if plot is self.plots.get(_HISTOGRAM):
            pairs += [(plot.box.pointed, self._name_bin), (plot.box.left, self._leave_bins)]
        return pairs

    def new_plot(self, panel: str) -> RangePlot:
        if panel == SECOND:
            return CurvePlot(_AXIS_WIDTH, RangeAxis("bottom", "position"))
        if panel == _HISTOGRAM:
            return CurvePlot(_AXIS_WIDTH, ValueAxis("bottom"))
        return super().new_plot(panel)

    def plot_of(self, panel: str) -> RangePlot:
        plot = super().plot_of(panel)
        if panel == SECOND and self.column is None:
            self.column = self.stage.stack("both curves", self.curve_plot, plot)
            self.column.splitterMoved.connect(self._keep_upper_share)
        return plot

    # -- the two parts -------------------------------------------------------------------------

    def size_in_pixels(self) -> Size:
        if len(Distances.words(self.model.state)) > 1:
            return self._size_beside()
        self._arrange(self.options)
        if self._parts == (_HISTOGRAM,):
            return self.stage.pixels(self.plot_of(_HISTOGRAM), self.ratio)
        matrix = self.stage.pixels(self.matrix_plot, self.ratio)
        side = min(matrix.width, matrix.height)
        # What is not shown must not keep the other from being coarse at first.
        if "curve" not in self._parts:
            return Size(side, side)
        width = self.stage.pixels(self.curve_plot, self.ratio).width
        return Size(width, side if "matrix" in self._parts else width)

    def _size_beside(self) -> Size:
        """Give the curve and each of several matrices the same place; return what `Size` has."""
        shown = self.plots_shown(self.model.state)
        self._parts = _BOTH_PARTS if self.options.shows_curve else ("matrix",)
        self.choices.offer_parts(False)
        self.stage.show_beside(shown)
        has_second = self.plots.get(SECOND) in shown
        self.curve_plot.bottom.show_ticks_alone(has_second)
        if has_second:
            self._divide_column()
        matrices = [plot for plot in shown if isinstance(plot, ImagePlot)]
        self.stage.keep_squares(matrices)
        sides = [self.stage.pixels(plot, self.ratio) for plot in matrices]
        side = min((min(each.width, each.height) for each in sides), default=0)
        if not self.options.shows_curve:
            return Size(side, side)
        width = self.stage.pixels(self.curve_plot, self.ratio).width
        return Size(width, side or width)  # in a very small pane the curve alone has room

    def _arrange(self, options: DistancesOptions) -> None:
        """Give the parts that are shown their places; the matrix is a square."""
        splitter = self.stage.splitter
        width, height = splitter.width(), splitter.height()
        beside = width >= max(_LEAST_BESIDE, _BESIDE_RATIO * height)
        orientation, length = (_ACROSS, width) if beside else (_DOWN, height)
        wanted = _BOTH_PARTS if options.part == "both" else (options.part,)
        crowded = len(wanted) > 1 and not self._has_room(orientation)
        self._parts = (self.choices.alone(self.favoured),) if crowded else wanted
        self.choices.offer_parts(crowded)
        has_second = "curve" in self._parts and bool(options.second_metric)
        shown = (*self._parts, SECOND) if has_second else self._parts
        self.stage.show_plots([self.plot_of(name) for name in shown])
        both = len(self._parts) > 1
        if both:
            splitter.setOrientation(orientation)
            share = self._shares.get(orientation) or self._first_share(orientation)
            matrix = round(share * length)
            splitter.setSizes([length - matrix, matrix])
        self._arrange_curves(both and not beside, has_second=has_second)
        width = self.stage.canvas_of(self.matrix_plot).width()
        self.matrix_plot.left.show_title(width > _NARROW)
        self.stage.keep_square(self.matrix_plot, at_bottom=beside)

    def _arrange_curves(self, over_matrix: bool, *, has_second: bool) -> None:
        """Show numbers and title below the lower curve only, where there is room for them."""
        height = self.stage.splitter.height()
        low = over_matrix and height < _LOW  # the matrix below has the same title
        low = low or (has_second and height < _LOW_COLUMN)
        upper = self.curve_plot.bottom
        upper.show_ticks_alone(has_second)
        upper.show_title(not low and not has_second)
        if has_second:
            self.plots[SECOND].bottom.show_title(not low)
            self._divide_column()

    def _divide_column(self) -> None:
        """Give both curves the same height, or what the user chose."""
        assert self.column is not None
        height = self.column.height() - self.column.handleWidth()
        taken = self.plots[SECOND].bottom.height() - self.curve_plot.bottom.height()
        upper = round(self._upper_share * height or (height - taken) / 2)
        self.column.setSizes([upper, height - upper])

    def _has_room(self, orientation: Qt.Orientation) -> bool:
        """Return whether a matrix of the first share would be large enough to be read."""
        splitter = self.stage.splitter
        width, height = float(splitter.width()), float(splitter.height())
        if orientation == _ACROSS:
            width *= self._first_share(orientation)
        else:
            height *= self._first_share(orientation)
        return self.matrix_plot.square_in(QSizeF(width, height)) >= _LEAST_SIDE

    def _first_share(self, orientation: Qt.Orientation) -> float:
        splitter, around = self.stage.splitter, self.matrix_plot.around
        wider = round(around.width() - around.height())
        if orientation == _ACROSS:
            length, useful = splitter.width(), splitter.height() + wider
        else:
            length, useful = splitter.height(), splitter.width() - wider
        part = _MATRIX_SHARE * length
        if orientation == _ACROSS:
            part = min(part, max(length - _CURVE_WITH_LEGEND, length / 2))
        most = max(part, length - _CURVE_LENGTH)
        return min(useful, most) / max(1, length)

    @Slot(int, int)
    def _keep_share(self, place: int, index: int) -> None:
        curve, matrix, *_ = self.stage.splitter.sizes()
        orientation = self.stage.splitter.orientation()
        self._shares[orientation] = matrix / max(1, curve + matrix)

    @Slot(int, int)
    def _keep_upper_share(self, place: int, index: int) -> None:
        assert self.column is not None
        upper, lower = self.column.sizes()
        self._upper_share = upper / max(1, upper + lower)

    def seen(self, state: Resolved) -> Resolved:
        if not self.choices.parts_offered:
            return state
        part = pictures.with_options(state, self.picture.name, part=self._parts[0])
        return resolve(part, self.model.store)

    def favour(self, panels: Collection[str]) -> None:
        super().favour(panels)
        if self.choices.parts_offered:
            self.redraw()

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.choices.show(state, measures_from_reference=not self.options.shows_histogram)

    # -- the histogram -------------------------------------------------------------------------

    @Slot(float, float)
    def _name_bin(self, x: float, y: float) -> None:
        """Say which bin the mouse is over."""
        histogram = self.drawn.numbers.histogram if self.drawn else None
        if histogram is not None:
            words = bin_words(histogram, x)
            badge = self.plots[_HISTOGRAM].badge
            badge.show_text(words, f"<p>{words}.</p>" if words else "")

    @Slot()
    def _leave_bins(self) -> None:
        self.plots[_HISTOGRAM].badge.show_text("", "")
