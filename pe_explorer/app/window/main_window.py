"""The main window: a rail of views, panes in the centre, panels beside them, playback below."""

from __future__ import annotations

import logging

from PySide6.QtCore import QEvent, QSize, Qt, Slot
from PySide6.QtGui import QCloseEvent, QFocusEvent
from PySide6.QtWidgets import QMainWindow

from pe_explorer.app.document.document import Document
from pe_explorer.app.document.file_actions import FileActions
from pe_explorer.app.output.output import Output
from pe_explorer.app.settings.settings import SettingsFile, find_settings_path
from pe_explorer.app.window.actions import make_actions
from pe_explorer.app.window.bars import Bars, Menus, StatusBar
from pe_explorer.app.window.centre import Centre, ExhibitPoints
from pe_explorer.app.window.drop_target import DropTarget
from pe_explorer.app.window.editing import EditCommands
from pe_explorer.app.window.filter_dialog import KeysDialog
from pe_explorer.app.window.pane import OptionsPopup, Pane
from pe_explorer.app.window.places import Places
from pe_explorer.app.window.rail import Rail
from pe_explorer.app.window.right_panel import RightPanel
from pe_explorer.app.window.sides import Side, Sides
from pe_explorer.app.window.start_cards import StartCards
from pe_explorer.app.window.walks import ExhibitWalk, LessonWalk
from pe_explorer.app.window.workspace import Workspace
from pe_explorer.exploration import Panes
from pe_explorer.exploration.layer_types import MODEL_VIEWS
from pe_explorer.model import Model
from pe_explorer.model.history import History
from pe_explorer.panels.cursor import Readout
from pe_explorer.panels.encoding import EncodingPanel
from pe_explorer.panels.follower import ModelFollower
from pe_explorer.panels.transport import TransportBar
from pe_explorer.views import PageView
from pe_explorer.views.view import RenderTarget
from pe_explorer.widgets.dialogs import show_message
from pe_explorer.widgets.icons import add_picture_ratio

_LEFT_SIDE = Side("Encoding", is_left=True, width=268, min_window_width=900, is_open=True)
_RIGHT_SIDE = Side("Explain", is_left=False, width=256, min_window_width=1100, is_open=False)


class MainWindow(QMainWindow):
    """A window that shows one model in all views; see `for_picture` for `density`."""

    def __init__(
        self,
        model: Model | None = None,
        *,
        density: float | None = None,
        settings: SettingsFile | None = None,
    ) -> None:
        super().__init__()
        self.settings = settings or SettingsFile(None, self)
        self.model = model or Model(is_blocking=False)
        self.model.setParent(self)
        self._density = density
        self.history = History(self.model)
        self.editing = EditCommands(self, self.model, self.history)
        self.document = Document(self.model, self.history)
        self.files = FileActions(self, self.model, self.document, self.settings)
        self.exhibit_walk = ExhibitWalk(self.model, self.document, self.files)
        self.lesson_walk = LessonWalk(self.exhibit_walk, self.model, self.settings)
        self.output = Output(
            self,
            self.model,
            self.document,
            self.settings,
            find_active_view=self.find_active_view,
            visible_state=lambda: self.workspace.visible_state,
            make_window=MainWindow.for_picture,
        )
        last_settings = self.settings.settings
        self.workspace = Workspace(last_settings.panes or Panes(), last_settings.maximised)
        self.workspace.pane_built.connect(self._connect_pane)
        self.exhibit_points = ExhibitPoints(self.workspace, self.lesson_walk)
        self.start_cards = StartCards(self, self.settings)
        self.centre = Centre(self.start_cards, self.workspace, self.exhibit_walk, self.lesson_walk)
        self.setCentralWidget(self.centre)
        self.drop_target = DropTarget(self, self.centre, self.files.worker)
        self.rail = Rail()
        self.panel = EncodingPanel()
        self.right_panel = RightPanel(_RIGHT_SIDE.width, self.exhibit_walk, self.lesson_walk)
        self.transport = TransportBar()
        self.readout = Readout()
        self.status_bar = StatusBar((self.output.copy_progress, self.readout))
        self.setStatusBar(self.status_bar)
        self.options_popup = OptionsPopup(self)
        sides = {"encoding": (_LEFT_SIDE, self.panel), "explain": (_RIGHT_SIDE, self.right_panel)}
        self.sides = Sides(self, sides)
        self.places = Places(self, self.sides, self.workspace, self.settings)
        self._show_title()
        # Disable animations, because Qt may crash if a dock is dragged during an animation.
        self.setAnimated(False)
        # Let a click on an empty area take the focus from a field, so that typed text is applied.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setMinimumSize(QSize(800, 560))
        self.actions_by_key = make_actions(self)
        self.editing.set_actions(self.actions_by_key)
        self.sides.set_actions(self.actions_by_key)
        self.workspace.own_windows.set_actions(self.actions_by_key.values())
        self.bars = Bars(self, self.actions_by_key, self.workspace, self.rail, self.transport)
        self.menus = Menus(self, self.actions_by_key, self.bars.toggle_actions, self.settings)
        self.menus.recent.chosen.connect(self.files.open_file)
        self._connect()
        panels = self.panel, self.right_panel, self.transport, self.readout
        self.followers: tuple[ModelFollower, ...] = (self.workspace, self.options_popup, *panels)
        for follower in self.followers:
            follower.attach(self.model)
        self.actions_by_key["loop"].setChecked(self.model.playhead.is_looping)
        self.model.playhead.is_stepwise = last_settings.stepwise
        self.actions_by_key["stepwise"].setChecked(last_settings.stepwise)
        self.places.begin(self.bars)
        self.centre.take_focus()

    @classmethod
    def for_picture(cls, model: Model, density: float) -> MainWindow:
        """Return a window to draw into an image, with `density` device pixels per pixel.

        The code that draws the image also computes the pictures of the views.
        """
        add_picture_ratio(density)
        return cls(model, density=density)

    @Slot(object)
    def _connect_pane(self, pane: Pane) -> None:
        pane.view.target = RenderTarget(self._density, is_for_export=self._density is not None)
        pane.view.locate_requested.connect(self.panel.locate)
        self.readout.values_changed.connect(pane.view.show_at_mouse)
        pane.options_requested.connect(self.options_popup.open_for)
        pane.menu_requested.connect(self.menus.pane_menu.popup)

    def _connect(self) -> None:
        sources = self.model, self.panel, self.right_panel, self.transport, self.centre.strip
        for source in sources:
            source.refused.connect(self.status_bar.show_error)
        for reporter in (self.files, self.output, self.editing, self.right_panel):
            reporter.reported.connect(self.status_bar.show_report)
        self.model.changed.connect(self.status_bar.receive_change)
        self.model.playhead.stepwise_changed.connect(self._store_stepwise_setting)
        self.settings.noticed.connect(self.status_bar.show_error)
        for slot in (self._show_title, self.start_cards.dismiss, self.centre.show_panes):
            self.document.title_changed.connect(slot)
        self.drop_target.dropped.connect(self.files.open_file)
        self.panel.settled.connect(self.status_bar.clearMessage)
        self.lesson_walk.guess_pending_changed.connect(self.panel.note.setHidden)
        self.panel.finished.connect(self.centre.take_focus)
        self.sides.folded.connect(self.centre.take_focus)
        self.rail.chosen.connect(self.centre.show_view)
        self.rail.gallery_button.clicked.connect(self.centre.toggle_gallery)
        for bar in (self.rail, self.status_bar):
            self.centre.gallery_shown.connect(bar.set_gallery_shown)
        self.exhibit_walk.opened.connect(self.right_panel.show_explanation)
        self.model.changed.connect(self.centre.receive_change)
        self.workspace.shown_views_changed.connect(self._show_views)
        self.workspace.active_view_changed.connect(self._show_views)
        for panel in (self.right_panel, self.readout):
            self.workspace.active_view_changed.connect(panel.show_view)
        self.panel.requested.connect(self.sides.open)
        self.right_panel.requested.connect(self.sides.open)
        self.right_panel.view_requested.connect(self.centre.show_option)
        self.right_panel.parameter_requested.connect(self.panel.go_to)
        self.actions_by_key["model"].setEnabled(False)
        self.right_panel.model_described.connect(self.actions_by_key["model"].setEnabled)
        self.files.configuration_found.connect(self._make_space_for_model)
        self.files.figure_opened.connect(self.output.export_figure)
        self.files.configuration_opened.connect(self.right_panel.select_model_page)
        for signal in (self.files.model_expected, self.drop_target.configuration_dragged):
            signal.connect(self._prepare_for_model)
        self.workspace.shown_views_changed.connect(self.sides.make_space)
        self.right_panel.page_changed.connect(self.sides.set_title)
        self.workspace.chip_shown.connect(self.transport.hide_repeated_chip)

    @Slot(str)
    def warn(self, sentence: str) -> None:
        """Log that backups fail, and show a message that the user has to close."""
        logging.getLogger(__name__).warning("%s", sentence)
        show_message(self, "Unsaved changes are not being backed up", sentence)

    @Slot(bool)
    def _store_stepwise_setting(self, stepwise: bool) -> None:
        self.settings.change(stepwise=stepwise)

    @Slot()
    def open_palette(self) -> None:
        from pe_explorer.app.window.palette import PaletteDialog, list_entries

        PaletteDialog(self, list_entries(self)).open()

    @Slot()
    def show_keys(self) -> None:
        KeysDialog(self).open()

    @Slot()
    def show_about(self) -> None:
        from pe_explorer.app.trouble.about import show_about

        show_about(self, self.model.state, {"settings": find_settings_path()})

    @Slot()
    def _show_title(self) -> None:
        self.setWindowTitle(self.document.title)
        self.setWindowModified(self.document.is_modified)

    @Slot()
    def _show_views(self) -> None:
        active = self.find_active_view()
        self.rail.show_views(self.workspace.shown_views, active.picture.name)
        self.status_bar.follow(active)

    @Slot()
    def _prepare_for_model(self) -> None:
        """Create the widgets for a model before its file is shown."""
        self.right_panel.pages()
        self.sides.prepare("explain")
        for name in MODEL_VIEWS:
            self.workspace.pane(name)

    @Slot()
    def _make_space_for_model(self) -> None:
        """Open the right panel before the pictures are drawn, so that they are drawn only once."""
        if not self.sides.is_drawer("explain"):
            self.right_panel.await_model()
        self.sides.open_as_dock("explain")
        self.sides.lay_out()

    def view(self, name: str) -> PageView:
        return self.workspace.pane(name).view

    def find_active_view(self) -> PageView:
        return self.workspace.active

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Pass the focus to the centre, because the clicked widget may not accept it."""
        super().focusInEvent(event)
        self.centre.take_focus()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.model.check_files()

    def leave(self) -> None:
        self.files.leave()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.files.can_close():
            event.ignore()
            return
        if self.isVisible():  # a window drawn into an image is not visible
            self.places.store()
        self.output.close()
        for action in self.actions_by_key.values():
            action.setEnabled(False)  # the objects behind the actions are about to be deleted
        self.rail.setEnabled(False)
        for follower in self.followers:
            # Detach before deleting the model, because a field with typed text may still change it.
            follower.detach()
        self.model.emit_changes()
        self.files.close()
        self.document.close()
        self.model.close()
        super().closeEvent(event)
