"""The dialog in which a file is chosen; none of its answers waits in an event loop of its own.

Qt's own `accept` does: "there is no such file" and "replace it?" wait within it, and whoever closes
the dialog meanwhile, as an opened session closes the fields, deletes it under its own feet.
"""

from pathlib import Path
from typing import cast

from PySide6 import QtWidgets
from PySide6.QtCore import QFileInfo, Qt, Slot
from PySide6.QtWidgets import QDialog, QLineEdit, QMenu, QMessageBox, QWidget

from pe_explorer.widgets.messages import Button, ask_to_replace, show_message


class QFileDialog(QtWidgets.QFileDialog):  # Qt opens the system's own for no other name of a class
    """Chooses a file to open or, once one is proposed, to write; it is deleted when it closes."""

    def __init__(self, parent: QWidget, title: str, kinds: str, folder: str = "") -> None:
        super().__init__(parent, title, folder, kinds)
        self.setSupportedSchemes(["file"])
        self.setFileMode(self.FileMode.ExistingFile)
        self.finished.connect(self._delete, Qt.ConnectionType.QueuedConnection)

    def propose(self, name: str, ending: str) -> None:
        """Choose a file to write, at first this one; a name without an ending gets `ending`."""
        self.setFileMode(self.FileMode.AnyFile)
        self.setAcceptMode(self.AcceptMode.AcceptSave)
        self.setDefaultSuffix(ending.removeprefix("."))
        self.selectFile(name)

    def accept(self) -> None:
        """Take the file that is named; enter a folder; say what is missing; ask to replace."""
        if self._line is None or self.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen):
            super().accept()  # the system's own dialog is open instead: it has asked already
        elif folder := self._typed_folder(self._line.text()):
            self._enter(folder, self._line)
        elif files := self.selectedFiles():
            self._take(QFileInfo(files[0]), self._line)

    @property
    def _line(self) -> QLineEdit | None:
        """The line with the name; the system's own dialog has none."""
        return cast("QLineEdit | None", self.findChild(QLineEdit, "fileNameEdit"))

    def _typed_folder(self, text: str) -> str:
        """Return the folder that is typed, perhaps as `..`; Qt would add an ending to its name."""
        typed = QFileInfo(self.directory(), text)
        return typed.absoluteFilePath() if text and typed.isDir() else ""

    def _take(self, file: QFileInfo, line: QLineEdit) -> None:
        path = Path(file.absoluteFilePath())
        if file.isDir():
            self._enter(file.absoluteFilePath(), line)
        elif not self._writes and not file.exists():
            sentence = f"There is no file {path.name} in {path.parent}: choose one that is there."
            show_message(self, "No such file", sentence)
        elif self._asks and file.exists():
            ask_to_replace(self, path, self._receive_button)
        else:
            self._finish()

    @property
    def _writes(self) -> bool:
        return self.acceptMode() == self.AcceptMode.AcceptSave

    @property
    def _asks(self) -> bool:
        return self._writes and not self.testOption(self.Option.DontConfirmOverwrite)

    def _enter(self, folder: str, line: QLineEdit) -> None:
        self.setDirectory(folder)
        if self._writes:
            line.selectAll()
        else:
            line.clear()

    @Slot(int)
    def _receive_button(self, button: int) -> None:
        if button == Button.Save and self.isVisible():
            self._finish()

    def _finish(self) -> None:
        """Close with the chosen file; Qt's own `accept` would look, and perhaps ask, again."""
        self.fileSelected.emit(self.selectedFiles()[0])
        QDialog.accept(self)

    @Slot()
    def _delete(self) -> None:
        """Delete the dialog, and first what is open over it.

        Qt's menu of a file, and its question whether to delete one, wait in event loops of their
        own: the dialog is deleted only after they have returned.
        """
        menus, questions = self.findChildren(QMenu), self.findChildren(QMessageBox)
        inner = [*menus, *questions]
        for window in inner:
            window.destroyed.connect(self.deleteLater)
            window.close()
        if not inner:
            self.deleteLater()


FileChooser = QFileDialog
