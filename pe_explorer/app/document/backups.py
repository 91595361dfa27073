"""Backups of unsaved work, offered at the next start if the program ended without saving.

Each process writes one file, named after its process number and start time, and holds a
lock next to the file while it runs. A backup without an active lock was left behind.
"""

import logging
import os
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QLockFile, QObject, QSysInfo, Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QVBoxLayout, QWidget

from pe_explorer.exploration import Exploration, make_full_name
from pe_explorer.files import session
from pe_explorer.files.atomic import OutputError, remove_partial_files, replace_file
from pe_explorer.files.session import Session
from pe_explorer.model.worker import Worker
from pe_explorer.params import ParameterError, reason, with_full_stop
from pe_explorer.widgets.dialogs import Button, ask_question, show_message

logger = logging.getLogger(__name__)

DEFAULT_NAME = "Untitled"  # name of a document without a file
_VERSION_PROBLEM = "a later version of PE Explorer wrote this backup. Recover it with that version."
_NO_BACKUP_PROBLEM = "another window has already recovered or discarded this backup"
_SOURCE_KEY = "autosave"  # key of the saved version in a backup, and owner of the worker's tasks


class SavedVersion(NamedTuple):
    """The saved version of a document, with which its current state is compared."""

    state: Exploration | None  # None if nothing was saved, as for a recovered exploration
    path: Path | None = None  # absolute path of the document's file, or of the file it came from
    can_overwrite: bool = False  # whether saving replaces the file without asking for a path
    extra: Mapping[str, Any] = MappingProxyType({})  # unknown fields of the file
    digest: str | None = None  # digest of the file's content when it was last read or written
    name: str = DEFAULT_NAME  # the name of a document without a path

    @property
    def shown_name(self) -> str:
        """The name with replacement characters for bytes that are not UTF-8."""
        name = self.path.name if self.path else self.name
        return os.fsencode(name).decode(errors="replace")


_NO_VERSION = SavedVersion(None)


class Backup(NamedTuple):
    """An exploration that an ended process has left behind."""

    path: Path
    time: float  # time of the last change, in seconds since 1970
    session: Session | None = None
    saved: SavedVersion = _NO_VERSION
    problem: str = ""  # why the session cannot be opened; empty if it can


class Autosave(QObject):
    """Automatic backups of the unsaved exploration after each change, outside the GUI thread."""

    failed = Signal(str)  # reason why the backup cannot be written

    def __init__(self, folder: Path, parent: QObject | None = None, interval: int = 1000) -> None:
        """Prepare a backup file in `folder`, written at most once every `interval` milliseconds."""
        super().__init__(parent)
        self.path = folder / f"exploration-{os.getpid()}-{time.time_ns()}.json"
        """The path of this process's backup, which exists while there are unsaved changes."""
        self._lock = QLockFile(str(self.path.with_suffix(".lock")))
        self._lock.setStaleLockTime(0)  # a lock is never stale while its process runs
        self._latest_version: tuple[Exploration, SavedVersion] | None = None
        self.can_write_backups = True  # whether the last backup could be written; initially true
        self._timer = QTimer(self, singleShot=True, interval=interval)
        self._timer.timeout.connect(self._write)
        # Use a separate worker, because the model's worker may be busy with exports.
        self._worker = Worker(self)
        self._worker.done.connect(self._receive_success)
        self._worker.failed.connect(self._receive_failure)

    def schedule(self, state: Exploration, saved: SavedVersion = _NO_VERSION) -> None:
        self._latest_version = state, saved
        if not self._timer.isActive():
            self._timer.start()

    def adopt_backup(self, backup: Backup) -> None:
        """Take over a backup for this process; raise `OutputError` if the backup is gone."""
        self._worker.finish()
        _acquire(self._lock)
        try:
            backup.path.replace(self.path)
        except FileNotFoundError:
            if not self.path.exists():
                self._lock.unlock()
            raise OutputError(backup.path, _NO_BACKUP_PROBLEM) from None
        except OSError:  # the backup keeps its name and is offered again
            pass
        assert backup.session is not None
        self.schedule(backup.session.state, backup.saved)

    def clear(self) -> None:
        """Cancel the scheduled backup, and delete the file once any running write has finished."""
        self._timer.stop()
        if self._latest_version is not None:
            self._latest_version = None
            self._worker.request(_SOURCE_KEY, partial(_delete, self.path, self._lock))

    def flush(self) -> None:
        """Write the unsaved exploration now, and wait until it is written."""
        self._timer.stop()
        self._write()
        self._worker.finish()

    def close(self, should_keep: bool) -> None:
        """Stop writing backups; keep the file for the next start only if `should_keep` is true."""
        if not should_keep:
            self.clear()
        self.flush()
        self._timer.stop()  # a failed write may have restarted the timer
        self._worker.close()
        if self._latest_version is None:
            _delete(self.path, self._lock)  # an earlier deletion may have failed
        self._lock.unlock()

    @Slot()
    def _write(self) -> None:
        if self._latest_version is not None:
            task = partial(_store, self.path, self._lock, *self._latest_version)
            self._worker.request(_SOURCE_KEY, task)

    @Slot(str, object)
    def _receive_success(self, _: str, has_written: bool) -> None:
        if has_written:
            self.can_write_backups = True

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        """Report the first failure and retry, because the cause may be temporary."""
        if self.can_write_backups:
            self.can_write_backups = False
            problem = with_full_stop(getattr(error, "problem", f"{self.path}: {reason(error)}"))
            sentence = f"The backup of your unsaved changes cannot be written: {problem}"
            self.failed.emit(f"{sentence} Save the session to keep your changes.")
        if self._latest_version is not None:
            self._timer.start()


def find_backups(folder: Path) -> list[Backup]:
    """Return the backups of ended processes, newest first."""
    remove_partial_files(folder / "exploration.json")
    paths = filter(_is_abandoned, folder.glob("exploration-*.json"))
    return sorted(filter(None, map(_read, paths)), key=attrgetter("time"), reverse=True)


def delete_backup(backup: Backup) -> None:
    """Delete a backup permanently; raise `OutputError` if it is gone or cannot be deleted."""
    try:
        backup.path.unlink()
    except OSError as error:
        is_gone = isinstance(error, FileNotFoundError)
        raise OutputError(backup.path, _NO_BACKUP_PROBLEM if is_gone else reason(error)) from None


def split_source(content: Session) -> tuple[Session, SavedVersion | None]:
    """Return a session without its saved version, and the saved version.

    The saved version is None if the session is not a backup.
    """
    if _SOURCE_KEY not in content.extra:
        return content, None
    extra = dict(content.extra)
    source = extra.pop(_SOURCE_KEY)
    values = source.items() if isinstance(source, dict) else ()
    texts = {key: value for key, value in values if isinstance(value, str) and value}
    path = Path(texts["origin"]) if "origin" in texts else None
    content = replace(content, extra=MappingProxyType(extra))
    return content, SavedVersion(None, path, extra=content.extra, digest=texts.get("digest"))


def _acquire(lock: QLockFile) -> None:
    """Acquire a lock if it is free. Ignore a failure, because writing the backup then fails too."""
    file = Path(lock.fileName())
    if not (lock.isLocked() and file.exists()):
        lock.unlock()  # another program may have deleted the lock file
        with suppress(OSError):
            file.parent.mkdir(parents=True, exist_ok=True)
        lock.tryLock(0)


def _store(path: Path, lock: QLockFile, state: Exploration, saved: SavedVersion, _: object) -> bool:
    _acquire(lock)
    origin = {"origin": saved.path and str(saved.path), "digest": saved.digest}
    text = session.dumps(state, {**saved.extra, _SOURCE_KEY: origin})
    with replace_file(path, is_durable=True) as file:
        file.write(text.encode())
    return True


def _delete(path: Path, lock: QLockFile, _: object = None) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
        lock.unlock()  # after the file is gone, so that no process offers it


def _is_abandoned(path: Path) -> bool:
    """Return whether a backup was left behind; remove the lock of an ended process.

    Qt does not remove the lock of a running process, and this function does not remove locks of
    other machines. In a read-only folder, every backup counts as left behind, because it is better
    to offer too many backups than to hide one.
    """
    lock = QLockFile(str(path.with_suffix(".lock")))
    if not Path(lock.fileName()).exists() or not os.access(path.parent, os.W_OK):
        return True
    _, host, _ = lock.getLockInfo()
    return host in ("", QSysInfo.machineHostName()) and lock.removeStaleLockFile()


def _read(path: Path) -> Backup | None:
    """Return a backup, with a `problem` if it is unusable; None if it is gone."""
    modified_time, content, saved, problem = 0.0, None, None, ""
    try:
        modified_time = path.stat().st_mtime
        content, saved = split_source(session.read(path))
        if content.is_newer:
            problem = f"{path}: {_VERSION_PROBLEM}"
    except FileNotFoundError:
        return None
    except ParameterError as error:
        problem = error.problem
    except Exception as error:  # one damaged file must not hide other backups
        logger.exception("%s cannot be read", path)
        problem = f"{path}: cannot be read ({reason(error)})"
    return Backup(path, modified_time, None if problem else content, saved or _NO_VERSION, problem)


_BUTTON_TEXTS = {Button.Discard: "&Discard", Button.Cancel: "Cancel"}
_BACKUP_ROLE = Qt.ItemDataRole.UserRole
_OPEN_HELP = "Open the exploration, and save it to keep it."


class RecoveryDialog(QDialog):
    """A dialog for opening or discarding backups."""

    def __init__(self, parent: QWidget, backups: Sequence[Backup]) -> None:
        super().__init__(parent)
        self.setWindowTitle("Recover unsaved explorations")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = "PE Explorer closed before these explorations were saved. Select one to open."
        self.list = QListWidget()
        self.list.setAccessibleName("Unsaved explorations")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for row, backup in enumerate(backups):
            self.list.addItem(_format_caption(backup))
            item = self.list.item(row)
            item.setData(_BACKUP_ROLE, backup)
            item.setToolTip(backup.problem or str(backup.saved.path or backup.path))
        self.list.setCurrentRow(0)
        button_roles = QDialogButtonBox.ButtonRole
        buttons = QDialogButtonBox()
        self.open_button = buttons.addButton("&Open", button_roles.AcceptRole)
        self.discard_button = buttons.addButton("&Discard…", button_roles.DestructiveRole)
        self.discard_button.setToolTip("Delete the backup permanently.")
        self.later_button = buttons.addButton("&Later", button_roles.RejectRole)
        self.later_button.setToolTip("Keep the backups and ask again at the next start.")
        self.open_button.clicked.connect(self.accept)
        self.discard_button.clicked.connect(self._ask_to_discard)
        buttons.rejected.connect(self.reject)
        self.list.itemDoubleClicked.connect(self.open_button.click)
        self.list.currentItemChanged.connect(self._update_buttons)
        layout = QVBoxLayout(self)
        for widget in (QLabel(text, wordWrap=True), self.list, buttons):
            layout.addWidget(widget)
        self.resize(660, 240)
        self._update_buttons()

    @Slot()
    def _update_buttons(self) -> None:
        item = self.list.currentItem()
        self.backup: Backup | None = item.data(_BACKUP_ROLE) if item else None  # selected backup
        problem = self.backup.problem if self.backup else ""
        can_open = self.backup is not None and not problem
        self.open_button.setEnabled(can_open)
        self.open_button.setToolTip(f"Unavailable: {problem}." if problem else _OPEN_HELP)
        (self.open_button if can_open else self.later_button).setDefault(True)

    @Slot()
    def _ask_to_discard(self) -> None:
        self._item_to_discard = self.list.currentItem()
        text = f"{self._item_to_discard.text()}\n\nThe backup will be deleted permanently."
        ask_question(
            self, "Discard this backup?", text, _BUTTON_TEXTS, Button.Cancel, self._receive_button
        )

    @Slot(int)
    def _receive_button(self, button: int) -> None:
        if button != Button.Discard:
            return
        try:
            delete_backup(self._item_to_discard.data(_BACKUP_ROLE))
            self.list.takeItem(self.list.row(self._item_to_discard))
        except OutputError as error:
            show_message(self, "The backup cannot be discarded", with_full_stop(error.problem))
        if not self.list.count():
            self.accept()


def _format_caption(backup: Backup) -> str:
    time_text = datetime.fromtimestamp(backup.time).astimezone().strftime("%d %B %Y, %H:%M:%S")
    title = f"{time_text} · {backup.saved.shown_name}"
    if backup.session is None:
        return f"{title} · cannot be read"
    state = backup.session.state
    count = f"{state.count:,} position{'s' if state.count != 1 else ''}"
    return f"{title} · {make_full_name(state.encoding)}, {count} from {state.start:,}"
