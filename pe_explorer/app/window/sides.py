"""The panels left and right of the panes: docks where there is room, drawers where there is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.widgets.fonts import embolden
from pe_explorer.widgets.icon_button import IconButton

__all__ = ["Side", "Sides"]

_SIDE = 24  # pixels of a button in a title bar


class Side(NamedTuple):
    """Where a panel stands.

    Attributes
    ----------
    title : str
    on_the_left : bool
    width : int
        Pixels at first.
    drawer_below : int
        The width of the window in pixels below which the panel is a drawer.
    open_at_first : bool
    """

    title: str
    on_the_left: bool
    width: int
    drawer_below: int
    open_at_first: bool


class Sides(QObject):
    """Opens and folds the panels beside the panes, as the width of the window allows."""

    folded = Signal()
    """A panel was put away, and the keys were for something in it."""

    def __init__(self, window: QMainWindow, sides: Mapping[str, tuple[Side, QWidget]]) -> None:
        """`sides` has each panel by its name."""
        super().__init__(window)
        self._window = window
        self._panels: dict[str, _SidePanel] = {}
        for name, (side, content) in sides.items():
            panel = self._panels[name] = _SidePanel(window, name, side, content)
            panel.folded.connect(self.folded)
        window.installEventFilter(self)

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Let the action of a panel's name open and fold it."""
        for name, panel in self._panels.items():
            panel.set_action(actions[name])

    @property
    def docks(self) -> dict[str, QDockWidget]:
        """The docks by name; one whose panel is a drawer is empty and hidden."""
        return {name: panel.dock for name, panel in self._panels.items()}

    def open(self, name: str) -> None:
        """Show a panel, as a dock or as a drawer."""
        self._panels[name].set_open(True)

    def is_open(self, name: str) -> bool:
        """Return whether a panel can be seen."""
        return self._panels[name].is_open

    def is_drawer(self, name: str) -> bool:
        """Return whether a panel lies over the panes when it is open."""
        return self._panels[name].is_drawer

    def begin(self) -> None:
        """Give all panels their first places."""
        for panel in self._panels.values():
            panel.begin()

    def fit(self) -> None:
        """Make docks or drawers of the panels, for the present width of the window."""
        for panel in self._panels.values():
            panel.fit(self._window.width())

    def put_into_docks(self) -> None:
        """Make docks of all panels: the layout that is remembered is that of docks."""
        for panel in self._panels.values():
            panel.set_drawer(False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._window:
            self.fit()
            for panel in self._panels.values():
                panel.place()
        return super().eventFilter(watched, event)


class _SidePanel(QObject):
    """One panel with its dock, its drawer, and the action that opens and folds it."""

    folded = Signal()

    def __init__(self, window: QMainWindow, name: str, side: Side, content: QWidget) -> None:
        super().__init__(window)
        self._window, self._side, self._content = window, side, content
        self._action = QAction(self)
        self._open_as_dock = side.open_at_first
        self.is_drawer = False
        self.dock = QDockWidget(side.title, window)
        self.dock.setObjectName(f"dock.{name}")
        bar = _TitleBar(side, self.dock)
        self.dock.setTitleBarWidget(bar)
        content.setAutoFillBackground(True)  # so that a change in it does not repaint the dock
        self.dock.setWidget(content)
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        self._area = left if side.on_the_left else right
        self.dock.setAllowedAreas(left | right)
        window.addDockWidget(self._area, self.dock)
        self._drawer = _Drawer(window, side)
        self.dock.visibilityChanged.connect(self._show_action)
        bar.fold.clicked.connect(self._fold)
        self._drawer.bar.fold.clicked.connect(self._fold)

    def set_action(self, action: QAction) -> None:
        """Open and fold the panel by an action."""
        self._action = action
        action.setCheckable(True)
        action.toggled.connect(self.set_open)

    @property
    def is_open(self) -> bool:
        return self._drawer.isVisible() if self.is_drawer else not self.dock.isHidden()

    def begin(self) -> None:
        self.set_drawer(False)
        self.dock.setFloating(False)
        self._window.addDockWidget(self._area, self.dock)
        self._window.resizeDocks([self.dock], [self._side.width], Qt.Orientation.Horizontal)
        self.set_open(self._side.open_at_first)

    @Slot(bool)
    def set_open(self, opened: bool) -> None:
        had_keys = not opened and self._has_keys()
        if self.is_drawer:
            self._drawer.setVisible(opened)
            self.place()
        else:
            self._open_as_dock = opened
            self.dock.setVisible(opened)
        self._show_action()
        if had_keys:
            self.folded.emit()

    def _has_keys(self) -> bool:
        focused = QApplication.focusWidget()
        around = self._drawer if self.is_drawer else self.dock
        return focused is not None and around.isAncestorOf(focused)

    @Slot()
    def _fold(self) -> None:
        self.set_open(False)

    @Slot()
    def _show_action(self) -> None:
        self._action.setChecked(self.is_open)

    def fit(self, width: int) -> None:
        self.set_drawer(width < self._side.drawer_below and not self.dock.isFloating())

    def set_drawer(self, drawer: bool) -> None:
        if drawer == self.is_drawer:
            return
        if drawer:
            self._open_as_dock = not self.dock.isHidden()
            self.is_drawer = True
            self.dock.hide()
            self._drawer.take(self._content)
        else:
            self.is_drawer = False
            self._drawer.hide()
            self.dock.setWidget(self._content)
            self.dock.setVisible(self._open_as_dock)
        self._content.show()
        self._show_action()

    def place(self) -> None:
        """Put the drawer over the edge of the panes."""
        if self.is_drawer and self._drawer.isVisible():
            self._drawer.place(self._window.centralWidget())


class _Drawer(QFrame):
    """A panel over the edge of the panes."""

    def __init__(self, window: QMainWindow, side: Side) -> None:
        super().__init__(window)
        self._side = side
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setAccessibleName(f"{side.title} drawer")
        self.bar = _TitleBar(side, None)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        self._column.addWidget(self.bar)
        self.hide()

    def take(self, content: QWidget) -> None:
        """Show a panel."""
        self._column.addWidget(content, 1)

    def place(self, centre: QWidget) -> None:
        """Cover the edge of the widget in the middle of the window."""
        area = centre.geometry()
        width = min(self._side.width + 20, area.width())
        left = area.left() if self._side.on_the_left else area.right() + 1 - width
        self.setGeometry(left, area.top(), width, area.height())
        self.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.bar.fold.click()
        else:
            super().keyPressEvent(event)


class _TitleBar(QWidget):
    """The title of a panel, and buttons that make a window of it and that fold it."""

    def __init__(self, side: Side, dock: QDockWidget | None) -> None:
        super().__init__()
        self._dock = dock
        self.fold = IconButton("fold-left" if side.on_the_left else "fold-right", "Fold")
        self.fold.setToolTip(f"<p>Folds the panel {side.title} away.</p>")
        self.fold.setAccessibleName(f"Fold {side.title}")
        title = QLabel(side.title)
        embolden(title)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 2, 1)
        row.setSpacing(1)
        row.addWidget(title, 1)
        buttons = [self.fold]
        if dock is not None:
            self.own_window = IconButton("own-window", "Own window")
            self.own_window.setAccessibleName(f"{side.title} in its own window")
            self.own_window.setToolTip(
                "<p>Makes the panel a window of its own, or puts it back.</p>"
            )
            self.own_window.clicked.connect(self._toggle_floating)
            buttons.insert(0, self.own_window)
        for button in buttons:
            button.setFixedSize(_SIDE, _SIDE)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)

    @Slot()
    def _toggle_floating(self) -> None:
        assert self._dock is not None
        self._dock.setFloating(not self._dock.isFloating())
