"""What was left unsaved by a window that did not end as it should: offered at the next start."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject, Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from pe_explorer import views
from pe_explorer.app.document.autosave import Autosave, Orphan, discard, orphans
from pe_explorer.app.document.document import UNNAMED
from pe_explorer.app.document.errands import Errand, Question, Work
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.exploration import Exploration, named
from pe_explorer.files.session import SessionError
from pe_explorer.params import Declared
from pe_explorer.widgets.messages import Button, tell

__all__ = ["Recovery", "RecoveryDialog"]

_DISCARD = {Button.Discard: "&Discard", Button.Cancel: "Cancel"}
_OWNER = "recovery"
_ORPHAN = Qt.ItemDataRole.UserRole


class Recovery(QObject):
    """Looks for what was left unsaved, away from the GUI thread, and offers it."""

    def __init__(
        self, window: QWidget, files: FileActions, autosave: Autosave, folder: Path
    ) -> None:
        super().__init__(window)
        self._window, self._files, self._autosave = window, files, autosave
        worker = files.errands.worker
        worker.done.connect(self._receive)
        worker.failed.connect(self._receive_failure)
        worker.request(_OWNER, partial(_find, folder, views.default_options()), loose=True)

    @Slot(str, object)
    def _receive(self, owner: str, found: list[Orphan]) -> None:
        if owner == _OWNER and found:
            self._files.errands.start(partial(self._offer, found))  # not over another question

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        if owner == _OWNER:
            raise error

    def _offer(self, found: list[Orphan]) -> Errand:
        RecoveryDialog(self._window, self._files, self._autosave, found).open()
        yield from ()


class RecoveryDialog(QDialog):
    """Lists what can be opened again, the newest first; "Later" leaves it for the next start."""

    def __init__(
        self, parent: QWidget, files: FileActions, autosave: Autosave, orphans: Sequence[Orphan]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle("Unsaved explorations")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._files, self._autosave = files, autosave
        text = QLabel(
            "PE Explorer ended before this was saved. Open it to go on from there.", wordWrap=True
        )
        self.list = QListWidget()
        self.list.setAccessibleName("Unsaved explorations")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for orphan in orphans:
            item = QListWidgetItem(_described(orphan))
            item.setData(_ORPHAN, orphan)
            item.setToolTip(orphan.problem or orphan.origin or str(orphan.path))
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.itemDoubleClicked.connect(self._open)
        self.list.currentItemChanged.connect(self._choose)
        self._buttons = QDialogButtonBox()
        self.go = self._button(
            "&Open",
            QDialogButtonBox.ButtonRole.AcceptRole,
            "Show it; it is unsaved until you save it.",
        )
        self.drop = self._button(
            "&Discard…", QDialogButtonBox.ButtonRole.DestructiveRole, "Delete what was kept of it."
        )
        self.later = self._button(
            "&Later", QDialogButtonBox.ButtonRole.RejectRole, "Ask again at the next start."
        )
        self.go.clicked.connect(self._open)
        self.drop.clicked.connect(self._ask)
        self._buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (text, self.list, self._buttons):
            layout.addWidget(widget)
        self.resize(660, 240)
        self._choose()

    def _button(self, text: str, role: QDialogButtonBox.ButtonRole, meaning: str) -> QPushButton:
        button = self._buttons.addButton(text, role)
        button.setToolTip(meaning)
        return button

    @property
    def _orphan(self) -> Orphan | None:
        item = self.list.currentItem()
        return item.data(_ORPHAN) if item else None

    @Slot()
    def _choose(self) -> None:
        self.go.setEnabled(self._orphan is not None and not self._orphan.problem)
        (self.go if self.go.isEnabled() else self.later).setDefault(True)

    @Slot()
    def _open(self) -> None:
        orphan = self._orphan
        if orphan is None or orphan.problem:
            return
        self.accept()
        self._files.recover(orphan, self._autosave)

    @Slot()
    def _ask(self) -> None:
        if self._orphan:
            self._files.errands.start(partial(self._discard, self._orphan), self)

    def _discard(self, orphan: Orphan) -> Errand:
        if not shiboken6.isValid(self):
            return
        text = f"{_described(orphan)}: what was kept of it is deleted, and cannot be had again."
        if (yield Question("Discard it?", text, _DISCARD, Button.Cancel)) != Button.Discard:
            return
        self.setEnabled(False)  # until it is known what is left
        try:
            yield Work(partial(_discarded, orphan))
        except SessionError as error:
            tell(self.parentWidget() or self, "This cannot be discarded", f"{error.problem}.")
        else:
            self._remove(orphan)
        finally:
            if shiboken6.isValid(self):
                self.setEnabled(True)

    def _remove(self, orphan: Orphan) -> None:
        if not shiboken6.isValid(self):
            return
        (row,) = (
            row for row in range(self.list.count()) if self.list.item(row).data(_ORPHAN) is orphan
        )
        self.list.takeItem(row)
        if not self.list.count():
            self.accept()


def _discarded(orphan: Orphan, _: threading.Event) -> None:
    discard(orphan)


def _find(folder: Path, options: Mapping[str, Declared], _: threading.Event) -> list[Orphan]:
    return orphans(folder, options)


def _described(orphan: Orphan) -> str:
    """Return when it was kept, of which file, and what it shows."""
    when = datetime.fromtimestamp(orphan.time).astimezone().strftime("%d %B %Y, %H:%M:%S")
    name = Path(orphan.origin).name if orphan.origin else UNNAMED
    what = _summary(orphan.session.state) if orphan.session else "cannot be read"
    return f"{when} · {name} · {what}"


def _summary(state: Exploration) -> str:
    return f"{named(state.encoding)}, {state.count:,} positions from {state.start:,}"
