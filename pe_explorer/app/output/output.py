"""What leaves the window: pictures, data, code and commands, to files or to the clipboard."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer.app.document.document import Document
from pe_explorer.app.output.copying import Copying, picture_command
from pe_explorer.app.output.data_dialog import DataDialog
from pe_explorer.app.output.file_dialog import FileDialog
from pe_explorer.app.output.picture import MakeWindow
from pe_explorer.app.output.picture_dialog import PictureDialog
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.encodings import Encoding
from pe_explorer.exploration import Resolved
from pe_explorer.files.snippet import snippet
from pe_explorer.model import Model
from pe_explorer.params import ParameterError
from pe_explorer.views import View

__all__ = ["Output"]


class Output(QObject):
    """Exports and copies what a window shows.

    `focused` returns the view that is exported or copied; `make_window` returns a window to be
    drawn into a picture.
    """

    reported = Signal(str)
    """What was done, in a sentence."""

    def __init__(
        self,
        window: QWidget,
        model: Model,
        document: Document,
        settings: SettingsFile,
        focused: Callable[[], View],
        make_window: MakeWindow,
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._document, self._settings = document, settings
        self._focused, self._make_window = focused, make_window
        self.copying = Copying(model, self)
        self.copying.reported.connect(self.reported)

    @Slot()
    def copy_code(self) -> None:
        """Copy code that makes the table."""
        state = self._model.state
        which = {
            "pinned": " of the pinned encoding",
            "difference": " of the current encoding, without the pinned one,",
        }.get(state.show, "")
        with self._refusing():
            self._copy(snippet(_coded(state), state.positions), f"Code{which}")

    @Slot()
    def copy_command(self) -> None:
        """Copy the command that draws the view that has the focus."""
        view = self._focused()
        with self._refusing():
            self._copy(picture_command(view.name, self._model.state, view.size()), "Command")

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Say why nothing is copied."""
        try:
            yield
        except ParameterError as error:
            self.reported.emit(f"Nothing was copied. {error.sentence}")

    def _copy(self, text: str, what: str) -> None:
        QApplication.clipboard().setText(text)
        self.reported.emit(f"{what} copied.")

    @Slot()
    def copy_picture(self) -> None:
        """Copy a picture of the view that has the focus."""
        self.copying.start(self._focused())

    def close(self) -> None:
        """Stop what is being copied or exported."""
        self.copying.cancel()
        for dialog in self._window.findChildren(FileDialog):
            dialog.reject()

    @Slot()
    def export_picture(self) -> None:
        """Ask what to draw, and draw it into a file."""
        folder, extra = self._settings.settings.folder("picture"), self._document.saved.extra
        dialog = PictureDialog(
            self._window,
            self._model,
            self._focused().name,
            self._window.size(),
            folder,
            extra=extra,
            make_window=self._make_window,
        )
        self._open(dialog, self._note_picture)

    @Slot()
    def export_data(self) -> None:
        """Ask what to write, and write it."""
        folder, extra = self._settings.settings.folder("data"), self._document.saved.extra
        dialog = DataDialog(self._window, self._model, self._focused().name, folder, extra=extra)
        self._open(dialog, self._note_data)

    def _open(self, dialog: FileDialog, note: Callable[[str], None]) -> None:
        dialog.written.connect(note)
        dialog.open()

    @Slot(str)
    def _note_picture(self, path: str) -> None:
        self._note("picture", path)

    @Slot(str)
    def _note_data(self, path: str) -> None:
        self._note("data", path)

    def _note(self, kind: str, path: str) -> None:
        self._settings.remember_folder(kind, Path(path).absolute().parent)
        self.reported.emit(f"{path} written.")


def _coded(state: Resolved) -> Encoding:
    """Return what code is made of: it needs no table, but tells of one that is there."""
    try:
        return state.subject.encoding
    except ParameterError:
        return state.intention.subject.encoding
