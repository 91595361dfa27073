"""What is at the cursor, or at the mouse: panels, the read-out, and a chip that leads there."""

import dataclasses
import threading
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_explorer import pictures
from pe_explorer.encodings import Axis, Encoding, EncodingError, Unknown, axes_of
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.follower import Follower, ModelPanel
from pe_explorer.params import Parameter, capitalised, declared, printed
from pe_explorer.pictures.inspection import Inspection, Outside
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.labels import TintedLabel
from pe_explorer.widgets.layouts import row_in

_OTHER_ROWS = {"second": "second {}", "reference": "reference {}"}


class CursorPanel(ModelPanel):
    """A panel that shows the values of a picture at the cursor, or at the mouse."""

    reader = ""  # the name under which the panel gets answers from the worker
    picture: type[AnyPicture] = pictures.find(pictures.names()[0])  # of the active view

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self.synchronise),
            (model.previewed, self.synchronise),
            (model.worker.done, self._receive_answer),
        ]

    def detach(self) -> None:
        if self._model is not None:
            self._model.worker.cancel(self.reader)
        super().detach()

    @Slot(str)
    def show_view(self, name: str) -> None:
        self.picture = pictures.find(name)
        if self._model is not None:
            self.synchronise()

    def read(self) -> None:
        """Inspect the place of the mouse or the cursor: in the worker if that takes long."""
        state, worker = self.model.state_at_pointer, self.model.worker
        picture = pictures.picture_of(self.picture.name, state)
        task = partial(_inspect, picture)
        if picture.inspecting_takes_long():
            self.show_waiting()
            worker.request(self.reader, task, own_thread=picture.is_made_elsewhere())
        else:
            worker.cancel(self.reader)
            self.show_answer(task(threading.Event()))

    def places(self, state: Exploration) -> Iterator[tuple[str, Axis, str]]:
        """Yield field, axis and symbol of where the picture is inspected, but for the reference."""
        inspected = self.picture.inspected
        for field in inspected:
            if field != "reference":
                axis = axis_of(field, state.encoding)
                yield field, axis, symbol_of(field, axis, inspected)

    def show_waiting(self) -> None:
        raise NotImplementedError

    def show_answer(self, answer: Inspection) -> None:
        raise NotImplementedError

    @Slot(str, object)
    def _receive_answer(self, owner: str, answer: Any) -> None:
        if owner == self.reader:
            self.show_answer(answer)


def _inspect(picture: AnyPicture, progress: threading.Event) -> Inspection:
    """Return the values of a picture at the cursor, or the sentence on why there are none."""
    try:
        return picture.inspect(progress)
    except EncodingError as error:  # it is unknown, has no such row, or its file is gone
        return Inspection(lack=error.sentence, brief=("no value",))


def axis_of(field: str, e: Encoding | Unknown) -> Axis:
    """Return the axis that a field of the cursor counts."""
    rows, columns = axes_of(e)
    return columns if field == "dimension" else rows


def symbol_of(field: str, axis: Axis, inspected: Collection[str] = ()) -> str:
    """Return the symbol of a field of the cursor, whose numbers count along an axis.

    Where a second row is inspected, too, the two are p and q, whatever the rows are.
    """
    one_of_two = field == "position" and "second" in inspected
    if one_of_two or field in _OTHER_ROWS:
        return declared(Exploration)[field].symbol
    return axis.symbol


def cursor_parameter(field: str, axis: Axis, inspected: Collection[str] = ()) -> Parameter:
    """Return the parameter of a field of the cursor, named as the encoding names its axis."""
    declaration = declared(Exploration)[field]
    name = _OTHER_ROWS.get(field, "{}").format(axis.name)
    title = capitalised(name)
    help_text = declaration.help if field in _OTHER_ROWS else f"{title} of the cursor."
    return dataclasses.replace(
        declaration,
        label=title,
        symbol=symbol_of(field, axis, inspected),
        unit=axis.name,
        help=help_text,
    )


_HELP = (
    "<p>What the active view has under the mouse, or else at the cursor. A click moves the cursor "
    "there, unless it is locked.</p>"
)
_RESERVED_TEXT = "p 1,000,000   dim 1023   value −0.123456   359.99°   λ 12345.6"
_SHORT_NAMES = {"dimension": "dim", "cosine or sine": "column"}
"""Names of columns that are shortened, to leave room for the numbers."""


class Readout(CursorPanel):
    """The place of the mouse or the cursor, and the values of the active view there, rounded."""

    reader = "read-out"

    def __init__(self) -> None:
        super().__init__()
        self.label = TintedLabel()
        self.label.set_shade("text")
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.label.setToolTip(_HELP)
        self._reserve(_RESERVED_TEXT)
        row_in(self, self.label, margins=(0, 0, 6, 0))

    @Slot(str)
    def show_view(self, name: str) -> None:
        self._reserve(_RESERVED_TEXT)
        super().show_view(name)

    def _reserve(self, text: str) -> None:
        """Keep room for a text, so that shorter ones move nothing."""
        self.label.setFixedWidth(self.fontMetrics().horizontalAdvance(text) + 2)

    @Slot()
    def synchronise(self) -> None:
        pointing = self.model.preview is not None
        self.label.set_shade("accent" if pointing else "text")
        self.label.setAccessibleName("Under the mouse" if pointing else "Cursor")
        self.read()

    def show_waiting(self) -> None:
        self._show(("…",))

    def show_answer(self, answer: Inspection) -> None:
        self._show(answer.brief)

    def _show(self, parts: tuple[str, ...]) -> None:
        place, state = [], self.model.state_at_pointer
        for field, axis, name in self.places(state):
            number = getattr(state, field)
            if field == "dimension":
                place.append(f"{_SHORT_NAMES.get(axis.name, axis.name)} {number}")
            else:
                place.append(f"{name} {number:,}")
        line = printed.text("   ".join((*place, *parts)))
        self.label.setText(line)
        if self.fontMetrics().horizontalAdvance(line) > self.label.width():
            self._reserve(line)


_CHIP_HEIGHT = 22  # pixels
_CHIP_NAME = "Go to cursor"
_CHIP_HELP = "<p>{}, outside what is shown.</p><p>Shows it; Undo goes back.</p>"

FindOutside = Callable[[Exploration], Outside | None]


class CursorChip(Follower):
    """A button with a sentence, shortened where there is little room; else hidden."""

    changed = Signal()  # the cursor has left the picture, come back, or moved outside of it
    resized = Signal()  # it needs another width, or has come or gone

    def __init__(self, find: FindOutside, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._find = find
        self._outside: Outside | None = None
        self._may_speak = True
        self.button = IconButton("go-to", _CHIP_NAME)
        self.button.setAutoRaise(False)
        self.button.setToolTip(_CHIP_HELP.format("The cursor is"))
        self.button.clicked.connect(self.go_there)
        row_in(self).addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.hide()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self.synchronise)]

    @Slot()
    def synchronise(self) -> None:
        outside = self._find(self.model.state)
        if outside != self._outside:
            self._outside = outside
            self._show()
            self.changed.emit()

    @property
    def is_outside(self) -> bool:
        """Whether the cursor is not shown."""
        return self._outside is not None

    def set_speaking(self, telling: bool) -> None:
        """Show the chip, or hide it because another chip has the sentence."""
        if telling != self._may_speak:
            self._may_speak = telling
            self._show()

    @property
    def sentence(self) -> str:
        """The place of the cursor; an empty text while it is shown."""
        return self._outside.sentence if self._outside else ""

    def _show(self) -> None:
        self.setVisible(self.is_outside and self._may_speak)
        if self._outside:
            self.button.setAccessibleName(f"{self.sentence}: show it")
            self.button.setToolTip(_CHIP_HELP.format(self.sentence))
            self.updateGeometry()
            self._fit()
        self.resized.emit()

    @Slot()
    def go_there(self) -> None:
        if self._outside and self.attached:
            self.model.set(**self._outside.fields)

    def sizeHint(self) -> QSize:
        return QSize(self._width_of(self.sentence), _CHIP_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width_of(""), _CHIP_HEIGHT)

    @property
    def brief_width(self) -> int:
        """Pixels of the short text; 0 while it is hidden."""
        told = self._outside if self._may_speak else None
        return self._width_of(told.where) if told else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the longest text that fits, or the icon alone."""
        texts = (self._outside.sentence, self._outside.where) if self._outside else ()
        fitting = [text for text in texts if self._width_of(text) <= self.width()]
        style = Qt.ToolButtonStyle
        with_text = style.ToolButtonTextBesideIcon
        self.button.setToolButtonStyle(with_text if fitting else style.ToolButtonIconOnly)
        self.button.setText(fitting[0] if fitting else _CHIP_NAME)
        self.button.setFixedSize(self._width_of(fitting[0] if fitting else ""), _CHIP_HEIGHT)

    def _width_of(self, text: str) -> int:
        icon_alone = self.button.iconSize().width() + 12
        if not text:
            return icon_alone
        return icon_alone + self.fontMetrics().horizontalAdvance(text) + 8
