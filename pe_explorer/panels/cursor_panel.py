"""Panels with the values of the active view at the cursor, or at the mouse; the read-out."""

import dataclasses
import threading
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import Qt, Slot

from pe_explorer import pictures
from pe_explorer.encodings import Axis, Encoding, EncodingError, Unknown, axes_of
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.follower import ModelPanel
from pe_explorer.params import Parameter, capitalised, declared, printed
from pe_explorer.pictures.inspection import Inspection
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.widgets.labels import TintedLabel
from pe_explorer.widgets.layouts import row_in

_COLUMN_FIELD = "dimension"  # the field of the cursor that is a column; the others are rows
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
        task = partial(_inspect, self.picture, state)
        if self.picture.inspecting_takes_long(state):
            self.show_waiting()
            worker.request(self.reader, task, own_thread=self.picture.is_made_elsewhere(state))
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


def _inspect(
    picture: type[AnyPicture], state: Exploration, cancelled: threading.Event
) -> Inspection:
    """Return the values of a picture at the cursor, or the sentence on why there are none."""
    try:
        return picture.inspect(state, cancelled)
    except EncodingError as error:  # it is unknown, has no such row, or its file is gone
        return Inspection(lack=error.sentence, brief=("no value",))


def axis_of(field: str, e: Encoding | Unknown) -> Axis:
    """Return the axis that a field of the cursor counts."""
    rows, columns = axes_of(e)
    return columns if field == _COLUMN_FIELD else rows


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
_SEPARATOR = "   "
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
        line = printed.text(_SEPARATOR.join((*place, *parts)))
        self.label.setText(line)
        if self.fontMetrics().horizontalAdvance(line) > self.label.width():
            self._reserve(line)
