"""What the program remembers from one start to the next, and where the system wants that to be."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QMainWindow

from pe_explorer.app.settings.layout_state import is_sound
from pe_explorer.app.settings.lesson_progress import LessonProgress
from pe_explorer.app.settings.pane_layout import PaneLayout
from pe_explorer.colours.themes import THEMES
from pe_explorer.params import Choice, Declared, ParameterError, declare, reason
from pe_explorer.values import frozen

FOLDER_KINDS = ("session", "picture", "data")
"""The kinds of file whose last folder is remembered."""
MOST_RECENT = 10

_VERSION = 1
"""Of the docks and bars that there are: Qt leaves a layout of other ones alone."""


class Layout(NamedTuple):
    """Where the window and its docks are, as Qt describes it, in base64.

    Qt can crash on a damaged state. It is therefore given to Qt only if its check sum fits, and
    if it is one that Qt could have written.
    """

    geometry: str
    state: str

    @classmethod
    def of(cls, window: QMainWindow) -> Layout:
        """Return the layout of a window."""
        geometry = base64.b64encode(window.saveGeometry().data())
        state = base64.b64encode(window.saveState(_VERSION).data())
        return cls(geometry.decode(), state.decode())

    @classmethod
    def from_text(cls, text: str) -> Layout:
        """Return the layout that `as_text` wrote; raises `ParameterError` if it is damaged."""
        geometry, _, rest = text.partition(" ")
        state, _, check = rest.partition(" ")
        if check != _check_sum(geometry, state):
            raise ParameterError("layout", "its check sum is wrong, so it was damaged")
        try:
            base64.b64decode(geometry, validate=True)
            base64.b64decode(state, validate=True)
        except ValueError as error:
            raise ParameterError("layout", f"it is not base64 ({reason(error)})") from None
        return cls(geometry, state)

    def as_text(self) -> str:
        """Return geometry, state and their check sum, with blanks between them."""
        check = _check_sum(self.geometry, self.state)
        return f"{self.geometry} {self.state} {check}"

    def restore(self, window: QMainWindow) -> bool:
        """Arrange a window in this way; return whether all of it could be used."""
        state = base64.b64decode(self.state)
        if not is_sound(state):
            return False
        placed = window.restoreGeometry(base64.b64decode(self.geometry))
        return window.restoreState(state, _VERSION) and placed


def _check_sum(geometry: str, state: str) -> str:
    data = f"{geometry} {state}".encode("utf-8", "backslashreplace")
    return str(zlib.crc32(data))


@frozen
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
        Place of the window and its docks; None before a window was closed for the first time.
    pane_layout : PaneLayout
        What the panes showed, and where the views were.
    start_here : str
        Whether the cards for a newcomer are shown at the first start, or were put away.
    figure : mapping of str to str
        What was chosen for the last figure; see `FigureChoices`.
    lessons : mapping of str to LessonProgress
        How far somebody has come in each lesson.
    """

    theme: str = declare(Choice("system", THEMES, label="Theme", help="Colours of the window."))
    recent: tuple[str, ...] = ()
    folders: Mapping[str, str] = field(default_factory=dict, hash=False)
    layout: Layout | None = None
    pane_layout: PaneLayout = field(default_factory=PaneLayout)
    start_here: str = declare(
        Choice(
            "show",
            {"show": "above the panes at the first start", "hide": "put away"},
            label="Start here",
            help="Cards that a newcomer can begin with.",
        )
    )
    figure: Mapping[str, str] = field(default_factory=dict, hash=False)
    lessons: Mapping[str, LessonProgress] = field(default_factory=dict, hash=False)

    def folder(self, kind: str) -> str:
        """Return the last folder of one of `FOLDER_KINDS`, or the user's home."""
        return self.folders.get(kind, str(Path.home()))


def settings_path() -> Path | None:
    """Return where the system wants settings to be, None if it does not know."""
    return _standard_path(QStandardPaths.StandardLocation.AppConfigLocation, "settings.ini")


def state_folder() -> Path | None:
    """Return where the system wants unsaved work to be, None if it does not know."""
    return _standard_path(QStandardPaths.StandardLocation.StateLocation, "unsaved")


def _standard_path(kind: QStandardPaths.StandardLocation, name: str) -> Path | None:
    folder = QStandardPaths.writableLocation(kind)
    return Path(folder, name) if folder else None
