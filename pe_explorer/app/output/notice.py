"""The notice that something takes long to copy."""

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from pe_explorer.widgets.progress import ProgressBar

_BAR_SIZE = QSize(120, 10)  # pixels


class Notice(QWidget):
    """Shows the progress of drawing in the status bar, with a button to stop it."""

    def __init__(self) -> None:
        super().__init__()
        self.sentence = QLabel()
        self.bar = ProgressBar()
        self.bar.setFixedSize(_BAR_SIZE)
        self.bar.setTextVisible(False)
        self.cancel = QToolButton(autoRaise=True)
        self.cancel.setText("Cancel")
        self.cancel.setToolTip("Stop copying; the clipboard stays as it is.")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for part in (self.sentence, self.bar, self.cancel):
            row.addWidget(part)
        # As high as a line, so that the status bar does not grow.
        self.setFixedHeight(self.fontMetrics().lineSpacing() + 2)
        self.hide()
