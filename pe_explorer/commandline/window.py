"""The window: what is opened where no command is given."""

from __future__ import annotations

import argparse
import gc

from pe_explorer.commandline.parser import EXIT_BAD_INPUT
from pe_explorer.commandline.qt import require_qt, view_options
from pe_explorer.commandline.streams import say
from pe_explorer.files import session
from pe_explorer.files.session import SessionError

__all__ = ["run"]


def run(options: argparse.Namespace) -> int:
    """Open the window, with a file if one is given; return when it is closed."""
    require_qt(window=True)
    gc.disable()  # the application collects between events; until it runs, nothing is lost but time
    try:
        stamp = session.stamp(options.file) if options.file else None
        found = session.read(options.file, view_options()) if options.file else None
    except SessionError as error:
        say(f"pe-explorer: {error.problem}")
        return EXIT_BAD_INPUT
    from pe_explorer.app.run import run_window

    return run_window(options.theme, options.file, found, stamp)
