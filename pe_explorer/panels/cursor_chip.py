"""The chip that names the place of the cursor while it is not shown, and leads there."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from pe_explorer.exploration import Exploration
from pe_explorer.model import Model
from pe_explorer.panels.follower import Follower
from pe_explorer.pictures.inspection import Outside
from pe_explorer.widgets.icons import IconButton
from pe_explorer.widgets.layouts import row_in

_HEIGHT = 22  # pixels
_NAME = "Go to cursor"
_HELP = "<p>{}, outside what is shown.</p><p>Shows it; Undo goes back.</p>"

FindOutside = Callable[[Exploration], Outside | None]


class CursorChip(Follower):
    """A button with a sentence, shortened where there is little room; hidden in all other cases.

    `find` returns the place of the cursor of an exploration, None if it is shown.
    """

    changed = Signal()  # the cursor has left the picture, come back, or moved outside of it
    resized = Signal()  # it needs another width, or has come or gone

    def __init__(self, find: FindOutside, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._find = find
        self._outside: Outside | None = None
        self._may_speak = True
        self.button = IconButton("go-to", _NAME)
        self.button.setAutoRaise(False)
        self.button.setToolTip(_HELP.format("The cursor is"))
        self.button.clicked.connect(self.go_there)
        row_in(self).addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.hide()

    def connections(self, model: Model) -> list[tuple[Any, Any]]:
        return [(model.changed, self.synchronise)]

    @Slot()
    def synchronise(self) -> None:
        outside = self._find(self.model.state)
        if outside != self._outside:
            self._outside = outside
            self._show()
            self.changed.emit()

    @property
    def is_outside(self) -> bool:
        """Whether the cursor is not shown."""
        return self._outside is not None

    def set_speaking(self, telling: bool) -> None:
        """Show the chip, or hide it because another chip has the sentence."""
        if telling != self._may_speak:
            self._may_speak = telling
            self._show()

    @property
    def sentence(self) -> str:
        """The place of the cursor; an empty text while it is shown."""
        return self._outside.sentence if self._outside else ""

    def _show(self) -> None:
        self.setVisible(self.is_outside and self._may_speak)
        if self._outside:
            self.button.setAccessibleName(f"{self.sentence}: show it")
            self.button.setToolTip(_HELP.format(self.sentence))
            self.updateGeometry()
            self._fit()
        self.resized.emit()

    @Slot()
    def go_there(self) -> None:
        if self._outside and self.attached:
            self.model.set(**self._outside.fields)

    def sizeHint(self) -> QSize:
        return QSize(self._width_of(self.sentence), _HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._width_of(""), _HEIGHT)

    @property
    def brief_width(self) -> int:
        """Pixels of the short text; 0 while it is hidden."""
        told = self._outside if self._may_speak else None
        return self._width_of(told.where) if told else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the longest text that fits, or the icon alone."""
        texts = (self._outside.sentence, self._outside.where) if self._outside else ()
        fitting = [text for text in texts if self._width_of(text) <= self.width()]
        style = Qt.ToolButtonStyle
        with_text = style.ToolButtonTextBesideIcon
        self.button.setToolButtonStyle(with_text if fitting else style.ToolButtonIconOnly)
        self.button.setText(fitting[0] if fitting else _NAME)
        self.button.setFixedSize(self._width_of(fitting[0] if fitting else ""), _HEIGHT)

    def _width_of(self, text: str) -> int:
        icon_alone = self.button.iconSize().width() + 12
        if not text:
            return icon_alone
        return icon_alone + self.fontMetrics().horizontalAdvance(text) + 8
