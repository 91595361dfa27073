"""A line for the name of a file."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent

from pe_explorer.params import FileName, ParameterError
from pe_explorer.widgets._line_field import LineField


class FileField(LineField):
    """The name of a file, typed or dropped; where it does not fit, its end is seen."""

    ELIDE = Qt.TextElideMode.ElideLeft
    _shows_folder = True

    def hide_folder(self) -> None:
        """Show the name without its folder from now on, for pictures that are given to others."""
        self._shows_folder = False
        self.restore()

    def format_value(self) -> str:
        name = super().format_value()
        return name if self._shows_folder else FileName.last_part(name)

    def take(self, path: str) -> None:
        """Take a file that was chosen or dropped, or report why it is refused."""
        try:
            value = self._parameter.check(self._parameter.label, path)
        except ParameterError as error:
            self.refused.emit(error.sentence)
            return
        self.settled.emit()
        self.enter(value)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dragEnterEvent(event)
        elif _dropped_file(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dragMoveEvent(event)
        elif _dropped_file(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        if not event.mimeData().hasUrls():
            super().dropEvent(event)
        elif path := _dropped_file(event.mimeData()):
            event.acceptProposedAction()
            self.take(path)


def _dropped_file(data: QMimeData) -> str:
    """Return the one local file that is dragged, otherwise ``""``."""
    files = [url.toLocalFile() for url in data.urls()]
    return files[0] if len(files) == 1 else ""
