"""The middle of the window: the panes, or the gallery in their place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from pe_explorer.app.window.exhibit_strip import ExhibitStrip
from pe_explorer.app.window.exhibit_walk import ExhibitWalk
from pe_explorer.app.window.lesson_walk import LessonWalk
from pe_explorer.app.window.start_cards import StartCards
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.exploration import Exploration, changes

if TYPE_CHECKING:
    from pe_explorer.app.window.gallery_page import GalleryPage


class Centre(QStackedWidget):
    """Shows the panes with the strips above them, or the gallery, which is made when asked for."""

    gallery_shown = Signal(bool)
    """The gallery has come, or gone."""

    def __init__(
        self,
        start_cards: StartCards,
        workspace: Workspace,
        walk: ExhibitWalk,
        lesson_walk: LessonWalk,
    ) -> None:
        super().__init__()
        self._walk, self._lesson_walk = walk, lesson_walk
        self._start_cards = start_cards
        self.strip = ExhibitStrip(walk, lesson_walk)
        self._panes = QWidget()
        column = QVBoxLayout(self._panes)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (start_cards, self.strip, workspace):
            column.addWidget(part)
        self.addWidget(self._panes)
        self._page: GalleryPage | None = None
        self._workspace = workspace
        start_cards.chosen.connect(walk.open)
        start_cards.lesson_chosen.connect(lesson_walk.begin)
        start_cards.gallery_asked.connect(self.show_gallery)
        walk.changed.connect(self._mark_card)
        self.strip.gallery_asked.connect(self.show_gallery)
        lesson_walk.ended.connect(self.show_gallery)
        walk.opened.connect(self.show_panes)

    @Slot()
    def _mark_card(self) -> None:
        exhibit = self._walk.exhibit
        self._start_cards.mark(exhibit.id if exhibit else "")

    @property
    def page(self) -> GalleryPage:
        """The gallery, which is made when it is first asked for."""
        if self._page is None:
            from pe_explorer.app.window.gallery_page import GalleryPage

            self._page = GalleryPage(self._lesson_walk)
            self._page.exhibit_chosen.connect(self._walk.open)
            self._page.lesson_chosen.connect(self._lesson_walk.begin)
            self._page.closed.connect(self.show_panes)
            self.addWidget(self._page)
        return self._page

    @property
    def has_gallery(self) -> bool:
        """Whether the gallery is in the place of the panes."""
        return self.currentWidget() is not self._panes

    def take_keys(self) -> None:
        """Let keys be for the active view, or for the gallery in its place."""
        there = self.page if self.has_gallery else self._workspace.active
        there.setFocus()

    @Slot()
    def toggle_gallery(self) -> None:
        """Show the gallery, or the panes again."""
        if self.has_gallery:
            self.show_panes()
        else:
            self.show_gallery()

    @Slot()
    def show_gallery(self) -> None:
        """Show the gallery in the place of the panes, and for good in that of the first cards."""
        if not self._start_cards.isHidden():
            self._start_cards.put_away()
        self.setCurrentWidget(self.page)
        self.page.begin()
        self.gallery_shown.emit(True)

    @Slot()
    def show_panes(self) -> None:
        """Show the panes, in the place of the gallery."""
        if not self.has_gallery or not self._workspace.attached:  # the window is closing
            return
        focused = QApplication.focusWidget()
        had_keys = focused is None or self.page.isAncestorOf(focused)
        active = self._workspace.panes.active
        self.setCurrentWidget(self._panes)  # which gives the focus to the widget that had it last
        self.gallery_shown.emit(False)
        if had_keys:
            self._workspace.focus(active)

    @Slot(str, bool)
    def show_view(self, name: str, beside: bool = False) -> None:
        """Show a view in the active pane or beside it, in the place of the gallery."""
        self.show_panes()
        self._workspace.show_view(name, beside)

    @Slot(object, object)
    def receive_change(self, old: Exploration, new: Exploration) -> None:
        """Show changes that were made while the gallery was shown."""
        if self.has_gallery and changes(old, new):
            self.show_panes()
