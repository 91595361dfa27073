"""The panel of pins, which are encodings kept for comparison."""

from typing import Any

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal, Slot
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QColor,
    QFocusEvent,
    QIcon,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from pe_explorer import exploration
from pe_explorer.colours.dashes import DASHES
from pe_explorer.encodings import Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration import PIN_COLOURS, Pin, find_differing_fields, make_current_name
from pe_explorer.model import Exploration, Model
from pe_explorer.painting.curve import make_dashed_pen
from pe_explorer.panels.follower import ModelPanel
from pe_explorer.params import Numbers, ParameterError, declared, find_used_parameters
from pe_explorer.widgets.editors import LineEditor
from pe_explorer.widgets.keys import get_claimable_key
from pe_explorer.widgets.labels import (
    escape_html,
    format_paragraph,
    make_bold_label,
    make_text_label,
)
from pe_explorer.widgets.layouts import lay_out_column, lay_out_row
from pe_explorer.widgets.theme import colours, find_pin_shade

_KEY_ACTIONS = {
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
    Qt.Key.Key_Delete: "unpin",
    Qt.Key.Key_Return: "restore",
    Qt.Key.Key_Enter: "restore",
    Qt.Key.Key_F2: "rename",
}

_HEIGHT = 22  # height of the widgets in a row, in pixels
_MAX_NAME_LENGTH = declared(Pin)["name"].longest  # type: ignore[attr-defined]
_SWATCH_SIDE, _MARK_WIDTH = 14, 3  # in pixels


def draw_swatch(colour: str, palette: QPalette) -> QIcon:
    """Return an icon with a short line that is drawn like a pin's curve."""
    icon, shade = QIcon(), QColor(find_pin_shade(colour, palette))
    for ratio in (1, 2, 3):  # device pixels per logical pixel
        pixmap = QPixmap(_SWATCH_SIDE * ratio, _SWATCH_SIDE * ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter, middle = QPainter(pixmap), _SWATCH_SIDE * ratio // 2
        dashes = [length * ratio / 2 for length in DASHES[colour]]  # halved to fit several dashes
        painter.setPen(make_dashed_pen(shade, 4 * ratio, dashes))
        painter.drawLine(0, middle, 2 * middle, middle)
        painter.end()
        icon.addPixmap(pixmap)
    return icon


class _NameEditor(QLineEdit):
    """A line editor that accepts all keys, so that no other widget reacts to them."""

    finished = Signal(bool)  # emits whether the user accepted the name

    def event(self, event: QEvent) -> bool:
        if get_claimable_key(event) == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape):
            self.finished.emit(event.key() != Qt.Key.Key_Escape)
        else:
            super().keyPressEvent(event)
        event.accept()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        # Opening the context menu, for example to paste, must not end editing.
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.finished.emit(True)


class PinNameWidget(QWidget):
    """The name of a pin, elided in the middle because names differ most at their ends."""

    requested = Signal(str)  # name of the action that the user chose
    renamed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.text = ""
        self._editor: _NameEditor | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    @property
    def editor(self) -> QLineEdit | None:
        """The editor while the name is being edited, even in a hidden panel, otherwise None."""
        if self._editor is None or self._editor.isHidden():
            return None
        return self._editor

    def show_text(self, text: str) -> None:
        """Show a name; if it differs from the previous name, cancel editing."""
        if text != self.text:
            self._finish(False)
            self.text = text
            self.update()

    def rename(self) -> None:
        if self._editor is None:
            self._editor = _NameEditor(self, maxLength=_MAX_NAME_LENGTH)
            self._editor.setAccessibleName("Name of the pin")
            self._editor.setToolTip("Press Enter to accept the name, Esc to cancel.")
            self._editor.finished.connect(self._finish)
        self._editor.setText(self.text)
        self._editor.selectAll()
        self._editor.setGeometry(self.rect())
        self._editor.show()
        self._editor.setFocus()

    @Slot(bool)
    def _finish(self, is_accepted: bool) -> None:
        editor = self.editor
        if editor is None:  # hiding the editor removes its focus, which calls this slot again
            return
        had_focus = editor.hasFocus()
        editor.hide()
        if had_focus:
            self.setFocus()
        if is_accepted and editor.text() != self.text:
            self.renamed.emit(editor.text())

    def event(self, event: QEvent) -> bool:
        if get_claimable_key(event) in _KEY_ACTIONS and not self.editor:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = _KEY_ACTIONS.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
        elif action == "rename":
            self.rename()
        else:
            self.requested.emit(action)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.requested.emit("compare")

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.rename()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._editor is not None:
            self._editor.setGeometry(self.rect())

    def sizeHint(self) -> QSize:
        return QSize(80, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        shades, rect = colours(self.palette()), self.rect().adjusted(3, 0, -3, 0)
        elide_mode = Qt.TextElideMode.ElideMiddle
        text = self.fontMetrics().elidedText(self.text, elide_mode, rect.width())
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter = QPainter(self)
        painter.setPen(QColor(shades.text))
        painter.drawText(rect, left | Qt.TextFlag.TextSingleLine, text)
        if self.hasFocus():
            painter.setPen(QColor(shades.accent))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


class PinRow(QWidget):
    """The swatch, name and buttons of one pin."""

    requested = Signal(str)  # name of the action that the user chose
    renamed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.pin: Pin | None = None  # the pin in the row; None while the row is hidden
        self._is_compared = False
        self.setFixedHeight(_HEIGHT + 2)
        # The order of creation determines the tab order.
        self.colour = self._make_button("colour")
        self.name = PinNameWidget(self)
        self.name.requested.connect(self.requested)
        self.name.renamed.connect(self.renamed)
        self.restore = self._make_button("restore", "↩")
        self.remove_button = self._make_button("unpin", "×")
        layout = lay_out_row(self, self.colour, spacing=1, margins=(_MARK_WIDTH + 2, 1, 0, 1))
        layout.addWidget(self.name, 1)
        layout.addWidget(self.restore)
        layout.addWidget(self.remove_button)

    def _make_button(self, action: str, text: str = "") -> QToolButton:
        button = QToolButton(self, autoRaise=True)
        button.setObjectName(action)
        button.setText(text)
        button.setFixedSize(20, _HEIGHT)
        button.setIconSize(QSize(_SWATCH_SIDE, _SWATCH_SIDE))
        button.clicked.connect(self._request_action)
        return button

    def show_pin(self, pin: Pin, name: str, palette: QPalette, *, is_compared: bool) -> None:
        """Show a pin in the palette of the panel, which changes before that of a row."""
        self.pin, self._is_compared = pin, is_compared
        self.colour.setIcon(draw_swatch(pin.colour, palette))
        self.name.show_text(name)
        self.name.setAccessibleName(name)
        hint, description = "Click to compare the heatmap with this pin.", "Pinned."
        if is_compared:
            hint = "The heatmap compares with this pin."
            description = "The heatmap compares the encoding with this pin."
        head = f"<b>{escape_html(name)}</b><br>{escape_html(_describe_encoding(pin.encoding))}"
        self.name.setToolTip(f"<p>{head}</p><p>{hint} Double-click or press F2 to rename it.</p>")
        self.name.setAccessibleDescription(description)
        policy = Qt.FocusPolicy
        self.name.setFocusPolicy(policy.StrongFocus if is_compared else policy.ClickFocus)
        help_texts = {
            self.colour: f"Colour of {name}: {pin.colour}. Click to change it.",
            self.restore: f"Make {name} the current encoding again (Enter).",
            self.remove_button: f"Unpin {name} (Delete).",
        }
        for button, help_text in help_texts.items():
            button.setAccessibleName(help_text)
            button.setToolTip(format_paragraph(help_text))
            # Tab visits only the buttons of the compared pin.
            button.setFocusPolicy(policy.TabFocus if is_compared else policy.NoFocus)
        self.update()

    @Slot()
    def _request_action(self) -> None:
        self.requested.emit(self.sender().objectName())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._is_compared:
            shades = colours(self.palette())
            painter = QPainter(self)
            painter.fillRect(self.rect(), QColor(shades.raised_background))
            painter.fillRect(0, 0, _MARK_WIDTH, self.height(), QColor(shades.accent))
            painter.end()


def _describe_encoding(e: Encoding | Unknown) -> str:
    try:
        e = require_known(e, "pin")
    except EncodingError as error:
        return error.sentence
    parts = []
    for name, kind in find_used_parameters(e).items():
        format_item = kind.brief if isinstance(kind, Numbers) else kind.format
        parts.append(f"{kind.label} {format_item(getattr(e, name))}")
    return f"{e.title()}: {', '.join(parts)}"


_PURPOSE = "A pin is an encoding that you keep to compare other encodings with."
_SHOWN_FIELDS = frozenset({"pins", "compared", "name", "encoding"})
_COMPARE_OFFSETS = {"compare": 0, "up": -1, "down": 1}  # offset to the pin to compare, by action


class PinsPanel(ModelPanel):
    """A button that pins the current encoding, and a row for each pin."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[PinRow] = []
        self._pins: tuple[Pin, ...] = ()  # displayed pins; the model may already have newer ones
        self._colour_menu: QMenu | None = None
        self._menu_pin: Pin | None = None  # the pin whose colour menu was opened last
        self.button = QPushButton("Pin")
        self.button.setAccessibleName("Pin encoding")
        help_text = "Keep this encoding to compare other encodings with it (Ctrl+P)."
        self.button.setToolTip(format_paragraph(help_text))
        self.button.setFixedHeight(24)
        # A click does not focus the button. Otherwise, Space would pin again instead of playing.
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._add_pin)
        self.current = LineEditor("name", declared(Exploration)["name"], self)
        """An editor for the name of the current encoding; an empty name means the default name."""
        self.current.field.setAccessibleName("Name of the current encoding")
        self.purpose = make_text_label("muted", _PURPOSE, scale=0.9)
        self.purpose.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.purpose.setFixedHeight(2 * self.purpose.fontMetrics().lineSpacing())
        top = QHBoxLayout()
        top.addWidget(make_bold_label("Pinned"))
        top.addStretch(1)
        top.addWidget(self.button)
        self._current_row = QWidget(self)
        label = QLabel("Current")
        label.setBuddy(self.current.field)
        lay_out_row(self._current_row, label).addWidget(self.current.field, 1)
        self._row_layout = QVBoxLayout()
        self._row_layout.setSpacing(1)
        layout = lay_out_column(self, spacing=3, margins=(10, 6, 8, 6))
        layout.addLayout(top)
        layout.addWidget(self.purpose)
        layout.addWidget(self._current_row)
        layout.addLayout(self._row_layout)
        layout.addStretch(1)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self._receive_change),
            (self.current.edited, self._set_name),
            (self.current.refused, model.refused),
        ]

    def synchronise(self) -> None:
        self._display(self.model.state)

    @Slot()
    def _add_pin(self) -> None:
        self.model.set(**exploration.add_pin(self.model.state))

    @Slot(str, object)
    def _set_name(self, field: str, name: object) -> None:
        self.model.set(**{field: name})

    @Slot(str)
    def _perform_action(self, action: str) -> None:
        row = self.sender()
        index = self._find_index(row.pin) if isinstance(row, PinRow) else None
        if index is None:
            return
        state = self.model.state
        if action == "colour":
            self._open_colour_menu(index)
        elif action == "restore":
            self.model.set(**exploration.apply_pin(state, index))
        elif action == "unpin":
            self.model.set(**exploration.remove_pin(state, index))
        elif 0 <= (compared := index + _COMPARE_OFFSETS[action]) < len(state.pins):
            self.model.set(compared=compared)
            self.rows[compared].name.setFocus()
            _scroll_to(self.rows[compared])

    def _find_index(self, pin: Pin | None) -> int | None:
        """Update the rows if pins have changed; return a pin's index, or None if it was removed."""
        state = self.model.state
        if state.pins != self._pins:
            self._display(state)
        return state.pins.index(pin) if pin in state.pins else None

    @Slot(str)
    def _rename(self, name: str) -> None:
        row = self.sender()
        if isinstance(row, PinRow):
            self._change_pin(row.pin, name=name)

    def _change_pin(self, pin: Pin | None, **fields: str) -> None:
        index = self._find_index(pin)
        if index is None:  # the pin was removed while its name or colour was being edited
            return
        try:
            self.model.set(**exploration.update_pin(self.model.state, index, **fields))
        except ParameterError as error:
            self.model.refused.emit(error.sentence)

    def _open_colour_menu(self, index: int) -> None:
        if self._colour_menu is None:
            self._colour_menu = QMenu(self)
            group = QActionGroup(self._colour_menu)
            for colour in PIN_COLOURS:
                action = QAction(colour.capitalize(), group, checkable=True)
                action.setData(colour)
                self._colour_menu.addAction(action)
            self._colour_menu.triggered.connect(self._set_colour)
        self._menu_pin = pin = self.model.state.pins[index]
        for action in self._colour_menu.actions():
            action.setIcon(draw_swatch(action.data(), self.palette()))
            action.setChecked(action.data() == pin.colour)
        button = self.rows[index].colour
        self._colour_menu.popup(button.mapToGlobal(button.rect().bottomLeft()))

    @Slot(QAction)
    def _set_colour(self, action: QAction) -> None:
        if self._model is not None:
            self._change_pin(self._menu_pin, colour=action.data())

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if find_differing_fields(old, new) & _SHOWN_FIELDS:
            self._display(new)
        if len(new.pins) == len(old.pins) + 1:
            _scroll_to(self.rows[new.compared])

    def _display(self, state: Exploration) -> None:
        self._pins = state.pins
        self._current_row.setVisible(bool(state.pins))
        self.current.display(state.name)
        self.current.field.setPlaceholderText(make_current_name(state))
        while len(self.rows) < len(state.pins):
            row = PinRow(self)
            row.requested.connect(self._perform_action)
            row.renamed.connect(self._rename)
            self.rows.append(row)
            self._row_layout.addWidget(row)
        for index, pin in enumerate(state.pins):
            row = self.rows[index]
            name = exploration.make_distinguishing_name(state, pin, is_full=True)
            row.show_pin(pin, name, self.palette(), is_compared=index == state.compared)
            row.show()
        unused_rows, focus_widget = self.rows[len(state.pins) :], QApplication.focusWidget()
        if focus_widget is not None and any(row.isAncestorOf(focus_widget) for row in unused_rows):
            # Move the focus before hiding the row. Otherwise, Qt would choose the new focus.
            target = self.rows[state.compared].name if state.pins else self.button
            target.setFocus()
        for row in unused_rows:
            row.hide()
            row.pin = None
        self.purpose.setVisible(not state.pins)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._model is not None:
            self._display(self.model.state)


def _scroll_to(row: PinRow) -> None:
    area: QObject | None = row.parent()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parent()
    if area is not None:
        # Lay out a new row before the scroll area moves to it.
        QApplication.sendEvent(area, QEvent(QEvent.Type.LayoutRequest))
        area.ensureWidgetVisible(row, 0, 4)
