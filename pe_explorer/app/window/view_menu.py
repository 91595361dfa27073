"""The part of the View menu that is no table: docks, bars and themes."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from pe_explorer.colours.themes import THEMES

__all__ = ["add_themes", "add_toggles"]


def add_toggles(menu: QMenu, toggles: Iterable[QAction]) -> None:
    """Put the actions that show and hide docks and bars at the top of a menu."""
    first = menu.actions()[0]
    menu.insertActions(first, list(toggles))
    menu.insertSeparator(first)


def add_themes(menu: QMenu, before: QAction, current: str) -> QActionGroup:
    """Put the themes into a menu, before one of its actions, and return them as a group."""
    themes = QActionGroup(menu)
    for theme, meaning in THEMES.items():
        action = themes.addAction(f"{theme.capitalize()} theme")
        action.setCheckable(True)
        action.setData(theme)
        action.setStatusTip(f"Colours: {meaning}.")
        action.setChecked(theme == current)
        menu.insertAction(before, action)
    return themes
