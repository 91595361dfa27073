"""Values below each other, each beside its caption: the parts of the inspector."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QSizePolicy, QWidget

from pe_explorer.params import printed
from pe_explorer.pictures.inspection import Value
from pe_explorer.widgets.labels import TintedLabel, escaped
from pe_explorer.widgets.layouts import column_in

SMALL = 0.85
"""Size of the font of captions, relative to the usual one."""

_CAPTION_WIDTH = 64  # pixels
_WIDEST_CAPTION = 110  # pixels; a longer name of a pin would push the values out of the panel

HELP = {
    "Position": (
        "{} of the cursor, {}. The arrow keys change it, and any whole number up to 2^53 can be "
        "typed."
    ),
    "Dimension": "{} of the cursor, {}, counted from 0. The arrow keys change it.",
    "Second": (
        "{}, {}, that the cursor is compared with. The arrow keys change it, and any whole number "
        "up to 2^53 can be typed."
    ),
    "Reference": (
        "{}, {}, that distances are measured from. The arrow keys change it, and any whole number "
        "up to 2^53 can be typed."
    ),
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
    "Frequency divided by": "How many times slower the pair turns than in the paper.",
    "Why": "What the type does to the frequency of this pair.",
}
"""The help of values from encodings; that of fields takes their names and symbols."""

_SHORT_CAPTIONS = {
    "Position": "Position <i>p</i>",
    "Dimension": "Dimension <i>j</i>",
    "Part of a turn": "Part of turn",
    "Wavelength in positions": "λ, positions",
    "Frequency in rad per position": "ω, rad/pos",
}


def tooltip(name: str, help_text: str = "") -> str:
    """Return the tooltip of a value; without `help_text`, that of its name."""
    return f"<p>{help_text or HELP.get(name, name)}</p>"


def shown_value(value: str) -> str:
    """Return the text of a value as people read it, with its unit."""
    number, space, unit = value.partition(" ")
    number, degree, _ = number.partition("°")
    return f"{printed.alone(number)}{degree}{printed.text(f'{space}{unit}')}"


class Caption(TintedLabel):
    """The name of a value, small and muted."""

    def __init__(self, name: str, widget: QWidget) -> None:
        super().__init__(scale=SMALL)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setBuddy(widget)
        self.is_cut = False
        """Whether the name is cut for lack of room."""
        self.set_name(name)

    def set_name(self, name: str) -> None:
        """Show the name of another value."""
        width = _WIDEST_CAPTION
        fitting = self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideRight, width)
        self.is_cut = fitting != name
        self.setText(_SHORT_CAPTIONS.get(name, escaped(fitting)))
        self.setToolTip(tooltip(name))


class ValueLabel(QLabel):
    """A value that can be selected; its length does not change the layout."""

    def __init__(self, name: str) -> None:
        super().__init__("0")
        flags = Qt.TextInteractionFlag
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.set_name(name)

    def set_name(self, name: str) -> None:
        """Show another value from now on."""
        self.setAccessibleName(name)
        self.setToolTip(tooltip(name))


class CaptionedGrid(QGridLayout):
    """Widgets below each other, each beside its caption."""

    def __init__(self) -> None:
        super().__init__()
        self.captions: dict[str, Caption] = {}
        self.setHorizontalSpacing(6)
        self.setVerticalSpacing(1)
        self.setColumnMinimumWidth(0, _CAPTION_WIDTH)
        self.setColumnStretch(1, 1)

    def add(self, name: str, widget: QWidget, button: QWidget | None = None) -> None:
        """Add a widget below the others, with a button between it and its caption."""
        row = self.rowCount()
        caption = self.captions[name] = Caption(name, widget)
        if button is None:
            self.addWidget(caption, row, 0)
        else:
            beside = QHBoxLayout()
            beside.setSpacing(0)
            beside.addWidget(caption, 1)
            beside.addWidget(button)
            self.addLayout(beside, row, 0)
        self.addWidget(widget, row, 1)

    def add_wide(self, widget: QWidget) -> None:
        """Add a widget below the others, without a caption."""
        self.addWidget(widget, self.rowCount(), 0, 1, 2)


class ReadingPage(QWidget):
    """The values at the cursor besides the main number, below each other.

    Rows serve other values later, because each takes as much memory as a small document.
    """

    def __init__(self) -> None:
        super().__init__()
        self.values: dict[str, ValueLabel] = {}
        """The labels of the values shown, by name."""
        self._rows: list[tuple[Caption, ValueLabel]] = []
        self._grid = CaptionedGrid()
        column = column_in(self)
        column.addLayout(self._grid)
        column.addStretch(1)

    def display(self, values: Sequence[Value]) -> None:
        """Show some values instead of those before."""
        while len(self._rows) < len(values):
            name = values[len(self._rows)].name
            label = ValueLabel("")
            self._grid.add(name, label)
            self._rows.append((self._grid.captions[name], label))
        for number, (caption, label) in enumerate(self._rows):
            is_shown = number < len(values)
            if is_shown:
                value = values[number]
                label.setText(shown_value(value.text))
                help_text = tooltip(value.name, value.help)
                if (label.accessibleName(), label.toolTip()) != (value.name, help_text):
                    caption.set_name(value.name)
                    label.set_name(value.name)
                    label.setToolTip(help_text)
                    whole_name = f"<p><b>{escaped(value.name)}</b></p>" if caption.is_cut else ""
                    caption.setToolTip(f"{whole_name}{help_text}")
            caption.setVisible(is_shown)
            label.setVisible(is_shown)
        shown = zip(values, self._rows, strict=False)
        self.values = {value.name: label for value, (_, label) in shown}
        self.setVisible(bool(values))
