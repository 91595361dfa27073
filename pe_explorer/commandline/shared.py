"""The flags of what is explored, and the values that flags start from and have.

They are read twice: other flags and their defaults depend on the source and the encoding, so a
parser that knows only these two reads them first.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pe_explorer import encodings, flags, params, pictures, quantities
from pe_explorer.analysis.comparison import Show, Subject
from pe_explorer.commandline.parser import Parser, joined, reader, typed_flags
from pe_explorer.commandline.process import load_config, print_error
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration import Exploration, first_rows
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.files.session import Session
from pe_explorer.flags import ENCODING, Option
from pe_explorer.params import (
    Choice,
    Declared,
    Flag,
    Parameter,
    ParameterError,
    Texts,
    Words,
    declared,
)

if TYPE_CHECKING:
    from pe_explorer.encodings import ReadConfiguration
    from pe_explorer.gallery.exhibits import Exhibit

Value = TypeVar("Value", bound=Declared)

_SOURCES = {
    "session FILE": "start from a saved session, or a figure, a picture or data that carry one; "
    "other flags change it",
    "exhibit NAME": "start from an exhibit of the gallery, as it is; pe-explorer list --exhibits "
    "has all",
    "config FILE": "start from a config.json, its folder, or - for standard input; other flags "
    "change it",
    "assume CLASS": "read a config.json of an unknown class as if it were CLASS, which must be "
    "llama",
    "override JSON": "fields of config.json to replace first, as vLLM's --hf-overrides does",
    "model NAME": "start from a published model; pe-explorer list --models has all",
    "layers TYPE": "the layer type of config.json or model, such as sliding_attention, if it has "
    "several",
}
_ALONE = {"session": "a session", "config": "a configuration", "model": "a model"}
"""The sources of which one may be given, in words; an exhibit refuses all of them."""
_NEEDED = {"layers": "--config FILE or --model NAME"}
_NEEDED |= dict.fromkeys(("assume", "override"), "--config FILE")
"""The sources of which a flag needs one."""
_FIXED = {*flags.SUBJECT, *flags.PANES, "pin", *flags.SHOWN_FIELDS, *quantities.options()}
_FIXED |= declared(flags.ExportRequest).keys() - {"what", "curves", "dtype", "carry"}
"""Names of the flags that an exhibit fixes, in addition to the options of encodings and views."""


class Start(NamedTuple):
    """The values that flags start from: a session, with the encoding and the pins given."""

    opened: Session
    positions: range | None = None
    """Those of the session or the exhibit given; None for those where the encoding begins."""
    exhibit: Exhibit | None = None
    active: str = ""
    """The view in the main pane of the exhibit, or the active one of the session."""

    @property
    def encoding(self) -> Encoding:
        """The encoding whose parameters are flags."""
        return encodings.require_known(self.opened.state.encoding)


def start_from(parser: Parser, words: Sequence[str], *, several: bool = False) -> Start:
    """Return the values that a command starts from; raises `ParameterError` if there are none.

    With `several`, a configuration whose layer types have encodings of their own gives all of
    them, one as the current encoding and the others as pins.
    """
    first = Parser(prog=parser.prog, add_help=False, parents=[sources()])
    add_pins(first)
    given, _ = first.parse_known_args(joined(words))
    if given.exhibit is not None:
        from pe_explorer.gallery.exhibits import find  # the gallery takes a while to load

        exhibit = find(given.exhibit)
        state = exhibit.exploration
        return Start(Session(state), state.positions, exhibit, exhibit.main)
    _check_sources(given)
    start = Start(Session(Exploration()))
    if given.config is not None or given.model is not None:
        start = _start_from_config(given, several)
    if given.session is not None:
        opened = session.read(given.session)
        panes = opened.state.panes
        active = panes.active if panes else pictures.names()[0]
        start = Start(opened, opened.state.positions, active=active)
    if given.encoding in encodings.names():
        start = _with_encoding(start, given.encoding)
    try:
        encodings.require_known(start.opened.state.encoding)
    except ParameterError as error:
        raise ParameterError("session", f"{given.session}: {error.problem}") from None
    if given.pin:
        state = start.opened.state.with_(pins=flags.parse_pins(given.pin))
        start = start._replace(opened=dataclasses.replace(start.opened, state=state))
    return start


def _check_sources(options: argparse.Namespace) -> None:
    sources = [name for name in _ALONE if getattr(options, name) is not None]
    if len(sources) > 1:
        problem = f"{_ALONE[sources[0]]} is given, too"
        raise ParameterError(sources[1], problem, "leave one of the two out")
    for name, needed in _NEEDED.items():
        if getattr(options, name) and not any(f"--{source}" in needed for source in sources):
            raise ParameterError(name, "it applies only to a configuration", f"pass {needed}, too")


def _start_from_config(options: argparse.Namespace, several: bool) -> Start:
    # Other commands start without this folder and the gallery.
    from pe_explorer import configs
    from pe_explorer.exploration.layer_types import pinned_layers

    if options.model is not None:
        from pe_explorer.gallery import models

        flag, name = "model", options.model
        source: Any = models.find(name).config
    else:
        flag = "config"
        try:
            source = load_config(options.config)
        except ParameterError as error:
            raise ParameterError(flag, f"{error.name}: {error.fault}", error.remedy) from None
        name = source.name
    if options.assume not in (None, configs.LLAMA):
        raise ParameterError("assume", params.not_one_of(options.assume, (configs.LLAMA,)))
    if options.override is not None:
        source = configs.Overridden(source, configs.override_from(options.override))
    try:
        found = encodings.read_config(source, assume=options.assume)
    except encodings.EncodingError as error:
        field = "" if error.name == configs.CONFIGURATION else f"{error.name}: "
        raise ParameterError(flag, f"{name}: {field}{error.fault}", error.remedy) from None
    chosen = _chosen_layers(flag, name, found, options.layers)
    if len(chosen) > 1 and not several:
        problem = f"{name} has several layer types: {_listed_names(chosen)}"
        raise ParameterError(flag, problem, "choose one with --layers")
    state = pinned_layers(chosen)
    if found.trained:
        state = pictures.with_options(state, "context", trained=found.trained)
    reported_kinds = (configs.UNKNOWN_CLASS, configs.LOST_FIELD)
    lines = (finding.line for finding in found.findings if finding.kind in reported_kinds)
    return Start(Session(state, notes=tuple(f"{name}: {line}" for line in lines)))


def _chosen_layers(
    flag: str, name: str, configuration: ReadConfiguration, layers: str | None
) -> Mapping[str, Encoding]:
    from pe_explorer.configs import WITHOUT

    if not configuration.encodings:
        raise ParameterError(flag, f"{name}: {configuration.unavailable_reason()}")
    types = [layer for layer in configuration.layers if layer != WITHOUT]
    if layers and layers not in (*types, *configuration.encodings):
        problem = f"{params.quoted(layers)} is not one of {_listed_names(types)}"
        raise ParameterError("layers", f"{problem}{params.did_you_mean(layers, types)}")
    if configuration.encodings.keys().isdisjoint(types):  # one for all of them
        return configuration.encodings
    wanted = [layers] if layers else types
    for layer in wanted:
        if layer not in configuration.encodings:
            remedy = f"choose {_listed_names(configuration.encodings)} with --layers"
            raise ParameterError(flag, f"{name}: {configuration.unavailable_reason(layer)}", remedy)
    return {layer: configuration.encodings[layer] for layer in wanted}


def _listed_names(layers: Iterable[str]) -> str:
    cut = (name if len(name) <= 60 else f"{name[:60]}…" for name in layers)
    return ", ".join(map(params.one_line, cut))


def _with_encoding(start: Start, name: str) -> Start:
    opened, positions = start.opened, start.positions
    old, new = opened.state.encoding, encodings.create(name)
    if name == old.name and not isinstance(old, Unknown):
        return start
    state = opened.state.with_(encoding=new)
    if not isinstance(old, Unknown) and old.rows != new.rows:
        first, positions = new.first_range, None
        state = state.with_(start=first.start, count=len(first))
    # problems with an encoding that is not used would only distract
    notes = tuple(note for note in opened.notes if not note.startswith("encoding."))
    opened = dataclasses.replace(opened, state=state, notes=notes)
    return start._replace(opened=opened, positions=positions)


def sources() -> Parser:
    """Return a parser of the sources and the encoding, a parent of those of commands."""
    parser = Parser(add_help=False)
    for flag, meaning in _SOURCES.items():
        name, metavar = flag.split()
        parser.add_argument(f"--{name}", metavar=metavar, help=meaning)
    names = encodings.names()
    meaning = f"one of {', '.join(names)} (default {names[0]})"
    parser.add_argument("--encoding", metavar="NAME", help=meaning)
    return parser


def add_subject(
    parser: Parser, words: Sequence[str], command: str, start: Start, picture: str = ""
) -> tuple[list[str], list[Option]]:
    """Add the flags of an encoding's parameters and of positions, beside those of `sources`.

    Return the words as parsed with all flags, and the options of the encoding and of the views
    that are `picture`.
    """
    e = start.encoding
    options = flags.options(command, type(e), picture)
    parser.epilog = (
        f"The flags above are those of {e.name}; for others: {parser.prog} --encoding NAME --help. "
        f"Encodings: {', '.join(encodings.names())}. {params.NUMBERS_HELP}"
    )
    fixed = {*map(flags.flag, _FIXED)}.union(*(option.flags for option in options))
    for flag in typed_flags(joined(words)) if start.exhibit else ():
        if flag in fixed:
            problem = f"an exhibit fixes all that it shows; leave {flag} out"
            raise ParameterError("exhibit", problem)
    parameters = [option for option in options if option.owner == ENCODING]
    for when, some in flags.by_choice(parameters).items():
        title = f"parameters of {e.name}{when and f', only with {when}'}"
        add_options(parser.add_argument_group(title), some, vars(e))
    notes = ""
    if e.rows != Encoding.rows:
        notes = f"; the rows of {e.display_name()} are {e.rows.plural}, {e.rows.symbol}"
    elif command == "export":
        by_offset = [name for name in quantities.names() if quantities.find(name).by_offset]
        notes = f"; for {' and '.join(by_offset)} they are offsets, key minus query"
    end = ", as far as the table has rows" if isinstance(e, Stored) else ""
    default = f"(default {flags.spelled_positions(e.first_range)}{end})"
    parser.add_argument(
        "--positions",
        metavar="RANGE",
        type=reader(flags.parse_positions),
        default=start.positions,
        help=f"{flags.POSITIONS_HELP}{notes} {default}",
    )
    words = joined(words, switches(options))
    typed = {*typed_flags(words)}
    parser.set_defaults(encoding=e.name, opened=start.opened, options=options, typed=typed)
    return words, options


def switches(options: Iterable[Option]) -> set[str]:
    """Return the flags that are on or off: those of options, and those of the style of a figure."""
    return {
        flags.flag(name)
        for option in (*options, *flags.options_of_fields(declared(Style)))
        if isinstance(option.parameter, Flag)
        for name in (option.name, *option.aliases)
    }


def add_pins(group: argparse._ActionsContainer) -> None:
    """Add the flag for pins; `start_from` reads it, as defaults of other flags depend on it."""
    meaning = f"{flags.PIN_HELP}, to compare with; for several, give it again"
    group.add_argument("--pin", metavar="TEXT", action="append", help=meaning)


class _AppendAction(argparse.Action):
    """Adds a value to those that the flag was given before; the first replaces the default."""

    def __call__(self, _: Any, options: Any, value: Any, __: str | None = None) -> None:
        before = getattr(options, self.dest)
        setattr(options, self.dest, (*(() if before is self.default else before), value))


def add_options(
    group: argparse._ArgumentGroup, options: Iterable[Option], values: Mapping[str, Any]
) -> None:
    """Add a flag for each option, with its default from `values` where they have it.

    The value is stored under the flag with its dashes, so it cannot clash with another name.
    """
    words = {Choice: "NAME", Words: "NAME", Flag: "on|off"}
    for option in options:
        first, *aliases = map(flags.flag, (option.name, *option.aliases))
        name, parameter = first.removeprefix("--"), option.parameter
        kind = params.inner_kind(parameter)
        is_repeated = isinstance(parameter, Texts) and not parameter.words
        value_kind = parameter.item if isinstance(parameter, Texts) and is_repeated else parameter
        group.add_argument(
            first,
            *aliases,
            dest=first,
            action="store" if value_kind is parameter else _AppendAction,
            metavar=words.get(type(kind)) or (kind.symbol or kind.kind.split(" ")[-1]).upper(),
            type=reader(partial(value_kind.parse, name)),
            default=values.get(option.field, parameter.default),
            help=_help(name, parameter).replace("%", "%%"),
        )


def _help(name: str, parameter: Parameter) -> str:
    if isinstance(parameter, Choice):
        choices = "; ".join(f"{choice}: {text}" for choice, text in parameter.choices.items())
        return f"{parameter.help} {choices} ({default_of(parameter)})"
    off = f": --{name} alone, or --no-{name}" if isinstance(parameter, Flag) else ""
    unit = f", in {parameter.unit}" if parameter.unit else ""
    return f"{parameter.help} ({parameter.limits}{off}{unit}, {default_of(parameter)})"


def default_of(parameter: Parameter) -> str:
    """Return the default of a parameter in words."""
    return f"default {parameter.format(parameter.default) or 'none'}"


def flag_value(options: argparse.Namespace, name: str) -> Any:
    """Return the value of the flag of a name."""
    return getattr(options, flags.flag(name))


def declared_value(cls: type[Value], options: argparse.Namespace) -> Value:
    """Return a declared value whose fields have flags of their own names."""
    return cls(**{name: flag_value(options, name) for name in declared(cls)})


def owned_value(cls: type[Value], options: argparse.Namespace, owner: str) -> Value:
    """Return the declared value of an encoding or a view from the options that it owns."""
    owned = [option for option in options.options if option.owner == owner]
    typed = [option.field for option in owned if not options.typed.isdisjoint(option.flags)]
    try:
        value = cls(**{option.field: flag_value(options, option.name) for option in owned})
        params.require_used(value, typed)
        return value
    except ParameterError as error:  # fields that do not go together
        names = {option.field: option.name for option in owned}
        flag = names.get(error.name, error.name).replace("_", "-")
        raise ParameterError(flag, error.problem) from None


def chosen_encoding(options: argparse.Namespace) -> Encoding:
    """Return the encoding; no file is opened."""
    return owned_value(encodings.find(options.encoding), options, ENCODING)


def require_computable(e: Encoding | Unknown) -> Encoding:
    """Return an encoding that can be computed, or raise an error that names the flag at fault."""
    file_flag = e.locate if isinstance(e, Unknown) else ""
    return encodings.require_known(e, file_flag or "encoding")


def print_file_notes(command: str, encodings_: Iterable[Encoding | Unknown]) -> None:
    """Print what is odd about the files that encodings read."""
    for e in encodings_:
        if isinstance(e, Stored) and e.file_table.note:
            print_error(f"pe-explorer {command}: {e.file_table.note}")


def chosen_positions(options: argparse.Namespace, subject: Subject) -> range:
    """Return the positions given, or else the first ones that have rows.

    Raises `ParameterError` for rows of padding, which are only used where they are asked for.
    """
    positions: range | None = options.positions
    if positions is not None:
        return positions
    first = "pin" if subject.show == Show.PINNED else "row_offset"
    for flag, e in zip((first, "pin"), subject.encodings, strict=False):
        if e.why_no_rows:
            raise ParameterError(flag, e.why_no_rows)
    return first_rows(options.opened.state.positions, subject.domain)


def umap_note(state: Exploration) -> str:
    """Return why a projection is by PCA though UMAP is chosen; else an empty text."""
    picture = pictures.find("projection")(state)
    problem = picture.unavailable_reason("method", picture.options.method)
    return f"{problem}; without it PCA of the same rows is shown" if problem else ""
