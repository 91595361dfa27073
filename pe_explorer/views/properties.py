"""The properties on the screen: the table of evidence above the likeness of all positions."""

from typing import ClassVar

import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Slot
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QWidget

from pe_explorer.exploration import Exploration
from pe_explorer.pictures.figure import Panel
from pe_explorer.pictures.properties import MOST_NAMED, Properties, row_count
from pe_explorer.views._curves import Curves
from pe_explorer.views._distance_choices import DistanceChoices
from pe_explorer.views._evidence import EvidenceView
from pe_explorer.widgets.axes import RangeAxis, ValueAxis
from pe_explorer.widgets.painting import thin_pen
from pe_explorer.widgets.plot import (
    FIRST_LABEL,
    LABEL_STEP,
    ImagePlot,
    PlotLine,
    RangePlot,
    dress_label,
)
from pe_explorer.widgets.theme import colours

_MIDDLE = 0.5  # labels left of this share of the plot's width stand to the right of their lines
_CLICK_RADIUS = 4  # pixels within which a click hits a line


class LikenessPlot(ImagePlot):
    """Curves, with the first of them also in colours below."""

    def __init__(self, marks: int) -> None:
        """`marks` is the most that will be shown."""
        super().__init__(ValueAxis("left"), RangeAxis("bottom", "position"))
        self.curve_set = Curves(self)
        self.marks = [PlotLine(angle=90) for _ in range(marks)]
        self.labels = [pg.TextItem() for _ in range(marks)]
        for item in (*self.marks, *self.labels):
            item.hide()
            self.add(item)
        self.box.sigResized.connect(self._place_labels)

    def show_curves(self, panel: Panel, palette: QPalette) -> None:
        """Show the curves of a panel, and its marks."""
        self.curve_set.show(panel, palette)
        self._show_marks(panel)

    def mark_at(self, x: float, y: float) -> float | None:
        """Return where the line is that is at a point, or whose label is; None for no line."""
        point = self.box.mapViewToScene(QPointF(x, y))
        for line, label in zip(self.marks, self.labels, strict=True):
            if not line.isVisible():
                continue
            place = self.box.mapViewToScene(QPointF(line.value(), y))
            is_near = abs(place.x() - point.x()) <= _CLICK_RADIUS
            is_on_label = label.isVisible() and label.sceneBoundingRect().contains(point)
            if is_near or is_on_label:
                return float(line.value())
        return None

    def _show_marks(self, panel: Panel) -> None:
        """Show the marks of a panel, each with its label on the side where there is more room."""
        for number, (line, label) in enumerate(zip(self.marks, self.labels, strict=True)):
            is_shown = number < len(panel.marks)
            line.setVisible(is_shown)
            if is_shown:
                mark = panel.marks[number]
                line.setPos(mark.x)
                label.setText(mark.label)
                label.setAnchor((0 if panel.x.part(mark.x) < _MIDDLE else 1, 0.5))
        self._place_labels(self.box)

    @Slot(object)
    def _place_labels(self, box: pg.ViewBox) -> None:
        """Put the labels of marks below each other, and hide those that the plot is too low for."""
        for number, (line, label) in enumerate(zip(self.marks, self.labels, strict=True)):
            down = FIRST_LABEL + number * LABEL_STEP
            label.setVisible(line.isVisible() and down + FIRST_LABEL <= box.height())
            label.setPos(line.value(), box.mapToView(QPointF(0, down)).y())

    def dress(self, palette: QPalette, ratio: float) -> None:
        super().dress(palette, ratio)
        self.curve_set.take_colours(palette)
        shades = colours(palette)
        for line, label in zip(self.marks, self.labels, strict=True):
            line.setPen(thin_pen(shades.reference, ratio, style=Qt.PenStyle.DashLine))
            dress_label(label, palette)
        self.left.setLabel(self.left.labelText, color=shades.muted)


_AXIS_WIDTH = 58  # pixels for the numbers of the curves


class PropertiesView(EvidenceView):
    """The evidence for what encodings are wished to have, and who looks like whom."""

    picture = Properties
    prefers_table: ClassVar[bool] = True

    def __init__(self, parent: QWidget | None = None) -> None:
        self.plot = LikenessPlot(MOST_NAMED)
        self.plot.left.setWidth(_AXIS_WIDTH)
        super().__init__({"likeness": self.plot}, parent)
        self.choices = DistanceChoices(self)
        self.header.add_option("part", self.set_option)

    def table_shape(self) -> tuple[int, int]:
        return row_count(self.options), 1 + len(self.model.state.pins)

    def show_panel(self, plot: RangePlot, panel: Panel) -> None:
        super().show_panel(plot, panel)
        self.plot.show_curves(panel, self.palette())

    def show_choices(self, state: Exploration) -> None:
        super().show_choices(state)
        self.choices.show(state, measures_from_reference=True)

    @Slot(float, float)
    def _pick(self, x: float, y: float) -> None:
        """Show a look-alike whose line is clicked beside the cursor; else move the cursor."""
        mark = self.plot.mark_at(x, y)
        if mark is None:
            super()._pick(x, y)
        else:
            self.model.set(reference=self.model.state.start + round(mark))
