"""The read-out in the status bar: the cursor in one line."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QEvent, Qt, Slot
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QHBoxLayout, QLabel

from pe_explorer.analysis.angles import AngleDifference
from pe_explorer.encodings import Encoding, EncodingError
from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.widgets.follower import Follower
from pe_explorer.widgets.theme import colours

__all__ = ["Readout"]

_HELP = (
    "What is under the mouse, or else at the cursor: position, dimension, value, angle of the wave, wavelength in positions; "
    "or what the heatmap compares. A click sets the cursor."
)
_LONGEST = "p -9,007,199,254,740,992   dim 65535   value -0.123456   359.99°   λ 12345.6"


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
        return [(model.changed, self.synchronise), (model.previewed, self.synchronise)]

    @Slot()
    def synchronise(self) -> None:
        pointing = self.model.preview is not None
        c = colours(self.palette())
        palette = self.label.palette()
        palette.setColor(QPalette.ColorRole.WindowText, QColor(c.accent if pointing else c.text))
        self.label.setPalette(palette)
        self.label.setAccessibleName("Under the mouse" if pointing else "Cursor")
        self.label.setText(describe(self.model.looked_at))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._model is not None:
            self.synchronise()


def describe(state: Exploration) -> str:
    """Return the cursor in words: position, dimension, and the value, angle and wavelength of what the heat map shows there."""
    p, j = state.position, state.dimension
    parts = [f"p {p:,}", f"dim {j}"]
    try:
        what = state.subject
    except EncodingError:  # the views say which, and what to do
        return "   ".join([*parts, "no value"])
    if j >= what.dim:  # the pin may have fewer dimensions than the cursor can reach
        parts.append(f"{what.show}: only {what.dim:,} dimensions")
    elif what.less is None:
        parts += _described(what.encoding, p, j, "value" if what.show == "current" else what.show)
    else:
        parts.append(f"difference {what.encoding.value(p, j) - what.less.value(p, j):+.6g}")
        angle = _degrees(what.angles, p, j)
        if angle is not None:
            parts.append(f"Δ {round(angle, 2) % 360:.2f}°")
    return "   ".join(parts)


def _described(e: Encoding, p: int, j: int, name: str) -> list[str]:
    parts = [f"{name} {e.value(p, j):+.6g}"]
    angle = _degrees(e, p, j)
    if angle is not None:
        assert e.turns is not None
        frequency = abs(float(e.turns.frequencies[e.wave_of[j]]))
        wavelength = math.tau / frequency if frequency else math.inf
        parts += [f"{angle:.2f}°", f"λ {wavelength:.6g}" if math.isfinite(wavelength) else "λ ∞"]
    return parts


def _degrees(e: Encoding | AngleDifference, p: int, j: int) -> float | None:
    """Return the angle of a dimension's wave, None where it has none."""
    wave = int(e.wave_of[j])
    return e.turn(wave, p)[1] * 360 if wave >= 0 else None
