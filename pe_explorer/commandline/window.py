"""The window, which opens when no command is given."""

from __future__ import annotations

import argparse
import gc

from pe_explorer.commandline.qt import NoQtError, require_qt
from pe_explorer.commandline.streams import EXIT_BAD_INPUT, make_streams_safe, print_error
from pe_explorer.files import session
from pe_explorer.files.session import SessionError

__all__ = ["EXIT_NO_QT", "main", "run"]

EXIT_NO_QT = 1


def main() -> int:
    """Open the window as it is started most often, without arguments and so without a parser."""
    make_streams_safe()
    try:
        return run(argparse.Namespace(theme=None, file=None))
    except NoQtError as error:
        print_error(f"pe-explorer: {error}")
        return EXIT_NO_QT


def run(options: argparse.Namespace) -> int:
    """Open the window, with a file if one is given; return the exit code once it is closed."""
    require_qt(window=True)
    stamp, opened = None, None
    gc.disable()  # the application collects garbage itself, between events
    try:
        if options.file:
            stamp = session.stamp(options.file)
            opened = session.read(options.file)
    except SessionError as error:
        print_error(f"pe-explorer: {error.problem}")
        return EXIT_BAD_INPUT
    from pe_explorer.app.run import run_window

    return run_window(options.theme, options.file, opened, stamp)
