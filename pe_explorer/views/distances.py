"""The view of distances, with a label at the mouse that describes a bin of the histogram."""

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import Slot

from pe_explorer import pictures
from pe_explorer.exploration import Exploration, ResolvedState, resolve
from pe_explorer.figures.layout import FigureLayout
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.params import Choice
from pe_explorer.pictures.distances import Distances, format_bin
from pe_explorer.pictures.figure import Figure
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views.page_view import PageView, remove_bars

_MIN_MATRIX_WIDTH = 140  # minimum width of the matrix in pixels; a smaller view shows only one part
_PARTS = {"curve": "curve", "matrix": "matrix"}
_PART_CHOICE = Choice("curve", _PARTS, label="Part", help="The part to show if only one fits.")


class DistancesView(PageView):
    """A view of the distances from the reference, beside the matrix of all distances."""

    picture = Distances

    def fill_header(self) -> None:
        self.header.add_choice("visible_part", _PART_CHOICE, self._choose_part, has_label=False)
        self.choices = DistanceChoices(self)
        self.header.show_choice("visible_part", "curve", is_offered=False)
        self._preferred_part = ""  # part to show if only one fits; empty for the default

    @Slot(str, object)
    def _choose_part(self, field: str, part: str) -> None:
        self._preferred_part = part
        self.redraw()

    @property
    def _visible_part(self) -> str:
        is_matrix_preferred = set(self.preferred_panels) == {"matrix"}
        return self._preferred_part or ("matrix" if is_matrix_preferred else "curve")

    @property
    def _is_crowded(self) -> bool:
        is_single = len(self.figure.separate_figures) == 1
        return is_single and 0 < len(self.placed_panels) < len(self.figure.panels)

    def _key(self, state: Exploration) -> Any:
        return *super()._key(state), self._preferred_part

    def is_legible(self, layout: FigureLayout) -> bool:
        if len(layout.panels) == 1 or self.options.share:
            return super().is_legible(layout)
        panels = (p for p in layout.panels if p.panel.name == "matrix" and not p.panel.heading)
        has_space = all(
            panel.area.width >= _MIN_MATRIX_WIDTH * UNIT_POINTS["px"] for panel in panels
        )
        return has_space and super().is_legible(layout)

    def list_parts(self, figure: Figure) -> Iterator[Figure]:
        is_matrix_preferred = self._visible_part == "matrix"
        part = [panel for panel in figure.panels if (panel.name == "matrix") == is_matrix_preferred]
        yield from (figure, remove_bars(figure))
        if part and len(figure.separate_figures) == 1:
            figure = figure._replace(panels=tuple(part))
        yield from super().list_parts(figure)

    def visible_state(self, state: ResolvedState) -> ResolvedState:
        if not self._is_crowded:
            return state
        part = pictures.with_options(state, self.picture.name, part=self._visible_part)
        return resolve(part, self.model.store)

    def show_page(self, figure: Figure, *, has_new_data: bool = True) -> None:
        super().show_page(figure, has_new_data=has_new_data)
        self.header.show_choice("visible_part", self._visible_part, is_offered=self._is_crowded)

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.choices.show(state, is_from_reference=not self.options.has_histogram)

    @Slot(str, float, float)
    def _hover(self, panel: str, x: float, y: float) -> None:
        super()._hover(panel, x, y)
        screen = self.snapshot if panel == "histogram" else None
        if screen is not None and screen.numbers.histogram is not None:
            pointer = self.pointer(panel, x, y)
            self.mouse_label.set_remark(format_bin(screen.numbers.histogram, pointer.x))
