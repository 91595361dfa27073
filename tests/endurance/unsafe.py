"""Importing this lets a drag or a key move files in dialogs, as Qt makes them: a fault."""

from PySide6.QtWidgets import QAbstractItemView, QFileDialog

from pe_explorer.widgets.file_chooser import FileChooser


def show(chooser, event):
    chooser.setOption(QFileDialog.Option.ReadOnly, False)
    for view in chooser.findChildren(QAbstractItemView):
        view.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
    QFileDialog.showEvent(chooser, event)


FileChooser.showEvent = show
