"""Arrangements of widgets with splitters."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from pe_explorer.widgets.layouts import column_in

_WIDTH = 5  # pixels
_STEPS = dict.fromkeys((Qt.Key.Key_Left, Qt.Key.Key_Up), -16)
_STEPS |= dict.fromkeys((Qt.Key.Key_Right, Qt.Key.Key_Down), 16)
"""Pixels by which an arrow key moves a border."""


class Splitter(QSplitter):
    """A splitter whose panes cannot be collapsed."""

    def __init__(self) -> None:
        super().__init__()
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_WIDTH)

    def createHandle(self) -> QSplitterHandle:
        handle = _Handle(self.orientation(), self)
        handle.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        handle.setAccessibleName("Border between panes")
        handle.setToolTip("<p>Drag the border, or move it with the arrow keys.</p>")
        return handle


class _Handle(QSplitterHandle):
    """The border between two widgets."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            across = self.orientation() == Qt.Orientation.Horizontal
            self.moveSplitter((self.x() if across else self.y()) + step)


Sizes = tuple[tuple[int, ...], ...]  # sizes in the outer splitter, then in the inner splitter

_ACROSS, _DOWN = Qt.Orientation.Horizontal, Qt.Orientation.Vertical
_STACKED = ("stacked", "over-two")
PARTS: Mapping[str, tuple[int, int]] = {
    "one": (1, 0),
    "beside": (2, 0),
    "stacked": (2, 0),
    "over-two": (2, 2),
    "three": (3, 0),
}
"""Numbers of parts of the outer and the inner splitter, which is the last part of the outer."""
_FIRST_SIZES = {"over-two": ((57, 43), (1, 1))}  # initial shares of arrangements with unequal parts


class Splits(QWidget):
    """Up to three widgets in an arrangement.

    The sizes of each arrangement are remembered.
    """

    def __init__(self) -> None:
        super().__init__()
        self._outer, self._inner = Splitter(), Splitter()
        self._inner.setParent(self)
        self._inner.hide()
        self._shown_widgets: tuple[QWidget, ...] = ()
        self._arrangement = ""
        self._sizes: dict[str, Sizes] = {}
        column_in(self, self._outer)

    @property
    def sizes(self) -> dict[str, Sizes]:
        self.remember()
        return dict(self._sizes)

    @sizes.setter
    def sizes(self, sizes: Mapping[str, Sizes]) -> None:
        self._sizes = dict(sizes)
        self._restore()

    def arrange(self, widgets: Sequence[QWidget], arrangement: str) -> None:
        shown = tuple(widgets)
        if (shown, arrangement) == (self._shown_widgets, self._arrangement):
            return
        self.remember()
        for widget in self._shown_widgets:
            if widget not in shown and self.isAncestorOf(
                widget
            ):  # otherwise the widget is in another window
                widget.hide()
                widget.setParent(self)
        self._outer.setOrientation(_DOWN if arrangement in _STACKED else _ACROSS)
        nested = PARTS[arrangement][1] > 0
        for place, widget in enumerate(shown):
            if nested and place > 0:
                self._inner.insertWidget(place - 1, widget)
            else:
                self._outer.insertWidget(place, widget)
            widget.show()
        if nested:
            self._outer.insertWidget(1, self._inner)
        else:
            self._inner.setParent(self)
        self._inner.setVisible(nested)
        self._shown_widgets, self._arrangement = shown, arrangement
        self._restore()

    def remember(self) -> None:
        """Store the sizes of the current arrangement, if it is laid out.

        Call this before removing a widget, because the remaining widgets then fill its space.
        """
        if not self._arrangement or not self.isVisible():
            return
        parts = PARTS[self._arrangement]
        outer = self._outer.sizes()
        inner = self._inner.sizes() if parts[1] else []
        if (len(outer), len(inner)) == parts:
            self._sizes[self._arrangement] = tuple(outer), tuple(inner)

    def _restore(self) -> None:
        equal: Sizes = ((1,) * self._outer.count(), ())
        first = _FIRST_SIZES.get(self._arrangement, equal)
        stored = self._sizes.get(self._arrangement, first)
        for splitter, sizes in zip((self._outer, self._inner), stored, strict=True):
            # Qt scales sizes to the available space; large numbers avoid rounding.
            splitter.setSizes([size * 10_000 for size in sizes])
