"""The command `pe-explorer`: runs what was asked for; errors are one line and an exit code."""

import sys
from collections.abc import Sequence

from pe_explorer import flags
from pe_explorer.commandline import interrupts
from pe_explorer.commandline.program import command_in, parser_of
from pe_explorer.commandline.qt import NoQtError
from pe_explorer.commandline.streams import (
    EXIT_BAD_INPUT,
    drop_output,
    make_streams_safe,
    print_error,
)
from pe_explorer.commandline.window import EXIT_NO_QT
from pe_explorer.flags import parse_positions, shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import ParameterError, reason

__all__ = ["main", "parse_positions"]

_EXIT_BROKEN_PIPE = 141
_INTERRUPTED = "interrupted; nothing was written"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    make_streams_safe()
    arguments = sys.argv[1:] if argv is None else argv
    typed = shell_words.split(arguments)
    command = command_in(typed)
    if not command:  # the window handles signals itself
        return _run("pe-explorer", command, typed)
    name = f"pe-explorer {command}"
    with interrupts.ending_at_once(f"{name}: {_INTERRUPTED}"):
        return _run(name, command, typed)


def _run(name: str, command: str, typed: list[Word]) -> int:
    """Run a command and return its exit code; errors begin with `name`."""
    try:
        parser, typed = parser_of(command, typed)
        options = parser.parse_args(shell_words.joined_words(typed))
        for note in options.opened.notes:
            print_error(f"{name}: {options.session}: {note}")
        code: int = options.run(options)
        return code
    except NoQtError as error:
        print_error(f"pe-explorer: {error}")
        return EXIT_NO_QT
    except ParameterError as error:
        flag = flags.flag(error.name)
        print_error(f"{name}: {flag}: {error.problem}")
        return EXIT_BAD_INPUT
    except BrokenPipeError:  # the reader of our output has ended
        drop_output()
        return _EXIT_BROKEN_PIPE
    except OSError as error:
        if error.filename is None:  # files raise `OutputError`
            drop_output()
            print_error(f"{name}: standard output: {reason(error)}")
        else:
            problem = f"{reason(error)}; choose another file"
            print_error(f"{name}: {error.filename}: {problem}")
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        interrupts.ignore()
        print_error(f"{name}: {_INTERRUPTED}")
        return interrupts.EXIT_INTERRUPTED
