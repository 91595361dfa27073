"""Pictures as the commands draw them, including the window."""

import threading
from functools import partial

from pe_explorer import views
from pe_explorer.app.output import picture
from pe_explorer.app.window.main_window import MainWindow
from pe_explorer.flags import WINDOW
from pe_explorer.model.steps import run_now

drawing = partial(picture.draw, make_window=MainWindow.for_picture)
PICTURES = (*views.names(), WINDOW)
"""Everything that can be drawn as a picture: each view, and the window."""


def draw(*what):
    """Return a picture, computed synchronously without a time limit."""
    return run_now(drawing(*what))


def save(image, path, state=None, extra=None):
    picture.save(image, path, state, extra or {}, threading.Event())
