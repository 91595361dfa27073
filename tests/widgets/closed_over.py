"""`python -m tests.widgets.closed_over WAY FOLDER`: a field goes while its chooser asks something.

A process of its own: where the dialog is deleted while it waits for the answer, Qt dies.
"""

import sys
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QListView, QMenu, QMessageBox, QWidget

from pe_explorer.params import FileName
from pe_explorer.widgets.editors import FileEditor

FILE = FileName("", (".npy",), label="File", help="A table.")


def main(way: str, folder: Path) -> None:
    """Open a form, let its chooser ask something, delete it, and print what was open then."""
    app, form, seen = QApplication([]), QWidget(), []
    panel = QWidget(form)
    editor = FileEditor("file", FILE, panel)
    form.show()
    editor.field.display(str(folder / "there.npy"))
    editor.choose()
    (chooser,) = form.findChildren(QFileDialog)

    def take_away() -> None:
        """Delete the form once something is open over the chooser; end when that is gone, too."""
        open_now = [*form.findChildren(QMenu), *form.findChildren(QMessageBox)]
        kinds = [type(widget).__name__ for widget in open_now if widget.isVisible()]
        if not seen and kinds:
            seen.extend(kinds)
            panel.deleteLater()
        elif seen and not form.findChildren(QFileDialog):
            app.exit()

    timer = QTimer(form, interval=10)
    timer.timeout.connect(take_away)
    timer.start()
    if way == "missing":
        chooser.selectFile(str(folder / "missing.npy"))
        QTimer.singleShot(0, chooser.accept)
    else:
        files = chooser.findChild(QListView, "listView")
        while not files.selectedIndexes():
            QTest.qWait(10)
        place = files.visualRect(files.selectedIndexes()[0]).center()
        reason, where = QContextMenuEvent.Reason.Mouse, files.viewport().mapToGlobal(place)
        QApplication.postEvent(files.viewport(), QContextMenuEvent(reason, place, where))
    app.exec()
    print(*seen)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
