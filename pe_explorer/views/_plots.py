"""A view of plots beside each other: it shows the panels of a figure."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration, moved_to, zoomed
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Figure, Mark, Note, Panel, PanelAxis, Rectangle
from pe_explorer.pictures.gestures import Drag, OnScreen, Pointer, Wheel
from pe_explorer.pictures.picture import Plot
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._curves import Curves
from pe_explorer.views._header import Header
from pe_explorer.views._stage import Stage
from pe_explorer.views.view import View
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.hatching import Shading
from pe_explorer.widgets.line_fields import NumberField
from pe_explorer.widgets.painting import thin_pen
from pe_explorer.widgets.plot import ImagePlot, PlotLine, RangePlot
from pe_explorer.widgets.theme import colours

_COLUMN_KEYS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_PAGES = 10  # steps of a page key through the positions shown
_NAME_MARGIN = 0.015  # share of the plot's width, left of the name of a level line


class CurvePlot(RangePlot):
    """A plot of curves over whole numbers, with dashed lines and grounds that set parts apart."""

    def __init__(self, axis_width: int, bottom: RangeAxis | ValueAxis) -> None:
        """`axis_width` is that of the numbers beside the curves, in pixels."""
        super().__init__(ValueAxis("left"), bottom)
        self.left.setWidth(axis_width)
        self.curve_set = Curves(self)
        self.mark = PlotLine(angle=90)
        self.add(self.mark)  # after the first curve, which it crosses
        self.level = PlotLine(angle=0)
        self.add(self.level)
        self.level_name = pg.TextItem()
        self.level_name.hide()
        self.add(self.level_name)
        self.shading = Shading()
        self.add(self.shading)
        self.bars = Shading()
        self.add(self.bars)

    def show_levels(self, panel: Panel) -> None:
        """Show the level line of a panel, and what is shaded, where there are any."""
        self.shading.show_rects([_rect(rectangle) for rectangle in panel.shaded])
        for item in (self.level, self.level_name):
            item.setVisible(bool(panel.levels))
        for level in panel.levels:
            self.level.setPos(level.y)
            self.level_name.setText(level.name)
            self.level_name.setAnchor((0, 0 if level.is_high(panel.y) else 1))
            self.level_name.setPos(panel.x.low + _NAME_MARGIN * panel.x.length, level.y)

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Show where the marks of a panel are."""
        self.mark.setVisible(bool(marks))
        for mark in marks:
            self.mark.setPos(mark.x)

    def dress(self, palette: QPalette, ratio: float) -> None:
        super().dress(palette, ratio)
        c = colours(palette)
        self.curve_set.take_colours(palette)
        dashed = thin_pen(c.reference, ratio, style=Qt.PenStyle.DashLine)
        for line in (self.mark, self.level):
            line.setPen(dashed)
        self.level_name.setColor(c.reference)
        self.shading.dress(c.raised)
        self.bars.dress(c.filling)
        self.left.setPen(thin_pen(c.line, ratio))
        self.left.setLabel(self.left.labelText, color=c.muted)


class PlotView(View):
    """Shows the panels of a figure in the plots of the same names."""

    header: Header
    has_caption: ClassVar[bool] = False
    """Whether a sentence stands above the plots: then a note covers only an empty one."""

    def __init__(
        self, plots: Mapping[str, RangePlot] | None = None, parent: QWidget | None = None
    ) -> None:
        """`plots` are those of a view of its own; without them, those that the picture declares."""
        super().__init__(parent)
        self.plots = dict(plots or {name: _made(p) for name, p in self.picture.plots.items()})
        self.stage = Stage(self, self.plots)
        self.take_header(Header(self.picture.Options))
        for option, labelled in self.picture.header.items():
            self.header.add_option(option, self.set_option, labelled=labelled)
        self._note: Note | None = None
        """What the button beside the sentence leads to."""
        self._drag = Drag()
        self._pointed: QObject | None = None
        """The box of the plot that the mouse is over."""

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = [*super().connections(model), (self.stage.accepted, self._accept)]
        for plot in self.plots.values():
            pairs += self.connections_of(plot)
        for line in self.header.lines.values():
            pairs += [(line.entered, self._enter_option), (line.refused, model.refused)]
            if isinstance(line, NumberField):
                pairs.append((line.stepped, self._step_option))
        return pairs

    def connections_of(self, plot: RangePlot) -> list[tuple[Any, Any]]:
        """Return the pairs of signal and slot of one plot."""
        box = plot.box
        return [
            (box.pointed, self._point),
            (box.left, self._leave),
            (box.picked, self._pick),
            (box.zoom_asked, self._zoom),
            (box.pan_asked, self._pan),
            (box.chosen, self._double_click),
        ]

    def plot_of(self, panel: str) -> RangePlot:
        """Return the plot of a panel."""
        return self.plots[panel]

    def size_in_pixels(self) -> Size:
        return self.stage.pixels(next(iter(self.plots.values())), self.ratio)

    def make_room(self, frame: Figure) -> None:
        for panel in frame.panels:
            _show_axes(self.plot_of(panel.name), panel)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        self._note = figure.note
        self.show_choices(state)
        noted = figure.panels[figure.noted]
        # What a coarse picture does not show, a finer one may.
        hidden = figure.note is None or (refining and noted.cells is not None)
        self._show_note(None if hidden else figure.note, noted)
        for panel in figure.panels:
            self.show_panel(self.plot_of(panel.name), panel)
            self.plots[panel.name].show_numbers(figure.note is None or not panel.is_empty)

    def place_of(self, panel: str, x: float, y: float) -> QPointF | None:
        plot = self.plots.get(panel)
        return None if plot is None else self.stage.place_of(plot, x, y)

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._note = None
        self.show_choices(state)
        for panel in frame.panels:
            plot = self.plot_of(panel.name)
            self.show_panel(plot, panel._replace(cells=None))
            plot.show_numbers(False)
            plot.set_cursor(None, None)
        note = Note(sentence, self.offer_of_lack(state))
        self._show_note(note, frame.panels[0])

    def show_choices(self, state: Exploration) -> None:
        """Show what is chosen in the header, also where it leaves no picture."""
        options = self.picture.options(state)
        for option in self.header.options:
            self.header.show_choice(option, getattr(options, option))

    @property
    def steps(self) -> tuple[int, int]:
        """By how much an arrow key and a page key change a number in the header."""
        return 1, max(self.model.state.count // _PAGES, 1)

    @Slot(object)
    def _enter_option(self, value: object) -> None:
        self.set_option(self.sender().objectName(), value)

    @Slot(int, bool)
    def _step_option(self, direction: int, page: bool) -> None:
        """Change a number in the header; where there is none, begin at the cursor."""
        line = self.sender()
        assert isinstance(line, NumberField)
        small, large = self.steps
        if line.value is None:
            line.enter(float(self.model.state.position))
        else:
            line.go_on(direction * (large if page else small))

    def _show_note(self, note: Note | None, panel: Panel) -> None:
        over = self.plots[panel.name]
        if note is None or (self.has_caption and not panel.is_empty):
            self.stage.show_message("", over=over)
        else:
            self.stage.show_message(note.sentence, offer=note.offer, over=over)

    def show_panel(self, plot: RangePlot, panel: Panel) -> None:
        """Show the axes of a panel and what is drawn between them."""
        _show_axes(plot, panel)
        x, y = panel.x, panel.y
        plot.set_range(x.length, y.length, x.low, y.low)
        plot.hatching.show_rects([_rect(rectangle) for rectangle in panel.hatched])
        tooltip = f"<p>Each pixel shows the {panel.badge}. Zoom in to see every one.</p>"
        plot.badge.show_text(_badge_of(panel), tooltip if panel.badge else "")
        if isinstance(plot, CurvePlot):
            plot.curve_set.show(panel, self.palette())
            plot.bars.show_rects([_rect(rectangle) for rectangle in panel.bars])
            plot.show_marks(panel.marks)
            plot.show_levels(panel)
        if isinstance(plot, ImagePlot):
            self._show_cells(plot, panel)

    def has_bar(self, panel: Panel) -> bool:
        """Return whether a panel has its colour bar beside it."""
        return panel.has_bar

    def _show_cells(self, plot: ImagePlot, panel: Panel) -> None:
        cells = panel.cells
        if cells is None:
            plot.show_nothing()
        else:
            place = _rect(cells.place)
            plot.bar.set_title(cells.brief or cells.title, cells.unit)
            plot.show_bar(self.has_bar(panel))
            plot.show_image(cells.indices, place, cells.colour_map, cells.limits)
        plot.numbers.show_numbers(cells if cells and cells.numbered else None)

    # -- the cursor ----------------------------------------------------------------------------

    def under(self, name: str, x: float, y: float) -> Mapping[str, int]:
        """Return the fields of the cursor at a point of a plot; nothing where there are none."""
        state, drawn, panel = self.picture_under(name)
        return self.picture.pointed_at(state, drawn, Pointer(panel, x, y))

    def picture_under(self, name: str) -> tuple[Exploration, OnScreen | None, str]:
        """Return the state of the picture in a plot, what is drawn of it, and its panel's name."""
        return self.model.state, self.drawn, name

    def show_cursor(self, state: Exploration) -> None:
        for name, place in self.picture.cursor_places(state).items():
            if name in self.plots:
                self.plots[name].set_cursor(*place)

    def show_preview(self, state: Exploration | None) -> None:
        places = self.picture.cursor_places(state) if state else {}
        for name, plot in self.plots.items():
            plot.set_preview(*places.get(name, (None, None)))

    @Slot(float, float)
    def _point(self, x: float, y: float) -> None:
        self._pointed = self.sender()
        self.model.point_at(**self.under(self._plot_in_use(), x, y))

    @Slot()
    def _leave(self) -> None:
        if self.sender() is self._pointed:  # one plot is left after the other has been entered
            self.model.point_at()

    @Slot(float, float)
    def _pick(self, x: float, y: float) -> None:
        if there := self.under(self._plot_in_use(), x, y):
            self.model.pick(**there)

    @Slot(float, float)
    def _double_click(self, x: float, y: float) -> None:
        state, drawn, panel = self.picture_under(self._plot_in_use())
        self.change(self.picture.double_clicked(state, drawn, Pointer(panel, x, y)))

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        of_columns = bool(modifiers & _COLUMN_KEYS)
        state, drawn, panel = self.picture_under(self._plot_in_use())
        wheel = Wheel(panel, factor, x, y, of_columns)
        self.change(self.picture.wheeled(state, drawn, wheel))

    @Slot(float, float)
    def _pan(self, x: float, y: float) -> None:
        """Follow a drag, which is given in parts of the plot."""
        state, drawn, panel = self.picture_under(self._plot_in_use())
        self._drag.panel, self._drag.x, self._drag.y = panel, x, y
        self.change(self.picture.dragged(state, drawn, self._drag))

    def _plot_in_use(self) -> str:
        """Return the name of the plot that the mouse does something over."""
        box = self.sender()
        names = [name for name, plot in self.plots.items() if plot.box is box]
        return names[0] if names else next(iter(self.plots))

    # -- messages ------------------------------------------------------------------------------

    def show_message(self, sentence: str) -> None:
        self.stage.show_message(sentence)

    def show_refining(self, refining: bool) -> None:
        self.stage.show_refining(refining)

    def hide_controls(self) -> None:
        self.header.hide()
        self.stage.hide_controls()

    def apply_theme(self) -> None:
        self.stage.dress()

    @Slot()
    def _accept(self) -> None:
        """Do what the button beside the sentence offers."""
        if self.blank:
            self.take_offer()
        elif self._note is not None:
            self.follow(self._note)

    def follow(self, note: Note) -> None:
        """Go where a note leads."""
        state = self.model.state
        if note.rows is not None:
            self.model.set(**moved_to(state, note.rows))
        elif note.period:
            size = self.size_in_pixels()
            width, height = size.width / self.ratio, size.height / self.ratio
            positions = max(1.0, self.picture.positions_of(note.period, width, height))
            self.model.set(**zoomed(state, positions / state.count, 0.0))
        elif note.metric:
            self.model.set(metric=note.metric)
        elif note.again:
            self.compute_again()


def _made(plot: Plot) -> RangePlot:
    """Return a plot of the declared kind."""
    if plot.kind == "cells":
        return cell_plot()
    return CurvePlot(plot.left, RangeAxis("bottom", "position"))


def cell_plot() -> ImagePlot:
    """Return a plot of positions down and dimensions across."""
    return ImagePlot(RangeAxis("left", "position"), RangeAxis("bottom", "dimension"))


def _show_axes(plot: RangePlot, panel: Panel) -> None:
    _show_axis(plot.bottom, panel.x)
    _show_axis(plot.left, panel.y)
    plot.count_down(panel.y.down)


def _show_axis(item: RangeAxis | ValueAxis, axis: PanelAxis) -> None:
    item.set_title(axis.title)
    if isinstance(item, ValueAxis):
        item.count_in_powers(axis.powers)
    if isinstance(item, RangeAxis) and axis.origin is not None:
        item.set_origin(axis.origin, axis.count)
        item.set_names(axis.names)


def _badge_of(panel: Panel) -> str:
    """Return what stands in the corner of a panel, with what is hatched where no legend says it."""
    words = [panel.badge] if panel.badge else []
    if not panel.curves:
        words += [f"{area.area}: {area.name}" for area in panel.areas]
    return "; ".join(words)


def _rect(rectangle: Rectangle) -> QRectF:
    return QRectF(rectangle.left, rectangle.top, rectangle.width, rectangle.height)
