"""What leaves the window: pictures, data, code and commands, to files or to the clipboard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget

from pe_explorer.app.document.document import Document
from pe_explorer.app.output.notice import Notice
from pe_explorer.app.settings.settings_file import SettingsFile
from pe_explorer.encodings import Stored
from pe_explorer.exploration import Resolved
from pe_explorer.flags import PLATE
from pe_explorer.model import Model
from pe_explorer.params import FileName, ParameterError, one_line
from pe_explorer.views import View

if TYPE_CHECKING:
    from pe_explorer.app.output.copying import Copying
    from pe_explorer.app.output.picture import MakeWindow
    from pe_explorer.app.output.work_dialog import DialogContext, WorkDialog
    from pe_explorer.app.settings.figure_choices import FigureChoices
    from pe_explorer.figures.style import Style
    from pe_explorer.files.figure_request import FigureRequest


_NAMES_OF_CODE = {
    "pinned": "Code of the pinned encoding",
    "difference": "Code of the current encoding, without the pinned one,",
}
"""Name of the copied encodings, where others are shown, too."""


class Output(QObject):
    """Exports and copies what a window shows; loads what that needs when it is asked for.

    `active` returns the view that is exported or copied, and `seen` a state whose pictures are
    those on the screen; `make_window` returns a window to be drawn into a picture.
    """

    reported = Signal(str)
    """A sentence on what was done."""
    closing = Signal()
    """The window is closing: writing ends."""

    def __init__(
        self,
        window: QWidget,
        model: Model,
        document: Document,
        settings: SettingsFile,
        active: Callable[[], View],
        seen: Callable[[], Resolved],
        make_window: MakeWindow,
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._document, self._settings = document, settings
        self._active, self._seen, self._make_window = active, seen, make_window
        self.notice = Notice()
        self._copying: Copying | None = None
        self._last_styles: dict[tuple[str, str], Style] = {}
        """Those of the last figures, by what was drawn and the encodings that it was of."""

    @property
    def copying(self) -> Copying:
        """What copies figures."""
        if self._copying is None:
            from pe_explorer.app.output.copying import Copying

            self._copying = Copying(self._model, self.notice, self)
            self._copying.reported.connect(self.reported)
        return self._copying

    def _figure_choices(self) -> FigureChoices:
        """Return what was chosen for the last figure, with what only the active view has."""
        from pe_explorer.app.settings.figure_choices import FigureChoices
        from pe_explorer.figures.style import style_in

        choices = FigureChoices.from_texts(self._settings.settings.figure)
        subject = self._active().picture.name, self._model.state.encoding.name
        last = self._last_styles.get(subject)
        saved, request = self._document.saved, self._request
        if last is None and request and saved.path:
            return FigureChoices(request.style, request.size, saved.path.suffix.lower())
        kept = style_in(saved.extra, subject[0], choices.style)
        return choices.with_own_of(last or kept)

    @property
    def _request(self) -> FigureRequest | None:
        """How the figure was drawn that was opened, while what it shows is active."""
        from pe_explorer.files.figure_request import request_in

        request = request_in(self._document.saved.extra)
        is_shown = request and request.view in (self._active().picture.name, PLATE)
        return request if is_shown else None

    @Slot(str, object)
    def _remember_figure(self, what: str, choices: FigureChoices) -> None:
        self._settings.change(figure=choices.as_texts())
        self._last_styles[what, self._model.state.encoding.name] = choices.style

    @Slot()
    def copy_code(self) -> None:
        """Copy code that computes the table."""
        from pe_explorer.files.snippet import snippet

        state, note = self._model.state, ""
        try:
            e = state.subject.encoding
        except ParameterError:  # its table is not loaded
            e = state.intention.subject.encoding
        try:
            code = snippet(e, state.positions)
        except ParameterError as error:
            self.reported.emit(f"Nothing was copied. {error.sentence}")
            return
        if isinstance(e, Stored) and (name := FileName.last_part(e.file)) != e.file:
            folder = f"{one_line(name)} without its folder"
            note = f" It names {folder}, so run it in the folder of that file."
        QApplication.clipboard().setText(code)
        self.reported.emit(f"{_NAMES_OF_CODE.get(state.show, 'Code')} copied.{note}")

    @Slot()
    def copy_command(self) -> None:
        """Copy the command that draws the active view."""
        from pe_explorer.app.output.copying import picture_command

        view = self._active()
        state, style = view.seen(self._model.state), self._figure_choices().style
        try:
            command = picture_command(view.picture.name, state, view.size(), style)
        except ParameterError as error:
            self.reported.emit(f"Nothing was copied. {error.sentence}")
        else:
            QApplication.clipboard().setText(command)
            self.reported.emit("Command copied.")

    @Slot()
    def copy_picture(self) -> None:
        """Copy a picture of the active view, in the style of the last figure."""
        view = self._active()
        state, style = view.seen(self._model.state), self._figure_choices().style
        self.copying.copy_picture(view, state, style, self._document.saved.extra)

    def close(self) -> None:
        """Stop copying and exporting."""
        if self._copying is not None:
            self._copying.cancel()
        self.closing.emit()

    @Slot()
    def copy_figure_code(self) -> None:
        """Copy a script for matplotlib that draws the figure of the active view."""
        view = self._active()
        self.copying.copy_code(view, view.seen(self._model.state), self._figure_choices())

    @Slot()
    def export_figure(self) -> None:
        """Ask for the style of a figure, and write it into a file."""
        from pe_explorer.app.output.figure_dialog import FigureDialog

        context, request = self._context("picture", self._seen()), self._request
        if request is not None:
            context = context._replace(view="-".join(filter(None, (request.view, request.only))))
        dialog = FigureDialog(context, self._figure_choices())
        dialog.figure_form.ordered.connect(self._remember_figure)
        dialog.written.connect(self._report)
        self._open(dialog)

    @Slot()
    def print_figure(self) -> None:
        """Ask for the style of a figure and for the printer, and print it."""
        from pe_explorer.app.output.print_dialog import PrintDialog

        dialog = PrintDialog(self._context("picture", self._seen()), self._figure_choices())
        dialog.figure_form.ordered.connect(self._remember_figure)
        dialog.printed.connect(self.reported)
        self._open(dialog)

    @Slot()
    def export_picture(self) -> None:
        """Ask what to draw, and draw it into a file."""
        from pe_explorer.app.output.picture_dialog import PictureDialog

        context, size = self._context("picture", self._seen()), self._window.size()
        dialog = PictureDialog(context, size, self._make_window)
        dialog.written.connect(self._report)
        self._open(dialog)

    @Slot()
    def export_data(self) -> None:
        """Ask what to write, and write it."""
        from pe_explorer.app.output.data_dialog import DataDialog

        dialog = DataDialog(self._context("data", self._model.state))
        dialog.written.connect(self._report)
        self._open(dialog)

    def _context(self, kind: str, state: Resolved) -> DialogContext:
        """Return what a dialog is about that writes a kind of file."""
        from pe_explorer.app.output.work_dialog import DialogContext

        view, extra = self._active().picture.name, self._document.saved.extra
        folder = self._settings.settings.folder(kind)
        return DialogContext(self._window, self._model, view, state, folder, extra)

    def _open(self, dialog: WorkDialog) -> None:
        """Open a dialog, which closes with the window."""
        self.closing.connect(dialog.reject)
        dialog.open()

    @Slot(str, str)
    def _report(self, kind: str, path: str) -> None:
        self._settings.remember_folder(kind, Path(path).absolute().parent)
        self.reported.emit(f"{path} written.")
