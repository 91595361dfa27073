"""Backups of windows that crashed, offered in a dialog: opened again, discarded, or left."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot
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

from pe_explorer.app.document.autosave import Autosave, Backup
from pe_explorer.app.document.backups import delete_backup, take_backup
from pe_explorer.app.document.document import UNNAMED
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.document.workflow import Question, Work, Workflow
from pe_explorer.exploration import short_name
from pe_explorer.files.session import SessionError
from pe_explorer.widgets.messages import Button, show_message

_DISCARD = {Button.Discard: "&Discard", Button.Cancel: "Cancel"}
_BACKUP = Qt.ItemDataRole.UserRole


class BackupOffer(QObject):
    """Offers backups to open or to delete."""

    def __init__(
        self, window: QWidget, files: FileActions, autosave: Autosave, backups: Sequence[Backup]
    ) -> None:
        super().__init__(window)
        self._window, self._files, self._autosave = window, files, autosave
        files.workflows.start(partial(self._offer, backups))

    def _offer(self, backups: Sequence[Backup]) -> Workflow:
        """Open the dialog; a workflow, so that it does not cover another question."""
        dialog = RecoveryDialog(self._window, backups)
        dialog.open_requested.connect(self._open)
        dialog.discard_requested.connect(self._discard)
        dialog.open()
        yield from ()

    @Slot(object)
    def _open(self, backup: Backup) -> None:
        self._files.workflows.start(partial(self._opening, backup))

    def _opening(self, backup: Backup) -> Workflow:
        try:
            found, file = yield Work(lambda _: take_backup(backup))
        except SessionError as error:
            show_message(self._window, "This cannot be recovered", f"{error.problem}.")
            return
        if not (yield from self._files.saving.settle_changes()):
            file.unlock()
            return
        self._autosave.adopt(found, file)
        self._files.show_recovered(found)

    @Slot(object, object)
    def _discard(self, dialog: RecoveryDialog, backup: Backup) -> None:
        self._files.workflows.start(partial(self._discarding, dialog, backup), dialog)

    def _discarding(self, dialog: RecoveryDialog, backup: Backup) -> Workflow:
        if not shiboken6.isValid(dialog):
            return
        text = f"{_described(backup)}\n\nThis backup will be deleted permanently."
        answer = yield Question("Discard this backup?", text, _DISCARD, Button.Cancel)
        if answer != Button.Discard:
            return
        dialog.setEnabled(False)  # until it is known what is left
        try:
            yield Work(lambda _: delete_backup(backup))
        except SessionError as error:
            show_message(self._window, "This cannot be discarded", f"{error.problem}.")
        else:
            if shiboken6.isValid(dialog):
                dialog.remove(backup)
        finally:
            if shiboken6.isValid(dialog):
                dialog.setEnabled(True)


class RecoveryDialog(QDialog):
    """Lists the backups, the newest first; "Later" leaves them for the next start."""

    open_requested = Signal(object)
    """The backup to open."""
    discard_requested = Signal(object, object)
    """This dialog, and the backup to discard."""

    def __init__(self, parent: QWidget, backups: Sequence[Backup]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Recover unsaved explorations")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = QLabel(
            "PE Explorer closed before these explorations were saved. Open one to continue.",
            wordWrap=True,
        )
        self.list = QListWidget()
        self.list.setAccessibleName("Unsaved explorations")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for backup in backups:
            item = QListWidgetItem(_described(backup), self.list)
            item.setData(_BACKUP, backup)
            item.setToolTip(backup.problem or backup.source.path or str(backup.path))
        self.list.setCurrentRow(0)
        roles = QDialogButtonBox.ButtonRole
        self._buttons = QDialogButtonBox()
        self.go = self._button(
            "&Open", roles.AcceptRole, "Open it again. It stays unsaved until you save it."
        )
        self.drop = self._button("&Discard…", roles.DestructiveRole, "Delete this backup.")
        self.later = self._button("&Later", roles.RejectRole, "Ask again at the next start.")
        self.go.clicked.connect(self._open)
        self.drop.clicked.connect(self._discard)
        self._buttons.rejected.connect(self.reject)
        self.list.itemDoubleClicked.connect(self._open)
        self.list.currentItemChanged.connect(self._update_buttons)
        layout = QVBoxLayout(self)
        for widget in (text, self.list, self._buttons):
            layout.addWidget(widget)
        self.resize(660, 240)
        self._update_buttons()

    def remove(self, backup: Backup) -> None:
        """Take a backup out of the list, and close with the last one."""
        for row in reversed(range(self.list.count())):
            if self.list.item(row).data(_BACKUP) is backup:
                self.list.takeItem(row)
        if not self.list.count():
            self.accept()

    def _button(self, text: str, role: QDialogButtonBox.ButtonRole, tooltip: str) -> QPushButton:
        button = self._buttons.addButton(text, role)
        button.setToolTip(tooltip)
        return button

    def _chosen(self) -> Backup | None:
        item = self.list.currentItem()
        return item.data(_BACKUP) if item else None

    @Slot()
    def _update_buttons(self) -> None:
        backup = self._chosen()
        can_open = backup is not None and not backup.problem
        self.go.setEnabled(can_open)
        default = self.go if can_open else self.later
        default.setDefault(True)

    @Slot()
    def _open(self) -> None:
        backup = self._chosen()
        if backup and not backup.problem:
            self.accept()
            self.open_requested.emit(backup)

    @Slot()
    def _discard(self) -> None:
        backup = self._chosen()
        if backup:
            self.discard_requested.emit(self, backup)


def _described(backup: Backup) -> str:
    """Return when a backup was written, of which file, and what it shows."""
    when = datetime.fromtimestamp(backup.time).astimezone().strftime("%d %B %Y, %H:%M:%S")
    path = backup.source.path
    name = Path(path).name if path else UNNAMED
    return f"{when} · {name} · {_summary(backup)}"


def _summary(backup: Backup) -> str:
    if backup.session is None:
        return "cannot be read"
    state = backup.session.state
    noun = "position" if state.count == 1 else "positions"
    count = f"{state.count:,} {noun}"
    return f"{short_name(state.encoding)}, {count} from {state.start:,}"
