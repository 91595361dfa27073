"""The command `render`: the views as pictures, without a display."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QWidget

from pe_explorer.app.application import Application, log_qt_messages
from pe_explorer.app.output import picture
from pe_explorer.encodings import LIMIT, require_known
from pe_explorer.exploration import FOR_COMMANDS, DirectStore, resolve
from pe_explorer.files.atomic import OutputError, replacing
from pe_explorer.files.sources import refuse_sources
from pe_explorer.flags import Print
from pe_explorer.model import Exploration, Model
from pe_explorer.params import ParameterError

__all__ = ["explored", "names", "run"]


names = picture.picture_names


def explored(view: str, state: Exploration, positions: range) -> Exploration:
    """Return what a picture of `view` shows, at other positions than the state's.

    Raises
    ------
    ParameterError
        If no picture shows these positions, or there is no such dimension; or if the view
        has no picture of the exploration.
    """
    if positions.step != 1:
        problem = "a picture shows consecutive rows; leave out STEP"
        raise ParameterError("positions", problem)
    if positions.stop - positions.start > LIMIT:
        raise ParameterError("positions", "a picture shows at most 2^53 rows")
    state = state.with_(start=positions.start, count=len(positions))
    resolved = resolve(state, DirectStore(), FOR_COMMANDS)
    width = require_known(resolved.encoding).width
    if state.dimension >= width:
        most = width - 1
        problem = f"{state.dimension} is outside 0 to {most}; the nearest valid value is {most}"
        raise ParameterError("dimension", problem)
    picture.check(view, resolved)
    return state


def run(
    view: str,
    state: Exploration,
    size: tuple[int, int],
    how: Print,
    output: str,
    extra: Mapping[str, Any] = MappingProxyType({}),
    *,
    ready: Callable[[], object],
) -> None:
    """Draw a view or the window and write the picture, with `state` and `extra` as its session.

    `ready` is called when only the writing is left.

    Raises
    ------
    ParameterError
        If the picture cannot be made or written.
    """
    if Path(output).suffix.lower() != ".png":
        raise OutputError(output, "the name must end in .png")
    refuse_sources(output, state)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    log_qt_messages()
    app = Application(how.theme)
    image = picture.draw(
        view,
        state,
        *size,
        how.scale,
        how.theme,
        cursor=how.cursor == "show",
        make_window=_make_window,
    )
    carried = None
    if how.carry == "keep":
        carried = resolve(picture.carried(view, state), DirectStore())
    data = picture.png(image, carried, extra, Path(output).parent)
    ready()
    with replacing(output) as file:
        file.write(data)
    # Qt ends cleanly when no widget is left.
    app.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _make_window(model: Model, density: float) -> QWidget:
    """Return a window to be drawn; it is imported only here, as a view is drawn sooner without."""
    from pe_explorer.app.window.main_window import MainWindow

    return MainWindow.for_picture(model, density)
