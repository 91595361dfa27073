"""Base classes of widgets that follow a model."""

from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.model import Model
from pe_explorer.widgets.keys import claim_space_key


class ModelFollower(QWidget):
    """A widget that shows the state of a model; subclasses list their connections."""

    _model: Model | None = None

    @property
    def model(self) -> Model:
        assert self._model is not None
        return self._model

    @property
    def is_attached(self) -> bool:
        return self._model is not None

    def attach(self, model: Model) -> None:
        """Follow a model instead of the previous model, and show its state."""
        self.detach()
        self._model = model
        for signal, slot in self.list_connections(model):
            signal.connect(slot)
        self.synchronise()

    def detach(self) -> None:
        if self._model is None:
            return
        for signal, slot in self.list_connections(self._model):
            signal.disconnect(slot)
        self._model = None

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        """Return the signals and slots to connect while a model is attached."""
        raise NotImplementedError

    def synchronise(self) -> None:
        """Show the whole state of the model."""
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        return claim_space_key(event) or super().event(event)


class ModelPanel(ModelFollower):
    """A follower whose controls are disabled while no model is attached."""

    def attach(self, model: Model) -> None:
        super().attach(model)
        self.setEnabled(True)

    def detach(self) -> None:
        if self._model is not None:
            # Disable the controls before detaching, because losing the focus applies typed text.
            self.setEnabled(False)
        super().detach()
