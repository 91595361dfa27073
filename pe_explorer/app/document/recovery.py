"""Recovery: backups of windows that crashed are offered at the next start, opened or discarded."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.app.document.backups import Backup, delete_backup, find_backups
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.exploration import short_name
from pe_explorer.files.atomic import OutputError
from pe_explorer.model.steps import Steps
from pe_explorer.widgets.messages import Button, ask, show_message

_DISCARD = {Button.Discard: "&Discard", Button.Cancel: "Cancel"}
_BACKUP = Qt.ItemDataRole.UserRole


def offer_backups(window: QWidget, files: FileActions, folder: Path) -> None:
    """Offer the backups in a folder, as soon as no question is open."""
    if backups := find_backups(folder):
        files.begin(partial(_offer, window, files, backups))


def _offer(window: QWidget, files: FileActions, backups: Sequence[Backup]) -> Steps[None]:
    dialog = RecoveryDialog(window, backups)
    dialog.finished.connect(files.go_on_with)
    dialog.open()
    if (yield None) and dialog.backup:
        yield from files.recover(dialog.backup)


class RecoveryDialog(QDialog):
    """Lists the backups, the newest first; "Later" leaves them for the next start."""

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
            item.setToolTip(backup.problem or str(backup.saved.path or backup.path))
        self.list.setCurrentRow(0)
        roles = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox()
        self.go = buttons.addButton("&Open", roles.AcceptRole)
        self.go.setToolTip("Open it again. It stays unsaved until you save it.")
        self.drop = buttons.addButton("&Discard…", roles.DestructiveRole)
        self.drop.setToolTip("Delete this backup.")
        self.later = buttons.addButton("&Later", roles.RejectRole)
        self.later.setToolTip("Ask again at the next start.")
        self.go.clicked.connect(self.accept)
        self.drop.clicked.connect(self._ask_to_discard)
        buttons.rejected.connect(self.reject)
        self.list.itemDoubleClicked.connect(self.go.click)
        self.list.currentItemChanged.connect(self._update_buttons)
        layout = QVBoxLayout(self)
        for widget in (text, self.list, buttons):
            layout.addWidget(widget)
        self.resize(660, 240)
        self._update_buttons()

    @Slot()
    def _update_buttons(self) -> None:
        item = self.list.currentItem()
        self.backup: Backup | None = item.data(_BACKUP) if item else None
        """The chosen one."""
        self.go.setEnabled(self.backup is not None and not self.backup.problem)
        (self.go if self.go.isEnabled() else self.later).setDefault(True)

    @Slot()
    def _ask_to_discard(self) -> None:
        self._item = self.list.currentItem()
        text = f"{self._item.text()}\n\nThis backup will be deleted permanently."
        title = "Discard this backup?"
        ask(self, title, text, _DISCARD, Button.Cancel, self._receive_button)

    @Slot(int)
    def _receive_button(self, button: int) -> None:
        if button != Button.Discard:
            return
        try:
            delete_backup(self._item.data(_BACKUP))
        except OutputError as error:
            show_message(self, "This cannot be discarded", f"{error.problem}.")
            return
        self.list.takeItem(self.list.row(self._item))
        if not self.list.count():
            self.accept()


def _described(backup: Backup) -> str:
    """Return when a backup was written, of which file, and what it shows."""
    when = datetime.fromtimestamp(backup.time).astimezone().strftime("%d %B %Y, %H:%M:%S")
    name = backup.saved.shown_name
    if backup.session is None:
        return f"{when} · {name} · cannot be read"
    state = backup.session.state
    count = f"{state.count:,} position{'s' if state.count != 1 else ''}"
    return f"{when} · {name} · {short_name(state.encoding)}, {count} from {state.start:,}"
