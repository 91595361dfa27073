"""The choice of a preset."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from pe_explorer.gallery.presets import presets
from pe_explorer.model import Exploration
from pe_explorer.widgets.fields import Combo
from pe_explorer.widgets.rich_text import paragraph

__all__ = ["PresetCombo"]

_HELP = (
    "Settings worth a look: the paper's models, and figures of well-known explanations. A preset "
    "replaces all settings; undo brings them back."
)


class PresetCombo(Combo):
    """All presets; where none matches the state, it shows “Custom”."""

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
