"""The read-out in the status bar: the number at the cursor, in one line."""

from __future__ import annotations

import threading
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QHBoxLayout

from pe_explorer.analysis.angles import AngleDifference
from pe_explorer.encodings import Encoding, EncodingError, Reading, Unknown, Waves, reads_a_file
from pe_explorer.encodings.abilities import needs
from pe_explorer.exploration import Exploration
from pe_explorer.panels.cursor_panel import CursorPanel
from pe_explorer.widgets.tinted_label import TintedLabel

__all__ = ["Readout", "describe"]

_HELP = (
    "<p>What is under the mouse, or else at the cursor: position, dimension, value, angle of the "
    "wave, wavelength in positions; or what the heatmap compares. A click moves the cursor "
    "there.</p>"
)
_LONGEST = "p -9,007,199,254,740,992   column 1048575   value -0.123456   359.99°   λ 12345.6"
_SEPARATOR = "   "
_SHORT_NAMES = {"dimension": "dim", "cosine or sine": "column"}
"""Names of columns that are shortened, to leave room for the numbers."""


class Readout(CursorPanel):
    """Position, dimension, value, angle and wavelength under the mouse, or else at the cursor."""

    reader = "read-out"

    def __init__(self) -> None:
        super().__init__()
        self.label = TintedLabel()
        self.label.set_shade("text")
        self.label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.label.setFixedWidth(self.fontMetrics().horizontalAdvance(_LONGEST))
        self.label.setToolTip(_HELP)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 6, 0)
        layout.addWidget(self.label)

    @Slot()
    def synchronise(self) -> None:
        pointing = self.model.preview is not None
        self.label.set_shade("accent" if pointing else "text")
        self.label.setAccessibleName("Under the mouse" if pointing else "Cursor")
        state = self.model.looked_at
        encodings = [state.encoding, *(pin.encoding for pin in state.pins)]
        from_file = any(reads_a_file(e) for e in encodings)
        if from_file:
            self.label.setText(_SEPARATOR.join([*_place(state), "…"]))
        self.read(partial(_describe, state), from_file=from_file)

    def show_answer(self, answer: str) -> None:
        """Show the line."""
        self.label.setText(answer)


def describe(state: Exploration) -> str:
    """Return the cursor in words: its place, and what the heatmap shows there."""
    try:
        found = _at_cursor(state)
    except EncodingError:  # the views say which, and what to do
        found = ["no value"]
    return _SEPARATOR.join([*_place(state), *found])


def _describe(state: Exploration, _: threading.Event) -> str:
    return describe(state)


def _place(state: Exploration) -> list[str]:
    """Return where the cursor is."""
    named = Encoding if isinstance(state.encoding, Unknown) else state.encoding
    column = named.columns.name
    short_name = _SHORT_NAMES.get(column, column)
    position = f"{named.rows.symbol} {state.position:,}"
    return [position, f"{short_name} {state.dimension}"]


def _at_cursor(state: Exploration) -> list[str]:
    """Return what the heatmap shows at the cursor."""
    subject, p, place = state.subject, state.position, state.place
    if subject.lack:
        return ["no difference"]
    if p not in subject.domain:
        return ["no row here"]
    if place is None:  # the pin may not have all columns that the cursor can reach
        columns = subject.encoding.columns
        noun = columns.name if subject.width == 1 else columns.plural
        return [f"{subject.show}: only {subject.width:,} {noun}"]
    if subject.less is None:
        name = "value" if subject.show == "current" else subject.show
        return _brief(subject.encoding.reading(p, place), name)
    parts = [f"difference {_signed(subject.value(p, place))}"]
    if not any(needs.waves(e) for e in subject.encodings):
        angle = _degrees(subject.angles, p, place)
        if angle is not None:
            parts.append(f"Δ {round(angle, 2) % 360:.2f}°")
    return parts


def _brief(reading: Reading, name: str) -> list[str]:
    """Return a reading in few digits, as far as there is room in a line."""
    texts = dict(reading)
    parts = [f"{name} {_signed(float(texts['Value']))}"]
    if "Angle" in texts:
        angle = float(texts["Angle"].removesuffix("°"))
        parts.append(f"{angle:.2f}°")
    if "Wavelength in positions" in texts:
        wavelength = _shortened(texts["Wavelength in positions"])
        parts.append(f"λ {wavelength}")
    return parts


def _signed(value: float) -> str:
    return f"{value + 0.0:+.6g}"  # -0.0 becomes 0.0


def _shortened(length: str) -> str:
    try:
        return f"{float(length):.6g}"
    except ValueError:  # of a wave that stands still
        return "∞"


def _degrees(e: Waves | AngleDifference, p: int, place: int) -> float | None:
    """Return the angle of a column's wave, None where it has none."""
    wave = int(e.wave_of[place])
    if wave < 0:
        return None
    _, fraction = e.turn(wave, p)
    return fraction * 360
