"""The properties on the screen: the table of evidence above the likeness of all positions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QBoxLayout, QWidget

from pe_explorer.exploration import CURSOR, Exploration
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Figure, Panel
from pe_explorer.pictures.pixels import Size
from pe_explorer.pictures.properties import MOST_NAMED, Properties, row_count
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views._evidence_table import EvidenceTable
from pe_explorer.views._likeness_plot import LikenessPlot
from pe_explorer.views._plots import PlotView
from pe_explorer.widgets.plot import RangePlot

__all__ = ["PropertiesView"]

_LEFT = 58  # pixels for the numbers of the curves
_MOST_TABLE = 0.58  # of the height: so much the table may take


class PropertiesView(PlotView):
    """The evidence for what encodings are wished to have, and who looks like whom."""

    picture = Properties

    def __init__(self, parent: QWidget | None = None) -> None:
        self.plot = LikenessPlot(MOST_NAMED)
        self.plot.left.setWidth(_LEFT)
        super().__init__({"likeness": self.plot}, parent)
        self.table = EvidenceTable()
        layout = self.layout()
        assert isinstance(layout, QBoxLayout)
        layout.insertWidget(0, self.table)
        self.choices = DistanceChoices(self)
        self.header.add_option("part", self.set_option)
        self.apply_theme()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            *super().connections(model),
            *self.choices.connections(model),
            (self.table.asked, self._show_place),
        ]

    # -- what is shown -------------------------------------------------------------------------

    def size_in_pixels(self) -> Size:
        columns = 1 + len(self.model.state.pins)
        wanted = self.table.height_of(row_count(self.options), columns)
        self.table.setFixedHeight(min(wanted, round(_MOST_TABLE * self.height())))
        layout = self.layout()
        assert layout is not None
        layout.activate()
        return self.stage.pixels(self.plot, self.ratio)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self.table.show_table(figure.table)

    def _show_panel(self, plot: RangePlot, panel: Panel) -> None:
        super()._show_panel(plot, panel)
        self.plot.show_curves(panel, self.palette())

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self.table.show_table(None)

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.choices.show(state, measures_from_reference=True)
        self.header.show_choice("part", self.picture.options(state).part)

    def apply_theme(self) -> None:
        super().apply_theme()
        self.table.dress(self.palette())

    # -- the cursor ----------------------------------------------------------------------------

    @Slot(object)
    def _show_place(self, fields: Mapping[str, int]) -> None:
        """Move cursor and reference to what a cell of the table is about."""
        others = {name: value for name, value in fields.items() if name not in CURSOR}
        self.model.pick(**{name: fields[name] for name in fields if name in CURSOR})
        if others:
            self.model.set(**others)

    @Slot(float, float)
    def _pick(self, x: float, y: float) -> None:
        """Show a look-alike whose line is clicked beside the cursor; else move the cursor."""
        mark = self.plot.mark_at(x, y)
        if mark is None:
            super()._pick(x, y)
        else:
            self.model.set(reference=self.model.state.start + round(mark))
