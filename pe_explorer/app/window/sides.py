"""The panels left and right of the panes: docks or, in a narrow window, drawers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QFrame,
    QMainWindow,
    QStackedWidget,
    QWidget,
)

from pe_explorer.app.settings.settings import Place
from pe_explorer.app.window.own_windows import on_screen, place_of
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.labels import bold_label
from pe_explorer.widgets.layouts import column_in, row_in

_BUTTON_SIDE = 24  # pixels
SIDES = {True: "left", False: "right"}


class Side(NamedTuple):
    """The initial side, width and visibility of a panel."""

    title: str
    on_the_left: bool
    width: int  # pixels at first
    drawer_below: int  # minimum width of the window in pixels for a dock
    open_at_first: bool

    @property
    def place(self) -> Place:
        """The initial place of the panel; a dock is as high as the window."""
        opened = "open" if self.open_at_first else "folded"
        return Place((0, 0, self.width, 1), (SIDES[self.on_the_left], opened, "docked"))


class Drawer(QFrame):
    """A panel that covers the edge of the panes."""

    def __init__(self, window: QMainWindow, side: Side) -> None:
        super().__init__(window)
        self._side = side
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setAccessibleName(f"{side.title} drawer")
        # After a click on its text, Esc folds the drawer.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.bar = TitleBar(side, None)
        self._column = column_in(self, self.bar, spacing=0)
        self.hide()

    def take(self, content: QWidget) -> None:
        self._column.addWidget(content, 1)

    def place(self, centre: QWidget) -> None:
        """Cover the edge of the central widget of the window."""
        area = centre.geometry()
        width = min(self._side.width, area.width())
        left = area.left() if self._side.on_the_left else area.right() + 1 - width
        self.setGeometry(left, area.top(), width, area.height())
        self.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.bar.fold.click()
        else:
            super().keyPressEvent(event)


class TitleBar(QWidget):
    """The title bar of a panel, with buttons that float and fold the panel."""

    def __init__(self, side: Side, dock: QDockWidget | None) -> None:
        super().__init__()
        self._dock = dock
        fold = "fold-left" if side.on_the_left else "fold-right"
        self.fold = IconButton(fold, "Fold", side=_BUTTON_SIDE)
        self.fold.setToolTip(f"<p>Fold the {side.title} panel.</p>")
        self.fold.setAccessibleName(f"Fold {side.title} panel")
        self.title = bold_label(side.title)
        row = row_in(self, spacing=1, margins=(8, 1, 2, 1))
        row.addWidget(self.title, 1)
        if dock is not None:
            self.own_window = IconButton("own-window", "Open in window", side=_BUTTON_SIDE)
            self.own_window.setAccessibleName(f"Open {side.title} in window")
            help_text = "Move the panel to its own window, or back."
            self.own_window.setToolTip(f"<p>{help_text}</p>")
            self.own_window.clicked.connect(self._toggle_floating)
            row.addWidget(self.own_window)
        row.addWidget(self.fold)

    @Slot()
    def _toggle_floating(self) -> None:
        assert self._dock is not None
        self._dock.setFloating(not self._dock.isFloating())


_LEAST_FREE = 240  # minimum width in pixels of the panes beside a drawer
_AREAS = {
    "left": Qt.DockWidgetArea.LeftDockWidgetArea,
    "right": Qt.DockWidgetArea.RightDockWidgetArea,
}


class Sides(QObject):
    """The panels beside the panes, as docks or drawers depending on the window's width."""

    folded = Signal()  # a panel with the keyboard focus was folded

    def __init__(self, window: QMainWindow, sides: Mapping[str, tuple[Side, QWidget]]) -> None:
        """Create the panels; `sides` contains their sides and contents by name."""
        super().__init__(window)
        self._window = window
        self._dragged: dict[str, int] = {}  # widths of docks at the start of a drag
        self._sized_in: tuple[object, ...] = ()  # the available room when docks were last resized
        self._panels: dict[str, _SidePanel] = {}
        for name, (side, content) in sides.items():
            panel = self._panels[name] = _SidePanel(window, name, side, content)
            panel.folded.connect(self.folded)
            panel.drawer_changed.connect(self.make_room)
        window.installEventFilter(self)

    def set_actions(self, actions: Mapping[str, QAction]) -> None:
        """Connect each action to the panel with the same name."""
        for name, panel in self._panels.items():
            panel.action = actions[name]
            panel.action.setCheckable(True)
            panel.action.toggled.connect(panel.set_open)

    @property
    def docks(self) -> dict[str, QDockWidget]:
        """The docks by name, created on first use; the dock of a drawer is hidden."""
        return {name: panel.dock for name, panel in self._panels.items()}

    @Slot(str)
    def open(self, name: str) -> None:
        self._panels[name].set_open(True)

    def open_beside(self, name: str) -> None:
        """Show a panel beside the panes, now or once the window is wide enough."""
        self._panels[name].opens_as_dock = True
        if not self.is_drawer(name):
            self.open(name)

    def prepare(self, name: str) -> None:
        """Create a panel's dock, closed, before it is first shown."""
        panel = self._panels[name]
        if not (panel.is_drawer or panel.is_open):
            panel.place_content()

    def place(self) -> None:
        """Apply the layout now, so that docks that were just opened or folded get their sizes."""
        layout = self._window.layout()
        assert layout is not None
        layout.activate()

    @Slot(str, str)
    def set_title(self, name: str, title: str) -> None:
        self._panels[name].set_title(title)

    def is_open(self, name: str) -> bool:
        return self._panels[name].is_open

    def is_drawer(self, name: str) -> bool:
        """Return whether a panel covers the panes when it is open."""
        return self._panels[name].is_drawer

    @property
    def places(self) -> dict[str, Place]:
        """The places of the panels; for a drawer, the place of its dock."""
        return {name: panel.place for name, panel in self._panels.items()}

    def put(self, places: Mapping[str, Place]) -> None:
        """Move panels to places; a panel without a place moves to its initial place."""
        targets = {n: places.get(n, panel.side.place) for n, panel in self._panels.items()}
        for name in sorted(targets, key=lambda name: targets[name].pixels[1]):  # upper ones first
            self._panels[name].put(targets[name])

    def fit(self) -> None:
        """Make the panels docks or drawers, depending on the width of the window."""
        for panel in self._panels.values():
            panel.fit(self._window.width())

    @Slot()
    def make_room(self) -> None:
        """Leave room for drawers beside the panes, unless the panes would become too narrow."""
        centre = self._window.centralWidget()
        if not isinstance(centre, QStackedWidget):  # the window is not complete yet
            return
        left = sum(panel.room for panel in self._panels.values() if panel.side.on_the_left)
        right = sum(panel.room for panel in self._panels.values() if not panel.side.on_the_left)
        least = max(_LEAST_FREE, centre.currentWidget().minimumSizeHint().width())
        is_free = centre.width() - left - right >= least
        centre.setContentsMargins(*((left, 0, right, 0) if is_free else (0, 0, 0, 0)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the size of the window and the widths of dragged docks."""
        if watched is self._window:
            match event:
                case QResizeEvent():
                    self.fit()
                    for panel in self._panels.values():
                        panel.put_drawer()
                    self._size_docks()
                case QMouseEvent() if event.type() == QEvent.Type.MouseButtonPress:
                    if self._window.isSeparator(event.position().toPoint()):
                        self._dragged = {n: panel.dock.width() for n, panel in self._docked.items()}
                case QMouseEvent() if event.type() == QEvent.Type.MouseButtonRelease:
                    for name, panel in self._docked.items():
                        if panel.dock.width() != self._dragged.get(name, panel.dock.width()):
                            panel.width = panel.dock.width()
                    self._dragged = {}
                case _ if event.type() == QEvent.Type.LayoutRequest:  # a dock was opened or folded
                    self._size_docks()
        return super().eventFilter(watched, event)

    @property
    def _docked(self) -> dict[str, _SidePanel]:
        return {name: panel for name, panel in self._panels.items() if panel.is_docked}

    def _size_docks(self) -> None:
        """Restore the chosen widths of docks, because Qt keeps the widths of a narrower window."""
        panels = self._docked.values()
        if self._dragged or all(panel.dock.width() == panel.width for panel in panels):
            return
        if self._room() != self._sized_in:  # otherwise Qt requests the layout endlessly
            docks, widths = [panel.dock for panel in panels], [panel.width for panel in panels]
            self._window.resizeDocks(docks, widths, Qt.Orientation.Horizontal)
            self.place()
            self._sized_in = self._room()

    def _room(self) -> tuple[object, ...]:
        least = self._window.centralWidget().minimumSizeHint().width()
        docks = [(panel.width, panel.dock) for panel in self._docked.values()]
        widths = [(wide, dock.minimumSizeHint().width(), dock.width()) for wide, dock in docks]
        return self._window.width(), least, widths


class _SidePanel(QObject):
    """A panel with its dock, its drawer, and the action that opens and folds it.

    Dock and drawer are created on first use. A dock takes more than 1 % of the start-up time,
    because Qt looks for icon files that the title bar does not show.
    """

    folded = Signal()
    drawer_changed = Signal()  # the drawer was moved, shown or hidden

    def __init__(self, window: QMainWindow, name: str, side: Side, content: QWidget) -> None:
        super().__init__(window)
        self.side = side
        self._window, self._name, self._content = window, name, content
        self._title = side.title
        self._place = side.place  # the last visible place of the dock
        self.width = side.width  # the width of the dock in a wide window
        content.hide()
        content.setParent(window)
        # With a background, changes of the content do not repaint the dock.
        content.setAutoFillBackground(True)
        self.action = QAction(self)
        self.opens_as_dock = side.open_at_first
        self._to_front = QTimer(self, singleShot=True, interval=0)
        self._to_front.timeout.connect(self._come_to_front)
        self.is_drawer = False
        self._dock: QDockWidget | None = None
        self._drawer: Drawer | None = None

    def set_title(self, title: str) -> None:
        self._title = title
        for bar in (self._dock and self._dock.titleBarWidget(), self._drawer and self._drawer.bar):
            if isinstance(bar, TitleBar):
                bar.title.setText(title)

    # -- its parts ---------------------------------------------------------------------------

    @property
    def dock(self) -> QDockWidget:
        """The dock, created closed in its place; empty while the panel is an open drawer."""
        if self._dock is not None:
            return self._dock
        dock = self._dock = QDockWidget(self.side.title, self._window)
        dock.setObjectName(f"dock.{self._name}")
        bar = TitleBar(self.side, dock)
        bar.title.setText(self._title)
        bar.fold.clicked.connect(self.set_open)  # a button that is not checkable emits False
        dock.setTitleBarWidget(bar)
        sides = Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        dock.setAllowedAreas(sides)
        dock.hide()
        self._put_in_place(dock)
        dock.visibilityChanged.connect(self._receive_visibility)
        return dock

    @property
    def drawer(self) -> Drawer:
        """The widget that covers the panes in a narrow window."""
        if self._drawer is None:
            self._drawer = Drawer(self._window, self.side)
            self._drawer.bar.title.setText(self._title)
            self._drawer.bar.fold.clicked.connect(self.set_open)
        return self._drawer

    def _put_in_place(self, dock: QDockWidget) -> None:
        side, _, form = self._place.words
        _, _, width, height = self._place.pixels
        docks = [tab for tab in self._window.findChildren(QDockWidget) if tab is not dock]
        dock.setFloating(False)
        self._window.addDockWidget(_AREAS[side], dock)
        if form == "tabbed":
            for tab in docks:
                if self._window.dockWidgetArea(tab) == _AREAS[side] and not tab.isFloating():
                    self._window.tabifyDockWidget(tab, dock)
        self._window.resizeDocks([dock], [width], Qt.Orientation.Horizontal)
        self._window.resizeDocks([dock], [height], Qt.Orientation.Vertical)
        if form == "floating":
            dock.setFloating(True)
            dock.setGeometry(on_screen(QRect(*self._place.pixels), dock))

    def _note_place(self) -> None:
        """Store the place of the dock, except before it is first visible."""
        dock = self._dock
        if dock is None or dock.isHidden() or not self._window.isVisible():
            return
        on_the_left = self._window.dockWidgetArea(dock) == _AREAS["left"]
        form = "tabbed" if self._window.tabifiedDockWidgets(dock) else "docked"
        form = "floating" if dock.isFloating() else form
        geometry = dock.geometry()
        if form != "floating":
            geometry.setWidth(self.width)
        self._place = place_of(geometry, SIDES[on_the_left], "open", form)

    @property
    def place(self) -> Place:
        self._note_place()
        side, _, form = self._place.words
        is_open = self.opens_as_dock if self.is_drawer else self.is_open
        return self._place._replace(words=(side, "open" if is_open else "folded", form))

    def put(self, place: Place) -> None:
        self.set_drawer(False)
        self._place = place
        self.width = place.pixels[2]
        if self._dock is not None:
            self._put_in_place(self._dock)
        floats = "floating" in place.words and not self._window.isVisible()
        self.set_open("open" in place.words and not floats)
        if "open" in place.words and (floats or "tabbed" in place.words):
            self._to_front.start()

    @Slot()
    def _come_to_front(self) -> None:
        """Open and raise the dock after the window is shown, which would otherwise cover it."""
        if not self.is_drawer:
            self.set_open(True)
            self.dock.raise_()

    def place_content(self) -> None:
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

    @property
    def is_docked(self) -> bool:
        return self._dock is not None and self._dock.isVisible() and not self._dock.isFloating()

    @Slot(bool)
    def set_open(self, opened: bool) -> None:
        focused = QApplication.focusWidget()
        frame = self._drawer if self.is_drawer else self._dock
        had_focus = focused is not None and frame is not None and frame.isAncestorOf(focused)
        if not self.is_drawer:
            self.opens_as_dock = opened
        self._set_visible(opened)
        if had_focus and not opened:
            self.folded.emit()

    def _set_visible(self, visible: bool) -> None:
        self._note_place()
        if visible:
            self.place_content()
        frame = self._drawer if self.is_drawer else self._dock
        if frame is not None:
            frame.setVisible(visible)
        self.put_drawer()
        self.action.setChecked(self.is_open)

    @Slot(bool)
    def _receive_visibility(self, visible: bool) -> None:
        if visible:  # restoring a layout opens docks without an action
            self.place_content()
        self.action.setChecked(self.is_open)

    def fit(self, width: int) -> None:
        floating = self._dock.isFloating() if self._dock else "floating" in self._place.words
        self.set_drawer(width < self.side.drawer_below and not floating)

    def set_drawer(self, drawer: bool) -> None:
        if drawer == self.is_drawer:
            return
        if drawer:
            self.opens_as_dock = self.is_open
            self.is_drawer = True
            self._note_place()
            if self._dock is not None:
                self._dock.hide()
            self.action.setChecked(self.is_open)
        else:
            self.is_drawer = False
            if self._drawer is not None:
                self._drawer.hide()
                self.drawer_changed.emit()
            self._set_visible(self.opens_as_dock)

    def put_drawer(self) -> None:
        if self._drawer is not None:
            if self._drawer.isVisible():
                self._drawer.place(self._window.centralWidget())
            self.drawer_changed.emit()

    @property
    def room(self) -> int:
        """The width of the drawer, 0 if no drawer is shown."""
        return self._drawer.width() if self._drawer and self._drawer.isVisible() else 0
