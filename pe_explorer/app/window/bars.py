"""Menus and bars: the toolbar, the rail, the transport bar and the status bar."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QMenu,
    QSizePolicy,
    QStatusBar,
    QToolBar,
    QWidget,
)

from pe_explorer.app.application import Application
from pe_explorer.app.settings.settings import Place, SettingsFile
from pe_explorer.app.window.actions import MENUS
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.colours.themes import THEMES
from pe_explorer.exploration import Exploration, changes
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.views import PageView
from pe_explorer.widgets.icons import REDRAWING, icon
from pe_explorer.widgets.labels import CutLabel

_PANELS = {"encoding": "panel-left", "explain": "panel-right"}  # icons by action
_AREAS = {
    "top": Qt.ToolBarArea.TopToolBarArea,
    "left": Qt.ToolBarArea.LeftToolBarArea,
    "right": Qt.ToolBarArea.RightToolBarArea,
    "bottom": Qt.ToolBarArea.BottomToolBarArea,
}
_PANE_MENU = (
    ("copy_value", "copy_picture", "copy_code", "copy_figure_code", "copy_command"),
    ("export_figure", "export_picture", "export_data"),
    ("reset_zoom",),
    ("maximise", "own_window", "close_pane"),
)


class Bars(QObject):
    """The bars of a window, with icons in the colours of the palette."""

    def __init__(
        self,
        window: QMainWindow,
        actions: Mapping[str, QAction],
        workspace: Workspace,
        rail: QWidget,
        transport: QWidget,
    ) -> None:
        super().__init__(window)
        self._window, self._actions, self._workspace = window, actions, workspace
        self._arrangements = QActionGroup(self)
        for name in ARRANGEMENTS:
            action = self._arrangements.addAction(actions[name])
            action.setData(name)
            action.setCheckable(True)
        self._arrangements.triggered.connect(self._arrange)
        workspace.shown_changed.connect(self._show_arrangement)
        self.top = self._add("Toolbar", Qt.ToolBarArea.TopToolBarArea)
        self.top.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for entries in MENUS.values():
            toolbar_actions = [actions[entry.key] for entry in entries if entry.toolbar]
            if toolbar_actions and self.top.actions():
                self.top.addSeparator()  # between actions of different menus
            self.top.addActions(toolbar_actions)
        gap = QWidget()  # expands, so that the following widgets are at the right end
        gap.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.top.addWidget(gap)
        self.panes = self._add("Panes", Qt.ToolBarArea.TopToolBarArea)
        self.panes.addActions(self._arrangements.actions())
        self.panes.addSeparator()
        self.panes.addActions([actions[name] for name in _PANELS])
        views = self._add("Views", Qt.ToolBarArea.LeftToolBarArea)
        views.addWidget(rail)
        views.setMovable(False)
        if (layout := views.layout()) is not None:
            layout.setContentsMargins(0, 0, 0, 0)
        self.play = self._add("Transport", Qt.ToolBarArea.BottomToolBarArea)
        self.play.addWidget(transport)
        self._movable = {bar.objectName(): bar for bar in (self.top, self.panes, self.play)}
        self.toggles = [bar.toggleViewAction() for bar in self._movable.values()]
        self._update_icons()
        window.installEventFilter(self)

    @property
    def places(self) -> dict[str, Place]:
        """The places of the movable bars."""
        areas, places = {area: name for name, area in _AREAS.items()}, {}
        for name, bar in self._movable.items():
            words = areas[self._window.toolBarArea(bar)], "hidden" if bar.isHidden() else "shown"
            places[name] = Place((bar.x(), bar.y()), words)
        return places

    def put(self, places: Mapping[str, Place]) -> None:
        known = [name for name in places if name in self._movable]
        last: tuple[str, int] | None = None
        for name in sorted(known, key=lambda name: _row_of(places[name])):
            bar, (area, shown) = self._movable[name], places[name].words
            row = _row_of(places[name])[:2]
            self._window.removeToolBarBreak(bar)
            if last is not None and last[0] == area and last != row:
                self._window.addToolBarBreak(_AREAS[area])
            self._window.addToolBar(_AREAS[area], bar)
            bar.setVisible(shown == "shown")
            last = row

    @Slot(QAction)
    def _arrange(self, action: QAction) -> None:
        self._workspace.arrange(action.data())
        self._show_arrangement()

    @Slot()
    def _show_arrangement(self) -> None:
        for action in self._arrangements.actions():
            action.setChecked(action.data() == self._workspace.arrangement)

    def _add(self, title: str, area: Qt.ToolBarArea) -> QToolBar:
        bar = QToolBar(title, self._window)
        bar.setObjectName(title.lower())
        bar.setIconSize(QSize(16, 16))
        bar.setFloatable(False)
        self._window.addToolBar(area, bar)
        return bar

    def _update_icons(self) -> None:
        palette = self._window.palette()
        for action in self._arrangements.actions():
            action.setIcon(icon(f"panes-{action.data()}", palette))
        for name, file in _PANELS.items():
            self._actions[name].setIcon(icon(file, palette))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in REDRAWING and watched is self._window:
            self._update_icons()
        return super().eventFilter(watched, event)


def _row_of(place: Place) -> tuple[str, int, int]:
    """Return the window edge, the row counted from the edge inwards, and the place in the row."""
    (x, y), (area, _) = place.pixels, place.words
    outwards = -1 if area in ("right", "bottom") else 1
    return (area, outwards * y, x) if area in ("top", "bottom") else (area, outwards * x, y)


class Menus(QObject):
    """The menu bar of a window, with the actions of the table, the themes and recent files."""

    def __init__(
        self,
        window: QMainWindow,
        actions: Mapping[str, QAction],
        bars: Sequence[QAction],
        settings: SettingsFile,
    ) -> None:
        """Fill the menu bar; `bars` are the actions that show and hide bars."""
        super().__init__(window)
        self._settings = settings
        menus = {}
        for title, entries in MENUS.items():
            menu = menus[title] = window.menuBar().addMenu(title)
            for entry in entries:
                if entry.separator:
                    menu.addSeparator()
                menu.addAction(actions[entry.key])
        self.themes = QActionGroup(window)
        app = QApplication.instance()
        current = app.theme if isinstance(app, Application) else "system"
        for theme, meaning in THEMES.items():
            action = self.themes.addAction(f"{theme.capitalize()} theme")
            action.setCheckable(True)
            action.setData(theme)
            action.setStatusTip(f"Set the colours of the program: {meaning}.")
            action.setChecked(theme == current)
        self.themes.triggered.connect(self._apply_theme)
        view = menus["&View"]
        first = view.actions()[0]
        view.insertActions(first, bars)
        view.insertSeparator(first)
        view.insertActions(first, self.themes.actions())
        self.of_pane = QMenu(window)  # actions for the active view
        for keys in _PANE_MENU:
            self.of_pane.addSeparator()
            self.of_pane.addActions([actions[key] for key in keys])
        self.recent = RecentMenu(settings, menus["&File"])
        menus["&File"].insertMenu(actions["save"], self.recent)

    @Slot(QAction)
    def _apply_theme(self, action: QAction) -> None:
        app = QApplication.instance()
        if isinstance(app, Application):
            app.set_theme(action.data())
            self._settings.change(theme=action.data())


class RecentMenu(QMenu):
    """The menu of recent files, updated on opening because other windows may add files."""

    chosen = Signal(object)
    """The path of a file to open; Qt's own strings change names that are not UTF-8."""

    def __init__(self, settings: SettingsFile, parent: QWidget | None = None) -> None:
        super().__init__("Open &recent", parent)
        self._settings = settings
        self.setToolTipsVisible(True)
        self.aboutToShow.connect(self.fill)
        self.triggered.connect(self._choose)

    @Slot()
    def fill(self) -> None:
        self._settings.refresh()
        self.clear()
        for number, path in enumerate(self._settings.settings.recent, 1):
            key = f"&{number}  " if number <= 9 else ""  # a digit as its key
            name = os.fsencode(path).decode(errors="replace")
            action = self.addAction(f"{key}{Path(name).name.replace('&', '&&')}")
            action.setToolTip(f"Open {name}.")
            action.setData(Path(path))
        if self.isEmpty():
            self.addAction("No recent files").setEnabled(False)
            return
        self.addSeparator()
        self.addAction("&Clear list").setToolTip("Remove all files from this list, not from disk.")

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        if action.data():
            self.chosen.emit(str(action.data()))
        else:
            self._settings.forget_recent()


_REPORT_TIME, _REFUSAL_TIME = 4000, 8000  # duration of messages and error messages in milliseconds
_GALLERY = "Click a card to open an exhibit or a lesson; Esc returns to the panes."


class StatusBar(QStatusBar):
    """The status bar, with a sentence about the active view or a temporary message."""

    def __init__(self, on_the_right: Sequence[QWidget]) -> None:
        super().__init__()
        self._view: PageView | None = None
        self._in_gallery = False
        self.sentence = CutLabel()  # the tooltip has the full text
        self.addWidget(self.sentence, 1)
        self._on_the_right = on_the_right
        for widget in on_the_right:
            self.addPermanentWidget(widget)
        self.messageChanged.connect(self.setToolTip)  # the bar truncates long messages

    def follow(self, view: PageView) -> None:
        if self._view is not None:
            self._view.status_changed.disconnect(self._show_sentence)
        self._view = view
        view.status_changed.connect(self._show_sentence)
        self._show_sentence(view.status)

    @Slot(bool)
    def show_gallery(self, is_shown: bool) -> None:
        self._in_gallery = is_shown
        if self._view is not None:
            self._show_sentence(self._view.status)

    @Slot(str)
    def _show_sentence(self, sentence: str) -> None:
        if self._in_gallery:
            sentence = _GALLERY
        self.sentence.setText(sentence)
        self.sentence.setToolTip(sentence)

    @Slot(str)
    def show_report(self, sentence: str) -> None:
        self.showMessage(sentence, _REPORT_TIME)

    @Slot(str)
    def show_refusal(self, sentence: str) -> None:
        self.showMessage(sentence, _REFUSAL_TIME)

    @Slot(object, object)
    def receive_change(self, old: Exploration, new: Exploration) -> None:
        """Clear an error message after a change of the exploration."""
        if changes(old, new):
            self.clearMessage()

    @property
    def shown_message(self) -> str:
        """The message, truncated with an ellipsis if it does not fit."""
        end = Qt.TextElideMode.ElideRight
        text, room = self.currentMessage(), self._room_for_message.width()
        return self.fontMetrics().elidedText(text, end, room)

    @property
    def _room_for_message(self) -> QRect:
        """The area of the sentence, even while the sentence is hidden."""
        right = min(widget.x() for widget in self._on_the_right if widget.isVisible())
        return self.rect().adjusted(self.sentence.x(), 0, right - 4 - self.width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the message with an ellipsis, which Qt omits from truncated messages."""
        painter = QPainter(self)
        middle = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._room_for_message, middle, self.shown_message)
        painter.end()
