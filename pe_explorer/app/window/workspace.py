"""The views of a window, in panes and in separate windows."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import pictures, views
from pe_explorer.app.settings.settings import Place
from pe_explorer.app.window.own_windows import OwnWindows
from pe_explorer.app.window.pane import Pane
from pe_explorer.exploration import Exploration, Panes, ResolvedState, panes
from pe_explorer.model import Model
from pe_explorer.panels.follower import ModelFollower
from pe_explorer.views import PageView
from pe_explorer.views.clocks import ClocksView
from pe_explorer.widgets.layouts import lay_out_column
from pe_explorer.widgets.splits import SplitLayout


class Workspace(ModelFollower):
    """The panes of a model's exploration; each view is created when it is first shown.

    A hidden view does not follow the model, so that an edit updates only visible views.
    """

    active_view_changed = Signal(str)  # name of the view that has become active
    shown_views_changed = Signal()  # the set of visible views has changed
    chip_shown = Signal(bool)  # whether a pane shows a chip
    pane_built = Signal(object)  # the new pane

    def __init__(self, initial_panes: Panes, maximised: bool) -> None:
        """Create a workspace; if an exploration has no panes, it gets the initial panes."""
        super().__init__()
        self._initial_panes = self._shown_panes = initial_panes
        self.maximised = maximised  # whether the active pane hides the other panes
        self._is_arranging = False  # whether panes are being arranged
        self._panes: dict[str, Pane] = {}
        self._active_name = ""
        # Update the chips once per change, so that no chip flickers.
        self._chip_timer = QTimer(self, singleShot=True, interval=0)
        self._chip_timer.timeout.connect(self._hide_repeated_chips)
        self.own_windows = OwnWindows(self)
        self.own_windows.closed.connect(self._show)
        self.splits = SplitLayout()
        lay_out_column(self, self.splits)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_focus)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._receive_change)]

    def synchronise(self) -> None:
        if self.model.state.panes is None:
            self.model.set(panes=self._initial_panes)
        self._show()

    def detach(self) -> None:
        for pane in self._panes.values():
            pane.detach()
            pane.blockSignals(True)  # a menu of the pane may still be open
        for name in self.own_windows.names:
            self.own_windows.take_back(name)
        self._chip_timer.stop()
        super().detach()

    @property
    def built_views(self) -> Mapping[str, PageView]:
        return {name: pane.view for name, pane in self._panes.items()}

    @property
    def shown_views(self) -> tuple[str, ...]:
        names = (self.panes.active,) if self.maximised else self.panes.views
        return (*names, *self.own_windows.names)

    @property
    def active(self) -> PageView:
        return self.pane(self._active_name).view

    @property
    def visible_state(self) -> ResolvedState:
        """A state that reproduces the pictures on the screen in figures of any size."""
        state = self.model.state
        for name in self.shown_views:
            state = self.pane(name).view.visible_state(state)
        return state

    @property
    def arrangement(self) -> str:
        return "one" if self.maximised else self.panes.arrangement

    @property
    def panes(self) -> Panes:
        panes = self.model.state.panes
        assert panes is not None
        return panes

    def pane(self, name: str) -> Pane:
        """Return the pane of a view, created on first use."""
        if name not in self._panes:
            pane = self._panes[name] = Pane(views.find(name)())
            pane.activated.connect(self.activate)
            pane.replacement_requested.connect(self._replace_view)
            pane.maximise_requested.connect(self._toggle_maximised)
            pane.own_window_requested.connect(self._toggle_own_window)
            pane.chip.changed.connect(self._chip_timer.start)
            if isinstance(pane.view, ClocksView):
                pane.view.columns_changed.connect(self._mark_columns)
            self.pane_built.emit(pane)
        return self._panes[name]

    @Slot(str, bool)
    def show_view(self, name: str, should_add_pane: bool = False) -> None:
        """Show a view in the active pane or in a new pane, or activate it if already visible."""
        if should_add_pane:
            self.set_panes(panes.add_view_beside(self.panes, name), maximised=False)
        elif name in self.own_windows.names:
            self.own_windows.activate(name)
        else:
            self.set_panes(panes.show_view(self.panes, name))
        self.focus_view(name)

    @Slot(str)
    def arrange(self, arrangement: str) -> None:
        own_window_names = self.own_windows.names
        free_names = [name for name in pictures.names() if name not in own_window_names]
        # Use views in separate windows only if there are no other views left.
        candidates = [*panes.put_default_views_first(free_names), *own_window_names]
        self.set_panes(panes.arrange(self.panes, arrangement, candidates), maximised=False)

    @Slot(str)
    def activate(self, name: str) -> None:
        """Make a visible view active, for copies, exports and the status bar."""
        if name in self.own_windows.names:
            self._set_active_view(name)
        elif name in self.panes.views:
            self.set_panes(panes.show_view(self.panes, name))
            self._set_active_view(name)  # the active view may have been in a separate window

    def focus_view(self, name: str) -> None:
        self.activate(name)
        view = self.pane(name).view
        view.window().activateWindow()
        view.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_panes(self, new_panes: Panes, maximised: bool | None = None) -> None:
        """Replace the panes; if `maximised` is None, keep its current value."""
        if self._model is None:
            return
        if maximised is not None:
            self.maximised = maximised
        self.model.set(panes=new_panes)
        self._show()

    def open_own_windows(self, places: Mapping[str, Place]) -> None:
        """Show views in separate windows at given places, unless the views are in panes."""
        for name, place in places.items():
            if name in pictures.names() and name not in self.panes.views:
                self.own_windows.open(self.pane(name), place)
        self._show()

    @Slot()
    def next_pane(self) -> None:
        self._move_focus(1)

    @Slot()
    def previous_pane(self) -> None:
        self._move_focus(-1)

    def _move_focus(self, steps: int) -> None:
        names = (*self.panes.views, *self.own_windows.names)
        self.focus_view(names[(names.index(self._active_name) + steps) % len(names)])

    @Slot()
    def maximise(self) -> None:
        self._toggle_maximised(self._active_name)

    @Slot()
    def close_pane(self) -> None:
        """Close the active view, unless it is the only view in the panes."""
        if self._active_name in self.own_windows.names:
            self.own_windows.close(self._active_name)
        else:
            self.set_panes(panes.close_view(self.panes, self._active_name), maximised=False)

    @Slot()
    def own_window(self) -> None:
        self._toggle_own_window(self._active_name)

    @Slot(str, str)
    def _replace_view(self, old: str, new: str) -> None:
        if new in self.own_windows.names:
            self.own_windows.activate(new)
        elif old in self.panes.views:
            self.set_panes(panes.swap_views(self.panes, old, new))
            self.focus_view(new)
        else:
            self.own_windows.close(old)
            self.show_view(new)

    @Slot(str)
    def _toggle_maximised(self, name: str) -> None:
        if name not in self.own_windows.names:
            self.set_panes(panes.show_view(self.panes, name), not self.maximised)
            self.focus_view(name)

    @Slot(str)
    def _toggle_own_window(self, name: str) -> None:
        if name in self.own_windows.names:
            self.show_view(name, should_add_pane=True)
            return
        new_panes = self.panes
        if len(new_panes.views) == 1:  # at least one view must stay in the panes
            used_names = (name, *self.own_windows.names)
            free_names = [view for view in pictures.names() if view not in used_names]
            if not free_names:
                return
            substitute = panes.put_default_views_first(free_names)[0]
            new_panes = panes.swap_views(new_panes, name, substitute)
        self.splits.remember_sizes()
        self.own_windows.open(self.pane(name))
        self.set_panes(panes.close_view(new_panes, name), maximised=False)
        self.focus_view(name)

    @Slot(QWidget, QWidget)
    def _follow_focus(self, _: QWidget | None, new: QWidget | None) -> None:
        """Activate the pane that gets the focus."""
        # Ignore focus changes during an arrangement, because Qt moves the focus away from hidden
        # widgets.
        if not self.is_attached or self._is_arranging or new is None:
            return
        for name in self.shown_views:
            if self.pane(name).isAncestorOf(new):
                self.activate(name)
                return

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        new_panes, old_panes = self.panes, self._shown_panes
        if new_panes == old_panes:
            return
        if (new_panes.views, new_panes.arrangement) != (old_panes.views, old_panes.arrangement):
            self.maximised = False  # a session or an exhibit shows all its panes
        self._show()

    @Slot()
    def _show(self) -> None:
        """Show the panes of the model, and let only visible views follow the model."""
        if self._model is None:
            return
        self._shown_panes, active = self.panes, self.panes.active
        for name in set(self.panes.views) & set(self.own_windows.names):
            self.own_windows.take_back(name)
        shown_names, own_window_names = self.shown_views, self.own_windows.names
        focus_widget = self.window().focusWidget()
        items = self._panes.items()
        focused_names = [
            name for name, pane in items if focus_widget and pane.isAncestorOf(focus_widget)
        ]
        self._is_arranging = True
        try:
            names = [name for name in shown_names if name not in own_window_names]
            self.splits.arrange([self.pane(name) for name in names], self.arrangement)
        finally:
            self._is_arranging = False
        for name, pane in self._panes.items():
            pane.show_state(maximised=self.maximised, is_in_own_window=name in own_window_names)
            if name in shown_names:
                pane.attach(self.model)
            else:
                pane.detach()
        if self._active_name not in self.own_windows.names:
            self._set_active_view(active)
        # Move the focus to the active view, because clicking a focused view does not activate it.
        if focused_names and active not in focused_names:
            self.pane(active).view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._mark_columns()
        self._chip_timer.start()
        self.shown_views_changed.emit()

    @Slot()
    def _mark_columns(self) -> None:
        clocks, heatmap = self.built_views.get("clocks"), self.built_views.get("heatmap")
        if heatmap is not None and isinstance(clocks, ClocksView):
            heatmap.mark_columns(clocks.columns if "clocks" in self.shown_views else ())

    @Slot()
    def _hide_repeated_chips(self) -> None:
        names = dict.fromkeys((self._active_name, *self.shown_views))
        chips = {name: self._panes[name].chip for name in names if name in self._panes}
        outside_names = [name for name, chip in chips.items() if chip.is_outside]
        for name, pane in self._panes.items():
            pane.chip.set_allowed(name in outside_names[:1])
        self.chip_shown.emit(bool(outside_names))

    def _set_active_view(self, name: str) -> None:
        for pane_name, pane in self._panes.items():
            pane.set_active(pane_name == name)
        if name != self._active_name:
            self._active_name = name
            self._chip_timer.start()
            self.active_view_changed.emit(name)
