"""The file of the settings, which people can read.

Nothing about it stops a start: what can be used is used, key by key, the rest is told. Each
change is applied to what the file holds then, so that two windows lose nothing; this waits
for other windows and the disk, so it is done away from the GUI thread.
"""

from __future__ import annotations

import dataclasses
import itertools
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from pe_explorer.app.document.locks import take
from pe_explorer.app.settings.settings import Settings
from pe_explorer.app.settings.settings_text import (
    SCHEMA,
    BrokenError,
    document_of,
    is_newer,
    parse,
    text_of,
)
from pe_explorer.files.atomic import OutputError, replacing
from pe_explorer.model.worker import Worker
from pe_explorer.params import reason

__all__ = ["SettingsFile"]

_AT_START, _PATIENCE = 0.1, 2.0  # seconds that another process is waited for
_MOST_UNWRITTEN = 50  # files; of more the list would not show the oldest anyway
_OWNER = "settings"

_Edits = dict[tuple[str, str], Callable[[Settings], Settings]]
"""Changes in the order of their making, by what they change: of one thing only the last counts."""


@dataclass
class _Answer:
    """What became of the file.

    Attributes
    ----------
    settings : Settings or None
        What it holds now, with the edits; None if it cannot be read.
    written : bool
        Whether the edits are in it.
    notes : list of str
        Sentences on what does not fit.
    problem : str
        What it refuses, without a full stop.
    """

    settings: Settings | None = None
    written: bool = False
    notes: list[str] = field(default_factory=list)
    problem: str = ""


class SettingsFile(QObject):
    """The settings, and the file that they come from and go to.

    They change in memory at once, and in the file soon after, in a thread.
    """

    changed = Signal(object)
    """The new settings; other windows may have contributed to them."""
    noticed = Signal(str)
    """A sentence about what the file does not allow, once each."""

    def __init__(self, path: Path | str | None, parent: QObject | None = None) -> None:
        """Read `path`; None is for settings that are not to be kept."""
        super().__init__(parent)
        self._path = None if path is None else Path(path)
        self._settings = Settings()
        self._unwritten: _Edits = {}
        self._tried: _Edits = {}
        self._refused = False
        self._notes: list[str] = []
        self._worker = Worker(self)  # of its own: neither waits for the other
        self._worker.done.connect(self._receive)
        self._worker.failed.connect(self._receive_failure)
        if self._path:
            self._learn(_first(self._path))

    @property
    def settings(self) -> Settings:
        """What is set now."""
        return self._settings

    @property
    def notes(self) -> tuple[str, ...]:
        """All sentences so far; those of the start are only here, for nobody could listen yet."""
        return tuple(self._notes)

    def change(self, **fields: Any) -> None:
        """Change fields; raises `ParameterError` for a value that does not fit."""
        self._apply(
            {(name, ""): partial(_replaced, **{name: value}) for name, value in fields.items()}
        )

    def forget_recent(self, path: Path | str) -> None:
        """Take a file out of the recent ones."""
        self._apply(_recent(path, Settings.without_recent))

    def remember_folder(self, kind: str, folder: Path | str) -> None:
        """Remember the last folder of one of `FOLDERS`."""
        self._apply(_folder(kind, folder))

    def note_file(self, path: Path | str) -> None:
        """Remember a session that was opened or saved, and its folder."""
        self._apply(
            {
                **_recent(path, Settings.with_recent),
                **_folder("session", Path(path).absolute().parent),
            }
        )

    def refresh(self) -> None:
        """Read what other windows have written meanwhile; it waits for none of them."""
        if self._path:
            try:
                document = document_of(self._path)
            except (OSError, BrokenError):
                return  # told, and mended, when something is to be written
            if document:
                answer = _Answer()
                answer.settings = _edited(_parsed(self._path, document, answer), self._unwritten)
                self._learn(answer)

    def close(self) -> None:
        """Write what is unwritten, and wait for it, no longer than for another process."""
        deadline = time.monotonic() + _PATIENCE
        self._worker.close()
        if self._path and self._unwritten:
            self._tried = dict(self._unwritten)
            self._receive(
                _OWNER,
                _written(
                    self._path, self._settings, self._tried, max(0.0, deadline - time.monotonic())
                ),
            )

    def _apply(self, edits: _Edits) -> None:
        """Change the settings here, and soon in the file."""
        new = _edited(self._settings, edits)
        if self._path:
            for key, edit in edits.items():
                self._unwritten.pop(key, None)
                self._unwritten[key] = edit
            for key in [key for key in self._unwritten if key[0] == "recent"][:-_MOST_UNWRITTEN]:
                del self._unwritten[key]
            self._write()
        self._set(new)

    def _write(self) -> None:
        """Have it written, unless this is under way: its end brings us here again."""
        if self._path and not self._worker.busy(_OWNER):
            self._tried = dict(self._unwritten)
            path, settings, edits = self._path, self._settings, self._tried
            self._worker.request(_OWNER, lambda _: _written(path, settings, edits, _PATIENCE))

    @Slot(str, object)
    def _receive(self, owner: str, answer: _Answer) -> None:
        since = {
            key: edit for key, edit in self._unwritten.items() if self._tried.get(key) is not edit
        }
        if answer.written:
            self._unwritten = since
        if answer.settings:
            answer.settings = _edited(answer.settings, since)
        self._refused = self._refused and bool(answer.problem)
        self._learn(answer)
        if since:
            self._write()

    @Slot(str, object)
    def _receive_failure(self, owner: str, error: Exception) -> None:
        raise error  # none that is known

    def _learn(self, answer: _Answer) -> None:
        """Take what the file holds, and tell what it does not allow.

        Once until it goes well again, and no more.
        """
        for note in answer.notes:
            self._tell(note)
        if answer.problem and not self._refused:
            self._refused = True
            self._tell(
                f"{answer.problem}. Changes to the settings are kept only in memory until this "
                "is mended."
            )
        if answer.settings:
            self._set(answer.settings)

    def _set(self, settings: Settings) -> None:
        if settings != self._settings:
            self._settings = settings
            self.changed.emit(settings)

    def _tell(self, sentence: str) -> None:
        if sentence not in self._notes:
            self._notes.append(sentence)
            self.noticed.emit(sentence)


def _replaced(settings: Settings, **fields: Any) -> Settings:
    return dataclasses.replace(settings, **fields)


def _recent(path: Path | str, change: Callable[[Settings, Path], Settings]) -> _Edits:
    whole = Path(path).absolute()
    return {("recent", str(whole)): lambda settings: change(settings, whole)}


def _folder(kind: str, folder: Path | str) -> _Edits:
    return {("folders", kind): lambda settings: settings.with_folder(kind, folder)}


def _edited(settings: Settings, edits: _Edits) -> Settings:
    for edit in edits.values():
        settings = edit(settings)
    return settings


# -- the file, in whichever thread -----------------------------------------------------------------


def _first(path: Path) -> _Answer:
    """Return what the file holds at the start: the lock is asked for only to set it aside."""
    answer = _Answer()
    with _telling(path, answer):
        try:
            document = document_of(path)
        except BrokenError:
            with _locked(path, _AT_START):
                document = _usable(path, answer)
        answer.settings = _parsed(path, document, answer)
    return answer


def _written(path: Path, settings: Settings, edits: _Edits, patience: float) -> _Answer:
    """Apply edits to what the file holds now; to `settings` if it holds nothing."""
    answer = _Answer()
    with _telling(path, answer), _locked(path, patience):
        document = _usable(path, answer)
        base = _parsed(path, document, answer) if document else settings
        answer.settings = _edited(base, edits)
        if is_newer(document):
            return answer
        if answer.settings != base or not document:
            with replacing(
                path
            ) as file:  # not forced to the disk: the end of the program would wait for it
                file.write(text_of(document, base, answer.settings))
        answer.written = True
    return answer


def _usable(path: Path, answer: _Answer) -> dict[str, Any]:
    """Return what the locked file holds, nothing if it had to be set aside."""
    try:
        return document_of(path)
    except BrokenError as broken:
        asides = (path.with_name(f"{path.name}.broken-{number}") for number in itertools.count(1))
        aside = next(name for name in asides if not os.path.lexists(name))
        try:
            path.rename(aside)
        except OSError as error:
            raise OSError(
                error.errno, f"{broken} and cannot be set aside ({error.strerror})"
            ) from None
        answer.notes.append(
            f"{path}: {broken}; it was set aside as {aside.name}, and a new one is begun."
        )
        return {}


def _parsed(path: Path, document: Mapping[str, Any], answer: _Answer) -> Settings:
    """Return what fits, and note what does not."""
    if is_newer(document):
        known = f"schema {document['schema']}, known here {SCHEMA}"
        answer.notes.append(
            f"{path}: a later version wrote it ({known}); what is known is used, and changes "
            "last until the program ends."
        )
    settings, problems = parse(document)
    answer.notes += [f"{path}: {problem}; the default is used." for problem in problems]
    return settings


@contextmanager
def _telling(path: Path, answer: _Answer) -> Iterator[None]:
    """Put down what the file refuses."""
    try:
        yield
    except (OSError, OutputError) as error:
        answer.problem = (
            error.problem if isinstance(error, OutputError) else f"{path}: {reason(error)}"
        )


@contextmanager
def _locked(path: Path, patience: float) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    lock = take(path.with_name(f"{path.name}.lock"), patience, brief=True)
    try:
        yield
    finally:
        lock.unlock()
