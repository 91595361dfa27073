"""The target for dropped files, visible while a file is dragged over the window."""

import threading
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QHideEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from pe_explorer.model.worker import Worker
from pe_explorer.widgets.fonts import make_scaled_font
from pe_explorer.widgets.line_fields import accept_copy, find_dropped_file

_OWNER = "file over the window"
_FRAME_INSET = 8  # pixels between the edge of the target and the frame


class DropTarget(QWidget):
    """A frame over the centre of the window, with a sentence about the effect of a drop."""

    dropped = Signal(str, bool)  # the path, and whether Ctrl was held to compare
    configuration_dragged = Signal()
    """Emitted when a configuration is dragged, so that the window can prepare to show it."""

    def __init__(self, window: QWidget, centre: QWidget, worker: Worker) -> None:
        """Accept files dropped on `window`, cover `centre`, and read files in `worker`."""
        super().__init__(centre)
        self._window, self._centre, self._worker = window, centre, worker
        self.sentence = ""
        worker.done.connect(self._receive_answer)
        worker.failed.connect(self._receive_failure)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        window.setAcceptDrops(True)
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._window:
            return super().eventFilter(watched, event)
        match event:
            case QDragEnterEvent():
                if path := find_dropped_file(event):
                    accept_copy(event)
                    self._show_sentence(f"Drop to open {Path(path).name}")
                    self._worker.request(_OWNER, partial(_describe_drop, path), has_own_thread=True)
                    self.setGeometry(self._centre.rect())
                    self.raise_()
                    self.show()
            case _ if event.type() == QEvent.Type.DragLeave:
                self.hide()
            case QDropEvent() if event.type() == QEvent.Type.Drop:
                self.hide()
                if path := find_dropped_file(event):
                    accept_copy(event)
                    is_control_held = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
                    self.dropped.emit(path, is_control_held)
            case _:
                return super().eventFilter(watched, event)
        return True

    def _show_sentence(self, sentence: str) -> None:
        self.sentence = sentence
        self.setAccessibleName(sentence)
        self.update()

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: tuple[str, bool]) -> None:
        if owner == _OWNER:
            sentence, is_configuration = answer
            self._show_sentence(sentence)
            if is_configuration:
                self.configuration_dragged.emit()

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        if owner == _OWNER:
            raise error

    def hideEvent(self, event: QHideEvent) -> None:
        self._worker.cancel(_OWNER)
        super().hideEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, palette = QPainter(self), self.palette()
        painter.setOpacity(0.85)
        painter.fillRect(self.rect(), palette.window())
        painter.setOpacity(1)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = self.rect().adjusted(_FRAME_INSET, _FRAME_INSET, -_FRAME_INSET, -_FRAME_INSET)
        painter.setPen(QPen(palette.highlight(), 3))
        painter.drawRoundedRect(frame, _FRAME_INSET, _FRAME_INSET)
        painter.setFont(make_scaled_font(1.4))
        painter.setPen(palette.windowText().color())
        width, elide_mode = frame.width() - 4 * _FRAME_INSET, Qt.TextElideMode.ElideMiddle
        text = painter.fontMetrics().elidedText(self.sentence, elide_mode, width)
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()


def _describe_drop(path: str, _: threading.Event) -> tuple[str, bool]:
    """Return a sentence about the effect of a drop, and whether the file is a configuration.

    This function runs in a thread. It reads the whole file to make sure that a drop can
    open it, and to import the required modules early.
    """
    from pe_explorer.files.opening import CONFIGURATION, find_kind, read
    from pe_explorer.files.session import SessionError
    from pe_explorer.tables import TableError

    name = Path(path).name
    try:
        kind = find_kind(read(path))
    except (SessionError, TableError):
        return f"{name} cannot be opened; drop it to see why", False
    is_configuration = kind == CONFIGURATION
    hint = "; hold Ctrl to compare with it" if is_configuration else ""
    return f"Drop to open {name} as {kind}{hint}", is_configuration
