"""The view of properties: a table of evidence above the similarities of all positions."""

from typing import ClassVar

from PySide6.QtCore import Slot

from pe_explorer.exploration import Exploration
from pe_explorer.pictures.properties import Properties
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views.page_view import PageView

_CLICK_RADIUS = 4  # maximum distance in pixels between a click and a line


class PropertiesView(PageView):
    """A view of evidence for desirable properties and of similar positions."""

    picture = Properties
    is_table_preferred: ClassVar[bool] = True

    def fill_header(self) -> None:
        self.choices = DistanceChoices(self)
        self.header.add_option("part", self.set_option)

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.choices.show(state, is_from_reference=True)

    @Slot(str, float, float)
    def _click(self, panel: str, x: float, y: float) -> None:
        mark = self.find_mark(panel, x, y, _CLICK_RADIUS)
        if mark is None or not self.is_attached:
            super()._click(panel, x, y)
        else:
            self.model.set(reference=self.model.state.start + round(mark.x))
