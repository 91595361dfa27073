"""The frequencies on the screen: a curve over the pairs, and what the mouse does there."""

from __future__ import annotations

from typing import Any, ClassVar

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration, zoomed
from pe_explorer.model import Model
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.frequencies import (
    Frequencies,
    FrequencyOptions,
    dimension_at,
    length_at,
)
from pe_explorer.pictures.pixels import Size
from pe_explorer.views._contract import Gestures
from pe_explorer.views._plots import CurvePlot, PlotView
from pe_explorer.widgets.axes import RangeAxis, ValueAxis

__all__ = ["FrequenciesView"]

_LEFT = 64  # pixels for the numbers of the upright axis


class FrequenciesView(PlotView):
    """The frequency, the wavelength or the turns of every pair."""

    picture = Frequencies
    gestures: ClassVar[Gestures] = (
        ("Wheel", "Show more or fewer positions, in which more or fewer pairs get round"),
        ("Double-click", "Mark a length: that of a turn at this height"),
    )

    def __init__(self, parent: QWidget | None = None) -> None:
        self.plot = CurvePlot(ValueAxis("left"), RangeAxis("bottom", "pair"))
        self.plot.left.setWidth(_LEFT)
        super().__init__({"curve": self.plot}, parent)
        for option in ("quantity", "axis"):
            self.header.add_option(option, self.set_option)
        self.apply_theme()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        box = self.plot.box
        return [
            *super().connections(model),
            (box.zoom_asked, self._zoom),
            (box.chosen, self._mark_length),
        ]

    def size_in_pixels(self) -> Size:
        return self.stage.pixels(self.plot, self.ratio)

    def show_figure(self, state: Exploration, figure: Figure, *, refining: bool) -> None:
        super().show_figure(state, figure, refining=refining)
        self._show_choices(state)

    def show_lack(self, state: Exploration, frame: Figure, sentence: str) -> None:
        super().show_lack(state, frame, sentence)
        self._show_choices(state)

    def _show_choices(self, state: Exploration) -> None:
        options = self.picture.options(state)
        assert isinstance(options, FrequencyOptions)
        self.header.show_choice("quantity", options.quantity)
        self.header.show_choice("axis", options.axis)

    # -- the cursor ----------------------------------------------------------------------------

    def under(self, name: str, x: float, y: float) -> dict[str, int]:
        """Return the dimension of the pair at a place; nothing where there is none."""
        dimension = None if self.blank else dimension_at(self.model.state, x)
        return {} if dimension is None else {"dimension": dimension}

    # -- what is shown -------------------------------------------------------------------------

    @Slot(float, float)
    def _mark_length(self, x: float, y: float) -> None:
        if not self.blank:
            self.set_options(length=length_at(self.model.state, y))

    @Slot(float, float, float, object)
    def _zoom(self, factor: float, x: float, y: float, modifiers: Qt.KeyboardModifier) -> None:
        self.model.set(**zoomed(self.model.state, factor, 0.0))
