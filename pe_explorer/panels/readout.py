"""The read-out in the status bar: the cursor in one line."""

from __future__ import annotations

import threading
from functools import partial
from typing import Any

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel

from pe_explorer.analysis.angles import AngleDifference
from pe_explorer.encodings import Encoding, EncodingError, Reading, Unknown, Waves, reads_a_file
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.panels.follower import Follower
from pe_explorer.widgets.theme import colours

__all__ = ["Readout"]

_HELP = (
    "What is under the mouse, or else at the cursor: position, dimension, value, angle of the "
    "wave, wavelength in positions; "
    "or what the heatmap compares. A click sets the cursor."
)
_READER = "read-out"
"""Whom the worker answers."""
_LONGEST = "p -9,007,199,254,740,992   column 1048575   value -0.123456   359.99°   λ 12345.6"


class Readout(Follower):
    """Position, dimension, value, angle and wavelength at the mouse, or else at the cursor."""

    def __init__(self) -> None:
        super().__init__()
        self.label = QLabel()
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.label.setFixedWidth(self.fontMetrics().horizontalAdvance(_LONGEST))
        self.label.setToolTip(f"<p>{_HELP}</p>")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.addWidget(self.label)

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [
            (model.changed, self.synchronise),
            (model.previewed, self.synchronise),
            (model.worker.done, self._tell),
        ]

    def detach(self) -> None:
        if self._model is not None:
            self._model.worker.cancel(_READER)
        super().detach()

    @Slot()
    def synchronise(self) -> None:
        pointing = self.model.preview is not None
        c = colours(self.palette())
        palette = self.label.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(c.accent if pointing else c.text))
        self.label.setPalette(palette)
        self.label.setAccessibleName("Under the mouse" if pointing else "Cursor")
        self._read(self.model.looked_at)

    def _read(self, state: Exploration) -> None:
        """Tell what is at the cursor of `state`, which the worker reads where it is in a file."""
        task = partial(_described, state)
        if any(map(reads_a_file, (state.encoding, *(pin.encoding for pin in state.pins)))):
            self.label.setText(_JOINT.join([*_place(state), "…"]))
            self.model.worker.request(_READER, task)
        else:
            self.model.worker.cancel(_READER)
            self._tell(_READER, task(threading.Event()))

    @Slot(str, object)
    def _tell(self, owner: str, answer: Any) -> None:
        if owner == _READER:
            self.label.setText(answer)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._model is not None:
            self.synchronise()


def describe(state: Exploration) -> str:
    """Return the cursor in words: its place, and what the heatmap shows there."""
    try:
        return _JOINT.join([*_place(state), *_at_cursor(state)])
    except EncodingError:  # the views say which, and what to do
        return _JOINT.join([*_place(state), "no value"])


def _described(state: Exploration, _: threading.Event) -> str:
    return describe(state)


def _place(state: Exploration) -> list[str]:
    """Return where the cursor is."""
    p, j = state.position, state.dimension
    current = state.encoding
    named = Encoding if isinstance(current, Unknown) else current
    rows, columns = named.rows, named.columns
    return [f"{rows.symbol} {p:,}", f"{_SHORT.get(columns.name, columns.name)} {j}"]


_JOINT = "   "
_SHORT = {"dimension": "dim", "cosine or sine": "column"}
"""Names of columns that are shortened, to leave room for the numbers."""


def _at_cursor(state: Exploration) -> list[str]:
    """Return what the heatmap shows at the cursor."""
    what, p, place = state.subject, state.position, state.place
    if what.lack:
        return ["no difference"]
    if p not in what.domain:
        return ["no row here"]
    if place is None:  # the pin may not have all columns that the cursor can reach
        return [f"{what.show}: only {what.width:,} {what.encoding.columns.plural}"]
    if what.less is None:
        name = "value" if what.show == "current" else what.show
        return _brief(what.encoding.reading(p, place), name)
    parts = [f"difference {what.value(p, place):+.6g}"]
    if not any(map(needs.waves, what.encodings)):
        angle = _degrees(what.angles, p, place)
        parts += [] if angle is None else [f"Δ {round(angle, 2) % 360:.2f}°"]
    return parts


def _brief(reading: Reading, name: str) -> list[str]:
    """Return what is told of a number in few digits, as far as there is room in a line."""
    told = dict(reading)
    parts = [f"{name} {float(told['Value']):+.6g}"]
    if "Angle" in told:
        parts.append(f"{float(told['Angle'].removesuffix('°')):.2f}°")
    if "Wavelength in positions" in told:
        parts.append(f"λ {_shortened(told['Wavelength in positions'])}")
    return parts


def _shortened(length: str) -> str:
    try:
        return f"{float(length):.6g}"
    except ValueError:  # of a wave that stands still
        return "∞"


def _degrees(e: Waves | AngleDifference, p: int, place: int) -> float | None:
    """Return the angle of a column's wave, None where it has none."""
    wave = int(e.wave_of[place])
    return e.turn(wave, p)[1] * 360 if wave >= 0 else None
