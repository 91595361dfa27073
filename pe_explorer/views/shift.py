"""Shifts on the screen: the matrix, tables or curve, and what the mouse does over them."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QWidget

from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Exploration, panned, zoomed
from pe_explorer.model import Model
from pe_explorer.params import declared
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.picture import Picture
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.shift import Shift, ShiftOptions, columns_shown, pointed_at
from pe_explorer.views._contract import Gestures
from pe_explorer.views._plots import CurvePlot, PlotView
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.fields import NumberField
from pe_explorer.widgets.plot import ImagePlot, RangePlot
from pe_explorer.widgets.tinted_label import TintedLabel

__all__ = ["ShiftView"]

_LEFT = 70  # pixels for the numbers of the curve
_FIELD = 72  # pixels for the number typed; longer ones scroll
_PAGE = 10  # positions that a page key moves by
_LETTERS, _LETTER, _AROUND = 190, 7, 6  # of the longest caption; pixels of each, and around them
_MOST_LINES = 5
_SMALL = 0.92  # of the usual font
_ZOOMS_DIMENSIONS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_PARTS = {"matrix": ("matrix",), "tables": ("moved", "later"), "residual": ("residual",)}
"""The plots of each part."""


class ShiftView(PlotView):
    """The matrix that moves rows, the rows that it moves, or how far these are from the true."""

    picture: ClassVar[type[Picture]] = Shift
    gestures: ClassVar[Gestures] = (
        ("Wheel", "Zoom the columns of the matrix, or the positions"),
        ("Ctrl + wheel, Shift + wheel", "Zoom the columns of the tables"),
        ("Drag", "Move through columns and positions"),
    )
    has_caption: ClassVar[bool] = True

    def __init__(self, parent: QWidget | None = None) -> None:
        images = {name: _image_plot() for name in ("matrix", "moved", "later")}
        self.curve_plot = CurvePlot(ValueAxis("left"), RangeAxis("bottom", "position"))
        self.curve_plot.left.setWidth(_LEFT)
        super().__init__({**images, "residual": self.curve_plot}, parent)
        self._make_caption()
        self._make_choices()
        self._dragged_rows = self._dragged_columns = 0.0
        """Parts of a cell that a drag has not moved yet."""
        self.apply_theme()

    def _make_caption(self) -> None:
        self.caption = TintedLabel(scale=_SMALL)
        self.caption.setTextFormat(Qt.TextFormat.PlainText)
        self.caption.setWordWrap(True)
        self.caption.setContentsMargins(_AROUND, 0, _AROUND, 0)
        layout = self.layout()
        assert isinstance(layout, QBoxLayout)
        layout.insertWidget(0, self.caption)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the longest caption, or the plots would move with each sentence."""
        lines = -(-_LETTERS * _LETTER // max(1, self.width()))
        spacing = self.caption.fontMetrics().lineSpacing()
        self.caption.setFixedHeight(min(lines, _MOST_LINES) * spacing + _AROUND)
        super().resizeEvent(event)

    def _make_choices(self) -> None:
        self.k = NumberField(declared(ShiftOptions)["k"])
        self.k.setFixedWidth(_FIELD)
        label = QLabel("k")
        label.setBuddy(self.k)
        self.header.add(label, self.k)
        self.header.add_option("part", self.set_option, labelled=False)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = super().connections(model)
        for plot in self.plots.values():
            pairs += [(plot.box.zoom_asked, self._zoom), (plot.box.pan_asked, self._pan)]
        return [
            *pairs,
            (self.k.entered, self._set_k),
            (self.k.refused, model.refused),
            (self.k.stepped, self._step),
        ]

    # -- what is shown -------------------------------------------------------------------------

    def size_in_pixels(self) -> Size:
        names = _PARTS[self.options.part]
        shown = [self.plots[name] for name in names]
        self.stage.show_beside(shown)
        if names == ("matrix",):
            matrix = self.plots["matrix"]
            assert isinstance(matrix, ImagePlot)
            self.stage.keep_square(matrix, at_bottom=False)
        sizes = [self.stage.pixels(plot, self.ratio) for plot in shown]
        return Size(min(size.width for size in sizes), min(size.height for size in sizes))

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        self._show_choices(state)
        super().show_figure(state, figure, refining=refining)
        self._show_caption(figure.status.removeprefix(f"{Shift.title}: "))

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        self._show_choices(state)
        super().show_lack(state, frame, sentence)
        self._show_caption("")

    def _show_caption(self, sentence: str) -> None:
        self.caption.setText(sentence)
        self.caption.setToolTip(f"<p>{sentence}</p>" if sentence else "")

    def _show_choices(self, state: Exploration) -> None:
        options = Shift.options(state)
        self.k.display(options.k)
        self.header.show_choice("part", options.part)

    @Slot(object)
    def _set_k(self, k: int) -> None:
        self.set_options(k=k)

    @Slot(int, bool)
    def _step(self, direction: int, page: bool) -> None:
        wanted = self.k.value + direction * (_PAGE if page else 1)
        self.k.enter(min(max(wanted, -LIMIT), LIMIT))

    # -- the cursor ----------------------------------------------------------------------------

    def under(self, name: str, x: float, y: float) -> dict[str, int]:
        """Return position and dimension at a point of a plot; nothing without a picture."""
        if self._drawn is None or self.blank:
            return {}
        return pointed_at(self._drawn, name, x, y)

    # -- zooming and moving --------------------------------------------------------------------

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        part = self.options.part
        by_columns = part == "matrix" or (part == "tables" and modifiers & _ZOOMS_DIMENSIONS)
        if by_columns and not self.blank:
            self._zoom_columns(factor, x)
        elif not by_columns:
            self.model.set(**zoomed(self.model.state, factor, x if part == "residual" else y))

    def _zoom_columns(self, factor: float, anchor: float) -> None:
        width = Shift.width(self.model.state)
        first, count = columns_shown(self.options, width)
        wanted = round(count * factor)
        if wanted == count:
            wanted += 1 if factor > 1 else -1
        wanted = min(max(1, wanted), width)
        moved = first + round((count - wanted) * anchor)
        start = min(max(0, moved), width - wanted)
        self.set_options(first=start, dimensions=0 if wanted == width else wanted)

    @Slot(float, float)
    def _pan(self, x: float, y: float) -> None:
        state, part = self.model.state, self.options.part
        if part != "matrix":
            self._dragged_rows -= (x if part == "residual" else y) * state.count
            rows = round(self._dragged_rows)
            self._dragged_rows -= rows
            if rows:
                self.model.set(**panned(state, rows))
        if part != "residual" and not self.blank:
            self._pan_columns((x + y) / 2 if part == "matrix" else x)

    def _pan_columns(self, share: float) -> None:
        width = Shift.width(self.model.state)
        first, count = columns_shown(self.options, width)
        self._dragged_columns -= share * count
        columns = round(self._dragged_columns)
        self._dragged_columns -= columns
        moved = min(max(0, first + columns), width - count)
        if moved != first:
            self.set_options(first=moved)


def _image_plot() -> RangePlot:
    return ImagePlot(RangeAxis("left", "position"), RangeAxis("bottom", "dimension"))
