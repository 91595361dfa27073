"""The panels beside the panes: docks in a wide window, drawers in a narrow window."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QDockWidget, QFrame, QMainWindow, QWidget

from pe_explorer.app.settings.settings import Place
from pe_explorer.app.window.centre import Centre
from pe_explorer.app.window.own_windows import fit_to_screen, make_place
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.labels import make_bold_label
from pe_explorer.widgets.layouts import lay_out_column, lay_out_row

_BUTTON_SIDE = 24  # pixels
SIDE_NAMES = {True: "left", False: "right"}


class Side(NamedTuple):
    """The initial side, width and visibility of a panel."""

    title: str
    is_left: bool
    width: int  # initial width in pixels
    min_window_width: int  # minimum window width in pixels to show the panel as a dock
    is_open: bool  # whether the panel is initially open

    @property
    def place(self) -> Place:
        """The initial place of the panel; the height is nominal, because docks fill the window."""
        visibility = "open" if self.is_open else "folded"
        return Place((0, 0, self.width, 1), (SIDE_NAMES[self.is_left], visibility, "docked"))


class Drawer(QFrame):
    """A panel that covers the edge of the panes."""

    def __init__(self, window: QMainWindow, side: Side) -> None:
        super().__init__(window, frameShape=QFrame.Shape.StyledPanel)
        self._side = side
        self.setAutoFillBackground(True)
        self.setAccessibleName(f"{side.title} drawer")
        # Accept the focus on a click, so that Esc then folds the drawer.
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.bar = TitleBar(side, None)
        self._column = lay_out_column(self, self.bar, spacing=0)
        self.hide()

    def set_content(self, content: QWidget) -> None:
        self._column.addWidget(content, 1)

    def cover(self, centre: QWidget) -> None:
        area = centre.geometry()
        width = min(self._side.width, area.width())
        left = area.left() if self._side.is_left else area.right() + 1 - width
        self.setGeometry(left, area.top(), width, area.height())
        self.raise_()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.bar.fold_button.click()
        else:
            super().keyPressEvent(event)


class TitleBar(QWidget):
    """The title bar of a panel, with buttons that float and fold the panel."""

    def __init__(self, side: Side, dock: QDockWidget | None) -> None:
        super().__init__()
        self._dock = dock
        fold_icon = "fold-left" if side.is_left else "fold-right"
        self.fold_button = IconButton(fold_icon, "Fold", side=_BUTTON_SIDE)
        self.fold_button.setToolTip(f"<p>Fold the {side.title} panel.</p>")
        self.fold_button.setAccessibleName(f"Fold {side.title} panel")
        self.title = make_bold_label(side.title)
        row = lay_out_row(self, spacing=1, margins=(8, 1, 2, 1))
        row.addWidget(self.title, 1)
        if dock is not None:
            self.own_window_button = IconButton("own-window", "Open in window", side=_BUTTON_SIDE)
            self.own_window_button.setAccessibleName(f"Open {side.title} in window")
            self.own_window_button.setToolTip("<p>Move the panel to its own window, or back.</p>")
            self.own_window_button.clicked.connect(self._toggle_floating)
            row.addWidget(self.own_window_button)
        row.addWidget(self.fold_button)

    @Slot()
    def _toggle_floating(self) -> None:
        assert self._dock is not None
        self._dock.setFloating(not self._dock.isFloating())


_MIN_FREE_WIDTH = 240  # minimum width in pixels of the panes beside a drawer
_Area = Qt.DockWidgetArea
_AREAS = {"left": _Area.LeftDockWidgetArea, "right": _Area.RightDockWidgetArea}


class Sides(QObject):
    """The panels beside the panes, as docks or drawers depending on the window's width."""

    folded = Signal()  # a panel with the keyboard focus was folded

    def __init__(self, window: QMainWindow, sides: Mapping[str, tuple[Side, QWidget]]) -> None:
        """Create the panels; `sides` maps the name of each panel to its side and content."""
        super().__init__(window)
        self._window = window
        self._widths_before_drag: dict[str, int] = {}
        self._old_space: tuple[object, ...] = ()  # the available space when docks were last resized
        self._panels: dict[str, _SidePanel] = {}
        for name, (side, content) in sides.items():
            panel = self._panels[name] = _SidePanel(window, name, side, content)
            panel.folded.connect(self.folded)
            panel.drawer_changed.connect(self.make_space)
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

    def open_as_dock(self, name: str) -> None:
        """Show a panel beside the panes, now or once the window is wide enough."""
        self._panels[name].should_open_as_dock = True
        if not self.is_drawer(name):
            self.open(name)

    def prepare(self, name: str) -> None:
        """Create a panel's closed dock before the panel is first shown."""
        panel = self._panels[name]
        if not (panel.is_drawer or panel.is_open):
            panel.place_content()

    def lay_out(self) -> None:
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
        return self._panels[name].is_drawer

    @property
    def places(self) -> dict[str, Place]:
        """The places of the panels; for a drawer, the place of its dock."""
        return {name: panel.place for name, panel in self._panels.items()}

    def move_to(self, places: Mapping[str, Place]) -> None:
        """Move panels to places; a panel without a place moves to its initial place."""
        targets = {n: places.get(n, panel.side.place) for n, panel in self._panels.items()}
        for name in sorted(targets, key=lambda name: targets[name].pixels[1]):  # from top to bottom
            self._panels[name].move_to(targets[name])

    def fit(self) -> None:
        """Show the panels as docks or drawers, depending on the width of the window."""
        for panel in self._panels.values():
            panel.fit(self._window.width())

    @Slot()
    def make_space(self) -> None:
        """Leave room for drawers beside the panes, unless the panes would become too narrow."""
        centre = self._window.centralWidget()
        if not isinstance(centre, Centre):  # the window is not complete yet
            return
        left = sum(panel.drawer_width for panel in self._panels.values() if panel.side.is_left)
        right = sum(panel.drawer_width for panel in self._panels.values()) - left
        min_width = max(_MIN_FREE_WIDTH, centre.currentWidget().minimumSizeHint().width())
        has_space = centre.width() - left - right >= min_width
        centre.setContentsMargins(*((left, 0, right, 0) if has_space else (0, 0, 0, 0)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt the panels to the window's size, and remember the widths of dragged docks."""
        if watched is self._window:
            match event:
                case QResizeEvent():
                    self.fit()
                    for panel in self._panels.values():
                        panel.place_drawer()
                    self._resize_docks()
                case QMouseEvent() if event.type() == QEvent.Type.MouseButtonPress:
                    if self._window.isSeparator(event.position().toPoint()):
                        panels = self._docked_panels.items()
                        self._widths_before_drag = {n: panel.dock.width() for n, panel in panels}
                case QMouseEvent() if event.type() == QEvent.Type.MouseButtonRelease:
                    for name, panel in self._docked_panels.items():
                        width = panel.dock.width()
                        if width != self._widths_before_drag.get(name, width):
                            panel.width = width
                    self._widths_before_drag = {}
                case _ if event.type() == QEvent.Type.LayoutRequest:  # a dock was opened or folded
                    self._resize_docks()
        return super().eventFilter(watched, event)

    @property
    def _docked_panels(self) -> dict[str, _SidePanel]:
        return {name: panel for name, panel in self._panels.items() if panel.is_docked}

    def _resize_docks(self) -> None:
        """Restore the chosen widths of docks, because Qt keeps the widths of a narrower window."""
        panels = self._docked_panels.values()
        docks, widths = [panel.dock for panel in panels], [panel.width for panel in panels]
        if self._widths_before_drag or [dock.width() for dock in docks] == widths:
            return
        if (
            self._list_space_inputs() != self._old_space
        ):  # otherwise Qt requests the layout endlessly
            self._window.resizeDocks(docks, widths, Qt.Orientation.Horizontal)
            self.lay_out()
            self._old_space = self._list_space_inputs()

    def _list_space_inputs(self) -> tuple[object, ...]:
        min_width = self._window.centralWidget().minimumSizeHint().width()
        docks = [(panel.width, panel.dock) for panel in self._docked_panels.values()]
        widths = [(width, dock.minimumSizeHint().width(), dock.width()) for width, dock in docks]
        return self._window.width(), min_width, widths


class _SidePanel(QObject):
    """A panel whose dock and drawer are created on first use, because creation is slow."""

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
        # Fill the background, so that changes to the content do not repaint the dock.
        content.setAutoFillBackground(True)
        self.action = QAction(self)
        self.should_open_as_dock = side.is_open
        self.is_drawer = False
        self._dock: QDockWidget | None = None
        self._drawer: Drawer | None = None

    def set_title(self, title: str) -> None:
        self._title = title
        for bar in (self._dock and self._dock.titleBarWidget(), self._drawer and self._drawer.bar):
            if isinstance(bar, TitleBar):
                bar.title.setText(title)

    @property
    def dock(self) -> QDockWidget:
        """The dock, closed when it is created; empty while the panel is an open drawer."""
        if self._dock is not None:
            return self._dock
        dock = self._dock = QDockWidget(self.side.title, self._window)
        dock.setObjectName(f"dock.{self._name}")
        bar = TitleBar(self.side, dock)
        bar.title.setText(self._title)
        bar.fold_button.clicked.connect(self.set_open)  # a button that is not checkable emits False
        dock.setTitleBarWidget(bar)
        dock.setAllowedAreas(_AREAS["left"] | _AREAS["right"])
        dock.hide()
        self._put_dock(dock)
        dock.visibilityChanged.connect(self._receive_visibility)
        return dock

    @property
    def drawer(self) -> Drawer:
        if self._drawer is None:
            self._drawer = Drawer(self._window, self.side)
            self._drawer.bar.title.setText(self._title)
            self._drawer.bar.fold_button.clicked.connect(self.set_open)
        return self._drawer

    def _put_dock(self, dock: QDockWidget) -> None:
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
            dock.setGeometry(fit_to_screen(QRect(*self._place.pixels), dock))

    def _update_place(self) -> None:
        """Store the place of the dock, unless the dock or the window is hidden."""
        dock = self._dock
        if dock is None or dock.isHidden() or not self._window.isVisible():
            return
        is_left = self._window.dockWidgetArea(dock) == _AREAS["left"]
        form = "tabbed" if self._window.tabifiedDockWidgets(dock) else "docked"
        geometry = dock.geometry()
        if dock.isFloating():
            form = "floating"
        else:
            geometry.setWidth(self.width)
        self._place = make_place(geometry, SIDE_NAMES[is_left], "open", form)

    @property
    def place(self) -> Place:
        self._update_place()
        side, _, form = self._place.words
        is_open = self.should_open_as_dock if self.is_drawer else self.is_open
        return self._place._replace(words=(side, "open" if is_open else "folded", form))

    def move_to(self, place: Place) -> None:
        self.set_drawer(False)
        self._place = place
        self.width = place.pixels[2]
        if self._dock is not None:
            self._put_dock(self._dock)
        is_open, should_float = "open" in place.words, "floating" in place.words
        should_open_later = should_float and not self._window.isVisible()
        self.set_open(is_open and not should_open_later)
        if is_open and (should_open_later or "tabbed" in place.words):
            QTimer.singleShot(0, self, self._open_in_front)

    def _open_in_front(self) -> None:
        """Open and raise the dock after the window is shown, because the window would cover it."""
        if not self.is_drawer:
            self.set_open(True)
            self.dock.raise_()

    def place_content(self) -> None:
        if self.is_drawer:
            self.drawer.set_content(self._content)
        else:
            self.dock.setWidget(self._content)
        self._content.show()

    @property
    def is_open(self) -> bool:
        if self.is_drawer:
            return self._drawer is not None and self._drawer.isVisible()
        return self._dock is not None and not self._dock.isHidden()

    @property
    def is_docked(self) -> bool:
        return self._dock is not None and self._dock.isVisible() and not self._dock.isFloating()

    @Slot(bool)
    def set_open(self, is_open: bool) -> None:
        focus_widget = QApplication.focusWidget()
        frame = self._drawer if self.is_drawer else self._dock
        had_focus = bool(focus_widget and frame and frame.isAncestorOf(focus_widget))
        if not self.is_drawer:
            self.should_open_as_dock = is_open
        self._set_visible(is_open)
        if had_focus and not is_open:
            self.folded.emit()

    def _set_visible(self, is_visible: bool) -> None:
        self._update_place()
        if is_visible:
            self.place_content()
        frame = self._drawer if self.is_drawer else self._dock
        if frame is not None:
            frame.setVisible(is_visible)
        self.place_drawer()
        self.action.setChecked(self.is_open)

    @Slot(bool)
    def _receive_visibility(self, is_visible: bool) -> None:
        if is_visible:  # restoring a layout opens docks without an action
            self.place_content()
        self.action.setChecked(self.is_open)

    def fit(self, width: int) -> None:
        is_floating = self._dock.isFloating() if self._dock else "floating" in self._place.words
        self.set_drawer(width < self.side.min_window_width and not is_floating)

    def set_drawer(self, is_drawer: bool) -> None:
        if is_drawer == self.is_drawer:
            return
        if is_drawer:
            self.should_open_as_dock = self.is_open
            self.is_drawer = True
            self._update_place()
            if self._dock is not None:
                self._dock.hide()
            self.action.setChecked(self.is_open)
        else:
            self.is_drawer = False
            if self._drawer is not None:
                self._drawer.hide()
                self.drawer_changed.emit()
            self._set_visible(self.should_open_as_dock)

    def place_drawer(self) -> None:
        if self._drawer is not None:
            if self._drawer.isVisible():
                self._drawer.cover(self._window.centralWidget())
            self.drawer_changed.emit()

    @property
    def drawer_width(self) -> int:
        """The width of the drawer, or 0 if the drawer is hidden."""
        return self._drawer.width() if self._drawer and self._drawer.isVisible() else 0
