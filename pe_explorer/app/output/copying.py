"""Copying a figure, as a picture or as code: made in the worker, with a notice if it is slow."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from pe_explorer import pictures
from pe_explorer.app.output import figure_files, picture
from pe_explorer.app.output.notice import Notice
from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.exploration import Resolved
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.figure_request import FigureRequest, carried_by
from pe_explorer.files.session import title_of
from pe_explorer.flags import HEIGHT, WIDTH, RenderSettings, render_line
from pe_explorer.model import Exploration, Model
from pe_explorer.model.steps import StepRunner, Steps
from pe_explorer.params import ParameterError
from pe_explorer.views import View

_COPIED = RenderSettings(scale=2.0)
_OWNER = "copy"
_NOTICE_DELAY = 300  # milliseconds


_Copy = tuple[QImage | str, str]
"""Content for the clipboard, and the sentence that reports it."""


class Copying(QObject):
    """Copies one figure or code at a time; a later copy replaces an earlier one."""

    reported = Signal(str)
    """A sentence on what was done."""

    def __init__(self, model: Model, notice: Notice, parent: QObject) -> None:
        super().__init__(parent)
        self.notice = notice
        self._runner = StepRunner(model.worker, _OWNER, self)
        self._late = QTimer(self, singleShot=True, interval=_NOTICE_DELAY)
        for signal, slot in (
            (self._runner.done, self._receive_copy),
            (self._runner.failed, self._receive_error),
            (self._runner.progressed, self.notice.bar.show_share),
            (self._late.timeout, self.notice.show),
            (self.notice.cancel.clicked, self.cancel),
            (QApplication.clipboard().dataChanged, self._stop_for_other_copy),
        ):
            signal.connect(slot)

    @property
    def busy(self) -> bool:
        """Whether something is being made."""
        return self._runner.busy

    def copy_picture(
        self, view: View, state: Resolved, style: Style, extra: Mapping[str, Any]
    ) -> None:
        """Copy a picture of a view, with its session and `extra`, which is unknown."""
        sentence = f"Drawing a picture of {view.picture.title}…"
        self._start(sentence, _picture_steps(view, state, style, extra))

    def copy_code(self, view: View, state: Resolved, choices: FigureChoices) -> None:
        """Copy a script that draws the figure of a view."""
        sentence = f"Computing {view.picture.title} for the figure code…"
        self._start(sentence, _code_steps(view.picture.name, state, choices))

    def _start(self, sentence: str, steps: Steps[_Copy]) -> None:
        """Copy what the steps return, with a notice if it takes long."""
        self.cancel()
        self.notice.sentence.setText(sentence)
        self.notice.bar.begin()
        self._late.start()
        self._runner.run(steps)

    @Slot()
    def cancel(self) -> None:
        """Stop; the clipboard keeps its content."""
        self._runner.cancel()
        self._end()

    def _end(self) -> None:
        self._late.stop()
        self.notice.hide()
        self.notice.bar.end()

    @Slot()
    def _stop_for_other_copy(self) -> None:
        """Stop after another copy, here or in another program, which the user prefers."""
        if self.busy:
            self.cancel()
            self.reported.emit("Nothing was copied: something else has been copied meanwhile.")

    @Slot(object)
    def _receive_copy(self, copy: _Copy) -> None:
        self._end()
        content, sentence = copy
        if isinstance(content, str):
            QApplication.clipboard().setText(content)
        else:
            QApplication.clipboard().setImage(content)
        self.reported.emit(sentence)

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        self._end()
        if not isinstance(error, ParameterError):
            raise error
        self.reported.emit(f"Nothing was copied. {error.sentence}")


def _picture_steps(
    view: View, state: Resolved, style: Style, extra: Mapping[str, Any]
) -> Steps[_Copy]:
    """Draw a picture of a view, as large as it is and twice as sharp; see `picture.drawing`."""
    what, size = view.picture.name, _size_to_draw(view.size())
    image = yield from picture.drawing_figure(what, state, size, _COPIED.scale, style)
    request = FigureRequest(what, FigureSize(*size), style, _COPIED.scale)
    session = carried_by(request, picture.carried(what, state), extra, None)
    for key, text in figure_files.texts_of(title_of(state), session).items():
        image.setText(key, text)
    return image, f"{view.picture.title} copied."


def _code_steps(view: str, state: Resolved, choices: FigureChoices) -> Steps[_Copy]:
    """Write the script of a view's figure, in the worker, as its numbers can be many."""
    # Only here, as pictures are copied sooner without it.
    from pe_explorer.files.figure_code import figure_code

    pictures.check(view, state)
    script: str = yield partial(figure_code, (view,), state, choices.style, choices.size, "")
    return script, "Figure code copied: a script for matplotlib."


def picture_command(view: str, state: Exploration, size: QSize, style: Style) -> str:
    """Return the command that draws the picture that `Copying` copies into a file."""
    return render_line(view, state, _size_to_draw(size), _COPIED, f"{view}.png", style)


def _size_to_draw(size: QSize) -> tuple[int, int]:
    return max(size.width(), WIDTH.low), max(size.height(), HEIGHT.low)
