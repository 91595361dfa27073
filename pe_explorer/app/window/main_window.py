"""The main window: the heatmap in the middle, docks around it, the transport bar below."""

from __future__ import annotations

import logging

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QToolBar, QWidget

from pe_explorer import views
from pe_explorer.app.document.document import Document
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.document.recent import RecentMenu
from pe_explorer.app.output.output import Output
from pe_explorer.app.settings.settings import settings_path
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.app.trouble.about import show_about
from pe_explorer.app.window.actions import fill_menus, fill_toolbar, make_actions
from pe_explorer.app.window.arrangement import Arrangement
from pe_explorer.app.window.docks import add_docks
from pe_explorer.app.window.keys_dialog import KeysDialog
from pe_explorer.app.window.navigation import Navigation
from pe_explorer.app.window.status_bar import StatusBar
from pe_explorer.app.window.undoing import Undoing
from pe_explorer.app.window.view_menu import Themes, fill_view_menu
from pe_explorer.model import Model
from pe_explorer.model.history import History
from pe_explorer.panels.encoding import EncodingPanel
from pe_explorer.panels.follower import Follower
from pe_explorer.panels.inspector import Inspector
from pe_explorer.panels.readout import Readout
from pe_explorer.panels.transport import TransportBar
from pe_explorer.views.view import Target, View
from pe_explorer.widgets.messages import show_message

__all__ = ["MainWindow"]

_CENTRE = "heatmap"
_SIZE = QSize(1280, 800)  # at first
_FRAME = QSize(4, 32)  # what a window manager puts around it
_TITLE = "PE Explorer"


class MainWindow(QMainWindow):
    """Shows one model in all views.

    With `density`, device pixels per pixel, it is drawn into a picture: what draws it also drives
    its views.
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
        self.model = model or Model(waits=False)
        self.model.setParent(self)
        self._make_controllers()
        self._make_panels(density)
        self.setWindowTitle(_TITLE)
        self.setDockNestingEnabled(True)
        self.setAnimated(False)  # Qt may crash where a dragged dock is moved before it has arrived
        self.setAcceptDrops(True)
        self._make_docks()
        self.actions_by_key = make_actions(self)
        self.undoing.set_actions(self.actions_by_key)
        self._make_bars()
        self._make_menus()
        for follower in self.followers:
            follower.attach(self.model)
        self._connect()
        self._show_loop()
        room = self.screen().availableSize() - _FRAME
        self.resize(_SIZE.boundedTo(room))
        self.arrangement.begin()
        self.views[_CENTRE].setFocus()

    @classmethod
    def for_picture(cls, model: Model, density: float) -> MainWindow:
        """Return a window to be drawn into a picture, `density` device pixels per pixel."""
        return cls(model, density=density)

    # -- its parts ---------------------------------------------------------------------------

    def _make_controllers(self) -> None:
        """Make what the actions call."""
        self.history = History(self.model)
        self.navigation = Navigation(self.model)
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

    def _make_panels(self, density: float | None) -> None:
        """Make the views, and what stands around them."""
        self.views: dict[str, View] = {name: views.find(name)() for name in views.names()}
        self.panel = EncodingPanel()
        self.inspector = Inspector()
        self.transport = TransportBar()
        self.readout = Readout()
        for view in self.views.values():
            view.target = Target(density, driven=density is not None)
            view.locate_asked.connect(self.panel.locate)
        right = (self.output.copying.notice, self.readout)
        self.status_bar = StatusBar(list(self.views.values()), right)
        self.setStatusBar(self.status_bar)
        panels = (self.panel, self.inspector, self.transport, self.readout)
        self.followers: list[View | Follower] = [*self.views.values(), *panels]

    def _connect(self) -> None:
        for refusing in (self.model, self.panel, self.inspector, self.transport):
            refusing.refused.connect(self.status_bar.show_refusal)
        for reporter in (self.files, self.output, self.undoing):
            reporter.reported.connect(self.status_bar.show_report)
        self.model.changed.connect(self.status_bar.receive_change)
        self.model.playhead.settings_changed.connect(self._show_loop)
        self.settings.noticed.connect(self.status_bar.show_refusal)
        self.document.renamed.connect(self._show_title)

    def _make_docks(self) -> None:
        self.setCentralWidget(self.views[_CENTRE])
        contents: dict[str, tuple[str, QWidget]] = {
            "encoding": ("Encoding", self.panel),
            "inspector": ("Inspector", self.inspector),
        }
        for name, view in self.views.items():
            if name != _CENTRE:
                contents[name] = (view.picture.title, view)
        self.docks = add_docks(self, contents)
        self.arrangement = Arrangement(self, self.docks, self.settings)

    def _make_bars(self) -> None:
        self.toolbar = self._add_bar("Toolbar", Qt.ToolBarArea.TopToolBarArea)
        self.toolbar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.toolbar.setIconSize(QSize(16, 16))
        fill_toolbar(self.toolbar, self.actions_by_key)
        self.transport_bar = self._add_bar("Transport", Qt.ToolBarArea.BottomToolBarArea)
        self.transport_bar.addWidget(self.transport)

    def _add_bar(self, title: str, area: Qt.ToolBarArea) -> QToolBar:
        bar = QToolBar(title, self)
        bar.setObjectName(title.lower())
        self.addToolBar(area, bar)
        return bar

    def _make_menus(self) -> None:
        menus = fill_menus(self, self.actions_by_key)
        toggles = [dock.toggleViewAction() for dock in self.docks.values()]
        toggles += [bar.toggleViewAction() for bar in (self.toolbar, self.transport_bar)]
        self.themes = Themes(self, self.settings)
        fill_view_menu(menus["&View"], toggles, self.themes.actions())
        self.recent = RecentMenu(self.settings, menus["&File"])
        self.recent.chosen.connect(self.files.open_file)
        menus["&File"].insertMenu(self.actions_by_key["save"], self.recent)
        self.actions_by_key["loop"].setCheckable(True)

    # -- what it shows -----------------------------------------------------------------------

    @Slot(str)
    def warn(self, sentence: str) -> None:
        """Show that backups fail, in a message that has to be closed."""
        logging.getLogger(__name__).warning("%s", sentence)
        show_message(self, "Unsaved changes are not being backed up", sentence)

    @Slot()
    def _show_title(self) -> None:
        document = self.document
        title = _TITLE
        if document.modified or document.saved.path is not None:
            # Qt shows [*] as the mark of unsaved changes, and [*][*] as [*].
            name = document.name.replace("[*]", "[*][*]")
            title = f"{name}[*] — {_TITLE}"
        self.setWindowTitle(title)
        self.setWindowModified(document.modified)

    @Slot()
    def _show_loop(self) -> None:
        self.actions_by_key["loop"].setChecked(self.model.playhead.loop)

    # -- actions, by the names in the table ----------------------------------------------------

    @Slot()
    def show_keys(self) -> None:
        """List what the keyboard and the mouse do."""
        KeysDialog(self).open()

    @Slot()
    def show_about(self) -> None:
        """Show versions, licences and where the log is."""
        path = settings_path() or "nowhere"
        show_about(self, self.model.state, {"settings": path})

    def focused_view(self) -> View:
        """Return the view that has the focus, or the one in the middle."""
        focus = QApplication.focusWidget()
        for view in self.views.values():
            if focus is not None and (view is focus or view.isAncestorOf(focus)):
                return view
        return self.views[_CENTRE]

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event):
            # Whatever was proposed: a file that was moved would be deleted by its owner.
            event.setDropAction(Qt.DropAction.CopyAction)
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
        if self.isVisible():  # a window drawn into a picture is not
            self.arrangement.remember()
        self.output.close()
        for follower in self.followers:
            follower.detach()  # while there is a model: a field in edit may still change it
        self.model.announce()
        self.files.close()
        self.document.close()
        self.model.close()
        super().closeEvent(event)


def _dropped(event: QDropEvent) -> str:
    """Return the one local file that is dropped and may be copied, or an empty text."""
    files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
    may_copy = event.possibleActions() & Qt.DropAction.CopyAction
    return files[0] if len(files) == 1 and may_copy else ""
