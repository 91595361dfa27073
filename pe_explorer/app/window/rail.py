"""The rail along the left edge of the window, with buttons for the gallery and each view."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtCore import QEvent, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QScrollBar, QToolButton, QWidget

from pe_explorer import pictures
from pe_explorer.pictures.picture import VIEW_GROUPS
from pe_explorer.widgets.fonts import make_scaled_font, set_bold
from pe_explorer.widgets.icons import REDRAW_EVENTS, icon
from pe_explorer.widgets.labels import TintedLabel
from pe_explorer.widgets.layouts import Separator, lay_out_column

_WIDTH, _MARGIN, _SCROLL_BAR_WIDTH = 71, 1, 6  # pixels
_BUTTON_WIDTH = _WIDTH - 2 * _MARGIN - _SCROLL_BAR_WIDTH
_ICON_SIDE, _SMALL_ICON_SIDE = 20, 14  # pixels
_TEXT_PADDING = 1  # horizontal padding of the text in pixels
_SHRINK_FACTOR = 0.98  # factor by which each step shrinks the font until all texts fit
_FONT_SCALE = 0.8  # font size relative to the normal size
_GALLERY_HELP = (
    "<p><b>Gallery</b><br>Editable exhibits from well-known explanations, and lessons that guide "
    "you through them.</p><p>Click to open or close the gallery (Ctrl+G).</p>"
)


class Rail(QScrollArea):
    """Buttons that show a view in the active pane; with Ctrl, they show it beside that pane."""

    chosen = Signal(str, bool)  # the view, and whether to show it beside the active view

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName("Views")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(_NarrowScrollBar())
        self.setWidgetResizable(True)
        self.setFixedWidth(_WIDTH)
        self._shown_views: Collection[str] = ()
        self._active_name = ""
        self.buttons: dict[str, _RailButton] = {}  # buttons of views by name
        titles = "Gallery", *(pictures.find(name).title for name in pictures.names())
        font = _make_button_font(titles)
        self.gallery_button = _RailButton("gallery", "Gallery", font)
        self.gallery_button.setToolTip(_GALLERY_HELP)
        self._captions: list[QWidget] = []
        content, margins = QWidget(), (_MARGIN, 2, _MARGIN, 2)
        column = lay_out_column(content, self.gallery_button, spacing=1, margins=margins)
        for group, meaning in VIEW_GROUPS.items():
            names = [name for name in pictures.names() if pictures.find(name).group == group]
            if not names:
                continue
            column.addSpacing(4)
            column.addWidget(Separator())
            caption = TintedLabel(group.capitalize(), scale=_FONT_SCALE * 0.9)
            caption.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            caption.setToolTip(f"<p>{meaning}.</p>")
            column.addWidget(caption)
            self._captions.append(caption)
            for name in names:
                picture = pictures.find(name)
                button = self.buttons[name] = _RailButton(name, picture.title, font, f"view-{name}")
                button.setToolTip(
                    f"<p><b>{picture.title}</b><br>{picture.help}</p>"
                    "<p>Click to show this view in the active pane, Ctrl+click to show it beside "
                    "that pane.</p>"
                )
                button.clicked.connect(self._choose)
                column.addWidget(button)
        column.addStretch(1)
        self.setWidget(content)
        self._full_height = content.sizeHint().height()

    @Slot()
    def _choose(self) -> None:
        button = self.sender()
        assert isinstance(button, _RailButton)
        control_modifier = Qt.KeyboardModifier.ControlModifier
        self.chosen.emit(button.name, bool(QApplication.keyboardModifiers() & control_modifier))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Hide group captions and use smaller icons in a window with little height."""
        is_too_low = event.size().height() < self._full_height
        for caption in self._captions:
            caption.setHidden(is_too_low)
        for button in (self.gallery_button, *self.buttons.values()):
            button.set_icon_side(_SMALL_ICON_SIDE if is_too_low else _ICON_SIDE)
        super().resizeEvent(event)

    def show_views(self, views: Collection[str], active: str) -> None:
        """Highlight the visible views, with the active view in bold."""
        self._shown_views, self._active_name = views, active
        self._highlight_buttons()

    def set_gallery_shown(self, is_shown: bool) -> None:
        """Highlight the gallery instead of the views while the gallery is open."""
        self.gallery_button.setChecked(is_shown)
        set_bold(self.gallery_button, is_shown)
        self._highlight_buttons()

    def _highlight_buttons(self) -> None:
        has_visible_panes = not self.gallery_button.isChecked()
        for name, button in self.buttons.items():
            button.setChecked(has_visible_panes and name in self._shown_views)
            set_bold(button, has_visible_panes and name == self._active_name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        buttons = [self.gallery_button, *self.buttons.values()]
        focused_indices = [index for index, button in enumerate(buttons) if button.hasFocus()]
        if steps is None or not focused_indices:
            super().keyPressEvent(event)
            return
        index = min(max(focused_indices[0] + steps, 0), len(buttons) - 1)
        buttons[index].setFocus(Qt.FocusReason.TabFocusReason)
        self.ensureWidgetVisible(buttons[index])


def _make_button_font(titles: Collection[str]) -> QFont:
    """Return the largest font, up to `_FONT_SCALE`, in which all titles fit."""
    font = make_scaled_font(_FONT_SCALE)
    font.setBold(True)  # measure bold text, which is wider
    max_text_width = _BUTTON_WIDTH - 2 * _TEXT_PADDING
    while max(map(QFontMetrics(font).horizontalAdvance, titles)) > max_text_width:
        font.setPointSizeF(font.pointSizeF() * _SHRINK_FACTOR)  # hinting scales widths unevenly
    font.setBold(False)
    return font


class _NarrowScrollBar(QScrollBar):
    """A narrow scroll bar, which leaves more room for the buttons."""

    def sizeHint(self) -> QSize:
        return QSize(_SCROLL_BAR_WIDTH, super().sizeHint().height())


class _RailButton(QToolButton):
    """A button with the icon and name of a view or the gallery."""

    def __init__(self, name: str, title: str, font: QFont, icon_name: str = "") -> None:
        super().__init__(autoRaise=True)
        self.name = name
        self._icon_name = icon_name or name
        self.setText(title)
        self.setAccessibleName(f"Show {title}")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setCheckable(True)
        self.setMinimumWidth(_BUTTON_WIDTH)  # so that a bold text does not change the layout
        policy = self.sizePolicy().Policy
        self.setSizePolicy(policy.Expanding, policy.Fixed)
        self.setFont(font)
        self.set_icon_side(_ICON_SIDE)

    def set_icon_side(self, side: int) -> None:
        if side != self.iconSize().width() or self.icon().isNull():
            self.setIconSize(QSize(side, side))
            self._update_icon()

    def nextCheckState(self) -> None:
        """Keep the checked state; the window sets it after the click."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()  # the rail moves the focus to the button above or below
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() in REDRAW_EVENTS:
            self._update_icon()
        return super().event(event)

    def _update_icon(self) -> None:
        self.setIcon(icon(self._icon_name, self.palette(), self.iconSize().width()))
