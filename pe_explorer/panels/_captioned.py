"""Values below each other, each beside its caption: the parts of the inspector."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from pe_explorer.widgets.tinted_label import TintedLabel

__all__ = ["HELP", "SMALL", "Caption", "CaptionedGrid", "ReadingPage", "ValueLabel", "tooltip"]

SMALL = 0.85
"""Size of the font of captions, where the usual one is 1."""

_CAPTION_WIDTH = 64  # pixels

HELP = {
    "Position": (
        "{} of the cursor, {}. The arrow keys change it, and any whole number up to 2^53 can be "
        "typed."
    ),
    "Dimension": "{} of the cursor, {}, counted from 0. The arrow keys change it.",
    "Value": (
        "The number at the cursor, or under the mouse while it is over a picture, with enough "
        "digits to identify the float64 number."
    ),
    "Formula": "The formula of the scheme, then the same with the cursor's numbers.",
    "Angle": "The angle of the sine and cosine, without whole turns, from the exact phase.",
    "Whole turns": "Turns that the wave has completed at this position, exact.",
    "Part of a turn": "The rest of the angle, in turns, from the exact phase.",
    "Wavelength in positions": "Positions per turn of the wave.",
    "Frequency in rad per position": "Angle per position of the wave, ω.",
    "Wave": "Number of the wave in this column, counted from 0, the fastest.",
}
"""What the values mean; for the position and the dimension with their names and symbols."""

_SHORT_CAPTIONS = {
    "Position": "Position <i>p</i>",
    "Dimension": "Dimension <i>j</i>",
    "Part of a turn": "Part of turn",
    "Wavelength in positions": "λ, positions",
    "Frequency in rad per position": "ω, rad/pos",
}
_OF_WAVES = (
    "Angle",
    "Part of a turn",
    "Whole turns",
    "Wavelength in positions",
    "Frequency in rad per position",
    "Wave",
)


def tooltip(name: str) -> str:
    """Return the tooltip of a value by its name."""
    return f"<p>{HELP.get(name, name)}</p>"


class Caption(TintedLabel):
    """The name of a value, small and muted."""

    def __init__(self, name: str, widget: QWidget) -> None:
        super().__init__(_SHORT_CAPTIONS.get(name, name), scale=SMALL)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setBuddy(widget)
        self.setToolTip(tooltip(name))


class ValueLabel(QLabel):
    """A value that can be selected; however long it is, it moves nothing around it."""

    def __init__(self, name: str) -> None:
        super().__init__("0")
        flags = Qt.TextInteractionFlag
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(name)
        self.setToolTip(tooltip(name))


class CaptionedGrid(QGridLayout):
    """Widgets below each other, each beside its caption."""

    def __init__(self) -> None:
        super().__init__()
        self.captions: dict[str, Caption] = {}
        self.setContentsMargins(0, 0, 0, 0)
        self.setHorizontalSpacing(6)
        self.setVerticalSpacing(1)
        self.setColumnMinimumWidth(0, _CAPTION_WIDTH)
        self.setColumnStretch(1, 1)

    def add(self, name: str, widget: QWidget) -> None:
        """Add a widget below the others."""
        row = self.rowCount()
        caption = self.captions[name] = Caption(name, widget)
        self.addWidget(caption, row, 0)
        self.addWidget(widget, row, 1)

    def add_wide(self, widget: QWidget) -> None:
        """Add a widget below the others, without a caption."""
        self.addWidget(widget, self.rowCount(), 0, 1, 2)


class ReadingPage(QWidget):
    """What an encoding says of one number besides its value, such as its wave."""

    def __init__(self) -> None:
        super().__init__()
        self.values = {name: ValueLabel(name) for name in _OF_WAVES}
        self._grid = CaptionedGrid()
        for name, label in self.values.items():
            self._grid.add(name, label)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._grid)
        column.addStretch(1)

    def display(self, reading: dict[str, str]) -> None:
        """Show a reading, and nothing of the one before."""
        for name in reading:
            if name not in self.values:
                self.values[name] = ValueLabel(name)
                self._grid.add(name, self.values[name])
        for name, label in self.values.items():
            label.setText(reading.get(name, ""))
            if name not in _OF_WAVES:
                label.setVisible(name in reading)
                self._grid.captions[name].setVisible(name in reading)
