"""What tests of widgets share."""

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from pe_explorer.widgets.form import FormFields
from pe_explorer.widgets.theme import apply_theme, colours, palette_of
from tests.support.images import pixels


class Heard:
    def __init__(self, form):
        self.edits, self.refusals, self.settled = [], [], 0
        form.edited.connect(self.edit)
        form.refused.connect(self.refusals.append)
        form.settled.connect(self.settle)

    def edit(self, name, value):
        self.edits.append((name, value))

    def settle(self):
        self.settled += 1


@pytest.fixture
def listen():
    """Return a function that notes all that a form announces."""
    return Heard


@pytest.fixture
def shown(qtbot):
    """Return a function that shows a form above a line for other text."""
    apply_theme(QApplication.instance(), "light")
    windows = []

    def show(cls, names=None, width=None):
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        form = FormFields(cls, names)
        form.elsewhere = QLineEdit()
        layout = QVBoxLayout(window)
        layout.addWidget(form)
        layout.addWidget(form.elsewhere)
        if width:
            form.setFixedWidth(width)
        with qtbot.waitExposed(window):
            window.show()
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return form, Heard(form)

    return show


class Canvas(pg.GraphicsLayoutWidget):
    """It counts how often it is painted."""

    painted = 0

    def paintEvent(self, event):  # noqa: N802
        self.painted += 1
        super().paintEvent(event)


class Scene:
    """A plot somewhere in a widget, and what is drawn of it in a picture of some ratio."""

    place = 33, 21  # pixels: no whole number of device pixels at most ratios

    def __init__(self, plot, rows=1, columns=100, size=(560, 370)):
        self.plot, self.rows, self.columns = plot, rows, columns
        self.outer = QWidget()
        self.outer.resize(640, 420)
        self.canvas = Canvas(parent=self.outer)
        self.canvas.setBackground("#ffffff")
        self.canvas.setGeometry(*self.place, *size)
        self.canvas.addItem(plot, 0, 0)
        self.outer.show()
        for _ in range(4):
            QApplication.processEvents()

    def drawn(self, ratio):
        """Return the pixels, and where axes say that columns and rows begin and end in them."""
        width, height = round(self.outer.width() * ratio), round(self.outer.height() * ratio)
        image = QImage(width, height, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        image.fill(0xFFFFFFFF)
        painter = QPainter(image)
        self.outer.render(painter, self.outer.rect().topLeft())
        painter.end()
        return pixels(image), *self.edges(ratio)

    def edges(self, ratio):
        found = []
        for axis, cells in ((self.plot.bottom, self.columns), (self.plot.left, self.rows)):
            low, is_left = axis.mapToScene(0.0, 0.0), axis.orientation == "left"
            first = low.y() + self.place[1] if is_left else low.x() + self.place[0]
            length = axis.size().height() if is_left else axis.size().width()
            found.append((first + length * np.arange(cells + 1) / cells) * ratio)
        return found

    def ink(self, ratio, first, last):
        """Return how much of each pixel is covered by the accent colour, in some columns of the
        plot within its frame, and where these begin, and the upper and lower edge.
        """
        found, across, (top, bottom) = self.drawn(ratio)
        accent = int(colours(palette_of("light")).accent[1:3], 16)
        left, right = int(across[first]), int(across[last])
        part = found[int(top) + 8 : int(bottom) - 8, left:right, 2]
        return (255 - part) / (255 - accent), across - left, (top, bottom)


@pytest.fixture
def scene(qapp):
    """Return a function that shows a plot."""
    shown = []

    def scene(*given, **size):
        shown.append(Scene(*given, **size))
        return shown[-1]

    yield scene
    for one in shown:
        one.outer.close()
    shown.clear()
