"""The choice of a preset."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from pe_explorer.gallery.start_here import presets
from pe_explorer.model import Exploration
from pe_explorer.widgets.fields import Combo
from pe_explorer.widgets.rich_text import paragraph

__all__ = ["PresetCombo"]

_HELP = (
    "Some exhibits to begin with: the paper's models, and well-known figures. The gallery has all. "
    "A preset replaces all settings, and shows its own views; undo brings them back."
)


class PresetCombo(Combo):
    """A few exhibits; where none matches the state, it shows “Custom”."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setPlaceholderText("Custom")
        self.setAccessibleName("Preset")
        self.setToolTip(f"<p>{_HELP}</p>")
        for preset in presets().values():
            self.add(preset.title, preset.id, preset.note)
        self.setCurrentIndex(-1)

    def display_match(self, state: Exploration) -> None:
        """Show the preset that a state matches, without a signal."""
        preset = next((preset for preset in presets().values() if preset.matches(state)), None)
        self.display(preset.id if preset else None)
        self.setToolTip(paragraph(preset.note if preset else _HELP))
