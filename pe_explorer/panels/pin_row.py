"""One row of the list of pins: colour, name and buttons."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QIcon, QPainter, QPaintEvent, QPalette, QPixmap
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from pe_explorer.colours.dashes import DASHES
from pe_explorer.encodings import Encoding, EncodingError, Unknown, require_known
from pe_explorer.exploration import Pin
from pe_explorer.panels._pin_name import COLOUR, HEIGHT, RESTORE, UNPIN, PinName
from pe_explorer.params import Numbers, used
from pe_explorer.widgets.curve import dashed_pen
from pe_explorer.widgets.labels import escaped, paragraph
from pe_explorer.widgets.theme import colours, pin_shade

_SWATCH, _MARK = 14, 3  # pixels
_STROKE_WIDTH = 4  # pixels of the piece of a curve
_PIXEL_RATIOS = (1, 2, 3)  # device pixels per pixel


def swatch(colour: str, palette: QPalette) -> QIcon:
    """Return a piece of a pin's curve, as it is on a palette's ground."""
    icon, shade = QIcon(), QColor(pin_shade(colour, palette))
    for ratio in _PIXEL_RATIOS:
        pixmap = QPixmap(_SWATCH * ratio, _SWATCH * ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter, middle = QPainter(pixmap), _SWATCH * ratio // 2
        dashes = [length * ratio / 2 for length in DASHES[colour]]  # more of them
        painter.setPen(dashed_pen(shade, _STROKE_WIDTH * ratio, dashes))
        painter.drawLine(0, middle, 2 * middle, middle)
        painter.end()
        icon.addPixmap(pixmap)
    return icon


class PinRow(QWidget):
    """Swatch, name, and the buttons of one pin."""

    asked = Signal(int, str)
    """(row, action): the user chose an action."""
    renamed = Signal(int, str)

    def __init__(self, index: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.index = index
        self._marked = False
        self.setFixedHeight(HEIGHT + 2)
        # Created in the order in which Tab goes through them.
        self.colour = self._button(COLOUR)
        self.name = PinName(self)
        self.name.asked.connect(self._ask)
        self.name.renamed.connect(self._rename)
        self.restore = self._button(RESTORE, "↩")
        self.remove = self._button(UNPIN, "×")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(_MARK + 2, 1, 0, 1)
        layout.setSpacing(1)
        layout.addWidget(self.colour)
        layout.addWidget(self.name, 1)
        layout.addWidget(self.restore)
        layout.addWidget(self.remove)

    def _button(self, action: str, text: str = "") -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(action)
        button.setText(text)
        button.setAutoRaise(True)
        button.setFixedSize(20, HEIGHT)
        button.setIconSize(QSize(_SWATCH, _SWATCH))
        button.clicked.connect(self._press)
        return button

    def show_pin(self, pin: Pin, palette: QPalette, *, compared: bool) -> None:
        """Show a pin, marked if it is the compared one.

        The palette is the panel's: a new one reaches its rows later.
        """
        self._marked = compared
        self.colour.setIcon(swatch(pin.colour, palette))
        self._show_name(pin)
        colour_help = f"Colour of {pin.name}: {pin.colour}. Click to change it."
        self._show_button(self.colour, colour_help)
        self._show_button(self.restore, f"Make {pin.name} the current encoding again (Enter).")
        self._show_button(self.remove, f"Unpin {pin.name} (Delete).")
        self.update()

    def _show_name(self, pin: Pin) -> None:
        self.name.show_text(pin.name)
        self.name.setAccessibleName(pin.name)
        self.name.setToolTip(_details(pin, self._marked))
        if self._marked:
            self.name.setAccessibleDescription("Pinned; compared with in the heatmap.")
            self.name.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        else:
            self.name.setAccessibleDescription("Pinned.")
            self.name.setFocusPolicy(Qt.FocusPolicy.ClickFocus)

    def _show_button(self, button: QToolButton, help_text: str) -> None:
        button.setAccessibleName(help_text)
        button.setToolTip(paragraph(help_text))
        focus = Qt.FocusPolicy  # Tab goes through one row, not through eight
        button.setFocusPolicy(focus.TabFocus if self._marked else focus.NoFocus)

    def below_swatch(self) -> QPoint:
        """Return the place on the screen of the menu of colours."""
        return self.colour.mapToGlobal(self.colour.rect().bottomLeft())

    @Slot()
    def _press(self) -> None:
        self.asked.emit(self.index, self.sender().objectName())

    @Slot(str)
    def _ask(self, action: str) -> None:
        self.asked.emit(self.index, action)

    @Slot(str)
    def _rename(self, name: str) -> None:
        self.renamed.emit(self.index, name)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._marked:
            shades = colours(self.palette())
            painter = QPainter(self)
            painter.fillRect(self.rect(), QColor(shades.raised))
            painter.fillRect(QRect(0, 0, _MARK, self.height()), QColor(shades.accent))
            painter.end()


def _details(pin: Pin, compared: bool) -> str:
    """Return the tooltip of a pin: its name and parameters, and what a click does."""
    head = f"<b>{escaped(pin.name)}</b><br>{escaped(_describe(pin.encoding))}"
    hint = "Click to compare with it in the heatmap."
    if compared:
        hint = "The heatmap compares with it."
    return f"<p>{head}</p><p>{hint} Double-click or F2 to rename it.</p>"


def _describe(e: Encoding | Unknown) -> str:
    """Return scheme and parameters of an encoding, or why there are none."""
    try:
        e = require_known(e, "pin")
    except EncodingError as error:
        return error.sentence
    parts = []
    for name, kind in used(e).items():
        spell = kind.brief if isinstance(kind, Numbers) else kind.format
        parts.append(f"{kind.label} = {spell(getattr(e, name))}")
    return f"{e.title()}: {', '.join(parts)}"
