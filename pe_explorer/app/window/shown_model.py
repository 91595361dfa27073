"""The configuration that is shown: the one that was opened or chosen last."""

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.gallery.models import PublishedModel
from pe_explorer.model import Model
from pe_explorer.panels.described_model import DescribedModel


class ShownModel(QObject):
    """Knows the texts on the model that was opened or chosen last, until that is undone."""

    changed = Signal()
    """Another one is shown, or none."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._model = model
        self.described: DescribedModel | None = None
        model.changed.connect(self._follow)

    @Slot()
    def _follow(self) -> None:
        """Follow opening and undo."""
        found = _described(self._model.state.opened)
        if found != self.described:
            self.described = found
            self.changed.emit()


def _described(opened: object) -> DescribedModel | None:
    if isinstance(opened, PublishedModel):
        return DescribedModel(opened.title, opened.checks, opened.encoding)
    return opened if isinstance(opened, DescribedModel) else None
