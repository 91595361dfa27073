"""The views of a window: those in the panes, and those in windows of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from pe_explorer import pictures, views
from pe_explorer.app.window.own_windows import OwnWindows
from pe_explorer.app.window.pane import Pane
from pe_explorer.exploration import Exploration, Panes
from pe_explorer.exploration import panes as moves
from pe_explorer.model import Model
from pe_explorer.panels.follower import Follower
from pe_explorer.views import View
from pe_explorer.widgets.splits import Splits

__all__ = ["Workspace"]


class Workspace(Follower):
    """Shows the panes of a model's exploration; it builds a view when it is first shown.

    A view that cannot be seen follows no model: an edit costs only what is on the screen.
    """

    active_changed = Signal(str)
    """Another view is the one that the user works with."""
    shown_changed = Signal()
    """Other views can be seen than before."""
    menu_asked = Signal(str, QPoint)
    """The menu of a view is wanted, at a point on the screen."""
    more_asked = Signal(str, QPoint)
    """The options of a view are wanted, below a point on the screen."""

    def __init__(self, prepare: Callable[[View], None]) -> None:
        """`prepare` is called once with each view that is built."""
        super().__init__()
        self._prepare = prepare
        self._panes: dict[str, Pane] = {}
        self._apart = OwnWindows(self)
        self._apart.closed.connect(self._receive_closed)
        self._maximised = False
        self._active = ""
        self._splits = Splits()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._splits)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        app.focusChanged.connect(self._follow_focus)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._receive_change)]

    def synchronise(self) -> None:
        if self.model.state.panes is None:
            self.model.set(panes=Panes())
        self._show()

    def detach(self) -> None:
        for pane in self._panes.values():
            pane.detach()
            pane.blockSignals(True)  # one of its menus may still be open
        for name in self._apart.names:
            self._apart.take_back(name)
        super().detach()

    # -- what there is ---------------------------------------------------------------------------

    @property
    def built(self) -> Mapping[str, View]:
        """The views that have been built, by their names."""
        return {name: pane.view for name, pane in self._panes.items()}

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the views that are on the screen."""
        panes = self._present
        return (*((panes.active,) if self._maximised else panes.views), *self._apart.names)

    @property
    def active(self) -> View:
        """The view that the user works with."""
        return self.pane(self._active).view

    @property
    def arrangement(self) -> str:
        """How the panes are arranged on the screen."""
        return "one" if self._maximised else self._present.arrangement

    @property
    def splits(self) -> Splits:
        """The splitters between the panes."""
        return self._splits

    @property
    def _present(self) -> Panes:
        panes = self.model.state.panes
        assert panes is not None
        return panes

    def pane(self, name: str) -> Pane:
        """Return the pane of a view, which is built when it is first asked for."""
        if name not in self._panes:
            view = views.find(name)()
            self._prepare(view)
            pane = self._panes[name] = Pane(view)
            pane.activated.connect(self.activate)
            pane.exchanged.connect(self._exchange)
            pane.maximise_asked.connect(self._toggle_maximised)
            pane.detach_asked.connect(self._toggle_apart)
            pane.menu_asked.connect(self.menu_asked)
            pane.more_asked.connect(self.more_asked)
        return self._panes[name]

    # -- what the user does ----------------------------------------------------------------------

    @Slot(str, bool)
    def show_view(self, name: str, beside: bool = False) -> None:
        """Show a view in the active pane, or beside it; go to it where it is on the screen."""
        if name in self._apart.names and not beside:
            self._apart.activate(name)
        elif beside:
            self._maximised = False
            self._set(moves.beside(self._present, name))
        else:
            self._set(moves.put_in(self._present, name))
        self._focus(name)

    @Slot(str)
    def arrange(self, arrangement: str) -> None:
        """Show the panes in another arrangement."""
        self._maximised = False
        free = [name for name in pictures.names() if name not in self._apart.names]
        others = [*free, *self._apart.names]  # those in their own windows come back last
        self._set(moves.arranged(self._present, arrangement, others))

    @Slot(str)
    def activate(self, name: str) -> None:
        """Make a view on the screen the one that copies, exports and the status line are about."""
        if name in self._apart.names:
            self._set_active(name)
        elif name in self._present.views:
            self._set(moves.put_in(self._present, name))

    @Slot()
    def next_pane(self) -> None:
        """Go to the next pane."""
        self._go(1)

    @Slot()
    def previous_pane(self) -> None:
        """Go to the pane before."""
        self._go(-1)

    def _go(self, steps: int) -> None:
        names = self._present.views
        place = names.index(self._active) if self._active in names else 0
        self._focus(names[(place + steps) % len(names)])

    @Slot()
    def maximise(self) -> None:
        """Let the active pane fill the place of all, or no longer."""
        self._toggle_maximised(self._active)

    @Slot()
    def close_pane(self) -> None:
        """Put the active view away; the last one stays."""
        if self._active in self._apart.names:
            self._put_away(self._active)
        else:
            self._maximised = False
            self._set(moves.closed(self._present, self._active))

    @Slot()
    def own_window(self) -> None:
        """Give the active view a window of its own, or put it back."""
        self._toggle_apart(self._active)

    @Slot(str, str)
    def _exchange(self, old: str, new: str) -> None:
        if new in self._apart.names:
            self._apart.activate(new)
        elif old in self._present.views:
            self._set(moves.swapped(self._present, old, new))
            self._focus(new)
        else:
            self._put_away(old)
            self.show_view(new)

    @Slot(str)
    def _toggle_maximised(self, name: str) -> None:
        if name in self._apart.names:
            return
        self._maximised = not self._maximised
        self._set(moves.put_in(self._present, name))
        self._show()
        self._focus(name)

    @Slot(str)
    def _toggle_apart(self, name: str) -> None:
        if name in self._apart.names:
            self.show_view(name, beside=True)
            return
        panes = self._present
        if len(panes.views) == 1:  # something has to take its place
            taken = (name, *self._apart.names)
            others = [other for other in pictures.names() if other not in taken]
            if not others:
                return
            panes = moves.swapped(panes, name, others[0])
        self._maximised = False
        self._apart.open(self.pane(name))
        self._set(moves.closed(panes, name))
        self._set_active(name)

    def _put_away(self, name: str) -> None:
        """Close the own window of a view."""
        self._apart.take_back(name)
        self._show()

    @Slot()
    def _receive_closed(self) -> None:
        if self._model is not None:
            self._show()

    def _set(self, panes: Panes) -> None:
        if self._model is not None:
            self.model.set(panes=panes)
            self._show()

    def _focus(self, name: str) -> None:
        self.activate(name)
        self.pane(name).view.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(QWidget, QWidget)
    def _follow_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        """Make the pane that gets the focus the active one; docks and bars leave it as it is."""
        if self._model is None or new is None:
            return
        for name in self.shown:
            if self.pane(name).isAncestorOf(new):
                self.activate(name)
                return

    # -- what is shown ---------------------------------------------------------------------------

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if old.panes != new.panes:
            self._show()

    def _show(self) -> None:
        """Put the panes on the screen that there should be, and let only them follow the model."""
        panes = self._present
        for name in set(panes.views) & set(self._apart.names):
            self._apart.take_back(name)
        seen = (panes.active,) if self._maximised else panes.views
        self._splits.arrange([self.pane(name) for name in seen], self.arrangement)
        for name, pane in self._panes.items():
            attached = name in self.shown
            pane.show_state(maximised=self._maximised, apart=name in self._apart.names)
            if attached:
                pane.attach(self.model)
            else:
                pane.detach()
        if self._active not in self._apart.names:
            self._set_active(panes.active)
        self.shown_changed.emit()

    def _set_active(self, name: str) -> None:
        for other, pane in self._panes.items():
            pane.set_active(other == name)
        if name != self._active:
            self._active = name
            self.active_changed.emit(name)
