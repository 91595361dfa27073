"""The views of a window: those in the panes, and those in windows of their own."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer import pictures, views
from pe_explorer.app.settings.settings import Place
from pe_explorer.app.window.own_windows import OwnWindows
from pe_explorer.app.window.pane import Pane
from pe_explorer.exploration import Exploration, Panes, Resolved, panes as moves
from pe_explorer.model import Model
from pe_explorer.panels.follower import Follower
from pe_explorer.views import PageView
from pe_explorer.widgets.layouts import column_in
from pe_explorer.widgets.splits import Splits


class Workspace(Follower):
    """Shows the panes of a model's exploration; it builds a view when it is first shown.

    A view that cannot be seen follows no model: an edit costs only what is on the screen.
    """

    active_changed = Signal(str)  # another view is active
    shown_changed = Signal()  # other views can be seen than before
    chip_shown = Signal(bool)  # whether a pane has a chip on the cursor
    pane_built = Signal(object)  # a view was asked for the first time; this is its pane

    def __init__(self, first: Panes, maximised: bool) -> None:
        """An exploration without panes gets the `first` ones, perhaps with one `maximised`."""
        super().__init__()
        self._first = first
        self.maximised = maximised  # whether the active pane fills the place of all
        self._on_screen = first
        self._arranging = False  # whether panes are just being put on the screen
        self._panes: dict[str, Pane] = {}
        self._active = ""
        # Once for all chips of a change, or one would come and go again.
        self._chip_timer = QTimer(self, singleShot=True, interval=0)
        self._chip_timer.timeout.connect(self._hide_repeated_chips)
        self.own_windows = OwnWindows(self)
        self.own_windows.closed.connect(self._show)
        self.splits = Splits()
        column_in(self, self.splits)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_focus)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._receive_change)]

    def synchronise(self) -> None:
        if self.model.state.panes is None:
            self.model.set(panes=self._first)
        self._show()

    def detach(self) -> None:
        for pane in self._panes.values():
            pane.detach()
            pane.blockSignals(True)  # one of its menus may still be open
        for name in self.own_windows.names:
            self.own_windows.take_back(name)
        self._chip_timer.stop()
        super().detach()

    # -- state ----------------------------------------------------------------------------------

    @property
    def built(self) -> Mapping[str, PageView]:
        return {name: pane.view for name, pane in self._panes.items()}

    @property
    def shown(self) -> tuple[str, ...]:
        panes = self.panes
        in_panes = (panes.active,) if self.maximised else panes.views
        return (*in_panes, *self.own_windows.names)

    @property
    def active(self) -> PageView:
        return self.pane(self._active).view

    @property
    def seen(self) -> Resolved:
        """A state whose pictures show what is on the screen, in figures of any size."""
        state = self.model.state
        for name in self.shown:
            state = self.pane(name).view.seen(state)
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
        """Return the pane of a view, which is built when it is first asked for."""
        if name not in self._panes:
            pane = self._panes[name] = Pane(views.find(name)())
            pane.activated.connect(self.activate)
            pane.exchanged.connect(self._exchange)
            pane.maximise_asked.connect(self._toggle_maximised)
            pane.own_window_asked.connect(self._toggle_own_window)
            pane.chip.changed.connect(self._chip_timer.start)
            self.pane_built.emit(pane)
        return self._panes[name]

    # -- what the user does ----------------------------------------------------------------------

    @Slot(str, bool)
    def show_view(self, name: str, beside: bool = False) -> None:
        """Show a view in the active pane, or beside it; go to it where it is on the screen."""
        if beside:
            self.set_panes(moves.add_beside(self.panes, name), maximised=False)
        elif name in self.own_windows.names:
            self.own_windows.activate(name)
        else:
            self.set_panes(moves.put_in(self.panes, name))
        self.focus(name)

    @Slot(str)
    def arrange(self, arrangement: str) -> None:
        in_own_windows = self.own_windows.names
        free = [name for name in pictures.names() if name not in in_own_windows]
        others = [*moves.default_views_first(free), *in_own_windows]  # which come back last
        self.set_panes(moves.arranged(self.panes, arrangement, others), maximised=False)

    @Slot(str)
    def activate(self, name: str) -> None:
        """Make a view on the screen the one that copies, exports and the status line are about."""
        if name in self.own_windows.names:
            self._set_active(name)
        elif name in self.panes.views:
            self.set_panes(moves.put_in(self.panes, name))
            self._set_active(name)  # a view in its own window may have been the active one

    def focus(self, name: str) -> None:
        """Make a view on the screen the active one, and give it the keys."""
        self.activate(name)
        view = self.pane(name).view
        view.window().activateWindow()
        view.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_panes(self, panes: Panes, maximised: bool | None = None) -> None:
        """Show other panes; None keeps whether the active one fills their place."""
        if self._model is None:
            return
        if maximised is not None:
            self.maximised = maximised
        self.model.set(panes=panes)
        self._show()

    def open_own_windows(self, places: Mapping[str, Place]) -> None:
        """Give views windows of their own at some places, but not those that are in panes."""
        for name, place in places.items():
            if name in pictures.names() and name not in self.panes.views:
                self.own_windows.open(self.pane(name), place)
        self._show()

    # -- actions, by the names in the table ------------------------------------------------------

    @Slot()
    def next_pane(self) -> None:
        self._go(1)

    @Slot()
    def previous_pane(self) -> None:
        self._go(-1)

    def _go(self, steps: int) -> None:
        names = (*self.panes.views, *self.own_windows.names)
        self.focus(names[(names.index(self._active) + steps) % len(names)])

    @Slot()
    def maximise(self) -> None:
        """Let the active pane fill the place of all, or no longer."""
        self._toggle_maximised(self._active)

    @Slot()
    def close_pane(self) -> None:
        """Put the active view away; the last one stays."""
        if self._active in self.own_windows.names:
            self.own_windows.close(self._active)
        else:
            self.set_panes(moves.closed(self.panes, self._active), maximised=False)

    @Slot()
    def own_window(self) -> None:
        """Give the active view a window of its own, or put it back."""
        self._toggle_own_window(self._active)

    # -- what the header of a pane asks for ------------------------------------------------------

    @Slot(str, str)
    def _exchange(self, old: str, new: str) -> None:
        if new in self.own_windows.names:
            self.own_windows.activate(new)
        elif old in self.panes.views:
            self.set_panes(moves.swapped(self.panes, old, new))
            self.focus(new)
        else:
            self.own_windows.close(old)
            self.show_view(new)

    @Slot(str)
    def _toggle_maximised(self, name: str) -> None:
        if name not in self.own_windows.names:
            self.set_panes(moves.put_in(self.panes, name), not self.maximised)
            self.focus(name)

    @Slot(str)
    def _toggle_own_window(self, name: str) -> None:
        if name in self.own_windows.names:
            self.show_view(name, beside=True)
            return
        panes = self.panes
        if len(panes.views) == 1:  # something has to take its place
            taken = (name, *self.own_windows.names)
            others = [other for other in pictures.names() if other not in taken]
            if not others:
                return
            panes = moves.swapped(panes, name, moves.default_views_first(others)[0])
        self.splits.remember()
        self.own_windows.open(self.pane(name))
        self.set_panes(moves.closed(panes, name), maximised=False)
        self.focus(name)

    @Slot(QWidget, QWidget)
    def _follow_focus(self, _: QWidget | None, new: QWidget | None) -> None:
        """Make the pane that gets the focus the active one; docks and bars leave it as it is.

        While panes are arranged Qt gives the focus of what is hidden to any other widget: nobody
        asked for that, and the panes must not be arranged anew in the middle of it.
        """
        if not self.attached or self._arranging or new is None:
            return
        for name in self.shown:
            if self.pane(name).isAncestorOf(new):
                self.activate(name)
                return

    # -- what is shown ---------------------------------------------------------------------------

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        panes, before = self.panes, self._on_screen
        if panes == before:
            return
        if (panes.views, panes.arrangement) != (before.views, before.arrangement):
            self.maximised = False  # a session or an exhibit wants all of them to be seen
        self._show()

    @Slot()
    def _show(self) -> None:
        """Put the panes on the screen that there should be, and let only them follow the model."""
        if self._model is None:
            return
        panes = self._on_screen = self.panes
        for name in set(panes.views) & set(self.own_windows.names):
            self.own_windows.take_back(name)
        shown, in_own_windows = self.shown, self.own_windows.names
        focused = self.window().focusWidget()
        panes_built = self._panes.items()
        had_keys = [name for name, pane in panes_built if focused and pane.isAncestorOf(focused)]
        in_panes = [self.pane(name) for name in shown if name not in in_own_windows]
        self._arranging = True
        try:
            self.splits.arrange(in_panes, self.arrangement)
        finally:
            self._arranging = False
        for name, pane in self._panes.items():
            pane.show_state(maximised=self.maximised, in_own_window=name in in_own_windows)
            if name in shown:
                pane.attach(self.model)
            else:
                pane.detach()
        if self._active not in self.own_windows.names:
            self._set_active(panes.active)
        if had_keys and panes.active not in had_keys:  # or a click there would change nothing
            self.pane(panes.active).view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._chip_timer.start()
        self.shown_changed.emit()

    @Slot()
    def _hide_repeated_chips(self) -> None:
        """Say in one pane where the cursor is outside: in the active one, or else in the first."""
        first = [self._active, *(name for name in self.shown if name != self._active)]
        lost = [name for name in first if name in self._panes and self.pane(name).chip.is_outside]
        for name, pane in self._panes.items():
            pane.chip.set_allowed(name in lost[:1])
        self.chip_shown.emit(bool(lost))

    def _set_active(self, name: str) -> None:
        for other, pane in self._panes.items():
            pane.set_active(other == name)
        if name != self._active:
            self._active = name
            self._chip_timer.start()
            self.active_changed.emit(name)
