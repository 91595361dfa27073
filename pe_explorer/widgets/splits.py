"""Arrangements of widgets with splitters."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from pe_explorer.widgets.layouts import lay_out_column

# Pixels by which an arrow key moves a border.
_STEPS = dict.fromkeys((Qt.Key.Key_Left, Qt.Key.Key_Up), -16)
_STEPS |= dict.fromkeys((Qt.Key.Key_Right, Qt.Key.Key_Down), 16)


class Splitter(QSplitter):
    """A splitter whose panes cannot be collapsed."""

    def __init__(self) -> None:
        super().__init__(childrenCollapsible=False, handleWidth=5)

    def createHandle(self) -> QSplitterHandle:
        handle = _Handle(self.orientation(), self)
        handle.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        handle.setAccessibleName("Border between panes")
        handle.setToolTip("<p>Drag the border, or move it with the arrow keys.</p>")
        return handle


class _Handle(QSplitterHandle):
    """The border between two panes, which the arrow keys can move."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            is_horizontal = self.orientation() == Qt.Orientation.Horizontal
            self.moveSplitter((self.x() if is_horizontal else self.y()) + step)


Sizes = tuple[tuple[int, ...], ...]  # sizes in the outer splitter, then in the inner splitter

PART_COUNTS: Mapping[str, tuple[int, int]] = {
    "one": (1, 0),
    "beside": (2, 0),
    "stacked": (2, 0),
    "over-two": (2, 2),
    "three": (3, 0),
}
"""For each arrangement, the numbers of parts of the outer and the inner splitter.

The inner splitter, if used, is the last part of the outer splitter."""
_INITIAL_SIZES = {"over-two": ((57, 43), (1, 1))}  # only for arrangements with unequal parts


class SplitLayout(QWidget):
    """A container that arranges up to three widgets, and stores sizes for each arrangement."""

    def __init__(self) -> None:
        super().__init__()
        self._outer_splitter, self._inner_splitter = Splitter(), Splitter()
        self._inner_splitter.setParent(self)
        self._inner_splitter.hide()
        self._visible_widgets: tuple[QWidget, ...] = ()
        self._arrangement = ""
        self._sizes: dict[str, Sizes] = {}
        lay_out_column(self, self._outer_splitter)

    @property
    def sizes(self) -> dict[str, Sizes]:
        self.remember_sizes()
        return dict(self._sizes)

    @sizes.setter
    def sizes(self, sizes: Mapping[str, Sizes]) -> None:
        self._sizes = dict(sizes)
        self._restore_sizes()

    def arrange(self, widgets: Sequence[QWidget], arrangement: str) -> None:
        if (tuple(widgets), arrangement) == (self._visible_widgets, self._arrangement):
            return
        self.remember_sizes()
        for widget in self._visible_widgets:
            # A widget that is no longer a descendant has moved to another window.
            if widget not in widgets and self.isAncestorOf(widget):
                widget.hide()
                widget.setParent(self)
        is_stacked = arrangement in ("stacked", "over-two")
        is_nested = PART_COUNTS[arrangement][1] > 0
        orientation = Qt.Orientation.Vertical if is_stacked else Qt.Orientation.Horizontal
        self._outer_splitter.setOrientation(orientation)
        for index, widget in enumerate(widgets):
            if is_nested and index > 0:
                self._inner_splitter.insertWidget(index - 1, widget)
            else:
                self._outer_splitter.insertWidget(index, widget)
            widget.show()
        if is_nested:
            self._outer_splitter.insertWidget(1, self._inner_splitter)
        else:
            self._inner_splitter.setParent(self)
        self._inner_splitter.setVisible(is_nested)
        self._visible_widgets, self._arrangement = tuple(widgets), arrangement
        self._restore_sizes()

    def remember_sizes(self) -> None:
        """Store the sizes of the current arrangement, if it is visible.

        Call this before removing a widget, because the remaining widgets then fill its space.
        """
        if not self._arrangement or not self.isVisible():
            return
        counts, outer_sizes = PART_COUNTS[self._arrangement], self._outer_splitter.sizes()
        inner_sizes = self._inner_splitter.sizes() if counts[1] else []
        if (len(outer_sizes), len(inner_sizes)) == counts:
            self._sizes[self._arrangement] = tuple(outer_sizes), tuple(inner_sizes)

    def _restore_sizes(self) -> None:
        equal_sizes: Sizes = ((1,) * self._outer_splitter.count(), ())
        initial_sizes = _INITIAL_SIZES.get(self._arrangement, equal_sizes)
        stored_sizes = self._sizes.get(self._arrangement, initial_sizes)
        splitters = self._outer_splitter, self._inner_splitter
        for splitter, sizes in zip(splitters, stored_sizes, strict=True):
            # Qt scales sizes to the available space; large numbers avoid rounding.
            splitter.setSizes([size * 10_000 for size in sizes])
