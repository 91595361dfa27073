"""The command `pe-explorer`: what its words ask for is run, and errors are a line and a code."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pe_explorer import flags
from pe_explorer.commandline import interrupts
from pe_explorer.commandline.parser import EXIT_BAD_INPUT
from pe_explorer.commandline.program import command_in, parser_of
from pe_explorer.commandline.qt import NoQtError
from pe_explorer.commandline.streams import drop_output, make_streams_safe, say
from pe_explorer.flags import parse_positions, words
from pe_explorer.flags.words import Word
from pe_explorer.params import ParameterError, reason

__all__ = ["main", "parse_positions"]

_EXIT_NO_QT = 1
_EXIT_BROKEN_PIPE = 141
_INTERRUPTED = "interrupted; nothing was written"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    make_streams_safe()
    given = words.split(sys.argv[1:] if argv is None else list(argv))
    command = command_in(given)
    if not command:  # the window sees to signals itself
        return _run("pe-explorer", command, given)
    name = f"pe-explorer {command}"
    with interrupts.ending_at_once(f"{name}: {_INTERRUPTED}"):
        return _run(name, command, given)


def _run(name: str, command: str, given: list[Word]) -> int:
    """Run what the words ask for; `name` begins what is said of its errors."""
    try:
        parser, given = parser_of(command, given)
        options = parser.parse_args(words.rejoined(given))
        for note in options.found.notes:
            say(f"{name}: {options.session}: {note}")
        code: int = options.run(options)
        return code
    except NoQtError as error:
        say(f"pe-explorer: {error}")
        return _EXIT_NO_QT
    except ParameterError as error:
        say(f"{name}: {flags.flag(error.name)}: {error.problem}")
        return EXIT_BAD_INPUT
    except BrokenPipeError:  # whoever read our output has had enough
        drop_output()
        return _EXIT_BROKEN_PIPE
    except OSError as error:
        if error.filename is None:  # what is written to a file is an `OutputError`
            drop_output()
            say(f"{name}: standard output: {reason(error)}")
        else:
            say(f"{name}: {error.filename}: {reason(error)}; choose another file")
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        interrupts.ignore()
        say(f"{name}: {_INTERRUPTED}")
        return interrupts.EXIT_INTERRUPTED
