"""A small button with an icon."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QToolButton

from pe_explorer.widgets.icons import REDRAWING, icon

_SIDE = 28  # pixels


class IconButton(QToolButton):
    """A flat button with an icon in the colours of the theme."""

    _icon = ""

    def __init__(self, icon_name: str, name: str, about: str = "") -> None:
        """`about` tells a screen reader which of several such buttons it is."""
        super().__init__()
        self._about = about
        self.setAutoRaise(True)
        self.setFixedSize(_SIDE, _SIDE)
        self.set_action(icon_name, name)

    def set_action(self, icon_name: str, name: str) -> None:
        """Show the icon of an action, and name the button after it."""
        if icon_name == self._icon and name == self.text():
            return
        self._icon = icon_name
        self.setText(name)  # seen only where the icon's file is missing
        about = f": {self._about}" if self._about else ""
        self.setAccessibleName(f"{name}{about}")
        self.setIcon(icon(icon_name, self.palette()))

    def event(self, event: QEvent) -> bool:
        if event.type() in REDRAWING and self._icon:
            self.setIcon(icon(self._icon, self.palette()))
        return super().event(event)
