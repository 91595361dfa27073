"""Which model's configuration is shown: the one that the newest such step of undo opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.document.document import BEGINS_CONFIGURATION, Document
from pe_explorer.app.window.exhibit_walk import STEPS
from pe_explorer.gallery.models import STEP, models
from pe_explorer.model import Model
from pe_explorer.model.history import History
from pe_explorer.panels.described_model import DescribedModel

if TYPE_CHECKING:
    from pe_explorer.analysis.configuration import ConfigurationCheck


class ShownModel(QObject):
    """Knows what is said of the model that was opened or chosen last, until that is undone."""

    changed = Signal()
    """Another one is shown, or none."""

    def __init__(self, model: Model, history: History, document: Document) -> None:
        super().__init__(model)
        self._model, self._history = model, history
        self._opened: dict[tuple[int, str], DescribedModel] = {}
        """Configurations, by the place and name of the step that opened them."""
        self.described: DescribedModel | None = None
        model.changed.connect(self._follow)
        document.renamed.connect(self._follow)  # another document has no steps

    @Slot(str, object)
    def take(self, name: str, checks: tuple[ConfigurationCheck, ...]) -> None:
        """Know what the configuration that was opened just now means."""
        place = self._history.newest((BEGINS_CONFIGURATION,))
        opened = DescribedModel(name, checks, self._model.state.intention.encoding)
        self._opened[place, self._history.stack.text(place)] = opened
        self._follow()

    @Slot()
    def _follow(self) -> None:
        """Find out what is shown after a step was done, undone or forgotten."""
        found = self._find()
        if found != self.described:
            self.described = found
            self.changed.emit()

    def _find(self) -> DescribedModel | None:
        place = self._history.newest(STEPS)
        step = self._history.stack.text(place) if place >= 0 else ""
        if step.startswith(STEP):
            chosen = next((each for each in models().values() if each.step == step), None)
            if chosen is None:
                return None
            return DescribedModel(chosen.title, chosen.checks, chosen.encoding)
        return self._opened.get((place, step))
