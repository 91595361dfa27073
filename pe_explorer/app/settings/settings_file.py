"""The settings of the window, and their file.

They change in memory at once, and in the file soon after, in a thread: that waits for the disk and
for other windows. Nothing about the file stops the program.
"""

import time
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.settings import ini_file
from pe_explorer.app.settings.settings import MOST_RECENT, Settings, Values, as_texts, parse
from pe_explorer.model.worker import Worker
from pe_explorer.params import ParameterError, quoted, reason

_FOLDER_KINDS = ("session", "picture", "data")
_OWNER = "settings"
_PATIENCE = 2.0  # seconds that another process is waited for
_MOST_ERRORS = 5  # in one sentence


class SettingsFile(QObject):
    """The settings, and the file that they come from and go to."""

    changed = Signal(object)
    """The new settings; other windows may have contributed to them."""
    noticed = Signal(str)
    """A sentence about a problem with the file, once each."""

    def __init__(self, path: Path | str | None, parent: QObject | None = None) -> None:
        """Read `path`; None is for settings that are not written anywhere."""
        super().__init__(parent)
        self.settings = Settings()
        """What is set now."""
        self.notes: tuple[str, ...] = ()
        """All sentences so far: at the start nobody is connected yet."""
        self._path = None if path is None else Path(path)
        self._in_file: Values = {}
        self._values: Values = {}  # with what is not in the file yet
        self._sent: Values = {}  # changes that may be in the file, or not
        self._has_problem = False
        self._worker = Worker(self)  # not the model's: neither waits for the other
        self._worker.done.connect(self._receive)
        self._worker.failed.connect(self._receive_failure)
        if self._path:
            try:
                found, message = ini_file.read_or_rename(self._path)
                self._report(message)
                self._use(found)
                ini_file.require_known(found)
            except OSError as error:
                self._receive_failure(_OWNER, error)

    def change(self, **fields: Any) -> None:
        """Change fields of `Settings`, and of a mapping only what is named; None removes that.

        Raises `ParameterError` for what could not be read again.
        """
        self._change(as_texts(**fields))

    def remember_folder(self, kind: str, folder: Path | str) -> None:
        """Remember the last folder of a kind of file: ``session``, ``picture`` or ``data``."""
        if kind not in _FOLDER_KINDS:
            known = ", ".join(_FOLDER_KINDS)
            raise ParameterError("folders", f"{quoted(kind)} is not one of {known}")
        self.change(folders={kind: folder})

    def note_file(self, path: Path | str) -> None:
        """Remember a session that was opened or saved, and its folder."""
        known = self._recent_keys()
        newest = int(known[0].removeprefix("recent/")) if known else 0
        now = max(time.time_ns(), newest + 1)  # a clock may be set back
        texts = as_texts(
            recent={f"{now:019}": path}, folders={"session": Path(path).absolute().parent}
        )
        others = [key for key in known if self._values[key] not in texts.values()]
        removed = set(known).difference(others[: MOST_RECENT - 1])
        self._change({**dict.fromkeys(removed), **texts})

    def forget_recent(self, path: Path | str) -> None:
        """Remove a file from the recent ones."""
        (text,) = as_texts(recent={"": path}).values()
        self._change({key: None for key in self._recent_keys() if self._values[key] == text})

    def clear_recent(self) -> None:
        """Remove all recent files."""
        self._change(dict.fromkeys(self._recent_keys()))

    def _recent_keys(self) -> list[str]:
        """Return the keys of recent files, the newest first."""
        return sorted((key for key in self._values if key.startswith("recent/")), reverse=True)

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
            self._receive(_OWNER, message)
        except OSError as error:
            self._receive_failure(_OWNER, error)

    # -- in memory -----------------------------------------------------------------------------

    def _change(self, edits: Values) -> None:
        """Change values here, and soon in the file."""
        values = _edited(self._values, edits)
        settings, errors = parse(values)
        for error in errors.values():
            raise error
        self._values = values
        self._set(settings)
        self._write()

    def _use(self, found: Values) -> None:
        """Take what the file holds now, but for what is not written yet."""
        values = _edited(found, self._unwritten())
        settings, errors = parse(values)
        self._in_file = found
        self._values = {key: value for key, value in values.items() if key not in errors}
        if errors:
            problems = "; ".join(map(str, list(errors.values())[:_MOST_ERRORS]))
            self._report(f"Some settings could not be used: {problems}.")
        self._set(settings)

    def _set(self, settings: Settings) -> None:
        if settings != self.settings:
            self.settings = settings
            self.changed.emit(settings)

    def _report(self, sentence: str) -> None:
        if sentence and sentence not in self.notes:
            self.notes += (sentence,)
            self.noticed.emit(sentence)

    # -- in the file ---------------------------------------------------------------------------

    def _unwritten(self) -> dict[str, Any]:
        """Return what is to be changed in the file; None for what is to be removed."""
        old, new = self._in_file, self._values
        changed = {key for key in {**old, **new} if old.get(key) != new.get(key)}
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
        self._in_file = _edited(self._in_file, self._sent)
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


def _edited(values: Values, edits: Values) -> Values:
    """Return values with changes; None removes one."""
    return {key: value for key, value in {**values, **edits}.items() if value is not None}
