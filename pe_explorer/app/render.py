"""The command `render`, which draws views or the window to files without a display."""

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.app.application import Application, log_qt_messages
from pe_explorer.app.output import figure_files
from pe_explorer.app.output.figure_order import FigureJob, lay_out_figures
from pe_explorer.exploration import DirectStore, resolve
from pe_explorer.figures.size import FigureSize
from pe_explorer.figures.style import Style
from pe_explorer.files.atomic import OutputError, resolve_target
from pe_explorer.files.figure_request import (
    FigureRequest,
    format_figure_session,
    make_embedded_state,
)
from pe_explorer.files.session import FIGURE_SUFFIXES, reject_table_paths
from pe_explorer.flags import DEFAULT_SIZE, WINDOW, RenderSettings
from pe_explorer.model import Exploration, Model
from pe_explorer.model.steps import run_now
from pe_explorer.painting.page_painter import format_font_note
from pe_explorer.params import ParameterError, join_words
from pe_explorer.progress import PartialProgress

_COMPUTING_SHARE = 0.5  # share of the computation in the progress, before painting and writing


def run(
    view: str,
    state: Exploration,
    size: FigureSize,
    settings: RenderSettings,
    output: str,
    extra: Mapping[str, Any],
    style: Style,
    progress: threading.Event,
) -> str:
    """Draw a figure or the window and write it, with `state` and `extra` as its session.

    An image of the window includes the text of the open exhibit, and its points. `progress`
    is complete when the file only needs to be moved into place. Return a message about
    settings that could not be applied, or an empty string if all were applied. Raise
    `ParameterError` if the figure cannot be drawn or the file cannot be written.
    """
    endings = (".png",) if view == WINDOW else FIGURE_SUFFIXES
    if Path(output).suffix.lower() not in endings:
        raise OutputError(output, f"the name must end in {join_words(endings, 'or')}")
    if view == WINDOW and size.unit != "px":
        problem = f"expected a size in pixels for the window, such as {DEFAULT_SIZE}, got {size}"
        raise ParameterError("size", problem)
    if view == WINDOW and settings.only:
        remedy = "omit the part, or draw a view instead of the window"
        raise ParameterError("only", "the window has no parts", remedy)
    reject_table_paths(output, state)
    resolve_target(output)  # raises an error before the slow work if the file cannot be written
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    log_qt_messages()
    app = Application(settings.theme)
    notes: list[str] = []
    if view == WINDOW:
        # Import this module here, because it imports the views and pyqtgraph.
        from pe_explorer.app.output import picture

        pixels = round(size.width), round(size.height), settings.scale
        image = run_now(picture.draw(WINDOW, state, *pixels, settings.theme, _make_window))
        embedded_state = resolve(state, DirectStore()) if settings.carry == "keep" else None
        picture.save(image, output, embedded_state, extra, progress)
    else:
        resolved_state, file = resolve(state, DirectStore()), Path(output)
        is_vector = file.suffix.lower() != ".png"
        job = FigureJob(view, resolved_state, style, size, settings.scale, settings.only, is_vector)
        page = run_now(lay_out_figures(job), PartialProgress(progress, 0.0, _COMPUTING_SHARE))
        session = ""
        if settings.carry == "keep":
            request = FigureRequest(view, size, style, settings.scale, settings.only)
            session_state = make_embedded_state(view, resolved_state)
            session = format_figure_session(request, session_state, extra, file)
        writing_progress = PartialProgress(progress, _COMPUTING_SHARE, 1.0 - _COMPUTING_SHARE)
        figure_files.save(page, file, job.dpi, session, writing_progress)
        notes = [page.note, format_font_note(style.font)]
    # Delete all widgets now, because Qt shuts down cleanly only without widgets.
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return " ".join(filter(None, notes))


def _make_window(model: Model, density: float) -> QWidget:
    # Import the window here, because drawing a view starts faster without this module.
    from pe_explorer.app.window.main_window import MainWindow

    window = MainWindow.for_picture(model, density)
    if model.state.opened is not None:
        window.sides.open("explain")
        window.exhibit_walk.follow()
    return window
