"""Which exhibit of the gallery is open, and how one goes from it to another."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.document.document import BEGINS_CONFIGURATION, Document
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.document.workflow import Workflow
from pe_explorer.exploration import Exploration, changes
from pe_explorer.gallery import models
from pe_explorer.model import Model
from pe_explorer.model.history import History

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit, Told


_OPENS = "exhibit "
"""How the name of a step begins that opens an exhibit: `Exhibit.step`."""
STEPS = (_OPENS, BEGINS_CONFIGURATION, models.STEP)
"""How the names of the steps begin that open exhibits, or close them for something else."""


class ExhibitWalk(QObject):
    """Opens exhibits, each as one step of undo, and knows which one is open.

    Over a user's document an exhibit is a new, unsaved one. Undo leads back to what was open
    before: the newest step with an exhibit's name says which one that is.
    """

    changed = Signal()
    """Another exhibit is open, or none, or the open one was changed or restored."""
    opened = Signal()
    """Somebody has chosen an exhibit."""

    def __init__(
        self, model: Model, history: History, document: Document, files: FileActions
    ) -> None:
        super().__init__(model)
        self._model, self._history = model, history
        self._document, self._files = document, files
        self._exhibit: Exhibit | None = None
        self._newest = -1
        """The place of the newest step that opened an exhibit or closed it; -1 for none."""
        self.touched = False
        """Whether the open exhibit was changed."""
        self.told: Told | None = None
        """What of the words of the open exhibit holds now."""
        model.changed.connect(self._receive_change)
        document.renamed.connect(self._follow_history)  # another document has no steps

    @property
    def exhibit(self) -> Exhibit | None:
        """The exhibit that is open."""
        return self._exhibit

    @property
    def place(self) -> tuple[int, int]:
        """The number of the open exhibit, from 1, and how many there are; 0 where none is open."""
        ids = _ids()
        exhibit = self._exhibit
        return (ids.index(exhibit.id) + 1 if exhibit and exhibit.id in ids else 0), len(ids)

    # -- what the user does --------------------------------------------------------------------

    def open(self, name: str) -> None:
        """Open an exhibit by its id, asking about unsaved changes of the user's own document."""
        from pe_explorer.gallery.exhibits import find

        self.show(find(name), self.opened.emit)

    @Slot()
    def restore(self) -> None:
        """Set the open exhibit up anew."""
        if self._exhibit is not None:
            self.show(self._exhibit)

    @Slot()
    def close(self) -> None:
        """Leave the exhibit; what is set up stays."""
        self._set(None)

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

    def take(self, exhibit: Exhibit) -> None:
        """Know that an exhibit is what is shown, as in a window that begins with one."""
        self._set(exhibit)

    # -- what happens --------------------------------------------------------------------------

    def _show(
        self,
        exhibit: Exhibit,
        shown: Callable[[], object] | None,
        before: Callable[[], object] | None,
    ) -> Workflow:
        # A changed exhibit is not the user's own before it is saved: undo brings it back.
        own = self._exhibit is None or self._document.saved.path is not None
        if own and not (yield from self._files.saving.settle_changes()):
            return
        self._model.announce()
        if before is not None:
            before()
        self._document.begin_with(exhibit.exploration, exhibit.step)
        self._newest = self._find_newest()
        self._set(exhibit)
        if shown is not None:
            shown()

    def _set(self, exhibit: Exhibit | None) -> None:
        self._exhibit = exhibit
        self.touched = self._is_touched(self._model.state)
        self.told = exhibit.told(self._model.state) if exhibit else None
        self.changed.emit()

    def _is_touched(self, state: Exploration) -> bool:
        return self._exhibit is not None and bool(changes(self._exhibit.exploration, state))

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        self._follow_history()
        told = self._exhibit.told(self._model.state) if self._exhibit else None
        touched = self._is_touched(new)
        if (touched, told) != (self.touched, self.told):
            self.touched, self.told = touched, told
            self.changed.emit()

    @Slot()
    def _follow_history(self) -> None:
        """Find out what is open after a step was done, undone or forgotten."""
        newest = self._find_newest()
        if newest != self._newest:
            self._newest = newest
            self._set(_of_step(self._history.stack.text(newest)) if newest >= 0 else None)

    def _find_newest(self) -> int:
        """Return the place of the newest step that opened an exhibit or closed it, or -1."""
        return self._history.newest(STEPS)


def _ids() -> list[str]:
    from pe_explorer.gallery.exhibits import exhibits

    return list(exhibits())


def _of_step(text: str) -> Exhibit | None:
    """Return the exhibit that a step opened, None where it closed one."""
    if not text.startswith(_OPENS):
        return None  # at once: the files of all exhibits take long to read
    from pe_explorer.gallery.exhibits import exhibits

    return next((each for each in exhibits().values() if each.step == text), None)
