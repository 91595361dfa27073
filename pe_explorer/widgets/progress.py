"""A progress bar for computations whose progress may be unknown."""

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QProgressBar, QWidget

_STEPS = 1000


class ProgressBar(QProgressBar):
    """A bar that is hidden when idle, but retains its space to keep the layout stable."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Progress")
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        self.hide()

    def begin(self) -> None:
        """Show activity until the progress is known."""
        self.setRange(0, 0)
        self.show()

    @Slot(float, str)
    def show_share(self, share: float, phase: str = "") -> None:
        self.setFormat(f"{phase}… %p%" if phase else "%p%")
        self.setRange(0, _STEPS)
        self.setValue(round(_STEPS * share))

    def end(self) -> None:
        self.hide()
        self.setRange(0, _STEPS)
        self.reset()
