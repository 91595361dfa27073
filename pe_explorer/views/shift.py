"""Shifts on the screen: the matrix, tables or curve, and what the mouse does over them."""

from typing import Any, ClassVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QLabel, QWidget

from pe_explorer.encodings import LIMIT
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.params import declared
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.pixels import Size, size_of_all
from pe_explorer.pictures.shift import Shift, ShiftOptions
from pe_explorer.views._captioned_view import CaptionedView
from pe_explorer.views._plots import CurvePlot
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.line_fields import NumberField
from pe_explorer.widgets.plot import ImagePlot, RangePlot

_AXIS_WIDTH = 70  # pixels for the numbers beside the curve
_FIELD = 72  # pixels for the number typed; longer ones scroll
_PAGE = 10  # positions that a page key moves by


class ShiftView(CaptionedView):
    """The matrix that moves rows, the rows that it moves, or how far these are from the true."""

    picture = Shift
    most_lines: ClassVar[int] = 5

    def __init__(self, parent: QWidget | None = None) -> None:
        images = {name: _image_plot() for name in ("matrix", "moved", "later")}
        self.curve_plot = CurvePlot(ValueAxis("left"), RangeAxis("bottom", "position"))
        self.curve_plot.left.setWidth(_AXIS_WIDTH)
        super().__init__({**images, "residual": self.curve_plot}, parent)
        self._make_choices()
        self.apply_theme()

    def _make_choices(self) -> None:
        self.k = NumberField(declared(ShiftOptions)["k"])
        self.k.setFixedWidth(_FIELD)
        label = QLabel("k")
        label.setBuddy(self.k)
        self.header.add(label, self.k)
        self.header.add_option("part", self.set_option, labelled=False)
        self.add_comparison()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            (self.k.entered, self._set_k),
            (self.k.refused, model.refused),
            (self.k.stepped, self._step),
        ]

    # -- what is shown -------------------------------------------------------------------------

    def size_in_pixels(self) -> Size:
        shown = self.plots_shown(self.model.state)
        self.stage.show_beside(shown)
        if self.options.part == "matrix":
            self.stage.keep_squares([plot for plot in shown if isinstance(plot, ImagePlot)])
        return size_of_all([self.stage.pixels(plot, self.ratio) for plot in shown])

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.show_caption(figure.status.removeprefix(f"{Shift.title}: "))

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self.show_caption("")

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
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


def _image_plot() -> RangePlot:
    return ImagePlot(RangeAxis("left", "position"), RangeAxis("bottom", "dimension"))
