"""The panel of pins: kept encodings that the current one is compared with."""

from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QMenu,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.exploration import (
    PIN_COLOURS,
    Pin,
    current_name,
    differing,
    pinned,
    repinned,
    restored_from_pin,
    unpinned,
)
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.follower import ModelPanel
from pe_explorer.panels.parts import heading
from pe_explorer.panels.pin_row import (
    COLOUR,
    COMPARE,
    DOWN,
    RESTORE,
    UNPIN,
    UP,
    PinRow,
    swatch,
)
from pe_explorer.params import ParameterError, declared
from pe_explorer.widgets.editors import LineEditor
from pe_explorer.widgets.labels import text_label
from pe_explorer.widgets.layouts import column_in, row_in

# Two lines where the panel is narrowest.
_PURPOSE = "Keeps an encoding to compare others with, in the heatmap and the distances."
_PURPOSE_SCALE = 0.9  # size of the font, relative to the usual one
_FIELDS = frozenset({"pins", "compared", "name", "encoding"})
_COMPARE_OFFSETS = {COMPARE: 0, UP: -1, DOWN: 1}
"""Rows from that of an action to the pin that it compares with."""


class PinsPanel(ModelPanel):
    """A button that pins the current encoding, and a row for each pin."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[PinRow] = []
        self._shown: tuple[Pin, ...] = ()
        """The pins of the rows; the model may have others until it announces them."""
        self._menu: QMenu | None = None
        self._coloured: Pin | None = None
        """The pin of the open menu of colours."""
        self.button = QPushButton("Pin")
        self.button.setAccessibleName("Pin the encoding")
        self.button.setToolTip("<p>Keeps the current encoding, to compare others with it.</p>")
        self.button.setFixedHeight(24)
        # No focus by a click: Space then plays, and does not pin again.
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(self._pin)
        self.current = LineEditor("name", declared(Exploration)["name"], self)
        """The name of the current encoding; without one, the line shows the default name."""
        self.current.field.setAccessibleName("Name of the current encoding")
        self.purpose = text_label("muted", _PURPOSE, scale=_PURPOSE_SCALE)
        self.purpose.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.purpose.setFixedHeight(2 * self.purpose.fontMetrics().lineSpacing())
        top = QHBoxLayout()
        top.addWidget(heading("Pinned"))
        top.addStretch(1)
        top.addWidget(self.button)
        self._current_row = QWidget(self)
        label = QLabel("Current")
        label.setBuddy(self.current.field)
        row_in(self._current_row, label).addWidget(self.current.field, 1)
        self._list = QVBoxLayout()
        self._list.setSpacing(1)
        layout = column_in(self, spacing=3, margins=(10, 6, 8, 6))
        layout.addLayout(top)
        layout.addWidget(self.purpose)
        layout.addWidget(self._current_row)
        layout.addLayout(self._list)
        layout.addStretch(1)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self._receive_change),
            (self.current.edited, self._set_name),
            (self.current.refused, model.refused),
        ]

    def synchronise(self) -> None:
        self._display(self.model.state)

    # -- what the user does --------------------------------------------------------------

    @Slot()
    def _pin(self) -> None:
        self.model.set(**pinned(self.model.state))

    @Slot(str, object)
    def _set_name(self, field: str, name: object) -> None:
        self.model.set(**{field: name})

    @Slot(int, str)
    def _do(self, index: int, action: str) -> None:
        """Do an action of a row."""
        place = self._current_place(self._pin_of(index))
        if place is None:
            return
        state = self.model.state
        if action == COLOUR:
            self._ask_colour(place)
        elif action == RESTORE:
            self.model.set(**restored_from_pin(state, place))
        elif action == UNPIN:
            self.model.set(**unpinned(state, place))
        elif 0 <= (compared := place + _COMPARE_OFFSETS[action]) < len(state.pins):
            self.model.set(compared=compared)
            self.rows[compared].name.setFocus()
            _scroll_to(self.rows[compared])

    def _pin_of(self, index: int) -> Pin | None:
        """Return the pin of a row, None for a row that is not used."""
        return self._shown[index] if index < len(self._shown) else None

    def _current_place(self, pin: Pin | None) -> int | None:
        """Show the present pins, and return the place of one of the rows; None if it is gone."""
        state = self.model.state
        if state.pins != self._shown:
            self._display(state)
        return state.pins.index(pin) if pin in state.pins else None

    @Slot(int, str)
    def _rename(self, index: int, name: str) -> None:
        self._change(self._pin_of(index), name=name)

    def _change(self, pin: Pin | None, **fields: str) -> None:
        place = self._current_place(pin)
        if place is None:  # it was unpinned while its name was typed or its colour chosen
            return
        try:
            changed = repinned(self.model.state, place, **fields)
        except ParameterError as error:
            self.model.refused.emit(error.sentence)
            return
        self.model.set(**changed)

    def _ask_colour(self, index: int) -> None:
        if self._menu is None:
            self._menu = QMenu(self)
            group = QActionGroup(self._menu)
            for colour in PIN_COLOURS:
                action = group.addAction(colour.capitalize())
                action.setData(colour)
                action.setCheckable(True)
                self._menu.addAction(action)
            self._menu.triggered.connect(self._set_colour)
        self._coloured = self._pin_of(index)
        present = self.model.state.pins[index].colour
        for action in self._menu.actions():
            action.setIcon(swatch(action.data(), self.palette()))
            action.setChecked(action.data() == present)
        self._menu.popup(self.rows[index].below_swatch())

    @Slot(QAction)
    def _set_colour(self, action: QAction) -> None:
        if self._model is not None:
            self._change(self._coloured, colour=action.data())

    # -- what is shown -------------------------------------------------------------------

    @Slot(object, object)
    def _receive_change(self, old: Exploration, new: Exploration) -> None:
        if differing(old, new) & _FIELDS:
            self._display(new)
        if len(new.pins) == len(old.pins) + 1:
            _scroll_to(self.rows[new.compared])

    def _display(self, state: Exploration) -> None:
        self._shown = state.pins
        self._current_row.setVisible(bool(state.pins))
        self.current.display(state.name)
        self.current.field.setPlaceholderText(current_name(state))
        while len(self.rows) < len(state.pins):
            row = PinRow(len(self.rows), self)
            row.asked.connect(self._do)
            row.renamed.connect(self._rename)
            self.rows.append(row)
            self._list.addWidget(row)
        for row, pin in zip(self.rows, state.pins, strict=False):
            row.show_pin(pin, self.palette(), compared=row.index == state.compared)
            row.show()
        unused, focus = self.rows[len(state.pins) :], QApplication.focusWidget()
        if focus is not None and any(row.isAncestorOf(focus) for row in unused):
            # Before its row is hidden: Qt would find another place for the focus.
            target = self.rows[state.compared].name if state.pins else self.button
            target.setFocus()
        for row in unused:
            row.hide()
        self.purpose.setVisible(not state.pins)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._model is not None:
            self._display(self.model.state)


def _scroll_to(row: PinRow) -> None:
    """Scroll so that a row can be seen."""
    area: QObject | None = row.parent()
    while area is not None and not isinstance(area, QScrollArea):
        area = area.parent()
    if area is not None:
        # A new row gets its place at once.
        QApplication.sendEvent(area, QEvent(QEvent.Type.LayoutRequest))
        area.ensureWidgetVisible(row, 0, 4)
