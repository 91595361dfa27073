"""A dialog that writes a file, and copies the command that writes the same file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from pe_explorer.app.output.file_dialog import FileDialog
from pe_explorer.params import ParameterError
from pe_explorer.widgets.fields import Combo


class ExportDialog(FileDialog):
    """A dialog that can also copy the command that writes the same file."""

    def finish(self, what: Combo) -> None:
        copy = self.buttons.addButton("&Copy command", QDialogButtonBox.ButtonRole.ActionRole)
        copy.setToolTip("Copy the pe-explorer command that writes this file.")
        copy.setAutoDefault(False)
        copy.clicked.connect(self._copy_command)
        super().finish(what)

    def command(self, target: Path) -> str:
        """Return the command that writes the same file."""
        raise NotImplementedError

    @Slot()
    def _copy_command(self) -> None:
        try:
            self.check()
            QApplication.clipboard().setText(self.command(self._checked_target()))
        except ParameterError as error:
            self.message.setText(error.sentence)
        else:
            self.message.setText("Command copied.")
