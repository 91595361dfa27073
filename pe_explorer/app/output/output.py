"""Exports of the window to files or the clipboard: images, data, code and commands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QSize, QTimer, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from pe_explorer import pictures
from pe_explorer.analysis.comparison import ShowOption
from pe_explorer.app.document.document import Document
from pe_explorer.app.settings.settings import SettingsFile
from pe_explorer.encodings import Stored
from pe_explorer.exploration import ResolvedState
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import SINGLE_FIGURE_SETTINGS, Style, read_style
from pe_explorer.files import figure_request
from pe_explorer.files.session import FIGURE_SUFFIXES, make_title
from pe_explorer.flags import HEIGHT, PLATE, WIDTH, RenderSettings, format_render_line
from pe_explorer.model import Exploration, Model
from pe_explorer.model.steps import StepRunner, Steps
from pe_explorer.params import FileName, ParameterError, to_one_line
from pe_explorer.views import PageView
from pe_explorer.widgets.layouts import lay_out_row
from pe_explorer.widgets.progress import ProgressBar

if TYPE_CHECKING:
    from pe_explorer.app.output.figure_order import FigureChoices
    from pe_explorer.app.output.picture import WindowFactory
    from pe_explorer.app.output.work_dialog import DialogContext, WorkDialog


_COPY_SETTINGS = RenderSettings(scale=2.0)
_CODE_NAMES: dict[str, str] = {
    ShowOption.PINNED: "Code of the pinned encoding",
    ShowOption.DIFFERENCE: "Code for the current encoding only",
}  # names of the copied code in messages if a view shows a pin
_ClipboardItem = tuple[QImage | str, str]  # content for the clipboard, and the message about it


class CopyProgress(QWidget):
    """A status bar widget with the progress of copying and a Cancel button."""

    def __init__(self) -> None:
        super().__init__()
        self.sentence = QLabel()
        self.bar = ProgressBar()
        self.bar.setFixedSize(QSize(120, 10))
        self.bar.setTextVisible(False)
        self.cancel_button = QToolButton(autoRaise=True)
        self.cancel_button.setText("Cancel")
        self.cancel_button.setToolTip("Stop copying and leave the clipboard unchanged.")
        lay_out_row(self, self.sentence, self.bar, self.cancel_button)
        # Limit the height to one line, so that the status bar does not grow.
        self.setFixedHeight(self.fontMetrics().lineSpacing() + 2)
        self.hide()


class Output(QObject):
    """The exports and copies of a window; a new copy cancels the previous one.

    `find_active_view` returns the view to export or copy. `visible_state` returns a state that
    reproduces the pictures on the screen. `make_window` returns a window to draw into an image.
    """

    reported = Signal(str)  # message about a completed export
    about_to_close = Signal()  # the window is closing, so dialogs stop writing

    def __init__(
        self,
        window: QWidget,
        model: Model,
        document: Document,
        settings: SettingsFile,
        find_active_view: Callable[[], PageView],
        visible_state: Callable[[], ResolvedState],
        make_window: WindowFactory,
    ) -> None:
        super().__init__(window)
        self._window, self._model = window, model
        self._document, self._settings = document, settings
        self._find_active_view, self._find_state = find_active_view, visible_state
        self._make_window = make_window
        self.copy_progress = CopyProgress()
        self._last_styles: dict[tuple[str, str], Style] = {}  # last style by view and encoding
        self._runner = StepRunner(model.worker, "copy", self)
        self._delay_timer = QTimer(self, singleShot=True, interval=300)  # milliseconds
        for signal, slot in (
            (self._runner.done, self._receive_copy),
            (self._runner.failed, self._receive_error),
            (self._runner.progressed, self.copy_progress.bar.show_share),
            (self._delay_timer.timeout, self.copy_progress.show),
            (self.copy_progress.cancel_button.clicked, self.cancel),
            (QApplication.clipboard().dataChanged, self._receive_clipboard_change),
        ):
            signal.connect(slot)

    @property
    def is_busy(self) -> bool:
        return self._runner.is_busy

    def close(self) -> None:
        self.cancel()
        self.about_to_close.emit()

    def _make_figure_choices(self) -> FigureChoices:
        from pe_explorer.app.output.figure_order import FigureChoices

        choices = FigureChoices.from_texts(self._settings.settings.figure)
        view = self._find_active_view().picture.name
        style = self._last_styles.get((view, self._model.state.encoding.name))
        saved, request = self._document.saved_version, self._request
        if style is None and request and saved.path:
            ending = saved.path.suffix.lower()
            if ending not in FIGURE_SUFFIXES:  # a figure can be opened from a .json file
                ending = choices.ending
            return FigureChoices(request.style, request.size, ending)
        style = style or read_style(saved.extra, view, choices.style)
        settings = {name: getattr(style, name) for name in SINGLE_FIGURE_SETTINGS}
        return choices._replace(style=replace(choices.style, **settings))

    @property
    def _request(self) -> figure_request.FigureRequest | None:
        """The request of the opened figure; None if no figure is open or its view is not active."""
        request = figure_request.read_figure_request(self._document.saved_version.extra)
        is_shown = request and request.view in (self._find_active_view().picture.name, PLATE)
        return request if is_shown else None

    @Slot(str, object)
    def _remember_figure(self, view: str, choices: FigureChoices) -> None:
        self._settings.change(figure=choices.to_texts())
        self._last_styles[view, self._model.state.encoding.name] = choices.style

    @Slot()
    def copy_code(self) -> None:
        from pe_explorer.files.snippet import snippet

        state, note = self._model.state, ""
        try:
            try:
                e = state.subject.encoding
            except ParameterError:  # the table of the encoding is not loaded
                e = state.intention.subject.encoding
            code = snippet(e, state.positions)
        except ParameterError as error:
            self.reported.emit(f"Nothing was copied. {error.sentence}")
            return
        if isinstance(e, Stored) and (name := FileName.get_last_part(e.file)) != e.file:
            folder = f"the folder of {to_one_line(name)}"
            note = f" Run the code in {folder}, because the code refers to the file without a path."
        QApplication.clipboard().setText(code)
        self.reported.emit(f"{_CODE_NAMES.get(state.show, 'Code')} copied.{note}")

    @Slot()
    def copy_command(self) -> None:
        view = self._find_active_view()
        state, style = view.visible_state(self._model.state), self._make_figure_choices().style
        try:
            command = format_picture_command(view.picture.name, state, view.size(), style)
        except ParameterError as error:
            self.reported.emit(f"Nothing was copied. {error.sentence}")
        else:
            QApplication.clipboard().setText(command)
            self.reported.emit("Command copied.")

    @Slot()
    def copy_picture(self) -> None:
        """Copy an image of the active view in the style of the last figure."""
        view = self._find_active_view()
        state, style = view.visible_state(self._model.state), self._make_figure_choices().style
        steps = _draw_picture(view, state, style, self._document.saved_version.extra)
        self._copy(f"Drawing a picture of {view.picture.title}…", steps)

    @Slot()
    def copy_figure_code(self) -> None:
        view, choices = self._find_active_view(), self._make_figure_choices()
        steps = _write_code(view.picture.name, view.visible_state(self._model.state), choices)
        self._copy(f"Computing {view.picture.title} for the figure code…", steps)

    def _copy(self, sentence: str, steps: Steps[_ClipboardItem]) -> None:
        self.cancel()
        self.copy_progress.sentence.setText(sentence)
        self.copy_progress.bar.begin()
        self._delay_timer.start()
        self._runner.run(steps)

    @Slot()
    def cancel(self) -> None:
        """Stop copying, and leave the clipboard unchanged."""
        self._runner.cancel()
        self._end()

    def _end(self) -> None:
        self._delay_timer.stop()
        self.copy_progress.hide()

    @Slot()
    def _receive_clipboard_change(self) -> None:
        """Stop copying when this or another program changes the clipboard."""
        if self.is_busy:
            self.cancel()
            self.reported.emit("Nothing was copied, because the clipboard changed in the meantime.")

    @Slot(object)
    def _receive_copy(self, item: _ClipboardItem) -> None:
        self._end()
        content, sentence = item
        if isinstance(content, str):
            QApplication.clipboard().setText(content)
        else:
            QApplication.clipboard().setImage(content)
        self.reported.emit(sentence)

    @Slot(object)
    def _receive_error(self, error: Exception) -> None:
        self._end()
        if not isinstance(error, ParameterError):
            raise error
        self.reported.emit(f"Nothing was copied. {error.sentence}")

    @Slot()
    def export_figure(self) -> None:
        from pe_explorer.app.output.figure_dialog import FigureDialog

        context, request = self._make_context("picture", self._find_state()), self._request
        if request is not None:
            context = context._replace(view="-".join(filter(None, (request.view, request.only))))
        dialog = FigureDialog(context, self._make_figure_choices())
        dialog.figure_form.choices_confirmed.connect(self._remember_figure)
        dialog.written.connect(self._report)
        self._open(dialog)

    @Slot()
    def print_figure(self) -> None:
        from pe_explorer.app.output.print_dialog import PrintDialog

        context = self._make_context("picture", self._find_state())
        dialog = PrintDialog(context, self._make_figure_choices())
        dialog.figure_form.choices_confirmed.connect(self._remember_figure)
        dialog.printed.connect(self.reported)
        self._open(dialog)

    @Slot()
    def export_picture(self) -> None:
        from pe_explorer.app.output.picture_dialog import PictureDialog

        context, size = self._make_context("picture", self._find_state()), self._window.size()
        dialog = PictureDialog(context, size, self._make_window)
        dialog.written.connect(self._report)
        self._open(dialog)

    @Slot()
    def export_data(self) -> None:
        from pe_explorer.app.output.data_dialog import DataDialog

        dialog = DataDialog(self._make_context("data", self._model.state))
        dialog.written.connect(self._report)
        self._open(dialog)

    def _make_context(self, kind: str, state: ResolvedState) -> DialogContext:
        from pe_explorer.app.output.work_dialog import DialogContext

        view, extra = self._find_active_view().picture.name, self._document.saved_version.extra
        folder = self._settings.settings.folder(kind)
        return DialogContext(self._window, self._model, view, state, folder, extra)

    def _open(self, dialog: WorkDialog) -> None:
        self.about_to_close.connect(dialog.reject)
        dialog.open()

    @Slot(str, str)
    def _report(self, kind: str, path: str) -> None:
        self._settings.change(folders={kind: str(Path(path).absolute().parent)})
        self.reported.emit(f"{path} written.")


def _draw_picture(
    view: PageView, state: ResolvedState, style: Style, extra: Mapping[str, Any]
) -> Steps[_ClipboardItem]:
    # Import these modules here, because the window opens faster without them.
    from pe_explorer.app.output import figure_files, picture

    name, size, scale = view.picture.name, _clamp_size(view.size()), _COPY_SETTINGS.scale
    image = yield from picture.draw_figure(name, state, size, scale, style)
    embedded_state = figure_request.make_embedded_state(name, state)
    request = figure_request.FigureRequest(name, FigureSize(*size), style, scale)
    session = figure_request.format_figure_session(request, embedded_state, extra, None)
    for key, text in figure_files.make_png_texts(make_title(state), session).items():
        image.setText(key, text)
    return image, f"{view.picture.title} copied."


def _write_code(view: str, state: ResolvedState, choices: FigureChoices) -> Steps[_ClipboardItem]:
    from pe_explorer.figures.making import PictureRequest
    from pe_explorer.files.figure_code import figure_code

    pictures.check(view, state)
    requests = [PictureRequest(view, state)]
    script: str = yield partial(figure_code, requests, choices.style, choices.size)
    return script, "Figure code copied: a matplotlib script."


def format_picture_command(view: str, state: Exploration, size: QSize, style: Style) -> str:
    """Return the command that writes the image that `Output` copies."""
    return format_render_line(view, state, _clamp_size(size), _COPY_SETTINGS, f"{view}.png", style)


def _clamp_size(size: QSize) -> tuple[int, int]:
    return max(size.width(), WIDTH.low), max(size.height(), HEIGHT.low)
