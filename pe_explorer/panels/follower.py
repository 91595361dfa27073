"""What every panel that follows a model shares: attaching and detaching in one call."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.model import Model
from pe_explorer.widgets.keys import presses_button

__all__ = ["Follower"]


class Follower(QWidget):
    """A panel that shows a model's state; a subclass names its connections and synchronises."""

    _model: Model | None = None

    @property
    def model(self) -> Model:
        """The model that the panel is attached to."""
        assert self._model is not None
        return self._model

    def attach(self, model: Model) -> None:
        """Follow a model, and leave the one before."""
        self.detach()
        self._model = model
        for signal, slot in self.connections(model):
            signal.connect(slot)
        self.setEnabled(True)
        self.synchronise()

    def detach(self) -> None:
        """Follow no model."""
        if self._model is None:
            return
        self.setEnabled(
            False
        )  # takes the focus: what was typed counts, while there is a model to take it
        for signal, slot in self.connections(self._model):
            signal.disconnect(slot)
        self._model = None

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the pairs of signal and slot that make up the attachment."""
        raise NotImplementedError

    def synchronise(self) -> None:
        """Show the whole state of the model."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        return presses_button(event) or super().event(event)
