"""The inspector: what stands at the cursor, or under the mouse, and how it comes about."""

from __future__ import annotations

import dataclasses
import threading
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette, QTextOption
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from pe_explorer.encodings import (
    Axis,
    Encoding,
    EncodingError,
    Unknown,
    reads_a_file,
    require_known,
)
from pe_explorer.encodings.abilities import needs
from pe_explorer.model import Exploration, Model
from pe_explorer.panels.follower import Follower
from pe_explorer.params import capitalised, declared
from pe_explorer.widgets.fields import NumberField
from pe_explorer.widgets.theme import colours

__all__ = ["Inspector"]

_READER = "inspector"
"""Whom the worker answers."""
_MIN_WIDTH = 278
_CAPTION = 64  # pixels for what stands before a value
_FORMULA_LINES = 8
_PAGES = 10  # large steps through all dimensions

_HELP = {
    "Position": (
        "{} of the cursor, {}; the arrow keys move it, and any whole number up to 2^53 can be "
        "typed."
    ),
    "Dimension": "{} of the cursor, {}, counted from 0; the arrow keys move it.",
    "Value": (
        "The number at the cursor, or under the mouse while it is over a picture, in as many "
        "digits as tell it from every other float64 number."
    ),
    "Formula": "As the scheme writes it, then with the cursor's numbers.",
    "Angle": "What sine and cosine are taken of, whole turns dropped, from the exact phase.",
    "Whole turns": "Turns that the wave has completed at this position, exactly.",
    "Part of a turn": "What is left of the angle, in turns, from the exact phase.",
    "Wavelength in positions": "Positions per turn of the wave.",
    "Frequency in rad per position": "Angle per position of the wave, ω.",
    "Wave": "The wave of this column, counted from 0, the fastest.",
}
_CAPTIONS = {
    "Position": "Position <i>p</i>",
    "Dimension": "Dimension <i>j</i>",
    "Part of a turn": "Part of turn",
    "Wavelength in positions": "λ, positions",
    "Frequency in rad per position": "ω, rad/pos",
}
_NO_WAVE = "This {} has no wave, so no angle and no wavelength."
_OF_WAVES = (
    "Angle",
    "Part of a turn",
    "Whole turns",
    "Wavelength in positions",
    "Frequency in rad per position",
    "Wave",
)


_Told = tuple[Encoding, dict[str, str], tuple[str, ...]]
"""An encoding, what is told of one of its numbers, and the formula."""


def _grid() -> QGridLayout:
    grid = QGridLayout()
    grid.setContentsMargins(0, 0, 0, 0)
    grid.setHorizontalSpacing(6)
    grid.setVerticalSpacing(1)
    grid.setColumnMinimumWidth(0, _CAPTION)
    grid.setColumnStretch(1, 1)
    return grid


class Inspector(Follower):
    """Value, formula with its numbers, angle and wavelength at the cursor, or under the mouse.

    The fields are the cursor's, wherever the mouse is.
    """

    refused = Signal(str)
    """A sentence about text that is no legal value; the state is as it was."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMinimumWidth(_MIN_WIDTH)
        self._axes: tuple[Axis, Axis] | None = None
        self._width = 0
        """What the fields are called and limited for."""
        self.position = self._field("position")
        self.dimension = self._field("dimension")
        self.position.entered.connect(self._set_position)
        self.position.stepped.connect(self._step_position)
        self.dimension.entered.connect(self._set_dimension)
        self.dimension.stepped.connect(self._step_dimension)
        self.values = {name: _value_label(name) for name in ("Value", *_OF_WAVES)}
        self.formula = _Formula()
        self.lack = _lack_label()
        self.place = _place_label()
        self._captions: dict[str, QLabel] = {}
        self._stack = QStackedWidget()
        self._lay_out()
        self._tint()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self._changed),
            (model.previewed, self._previewed),
            (model.worker.done, self._tell),
        ]

    def detach(self) -> None:
        if self._model is not None:
            self._model.worker.cancel(_READER)
        super().detach()

    def synchronise(self) -> None:
        self._display(self.model.looked_at)

    # -- building ------------------------------------------------------------------------

    def _field(self, name: str) -> NumberField:
        field = NumberField(declared(Exploration)[name])
        field.refused.connect(self.refused)
        return field

    def _lay_out(self) -> None:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(12, 6, 10, 6)
        column.setSpacing(2)
        first = _grid()
        self._add(first, "Position", self.position)
        self._add(first, "Dimension", self.dimension)
        first.addWidget(self.place, first.rowCount(), 0, 1, 2)
        self._add(first, "Value", self.values["Value"])
        column.addLayout(first)
        column.addWidget(self._caption("Formula", self.formula))
        column.addWidget(self.formula)
        self._stack.addWidget(self._wave_page())
        self._stack.addWidget(self.lack)
        column.addWidget(self._stack)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(content)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)

    def _wave_page(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        grid = _grid()
        for name in _OF_WAVES:
            self._add(grid, name, self.values[name])
        self._grid = grid
        column.addLayout(grid)
        column.addStretch(1)
        return page

    def _add(self, grid: QGridLayout, name: str, widget: QWidget) -> None:
        row = grid.rowCount()
        grid.addWidget(self._caption(name, widget), row, 0)
        grid.addWidget(widget, row, 1)

    def _caption(self, name: str, widget: QWidget) -> QLabel:
        caption = QLabel(_CAPTIONS.get(name, name))
        caption.setTextFormat(Qt.TextFormat.RichText)
        caption.setBuddy(widget)
        caption.setToolTip(f"<p>{_HELP.get(name, name)}</p>")
        font = caption.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        caption.setFont(font)
        self._captions[name] = caption
        return caption

    def _tint(self) -> None:
        muted = QColor(colours(self.palette()).muted)
        for label in (*self._captions.values(), self.lack):
            _paint(label, muted)
        self._say_place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

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
        if not isinstance(e, Unknown):
            steps = max(e.width // _PAGES, 1) if page else 1
            self.model.playhead.step(direction * steps, "dimension")

    # -- what is shown -------------------------------------------------------------------

    @Slot(object, object)
    def _changed(self, old: Exploration, new: Exploration) -> None:
        if (old.encoding, old.position, old.dimension) != (
            new.encoding,
            new.position,
            new.dimension,
        ):
            self._display(self.model.looked_at)

    @Slot()
    def _previewed(self) -> None:
        self._display(self.model.looked_at)

    def _say_place(self) -> None:
        """Say whether what is told is of the cursor or of the mouse."""
        preview = self._model.preview if self._model else None
        c = colours(self.palette())
        rows, columns = self._axes or (Encoding.rows, Encoding.columns)
        self.place.setText(
            f"Mouse: {rows.symbol} = {preview.position}, {columns.symbol} = {preview.dimension}"
            if preview
            else "At the cursor"
        )
        _paint(self.place, QColor(c.accent if preview else c.muted))

    def _display(self, state: Exploration) -> None:
        """Tell what is at the cursor of `state`, which is that of the mouse while it points at
        something.
        """
        self.position.display(self.model.state.position)
        self.dimension.display(self.model.state.dimension)
        self._name_fields(state.encoding)
        self._say_place()
        task = partial(_read, state.encoding, state.position, state.dimension)
        if reads_a_file(state.encoding):
            self._display_reading({"Value": "…"})
            self.formula.display("")
            self.model.worker.request(_READER, task)
        else:
            self.model.worker.cancel(_READER)
            self._tell(_READER, task(threading.Event()))

    @Slot(str, object)
    def _tell(self, owner: str, answer: Any) -> None:
        """Show what was read, or why nothing stands at the cursor."""
        if owner != _READER:
            return
        if isinstance(answer, str):
            self._display_lack(answer)
            return
        e, reading, formula = answer
        self.formula.display("\n".join(formula))
        self._display_reading(reading)
        more = len(reading) > 1
        self._stack.setCurrentIndex(0 if more else 1)
        if not more:
            lack = needs.waves(e)
            sentence = f"{capitalised(lack)}." if lack else _NO_WAVE.format(e.columns.name)
            self.lack.setText(sentence)

    def _display_reading(self, reading: dict[str, str]) -> None:
        """Show what is told of the number at the cursor, and nothing that was told of another."""
        for name in reading:
            if name not in self.values:
                self.values[name] = _value_label(name)
                self._add(self._grid, name, self.values[name])
                self._tint()
        for name, label in self.values.items():
            label.setText(reading.get(name, ""))
            if name not in ("Value", *_OF_WAVES):
                label.setVisible(name in reading)
                self._captions[name].setVisible(name in reading)

    def _display_lack(self, sentence: str) -> None:
        """Show why nothing stands at the cursor."""
        self._display_reading({})
        self.formula.display("")
        self.lack.setText(sentence)
        self._stack.setCurrentIndex(1)

    def _name_fields(self, e: Encoding | Unknown) -> None:
        """Let the fields be called, and be limited, as the encoding's rows and columns are."""
        kinds = declared(Exploration)
        rows, columns, high = Encoding.rows, Encoding.columns, kinds["dimension"].high  # type: ignore[attr-defined]
        if not isinstance(e, Unknown):
            rows, columns, high = e.rows, e.columns, e.width - 1
        if self._axes == (rows, columns) and self._width == high + 1:
            return
        self._axes, self._width = (rows, columns), high + 1
        for field, name, axis in (
            (self.position, "Position", rows),
            (self.dimension, "Dimension", columns),
        ):
            title = capitalised(axis.name)
            kind, line = kinds[name.lower()], f"{title} of the cursor."
            if field is self.dimension:
                kind = dataclasses.replace(kind, high=high)  # type: ignore[call-arg]
            named = dataclasses.replace(
                kind, label=title, symbol=axis.symbol, unit=axis.name, help=line
            )
            field.set_parameter(named)
            caption = self._captions[name]
            caption.setText(f"{title} <i>{axis.symbol}</i>")
            caption.setToolTip(f"<p>{_HELP[name].format(title, axis.symbol)}</p>")


class _Formula(QPlainTextEdit):
    """Lines that can be selected, broken anywhere rather than clipped, in a room that stays."""

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabChangesFocus(True)
        self.setAccessibleName("Formula")
        self.setToolTip(f"<p>{_HELP['Formula']}</p>")
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        font = self.font()
        font.setPointSizeF(font.pointSizeF() * 0.92)
        self.setFont(font)
        self.setFixedHeight(_FORMULA_LINES * self.fontMetrics().lineSpacing() + 4)
        self.setMinimumWidth(0)

    def display(self, text: str) -> None:
        """Show other lines, unless they are the same: a selection stays."""
        if text != self.toPlainText():
            self.setPlainText(text)


def _read(e: Encoding | Unknown, p: int, j: int, _: threading.Event) -> _Told | str:
    """Return what is told of one number, or the sentence that says why there is none."""
    try:
        found = require_known(e)
        return found, dict(found.reading(p, j)), found.explain(p, j)
    except EncodingError as error:  # unknown, no row there, or its file is gone
        return error.sentence


def _value_label(name: str) -> QLabel:
    label = QLabel("0")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(
        Qt.TextInteractionFlag.TextSelectableByMouse
        | Qt.TextInteractionFlag.TextSelectableByKeyboard
    )
    label.setSizePolicy(
        QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed
    )  # longer numbers push nothing
    label.setAccessibleName(name)
    label.setToolTip(f"<p>{_HELP.get(name, name)}</p>")
    return label


def _place_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    label.setAccessibleName("What the values are of")
    label.setToolTip(
        "<p>While the mouse is over a picture, what it points at is told here. A click sets "
        "the cursor there.</p>"
    )
    font = label.font()
    font.setPointSizeF(font.pointSizeF() * 0.85)
    label.setFont(font)
    return label


def _paint(label: QLabel, colour: QColor) -> None:
    palette = label.palette()
    palette.setColor(QPalette.ColorRole.WindowText, colour)
    label.setPalette(palette)


def _lack_label() -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    label.setContentsMargins(0, 8, 0, 0)
    return label
