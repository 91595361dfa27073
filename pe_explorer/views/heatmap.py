"""The heatmap on the screen: its choices, and what the mouse does over it."""

from typing import Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.model import Model
from pe_explorer.pictures.heatmap import PANELS, Heatmap
from pe_explorer.pictures.pixels import Size, size_of_all
from pe_explorer.views._comparing_view import ComparingView
from pe_explorer.widgets.plot import RangePlot


class HeatmapView(ComparingView):
    """Position down, dimension across, a colour for each value."""

    picture = Heatmap

    def __init__(self, parent: QWidget | None = None) -> None:
        self.plot = self.new_plot(PANELS[0])
        super().__init__({PANELS[0]: self.plot}, parent)
        self.add_comparison()
        self._moved_border = False
        """Whether the user has chosen how wide the two pictures are."""

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        pairs = super().connections(model)
        pairs.append((self.stage.splitter.splitterMoved, self._keep_border))
        return pairs

    def size_in_pixels(self) -> Size:
        shown = self.plots_shown(self.model.state)
        self.stage.show_beside(shown)
        if shown[1:] == [self.plots.get(PANELS[1])]:
            self._share(shown[1])
        return size_of_all([self.stage.pixels(plot, self.ratio) for plot in shown])

    def _share(self, second: RangePlot) -> None:
        """Give both pictures the same width, unless the border has been moved."""
        splitter = self.stage.splitter
        if self._moved_border or splitter.orientation() == Qt.Orientation.Vertical:
            return
        room = splitter.width() - splitter.handleWidth()
        narrower = round(second.around.width() - self.plot.around.width())
        first = max(0, (room - narrower) // 2)
        splitter.setSizes([first, room - first])

    @Slot(int, int)
    def _keep_border(self, place: int, index: int) -> None:
        self._moved_border = True
