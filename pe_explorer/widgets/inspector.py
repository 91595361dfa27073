"""The inspector: what stands at the cursor, or under the mouse, and how it comes about."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QColor, QPalette, QTextOption
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPlainTextEdit, QScrollArea, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from pe_explorer.encodings import Encoding, EncodingError, Unknown, known
from pe_explorer.model import Exploration, Model
from pe_explorer.params import declared
from pe_explorer.widgets.fields import NumberField
from pe_explorer.widgets.follower import Follower
from pe_explorer.widgets.theme import colours

__all__ = ["Inspector"]

_MIN_WIDTH = 278
_CAPTION = 64  # pixels for what stands before a value
_FORMULA_LINES = 8
_PAGES = 10  # large steps through all dimensions

_HELP = {
    "Position": "Position of the cursor, p; the arrow keys move it, and any whole number up to 2^53 can be typed.",
    "Dimension": "Dimension of the cursor, j, counted from 0; the arrow keys move it.",
    "Value": "The number at the cursor, or under the mouse while it is over a picture, in as many digits as tell it from every other float64 number.",
    "Formula": "As the scheme writes it, then with the cursor's numbers.",
    "Angle": "What sine and cosine are taken of, whole turns dropped, from the exact phase.",
    "Whole turns": "Turns that the wave has completed at this position, exactly.",
    "Part of a turn": "What is left of the angle, in turns, from the exact phase.",
    "Wavelength in positions": "Positions per turn of the dimension's wave.",
    "Frequency in rad per position": "Angle per position of the dimension's wave, ω.",
    "Wave": "The wave of this dimension, counted from 0, the fastest.",
}
_CAPTIONS = {
    "Position": "Position <i>p</i>",
    "Dimension": "Dimension <i>j</i>",
    "Part of a turn": "Part of turn",
    "Wavelength in positions": "λ, positions",
    "Frequency in rad per position": "ω, rad/pos",
}
_OF_WAVES = ("Angle", "Part of a turn", "Whole turns", "Wavelength in positions", "Frequency in rad per position", "Wave")


@dataclasses.dataclass(frozen=True)
class _Waves:
    """What does not change while the cursor moves."""

    wave_of: npt.NDArray[np.int64]
    wavelengths: npt.NDArray[np.float64]
    frequencies: npt.NDArray[np.float64]

    @classmethod
    def of(cls, e: Encoding) -> _Waves:
        return cls(e.wave_of, e.wavelengths(), e.frequencies())

    def texts(self, e: Encoding, position: int, wave: int) -> dict[str, str]:
        """Return what is said of a wave at a position."""
        whole, fraction = e.turn(wave, position)
        wavelength = float(self.wavelengths[wave])
        return {
            "Angle": f"{fraction * 360:.10f}°",
            "Part of a turn": f"{fraction:.15f}",
            "Whole turns": str(whole),
            "Wavelength in positions": f"{wavelength:.12g}" if math.isfinite(wavelength) else "without end",
            "Frequency in rad per position": f"{self.frequencies[wave]:.12g}",
            "Wave": f"{wave} of {len(self.wavelengths)}",
        }


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
        self._seen: tuple[Encoding, _Waves] | None = None
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
        self._captions: list[QLabel] = []
        self._stack = QStackedWidget()
        self._lay_out()
        self._tint()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self._changed), (model.previewed, self._previewed)]

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
        caption.setToolTip(f"<p>{_HELP[name]}</p>")
        font = caption.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        caption.setFont(font)
        self._captions.append(caption)
        return caption

    def _tint(self) -> None:
        muted = QColor(colours(self.palette()).muted)
        for label in (*self._captions, self.lack):
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
            steps = max(e.dim // _PAGES, 1) if page else 1
            self.model.playhead.step(direction * steps, "dimension")

    # -- what is shown -------------------------------------------------------------------

    @Slot(object, object)
    def _changed(self, old: Exploration, new: Exploration) -> None:
        if (old.encoding, old.position, old.dimension) != (new.encoding, new.position, new.dimension):
            self._display(self.model.looked_at)

    @Slot()
    def _previewed(self) -> None:
        self._display(self.model.looked_at)

    def _say_place(self) -> None:
        """Say whether what is told is of the cursor or of the mouse."""
        preview = self._model.preview if self._model else None
        c = colours(self.palette())
        self.place.setText(f"Mouse: p = {preview.position}, j = {preview.dimension}" if preview else "At the cursor")
        _paint(self.place, QColor(c.accent if preview else c.muted))

    def _display(self, state: Exploration) -> None:
        """Tell what is at the cursor of `state`, which is that of the mouse while it points at something."""
        p, j = state.position, state.dimension
        self.position.display(self.model.state.position)
        self.dimension.display(self.model.state.dimension)
        self._say_place()
        try:
            e = known(state.encoding)
        except EncodingError as error:
            self._display_lack(error.sentence)
            return
        waves = self._waves(e)
        self.values["Value"].setText(repr(e.value(p, j)))
        self.formula.display("\n".join(e.explain(p, j)))
        wave = int(waves.wave_of[j])
        self._stack.setCurrentIndex(0 if wave >= 0 else 1)
        if wave >= 0:
            for name, text in waves.texts(e, p, wave).items():
                self.values[name].setText(text)
        elif len(waves.wavelengths):
            self.lack.setText("This dimension has no wave, so no angle and no wavelength.")
        else:
            self.lack.setText(f"{e.name.capitalize()} has no waves, so there is no angle, wavelength or frequency to tell.")

    def _display_lack(self, sentence: str) -> None:
        """Show why nothing stands at the cursor."""
        self.values["Value"].setText("")
        self.formula.display("")
        self.lack.setText(sentence)
        self._stack.setCurrentIndex(1)

    def _waves(self, e: Encoding) -> _Waves:
        if self._seen is None or self._seen[0] != e:
            self._seen = e, _Waves.of(e)
            limits = dataclasses.replace(declared(Exploration)["dimension"], high=e.dim - 1)  # type: ignore[call-arg]
            self.dimension.set_parameter(limits)
        return self._seen[1]


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


def _value_label(name: str) -> QLabel:
    label = QLabel("0")
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # longer numbers push nothing
    label.setAccessibleName(name)
    label.setToolTip(f"<p>{_HELP[name]}</p>")
    return label


def _place_label() -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
    label.setAccessibleName("What the values are of")
    label.setToolTip("<p>While the mouse is over a picture, what it points at is told here. A click sets the cursor there.</p>")
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
