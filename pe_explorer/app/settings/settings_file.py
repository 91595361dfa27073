"""The settings of the window, and their file.

They change in memory at once, and in the file soon after, in a thread: that waits for the disk and
for other windows. Nothing about the file stops the program.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.settings import ini_file, keys
from pe_explorer.app.settings.keys import Values
from pe_explorer.app.settings.layout import Layout, PaneLayout
from pe_explorer.app.settings.lesson_progress import LessonProgress
from pe_explorer.app.settings.settings import Settings
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason

if TYPE_CHECKING:
    from pe_explorer.app.settings.figure_choices import FigureChoices


_OWNER = "settings"
_PATIENCE = 2.0  # seconds that another process is waited for


class SettingsFile(QObject):
    """The settings, and the file that they come from and go to."""

    changed = Signal(object)
    """The new settings; other windows may have contributed to them."""
    noticed = Signal(str)
    """A sentence about a problem with the file, once each."""

    def __init__(self, path: Path | str | None, parent: QObject | None = None) -> None:
        """Read `path`; None is for settings that are not written anywhere."""
        super().__init__(parent)
        self._path = None if path is None else Path(path)
        self._settings = Settings()
        self._in_file: Values = {}
        self._values: Values = {}  # with what is not in the file yet
        self._sent: Values = {}  # changes that may be in the file, or not
        self._has_problem = False
        self._notes: list[str] = []
        self._worker = Worker(self)  # not the model's: neither waits for the other
        self._worker.done.connect(self._receive)
        self._worker.failed.connect(self._receive_failure)
        if self._path:
            self._read_first(self._path)

    @property
    def settings(self) -> Settings:
        """What is set now."""
        return self._settings

    @property
    def notes(self) -> tuple[str, ...]:
        """All sentences so far: at the start nobody is connected yet."""
        return tuple(self._notes)

    def change(
        self,
        *,
        theme: str | None = None,
        start_here: str | None = None,
        layout: Layout | None = None,
        pane_layout: PaneLayout | None = None,
    ) -> None:
        """Change what is given; raises `ParameterError` for an unknown theme."""
        edits: dict[str, Any] = {}
        if theme is not None:
            edits[keys.THEME] = theme
        if start_here is not None:
            edits[keys.START_HERE] = start_here
        if layout is not None:
            edits |= keys.layout_edits(layout)
        if pane_layout is not None:
            edits |= keys.pane_layout_edits(self._values, pane_layout)
        self._apply(edits)

    def remember_folder(self, kind: str, folder: Path | str) -> None:
        """Remember the last folder of one of `FOLDER_KINDS`."""
        self._apply(keys.folder_edits(kind, folder))

    def remember_figure(self, choices: FigureChoices) -> None:
        """Remember what was chosen for a figure."""
        self._apply(keys.figure_edits(choices))

    def remember_lesson(self, lesson: str, progress: LessonProgress) -> None:
        """Remember how far somebody has come in a lesson."""
        self._apply(keys.lesson_edits(lesson, progress))

    def note_file(self, path: Path | str) -> None:
        """Remember a session that was opened or saved, and its folder."""
        folder = Path(path).absolute().parent
        recent_edits = keys.recent_edits(self._values, path)
        self._apply({**recent_edits, **keys.folder_edits("session", folder)})

    def forget_recent(self, path: Path | str) -> None:
        """Remove a file from the recent ones."""
        self._apply(keys.forget_edits(self._values, path))

    def clear_recent(self) -> None:
        """Remove all recent files."""
        self._apply(dict.fromkeys(keys.recent_keys(self._values)))

    def refresh(self) -> None:
        """Read what other windows have written; it waits for none of them."""
        if not self._path or self._worker.busy(_OWNER):
            return
        try:
            found = ini_file.read(self._path)
        except (OSError, ini_file.BrokenError):
            return  # reported when something is to be written
        if found:
            self._use(found)

    def close(self) -> None:
        """Write what is not in the file yet; wait for another process no longer than a moment."""
        deadline = time.monotonic() + _PATIENCE
        was_busy = self._worker.busy(_OWNER)
        self._worker.close()
        self._sent = self._unwritten()
        if not self._path or not (was_busy or self._sent):
            return
        patience = max(0.0, deadline - time.monotonic())
        try:
            message = ini_file.write(self._path, self._sent, self._values, patience)
        except OSError as error:
            self._receive_failure(_OWNER, error)
        else:
            self._receive(_OWNER, message)

    # -- in memory -----------------------------------------------------------------------------

    def _apply(self, edits: Values) -> None:
        """Change values here, and soon in the file."""
        values = keys.edited(self._values, edits)
        settings, errors = keys.parse(values)
        for error in errors.values():
            raise error
        self._values = values
        self._set(settings)
        self._write()

    def _set(self, settings: Settings) -> None:
        if settings != self._settings:
            self._settings = settings
            self.changed.emit(settings)

    def _report(self, sentence: str) -> None:
        if sentence and sentence not in self._notes:
            self._notes.append(sentence)
            self.noticed.emit(sentence)

    # -- in the file ---------------------------------------------------------------------------

    def _read_first(self, path: Path) -> None:
        try:
            found, message = ini_file.read_or_rename(path)
        except OSError as error:
            self._receive_failure(_OWNER, error)
            return
        self._report(message)
        self._use(found)

    def _use(self, found: Values) -> None:
        """Take what the file holds now, but for what is not written yet."""
        values = keys.edited(found, self._unwritten())
        self._in_file = found
        self._values, message = keys.usable(values)
        self._report(message)
        self._set(keys.parse(self._values)[0])
        try:
            ini_file.require_known(found)
        except OSError as error:
            self._receive_failure(_OWNER, error)

    def _unwritten(self) -> dict[str, Any]:
        """Return what is to be changed in the file; None for what is to be removed."""
        old, new = self._in_file, self._values
        known = {**old, **new}
        changed = {key for key in known if old.get(key) != new.get(key)}
        return {key: new.get(key) for key in changed | self._sent.keys()}

    def _write(self) -> None:
        """Write in the worker; if it is writing already, its end brings us here again."""
        if self._path and not self._worker.busy(_OWNER):
            self._sent = self._unwritten()
            path, edits, every = self._path, self._sent, self._values
            self._worker.request(_OWNER, lambda _: ini_file.write(path, edits, every, _PATIENCE))

    @Slot(str, object)
    def _receive(self, _: str, message: str) -> None:
        self._report(message)
        self._has_problem = False
        self._in_file = keys.edited(self._in_file, self._sent)
        self._sent = {}
        if self._unwritten():
            self._write()

    @Slot(str, object)
    def _receive_failure(self, _: str, error: Exception) -> None:
        """Report why the file cannot be used, once until it can be."""
        if not isinstance(error, OSError):
            raise error
        if not self._has_problem:
            self._has_problem = True
            self._report(
                f"{self._path}: {reason(error)}. Until this is solved, changes to the settings "
                "will be lost when the program ends."
            )
