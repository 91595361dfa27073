"""Copying the script of a figure, computed in the worker where that takes long."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication

from pe_explorer.app.settings.figure_choices import FigureChoices
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.model.chain import Chain, Steps
from pe_explorer.params import ParameterError

__all__ = ["FigureCoding"]

_OWNER = "figure code"


class FigureCoding(QObject):
    """Copies one script at a time; a second one takes the place of the first."""

    reported = Signal(str)
    """What was done, in a sentence."""

    def __init__(self, model: Model, parent: QObject) -> None:
        super().__init__(parent)
        self._chain = Chain(model.worker, _OWNER, self)
        self._chain.done.connect(self._receive)
        self._chain.failed.connect(self._receive_error)

    @property
    def busy(self) -> bool:
        """Whether a script is being made."""
        return self._chain.busy

    def start(self, view: str, state: Exploration, choices: FigureChoices) -> None:
        """Copy the script of a view's figure."""
        self._chain.start(_steps(view, state, choices))

    @Slot()
    def cancel(self) -> None:
        """Stop; the clipboard stays as it is."""
        self._chain.cancel()

    @Slot(object)
    def _receive(self, script: str) -> None:
        QApplication.clipboard().setText(script)
        self.reported.emit("Figure code copied: a script for matplotlib.")

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        if not isinstance(error, ParameterError):
            raise error
        self.reported.emit(f"Nothing was copied. {error.sentence}")


def _steps(view: str, state: Exploration, choices: FigureChoices) -> Steps[str]:
    """Return the script of a view's figure; see `figure_script.writing`."""
    # Only here, as the window opens sooner without it.
    from pe_explorer.app.output import figure_script

    script = yield from figure_script.writing(view, state, choices.style, choices.size)
    return script
