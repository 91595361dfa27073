"""The window, which opens when no command is given."""

import argparse
import gc

from pe_explorer.commandline import process
from pe_explorer.commandline.qt import NoQtError, require_qt

EXIT_NO_QT = 2


def main() -> int:
    """Open the window without arguments, and so without a parser."""
    process.make_streams_safe()
    try:
        return run(argparse.Namespace(theme=None, files=[]))
    except NoQtError as error:
        process.print_error(f"pe-explorer: {error}")
        return EXIT_NO_QT


def run(options: argparse.Namespace) -> int:
    """Open the window, with files if some are given; return the exit code once it is closed."""
    process.discard_closed_output()
    require_qt(window=True)
    gc.disable()  # the application collects garbage itself, between events
    import_before_qt()
    if not options.files:
        from pe_explorer.app.run import run_window

        return run_window(options.theme)
    from pe_explorer import configs, tables
    from pe_explorer.files import opening, session

    try:
        path, *others = map(configs.config_path, options.files)
        digest = session.digest(path)
        opened = opening.read(path)
        compared = {other: opening.read_compared(other) for other in others}
    except (configs.ConfigError, session.SessionError, tables.TableError) as error:
        problem = error.problem if isinstance(error, session.SessionError) else error
        process.print_error(f"pe-explorer: {problem}")
        return process.EXIT_BAD_INPUT
    from pe_explorer.app.run import run_window

    return run_window(options.theme, path, opened, digest, compared)


def import_before_qt() -> None:
    """Import the large parts of the program that do not use Qt, before Qt.

    Once PySide6 is there, it reads the source of each module that is imported.
    """
    from pe_explorer import encodings, pictures
    from pe_explorer.gallery import start_here  # noqa: F401 - with all that it needs

    encodings.names()
    pictures.names()
