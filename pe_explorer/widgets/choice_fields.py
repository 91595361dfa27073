"""Check boxes and combo boxes, independent of forms."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QRectF, QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QStandardItemModel,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QStyle,
    QStyleOptionButton,
    QStyleOptionComboBox,
    QWidget,
)

from pe_explorer.params import capitalise
from pe_explorer.widgets.keys import get_claimable_key
from pe_explorer.widgets.labels import format_paragraph
from pe_explorer.widgets.sliders import STEP_KEYS
from pe_explorer.widgets.theme import colours

_COMBO_FRAME_WIDTH = 34  # width in pixels of a combo box without its text
_TOOLTIP_ROLE = Qt.ItemDataRole.ToolTipRole
_HELP = Qt.ItemDataRole.UserRole + 1  # role that stores the tooltip an item has while it is enabled


class CheckBox(QCheckBox):
    """A check box with an edge that is visible on a dark background."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        option = QStyleOptionButton()
        self.initStyleOption(option)
        indicator = QStyle.SubElement.SE_CheckBoxIndicator
        edge = QRectF(self.style().subElementRect(indicator, option, self))
        shades = colours(self.palette())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QColor(shades.accent if self.hasFocus() else shades.muted))
        painter.drawRoundedRect(edge.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        painter.end()


class Combo(QComboBox):
    """A combo box that ignores the wheel unless focused, so that the panel around it scrolls."""

    picked = Signal(bool)  # item picked; the value is whether the list was opened with the mouse

    _is_fitted = False  # whether the box is as wide as its longest item
    _was_opened_with_mouse = False
    _is_closing = False  # whether the list has just closed; otherwise, a key made the choice

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, minimumContentsLength=6)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(self._pick)

    def add(self, text: str, key: str, help: str) -> None:  # noqa: A002
        self.addItem(text, key)
        for role in (_TOOLTIP_ROLE, _HELP):
            self.setItemData(self.count() - 1, format_paragraph(help), role)

    def add_heading(self, text: str) -> None:
        """Add a heading, which cannot be selected, above the following items."""
        self.insertSeparator(self.count())
        self.addItem(text)
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        item = model.item(self.count() - 1)
        item.setEnabled(False)
        font = item.font()
        font.setBold(True)
        item.setFont(font)

    def rename_items(self, texts: Mapping[str, str]) -> None:
        for key, text in texts.items():
            row = self.findData(key)
            if self.itemText(row) != text:
                self.setItemText(row, text)
                if self._is_fitted:
                    self.fit()

    def set_unavailable(self, key: str, reason: str) -> None:
        """Disable an item and show the reason in its tooltip, or enable it if `reason` is empty."""
        row, model = self.findData(key), self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(row).setEnabled(not reason)
        tooltip = (
            format_paragraph(f"{capitalise(reason)}.") if reason else self.itemData(row, _HELP)
        )
        self.setItemData(row, tooltip, _TOOLTIP_ROLE)

    def fit(self) -> None:
        self._is_fitted = True
        texts = map(self.itemText, range(self.count()))
        self.setFixedWidth(
            _COMBO_FRAME_WIDTH + max(map(self.fontMetrics().horizontalAdvance, texts))
        )

    def display(self, key: str | None) -> None:
        """Select an item without emitting a signal; an unknown key clears the selection."""
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(key) if key is not None else -1)

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        """Elide text that does not fit, which Qt would clip."""
        super().initStyleOption(option)
        box, part = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
        width = self.style().subControlRect(box, option, part, self).width()
        end = Qt.TextElideMode.ElideRight
        text = self.fontMetrics().elidedText(self.currentText(), end, width)
        option.currentText = text  # type: ignore[attr-defined]

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._was_opened_with_mouse = True
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._was_opened_with_mouse = self._is_closing = False
        super().keyPressEvent(event)

    def showPopup(self) -> None:
        self._is_closing = False
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + 24)
        super().showPopup()

    def hidePopup(self) -> None:
        self._is_closing = True
        super().hidePopup()

    @Slot()
    def _pick(self) -> None:
        if self._is_closing:
            self._is_closing = False
            self.picked.emit(self._was_opened_with_mouse)

    def event(self, event: QEvent) -> bool:
        if get_claimable_key(event) in STEP_KEYS:
            event.accept()
            return True
        return super().event(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
