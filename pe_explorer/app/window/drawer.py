"""A panel beside the panes: where it stands, its title bar, and its drawer."""

from typing import NamedTuple

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDockWidget,
    QFrame,
    QLabel,
    QMainWindow,
    QWidget,
)

from pe_explorer.app.settings.settings import Place
from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.icon_button import IconButton
from pe_explorer.widgets.layouts import column_in, row_in

_BUTTON_SIDE = 24  # pixels
SIDES = {True: "left", False: "right"}


class Side(NamedTuple):
    """Where a panel stands."""

    title: str
    on_the_left: bool
    width: int
    """Pixels at first."""
    drawer_below: int
    """The width of the window in pixels below which the panel is a drawer."""
    open_at_first: bool

    @property
    def place(self) -> Place:
        """The first place of the panel; a dock is as high as the window."""
        opened = "open" if self.open_at_first else "folded"
        return Place((0, 0, self.width, 1), (SIDES[self.on_the_left], opened, "docked"))


class Drawer(QFrame):
    """A panel over the edge of the panes."""

    def __init__(self, window: QMainWindow, side: Side) -> None:
        super().__init__(window)
        self._side = side
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setAccessibleName(f"{side.title} drawer")
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Esc folds it after a click on its words
        self.bar = TitleBar(side, None)
        self._column = column_in(self, self.bar, spacing=0)
        self.hide()

    def take(self, content: QWidget) -> None:
        self._column.addWidget(content, 1)

    def place(self, centre: QWidget) -> None:
        """Cover the edge of the widget in the middle of the window."""
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
    """The title of a panel, and buttons that float and fold it."""

    def __init__(self, side: Side, dock: QDockWidget | None) -> None:
        super().__init__()
        self._dock = dock
        self.fold = IconButton("fold-left" if side.on_the_left else "fold-right", "Fold")
        self.fold.setToolTip(f"<p>Folds the panel {side.title} away.</p>")
        self.fold.setAccessibleName(f"Fold {side.title}")
        self.title = QLabel(side.title)
        set_bold(self.title)
        row = row_in(self, spacing=1, margins=(8, 1, 2, 1))
        row.addWidget(self.title, 1)
        buttons = [self.fold]
        if dock is not None:
            self.own_window = IconButton("own-window", "Open in window")
            self.own_window.setAccessibleName(f"{side.title} in its own window")
            self.own_window.setToolTip(
                "<p>Makes the panel a window of its own, or puts it back.</p>"
            )
            self.own_window.clicked.connect(self._toggle_floating)
            buttons.insert(0, self.own_window)
        for button in buttons:
            button.setFixedSize(_BUTTON_SIDE, _BUTTON_SIDE)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            row.addWidget(button)

    @Slot()
    def _toggle_floating(self) -> None:
        assert self._dock is not None
        self._dock.setFloating(not self._dock.isFloating())
