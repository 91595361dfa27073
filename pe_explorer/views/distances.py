"""The distances on the screen: their choices, and bins of a histogram in words."""

from collections.abc import Iterator

from PySide6.QtCore import Slot
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QToolTip

from pe_explorer import pictures
from pe_explorer.exploration import Exploration, Resolved, resolve
from pe_explorer.figures.layout import FigureLayout
from pe_explorer.figures.size import POINTS
from pe_explorer.params import Choice
from pe_explorer.pictures.distances import Distances, bin_words
from pe_explorer.pictures.figure import Figure
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views.page_view import PageView

_LEAST_SIDE = 140  # pixels of the matrix; where it would be smaller, one part is shown alone
_PARTS = {"curve": "the distances from the reference", "matrix": "those between all positions"}
_PART = Choice("curve", _PARTS, label="Part", help="What is shown where both have no room.")


class DistancesView(PageView):
    """The curve from the reference beside the matrix of all pairs."""

    picture = Distances

    def fill_header(self) -> None:
        self.header.add_choice("alone", _PART, self._choose_part, labelled=False)
        self.choices = DistanceChoices(self)
        self.header.show_choice("alone", "curve", offered=False)

    @Slot(str, object)
    def _choose_part(self, field: str, part: str) -> None:
        self.favour({part})

    @property
    def _alone(self) -> str:
        """The part that is shown where there is no room for both."""
        return "matrix" if set(self.favoured) == {"matrix"} else "curve"

    @property
    def _is_crowded(self) -> bool:
        """Whether one part is shown in the place of both."""
        return len(self.figure.apart) == 1 and 0 < len(self.placed) < len(self.figure.panels)

    def is_legible(self, layout: FigureLayout) -> bool:
        found = {each.panel.name: each for each in layout.panels}
        if len(found) == 1 or self.options.share or "matrix" not in found:
            return True
        matrix = found["matrix"]
        return bool(matrix.panel.heading) or matrix.area.width >= _LEAST_SIDE * POINTS["px"]

    def parts_of(self, figure: Figure) -> Iterator[Figure]:
        part = [it for it in figure.panels if (it.name == "matrix") == (self._alone == "matrix")]
        yield figure
        if part and len(figure.apart) == 1:
            yield figure._replace(panels=tuple(part))
        yield from super().parts_of(figure)

    def seen(self, state: Resolved) -> Resolved:
        if not self._is_crowded:
            return state
        part = pictures.with_options(state, self.picture.name, part=self._alone)
        return resolve(part, self.model.store)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.header.show_choice("alone", self._alone, offered=self._is_crowded)

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
