"""Shifts on the screen: the matrix, tables or curve, and what the mouse does over them."""

from typing import ClassVar

from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration
from pe_explorer.params import declared
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.pixels import Size, size_of_all
from pe_explorer.pictures.shift import Shift, ShiftOptions
from pe_explorer.views._captioned_view import CaptionedView
from pe_explorer.views._plots import CurvePlot
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.line_fields import NumberField
from pe_explorer.widgets.plot import ImagePlot

_AXIS_WIDTH = 70  # pixels for the numbers beside the curve
_FIELD = 72  # pixels for the number typed; longer ones scroll
_STEPS = 1, 10  # positions that an arrow key and a page key move by


class ShiftView(CaptionedView):
    """The matrix that moves rows, the rows that it moves, or how far these are from the true."""

    picture = Shift
    most_lines: ClassVar[int] = 5

    def __init__(self, parent: QWidget | None = None) -> None:
        images = {name: self.new_plot(name) for name in ("matrix", "moved", "later")}
        self.curve_plot = CurvePlot(_AXIS_WIDTH, RangeAxis("bottom", "position"))
        super().__init__({**images, "residual": self.curve_plot}, parent)
        self.k = NumberField(declared(ShiftOptions)["k"])
        self.header.add_lines("k", _FIELD, k=self.k)
        self.header.add_option("part", self.set_option, labelled=False)
        self.add_comparison()

    @property
    def steps(self) -> tuple[int, int]:
        return _STEPS

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
        self.k.display(Shift.options(state).k)
