"""The dialog of files as Qt makes it, in which a drag or a key moves and deletes files: a fault."""

from PySide6 import QtWidgets
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView


def allow_moves() -> None:
    """Let every dialog of files that is opened from now on change what it shows."""
    from pe_explorer.widgets.file_chooser import FileChooser

    def show(chooser: QtWidgets.QFileDialog, event: QShowEvent) -> None:
        chooser.setOption(QtWidgets.QFileDialog.Option.ReadOnly, False)
        for view in chooser.findChildren(QAbstractItemView):
            view.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
            view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        QtWidgets.QFileDialog.showEvent(chooser, event)

    FileChooser.showEvent = show
