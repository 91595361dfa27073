"""The curves of a panel, the first in front, and a legend that names them all."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtGui import QPalette

from pe_explorer.pictures.figure import Curve as Description
from pe_explorer.pictures.figure import Panel
from pe_explorer.widgets.curve import Curve
from pe_explorer.widgets.legend import Legend, Named
from pe_explorer.widgets.plot import RangePlot
from pe_explorer.widgets.theme import colours, pin_shade

_LEGEND_STEPS = 64  # places across the plot where the legend looks for curves


class Curves:
    """The curves of a plot: one, and others behind it once they are needed."""

    def __init__(self, plot: RangePlot) -> None:
        self._plot = plot
        self.legend = Legend(plot.box, plot.badge)
        self.lines: list[Curve] = []
        self._shown: Sequence[Description] = ()
        self._add_line(behind=False)

    def _add_line(self, *, behind: bool) -> None:
        line = Curve()
        line.setZValue(-1 if behind else 0)
        self._plot.add(line)
        self.lines.append(line)

    def show(self, panel: Panel, palette: QPalette) -> None:
        """Draw the curves of a panel; one without a number is only named."""
        self._shown = panel.curves
        while len(self.lines) < len(panel.curves):
            self._add_line(behind=True)
        for line in self.lines[len(panel.curves) :]:
            line.hide()
        for line, curve in zip(self.lines, panel.curves, strict=False):
            line.setData(*curve.outline)
            line.set_markers(curve.marker, curve.with_marker(panel.x))
            line.setVisible(curve.visible)
        self.take_colours(palette)
        if panel.legend:
            self._keep_legend_clear(panel)

    def take_colours(self, palette: QPalette) -> None:
        """Take the colours of a palette."""
        shades = [_shade(curve, palette) for curve in self._shown]
        for line, shade in zip(self.lines, shades, strict=False):
            line.setPen(shade)
        pairs = zip(self._shown, shades, strict=True)
        names = [Named(_texts(curve), shade, curve.marker) for curve, shade in pairs if curve.name]
        self.legend.show_names(names if len(names) > 1 else [], palette)

    def _keep_legend_clear(self, panel: Panel) -> None:
        """Keep the legend away from the curves."""
        across = np.linspace(0.0, 1.0, _LEGEND_STEPS + 1)
        heights = []
        for curve in panel.curves:
            if not len(curve.x):
                continue
            x = (curve.x - panel.x.low) / panel.x.length
            y = (panel.y.high - curve.y) / panel.y.length
            heights.append(np.interp(across, x, y))
        self.legend.avoid(across, heights)


def _shade(curve: Description, palette: QPalette) -> str:
    if curve.colour == "accent":
        return colours(palette).accent
    return pin_shade(curve.colour, palette)


def _texts(curve: Description) -> tuple[str, ...]:
    """Return what a curve is called in the legend, longer and shorter."""
    brief = curve.brief or curve.name
    if not curve.lack:
        return curve.name, brief
    return f"{curve.name}: {curve.lack}", f"{curve.name}: none", f"{brief}: none"
