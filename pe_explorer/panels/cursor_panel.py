"""The base of panels that show the values of the active view at the cursor, or at the mouse."""

import dataclasses
import threading
from collections.abc import Collection, Iterator
from functools import partial
from typing import Any

from PySide6.QtCore import Slot

from pe_explorer import pictures
from pe_explorer.encodings import Axis, Encoding, EncodingError, Unknown, axes_of
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.follower import ModelPanel
from pe_explorer.params import Parameter, capitalised, declared
from pe_explorer.pictures.inspection import Inspection
from pe_explorer.pictures.picture import AnyPicture

_COLUMN_FIELD = "dimension"
"""The field of the cursor that is a column; the others are rows."""
_OTHER_ROWS = {"second": "second {}", "reference": "reference {}"}
"""The names of rows besides the cursor's own."""


class CursorPanel(ModelPanel):
    """A panel that shows the values of a picture at the cursor, or at the mouse."""

    reader = ""
    """The name under which the panel gets answers from the worker."""
    picture: type[AnyPicture] = pictures.find(pictures.names()[0])
    """The picture of the view that the user works with."""

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
        """Show the values of the picture of another view."""
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
        """Show that an answer is on its way."""
        raise NotImplementedError

    def show_answer(self, answer: Inspection) -> None:
        """Show the values of the picture."""
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
