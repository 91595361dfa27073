"""`python -m tests.widgets.closed_over WAY FOLDER`: a field goes while its chooser asks something.

A process of its own: where the dialog is deleted while it waits for the answer, Qt dies.
"""

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QListView,
    QMenu,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from pe_explorer.params import FileName
from pe_explorer.widgets.editors import FileEditor

FILE = FileName("", (".npy",), label="File", help="A table.")


class Closing(QWidget):
    """A form that goes as soon as its chooser has a question or a menu open."""

    def __init__(self, way: str, folder: Path) -> None:
        super().__init__()
        self.way, self.folder = way, folder
        self.panel = QWidget(self)
        QVBoxLayout(self).addWidget(self.panel)
        self.editor = FileEditor("file", FILE, self.panel)
        self.seen: list[type] = []
        self.timer = QTimer(self, interval=10)
        self.timer.timeout.connect(self.take_away)

    def begin(self) -> None:
        """Choose a file, and do what asks."""
        self.editor.field.display(str(self.folder / "there.npy"))
        self.editor.choose()
        (self.chooser,) = self.findChildren(QFileDialog)
        self.timer.start()
        if self.way == "missing":
            self.chooser.selectFile(str(self.folder / "missing.npy"))
            self.chooser.accept()
            return
        files = self.chooser.findChild(QListView, "listView")
        while not files.selectedIndexes():
            QTest.qWait(10)
        place = files.visualRect(files.selectedIndexes()[0]).center()
        reason, where = QContextMenuEvent.Reason.Mouse, files.viewport().mapToGlobal(place)
        QApplication.sendEvent(files.viewport(), QContextMenuEvent(reason, place, where))

    def take_away(self) -> None:
        """Delete the form once something is open over the chooser; end when that is gone, too."""
        if self.seen and not isValid(self.chooser):
            QApplication.exit()
        elif not self.seen and (opened := self.opened()):
            self.seen.append(type(opened))
            self.panel.deleteLater()

    def opened(self) -> QWidget | None:
        """Return what is open over the chooser."""
        found = [*self.chooser.findChildren(QMenu), *self.chooser.findChildren(QMessageBox)]
        return next((widget for widget in found if widget.isVisible()), None)


def main() -> None:
    """Open the form, and print what was open when it went."""
    app = QApplication([])
    form = Closing(sys.argv[1], Path(sys.argv[2]))
    form.show()
    QTimer.singleShot(0, form.begin)
    app.exec()
    print(*(kind.__name__ for kind in form.seen))


if __name__ == "__main__":
    main()
