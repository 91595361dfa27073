"""Menus and bars: the toolbar, the rail, the transport bar and the status bar."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QAction, QActionGroup, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QMenu, QStatusBar, QToolBar, QWidget

from pe_explorer.app.application import Application
from pe_explorer.app.settings.settings import Place, SettingsFile
from pe_explorer.app.window.actions import MENUS
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.colours.themes import THEMES
from pe_explorer.exploration import Exploration, changes
from pe_explorer.exploration.panes import ARRANGEMENTS
from pe_explorer.views import PageView
from pe_explorer.widgets.icons import REDRAW_EVENTS, icon
from pe_explorer.widgets.labels import ElidedLabel

_PANEL_ICONS = {"encoding": "panel-left", "explain": "panel-right"}  # icons by action
_AREAS = {
    "top": Qt.ToolBarArea.TopToolBarArea,
    "left": Qt.ToolBarArea.LeftToolBarArea,
    "right": Qt.ToolBarArea.RightToolBarArea,
    "bottom": Qt.ToolBarArea.BottomToolBarArea,
}
_PANE_ACTIONS = (
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
        self._arrangement_group = QActionGroup(self)
        for name in ARRANGEMENTS:
            action = self._arrangement_group.addAction(actions[name])
            action.setData(name)
            action.setCheckable(True)
        self._arrangement_group.triggered.connect(self._arrange)
        workspace.shown_views_changed.connect(self._show_arrangement)
        self.top = self._add_bar("Toolbar", "top")
        self.top.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        for entries in MENUS.values():
            toolbar_actions = [actions[entry.key] for entry in entries if entry.is_in_toolbar]
            if toolbar_actions and self.top.actions():
                self.top.addSeparator()  # between actions of different menus
            self.top.addActions(toolbar_actions)
        gap = QWidget()  # expands, so that the following widgets are at the right end
        policy = gap.sizePolicy().Policy
        gap.setSizePolicy(policy.Expanding, policy.Preferred)
        self.top.addWidget(gap)
        self.panes = self._add_bar("Panes", "top")
        self.panes.addActions(self._arrangement_group.actions())
        self.panes.addSeparator()
        self.panes.addActions([actions[name] for name in _PANEL_ICONS])
        views = self._add_bar("Views", "left")
        views.addWidget(rail)
        views.setMovable(False)
        if (layout := views.layout()) is not None:
            layout.setContentsMargins(0, 0, 0, 0)
        self.transport = self._add_bar("Transport", "bottom")
        self.transport.addWidget(transport)
        bars = (self.top, self.panes, self.transport)
        self._movable_bars = {bar.objectName(): bar for bar in bars}
        self.toggle_actions = [bar.toggleViewAction() for bar in bars]
        self._update_icons()
        window.installEventFilter(self)

    @property
    def places(self) -> dict[str, Place]:
        areas, places = {area: name for name, area in _AREAS.items()}, {}
        for name, bar in self._movable_bars.items():
            words = areas[self._window.toolBarArea(bar)], "hidden" if bar.isHidden() else "shown"
            places[name] = Place((bar.x(), bar.y()), words)
        return places

    def move_to(self, places: Mapping[str, Place]) -> None:
        names = places.keys() & self._movable_bars.keys()
        last_row: tuple[str, int] | None = None
        for name in sorted(names, key=lambda name: _find_row_and_index(places[name])):
            bar, (area, visibility) = self._movable_bars[name], places[name].words
            row = _find_row_and_index(places[name])[:2]
            self._window.removeToolBarBreak(bar)
            if last_row is not None and last_row[0] == area and last_row != row:
                self._window.addToolBarBreak(_AREAS[area])
            self._window.addToolBar(_AREAS[area], bar)
            bar.setVisible(visibility == "shown")
            last_row = row

    @Slot(QAction)
    def _arrange(self, action: QAction) -> None:
        self._workspace.arrange(action.data())
        self._show_arrangement()

    @Slot()
    def _show_arrangement(self) -> None:
        for action in self._arrangement_group.actions():
            action.setChecked(action.data() == self._workspace.arrangement)

    def _add_bar(self, title: str, area: str) -> QToolBar:
        bar = QToolBar(title, self._window, iconSize=QSize(16, 16), floatable=False)
        bar.setObjectName(title.lower())
        self._window.addToolBar(_AREAS[area], bar)
        return bar

    def _update_icons(self) -> None:
        palette = self._window.palette()
        for action in self._arrangement_group.actions():
            action.setIcon(icon(f"panes-{action.data()}", palette))
        for name, file in _PANEL_ICONS.items():
            self._actions[name].setIcon(icon(file, palette))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in REDRAW_EVENTS and watched is self._window:
            self._update_icons()
        return super().eventFilter(watched, event)


def _find_row_and_index(place: Place) -> tuple[str, int, int]:
    """Return a bar's window edge, its row counted from the edge, and its index in the row."""
    (x, y), (area, _) = place.pixels, place.words
    sign = -1 if area in ("right", "bottom") else 1
    return (area, sign * y, x) if area in ("top", "bottom") else (area, sign * x, y)


class Menus(QObject):
    """The menu bar of a window, with the actions of `MENUS`, the themes and the recent files."""

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
            action = QAction(f"{theme.capitalize()} theme", self.themes, checkable=True)
            action.setData(theme)
            action.setStatusTip(f"Set the colours of the program: {meaning}.")
            action.setChecked(theme == current)
        self.themes.triggered.connect(self._set_theme)
        view = menus["&View"]
        first = view.actions()[0]
        view.insertActions(first, bars)
        view.insertSeparator(first)
        view.insertActions(first, self.themes.actions())
        self.pane_menu = QMenu(window)  # actions for the active view
        for keys in _PANE_ACTIONS:
            self.pane_menu.addSeparator()
            self.pane_menu.addActions([actions[key] for key in keys])
        self.recent = RecentMenu(settings, menus["&File"])
        menus["&File"].insertMenu(actions["save"], self.recent)

    @Slot(QAction)
    def _set_theme(self, action: QAction) -> None:
        if isinstance(app := QApplication.instance(), Application):
            app.set_theme(action.data())
            self._settings.change(theme=action.data())


class RecentMenu(QMenu):
    """The menu of recent files, updated on opening because other windows may add files."""

    chosen = Signal(object)
    """The path of a file to open; not a string, because Qt alters names that are not UTF-8."""

    def __init__(self, settings: SettingsFile, parent: QWidget) -> None:
        super().__init__("Open &recent", parent, toolTipsVisible=True)
        self._settings = settings
        self.aboutToShow.connect(self.fill)
        self.triggered.connect(self._choose)

    @Slot()
    def fill(self) -> None:
        self._settings.refresh()
        self.clear()
        for number, path in enumerate(self._settings.settings.recent, 1):
            mnemonic = f"&{number}  " if number <= 9 else ""
            name = os.fsencode(path).decode(errors="replace")
            action = self.addAction(f"{mnemonic}{Path(name).name.replace('&', '&&')}")
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
            self._settings.forget_recent_files()


_MESSAGE_TIME, _ERROR_TIME = 4000, 8000  # duration of messages and error messages in milliseconds
_GALLERY_HELP = "Click a card to open an exhibit or a lesson; Esc returns to the panes."


class StatusBar(QStatusBar):
    """The status bar, with a sentence about the active view or a temporary message."""

    def __init__(self, right_widgets: Sequence[QWidget]) -> None:
        super().__init__()
        self._view: PageView | None = None
        self._is_in_gallery = False
        self.sentence = ElidedLabel()  # the tooltip has the full text
        self.addWidget(self.sentence, 1)
        self._right_widgets = right_widgets
        for widget in right_widgets:
            self.addPermanentWidget(widget)
        self.messageChanged.connect(self.setToolTip)  # the bar truncates long messages

    def follow(self, view: PageView) -> None:
        if self._view is not None:
            self._view.status_changed.disconnect(self._show_sentence)
        self._view = view
        view.status_changed.connect(self._show_sentence)
        self._show_sentence(view.status)

    @Slot(bool)
    def set_gallery_shown(self, is_shown: bool) -> None:
        self._is_in_gallery = is_shown
        if self._view is not None:
            self._show_sentence(self._view.status)

    @Slot(str)
    def _show_sentence(self, sentence: str) -> None:
        text = _GALLERY_HELP if self._is_in_gallery else sentence
        self.sentence.setText(text)
        self.sentence.setToolTip(text)

    @Slot(str)
    def show_report(self, sentence: str) -> None:
        self.showMessage(sentence, _MESSAGE_TIME)

    @Slot(str)
    def show_error(self, sentence: str) -> None:
        self.showMessage(sentence, _ERROR_TIME)

    @Slot(object, object)
    def receive_change(self, old: Exploration, new: Exploration) -> None:
        """Clear an error message after a change of the exploration."""
        if changes(old, new):
            self.clearMessage()

    @property
    def shown_message(self) -> str:
        """The message, truncated with an ellipsis if it does not fit."""
        text, width = self.currentMessage(), self._message_rect.width()
        return self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)

    @property
    def _message_rect(self) -> QRect:
        """The area of the sentence, even while the sentence is hidden."""
        right = min(widget.x() for widget in self._right_widgets if widget.isVisible())
        return self.rect().adjusted(self.sentence.x(), 0, right - 4 - self.width(), 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the message with an ellipsis, which Qt omits from truncated messages."""
        painter = QPainter(self)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self._message_rect, flags, self.shown_message)
        painter.end()
