"""A plot of curves over a strip of colours, with lines at the positions that are named."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPalette

from pe_explorer.pictures.figure import Mark, Panel
from pe_explorer.views._curves import Curves
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.device import thin_pen
from pe_explorer.widgets.plot import ImagePlot, Line
from pe_explorer.widgets.theme import colours

__all__ = ["LikenessPlot"]

_TOP, _LOWER = 0.95, 0.09  # of the height of the plot: where lines say what they are
_NEAR = 4  # pixels from a line: a click there is on it
_OPACITY = 160  # of 255: what lies behind can be seen


class LikenessPlot(ImagePlot):
    """Curves, with the first of them also in colours below."""

    def __init__(self, marks: int) -> None:
        """`marks` is the most that will be shown."""
        super().__init__(ValueAxis("left"), RangeAxis("bottom", "position"), down=False)
        self.curve_set = Curves(self)
        self.marks = [Line(angle=90) for _ in range(marks)]
        self.labels = []
        for number, line in enumerate(self.marks):
            place = _TOP - number * _LOWER
            self.labels.append(pg.InfLineLabel(line, position=place, anchors=[(0, 0.5), (1, 0.5)]))
            self.add(line)

    def show_curves(self, panel: Panel, palette: QPalette) -> None:
        """Show the curves of a panel, and its marks."""
        self.curve_set.show(panel, palette)
        self._show_marks(panel.marks)

    def mark_at(self, x: float, y: float) -> float | None:
        """Return where the line is that is at a point, or whose label is; None for no line."""
        point = self.box.mapViewToScene(QPointF(x, y))
        for line, label in zip(self.marks, self.labels, strict=True):
            if not line.isVisible():
                continue
            place = self.box.mapViewToScene(QPointF(line.value(), y))
            is_near = abs(place.x() - point.x()) <= _NEAR
            if is_near or label.sceneBoundingRect().contains(point):
                return float(line.value())
        return None

    def _show_marks(self, marks: Sequence[Mark]) -> None:
        for line, label, mark in zip(self.marks, self.labels, marks, strict=False):
            line.setPos(mark.x)
            label.setFormat(mark.label)
        for number, line in enumerate(self.marks):
            line.setVisible(number < len(marks))

    def dress(self, palette: QPalette, ratio: float) -> None:
        super().dress(palette, ratio)
        self.curve_set.take_colours(palette)
        shades = colours(palette)
        ground = QColor(shades.base)
        ground.setAlpha(_OPACITY)
        for line, label in zip(self.marks, self.labels, strict=True):
            line.setPen(thin_pen(shades.reference, ratio, style=Qt.PenStyle.DashLine))
            label.fill = pg.mkBrush(ground)
            label.setColor(shades.text)
        self.left.setLabel(self.left.labelText, color=shades.muted)
