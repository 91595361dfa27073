"""Widgets that show values at the cursor or mouse, and a button that goes to the cursor."""

import dataclasses
import threading
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from pe_explorer import pictures
from pe_explorer.encodings import Axis, Encoding, EncodingError, Unknown, find_axes
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.follower import ModelFollower, ModelPanel
from pe_explorer.params import Parameter, capitalise, declared, printed
from pe_explorer.pictures.inspection import HiddenCursor, Inspection
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.labels import TintedLabel
from pe_explorer.widgets.layouts import lay_out_row
from pe_explorer.widgets.mouse_label import GAP

_ROW_NAME_FORMATS = {"second": "second {}", "reference": "reference {}"}


class CursorPanel(ModelPanel):
    """A panel with the values of a picture at the mouse or, without a preview, at the cursor."""

    owner = ""  # the owner of the panel's requests to the worker
    picture: type[AnyPicture] = pictures.find(pictures.names()[0])  # the picture to inspect

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self.synchronise),
            (model.previewed, self.synchronise),
            (model.worker.done, self._receive_answer),
        ]

    def detach(self) -> None:
        if self._model is not None:
            self._model.worker.cancel(self.owner)
        super().detach()

    @Slot(str)
    def show_view(self, name: str) -> None:
        self.picture = pictures.find(name)
        if self._model is not None:
            self.synchronise()

    def read(self) -> None:
        """Read the values at the mouse or the cursor; use the worker for slow computations."""
        state, worker = self.model.state_at_pointer, self.model.worker
        picture = pictures.make_picture(self.picture.name, state)
        task = partial(_inspect, picture)
        if picture.is_inspection_slow():
            self.show_waiting_state()
            worker.request(self.owner, task, has_own_thread=picture.should_use_own_thread())
        else:
            worker.cancel(self.owner)
            self.show_answer(task(threading.Event()))

    def coordinates(self, state: Exploration) -> Iterator[tuple[str, Axis, str]]:
        """Yield the field, axis and symbol of each cursor coordinate except the reference."""
        for field in self.picture.cursor_fields:
            if field != "reference":
                axis = axis_of(field, state.encoding)
                yield field, axis, _find_symbol(field, axis, self.picture.cursor_fields)

    def show_waiting_state(self) -> None:
        raise NotImplementedError

    def show_answer(self, answer: Inspection) -> None:
        raise NotImplementedError

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: Any) -> None:
        if owner == self.owner:
            self.show_answer(answer)


def _inspect(picture: AnyPicture, progress: threading.Event) -> Inspection:
    try:
        return picture.inspect(progress)
    except EncodingError as error:  # unknown encoding, missing row or missing file
        return Inspection(missing_reason=error.sentence, brief=("no value",))


def axis_of(field: str, e: Encoding | Unknown) -> Axis:
    """Return the axis of a cursor field."""
    rows, columns = find_axes(e)
    return columns if field == "dimension" else rows


def _find_symbol(field: str, axis: Axis, cursor_fields: Collection[str]) -> str:
    """Return the symbol of a cursor field; with a second row, the rows are always p and q."""
    has_two_rows = field == "position" and "second" in cursor_fields
    if has_two_rows or field in _ROW_NAME_FORMATS:
        return declared(Exploration)[field].symbol
    return axis.symbol


def make_cursor_parameter(field: str, axis: Axis, cursor_fields: Collection[str] = ()) -> Parameter:
    """Return the parameter of a cursor field with the name and symbol of an axis."""
    declaration = declared(Exploration)[field]
    name = _ROW_NAME_FORMATS.get(field, "{}").format(axis.name)
    symbol = _find_symbol(field, axis, cursor_fields)
    label, unit = capitalise(name), axis.name
    help_text = declaration.help if field in _ROW_NAME_FORMATS else f"The {name} of the cursor."
    return dataclasses.replace(declaration, label=label, symbol=symbol, unit=unit, help=help_text)


_HELP = (
    "<p>Shows the values under the mouse pointer, or at the cursor if the pointer is not over a "
    "view.</p><p>The cursor is the position and dimension that all views mark. To move it, click "
    "in a view, press an arrow key or start playback.</p>"
)
_RESERVED_TEXT = "p 1,000,000   dim 1023   value −0.123456   359.99°   λ 12345.6"
_SHORT_NAMES = {"dimension": "dim", "cosine or sine": "column"}  # short names of columns


class Readout(CursorPanel):
    """A label with coordinates and rounded values at the mouse or the cursor."""

    owner = "read-out"
    values_changed = Signal(str)  # values with full names, for the label beside the mouse
    _active_view = CursorPanel.picture.name

    def __init__(self) -> None:
        super().__init__()
        self.label = TintedLabel()
        self.label.set_shade("text")
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.label.setToolTip(_HELP)
        self._reserve_width(_RESERVED_TEXT)
        lay_out_row(self, self.label, margins=(0, 0, 6, 0))

    @Slot(str)
    def show_view(self, name: str) -> None:
        self._active_view = name
        self._reserve_width(_RESERVED_TEXT)
        super().show_view(name)

    def _reserve_width(self, text: str) -> None:
        self.label.setFixedWidth(self.fontMetrics().horizontalAdvance(text) + 2)

    @Slot()
    def synchronise(self) -> None:
        is_pointing = self.model.preview is not None
        self.picture = pictures.find(self.model.hovered_view or self._active_view)
        self.label.set_shade("accent" if is_pointing else "text")
        self.label.setAccessibleName("Under the mouse pointer" if is_pointing else "Cursor")
        self.read()

    def show_waiting_state(self) -> None:
        self._show(("…",))

    def show_answer(self, answer: Inspection) -> None:
        self._show(answer.brief)

    def _show(self, parts: tuple[str, ...]) -> None:
        short_texts, full_texts, state = [], [], self.model.state_at_pointer
        for field, axis, symbol in self.coordinates(state):
            number = getattr(state, field)
            name = f"second {axis.name} {symbol}" if field == "second" else axis.name
            full_texts.append(f"{name} {number:,}")
            if field == "dimension":
                short_texts.append(f"{_SHORT_NAMES.get(axis.name, axis.name)} {number}")
            else:
                short_texts.append(f"{symbol} {number:,}")
        line = printed.text(GAP.join((*short_texts, *parts)))
        self.label.setText(line)
        if self.fontMetrics().horizontalAdvance(line) > self.label.width():
            self._reserve_width(line)
        self.values_changed.emit(printed.text(f"{GAP.join(full_texts)}\n{GAP.join(parts)}"))


_CHIP_HEIGHT = 22  # height in pixels
_CHIP_NAME = "Go to cursor"
_CHIP_HELP = "<p>{}, outside the visible range.</p><p>Click to show it; undo to go back.</p>"


class CursorChip(ModelFollower):
    """A button that goes to a cursor outside the picture; a narrow button has a shorter text."""

    changed = Signal()  # the cursor left or entered the picture, or moved outside the picture
    resized = Signal()  # the required width or the visibility has changed

    def __init__(self, find_hidden_cursor: Callable[[Exploration], HiddenCursor | None]) -> None:
        """Create a button; `find_hidden_cursor` locates a cursor that is not shown."""
        super().__init__()
        self._find_hidden_cursor = find_hidden_cursor
        self._hidden_cursor: HiddenCursor | None = None
        self._can_appear = True
        self.button = IconButton("go-to", _CHIP_NAME)
        self.button.setAutoRaise(False)
        self.button.setToolTip(_CHIP_HELP.format("The cursor is"))
        self.button.clicked.connect(self.go_to_cursor)
        lay_out_row(self).addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.hide()

    def list_connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self.synchronise)]

    @Slot()
    def synchronise(self) -> None:
        hidden_cursor = self._find_hidden_cursor(self.model.state)
        if hidden_cursor != self._hidden_cursor:
            self._hidden_cursor = hidden_cursor
            self._show()
            self.changed.emit()

    @property
    def is_outside(self) -> bool:
        return self._hidden_cursor is not None

    def set_allowed(self, can_appear: bool) -> None:
        """Set whether the button may appear; hide it if another button shows the same text."""
        if can_appear != self._can_appear:
            self._can_appear = can_appear
            self._show()

    @property
    def sentence(self) -> str:
        """A sentence about the cursor's location; empty while the cursor is in the picture."""
        return self._hidden_cursor.sentence if self._hidden_cursor else ""

    def _show(self) -> None:
        self.setVisible(self.is_outside and self._can_appear)
        if self._hidden_cursor:
            self.button.setAccessibleName(f"{_CHIP_NAME}: {self.sentence}")
            self.button.setToolTip(_CHIP_HELP.format(self.sentence))
            self.updateGeometry()
            self._fit()
        self.resized.emit()

    @Slot()
    def go_to_cursor(self) -> None:
        if self._hidden_cursor and self.is_attached:
            self.model.set(**self._hidden_cursor.fields)

    def sizeHint(self) -> QSize:
        return QSize(self._measure_width(self.sentence), _CHIP_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._measure_width(""), _CHIP_HEIGHT)

    @property
    def brief_width(self) -> int:
        """The width of the button with the short text, in pixels; 0 while the chip is hidden."""
        hidden_cursor = self._hidden_cursor if self._can_appear else None
        return self._measure_width(hidden_cursor.place) if hidden_cursor else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        hidden_cursor = self._hidden_cursor
        texts = (hidden_cursor.sentence, hidden_cursor.place) if hidden_cursor else ()
        text = next((text for text in texts if self._measure_width(text) <= self.width()), "")
        styles = Qt.ToolButtonStyle
        style = styles.ToolButtonTextBesideIcon if text else styles.ToolButtonIconOnly
        self.button.setToolButtonStyle(style)
        self.button.setText(text or _CHIP_NAME)
        self.button.setFixedSize(self._measure_width(text), _CHIP_HEIGHT)

    def _measure_width(self, text: str) -> int:
        text_width = self.fontMetrics().horizontalAdvance(text) + 8 if text else 0
        return self.button.iconSize().width() + 12 + text_width
