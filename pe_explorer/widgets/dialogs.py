"""Messages, questions and file dialogs without nested event loops."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from PySide6 import QtWidgets
from PySide6.QtCore import QFileInfo, Qt, Slot
from PySide6.QtGui import QAction, QIcon, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QFileSystemModel,
    QInputDialog,
    QLineEdit,
    QMenu,
    QMessageBox,
    QToolButton,
    QWidget,
)

from pe_explorer.params import reason

Button = QMessageBox.StandardButton


def show_message(parent: QWidget, title: str, text: str) -> None:
    """Show a message until the user closes it."""
    _open(QMessageBox(QMessageBox.Icon.Warning, title, text, Button.Close, parent))


def ask_question(
    parent: QWidget,
    title: str,
    text: str,
    buttons: dict[Button, str],
    default: Button,
    receive_answer: Callable[[int], None],
) -> None:
    """Ask a question with labelled buttons; call `receive_answer` with the pressed button."""
    box = QMessageBox(QMessageBox.Icon.Question, title, text, Button.NoButton, parent)
    for button, label in buttons.items():
        box.addButton(button).setText(label)
    box.setDefaultButton(default)
    # Queued, because `receive_answer` may delete the box while its click is being handled.
    box.finished.connect(receive_answer, Qt.ConnectionType.QueuedConnection)
    _open(box)


def ask_to_replace(parent: QWidget, file: Path, receive_answer: Callable[[int], None]) -> None:
    """Ask whether to replace an existing file; the answer `Save` means yes."""
    question = f"{file.name} already exists in {file.absolute().parent}. Replace it?"
    buttons = {Button.Save: "&Replace", Button.Cancel: "Cancel"}
    ask_question(parent, "Replace the file?", question, buttons, Button.Cancel, receive_answer)


def remove_icons(box: QDialogButtonBox | QMessageBox) -> None:
    """Remove the icons that some desktops add to the buttons of a dialog."""
    for button in box.buttons():
        button.setIcon(QIcon())


def _open(box: QMessageBox) -> None:
    remove_icons(box)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()


# Qt opens the native dialog only for a class with this name.
class QFileDialog(QtWidgets.QFileDialog):
    """A dialog to choose a file to open, or a file to write if `propose` has been called.

    The dialog is deleted when it is closed. Qt's dialog can move, rename and delete files without
    undo; this dialog can only create folders, and only for saving. It avoids the nested event loops
    of Qt's `accept`, because closing the dialog in such a loop would delete an object in use.
    """

    def __init__(self, parent: QWidget, title: str, kinds: str, folder: str = "") -> None:
        super().__init__(parent, title, folder, kinds)
        self.setSupportedSchemes(["file"])
        self.setFileMode(self.FileMode.ExistingFile)
        self.setOption(self.Option.ReadOnly)
        self.finished.connect(self._delete, Qt.ConnectionType.QueuedConnection)

    def propose(self, name: str, ending: str) -> None:
        """Set the save mode, and suggest the file `name` and the default suffix `ending`."""
        self.setFileMode(self.FileMode.AnyFile)
        self.setAcceptMode(self.AcceptMode.AcceptSave)
        # In the native dialog, the user may create folders.
        self.setOption(self.Option.ReadOnly, False)
        self.setDefaultSuffix(ending.removeprefix("."))
        self.selectFile(name)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._line is None:
            return  # Qt creates no widgets for a native dialog
        # Prevent Qt from changing files; its action for new folders could also rename folders.
        self.setOption(self.Option.ReadOnly)
        for view in self.findChildren(QAbstractItemView):
            view.setDragDropMode(view.DragDropMode.NoDragDrop)  # `ReadOnly` does not disable drags
            view.setEditTriggers(view.EditTrigger.NoEditTriggers)
        button = cast("QToolButton", self.findChild(QToolButton, "newFolderButton"))
        action = cast("QAction", self.findChild(QAction, "qt_new_folder_action"))
        for signal in (button.clicked, action.triggered):
            signal.disconnect()
            signal.connect(self._ask_for_folder)
        model = cast("QFileSystemModel", self.findChild(QFileSystemModel))
        model.rootPathChanged.connect(self._allow_new_folder, Qt.ConnectionType.QueuedConnection)
        self._allow_new_folder()

    @Slot()
    def _allow_new_folder(self) -> None:
        """Enable the button for new folders if saving, because Qt disables it in every folder."""
        button = cast("QToolButton", self.findChild(QToolButton, "newFolderButton"))
        button.setEnabled(self._is_saving)

    @Slot()
    def _ask_for_folder(self) -> None:
        question = QInputDialog(self)
        question.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        question.setWindowTitle("New folder")
        question.setLabelText("Name of the new folder:")
        question.setOkButtonText("Create")
        question.textValueSelected.connect(self._make_folder)
        question.open()

    @Slot(str)
    def _make_folder(self, name: str) -> None:
        path = Path(self.directory().absolutePath()) / name
        problem = ""
        if path.name != name or not name.strip() or "\\" in name:
            problem = "Type a name that is not empty, '.' or '..', and contains no / or \\."
        else:
            try:
                path.mkdir()
            except FileExistsError:
                problem = f"{name} already exists in {path.parent}. Choose another name."
            except (OSError, ValueError) as error:
                problem = f"Cannot create {name} in {path.parent}: {reason(error)}."
        if problem:
            show_message(self, "The folder was not created", problem)
        elif line := self._line:
            self._enter_path(str(path), line)

    def accept(self) -> None:
        """Accept the file, enter a folder, report a missing file, or ask to replace a file."""
        line, files = self._line, self.selectedFiles()
        if line is None or self.testAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen):
            super().accept()  # the native dialog has already asked whether to replace
            return
        folder = QFileInfo(self.directory(), line.text())
        if line.text() and folder.isDir():  # Qt would append a suffix to a folder such as `..`
            self._enter_path(folder.absoluteFilePath(), line)
        elif files:
            self._accept_file(QFileInfo(files[0]), line)

    @property
    def _line(self) -> QLineEdit | None:
        return cast("QLineEdit | None", self.findChild(QLineEdit, "fileNameEdit"))

    def _accept_file(self, file: QFileInfo, line: QLineEdit) -> None:
        path = Path(file.absoluteFilePath())
        should_ask = self._is_saving and not self.testOption(self.Option.DontConfirmOverwrite)
        if file.isDir():
            self._enter_path(file.absoluteFilePath(), line)
        elif not self._is_saving and not file.exists():
            sentence = f"{path.name} does not exist in {path.parent}. Choose another file."
            show_message(self, "The file does not exist", sentence)
        elif should_ask and file.exists():
            ask_to_replace(self, path, self._receive_button)
        else:
            self._finish()

    @property
    def _is_saving(self) -> bool:
        return self.acceptMode() == self.AcceptMode.AcceptSave

    def _enter_path(self, folder: str, line: QLineEdit) -> None:
        self.setDirectory(folder)
        if self._is_saving:
            line.selectAll()
        else:
            line.clear()

    @Slot(int)
    def _receive_button(self, button: int) -> None:
        if button == Button.Save and self.isVisible():
            self._finish()

    def _finish(self) -> None:
        """Close with the chosen file; Qt's `accept` would check the file and ask again."""
        self.fileSelected.emit(self.selectedFiles()[0])
        QDialog.accept(self)

    @Slot()
    def _delete(self) -> None:
        """Delete the dialog after its context menu, which runs an event loop, has closed."""
        menus = self.findChildren(QMenu)
        for menu in menus:
            menu.destroyed.connect(self.deleteLater)
            menu.close()
        if not menus:
            self.deleteLater()


FileChooser = QFileDialog
