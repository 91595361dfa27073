"""Copying a picture: at once where that is quick, else with a notice that can cancel it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QObject, QSize, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication

from pe_explorer.app.output import picture
from pe_explorer.app.output.notice import Notice
from pe_explorer.flags import Print, render_line
from pe_explorer.model import Exploration, Model
from pe_explorer.model.chain import Chain, Steps
from pe_explorer.params import ParameterError
from pe_explorer.views import View

__all__ = ["Copying", "picture_command"]

_COPIED = Print(scale=2.0)  # a figure, whatever the theme of the window
_OWNER = "copy"
_PATIENCE = 300  # milliseconds before a notice appears


class Copying(QObject):
    """Copies one picture at a time; a second one takes the place of the first."""

    reported = Signal(str)
    """What was done, in a sentence."""

    def __init__(self, model: Model, notice: Notice, parent: QObject) -> None:
        super().__init__(parent)
        self._model, self.notice = model, notice
        self._title = ""
        self._chain = Chain(model.worker, _OWNER, self)
        self._late = QTimer(self, singleShot=True, interval=_PATIENCE)
        for signal, slot in (
            (self._chain.done, self._receive_picture),
            (self._chain.failed, self._receive_error),
            (self._chain.progressed, self.notice.bar.show_share),
            (self._late.timeout, self.notice.show),
            (self.notice.cancel.clicked, self.cancel),
        ):
            signal.connect(slot)

    @property
    def busy(self) -> bool:
        """Whether a picture is being drawn."""
        return self._chain.busy

    def start(self, view: View, extra: Mapping[str, Any]) -> None:
        """Copy a picture of a view as it is now, with its session and `extra`, which is unknown."""
        self.cancel()
        self._title = view.picture.title
        self.notice.sentence.setText(f"Drawing a picture of {view.picture.title}…")
        self.notice.bar.begin()
        self._late.start()
        self._chain.start(_steps(view, view.seen(self._model.state), extra))

    @Slot()
    def cancel(self) -> None:
        """Stop; the clipboard stays as it is."""
        self._chain.cancel()
        self._end()

    def _end(self) -> None:
        self._late.stop()
        self.notice.hide()
        self.notice.bar.end()

    @Slot()
    def _receive_picture(self) -> None:
        self._end()
        self.reported.emit(f"{self._title} copied.")

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        self._end()
        if not isinstance(error, ParameterError):
            raise error
        self.reported.emit(f"Nothing was copied. {error.sentence}")


def _steps(view: View, state: Exploration, extra: Mapping[str, Any]) -> Steps[None]:
    """Copy a picture of a view, as large as it is and twice as sharp; see `picture.drawing`."""
    width, height = _size_to_draw(view.size())
    scale, theme = _COPIED.scale, _COPIED.theme
    what = view.picture.name
    image = yield from picture.drawing(what, state, width, height, scale, theme)
    picture.add_session(image, picture.carried(what, state), extra)
    QApplication.clipboard().setImage(image)


def picture_command(view: str, state: Exploration, size: QSize) -> str:
    """Return the command that draws the picture that `Copying` copies into a file."""
    return render_line(view, state, _size_to_draw(size), _COPIED, f"{view}.png")


def _size_to_draw(size: QSize) -> tuple[int, int]:
    """Return a size on the screen, or the smallest that can be drawn."""
    width = max(size.width(), picture.WIDTH.low)
    height = max(size.height(), picture.HEIGHT.low)
    return width, height
