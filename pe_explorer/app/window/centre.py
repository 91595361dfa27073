"""The centre of the window: the panes with the strip of the open exhibit, or the gallery."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QFrame, QLabel, QStackedWidget, QWidget

from pe_explorer.app.window.pane import Pane
from pe_explorer.app.window.start_cards import StartCards, make_strip_button
from pe_explorer.app.window.walks import ExhibitWalk, LessonWalk
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.exploration import Exploration, changes
from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.keys import claim_space_key
from pe_explorer.widgets.labels import ElidedLabel
from pe_explorer.widgets.layouts import lay_out_column, lay_out_row

if TYPE_CHECKING:
    from pe_explorer.app.window.gallery_page import GalleryPage
    from pe_explorer.views.numbered_points import NumberedPoints

_HEIGHT, _BUTTON_SIDE = 32, 24  # pixels
_STEP_PROBLEM = "This step is not complete. Do its task, or skip the step in the right panel (F8)."


class Centre(QStackedWidget):
    """The panes with the strips above them, or the gallery, which is created on first use."""

    gallery_shown = Signal(bool)  # whether the gallery is shown

    def __init__(
        self, start_cards: StartCards, workspace: Workspace, walk: ExhibitWalk, lessons: LessonWalk
    ) -> None:
        super().__init__()
        self._walk, self._lesson_walk, self._start_cards = walk, lessons, start_cards
        self.strip = ExhibitStrip(walk, lessons)
        self._panes = QWidget()
        lay_out_column(self._panes, start_cards, self.strip, workspace, spacing=0)
        self.addWidget(self._panes)
        self._page: GalleryPage | None = None
        self._workspace = workspace
        start_cards.chosen.connect(walk.open)
        start_cards.lesson_chosen.connect(lessons.begin)
        walk.opened.connect(start_cards.dismiss)
        walk.opened.connect(self.show_panes)
        for button in (start_cards.exhibits_button, self.strip.exhibits_button):
            button.clicked.connect(self.show_gallery)
        lessons.ended.connect(self.show_gallery)

    def event(self, event: QEvent) -> bool:
        return claim_space_key(event) or super().event(event)

    @property
    def page(self) -> GalleryPage:
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
        return self.currentWidget() is not self._panes

    @Slot()
    def take_focus(self) -> None:
        """Give the focus to the active view, or to the gallery if it is shown."""
        target = self.page if self.has_gallery else self._workspace.active
        target.setFocus()

    @Slot()
    def toggle_gallery(self) -> None:
        (self.show_panes if self.has_gallery else self.show_gallery)()

    @Slot()
    def show_gallery(self) -> None:
        """Show the gallery instead of the panes, and hide the start cards permanently."""
        self._start_cards.dismiss()
        self.setCurrentWidget(self.page)
        self.page.begin()
        self.gallery_shown.emit(True)

    @Slot()
    def show_panes(self) -> None:
        if not self.has_gallery or not self._workspace.is_attached:  # the window is closing
            return
        focus_widget = QApplication.focusWidget()
        had_focus = focus_widget is None or self.page.isAncestorOf(focus_widget)
        active = self._workspace.panes.active
        self.setCurrentWidget(self._panes)  # also restores the focus of the panes
        self.gallery_shown.emit(False)
        if had_focus:
            self._workspace.focus_view(active)

    @Slot(str, bool)
    def show_view(self, name: str, should_add_pane: bool = False) -> None:
        self.show_panes()
        self._workspace.show_view(name, should_add_pane)

    @Slot(str, str)
    def show_option(self, name: str, option: str) -> None:
        """Show a view and, if an option is named, focus the field of the option."""
        self.show_view(name)
        if option:
            line = self._workspace.pane(name).view.header.lines[option]
            line.setFocus(Qt.FocusReason.OtherFocusReason)
            line.selectAll()

    @Slot(object, object)
    def receive_change(self, old: Exploration, new: Exploration) -> None:
        """Hide the start cards and the gallery after a change of the exploration."""
        if changes(old, new):
            self._start_cards.dismiss()
            self.show_panes()


class ExhibitStrip(QFrame):
    """A strip with the title of the exhibit or lesson, and buttons to move between exhibits."""

    refused = Signal(str)  # reason why the next step is unavailable

    def __init__(self, walk: ExhibitWalk, lesson_walk: LessonWalk) -> None:
        super().__init__()
        self._walk, self._lesson_walk = walk, lesson_walk
        self.setObjectName("exhibit_strip")
        self.setAccessibleName("Exhibit")
        self.setFixedHeight(_HEIGHT)
        self.back_button = IconButton("back-one", "Go to previous exhibit", side=_BUTTON_SIDE)
        self.back_button.setToolTip("<p>Go to the previous exhibit (Alt+PageUp).</p>")
        self.place = QLabel()
        self.next_button = IconButton("on-one", "Go to next exhibit", side=_BUTTON_SIDE)
        self.next_button.setToolTip("<p>Go to the next exhibit (Alt+PageDown).</p>")
        self.title = ElidedLabel()
        set_bold(self.title)
        self.restore_button = make_strip_button("Restore", "Undo your changes to the exhibit.")
        self.exhibits_button = make_strip_button("All exhibits", "Show the gallery (Ctrl+G).")
        self.close_button = IconButton("close", "Leave the exhibit", side=_BUTTON_SIDE)
        steps = self.back_button, self.place, self.next_button
        row = lay_out_row(self, *steps, spacing=4, margins=(6, 0, 4, 0))
        row.addSpacing(6)
        row.addWidget(self.title, 1)
        for button in (self.restore_button, self.exhibits_button, self.close_button):
            row.addWidget(button)
        self.back_button.clicked.connect(self.go_back)
        self.next_button.clicked.connect(self.go_forward)
        self.restore_button.clicked.connect(walk.restore)
        self.close_button.clicked.connect(self._close)
        lesson_walk.changed.connect(self._show)  # also emitted when the exhibit changes
        self.hide()

    @Slot()
    def go_forward(self) -> None:
        """Go to the next exhibit; in a lesson, go to the next step if the current step is done."""
        if self._lesson_walk.lesson and not self._lesson_walk.is_done:
            self.refused.emit(_STEP_PROBLEM)
        else:
            (self._lesson_walk if self._lesson_walk.lesson else self._walk).go_forward()

    @Slot()
    def go_back(self) -> None:
        (self._lesson_walk if self._lesson_walk.lesson else self._walk).go_back()

    @Slot()
    def _close(self) -> None:
        (self._lesson_walk if self._lesson_walk.lesson else self._walk).leave()

    @Slot()
    def _show(self) -> None:
        exhibit, lesson = self._walk.exhibit, self._lesson_walk.lesson
        self.setVisible(exhibit is not None)
        if exhibit is None:
            return
        # Hide these buttons in a lesson, because the page of the lesson has its own buttons.
        for button in (self.back_button, self.next_button):
            button.setVisible(lesson is None)
        if lesson is None:
            number, count = self._walk.place
            place, title = f"{number}/{count}", exhibit.title
            kind, remaining_content = "exhibit", "its settings and views"
        else:
            number = self._lesson_walk.number + 1
            place, title = f"Step {number}/{len(lesson.steps)}", f"Lesson: {lesson.title}"
            kind, remaining_content = "lesson", "its exhibit open"
        self.place.setText(place)
        self.title.setText(title)
        self.title.setToolTip(title)
        self.restore_button.setVisible(self._walk.is_changed)
        self.close_button.setToolTip(f"<p>Leave the {kind}, but keep {remaining_content}.</p>")
        self.close_button.setAccessibleName(f"Leave the {kind}")


class ExhibitPoints(QObject):
    """Numbers at the points that the open exhibit or lesson refers to, in all views."""

    def __init__(self, workspace: Workspace, walk: LessonWalk) -> None:
        super().__init__(workspace)
        self._workspace, self._walk = workspace, walk
        self._points: dict[str, NumberedPoints] = {}  # numbered points by view
        walk.changed.connect(self._show)
        workspace.pane_built.connect(self._show_points)

    @Slot()
    def _show(self) -> None:
        for name in self._workspace.built_views:
            self._show_points(self._workspace.pane(name))

    @Slot(object)
    def _show_points(self, pane: Pane) -> None:
        numbering = enumerate(self._walk.places, 1)
        places = {number: place for number, place in numbering if place and place.view == pane.name}
        if places and pane.name not in self._points:
            # Import this module here, because most windows never show an exhibit.
            from pe_explorer.views.numbered_points import NumberedPoints

            self._points[pane.name] = NumberedPoints(pane.view)
        if pane.name in self._points:
            self._points[pane.name].set_places(places)
