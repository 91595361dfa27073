"""A view with a sentence above its plots."""

from collections.abc import Mapping
from typing import ClassVar

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.views._comparing_view import ComparingView
from pe_explorer.widgets.labels import text_label
from pe_explorer.widgets.plot import RangePlot

_CAPTION_LETTERS, _LETTER_WIDTH = 190, 7  # letters of the longest caption, pixels of each
_AROUND = 6  # pixels around it
_LOW = 290  # pixels of height below which a view has no caption
_FONT_SCALE = 0.92  # relative to the usual font


class CaptionedView(ComparingView):
    """Has a caption, which takes the same room whatever it says."""

    has_caption: ClassVar[bool] = True
    most_lines: ClassVar[int]
    """Lines of the caption, where the view is narrow."""

    def __init__(self, plots: Mapping[str, RangePlot], parent: QWidget | None = None) -> None:
        super().__init__(plots, parent)
        self.caption = text_label("muted", scale=_FONT_SCALE)
        self.caption.setContentsMargins(_AROUND, 0, _AROUND, 0)
        self.stage.layout.insertWidget(0, self.caption)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep room for the longest caption, or the plots would move with each sentence."""
        lines = -(-_CAPTION_LETTERS * _LETTER_WIDTH // max(1, self.width()))
        spacing = self.caption.fontMetrics().lineSpacing()
        self.caption.setFixedHeight(min(lines, self.most_lines) * spacing + _AROUND)
        # In a low view the picture needs the room, and the status says the same.
        self.caption.setVisible(self.height() >= _LOW)
        super().resizeEvent(event)

    def show_caption(self, sentence: str) -> None:
        """Show a sentence above the plots, an empty one for none."""
        self.caption.setText(sentence)
        self.caption.setToolTip(f"<p>{sentence}</p>" if sentence else "")
