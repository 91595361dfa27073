"""What the pinned versions of Qt must bear; when others are pinned, these say whether they may
be.
"""

import pytest

from tests.support.processes import run_python

EMITS = """
import os
from PySide6.QtCore import QCoreApplication, QObject, Signal

class Sender(QObject):
    told = Signal(object)

class Listener(QObject):
    heard = 0
    def hear(self, value):
        self.heard += 1

app = QCoreApplication([])
sender, listener = Sender(), Listener()
sender.told.connect(listener.hear)
for number in range(20_000):
    sender.told.emit(number)
    app.processEvents()
assert listener.heard == 20_000
"""
PAINT = """
import sys
import pyqtgraph as pg
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

class Broken(pg.GraphicsObject):
    painted = 0
    def boundingRect(self):
        from PySide6.QtCore import QRectF
        return QRectF(0, 0, 1, 1)
    def paint(self, painter, *args):
        Broken.painted += 1
        raise ValueError("broken")

sys.excepthook = lambda *args: None
app = QApplication([])
plot = pg.PlotWidget()
plot.addItem(Broken())
plot.resize(300, 200)
plot.show()
for size in range(20):
    plot.resize(300 + size, 200)
    plot.viewport().repaint()
    app.processEvents()
QTimer.singleShot(50, app.quit)
app.exec()
assert Broken.painted > 5, Broken.painted
"""


@pytest.mark.parametrize("program", [EMITS, PAINT], ids=["20000 emits", "paint raises"])
def test_it_survives(program):
    done = run_python(f"import faulthandler\nfaulthandler.enable()\n{program}")
    assert done.returncode == 0, done.stderr[-2000:]
