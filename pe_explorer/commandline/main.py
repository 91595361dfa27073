"""The command `pe-explorer`, which reports each error on one line and returns an exit code."""

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from types import ModuleType

from pe_explorer import __version__, params
from pe_explorer.colours.themes import THEMES
from pe_explorer.commandline import process, window
from pe_explorer.commandline.parser import Parser, is_flag, join_values
from pe_explorer.commandline.process import EXIT_BAD_INPUT, NoQtError, print_error, require_qt
from pe_explorer.params import ParameterError, reason, suggest_choice, with_remedy

# Commands import their modules only when they run, because NumPy alone takes longer to import than
# everything that --help needs.
SUMMARIES = {
    "list": "List the encodings, the exhibits or published models.",
    "export": "Write a table, distances or other numbers to a file.",
    "code": "Print code that computes the table, or a matplotlib script that draws a figure.",
    "render": "Save a picture of a view or of the window as PNG, PDF or SVG, without a display.",
    "check": "Explain a model's config.json and report misleading fields.",
}
_EXIT_BROKEN_PIPE = 141
_INTERRUPTED_MESSAGE = "interrupted; nothing was written"
_USAGE = """pe-explorer [--theme NAME] [FILE...]
       pe-explorer --self-test
       pe-explorer COMMAND ..."""
_DESCRIPTION = (
    "Explore positional encodings of transformers, with exact values at any position. Without a "
    "command, a window opens. FILE is a session, or a figure, picture or data file that contains "
    "one; a model's config.json, or the folder of a model; or a table (.npy). Models after the "
    "first are compared with it."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    process.make_streams_safe()
    words = sys.argv[1:] if argv is None else [*argv]
    command = find_command(words)
    if not command:  # the program opens the window, which handles signals itself
        return _run("pe-explorer", "", words)
    name = f"pe-explorer {command}"
    with process.end_on_signal(f"{name}: {_INTERRUPTED_MESSAGE}"):
        return _run(name, command, words)


def find_command(words: Sequence[str]) -> str:
    """Return the command in the arguments, or an empty string if there is none."""
    word = next((word for word in join_values(words) if not is_flag(word)), "")
    return word if word in SUMMARIES else ""


def import_command(command: str) -> ModuleType:
    """Import the module of a command, and return it."""
    return import_module(f"pe_explorer.commandline.{'listing' if command == 'list' else command}")


def _run(name: str, command: str, words: list[str]) -> int:
    try:
        parser, words = make_parser(command, words)
        options, unknown_words = parser.parse_known_args(words)
        if unknown_words:
            problem = _describe_unknown_word(name, command, options, unknown_words[0])
            print_error(f"{name}: {problem}")
            return EXIT_BAD_INPUT
        for note in options.opened.notes if "opened" in options else ():
            source = f"{options.session}: " if options.session else ""
            print_error(f"{name}: {source}{note}")
        code: int = options.run(options)
        return code
    except NoQtError as error:
        print_error(f"pe-explorer: {error}")
        return EXIT_BAD_INPUT
    except ParameterError as error:
        from pe_explorer import flags

        print_error(f"{name}: {flags.flag(error.name)}: {error.problem}")
        return EXIT_BAD_INPUT
    except BrokenPipeError:  # the program that reads the output has ended
        process.drop_output()
        return _EXIT_BROKEN_PIPE
    except OSError as error:
        if error.filename is None:  # writing to standard output failed
            process.drop_output()
            print_error(f"{name}: standard output: {reason(error)}")
        else:
            problem = f"{name}: {error.filename}: {reason(error)}"
            print_error(with_remedy(problem, "choose another file"))
        return EXIT_BAD_INPUT
    except KeyboardInterrupt:
        process.ignore_signals()
        print_error(f"{name}: {_INTERRUPTED_MESSAGE}")
        return process.EXIT_INTERRUPTED


def make_parser(command: str, words: list[str]) -> tuple[Parser, list[str]]:
    """Return the parser of a command, and the normalised arguments.

    If `command` is empty, the parser is that of the window.
    """
    parser = Parser(prog="pe-explorer", usage=_USAGE, description=_DESCRIPTION)
    version = "Print the version and exit."
    text = f"pe-explorer {__version__}"
    parser.add_argument("--version", action="version", version=text, help=version)
    themes = "Colour theme of the window (default: the last one used)."
    parser.add_argument("--theme", choices=tuple(THEMES), help=themes)
    group = parser.add_mutually_exclusive_group()
    test = (
        "Test that all modules load, every view can be drawn, and every file format can be written."
    )
    group.add_argument("--self-test", action="store_const", const=_run_test, dest="run", help=test)
    parser.set_defaults(run=window.run)
    if not command and not {"-h", "--help"} & {*words}:
        group.add_argument("files", metavar="FILE", nargs="*", default=[], type=_parse_file_path)
        return parser, join_values(words)
    subparsers = parser.add_subparsers(metavar="COMMAND", prog=parser.prog)
    for name, summary in SUMMARIES.items():
        # Import only the module of this command, because importing all of them is slow.
        if name != command:
            subparsers.add_parser(name, help=summary)
            continue
        words = import_command(name).add(subparsers.add_parser(name, help=summary), words)
    return parser, words


def _parse_file_path(text: str) -> str:
    """Return a path if its file exists; otherwise, raise `ArgumentTypeError`."""
    if os.path.lexists(text):
        return text
    hint = suggest_choice(text, SUMMARIES)
    problem = f"{params.quote_value(text)} is neither a command nor an existing file{hint}"
    raise argparse.ArgumentTypeError(with_remedy(problem, "see pe-explorer --help"))


def _describe_unknown_word(name: str, command: str, options: argparse.Namespace, word: str) -> str:
    from pe_explorer import encodings, flags

    flag, _, _ = word.partition("=")
    place, remedy = flag if len(flag) <= 60 else f"{flag[:60]}…", f"see {name} --help"
    if not word.startswith("-"):
        return with_remedy(f"{place}: unexpected argument", remedy)
    known_flags = [flags.flag(field) for field in flags.COMMAND_FLAGS[command]]
    if "encoding" not in options:
        return with_remedy(f"{place}: no such flag{suggest_choice(flag, known_flags)}", remedy)
    owners = [
        encoding
        for encoding in encodings.names()
        if any(flag in option.flags for option in flags.parameters(encodings.find(encoding)))
    ]
    if owners:
        remedy = f"add --encoding {owners[0]}"
        if len(owners) > 1:
            remedy = "select one of these encodings with --encoding, or leave the flag out"
        verb = "has" if len(owners) == 1 else "have"
        problem = f"{options.encoding} has no such flag, but {params.join_words(owners)} {verb} it"
        return with_remedy(f"{place}: {problem}", remedy)
    known_flags += [option_flag for option in options.options for option_flag in option.flags]
    problem = f"{place}: no such flag{suggest_choice(flag, known_flags)}"
    return with_remedy(problem, f"see {name} --encoding {options.encoding} --help")


def _run_test(_: argparse.Namespace) -> int:
    has_display = any(map(os.environ.get, ("DISPLAY", "WAYLAND_DISPLAY")))
    if sys.platform.startswith("linux") and not has_display:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    # Raise an error if standard output is closed.
    print(end="")
    require_qt(window=True)
    try:
        from pe_explorer.app.run import run_self_test

        problems = run_self_test(partial(print, flush=True))
    except ImportError as error:
        problems = [f"a module of the program is missing: {reason(error)}"]
    for problem in problems:
        print_error(f"pe-explorer --self-test: {problem}")
    if not problems:
        print("self-test: passed", flush=True)
    return int(bool(problems))
