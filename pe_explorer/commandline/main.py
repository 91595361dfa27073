"""The command `pe-explorer`: runs what was asked for; errors are one line and an exit code."""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from pe_explorer import __version__, flags
from pe_explorer.colours.themes import THEMES
from pe_explorer.commandline import interrupts, window
from pe_explorer.commandline.parser import Parser
from pe_explorer.commandline.qt import NoQtError, require_qt
from pe_explorer.commandline.streams import (
    EXIT_BAD_INPUT,
    drop_output,
    make_streams_safe,
    print_error,
)
from pe_explorer.commandline.window import EXIT_NO_QT
from pe_explorer.exploration import Exploration
from pe_explorer.files.session import Session
from pe_explorer.flags import parse_positions as parse_positions, shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import ParameterError, did_you_mean, quoted, reason, with_remedy

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
            source = f"{options.session}: " if options.session else ""
            print_error(f"{name}: {source}{note}")
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


# -- flags and commands ----------------------------------------------------------------------------


_FLAGS = ("-h", "--help", "--version", "--theme", "--self-test")

_USAGE = """pe-explorer [--theme NAME] [FILE...]
       pe-explorer --self-test
       pe-explorer COMMAND ..."""
_DESCRIPTION = (
    "Positional encodings of transformers, exact at any position. Without a command, the window "
    "opens. FILE is a session, or a figure, a picture or data that carry one; a model's "
    "config.json, or the folder of a model; or a table (.npy). Further models are compared with it."
)

_MODULES = {"list": "listing"}
"""The modules of commands, where they have another name: only the one that is run is imported."""


def command_in(typed: Sequence[Word]) -> str:
    """Return the command that the words begin with, an empty text for the window."""
    first = _first(typed)
    return first if first in flags.SUMMARIES else ""


def _first(typed: Sequence[Word]) -> str:
    """Return the first word that is neither a flag of the program nor its value."""
    for word in typed:
        if word.flag not in _FLAGS:
            return "" if word.flag else str(word.value)
    return ""


def parser_of(command: str, typed: list[Word]) -> tuple[Parser, list[Word]]:
    """Return the parser of a command, and the words as it reads them."""
    parser = Parser(prog="pe-explorer", usage=_USAGE, description=_DESCRIPTION)
    version = f"pe-explorer {__version__}"
    parser.add_argument("--version", action="version", version=version)
    parser.add_argument(
        "--theme",
        choices=tuple(THEMES),
        help="colours of the window (default: as last time)",
    )
    alone = parser.add_mutually_exclusive_group()
    alone.add_argument(
        "--self-test",
        action="store_const",
        const=_test,
        dest="run",
        help="test the program itself: its parts, each view, a file of each kind",
    )
    parser.set_defaults(run=window.run, opened=Session(Exploration()))
    asks_for_help = any(word.flag in ("-h", "--help") for word in typed)
    if not command and not asks_for_help:
        kind = _file if _first(typed) else str
        alone.add_argument("files", metavar="FILE", nargs="*", default=[], type=kind)
        return parser, typed
    commands = parser.add_subparsers(metavar="COMMAND", prog=parser.prog)
    subparsers = {}
    for name, summary in flags.SUMMARIES.items():
        subparsers[name] = commands.add_parser(name, help=summary)
    if command:  # adding the flags of every command would be slow
        module = import_module(f"pe_explorer.commandline.{_MODULES.get(command, command)}")
        typed = module.add(subparsers[command], typed)
    return parser, typed


def _file(text: str) -> str:
    """Return the name of a file that exists; another word may be a misspelled command."""
    if os.path.lexists(text):
        return text
    hint = did_you_mean(text, flags.SUMMARIES)
    problem = f"{quoted(text)} is neither a command nor a file here{hint}"
    raise argparse.ArgumentTypeError(with_remedy(problem, "see pe-explorer --help"))


def _test(_: argparse.Namespace) -> int:
    """Test the program, print a report, and return 0, or 1 where anything lacks.

    It needs no display: where there is none, the window is drawn off the screen.
    """
    displays = ("DISPLAY", "WAYLAND_DISPLAY")
    if sys.platform.startswith("linux") and not any(os.environ.get(name) for name in displays):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(end="", flush=True)  # an error where standard output is closed
    require_qt(window=True)
    try:
        from pe_explorer.app.run import run_self_test

        problems = run_self_test(_print_line)
    except ImportError as error:
        problems = [f"a part of the program is missing: {reason(error)}"]
    for problem in problems:
        print_error(f"pe-explorer --self-test: {problem}")
    if problems:
        return 1
    _print_line("self-test: passed")
    return 0


def _print_line(line: str) -> None:
    print(line, flush=True)
