"""Which exhibit of the gallery is open, and how one goes from it to another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.document.document import Document
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.document.workflow import Workflow
from pe_explorer.exploration import changes
from pe_explorer.model import Model

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit, ExhibitTexts


class ExhibitWalk(QObject):
    """Opens exhibits, each as one step of undo, and knows which one is open.

    Over a user's document an exhibit is a new, unsaved one. Which one is open is a field of the
    exploration, so undo leads back to what was open before.
    """

    changed = Signal()
    """Another exhibit is open, or none, or the open one was changed or restored."""
    opened = Signal()
    """The user has chosen an exhibit."""

    def __init__(self, model: Model, document: Document, files: FileActions) -> None:
        super().__init__(model)
        self._model, self._document, self._files = model, document, files
        self.exhibit: Exhibit | None = None
        """The exhibit that is open."""
        self.touched = False
        """Whether the open exhibit was changed."""
        self.texts: ExhibitTexts | None = None
        """What of the words of the open exhibit holds now."""
        model.changed.connect(self.follow)

    @property
    def place(self) -> tuple[int, int]:
        """The number of the open exhibit, from 1, and how many there are; 0 where none is open."""
        ids = _ids()
        exhibit = self.exhibit
        return (ids.index(exhibit.id) + 1 if exhibit and exhibit.id in ids else 0), len(ids)

    # -- what the user does --------------------------------------------------------------------

    def open(self, name: str) -> None:
        """Open an exhibit by its id, asking about unsaved changes of the user's own document."""
        from pe_explorer.gallery.exhibits import find

        self.show(find(name), self.opened.emit)

    @Slot()
    def restore(self) -> None:
        """Set the open exhibit up anew."""
        if self.exhibit is not None:
            self.show(self.exhibit)

    @Slot()
    def close(self) -> None:
        """Leave the exhibit; the exploration stays."""
        self._model.set(opened=None)
        self._model.announce()

    @Slot()
    def go_on(self) -> None:
        """Open the next exhibit; after the last comes the first."""
        self._go(1)

    @Slot()
    def go_back(self) -> None:
        """Open the exhibit before; before the first comes the last."""
        self._go(-1)

    def _go(self, steps: int) -> None:
        from pe_explorer.gallery.exhibits import find

        ids = _ids()
        number, _ = self.place
        if ids and number:
            self.show(find(ids[(number - 1 + steps) % len(ids)]))
        elif ids:
            self.open(ids[0 if steps > 0 else -1])

    def show(
        self,
        exhibit: Exhibit,
        shown: Callable[[], object] | None = None,
        before: Callable[[], object] | None = None,
    ) -> None:
        """Show an exhibit, unless the user cancels; call functions before it and afterwards."""
        self._files.workflows.start(partial(self._show, exhibit, shown, before))

    # -- what happens --------------------------------------------------------------------------

    def _show(
        self,
        exhibit: Exhibit,
        shown: Callable[[], object] | None,
        before: Callable[[], object] | None,
    ) -> Workflow:
        # A changed exhibit is not the user's own before it is saved: undo brings it back.
        own = self.exhibit is None or self._document.saved.path is not None
        if own and not (yield from self._files.saving.settle_changes()):
            return
        self._model.announce()
        if before is not None:
            before()
        self._document.begin_with(exhibit.exploration, exhibit.step)
        self.changed.emit()  # also where it was open, and nothing of it was changed
        if shown is not None:
            shown()

    @Slot()
    def follow(self) -> None:
        """Update the open exhibit and its texts that hold."""
        state = self._model.state
        exhibit = _exhibit(state.opened)
        touched = exhibit is not None and bool(changes(exhibit.exploration, state))
        texts = exhibit.texts_for(state) if exhibit else None
        if (exhibit, touched, texts) != (self.exhibit, self.touched, self.texts):
            self.exhibit, self.touched, self.texts = exhibit, touched, texts
            self.changed.emit()


def _ids() -> list[str]:
    from pe_explorer.gallery.exhibits import exhibits

    return list(exhibits())


def _exhibit(opened: object) -> Exhibit | None:
    """Return the opened subject if it is an exhibit."""
    if opened is None:
        return None  # at once: what reads exhibits takes long to load
    from pe_explorer.gallery.exhibits import Exhibit

    return opened if isinstance(opened, Exhibit) else None
