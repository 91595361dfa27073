"""The default command, which opens the window."""

import argparse
from typing import Any

from pe_explorer.commandline import process
from pe_explorer.commandline.process import NoQtError, require_qt


def main() -> int:
    """Open an empty window, without constructing a parser."""
    process.make_streams_safe()
    try:
        return run(argparse.Namespace(theme=None, files=[]))
    except NoQtError as error:
        process.print_error(f"pe-explorer: {error}")
        return process.EXIT_BAD_INPUT


def run(options: argparse.Namespace) -> int:
    """Open the window with the given files, and return the exit code when the window closes."""
    process.discard_closed_output()
    require_qt(window=True)
    content: tuple[Any, ...] = ()
    if options.files:
        from pe_explorer import configs, tables
        from pe_explorer.files import opening, session

        try:
            path, *compared = map(configs.find_config_path, options.files)
            digest, opened = session.digest(path), opening.read(path)
            models = {name: opening.read_compared_model(name) for name in compared}
            content = path, opened, digest, models
        except (configs.ConfigError, session.SessionError, tables.TableError) as error:
            problem = error.problem if isinstance(error, session.SessionError) else error
            process.print_error(f"pe-explorer: {problem}")
            return process.EXIT_BAD_INPUT
    from pe_explorer.app.run import run_window

    return run_window(options.theme, *content)
