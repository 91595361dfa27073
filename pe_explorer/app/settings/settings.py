"""What the program remembers from one start to the next, and where the system wants that to be."""

from __future__ import annotations

import base64
import dataclasses
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QMainWindow

from pe_explorer.app.settings.layout_state import is_sound
from pe_explorer.colours.themes import THEMES
from pe_explorer.params import Choice, Declared, ParameterError, declare, quoted, reason

__all__ = ["FOLDERS", "MOST_RECENT", "Layout", "Settings", "settings_path", "state_folder"]

FOLDERS = ("session", "picture", "data")
"""The kinds of file whose last folder is remembered."""
MOST_RECENT = 10

_LONGEST_PATH = 1 << 15  # characters; no system allows more


@dataclass(frozen=True)
class Layout:
    """Where the window and its docks are: what Qt says of them, in base64.

    Qt crashes on a state that was damaged, so it is given to Qt only if its check sum fits, and
    if it is one that Qt could have written.
    """

    geometry: str
    state: str

    @classmethod
    def of(cls, window: QMainWindow) -> Layout:
        """Return the layout of a window."""
        return cls(
            *(
                base64.b64encode(part.data()).decode()
                for part in (window.saveGeometry(), window.saveState())
            )
        )

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Layout:
        """Return what `as_json` wrote; raises `ParameterError` if it was changed since."""
        geometry, state = value.get("geometry"), value.get("state")
        if (
            not isinstance(geometry, str)
            or not isinstance(state, str)
            or value.get("check") != _check_sum(geometry, state)
        ):
            raise ParameterError("layout", "its check sum does not fit, so it was damaged")
        for part in (geometry, state):
            try:
                base64.b64decode(part, validate=True)
            except ValueError as error:
                raise ParameterError("layout", f"it is not base64 ({reason(error)})") from None
        return cls(geometry, state)

    def as_json(self) -> dict[str, Any]:
        """Return it with its check sum."""
        return {
            "geometry": self.geometry,
            "state": self.state,
            "check": _check_sum(self.geometry, self.state),
        }

    def restore(self, window: QMainWindow) -> bool:
        """Lay out a window likewise; returns whether all of it could be used."""
        geometry, state = base64.b64decode(self.geometry), base64.b64decode(self.state)
        if not is_sound(state):
            return False
        placed = window.restoreGeometry(geometry)
        return window.restoreState(state) and placed


@dataclass(frozen=True)
class Settings(Declared):
    """What is remembered.

    Attributes
    ----------
    theme : str
    recent : tuple of str
        Files opened or saved last, the newest first.
    folders : mapping of str to str
        The folder used last, for each kind of file.
    layout : Layout or None
        Place of the window and its docks; None before the first end.
    """

    theme: str = declare(Choice("system", THEMES, label="Theme", help="Colours of the window."))
    recent: tuple[str, ...] = ()
    folders: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    layout: Layout | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, check in _CHECKS.items():
            object.__setattr__(self, name, check(name, getattr(self, name)))

    def folder(self, kind: str) -> str:
        """Return the last folder of one of `FOLDERS`, or the user's own."""
        return self.folders.get(kind, str(Path.home()))

    def with_recent(self, path: Path | str) -> Settings:
        """Return a copy with a file as the newest."""
        new = str(Path(path).absolute())
        return dataclasses.replace(
            self, recent=(new, *(old for old in self.recent if old != new))[:MOST_RECENT]
        )

    def without_recent(self, path: Path | str) -> Settings:
        """Return a copy that does not know a file."""
        gone = str(Path(path).absolute())
        return dataclasses.replace(self, recent=tuple(old for old in self.recent if old != gone))

    def with_folder(self, kind: str, folder: Path | str) -> Settings:
        """Return a copy with the last folder of one of `FOLDERS`."""
        if kind not in FOLDERS:
            raise ParameterError("folders", f"{quoted(kind)} is not one of {', '.join(FOLDERS)}")
        return dataclasses.replace(
            self, folders={**self.folders, kind: str(Path(folder).absolute())}
        )


def _recent(name: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(map(_is_path, value)):
        raise ParameterError(name, f"{quoted(value)} is not a list of file names")
    return tuple(value[:MOST_RECENT])


def _folders(name: str, value: object) -> Mapping[str, str]:
    if not isinstance(value, Mapping):
        raise ParameterError(name, f"{quoted(value)} is not an object")
    for kind, folder in value.items():
        if not _is_path(folder):
            raise ParameterError(f"{name}.{kind}", f"{quoted(folder)} is not the name of a folder")
    return MappingProxyType(dict(value))


def _layout(name: str, value: object) -> Layout | None:
    if value is None or isinstance(value, Layout):
        return value
    if not isinstance(value, Mapping):
        raise ParameterError(name, f"{quoted(value)} is not an object")
    return Layout.from_json(value)


def _check_sum(geometry: str, state: str) -> int:
    return zlib.crc32(f"{geometry} {state}".encode("utf-8", "backslashreplace"))


def _is_path(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST_PATH and "\0" not in value


_CHECKS: Mapping[str, Callable[[str, object], Any]] = MappingProxyType(
    {"recent": _recent, "folders": _folders, "layout": _layout}
)


def settings_path() -> Path | None:
    """Return where the system wants settings to be, None if it says nothing."""
    return _standard(QStandardPaths.StandardLocation.AppConfigLocation, "settings.json")


def state_folder() -> Path | None:
    """Return where the system wants unsaved work to be, None if it says nothing."""
    return _standard(QStandardPaths.StandardLocation.StateLocation, "unsaved")


def _standard(kind: QStandardPaths.StandardLocation, name: str) -> Path | None:
    folder = QStandardPaths.writableLocation(kind)
    return Path(folder, name) if folder else None
