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
        """The docks by name, made for this; one whose panel is a drawer is hidden."""
        return {name: panel.dock for name, panel in self._panels.items()}

    @Slot(str)
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

    def make_docks(self) -> None:
        """Make the docks, so that each can get its place in a layout."""
        for panel in self._panels.values():
            panel.make_dock()

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
    """One panel with its dock, its drawer, and the action that opens and folds it.

    Dock and drawer are made when they are first needed: a dock costs more than a hundredth of the
    start, as Qt looks for the files of icons that its title bar here does not show.
    """

    folded = Signal()

    def __init__(self, window: QMainWindow, name: str, side: Side, content: QWidget) -> None:
        super().__init__(window)
        self._window, self._name, self._side, self._content = window, name, side, content
        content.hide()
        content.setParent(window)
        content.setAutoFillBackground(True)  # so that a change in it does not repaint the dock
        self._action = QAction(self)
        self._open_as_dock = side.open_at_first
        self.is_drawer = False
        self._dock: QDockWidget | None = None
        self._drawer: _Drawer | None = None

    def set_action(self, action: QAction) -> None:
        """Open and fold the panel by an action."""
        self._action = action
        action.setCheckable(True)
        action.toggled.connect(self.set_open)

    # -- its parts ---------------------------------------------------------------------------

    @property
    def dock(self) -> QDockWidget:
        """The dock; what it shows is elsewhere while the panel is a drawer that was opened."""
        return self._dock or self.make_dock()

    def make_dock(self) -> QDockWidget:
        """Make the dock in its first place, closed, unless there is one."""
        if self._dock is not None:
            return self._dock
        dock = self._dock = QDockWidget(self._side.title, self._window)
        dock.setObjectName(f"dock.{self._name}")
        bar = _TitleBar(self._side, dock)
        bar.fold.clicked.connect(self._fold)
        dock.setTitleBarWidget(bar)
        sides = Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        dock.setAllowedAreas(sides)
        dock.hide()
        self._put_in_place(dock)
        dock.visibilityChanged.connect(self._receive_visibility)
        return dock

    @property
    def drawer(self) -> _Drawer:
        """What lies over the panes where the window is narrow."""
        if self._drawer is None:
            self._drawer = _Drawer(self._window, self._side)
            self._drawer.bar.fold.clicked.connect(self._fold)
        return self._drawer

    def _put_in_place(self, dock: QDockWidget) -> None:
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        self._window.addDockWidget(left if self._side.on_the_left else right, dock)
        self._window.resizeDocks([dock], [self._side.width], Qt.Orientation.Horizontal)

    def _place_content(self) -> None:
        """Put the content into the dock or the drawer, whichever the panel is now."""
        if self.is_drawer:
            self.drawer.take(self._content)
        else:
            self.dock.setWidget(self._content)
        self._content.show()

    # -- open and folded ---------------------------------------------------------------------

    @property
    def is_open(self) -> bool:
        if self.is_drawer:
            return self._drawer is not None and self._drawer.isVisible()
        return self._dock is not None and not self._dock.isHidden()

    def begin(self) -> None:
        self.set_drawer(False)
        if self._dock is not None:
            self._dock.setFloating(False)
            self._put_in_place(self._dock)
        self.set_open(self._side.open_at_first)

    @Slot(bool)
    def set_open(self, opened: bool) -> None:
        had_keys = not opened and self._has_keys()
        if not self.is_drawer:
            self._open_as_dock = opened
        self._set_visible(opened)
        if had_keys:
            self.folded.emit()

    def _set_visible(self, visible: bool) -> None:
        if visible:
            self._place_content()
        around = self._drawer if self.is_drawer else self._dock
        if around is not None:
            around.setVisible(visible)
        self.place()
        self._show_action()

    def _has_keys(self) -> bool:
        focused = QApplication.focusWidget()
        around = self._drawer if self.is_drawer else self._dock
        return focused is not None and around is not None and around.isAncestorOf(focused)

    @Slot()
    def _fold(self) -> None:
        self.set_open(False)

    @Slot(bool)
    def _receive_visibility(self, visible: bool) -> None:
        if visible:  # a remembered layout opens docks itself
            self._place_content()
        self._show_action()

    def _show_action(self) -> None:
        self._action.setChecked(self.is_open)

    def fit(self, width: int) -> None:
        floating = self._dock is not None and self._dock.isFloating()
        self.set_drawer(width < self._side.drawer_below and not floating)

    def set_drawer(self, drawer: bool) -> None:
        if drawer == self.is_drawer:
            return
        if drawer:
            self._open_as_dock = self.is_open
            self.is_drawer = True
            if self._dock is not None:
                self._dock.hide()
            self._show_action()
        else:
            self.is_drawer = False
            if self._drawer is not None:
                self._drawer.hide()
            self._set_visible(self._open_as_dock)

    def place(self) -> None:
        """Put the drawer over the edge of the panes."""
        if self._drawer is not None and self._drawer.isVisible():
            self._drawer.place(self._window.centralWidget())


class _Drawer(QFrame):
    """A panel over the edge of the panes."""

    def __init__(self, window: QMainWindow, side: Side) -> None:
        super().__init__(window)
        self._side = side
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setAccessibleName(f"{side.title} drawer")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Esc folds it after a click on its words
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
