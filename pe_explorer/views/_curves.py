"""The curves of a panel, the first in front, and a legend that names them all."""

import re
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor, QPalette

from pe_explorer.colours.dashes import Dashes
from pe_explorer.pictures.figure import Curve, Dot, Panel
from pe_explorer.widgets.curve import CurveItem, dashed_pen
from pe_explorer.widgets.legend import Legend, Named
from pe_explorer.widgets.plot import RangePlot
from pe_explorer.widgets.theme import colours, pin_shade

_DOT = 7  # pixels, across
_LEGEND_STEPS = 64  # places across the plot where the legend looks for curves
_NAME_WIDTH, _NAME_HEIGHTS = 0.35, (0.06, 0.15)  # of level lines, in shares of the plot


class Curves:
    """The curves of a plot: one, and others behind it once they are needed."""

    def __init__(self, plot: RangePlot) -> None:
        self._plot = plot
        self.legend = Legend(plot.box, plot.badge)
        self.lines: list[CurveItem] = []
        self._shown: Sequence[Curve] = ()
        self._has_legend = False
        self._areas: Sequence[Curve] = ()
        self._dashes: Sequence[Dashes] = ()
        self._dots: Sequence[Dot] = ()
        self.dots = pg.ScatterPlotItem(size=_DOT, pen=None)
        self.dots.setZValue(1)
        plot.add(self.dots)
        self._add_line(behind=False)

    def _add_line(self, *, behind: bool) -> None:
        line = CurveItem()
        line.setZValue(-1 if behind else 0)
        self._plot.add(line)
        self.lines.append(line)

    def show(self, panel: Panel, palette: QPalette) -> None:
        """Draw the curves of a panel; one without a number is only named."""
        self._shown, self._dots = panel.curves, panel.dots
        self._has_legend, self._areas = bool(panel.legend), panel.areas
        self._dashes = [curve.dashes(panel.y) for curve in panel.curves]
        while len(self.lines) < len(panel.curves):
            self._add_line(behind=True)
        for line in self.lines[len(panel.curves) :]:
            line.hide()
        for line, curve in zip(self.lines, panel.curves, strict=False):
            line.setData(*curve.outline)
            line.setVisible(curve.visible)
        self.take_colours(palette)
        if panel.legend:
            self._keep_legend_clear(panel)

    def take_colours(self, palette: QPalette) -> None:
        """Take the colours of a palette."""
        shades = [_shade(curve.colour, palette) for curve in self._shown]
        looks = list(zip(shades, self._dashes, strict=True))
        for line, (shade, dashes) in zip(self.lines, looks, strict=False):
            pen = dashed_pen(QColor(shade), 1, dashes)
            pen.setCosmetic(True)
            line.setPen(pen)
        places = np.reshape([(dot.x, dot.y) for dot in self._dots], (-1, 2))
        brushes = [_shade(dot.colour, palette) for dot in self._dots]
        self.dots.setData(pos=places, brush=brushes)
        named = zip(self._shown, looks, strict=True)
        names = [Named(_texts(curve), *look) for curve, look in named if curve.name]
        names += [Named(_area_texts(area.name), "", area=area.area) for area in self._areas]
        self.legend.show_names(names if self._has_legend else [], palette)

    def _keep_legend_clear(self, panel: Panel) -> None:
        """Keep the legend away from the curves, and from level lines with their names."""
        across = np.linspace(0.0, 1.0, _LEGEND_STEPS + 1)
        heights = []
        for curve in sorted(panel.curves, key=lambda it: not it.name):
            x = (curve.x - panel.x.low) / panel.x.length
            y = (panel.y.high - curve.y) / panel.y.length
            heights.append(np.interp(across, x, y) if len(x) else np.full(len(across), np.nan))
        for level in panel.levels:
            line = np.full(len(across), (panel.y.high - level.y) / panel.y.length)
            sign = 1 if level.is_high(panel.y) else -1
            lines = [line + sign * part for part in _NAME_HEIGHTS]
            heights += [line, *(np.where(across < _NAME_WIDTH, each, np.nan) for each in lines)]
        self.legend.avoid(across, heights)


def _shade(colour: str, palette: QPalette) -> str:
    return colours(palette).accent if colour == "accent" else pin_shade(colour, palette)


def _area_texts(name: str) -> tuple[str, ...]:
    """Return what shaded or hatched places are called, and the same without where or when."""
    brief, *_ = re.split(", | in ", name)
    return name, brief


def _texts(curve: Curve) -> tuple[str, ...]:
    """Return what a curve is called in the legend, longer and shorter."""
    brief = curve.brief or curve.name
    if not curve.lack:
        return curve.name, brief
    return f"{curve.name}: {curve.lack}", f"{curve.name}: none", f"{brief}: none"
