"""A pane: one view below a header with its name, its choices, and what can be done with it."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QContextMenuEvent,
    QFocusEvent,
    QMouseEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QMenu,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from pe_explorer import pictures
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.panels.cursor_chip import CursorChip
from pe_explorer.pictures.inspection import Outside
from pe_explorer.views import PageView
from pe_explorer.widgets.fonts import set_bold
from pe_explorer.widgets.icon_button import IconButton
from pe_explorer.widgets.layouts import column_in, row_in
from pe_explorer.widgets.theme import colours

_LEAST_WIDTH, _LEAST_HEIGHT = 200, 140  # pixels
_LINE_HEIGHT = 2  # pixels, above the active pane
_BUTTON_SIDE = 24  # pixels


class Pane(QFrame):
    """Shows one view; a line above it marks the active one."""

    activated = Signal(str)
    """Its view is what the user works with now."""
    exchanged = Signal(str, str)
    """Another view was chosen for its place: the present one, the other one."""
    maximise_asked = Signal(str)
    """The user lets its view fill the place of all panes, or ends that."""
    own_window_asked = Signal(str)
    """The user gives its view a window of its own, or ends that."""
    more_asked = Signal(object, QPoint)
    """The user opens the options of this view, below a point on the screen."""
    menu_asked = Signal(QPoint)
    """The user opens the menu of the active view, at a point on the screen."""

    def __init__(self, view: PageView) -> None:
        super().__init__()
        self.view = view
        self.name = view.picture.name
        self.setObjectName(f"pane.{self.name}")
        self.setAccessibleName(f"{view.picture.title} pane")
        self.setMinimumSize(_LEAST_WIDTH, _LEAST_HEIGHT)
        self._line = QWidget()
        self._line.setFixedHeight(_LINE_HEIGHT)
        self._line.setAutoFillBackground(True)
        self.title = title = QToolButton()
        title.setText(view.picture.title)
        title.setAutoRaise(True)
        title.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        title.setAccessibleName(f"View: {view.picture.title}")
        title.setToolTip(f"<p>{view.picture.help}</p><p>Opens a list of the other views.</p>")
        set_bold(title)
        menu = QMenu(title)
        for name in pictures.names():
            action = menu.addAction(pictures.find(name).title)
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(name == self.name)
        menu.triggered.connect(self._choose)
        title.setMenu(menu)
        self.chip = CursorChip(self._find_outside)
        self.chip.resized.connect(self._fit_header)
        self.more = self._make_button("more", "Options", "All options of this view")
        self.maximise = self._make_button(
            "maximise", "Maximise", "Fills the place of all panes (Ctrl+M)"
        )
        self.own_window = self._make_button(
            "own-window", "Open in window", "Moves the view to a window of its own"
        )
        self.more.clicked.connect(self._ask_more)
        self.maximise.clicked.connect(self.ask_maximise)
        self.own_window.clicked.connect(self.ask_own_window)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.set_active(False)
        self.header = QWidget()
        row = row_in(self.header, self.title, self.chip, spacing=2, margins=(4, 1, 2, 1))
        # A pane may be narrower than its choices; "more" has all of them.
        self.view.header.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.view.header, 100)
        self.view.header.changed.connect(self._fit_header)
        row.addStretch(1)  # takes the place of the choices where they do not fit
        for button in (self.more, self.maximise, self.own_window):
            row.addWidget(button)
        column_in(self, self._line, self.header, spacing=0).addWidget(self.view, 1)

    def _make_button(self, icon_name: str, name: str, help_text: str) -> IconButton:
        button = IconButton(icon_name, name, about=self.view.picture.title)
        button.setFixedSize(_BUTTON_SIDE, _BUTTON_SIDE)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setToolTip(f"<p><b>{name}</b><br>{help_text}.</p>")
        return button

    def attach(self, model: Model) -> None:
        if not self.view.attached:
            self.view.attach(model)
            self.chip.attach(model)

    def detach(self) -> None:
        self.view.detach()
        self.chip.detach()

    def _find_outside(self, state: Exploration) -> Outside | None:
        """Return where the cursor is if the picture does not show it."""
        picture = pictures.picture_of(self.name, state)
        return None if picture.is_lacking() else picture.cursor_outside()

    def set_active(self, active: bool) -> None:
        self.active = active
        c = colours(self.palette())
        palette = self._line.palette()
        palette.setColor(QPalette.ColorRole.Window, c.accent if active else c.edge)
        self._line.setPalette(palette)

    def show_state(self, *, maximised: bool, in_own_window: bool) -> None:
        """Show what its buttons would do now."""
        to_restore, to_maximise = ("restore", "Restore"), ("maximise", "Maximise")
        self.maximise.set_action(*(to_restore if maximised else to_maximise))
        self.maximise.setVisible(not in_own_window)
        to_put_back, to_open = ("back", "Back to the panes"), ("own-window", "Open in window")
        self.own_window.set_action(*(to_put_back if in_own_window else to_open))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        for each in self.title.menu().actions():
            each.setChecked(each.data() == self.name)
        if action.data() != self.name:
            self.exchanged.emit(self.name, action.data())

    @Slot()
    def _ask_more(self) -> None:
        self.activated.emit(self.name)
        self.more_asked.emit(self.view, self.more.mapToGlobal(QPoint(0, self.more.height())))

    @Slot()
    def ask_maximise(self) -> None:
        self.maximise_asked.emit(self.name)

    @Slot()
    def ask_own_window(self) -> None:
        self.own_window_asked.emit(self.name)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Give the focus to the view: a clicked header takes none itself."""
        super().focusInEvent(event)
        self.view.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.header.geometry().contains(event.position().toPoint()):
            self.ask_maximise()
        event.accept()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.activated.emit(self.name)
        self.menu_asked.emit(event.globalPos())
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_header()

    @Slot()
    def _fit_header(self) -> None:
        """Show the choices that fit beside the words of the chip, which has the rest."""
        others: Sequence[QWidget] = (self.title, self.more, self.maximise, self.own_window)
        taken = sum(widget.sizeHint().width() for widget in others) + 20
        room = self.width() - taken
        choices = self.view.header.fit(room - self.chip.brief_width)
        self.chip.setMaximumWidth(max(room - choices, self.chip.brief_width))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self.set_active(self.active)
