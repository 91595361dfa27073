"""The status bar: what the views show, what was done or refused, and the numbers at the cursor."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QStatusBar, QWidget

from pe_explorer.exploration import Exploration, changes
from pe_explorer.views import View
from pe_explorer.widgets.cut_label import CutLabel

__all__ = ["StatusBar"]

_REPORT, _REFUSAL = 4000, 8000  # milliseconds that a message stays


class StatusBar(QStatusBar):
    """A sentence of each visible view, with messages in its place for some seconds."""

    def __init__(self, views: Sequence[View], on_the_right: Sequence[QWidget]) -> None:
        super().__init__()
        self._views = views
        self.sentence = CutLabel()  # its tooltip has the whole text
        self.addWidget(self.sentence, 1)
        for widget in on_the_right:
            self.addPermanentWidget(widget)
        for view in views:
            view.status_changed.connect(self._show_sentences)

    @Slot(str)
    def _show_sentences(self, sentence: str) -> None:
        visible = [view for view in self._views if view.isVisible()]
        sentences = [view.status for view in visible if view.status]
        self.sentence.setText("   ".join(sentences))
        self.sentence.setToolTip("\n".join(sentences))

    @Slot(str)
    def show_report(self, sentence: str) -> None:
        """Show what was done."""
        self.showMessage(sentence, _REPORT)

    @Slot(str)
    def show_refusal(self, sentence: str) -> None:
        """Show what was refused, and why."""
        self.showMessage(sentence, _REFUSAL)

    @Slot(object, object)
    def receive_change(self, old: Exploration, new: Exploration) -> None:
        """Clear the message: what was refused has been corrected."""
        if changes(old, new):
            self.clearMessage()
