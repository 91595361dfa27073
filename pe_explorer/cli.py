"""The command `pe-explorer`: flags are built from the declarations of the encodings."""

from __future__ import annotations

import argparse
import dataclasses
import gc
import os
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NoReturn, TypeVar

from pe_explorer import __version__, encodings, interrupts
from pe_explorer.exploration import Exploration
from pe_explorer.files import command, export, session, snippet
from pe_explorer.files.command import parse_positions
from pe_explorer.files.session import Session, SessionError
from pe_explorer.params import Choice, Declared, Parameter, ParameterError, declared, did_you_mean, reason, shown
from pe_explorer.streams import drop_output, make_streams_safe, say

__all__ = ["main", "parse_positions"]

Made = TypeVar("Made", bound=Declared)

_EXIT_BAD_INPUT = 2
_EXIT_NO_QT = 1
_EXIT_BROKEN_PIPE = 141
_INTERRUPTED = "interrupted; nothing was written"

_SUMMARIES = {
    "list": "list the encodings and their parameters",
    "export": "write a table, distances or frequencies to a file",
    "code": "print code that makes the table",
    "render": "draw a view or the window into a PNG file, without a display",
}
"""The commands."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line: what, where, and the remedy."""

    def __init__(self, **options: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=_Help, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        options, rest = super().parse_known_args(args, namespace)
        if rest and not rest[0].startswith("-"):
            self.error(f"{rest[0]}: too much; see {self.prog} --help")
        if rest:  # said here, by the command that knows its flags, not by the parser above it
            flag = rest[0].partition("=")[0]
            flags = [name for action in self._actions for name in action.option_strings]
            owner = f" of {options.encoding}" if "encoding" in options else ""
            chosen = f" --encoding {options.encoding}" if owner else ""
            self.error(f"{flag}: no such flag{owner}{did_you_mean(flag, flags)}; see {self.prog}{chosen} --help")
        return options, rest

    def error(self, message: str) -> NoReturn:
        message = re.sub(r"^argument (?:-\w/)?(\S+?): ", r"\1: ", message)
        say(f"{self.prog}: {message}")
        self.exit(_EXIT_BAD_INPUT)


class _NoQtError(Exception):
    """Qt cannot start here; the text says why, and what to do."""


class _Help(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=30)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    make_streams_safe()
    arguments = command.join_values(sys.argv[1:] if argv is None else list(argv))
    word = _first_word(arguments)
    if word not in _SUMMARIES:  # the window sees to signals itself
        return _run("pe-explorer", arguments)
    name = f"pe-explorer {word}"
    with interrupts.ending_at_once(f"{name}: {_INTERRUPTED}"):
        return _run(name, arguments)


def _run(name: str, arguments: list[str]) -> int:
    """Run what the arguments ask for; `name` begins what is said of its errors."""
    try:
        options = _parser(arguments).parse_args(arguments)
        for note in options.found.notes:
            say(f"{name}: {options.session}: {note}")
        code: int = options.run(options)
        return code
    except _NoQtError as error:
        say(f"pe-explorer: {error}")
        return _EXIT_NO_QT
    except ParameterError as error:
        say(f"{name}: {command.flag(error.name)}: {error.problem}")
        return _EXIT_BAD_INPUT
    except BrokenPipeError:  # whoever read our output has had enough
        drop_output()
        return _EXIT_BROKEN_PIPE
    except OSError as error:
        if error.filename is None:  # what is written to a file is an `OutputError`
            drop_output()
            say(f"{name}: standard output: {reason(error)}")
        else:
            say(f"{name}: {error.filename}: {reason(error)}; choose another file")
        return _EXIT_BAD_INPUT
    except KeyboardInterrupt:
        interrupts.ignore()
        say(f"{name}: {_INTERRUPTED}")
        return interrupts.EXIT_INTERRUPTED


def _parser(arguments: list[str]) -> _Parser:
    parser = _Parser(
        prog="pe-explorer",
        usage="pe-explorer [--theme NAME] [FILE]\n       pe-explorer COMMAND ...",
        description="Positional encodings of transformers, exact at any position. Without a command, open the window: "
        "with FILE, if one is given, a session, a picture or exported data that carries one.",
    )
    parser.add_argument("--version", action="version", version=f"pe-explorer {__version__}")
    parser.add_argument("--theme", choices=tuple(command.THEMES), help="colours of the window (default: as last time)")
    parser.set_defaults(run=_window, command="window", file=None, found=Session(Exploration()))
    word = _first_word(arguments)
    if word not in _SUMMARIES and not {"-h", "--help"} & set(arguments):  # the window: flags of commands would only delay it
        parser.add_argument("file", metavar="FILE", nargs="?", type=str if word.startswith("-") else _file)
        return parser
    flags, places = command.split_words(arguments[arguments.index(word) + 1 :] if word else [])
    found = _initial(word, flags)
    parser.set_defaults(found=found)
    commands = parser.add_subparsers(metavar="COMMAND", prog=parser.prog)
    _command(commands, "list", _list)
    _add_export(_command(commands, "export", _export), found.state)
    _add_code(_command(commands, "code", _code), found.state)
    render = _command(commands, "render", _render)
    if word == "render":  # its flags are those of the views, which need Qt
        _add_render(render, found.state, places[0] if places else "")
    return parser


def _first_word(arguments: list[str]) -> str:
    """Return the first argument that is no flag of the program itself, nor its value: a command, a file, or a flag out of place."""
    words = iter(arguments)
    for word in words:
        if word == "--theme":
            next(words, None)
        elif word not in ("-h", "--help", "--version") and not word.startswith("--theme="):
            return word
    return ""


def _file(text: str) -> str:
    """Return the name of a file that is there; what is none may be meant as a command."""
    if os.path.lexists(text):
        return text
    raise argparse.ArgumentTypeError(f"{shown(text)} is neither a command nor a file here{did_you_mean(text, _SUMMARIES)}; see pe-explorer --help")


def _initial(word: str, flags: Mapping[str, list[str]]) -> Session:
    """Return what flags start from: a session, if one is given, with the encoding asked for."""
    name = flags.get("--encoding", [""])[-1]
    found = Session(Exploration())
    if "--session" in flags:  # views are drawn by one command only; the others do without Qt
        options = _view_options() if word == "render" else {}
        found = session.read(flags["--session"][-1], options)
    own = found.state.encoding
    if name in encodings.names() and (name != own.name or isinstance(own, encodings.Unknown)):
        notes = tuple(note for note in found.notes if not note.startswith("encoding."))  # of an encoding that is not used
        found = dataclasses.replace(found, state=found.state.with_(encoding=encodings.create(name)), notes=notes)
    try:
        encodings.known(found.state.encoding)
    except ParameterError as error:
        raise ParameterError("session", f"{flags['--session'][-1]}: {error.problem}") from None
    if pins := command.parse_pins(flags.get("--pin", [])):
        found = dataclasses.replace(found, state=found.state.with_(pins=pins))
    return found


def _view_options() -> Mapping[str, Declared]:
    _require_qt(window=False)
    from pe_explorer import views

    return views.default_options()


def _command(commands: Any, name: str, run: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=_SUMMARIES[name])
    parser.set_defaults(run=run, command=name)
    return parser


def _add_encoding(parser: argparse.ArgumentParser, initial: Exploration, taken: Collection[str] = ()) -> None:
    """Add the flags that say what to look at: an encoding, its parameters, positions.

    Parameters whose name is `taken` by another flag are spelled ``--encoding-NAME``.
    """
    names, e = ", ".join(encodings.names()), encodings.known(initial.encoding)
    parser.epilog = f"The flags above are those of {e.name}; for others: {parser.prog} --encoding NAME --help. Encodings: {names}."
    parser.add_argument(
        "--session", metavar="FILE", help="start from a saved session, or a picture or exported data that carry one; other flags change it"
    )
    parser.add_argument("--encoding", metavar="NAME", default=e.name, help=f"one of {names} (default {encodings.names()[0]})")
    _add_parameters(parser.add_argument_group(f"parameters of {e.name}"), type(e), command.renamed(taken), e.parameters)
    parser.add_argument(
        "--positions", metavar="RANGE", type=_reader(parse_positions), default=initial.positions, help=f"{command.POSITIONS_HELP} (default 0:50)"
    )


def _add_export(parser: argparse.ArgumentParser, initial: Exploration) -> None:
    parser.description = "Write what an encoding is to a file, exact at every position and of any length."
    _add_encoding(parser, initial)
    what = parser.add_argument_group("what to write")
    _add_parameters(what, export.Request, values=vars(initial))
    _add_pins(what)
    endings = " or ".join(export.SUFFIXES)
    what.add_argument("-o", "--output", metavar="FILE", required=True, help=f"file to write; its ending, {endings}, chooses the format")


def _add_code(parser: argparse.ArgumentParser, initial: Exploration) -> None:
    parser.description = "Print a short piece of code that makes the table, as an array named table."
    _add_encoding(parser, initial)
    names = ", ".join(snippet.LIBRARY_NAMES)
    parser.add_argument("--for", dest="library", metavar="NAME", default=snippet.LIBRARY_NAMES[0], help=f"one of {names} (default numpy)")


def _add_render(parser: argparse.ArgumentParser, initial: Exploration, view: str) -> None:
    _require_qt(window=False)
    from pe_explorer.app import render

    parser.description = "Draw a view or the whole window into a PNG file; no display is needed."
    parser.add_argument("view", metavar="VIEW", choices=render.names(), help=f"one of {', '.join(render.names())}")
    _add_encoding(parser, initial, declared(render.Print))
    what = parser.add_argument_group("what to show")
    _add_parameters(what, command.Shown, values=vars(initial))
    _add_pins(what)
    for prefix, options in render.options_of(view).items():
        name = prefix.removesuffix("_") or view
        saved = vars(initial.options[name]) if name in initial.options else {}
        _add_parameters(parser.add_argument_group(f"options of {name}"), options, command.prefixed(prefix), saved)
    picture = parser.add_argument_group("the picture")
    picture.add_argument(
        "--size", metavar="WxH", type=_reader(render.parse_size), default=command.SIZE, help="size in pixels before scaling (default 1600x900)"
    )
    _add_parameters(picture, render.Print)
    picture.add_argument("-o", "--output", metavar="FILE", required=True, help="file to write, ending in .png")


def _add_pins(group: argparse._ArgumentGroup) -> None:
    """Add the flag for encodings to compare with, which `_initial` has read: other flags' defaults depend on it."""
    group.add_argument("--pin", metavar="TEXT", action="append", help=f"{command.PIN_HELP}, to compare with; for several, give it again")


def _add_parameters(
    group: argparse._ArgumentGroup, cls: type[Declared], flag: Callable[[str], str] = str, values: Mapping[str, Any] = MappingProxyType({})
) -> None:
    """Add a flag for each declared field of a class; `flag` names it, `values` are what to start from."""
    for field, parameter in declared(cls).items():
        name = flag(field)
        group.add_argument(
            command.flag(name),
            metavar="NAME" if isinstance(parameter, Choice) else (parameter.symbol or "number").upper(),
            type=_reader(partial(parameter.parse, name)),
            default=values.get(field, parameter.default),
            help=_help(parameter).replace("%", "%%"),
        )


def _help(parameter: Parameter) -> str:
    """Return a flag's help: what it does, unit, limits or choices, default."""
    default = f"default {parameter.format(parameter.default)}"
    if isinstance(parameter, Choice):
        meanings = "; ".join(f"{name}: {meaning}" for name, meaning in parameter.choices.items())
        return f"{parameter.help} {meanings} ({default})"
    return f"{parameter.help} ({parameter.limits}{', in ' + parameter.unit if parameter.unit else ''}, {default})"


def _reader(parse: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return `parse` with its errors as argparse wants them."""

    def read(text: str) -> Any:
        try:
            return parse(text)
        except ParameterError as error:
            raise argparse.ArgumentTypeError(error.problem) from None

    return read


def _made(cls: type[Made], options: argparse.Namespace, flag: Callable[[str], str] = str) -> Made:
    """Return a declared value from the flags that its fields became."""
    try:
        return cls(**{name: getattr(options, flag(name)) for name in declared(cls)})
    except ParameterError as error:  # of fields that do not go together: named as it was typed
        raise ParameterError(flag(error.name), error.problem) from None


def _list(_: argparse.Namespace) -> int:
    for name in encodings.names():
        scheme = encodings.find(name)
        print(f"{name}: {scheme.summary()}")
        for key, parameter in declared(scheme).items():
            unit = f" {parameter.unit}" if parameter.unit else ""
            print(f"  {command.flag(key):<12} {parameter.limits}{unit} (default {parameter.format(parameter.default)})")
    sys.stdout.flush()
    return 0


def _export(options: argparse.Namespace) -> int:
    from tqdm import tqdm

    e, positions, request = _made(encodings.find(options.encoding), options), options.positions, _made(export.Request, options)
    data = request.data(e, positions, options.found.state.pins)
    state = options.found.state.with_(encoding=e, pins=options.found.state.pins, compared=request.compared)
    beside = command.beside(state, positions, request, options.output, options.found.extra)
    left = len(data.index)

    def show_progress(rows: int) -> None:
        nonlocal left
        bar.update(rows)
        left -= rows
        if not left:  # the files take their places, all of them or none
            interrupts.ignore()

    interrupts.raise_interrupt()
    with tqdm(total=left, unit=" rows", unit_scale=True, disable=None, leave=False) as bar:
        export.write(data, options.output, request.dtype, show_progress, beside=beside)
    return 0


def _code(options: argparse.Namespace) -> int:
    e = _made(encodings.find(options.encoding), options)
    print(snippet.snippet(e, options.positions, options.library), end="", flush=True)
    return 0


def _require_qt(*, window: bool) -> None:
    """Raise `_NoQtError` where Qt would abort the process, or is not installed."""
    from pe_explorer.app.startup import problem

    found = problem(window=window)
    if found:
        raise _NoQtError(found)
    try:
        import PySide6.QtWidgets  # noqa: F401
    except ImportError as error:
        raise _NoQtError(f"Qt cannot be loaded ({reason(error)}); install it: pip install PySide6-Essentials") from None


def _window(options: argparse.Namespace) -> int:
    _require_qt(window=True)
    gc.disable()  # the application collects between events; until it runs, nothing is lost but time
    try:
        stamp = session.stamp(options.file) if options.file else None
        found = session.read(options.file, _view_options()) if options.file else None
    except SessionError as error:
        say(f"pe-explorer: {error.problem}")
        return _EXIT_BAD_INPUT
    from pe_explorer.app.run import run_window

    return run_window(options.theme, options.file, found, stamp)


def _render(options: argparse.Namespace) -> int:
    from pe_explorer.app import render

    e = _made(encodings.find(options.encoding), options, command.renamed(declared(render.Print)))
    chosen = {prefix: _made(cls, options, command.prefixed(prefix)) for prefix, cls in render.options_of(options.view).items()}
    state = render.explored(options.view, e, options.positions, _made(command.Shown, options), chosen, options.found.state.pins)
    how, extra = _made(render.Print, options), options.found.extra
    render.run(options.view, state, options.size, how, options.output, extra, ready=interrupts.ignore)
    return 0
