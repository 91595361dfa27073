"""The main window: the heat map in the middle, docks around it, the transport bar below."""

from __future__ import annotations

import logging

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QMenu, QToolBar, QWidget

from pe_explorer import views
from pe_explorer.app.application import Application
from pe_explorer.app.document.document import Document
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.document.recent import RecentMenu
from pe_explorer.app.encoding_dock import EncodingPanel
from pe_explorer.app.output.output import Output
from pe_explorer.app.settings.settings import Layout, settings_path
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.trouble.about import show_about
from pe_explorer.app.window.actions import fill_menus, fill_toolbar, make_actions
from pe_explorer.app.window.keys_dialog import KeysDialog
from pe_explorer.app.window.navigation import Navigation
from pe_explorer.app.window.undoing import Undoing
from pe_explorer.colours.themes import THEMES
from pe_explorer.exploration import changes
from pe_explorer.model import Exploration, Model
from pe_explorer.model.history import History
from pe_explorer.panels.follower import Follower
from pe_explorer.panels.inspector import Inspector
from pe_explorer.panels.readout import Readout
from pe_explorer.panels.transport import TransportBar
from pe_explorer.views.base import View
from pe_explorer.widgets.cut_label import CutLabel
from pe_explorer.widgets.messages import tell

__all__ = ["MainWindow"]

_CENTRE = "heatmap"
_SIZE, _FRAME = QSize(1280, 800), QSize(4, 32)  # at first, and what a window manager puts around it
_TITLE = "PE Explorer"
_TOLD = 4000  # milliseconds for what was done
_AREAS = {
    "encoding": Qt.DockWidgetArea.LeftDockWidgetArea,
    "inspector": Qt.DockWidgetArea.RightDockWidgetArea,
}
"""Where docks are at first; all others are at the bottom."""


class MainWindow(QMainWindow):
    """Shows one model in all views.

    With `density`, device pixels per pixel, it is there to be drawn into a picture: its views
    are driven by what draws it.
    """

    def __init__(
        self,
        model: Model | None = None,
        *,
        density: float | None = None,
        settings: SettingsFile | None = None,
    ) -> None:
        super().__init__()
        self.settings = settings or SettingsFile(None, self)
        self.model = model or Model(options=views.default_options(), waits=False)
        self.model.setParent(self)
        self.history, self.navigation = History(self.model), Navigation(self.model)
        self.document = Document(self.model, self.history)
        self.files = FileActions(self, self.model, self.document, self.settings)
        self.output = Output(
            self,
            self.model,
            self.document,
            self.settings,
            focused=self.focused_view,
            make_window=MainWindow.for_picture,
        )
        self.undoing = Undoing(self, self.model, self.history)
        self.setWindowTitle(_TITLE)
        self.setDockNestingEnabled(True)
        self.setAnimated(False)  # Qt may crash where a dragged dock is moved before it has arrived
        self.setAcceptDrops(True)
        self.views: dict[str, View] = {name: views.find(name)() for name in views.names()}
        self.panel, self.inspector, self.transport = EncodingPanel(), Inspector(), TransportBar()
        self.docks: dict[str, QDockWidget] = {}
        self.actions_by_key = make_actions(self)
        self.undoing.name(self.actions_by_key)
        self.setCentralWidget(self.views[_CENTRE])
        self._make_docks()
        self._make_bars()
        for view in self.views.values():
            view.density, view.driven = density, density is not None
            view.status_changed.connect(self._show_status)
            view.locate_asked.connect(self.panel.locate)
        self.followers: list[View | Follower] = [
            *self.views.values(),
            self.panel,
            self.inspector,
            self.transport,
            self.readout,
        ]
        for follower in self.followers:
            follower.attach(self.model)
        self._connect()
        self._show_loop()
        self.resize(_SIZE.boundedTo(self.screen().availableSize() - _FRAME))
        self._arrange()
        self._first_layout = self.saveState()
        self.views[_CENTRE].setFocus()

    @classmethod
    def for_picture(cls, model: Model, density: float) -> MainWindow:
        """Return a window to be drawn into a picture, `density` device pixels per pixel."""
        return cls(model, density=density)

    # -- what it is made of ------------------------------------------------------------------

    def _connect(self) -> None:
        for refusing in (self.model, self.panel, self.inspector, self.transport):
            refusing.refused.connect(self._refuse)
        self.model.changed.connect(self._accept)
        self.settings.noticed.connect(self._refuse)
        self.document.renamed.connect(self._entitle)
        for reporter in (self.files, self.output, self.undoing):
            reporter.reported.connect(self._tell)
        self.model.playhead.settings_changed.connect(self._show_loop)

    def _make_docks(self) -> None:
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self._dock("encoding", "Encoding", self.panel)
        self._dock("inspector", "Inspector", self.inspector)
        for name, view in self.views.items():
            if name != _CENTRE:
                self._dock(name, view.title, view)

    def _dock(self, name: str, title: str, content: QWidget) -> None:
        dock = QDockWidget(title, self)
        dock.setObjectName(f"dock.{name}")
        content.setAutoFillBackground(True)  # so that a change in it does not repaint the dock
        dock.setWidget(content)
        self.docks[name] = dock
        self.addDockWidget(_AREAS.get(name, Qt.DockWidgetArea.BottomDockWidgetArea), dock)

    def _make_bars(self) -> None:
        bar = QToolBar("Toolbar", self)
        bar.setObjectName("toolbar")
        bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        bar.setIconSize(QSize(16, 16))
        fill_toolbar(bar, self.actions_by_key)
        self.addToolBar(bar)
        below = QToolBar("Transport", self)
        below.setObjectName("transport")
        below.addWidget(self.transport)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, below)
        self.readout = Readout()
        self.sentence = CutLabel()  # the tooltip has it whole
        self.statusBar().addWidget(self.sentence, 1)
        self.statusBar().addPermanentWidget(self.output.copying.notice)
        self.statusBar().addPermanentWidget(self.readout)
        menus = fill_menus(self, self.actions_by_key)
        self._fill_view_menu(menus["&View"])
        self.recent = RecentMenu(self.settings, menus["&File"])
        self.recent.chosen.connect(self.files.open_file)
        menus["&File"].insertMenu(self.actions_by_key["save"], self.recent)
        self.actions_by_key["loop"].setCheckable(True)

    def _fill_view_menu(self, menu: QMenu) -> None:
        first = menu.actions()[0]
        for dock in self.docks.values():
            menu.insertAction(first, dock.toggleViewAction())
        for bar in self.findChildren(QToolBar, options=Qt.FindChildOption.FindDirectChildrenOnly):
            menu.insertAction(first, bar.toggleViewAction())
        menu.insertSeparator(first)
        self.themes = QActionGroup(self)
        for theme, meaning in THEMES.items():
            action = self.themes.addAction(f"{theme.capitalize()} theme")
            action.setCheckable(True)
            action.setData(theme)
            action.setStatusTip(f"Colours: {meaning}.")
            action.setChecked(theme == _application_theme())
            menu.insertAction(first, action)
        self.themes.triggered.connect(self._set_theme)

    def _arrange(self) -> None:
        docks = self.docks
        bottom = [docks[name] for name in self.views if name != _CENTRE]
        self.resizeDocks(
            [docks["encoding"], docks["inspector"]], [286, 282], Qt.Orientation.Horizontal
        )
        self.resizeDocks(bottom, [330] * len(bottom), Qt.Orientation.Vertical)
        self.resizeDocks(
            bottom, [2, 3][: len(bottom)] + [3] * (len(bottom) - 2), Qt.Orientation.Horizontal
        )

    # -- what it tells -----------------------------------------------------------------------

    @Slot(str)
    def _show_status(self, sentence: str) -> None:
        told = [view.status for view in self.views.values() if view.isVisible() and view.status]
        self.sentence.setText("   ".join(told))
        self.sentence.setToolTip("\n".join(told))

    @Slot(object, object)
    def _accept(self, old: Exploration, new: Exploration) -> None:
        if changes(old, new):
            self.statusBar().clearMessage()  # what was refused has been put right

    @Slot(str)
    def _refuse(self, sentence: str) -> None:
        self.statusBar().showMessage(sentence, 8000)

    @Slot(str)
    def warn(self, sentence: str) -> None:
        """Say what must not be overlooked."""
        logging.getLogger(__name__).warning("%s", sentence)
        tell(self, "Nothing is kept at the moment", sentence)

    @Slot(str)
    def _tell(self, sentence: str) -> None:
        self.statusBar().showMessage(sentence, _TOLD)

    @Slot()
    def _entitle(self) -> None:
        document = self.document
        named = document.modified or document.saved.path is not None
        name = document.name.replace(
            "[*]", "[*][*]"
        )  # twice is once, and no mark of what is unsaved
        self.setWindowTitle(f"{name}[*] — {_TITLE}" if named else _TITLE)
        self.setWindowModified(document.modified)

    @Slot()
    def _show_loop(self) -> None:
        self.actions_by_key["loop"].setChecked(self.model.playhead.loop)

    # -- actions, by the names in the table ----------------------------------------------------

    @Slot()
    def quit(self) -> None:
        """Close the window."""
        self.close()

    def restore_layout(self) -> None:
        """Put window and docks where they were at the last end."""
        layout = self.settings.settings.layout
        if layout:
            layout.restore(self)

    @Slot()
    def reset_layout(self) -> None:
        """Put all docks back."""
        self.restoreState(self._first_layout)
        self._arrange()

    @Slot()
    def full_screen(self) -> None:
        """Fill the screen, or stop doing so."""
        self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)

    @Slot()
    def show_shortcuts(self) -> None:
        """List what the keyboard and the mouse do."""
        KeysDialog(self).open()

    @Slot()
    def show_about(self) -> None:
        """Tell versions, licences and where the log is."""
        show_about(self, self.model.state, {"settings": settings_path() or "nowhere"})

    def focused_view(self) -> View:
        """Return the view that has the focus, or the one in the middle."""
        focus = QApplication.focusWidget()
        holding = (
            view
            for view in self.views.values()
            if focus is not None and (view is focus or view.isAncestorOf(focus))
        )
        return next(holding, self.views[_CENTRE])

    @Slot(object)
    def _set_theme(self, action: object) -> None:
        app = QApplication.instance()
        if isinstance(app, Application):
            app.set_theme(action.data())  # type: ignore[attr-defined]
            self.settings.change(theme=action.data())  # type: ignore[attr-defined]

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event):
            event.setDropAction(
                Qt.DropAction.CopyAction
            )  # whatever was proposed: nobody may take it for moved
            event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        if path := _dropped(event):
            event.setDropAction(Qt.DropAction.CopyAction)
            event.accept()
            self.files.open_file(path)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.model.look_at_files()

    def leave(self) -> None:
        """Close without a question; what is unsaved is offered at the next start."""
        self.files.leave()
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.files.may_close():
            event.ignore()
            return
        if self.isVisible():  # not one that is there to be drawn
            self.settings.change(layout=Layout.of(self))
        self.output.close()
        for follower in (
            self.followers
        ):  # before the model ends, as a field in edit may still say something to the model
            follower.detach()
        self.model.announce()
        self.files.close()
        self.document.close()
        self.model.close()
        super().closeEvent(event)


def _dropped(event: QDropEvent) -> str:
    """Return the one local file that is dropped, and may be copied, or an empty text."""
    files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    return (
        files[0] if len(files) == 1 and event.possibleActions() & Qt.DropAction.CopyAction else ""
    )


def _application_theme() -> str:
    app = QApplication.instance()
    return app.theme if isinstance(app, Application) else "system"
