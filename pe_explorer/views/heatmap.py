"""The heatmap on the screen: its choices, and what the mouse does over it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.exploration import Exploration, shown_names
from pe_explorer.model import Model
from pe_explorer.pictures.heatmap import (
    PANELS,
    Heatmap,
)
from pe_explorer.pictures.pixels import Size, size_of_all
from pe_explorer.views._plots import PlotView
from pe_explorer.widgets.axes import RangeAxis
from pe_explorer.widgets.plot import ImagePlot


class HeatmapView(PlotView):
    """Position down, dimension across, a colour for each value."""

    picture = Heatmap

    def __init__(self, parent: QWidget | None = None) -> None:
        plots = {name: _image_plot() for name in PANELS}
        super().__init__(plots, parent)
        self.plot, self.second_plot = (plots[name] for name in PANELS)
        of_which = replace(SHOW, label="of")
        self.of = self.header.add_choice("show", of_which, self._choose)
        self.show_choices(Exploration())  # now, or the pane would make room for all of them
        self._moved_border = False
        """Whether the user has chosen how wide the two pictures are."""
        self.apply_theme()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = super().connections(model)
        pairs.append((self.stage.splitter.splitterMoved, self._keep_border))
        return pairs

    def size_in_pixels(self) -> Size:
        shown = [self.plot]
        if self.options.second is not None:
            shown.append(self.second_plot)
        self.stage.show_beside(shown)
        self.plot.show_bar(len(shown) == 1)
        if len(shown) > 1:
            self._share()
        return size_of_all([self.stage.pixels(plot, self.ratio) for plot in shown])

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

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.of.rename_all(shown_names(state))
        self.header.show_choice("show", state.show, offered=bool(state.pins))

    @Slot(str, object)
    def _choose(self, field: str, value: object) -> None:
        self.model.set(**{field: value})


def _image_plot() -> ImagePlot:
    return ImagePlot(RangeAxis("left", "position"), RangeAxis("bottom", "dimension"))
