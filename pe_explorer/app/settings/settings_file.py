"""The settings of the window, and their file, which `QSettings` locks, merges and replaces."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QSettings, Signal

from pe_explorer.app.settings.settings import MOST_RECENT, Settings, parse, spell
from pe_explorer.reading import UnreadableError, file_size

_MOST_BYTES = 1 << 21
_MOST_ERRORS = 5  # in one sentence
_PROBLEMS = {
    QSettings.Status.AccessError: "cannot be read or written; check its permissions and the space "
    "on the disk. Until then, changes to the settings will be lost when the program ends.",
    QSettings.Status.FormatError: "is damaged. Settings that could not be read have defaults.",
}


class SettingsFile(QObject):
    """The settings, and the file that they come from and go to."""

    noticed = Signal(str)
    """A sentence about a problem with the file, once each."""

    def __init__(self, path: Path | str | None, parent: QObject | None = None) -> None:
        """Read `path`; None is for settings that are not written anywhere."""
        super().__init__(parent)
        self.settings = Settings()
        """What is set now."""
        self.notes: tuple[str, ...] = ()
        """All sentences so far: at the start nobody is connected yet."""
        self._texts: dict[str, Any] = {}
        self._file: QSettings | None = None
        if path is None:
            return
        try:
            is_endless = file_size(path) > _MOST_BYTES
        except OSError as error:  # there is no file yet, or a folder or a pipe
            is_endless = isinstance(error, UnreadableError)
        if is_endless:  # Qt would read on and on
            self._report(f"{path} {_PROBLEMS[QSettings.Status.AccessError]}")
            return
        self._file = QSettings(str(path), QSettings.Format.IniFormat, self)
        self.refresh()

    def change(self, **fields: Any) -> None:
        """Change fields of `Settings`, and of a mapping only what is named; None removes that."""
        self.refresh()
        texts: dict[str, str | None] = {"schema": "1"}  # without it, earlier versions begin anew
        for field, value in fields.items():
            if isinstance(value, Mapping):
                texts |= {f"{field}/{name}": spell(each) for name, each in value.items()}
            else:
                texts[field] = spell(value)
        changed = {**self._texts, **texts}
        self._texts = {key: text for key, text in changed.items() if text is not None}
        if self._file is not None:
            if not self._file.allKeys():  # it is new, or somebody has removed it
                texts = self._texts
            for key, text in texts.items():
                if text is None:
                    self._file.remove(key)
                else:
                    self._file.setValue(key, text)
        self.refresh()

    def remember_folder(self, kind: str, folder: Path | str) -> None:
        """Remember the last folder of a kind of file: ``session``, ``picture`` or ``data``."""
        self.change(folders={kind: str(Path(folder).absolute())})

    def note_file(self, path: Path | str) -> None:
        """Remember a session that was opened or saved, and its folder."""
        file, known = Path(path).absolute(), self._recent()
        others = [key for key, text in known.items() if text != spell(str(file))]
        removed = dict.fromkeys(known.keys() - others[: MOST_RECENT - 1])
        now = max([time.time_ns(), *(int(key) + 1 for key in known)])  # a clock may be set back
        recent = {**removed, f"{now:019}": str(file)}
        self.change(recent=recent, folders={"session": str(file.parent)})

    def forget_recent(self, path: Path | str) -> None:
        """Remove a file from the recent ones."""
        name = spell(str(Path(path).absolute()))
        self.change(recent={key: None for key, text in self._recent().items() if text == name})

    def clear_recent(self) -> None:
        """Remove all recent files."""
        self.change(recent=dict.fromkeys(self._recent()))

    def _recent(self) -> dict[str, str]:
        """Return the texts of recent files by the times of their use, the newest first."""
        keys = sorted((key for key in self._texts if key.startswith("recent/")), reverse=True)
        return {key.removeprefix("recent/"): self._texts[key] for key in keys}

    def refresh(self) -> None:
        """Write what is not in the file yet, and read what other windows have written."""
        found = self._texts
        if self._file is not None:
            self._file.sync()
            found = {key: self._file.value(key) for key in self._file.allKeys() if key} or found
            if problem := _PROBLEMS.get(self._file.status()):  # known once the keys are read
                self._report(f"{self._file.fileName()} {problem}")
        self.settings, errors = parse(found)
        self._texts = {key: text for key, text in found.items() if key not in errors}
        if errors:
            problems = "; ".join(list(errors.values())[:_MOST_ERRORS])
            self._report(f"Some settings could not be used: {problems}.")
            for key in errors:
                if self._file is not None:
                    self._file.remove(key)

    def close(self) -> None:
        """Write what could not be written before."""
        self.refresh()

    def _report(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes += (sentence,)
            self.noticed.emit(sentence)
