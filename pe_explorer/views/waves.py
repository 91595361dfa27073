"""The view of waves: option fields in the header, and draggable lines."""

import math
from typing import Any

from PySide6.QtCore import QPointF, Qt, Slot
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.analysis.curves import is_continuous
from pe_explorer.encodings import require_known
from pe_explorer.figures.size import UNIT_POINTS
from pe_explorer.model import Model
from pe_explorer.params import declared
from pe_explorer.pictures.figure import Figure
from pe_explorer.pictures.shown_positions import find_nearest_position
from pe_explorer.pictures.waves import LINE_OPTIONS, WavesOptions, WavesPicture
from pe_explorer.views._page_items import Grip, pixels
from pe_explorer.views.page_view import PageView
from pe_explorer.widgets.line_fields import LineField, NumberField

_LIST_FIELD_WIDTH, _NUMBER_FIELD_WIDTH = (
    86,
    46,
)  # widths of the fields in pixels; longer text scrolls
_GRIP_RADIUS = 4  # maximum distance in pixels between the mouse and a draggable line
_LINE_KEYS = dict(zip((Qt.Key.Key_1, Qt.Key.Key_2, Qt.Key.Key_3), LINE_OPTIONS, strict=True))


class WavesView(PageView):
    """A view of curves over positions, with draggable vertical lines for reading values."""

    picture = WavesPicture

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.grips = {option: Grip(option, Qt.CursorShape.SizeHorCursor) for option in LINE_OPTIONS}
        for grip in self.grips.values():
            self.canvas.scene().addItem(grip)

    def fill_header(self) -> None:
        kinds = declared(WavesOptions)
        dimensions = LineField(kinds["dimensions"])
        dimensions.setPlaceholderText("automatic")
        self.header.add_line_fields(
            kinds["dimensions"].label, _LIST_FIELD_WIDTH, dimensions=dimensions
        )
        lines = {option: NumberField(kinds[option]) for option in LINE_OPTIONS}
        self.header.add_line_fields("Read off at", _NUMBER_FIELD_WIDTH, **lines)

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        grips = self.grips.values()
        drag_connections = [(grip.dragged, self._drag_line) for grip in grips]
        drop_connections = [(grip.dropped, self.end_gesture) for grip in grips]
        return [*super().list_connections(model), *drag_connections, *drop_connections]

    def show_page(self, figure: Figure, *, has_new_data: bool = True) -> None:
        super().show_page(figure, has_new_data=has_new_data)
        hidden_names = set(self.grips)
        for panel in self.placed_panels.values():
            for mark in panel.panel.marks:
                line = pixels(panel.area)
                line.moveLeft(panel.axes.to_page_x(mark.x) / UNIT_POINTS["px"] - _GRIP_RADIUS)
                line.setWidth(2 * _GRIP_RADIUS)
                self.grips[mark.name].place(line)
                hidden_names.discard(mark.name)
        for option in hidden_names:
            self.grips[option].hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        option = _LINE_KEYS.get(Qt.Key(event.key()))
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if option is None or modifiers or self._model is None:
            super().keyPressEvent(event)
        else:
            position = float(self.model.state.position)
            is_at_cursor = getattr(self.options, option) == position
            self.set_option(option, None if is_at_cursor else position)

    @Slot(str, QPointF, QPointF)
    def _drag_line(self, option: str, start: QPointF, point: QPointF) -> None:
        if self.is_blank or not self.placed_panels:
            return
        state, ((name, panel),) = self.model.state, self.placed_panels.items()
        x, _ = self.to_panel_coordinates(name, point)
        position = float(find_nearest_position(state, x))
        is_shift_pressed = QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier
        if is_shift_pressed and is_continuous(require_known(state.encoding)):
            spacing = pixels(panel.area).width() / state.count
            digits = max(0, math.ceil(math.log10(max(1.0, spacing))))
            position = state.start + round(min(max(x, 0.0), state.count - 1), digits)
        self.model.gesture.begin()
        self.set_option(option, position)
