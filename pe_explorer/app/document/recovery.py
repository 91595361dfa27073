"""Recovery: unsaved explorations of windows that crashed are offered at the next start."""

import threading
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from pe_explorer.app.document.autosave import Autosave, Backup, backup_paths
from pe_explorer.app.document.file_actions import FileActions

_OWNER = "recovery"


class Recovery(QObject):
    """Looks for backups away from the GUI thread, and offers them.

    What reads and offers them is imported only if there are any.
    """

    def __init__(
        self, window: QWidget, files: FileActions, autosave: Autosave, folder: Path
    ) -> None:
        super().__init__(window)
        self._window, self._files, self._autosave = window, files, autosave
        worker = files.workflows.worker
        worker.done.connect(self._receive_backups)
        worker.failed.connect(self._receive_failure)
        worker.request(_OWNER, partial(_find, folder), own_thread=True)

    @Slot(str, object)
    def _receive_backups(self, owner: str, backups: list[Backup]) -> None:
        if owner == _OWNER and backups:
            from pe_explorer.app.document.recovery_dialog import BackupOffer

            BackupOffer(self._window, self._files, self._autosave, backups)

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        if owner == _OWNER:
            raise error


def _find(folder: Path, _: threading.Event) -> list[Backup]:
    """Return the backups in a folder; in the worker."""
    if not backup_paths(folder):
        return []
    from pe_explorer.app.document.backups import find_backups

    return find_backups(folder)
