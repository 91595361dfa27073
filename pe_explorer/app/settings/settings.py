"""What the program remembers from one start to the next, and where the system wants that to be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from pathlib import Path

from PySide6.QtCore import QStandardPaths

from pe_explorer.app.settings.layout import Layout, PaneLayout
from pe_explorer.app.settings.lesson_progress import LessonProgress
from pe_explorer.colours.themes import THEMES
from pe_explorer.params import Choice, Declared, declare
from pe_explorer.values import frozen

FOLDER_KINDS = ("session", "picture", "data")
"""The kinds of file whose last folder is remembered."""
MOST_RECENT = 10


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
        Places of the window, its panels and its bars; None before a window was closed for the
        first time.
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
