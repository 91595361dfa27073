"""The stage of a view of plots: its plots, and a sentence on top of them."""

from collections.abc import Collection, Mapping

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSizeF, Qt, Signal, Slot
from PySide6.QtWidgets import QBoxLayout

from pe_explorer.params import printed
from pe_explorer.pictures.pixels import Size, nearest_pixel
from pe_explorer.views._note import NoteFrame
from pe_explorer.views.view import View
from pe_explorer.widgets.labels import TintedLabel
from pe_explorer.widgets.layouts import column_in
from pe_explorer.widgets.plot import BarPlot, RangePlot
from pe_explorer.widgets.splits import Splitter
from pe_explorer.widgets.theme import colours

_WIDTH_BESIDE = 240  # pixels of width that each plot needs to stand beside others
_LEAST_BESIDE = 130  # pixels of the shorter side of each of several plots, with its axes
_LOW_NOTE = 170  # pixels; over a smaller plot, a note may reach over the whole view
_LOWEST = 24  # pixels of height that a plot above or below another one keeps
_CORNER = 4  # pixels between the edges and what stands in a corner
_LAST_NUMBER = 15.0  # pixels right of a plot, for a half of the last number
_FONT_SCALE = 0.85  # relative to the usual font
_EDGES = (5.0, 7.0, 5.0, 5.0)  # pixels left of, above, right of and below a plot


class Stage(QObject):
    """Lays out a view: its plots with a splitter between them, its sentence on top of them."""

    accepted = Signal()
    """The offer beside the sentence was taken."""

    def __init__(self, view: View, plots: Mapping[str, RangePlot]) -> None:
        super().__init__(view)
        self._view, self._plots = view, plots
        self._over: RangePlot | None = None
        self.splitter = Splitter(self._first_names)
        self._canvases: dict[RangePlot, pg.GraphicsView] = {}
        self._note = NoteFrame(view)
        self._note.accepted.connect(self.accepted)
        for name, plot in plots.items():
            self._make_canvas(name, plot)
        self.canvas = next(iter(self._canvases.values()))
        """The widget that the first plot fills."""
        self.layout: QBoxLayout = column_in(view, self.splitter)
        """That of the whole view."""
        self._columns: list[Splitter] = []
        """Plots below each other, which take one place among the others."""
        self._refining = TintedLabel("Refining…", scale=_FONT_SCALE)
        self._refining.setParent(view)
        self._refining.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._refining.setAccessibleName("Refining")
        self._refining.hide()

    @property
    def _first_names(self) -> str:
        return " and ".join(list(self._plots)[:2])  # more are never shown together

    def _make_canvas(self, name: str, plot: RangePlot) -> pg.GraphicsView:
        """Return a new widget that a plot fills, with the others."""
        canvas = self._canvases[plot] = _canvas(name, plot)
        self.splitter.addWidget(canvas)
        canvas.installEventFilter(self)
        canvas.viewport().installEventFilter(self)
        plot.box.geometryChanged.connect(self._place_note)
        self._dress(plot, canvas)
        return canvas

    def add(self, name: str, plot: RangePlot) -> None:
        """Add a plot, which is hidden at first."""
        self.splitter.name = self._first_names
        self._make_canvas(name, plot).hide()

    def stack(self, name: str, upper: RangePlot, lower: RangePlot) -> Splitter:
        """Put a plot below another one, in the place of both; `name` says what both are."""
        place = self.splitter.indexOf(self._canvases[upper])
        column = Splitter(name)
        column.setOrientation(Qt.Orientation.Vertical)
        for plot in (upper, lower):
            self._canvases[plot].setMinimumHeight(_LOWEST)
            column.addWidget(self._canvases[plot])
        self.splitter.insertWidget(place, column)
        self._columns.append(column)
        return column

    def canvas_of(self, plot: RangePlot) -> pg.GraphicsView:
        """Return the widget that a plot fills."""
        return self._canvases[plot]

    def place_of(self, plot: RangePlot, x: float, y: float) -> QPointF | None:
        """Return where a point of a plot is in the view, None while the plot is hidden."""
        canvas = self._canvases[plot]
        if not canvas.isVisibleTo(self._view):
            return None
        plot.grid.activate()
        on_canvas = canvas.mapFromScene(plot.box.mapViewToScene(QPointF(x, y)))
        return QPointF(canvas.mapTo(self._view, on_canvas))

    def show_plots(self, shown: Collection[RangePlot]) -> None:
        """Show some of the plots, and hide the others."""
        for plot, canvas in self._canvases.items():
            if canvas.isHidden() == (plot in shown):
                canvas.setVisible(plot in shown)
                self.splitter.refresh()
        for column in self._columns:
            canvases = [column.widget(place) for place in range(column.count())]
            column.setVisible(not all(canvas.isHidden() for canvas in canvases))

    def show_beside(self, shown: Collection[RangePlot]) -> None:
        """Show some of the plots beside each other, or below each other where that is narrow.

        Several encodings stand as they are largest.
        """
        self.show_plots(shown)
        self._put_in_order(shown)
        beside = self.splitter.width() >= _WIDTH_BESIDE * len(shown)
        if not beside and any(plot.heading for plot in shown):
            across, down = self._sides(len(shown))
            beside = across >= down
        self.splitter.setOrientation(
            Qt.Orientation.Horizontal if beside else Qt.Orientation.Vertical
        )
        compared = [plot for plot in shown if plot.heading]
        untitled = compared[1:] if beside else []
        for plot in _bar_plots(shown):
            plot.left.show_title(plot not in untitled)
        canvases = {self._canvases[plot]: plot for plot in shown}
        if compared and all(self.splitter.indexOf(canvas) >= 0 for canvas in canvases):
            _share(self.splitter, canvases)

    def _put_in_order(self, shown: Collection[RangePlot]) -> None:
        """Give each plot the place of its turn, also where it was made before others."""
        canvases = [self._canvases[plot] for plot in shown]
        in_splitter = [canvas for canvas in canvases if self.splitter.indexOf(canvas) >= 0]
        places = [self.splitter.indexOf(canvas) for canvas in in_splitter]
        if places != sorted(places):
            for canvas, place in zip(in_splitter, sorted(places), strict=True):
                self.splitter.insertWidget(place, canvas)

    def _sides(self, count: int) -> tuple[float, float]:
        """Return the shorter side of each of some plots: beside each other, and below."""
        width, height = self.splitter.width(), self.splitter.height()
        return min(width / count, height), min(width, height / count)

    def room_for(self, count: int) -> int:
        """Return how many of some plots there is room for, one at least."""
        fitting = (n for n in range(count, 1, -1) if max(self._sides(n)) >= _LEAST_BESIDE)
        return next(fitting, 1)

    def keep_square(self, plot: BarPlot, *, at_bottom: bool) -> None:
        """Leave space around a plot, so that its area is as high as wide."""
        canvas = self._canvases[plot]
        _, above = free = _free(plot, canvas)
        _set_free(plot, canvas, free, above if at_bottom else above - above // 2)

    def keep_squares(self, plots: Collection[BarPlot]) -> None:
        """Leave space around plots, so that all are squares; beside each other at one height.

        All other plots fill their places.
        """
        for plot in _bar_plots(self._canvases):
            if plot not in plots:
                _set_free(plot, self._canvases[plot], (0.0, 0.0), 0.0)
        free = {plot: _free(plot, self._canvases[plot]) for plot in plots}
        beside = self.splitter.orientation() == Qt.Orientation.Horizontal
        least = min((above for _, above in free.values()), default=0.0)
        for plot, each in free.items():
            shared = least if beside else each[1]
            _set_free(plot, self._canvases[plot], each, shared - shared // 2)

    def hide_controls(self) -> None:
        """Leave the plots and the sentence alone: a figure has no buttons and no badges."""
        for splitter in (self.splitter, *self._columns):
            splitter.setHandleWidth(0)
        for plot in self._plots.values():
            plot.badge.forbid()
        self._note.forbid_offers()
        self._place_note()

    def show_message(
        self, sentence: str, *, offer: str = "", over: RangePlot | None = None
    ) -> None:
        """Show a sentence over all plots or one of them; an empty one hides it.

        `offer` is the text of a button below the sentence, empty for none.
        """
        self._over = over
        if not sentence and self._note.isHidden():
            return
        self._note.show_sentence(printed.text(sentence), offer)
        self._place_note()

    def show_refining(self, refining: bool) -> None:
        """Show in a corner, beside the picture, whether a finer one is on its way."""
        if refining:
            self._place_refining()
        self._refining.setVisible(refining)

    def _place_refining(self) -> None:
        self._refining.adjustSize()
        top = self._view.height() - self._refining.height() - _CORNER
        self._refining.move(_CORNER, top)

    @property
    def sentence(self) -> str:
        """The sentence shown, or an empty text."""
        return self._note.sentence

    def pixels(self, plot: RangePlot, ratio: float) -> Size:
        """Return how many device pixels a plot's area has, from where it begins in its window."""
        plot.grid.activate()
        canvas = self._canvases[plot]
        corner = canvas.viewport().mapTo(canvas.window(), QPointF(0, 0))
        area = plot.box.mapRectToScene(plot.box.rect()).translated(corner)
        width = nearest_pixel(area.right() * ratio) - nearest_pixel(area.left() * ratio)
        height = nearest_pixel(area.bottom() * ratio) - nearest_pixel(area.top() * ratio)
        return Size(width, height)

    def dress(self) -> None:
        """Take the colours of the palette."""
        for plot, canvas in self._canvases.items():
            self._dress(plot, canvas)

    def _dress(self, plot: RangePlot, canvas: pg.GraphicsView) -> None:
        palette = self._view.palette()
        canvas.setBackground(colours(palette).base)
        plot.dress(palette, self._view.ratio)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            # The plots get no such event by themselves when the mouse moves on to the note.
            for canvas in self._canvases.values():
                if watched is canvas.viewport():
                    canvas.scene().leaveEvent(event)
        if event.type() == QEvent.Type.Hide:
            for plot, canvas in self._canvases.items():
                if watched is canvas:
                    plot.release()
        if event.type() == QEvent.Type.Resize:
            shown = [canvas for canvas in self._canvases.values() if not canvas.isHidden()]
            if watched in shown:
                self._place_note()
                self._place_refining()
                self._view.redraw()
        return super().eventFilter(watched, event)

    @Slot()
    def _place_note(self) -> None:
        if self._note.isHidden():
            return
        area = self._area_of_note()
        if area.height() < _LOW_NOTE or area.width() < _LOW_NOTE:  # where it would not fit
            area = self._view.rect()
        self._note.place(area, self._view.rect())

    def _area_of_note(self) -> QRect:
        """Return the place of the plots, or of the one that the sentence is about."""
        plots = list(self._plots.values())
        over = plots[0] if len(plots) == 1 else self._over
        if over is None:
            return self._view.rect()
        canvas = self._canvases[over]
        if not canvas.isVisibleTo(self._view):
            return self._view.rect()
        area: QRect = over.box.sceneBoundingRect().toRect()
        return area.translated(canvas.mapTo(self._view, QPoint(0, 0)))


def _share(splitter: Splitter, plots: Mapping[pg.GraphicsView, RangePlot]) -> None:
    """Give several plots areas of the same width, or below each other of the same height."""
    across = splitter.orientation() == Qt.Orientation.Horizontal
    around = [_around(plot, across=across) for plot in plots.values()]
    length = splitter.width() if across else splitter.height()
    room = length - (len(plots) - 1) * splitter.handleWidth()
    each = (room - sum(around)) / len(plots)
    sizes = [0] * splitter.count()
    for canvas, taken in zip(plots, around, strict=True):
        sizes[splitter.indexOf(canvas)] = round(each + taken)
    splitter.setSizes(sizes)


def _around(plot: RangePlot, *, across: bool) -> float:
    """Return what axes and colour bar take of the width of a plot, or of its height."""
    if not isinstance(plot, BarPlot):
        return float(plot.left.width() + _LAST_NUMBER if across else plot.bottom.height())
    return float(plot.around.width() if across else plot.around.height())


def _canvas(name: str, plot: RangePlot) -> pg.GraphicsView:
    """Return a widget that a plot fills."""
    canvas = pg.GraphicsView()
    canvas.viewport().setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)  # by its background
    canvas.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    for part in (canvas, canvas.viewport()):
        part.setAccessibleName(f"Plot: {name}")
    left, top, right, bottom = _EDGES
    if not isinstance(plot, BarPlot):  # no colour bar stands where the last number ends
        right = _LAST_NUMBER
    plot.grid.setContentsMargins(left, top, right, bottom)
    canvas.setCentralItem(plot)
    return canvas


def _bar_plots(plots: Collection[RangePlot]) -> list[BarPlot]:
    return [plot for plot in plots if isinstance(plot, BarPlot)]


def _free(plot: BarPlot, canvas: pg.GraphicsView) -> tuple[float, float]:
    """Return how much wider, and how much higher, the area of a plot is than a square."""
    left, top, right, bottom = _EDGES
    plot.place_bar(QSizeF(canvas.width() - left - right, canvas.height() - top - bottom))
    width = canvas.width() - plot.around.width() - left - right
    height = canvas.height() - plot.around.height() - top - bottom
    return max(0.0, width - height), max(0.0, height - width)


def _set_free(
    plot: BarPlot, canvas: pg.GraphicsView, free: tuple[float, float], top: float
) -> None:
    """Leave so much free beside a plot and above it, some of the latter at the top."""
    left, upper, right, bottom = _EDGES
    beside, above = free
    half = beside // 2
    margins = (left + half, upper + top, right + beside - half, bottom + above - top)
    if plot.grid.getContentsMargins() != margins:
        plot.grid.setContentsMargins(*margins)
        plot.setGeometry(canvas.range)  # which wider margins may have made larger
