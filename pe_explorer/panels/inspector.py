"""The inspector: the number at the cursor, or under the mouse, and how it is computed."""

from __future__ import annotations

import dataclasses
import threading
from functools import partial

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from pe_explorer.encodings import (
    Axis,
    Encoding,
    EncodingError,
    Unknown,
    reads_a_file,
    require_known,
)
from pe_explorer.encodings.abilities import needs
from pe_explorer.model import Exploration
from pe_explorer.panels._captioned import (
    HELP,
    SMALL,
    Caption,
    CaptionedGrid,
    ReadingPage,
    ValueLabel,
    tooltip,
)
from pe_explorer.panels._formula import Formula
from pe_explorer.panels.cursor_panel import CursorPanel, cursor_parameter
from pe_explorer.params import Parameter, Whole, capitalised, declared
from pe_explorer.widgets.fields import NumberField
from pe_explorer.widgets.scrolling import scroll_area
from pe_explorer.widgets.tinted_label import TintedLabel

__all__ = ["Inspector"]

_MIN_WIDTH = 278
_PAGES = 10  # large steps through all dimensions
_NO_WAVE = "This {} has no wave, so it has no angle and no wavelength."
_PLACE_HELP = (
    "<p>Where the values are read: at the cursor, or under the mouse while it is over a picture. "
    "A click moves the cursor there.</p>"
)


@dataclasses.dataclass(frozen=True)
class _Answer:
    """What an encoding says of one of its numbers."""

    encoding: Encoding
    reading: dict[str, str]
    formula: tuple[str, ...]


class Inspector(CursorPanel):
    """Value, formula, angle and wavelength at the cursor, or under the mouse.

    Its fields show and set the cursor, wherever the mouse is.
    """

    reader = "inspector"
    refused = Signal(str)
    """A sentence about text that is not a legal value; the state is unchanged."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(_MIN_WIDTH)
        self._axes = (Encoding.rows, Encoding.columns)
        self._width = 0
        """The axes and the number of columns that the fields are named and limited for."""
        self.position = self._make_field("position")
        self.dimension = self._make_field("dimension")
        self.position.entered.connect(self._set_position)
        self.position.stepped.connect(self._step_position)
        self.dimension.entered.connect(self._set_dimension)
        self.dimension.stepped.connect(self._step_dimension)
        self.place = _make_place_label()
        self.formula = Formula(tooltip("Formula"))
        self.lack = _make_lack_label()
        self._value = ValueLabel("Value")
        self._page = ReadingPage()
        self._cursor_grid = self._make_cursor_grid()
        self._stack = QStackedWidget()
        self._stack.addWidget(self._page)
        self._stack.addWidget(self.lack)
        self._lay_out()

    @property
    def values(self) -> dict[str, ValueLabel]:
        """The labels of all values, by name."""
        return {"Value": self._value, **self._page.values}

    @property
    def captions(self) -> dict[str, Caption]:
        """The captions of the fields of the cursor, by name."""
        return self._cursor_grid.captions

    # -- building ------------------------------------------------------------------------

    def _make_field(self, name: str) -> NumberField:
        field = NumberField(declared(Exploration)[name])
        field.refused.connect(self.refused)
        return field

    def _make_cursor_grid(self) -> CaptionedGrid:
        grid = CaptionedGrid()
        grid.add("Position", self.position)
        grid.add("Dimension", self.dimension)
        grid.add_wide(self.place)
        grid.add("Value", self._value)
        return grid

    def _lay_out(self) -> None:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 6, 10, 6)
        column.setSpacing(2)
        column.addLayout(self._cursor_grid)
        column.addWidget(Caption("Formula", self.formula))
        column.addWidget(self.formula)
        column.addWidget(self._stack)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll_area(content))

    # -- what the user does --------------------------------------------------------------

    @Slot(object)
    def _set_position(self, position: int) -> None:
        self.model.set(position=position)

    @Slot(object)
    def _set_dimension(self, dimension: int) -> None:
        self.model.set(dimension=dimension)

    @Slot(int, bool)
    def _step_position(self, direction: int, page: bool) -> None:
        self.model.playhead.step(direction, "page" if page else "position")

    @Slot(int, bool)
    def _step_dimension(self, direction: int, page: bool) -> None:
        e = self.model.state.encoding
        if isinstance(e, Unknown):
            return
        steps = max(e.width // _PAGES, 1) if page else 1
        self.model.playhead.step(direction * steps, "dimension")

    # -- what is shown -------------------------------------------------------------------

    def needs_update(self, old: Exploration, new: Exploration) -> bool:
        before = (old.encoding, old.position, old.dimension)
        return before != (new.encoding, new.position, new.dimension)

    @Slot()
    def synchronise(self) -> None:
        self.position.display(self.model.state.position)
        self.dimension.display(self.model.state.dimension)
        state = self.model.looked_at
        self._name_fields(state.encoding)
        self._show_place()
        from_file = reads_a_file(state.encoding)
        if from_file:
            self._show_reading({"Value": "…"})
            self.formula.display("")
        task = partial(_read, state.encoding, state.position, state.dimension)
        self.read(task, from_file=from_file)

    def show_answer(self, answer: _Answer | str) -> None:
        """Show what was read, or the sentence that says why there is nothing at the cursor."""
        if isinstance(answer, str):
            self._show_reading({})
            self.formula.display("")
            self._show_lack(answer)
            return
        self._show_reading(answer.reading)
        self.formula.display("\n".join(answer.formula))
        e = answer.encoding
        if len(answer.reading) > 1:
            self._stack.setCurrentWidget(self._page)
        elif lack := needs.waves(e):
            self._show_lack(f"{capitalised(lack)}.")
        else:
            self._show_lack(_NO_WAVE.format(e.columns.name))

    def _show_reading(self, reading: dict[str, str]) -> None:
        others = dict(reading)
        self._value.setText(others.pop("Value", ""))
        self._page.display(others)

    def _show_lack(self, sentence: str) -> None:
        self.lack.setText(sentence)
        self._stack.setCurrentWidget(self.lack)

    def _show_place(self) -> None:
        """Show whether the values are those at the cursor or under the mouse."""
        preview = self.model.preview
        if preview is None:
            self.place.setText("At the cursor")
            self.place.set_shade("muted")
            return
        rows, columns = self._axes
        row = f"{rows.symbol} = {preview.position}"
        self.place.setText(f"Mouse: {row}, {columns.symbol} = {preview.dimension}")
        self.place.set_shade("accent")

    def _name_fields(self, e: Encoding | Unknown) -> None:
        """Name and limit the fields as the encoding's rows and columns are."""
        if isinstance(e, Unknown):
            rows, columns, width = Encoding.rows, Encoding.columns, _most_columns()
        else:
            rows, columns, width = e.rows, e.columns, e.width
        if self._axes == (rows, columns) and self._width == width:
            return
        self._axes, self._width = (rows, columns), width
        position = cursor_parameter("position", rows)
        dimension = cursor_parameter("dimension", columns)
        limited = dataclasses.replace(dimension, high=width - 1)  # type: ignore[call-arg]
        self._name_field("Position", self.position, position, rows)
        self._name_field("Dimension", self.dimension, limited, columns)

    def _name_field(self, name: str, field: NumberField, parameter: Parameter, axis: Axis) -> None:
        field.set_parameter(parameter)
        help_text = HELP[name].format(parameter.label, axis.symbol)
        caption = self.captions[name]
        caption.setText(f"{parameter.label} <i>{axis.symbol}</i>")
        caption.setToolTip(f"<p>{help_text}</p>")


def _read(e: Encoding | Unknown, p: int, j: int, _: threading.Event) -> _Answer | str:
    """Return what an encoding says of one number, or the sentence that says why there is none."""
    try:
        known = require_known(e)
        return _Answer(known, dict(known.reading(p, j)), known.explain(p, j))
    except EncodingError as error:  # it is unknown, has no such row, or its file is gone
        return error.sentence


def _most_columns() -> int:
    dimension = declared(Exploration)["dimension"]
    assert isinstance(dimension, Whole)
    return dimension.high + 1


def _make_place_label() -> TintedLabel:
    label = TintedLabel("At the cursor", scale=SMALL)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    label.setAccessibleName("Where the values are read")
    label.setToolTip(_PLACE_HELP)
    return label


def _make_lack_label() -> TintedLabel:
    label = TintedLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    label.setContentsMargins(0, 8, 0, 0)
    return label
