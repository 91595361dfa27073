"""The distances on the screen: their choices, and bins of a histogram in words."""

from PySide6.QtCore import Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QToolTip

from pe_explorer.exploration import Exploration
from pe_explorer.pictures.distances import Distances, bin_words
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views.page_view import PageView


class DistancesView(PageView):
    """The curve from the reference beside the matrix of all pairs."""

    picture = Distances

    def fill_header(self) -> None:
        self.choices = DistanceChoices(self)

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.choices.show(state, measures_from_reference=not self.options.shows_histogram)

    @Slot(str, float, float)
    def _point(self, panel: str, right: float, down: float) -> None:
        """Say also which bin the mouse is over."""
        super()._point(panel, right, down)
        histogram = self.drawn.numbers.histogram if panel == "histogram" and self.drawn else None
        if histogram is not None:
            x = self.pointer(panel, right, down).x
            QToolTip.showText(QCursor.pos(), bin_words(histogram, x), self.canvas)
