"""A view that shows the current encoding, a pin or their difference, or several side by side."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.comparison import SHOW
from pe_explorer.exploration import Exploration, shown_names
from pe_explorer.exploration.pins import shown_name
from pe_explorer.pictures.comparing import ComparingPicture
from pe_explorer.pictures.figure import Panel
from pe_explorer.pictures.gestures import OnScreen
from pe_explorer.views._plots import PlotView, cell_plot
from pe_explorer.widgets.plot import ImagePlot, RangePlot


class ComparingView(PlotView):
    """Has a choice of encodings in its header, and a plot for each panel of each of them."""

    picture: ClassVar[type[ComparingPicture[Any, Any]]]

    def __init__(self, plots: Mapping[str, RangePlot], parent: QWidget | None = None) -> None:
        super().__init__(plots, parent)
        self._last_seen, self._unseen = "", 0
        """The last panel that there is room for, and how many there are after it."""

    def add_comparison(self) -> None:
        """Add the choice of which encodings are shown, where some are pinned."""
        of_which = replace(SHOW, label="of")
        self.of = self.header.add_choice("show", of_which, self.set_option)
        self._show_shown(Exploration())  # now, or the pane would make room for all of them

    def _show_shown(self, state: Exploration) -> None:
        self.of.rename_all(shown_names(state))
        self.header.show_choice("show", self.picture.show(state), offered=bool(state.pins))

    def new_plot(self, panel: str) -> RangePlot:
        """Return a plot for a panel that the view has not at first, such as another encoding."""
        return cell_plot()

    def plot_of(self, panel: str) -> RangePlot:
        """Return the plot of a panel, which is made when it is first needed."""
        if panel not in self.plots:
            plot = self.plots[panel] = self.new_plot(panel)
            self.stage.add(panel, plot)
            if self._model is not None:
                for signal, slot in self.connections_of(plot):
                    signal.connect(slot)
        return self.plots[panel]

    def plots_shown(self, state: Exploration) -> list[RangePlot]:
        """Return the plots of the panels that a state has, with their headings and bars.

        Of several encodings they are as many as there is room for.
        """
        panels = self.picture.frame(state).panels
        seen = panels
        if any(panel.heading for panel in panels):
            seen = panels[: self.stage.room_for(len(panels))]
        self._last_seen = seen[-1].name
        self._unseen = len(panels) - len(seen)
        for panel in seen:
            plot = self.plot_of(panel.name)
            self._show_heading(plot, panel)
            if isinstance(plot, ImagePlot):
                plot.show_bar(self.has_bar(panel))
        return [self.plot_of(panel.name) for panel in seen]

    def _show_heading(self, plot: RangePlot, panel: Panel) -> None:
        """Write above a plot what it is of, and how many others have no room."""
        unseen = self._unseen if panel.name == self._last_seen else 0
        more = f" (and {unseen} more, in a larger pane)" if unseen else ""
        plot.show_heading(f"{panel.heading}{more}")

    def has_bar(self, panel: Panel) -> bool:
        return panel.has_bar or (bool(self._unseen) and panel.name == self._last_seen)

    def offer_of_lack(self, state: Exploration) -> str:
        if self.picture.lacks_difference(state):
            return f"Show {shown_name(state, 'pinned')}"
        return super().offer_of_lack(state)

    @Slot()
    def take_offer(self) -> None:
        state = self.model.state
        if self.picture.lacks_difference(state):
            self.set_option("show", "pinned")
        else:
            super().take_offer()

    def picture_under(self, name: str) -> tuple[Exploration, OnScreen | None, str]:
        return self.picture.under(self.model.state, self.drawn, name)

    def under(self, name: str, x: float, y: float) -> Mapping[str, int]:
        return self.picture.pointed(self.model.state, name, super().under(name, x, y))

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self._show_shown(state)

    def show_panel(self, plot: RangePlot, panel: Panel) -> None:
        self._show_heading(plot, panel)
        super().show_panel(plot, panel)
