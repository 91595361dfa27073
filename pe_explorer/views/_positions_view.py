"""A view with positions along its lower axis: the wheel zooms them, a drag moves through them."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import panned, zoomed
from pe_explorer.views._plots import PlotView
from pe_explorer.views._whole_steps import WholeSteps
from pe_explorer.widgets.plot import RangePlot

__all__ = ["PositionsView"]


class PositionsView(PlotView):
    """Zooms and moves the positions that its plots show across."""

    def __init__(self, plots: Mapping[str, RangePlot], parent: QWidget | None = None) -> None:
        super().__init__(plots, parent)
        self._steps = WholeSteps()

    @Slot(float, float, float, object)
    def zoom_positions(
        self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier
    ) -> None:
        """Show more or fewer positions; those under the mouse stay where they are."""
        self.model.set(**zoomed(self.model.state, factor, x))

    @Slot(float, float)
    def pan_positions(self, x: float, y: float) -> None:
        """Follow a drag, which is given in parts of the plot."""
        self.move_by(-x)

    def move_by(self, part: float) -> None:
        """Move by a part of the positions shown, in whole positions."""
        positions = self._steps.add(part * self.model.state.count)
        if positions:
            self.model.set(**panned(self.model.state, positions))
