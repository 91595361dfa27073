"""Settings that persist between starts, in one file for all windows."""

import os
import re
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import quote, unquote

from PySide6.QtCore import QLockFile, QObject, QSettings, QStandardPaths, Signal

from pe_explorer import pictures
from pe_explorer.colours.themes import THEMES
from pe_explorer.exploration import Panes
from pe_explorer.figures.size import parse_figure_size
from pe_explorer.figures.style import Style
from pe_explorer.files.session import FIGURE_SUFFIXES
from pe_explorer.params import declared, quote_value, to_one_line
from pe_explorer.widgets.splits import PART_COUNTS, Sizes

SKIPPED_GUESS = "-"  # the stored text for a skipped guess
_MAX_RECENT_FILES = 10  # maximum number of recent files
_STALE_TIME = 1000  # age in milliseconds after which a lock file without content is stale
_MAX_LOCK_ATTEMPTS, _LOCK_TIMEOUT = 100, 20  # number of attempts, and milliseconds per attempt
_PROBLEM_TEXTS = {
    QSettings.Status.AccessError: "cannot be read or written, so changes to the settings will be "
    "lost when the program ends. Check its permissions, the free space on the disk, and whether "
    "another window has stopped responding.",
    QSettings.Status.FormatError: "is damaged, so default values replace the unreadable settings.",
}

_NO_ENTRIES: Mapping[Any, Any] = {}
_NUMBER_PATTERN = "[0-9]{1,5}"  # pattern of a number of pixels
_SIZES_PATTERN = f"{_NUMBER_PATTERN}( {_NUMBER_PATTERN})*"
_CORNER_PATTERN = f"-?{_NUMBER_PATTERN} -?{_NUMBER_PATTERN}"
_BOX_PATTERN = f"{_CORNER_PATTERN} (?!0){_NUMBER_PATTERN} (?!0){_NUMBER_PATTERN}"
_PANEL_PATTERN = f"(left|right) (open|folded) (docked|tabbed|floating) {_BOX_PATTERN}"
_BAR_PATTERN = f"(top|left|right|bottom) (shown|hidden) {_CORNER_PATTERN}"
_LESSON_PATTERN = r"at [0-9]{1,3} done( [0-9]{1,3})* guessed( [0-9]{1,3}:[-+.0-9e]{1,24})*"
# The escape character, and characters that an INI file cannot store.
_UNSAFE_CHARACTER = re.compile("[%\0-\x1f\ud800-\udfff]")


class Place(NamedTuple):
    """The geometry of a widget: a rectangle or corner in pixels, and keywords."""

    pixels: tuple[int, ...]
    words: tuple[str, ...] = ()


class LessonProgress(NamedTuple):
    """The progress in a lesson; steps are counted from 0."""

    last_step: int = 0  # the step that was opened last
    completed_steps: frozenset[int] = frozenset()
    # Guess by step: a number, choice index or `SKIPPED_GUESS`.
    guesses: Mapping[int, str] = _NO_ENTRIES


class Settings(NamedTuple):
    """The persistent settings.

    Each field is a key of the file, and each mapping is a group of keys, so that two
    windows can add entries at the same time. Each annotation ends with a regular
    expression that the stored text must match.
    """

    theme: Annotated[str, "|".join(THEMES)] = "system"
    # Recent files, newest first; in the file, their keys are the times of last use.
    recent: Annotated[tuple[str, ...], ".+"] = ()
    folders: Annotated[Mapping[str, str], ".+"] = _NO_ENTRIES
    """The folder used last for each kind of file: ``session``, ``picture`` and ``data``."""
    window: Annotated[Place | None, f"(normal|maximised|full) {_BOX_PATTERN}"] = None
    panels: Annotated[Mapping[str, Place], _PANEL_PATTERN] = _NO_ENTRIES
    bars: Annotated[Mapping[str, Place], _BAR_PATTERN] = _NO_ENTRIES
    panes: Annotated[Panes | None, "[a-z-]+( [a-z-]+){2,}"] = None
    maximised: Annotated[bool, "yes|no"] = False  # whether the active pane is maximised
    sizes: Annotated[Mapping[str, Sizes], f"{_SIZES_PATTERN}( / {_SIZES_PATTERN})?"] = _NO_ENTRIES
    own_windows: Annotated[Mapping[str, Place], _BOX_PATTERN] = _NO_ENTRIES
    start_here: Annotated[str, "show|hide"] = "show"  # whether a first start shows start cards
    stepwise: Annotated[bool, "yes|no"] = False  # whether playback pauses at every position
    figure: Annotated[Mapping[str, str], ".*"] = _NO_ENTRIES  # see `FigureChoices.to_texts`
    lessons: Annotated[Mapping[str, LessonProgress], _LESSON_PATTERN] = _NO_ENTRIES

    def folder(self, kind: str) -> str:
        """Return the folder used last for a kind of file, by default the home folder."""
        return self.folders.get(kind, str(Path.home()))


_PATTERNS = {field: kind.__metadata__[0] for field, kind in Settings.__annotations__.items()}
_GROUP_FIELDS = {
    field for field, value in Settings()._asdict().items() if value in (_NO_ENTRIES, ())
}
_FIGURE_PARSERS: dict[str, Any] = {"size": parse_figure_size, "ending": FIGURE_SUFFIXES.index}
_FIGURE_PARSERS |= {key: partial(kind.parse, key) for key, kind in declared(Style).items()}


def _read(field: str, name: str, text: Any) -> Any:
    """Return the value of a stored text; raise `ValueError` if the text is invalid."""
    if not isinstance(text, str) or not re.fullmatch(_PATTERNS[field], text, re.DOTALL):
        raise ValueError
    text = unquote(text, errors="surrogatepass")
    match field:
        case "window" | "panels" | "bars" | "own_windows":
            return Place(_parse_numbers(text), tuple(re.findall("[a-z]+", text)))
        case "panes":
            arrangement, active, *views = text.split()
            return Panes(pictures.parse_names(" ".join(views)), arrangement, active)
        case "maximised" | "stepwise":
            return text == "yes"
        case "sizes":
            outer_sizes, inner_sizes = map(_parse_numbers, text.partition("/")[::2])
            counts = len(outer_sizes), len(inner_sizes)
            if PART_COUNTS.get(name, counts) != counts:
                raise ValueError
            return outer_sizes, inner_sizes
        case "lessons":
            last_step, *done_steps = _parse_numbers(text.partition(" guessed")[0])
            guesses = {int(step): guess for step, guess in re.findall("([0-9]+):([^ ]+)", text)}
            return LessonProgress(last_step, frozenset(done_steps), guesses)
        case "recent":
            int(name)
        case "figure":
            _FIGURE_PARSERS.get(name, str)(text)
    return text


def _parse_numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall("-?[0-9]+", text)))


def _format(value: Any) -> str | None:
    """Return a field or an entry of a mapping as text, or None if its value is None."""
    match value:
        case bool():
            return "yes" if value else "no"
        case Place():
            return " ".join(map(str, (*value.words, *value.pixels)))
        case Panes():
            return " ".join((value.arrangement, value.active, *value.views))
        case LessonProgress(last_step, completed_steps, guesses):
            steps_text = " ".join(["done", *map(str, sorted(completed_steps))])
            pairs = (f"{step}:{guess}" for step, guess in sorted(guesses.items()))
            return " ".join([f"at {last_step} {steps_text} guessed", *pairs])
        case tuple():  # the sizes of splitters
            return " / ".join(" ".join(map(str, part)) for part in value if part)
    escape = partial(quote, safe="", errors="surrogatepass")
    return value and _UNSAFE_CHARACTER.sub(lambda match: escape(match[0]), value)


class SettingsFile(QObject):
    """The settings and their file, which `QSettings` reads and writes."""

    noticed = Signal(str)  # problem with the settings file; each problem is reported once

    def __init__(self, path: Path | str | None, parent: QObject | None = None) -> None:
        """Read the settings from `path`; if `path` is None, settings are not stored."""
        super().__init__(parent)
        self.notes: tuple[str, ...] = ()  # problems so far, because `noticed` has no slot at first
        self._setting_texts: dict[str, Any] = {}
        self._edits: dict[str, str | None] = {}  # pending changes; None removes a key
        self._files_by_time: dict[str, str] = {}  # recent files by time of last use, newest first
        self._is_locked = False
        self._file: QSettings | None = None
        if path and os.path.exists(path) and not Path(path).is_file():  # Qt would block on a pipe
            self._report(f"{path} {_PROBLEM_TEXTS[QSettings.Status.AccessError]}")
        elif path:
            self._file = QSettings(str(path), QSettings.Format.IniFormat, self)
        self.refresh()

    def change(self, **fields: Any) -> None:
        """Change fields of `Settings`, and merge mappings; None removes a field or an entry."""
        self._edits["schema"] = "1"  # earlier versions reset settings without a schema
        for field, value in fields.items():
            if isinstance(value, Mapping):
                self._edits |= {f"{field}/{name}": _format(entry) for name, entry in value.items()}
            else:
                self._edits[field] = _format(value)
        self.refresh()

    def add_recent_file(self, path: Path | str) -> None:
        """Add a file that was opened or saved to the recent files, and remember its folder."""
        self.refresh()
        file = Path(path).absolute()
        other_times = [key for key, name in self._files_by_time.items() if name != str(file)]
        old_times = dict.fromkeys(self._files_by_time.keys() - other_times[: _MAX_RECENT_FILES - 1])
        # Make the new key the largest, even if the clock was set back.
        new_time = max([time.time_ns(), *(int(key) + 1 for key in self._files_by_time)])
        recent = {**old_times, f"{new_time:019}": str(file)}
        self.change(recent=recent, folders={"session": str(file.parent)})

    def forget_recent_files(self, path: Path | str | None = None) -> None:
        """Remove a file from the recent files, or all files if `path` is None."""
        file = path and str(Path(path).absolute())
        times = (time for time, name in self._files_by_time.items() if file in (None, name))
        self.change(recent=dict.fromkeys(times))

    def refresh(self) -> None:
        """Write pending changes, and read the changes of other windows."""
        texts = (self._file and self._synchronise(self._file)) or self._setting_texts
        texts = {key: text for key, text in {**texts, **self._edits}.items() if text is not None}
        fields: dict[str, Any] = {field: {} for field in _GROUP_FIELDS}
        errors = {}
        for key, text in texts.items():
            field, slash, name = key.partition("/")
            if field not in _PATTERNS or bool(slash) != (field in _GROUP_FIELDS):
                continue  # a later version may use this key
            try:
                # Initially, `fields` contains only the fields that are groups of keys.
                group = fields.get(field, fields)
                group[name or field] = _read(field, name, text)
            except ValueError:
                errors[key] = f"{to_one_line(key[:60])}: {quote_value(text)}"
        self._files_by_time = dict(sorted(fields["recent"].items(), reverse=True))
        fields["recent"] = tuple(dict.fromkeys(self._files_by_time.values()))[:_MAX_RECENT_FILES]
        self.settings = Settings(**fields)
        self._setting_texts = {key: text for key, text in texts.items() if key not in errors}
        self._edits |= dict.fromkeys(errors)
        if errors:
            self._report(f"Some settings could not be used: {'; '.join([*errors.values()][:5])}.")

    def _synchronise(self, file: QSettings) -> dict[str, Any]:
        file.sync()
        # First acquire Qt's lock with a timeout, because Qt would wait for its lock forever.
        lock = QLockFile(f"{file.fileName()}.lock")
        lock.setStaleLockTime(_STALE_TIME)
        if self._edits:
            max_attempts = 1 if self._is_locked else _MAX_LOCK_ATTEMPTS
            any(lock.tryLock(_LOCK_TIMEOUT) for _ in range(max_attempts))
        self._is_locked = lock.error() == QLockFile.LockError.LockFailedError
        lock.unlock()
        if self._edits and not self._is_locked:
            is_new = not file.allKeys()  # the file is new or was deleted
            for key, text in {**(self._setting_texts if is_new else {}), **self._edits}.items():
                if text is None:
                    file.remove(key)
                else:
                    file.setValue(key, text)
            self._edits = {}
            file.sync()
        content = {key: file.value(key) for key in file.allKeys() if key}
        status = QSettings.Status.AccessError if self._is_locked else file.status()
        if status in _PROBLEM_TEXTS:
            self._report(f"{file.fileName()} {_PROBLEM_TEXTS[status]}")
        return content

    def _report(self, sentence: str) -> None:
        if sentence not in self.notes:
            self.notes += (sentence,)
            self.noticed.emit(sentence)


def find_settings_path() -> Path:
    """Return the path of the settings file on this system."""
    location = QStandardPaths.StandardLocation.AppConfigLocation
    return Path(QStandardPaths.writableLocation(location), "settings.ini")


def find_state_folder() -> Path:
    """Return the folder for unsaved work on this system."""
    location = QStandardPaths.StandardLocation.StateLocation
    return Path(QStandardPaths.writableLocation(location), "unsaved")
