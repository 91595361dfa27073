"""Flags that several commands share: the source, the encoding, positions and pins.

The command line is parsed twice, because other flags and their defaults depend on the source and
the encoding.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pe_explorer import encodings, flags, params, pictures, quantities
from pe_explorer.analysis.comparison import ShowOption, Subject
from pe_explorer.commandline.parser import (
    Parser,
    format_default,
    join_values,
    make_argument_type,
    typed_flags,
)
from pe_explorer.commandline.process import load_config, print_error
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration import Exploration, find_first_rows
from pe_explorer.figures.style import Style
from pe_explorer.files import session
from pe_explorer.files.session import Session
from pe_explorer.flags import ENCODING, Option
from pe_explorer.params import Choice, Declared, Flag, Parameter, ParameterError, Texts, declared

if TYPE_CHECKING:
    from pe_explorer.encodings import EncodedConfiguration
    from pe_explorer.gallery.exhibits import Exhibit

Value = TypeVar("Value", bound=Declared)

_SOURCES = {
    "session FILE": "Start from a saved session, or from a figure, picture or data file that "
    "contains one. Other flags override its settings.",
    "exhibit NAME": "Show an exhibit of the gallery, unchanged. To list all exhibits, use "
    "pe-explorer list --exhibits.",
    "config FILE": "Start from a config.json, its folder, or - for standard input. Other flags "
    "override its values.",
    "assume CLASS": "If the class in config.json is unknown, read the file like CLASS. Only llama "
    "is supported.",
    "override JSON": "JSON object whose fields replace those of config.json, as in vLLM's "
    "--hf-overrides.",
    "model NAME": "Start from a published model. To list all models, use pe-explorer list "
    "--models.",
    "layers TYPE": "Layer type to select if the configuration or model has several types, such as "
    "sliding_attention.",
}
_EXCLUSIVE_SOURCES = ("session", "config", "model")
"""The sources that exclude each other; an exhibit excludes every other source."""
_REQUIRED_SOURCES = {"layers": "--config FILE or --model NAME"}
_REQUIRED_SOURCES |= dict.fromkeys(("assume", "override"), "--config FILE")
"""The flags that require a source, each with the flags that select that source."""
_EXHIBIT_FLAGS = {"pin", *flags.EXPLORATION_FLAGS, *flags.PANE_FLAGS, *flags.SHOWN_FIELDS}
_EXHIBIT_FLAGS |= quantities.options().keys()
_EXHIBIT_FLAGS |= declared(flags.ExportRequest).keys() - {"what", "curves", "dtype", "carry"}
"""Flags that cannot be combined with an exhibit, in addition to options of encodings and views."""


class Start(NamedTuple):
    """The session that provides the defaults of flags, with the typed encoding and pins."""

    opened: Session
    positions: range | None = None
    """The positions of the session or exhibit; None to use the encoding's initial range."""
    exhibit: Exhibit | None = None
    active: str = ""
    """The exhibit's main view or the session's active view; empty if there is neither."""

    @property
    def encoding(self) -> Encoding:
        """The encoding whose parameters are flags."""
        return encodings.require_known(self.opened.state.encoding)


def parse_start(parser: Parser, words: Sequence[str], *, can_have_pins: bool = False) -> Start:
    """Add the flags for sources, and return the session that provides defaults of other flags.

    A configuration can have several encodings, one for each layer type. If `can_have_pins` is
    true, the first encoding becomes the current encoding and the others become pins; if it
    is false, raise `ParameterError`. Also raise this error if a source cannot be read, or
    cannot be combined with another flag.
    """
    first_parser = Parser(prog=parser.prog, add_help=False)
    _add_sources(parser)
    _add_sources(first_parser)
    add_pins(first_parser)
    arguments, _ = first_parser.parse_known_args(join_values(words))
    if arguments.exhibit is not None:
        from pe_explorer.gallery.exhibits import find  # slow import

        exhibit = find(arguments.exhibit)
        state = exhibit.exploration
        return Start(Session(state), state.positions, exhibit, exhibit.main_view)
    sources = [name for name in _EXCLUSIVE_SOURCES if getattr(arguments, name) is not None]
    if len(sources) > 1:
        problem = f"cannot be combined with --{sources[0]}"
        raise ParameterError(sources[1], problem, "leave out one of these flags")
    for name, flags_text in _REQUIRED_SOURCES.items():
        if getattr(arguments, name) and not any(f"--{source}" in flags_text for source in sources):
            raise ParameterError(name, "applies only to a configuration", f"add {flags_text}")
    start = Start(Session(Exploration()))
    if arguments.config is not None or arguments.model is not None:
        start = _start_from_config(arguments, can_have_pins)
    if arguments.session is not None:
        opened = session.read(arguments.session)
        panes = opened.state.panes
        active = panes.active if panes else pictures.names()[0]
        start = Start(opened, opened.state.positions, active=active)
    if arguments.encoding in encodings.names():
        start = _select_encoding(start, arguments.encoding)
    try:
        encodings.require_known(start.opened.state.encoding)
    except ParameterError as error:
        problem = f"{arguments.session}: {error.fault}"
        raise ParameterError("session", problem, error.remedy) from None
    if arguments.pin:
        state = start.opened.state.with_(pins=flags.parse_pins(arguments.pin))
        start = start._replace(opened=dataclasses.replace(start.opened, state=state))
    return start


def _start_from_config(arguments: argparse.Namespace, can_have_pins: bool) -> Start:
    # Imported here because most commands need neither configurations nor the gallery.
    from pe_explorer import configs
    from pe_explorer.exploration.layer_types import pin_layers

    if arguments.model is not None:
        from pe_explorer.gallery import models

        flag, name = "model", arguments.model
        source: Any = models.find(name).config
    else:
        flag = "config"
        try:
            source = load_config(arguments.config)
        except ParameterError as error:
            raise ParameterError(flag, f"{error.name}: {error.fault}", error.remedy) from None
        name = source.name
    if arguments.assume not in (None, configs.LLAMA):
        problem = params.describe_bad_choice(arguments.assume, (configs.LLAMA,))
        raise ParameterError("assume", problem)
    if arguments.override is not None:
        source = configs.OverriddenConfig(source, configs.parse_override(arguments.override))
    try:
        configuration = encodings.read_config(source, assume=arguments.assume)
    except encodings.EncodingError as error:
        field = "" if error.name == configs.CONFIGURATION else f"{error.name}: "
        raise ParameterError(flag, f"{name}: {field}{error.fault}", error.remedy) from None
    layers = _select_layers(flag, name, configuration, arguments.layers)
    if len(layers) > 1 and not can_have_pins:
        problem = f"{name} has several layer types: {', '.join(_list_layer_names(layers))}"
        raise ParameterError(flag, problem, "choose one with --layers")
    state = pin_layers(layers)
    if configuration.trained:
        state = pictures.with_options(state, "context", trained=configuration.trained)
    notes = tuple(
        f"{name}: {finding.line}"
        for finding in configuration.findings
        if finding.kind in (configs.UNKNOWN_CLASS, configs.LOST_FIELD)
    )
    return Start(Session(state, notes=notes))


def _select_layers(
    flag: str, name: str, configuration: EncodedConfiguration, layers: str | None
) -> Mapping[str, Encoding]:
    from pe_explorer.configs import NO_POSITIONS

    if not configuration.encodings:
        raise ParameterError(flag, f"{name}: {configuration.unavailable_reason()}")
    types = [layer for layer in configuration.layers if layer != NO_POSITIONS]
    if layers and layers not in (*types, *configuration.encodings):
        problem = params.format_fault(params.join_words(_list_layer_names(types), "or"), layers)
        raise ParameterError("layers", f"{problem}{params.suggest_choice(layers, types)}")
    # If all layer types share one encoding, its key is not a layer type.
    if configuration.encodings.keys().isdisjoint(types):
        return configuration.encodings
    selected_types = [layers] if layers else types
    for layer in selected_types:
        if layer not in configuration.encodings:
            names_text = params.join_words(_list_layer_names(configuration.encodings), "or")
            problem = f"{name}: {configuration.unavailable_reason(layer)}"
            raise ParameterError(flag, problem, f"choose {names_text} with --layers")
    return {layer: configuration.encodings[layer] for layer in selected_types}


def _list_layer_names(layers: Iterable[str]) -> list[str]:
    from pe_explorer.configs import shorten

    return [params.to_one_line(shorten(name)) for name in layers]


def _select_encoding(start: Start, name: str) -> Start:
    opened, positions = start.opened, start.positions
    old_encoding, new_encoding = opened.state.encoding, encodings.create(name)
    if name == old_encoding.name and not isinstance(old_encoding, Unknown):
        return start
    state = opened.state.with_(encoding=new_encoding)
    if not isinstance(old_encoding, Unknown) and old_encoding.rows != new_encoding.rows:
        first_range, positions = new_encoding.first_range, None
        state = state.with_(start=first_range.start, count=len(first_range))
    # Drop notes about the replaced encoding.
    notes = tuple(note for note in opened.notes if not note.startswith("encoding."))
    opened = dataclasses.replace(opened, state=state, notes=notes)
    return start._replace(opened=opened, positions=positions)


def _add_sources(parser: Parser) -> None:
    """Add the flags for the source and the encoding."""
    for flag, meaning in _SOURCES.items():
        name, metavar = flag.split()
        parser.add_argument(f"--{name}", metavar=metavar, help=meaning)
    names = encodings.names()
    meaning = f"Encoding: {params.join_words(names, 'or')} (default: {names[0]})."
    parser.add_argument("--encoding", metavar="NAME", help=meaning)


def add_subject(
    parser: Parser, words: Sequence[str], command: str, start: Start, picture: str = ""
) -> tuple[list[str], list[Option]]:
    """Add the flags for positions and for the parameters of the encoding.

    Return the normalised arguments, and the options of the encoding and of the view
    `picture`.
    """
    e = start.encoding
    options = flags.options(command, type(e), picture)
    parser.epilog = (
        f"The flags above include the parameters of {e.name}. For the parameters of another "
        f"encoding, use {parser.prog} --encoding NAME --help. {params.NUMBERS_HELP}"
    )
    exhibit_flags = {*map(flags.flag, _EXHIBIT_FLAGS)}.union(*(option.flags for option in options))
    for flag in typed_flags(join_values(words)) if start.exhibit else ():
        if flag in exhibit_flags:
            problem = f"cannot be combined with {flag}, because an exhibit is shown unchanged"
            raise ParameterError("exhibit", problem, f"leave {flag} out")
    parameters = [option for option in options if option.owner == ENCODING]
    for choice, group in flags.group_by_choice(parameters).items():
        title = f"parameters of {e.name}{choice and f', only with {choice}'}"
        add_options(parser.add_argument_group(title), group, vars(e))
    note = ""
    if e.rows != Encoding.rows:
        note = f"The rows of {e.format_name()} are {e.rows.plural}, {e.rows.symbol}. "
    elif command == "export":
        names = [name for name in quantities.names() if quantities.find(name).has_offsets]
        note = f"For {params.join_words(names)}, they are offsets (key minus query). "
    end = " within the table" if isinstance(e, Stored) else ""
    default = f"(default: {flags.format_positions(e.first_range)}{end})"
    parser.add_argument(
        "--positions",
        metavar="RANGE",
        type=make_argument_type(flags.parse_positions),
        default=start.positions,
        help=f"Positions: {flags.POSITIONS_HELP}. {note}{default}",
    )
    words = join_values(words, list_switches(options))
    parser.set_defaults(encoding=e.name, opened=start.opened, options=options)
    parser.set_defaults(typed_flags={*typed_flags(words)})
    return words, options


def list_switches(options: Iterable[Option]) -> set[str]:
    """Return the on/off flags for `options` and for the settings of a figure's style."""
    return {
        flags.flag(name)
        for option in (*options, *flags.make_command_options(declared(Style)))
        if isinstance(option.parameter, Flag)
        for name in (option.name, *option.aliases)
    }


def add_pins(group: argparse._ActionsContainer) -> None:
    """Add the flag for pins; `parse_start` parses it first, as defaults of flags depend on it."""
    meaning = f"Pin to compare with: {flags.PIN_HELP}. Repeat the flag for several pins."
    group.add_argument("--pin", metavar="TEXT", action="append", help=meaning)


class _AppendAction(argparse.Action):
    """An action that collects the values of a repeated flag and discards the default."""

    def __call__(self, _: Any, options: Any, value: Any, __: str | None = None) -> None:
        values = getattr(options, self.dest)
        setattr(options, self.dest, (*(() if values is self.default else values), value))


def add_options(
    group: argparse._ArgumentGroup, options: Iterable[Option], values: Mapping[str, Any]
) -> None:
    """Add a flag for each option, with default values from `values` if present.

    Each parsed attribute is named after its flag, including the dashes, to avoid name clashes.
    """
    metavars = {Choice: "NAME", params.MultiChoice: "NAME", Flag: "on|off"}
    for option in options:
        flag, *aliases = map(flags.flag, (option.name, *option.aliases))
        name, parameter = flag.removeprefix("--"), option.parameter
        kind = params.find_inner_kind(parameter)
        is_repeated = isinstance(parameter, Texts) and not parameter.words
        item = parameter.item if isinstance(parameter, Texts) and is_repeated else parameter
        group.add_argument(
            flag,
            *aliases,
            dest=flag,
            action="store" if item is parameter else _AppendAction,
            metavar=metavars.get(type(kind)) or (kind.symbol or kind.kind.split(" ")[-1]).upper(),
            type=make_argument_type(partial(item.parse, name)),
            default=values.get(option.field, parameter.default),
            help=_format_help(name, parameter),
        )


def _format_help(name: str, parameter: Parameter) -> str:
    limits = f"--{name} or --no-{name}" if isinstance(parameter, Flag) else parameter.limits
    unit = f", in {parameter.unit}" if parameter.unit else ""
    text = f"{parameter.help} ({limits}{unit}; {format_default(parameter)})"
    if isinstance(parameter, Choice):
        choices = "; ".join(f"{choice}: {meaning}" for choice, meaning in parameter.choices.items())
        text = f"{parameter.help} {choices} ({format_default(parameter)})"
    return text.replace("%", "%%")


def read_flag(options: argparse.Namespace, name: str) -> Any:
    """Return the parsed value of the flag for an option or field."""
    return getattr(options, flags.flag(name))


def create_from_flags(cls: type[Value], options: argparse.Namespace) -> Value:
    """Create an instance of `cls` from the flags that are named after its fields."""
    return cls(**{name: read_flag(options, name) for name in declared(cls)})


def create_for_owner(cls: type[Value], options: argparse.Namespace, owner: str) -> Value:
    """Create an encoding or the options of a view from the flags that belong to `owner`."""
    owned_options = [option for option in options.options if option.owner == owner]
    typed_options = [o for o in owned_options if not options.typed_flags.isdisjoint(o.flags)]
    try:
        value = cls(**{option.field: read_flag(options, option.name) for option in owned_options})
        params.require_used_fields(value, [option.field for option in typed_options])
        return value
    except ParameterError as error:  # the values of several fields are incompatible
        names = {option.field: option.name for option in owned_options}
        flag = names.get(error.name, error.name).replace("_", "-")
        raise ParameterError(flag, error.fault, error.remedy) from None


def read_encoding(options: argparse.Namespace) -> Encoding:
    """Return the encoding that the flags describe, without opening its file."""
    return create_for_owner(encodings.find(options.encoding), options, ENCODING)


def require_computable(e: Encoding | Unknown) -> Encoding:
    """Return `e` if it can be computed; otherwise raise an error that names the flag to change."""
    file_flag = e.missing_file_parameter if isinstance(e, Unknown) else ""
    return encodings.require_known(e, file_flag or "encoding")


def print_file_notes(command: str, file_encodings: Iterable[Encoding | Unknown]) -> None:
    """Print notes about the files of stored encodings."""
    for e in file_encodings:
        if isinstance(e, Stored) and e.file_table.note:
            print_error(f"pe-explorer {command}: {e.file_table.note}")


def read_positions(options: argparse.Namespace, subject: Subject) -> range:
    """Return the typed positions; by default, return the first positions that have rows.

    Raise `ParameterError` if no positions were typed and all rows of a table are padding.
    """
    if options.positions is not None:
        return options.positions
    first_flag = "pin" if subject.show == ShowOption.PINNED else "row_offset"
    for flag, e in zip((first_flag, "pin"), subject.encodings, strict=False):
        if e.no_rows_reason:
            raise ParameterError(flag, e.no_rows_reason)
    return find_first_rows(options.opened.state.positions, subject.domain)


def make_umap_note(state: Exploration) -> str:
    """Return a note if UMAP is unavailable and PCA replaces it, or an empty string otherwise."""
    picture = pictures.find("projection")(state)
    problem = picture.unavailable_reason("method", picture.options.method)
    return params.with_remedy(problem, "using PCA of the same rows instead") if problem else ""
