"""Adds flags to a command's parser, from the table of flags and from declared fields."""

import argparse
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from pe_explorer import encodings, flags, quantities
from pe_explorer.commandline.parser import Parser, reader
from pe_explorer.commandline.start import Start, refuse_beside_exhibit
from pe_explorer.encodings import Encoding, Stored
from pe_explorer.flags import ENCODING, Option, parse_positions, shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import NUMBERS_HELP, Choice, Declared, Flag, Optional, Parameter


def add_encoding(
    parser: Parser,
    typed: list[Word],
    command: str,
    start: Start,
    options: list[Option],
) -> list[Word]:
    """Add the flags of the subject: session, encoding, its parameters, positions.

    `options` are those of the encoding and of views. Return the words as these flags read them.
    """
    e = start.encoding
    names = ", ".join(encodings.names())
    first = encodings.names()[0]
    others = f"for others: {parser.prog} --encoding NAME --help"
    parser.epilog = (
        f"The flags above are those of {e.name}; {others}. Encodings: {names}. {NUMBERS_HELP}"
    )
    _add_sources(parser)
    if start.exhibit:
        refuse_beside_exhibit(typed, (each for option in options for each in option.flags))
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        default=e.name,
        help=f"one of {names} (default {first})",
    )
    parameters = [option for option in options if option.owner == ENCODING]
    for when, some in flags.by_choice(parameters).items():
        title = f"parameters of {e.name}{when and f', only with {when}'}"
        add_options(parser.add_argument_group(title), some, e)
    parser.add_argument(
        "--positions",
        metavar="RANGE",
        type=reader(parse_positions),
        default=start.positions,
        help=_positions_help(command, e),
    )
    flags_typed = frozenset(word.flag for word in typed)
    parser.set_defaults(opened=start.opened, options=options, typed=flags_typed)
    return shell_words.resolve_switches(typed, switches(options))


def _add_sources(parser: Parser) -> None:
    """Add the flags of the sources, of which one at most may be given."""
    session = "a saved session, or a figure, a picture or data that carry one"
    parser.add_argument(
        "--session",
        metavar="FILE",
        help=f"start from {session}; other flags change it",
    )
    parser.add_argument(
        "--exhibit",
        metavar="NAME",
        help="start from an exhibit of the gallery, as it is; pe-explorer list --exhibits has all",
    )
    parser.add_argument(
        "--config",
        metavar="FILE",
        help="start from a config.json, its folder, or - for standard input; other flags change it",
    )
    parser.add_argument(
        "--assume",
        metavar="CLASS",
        help="read a config.json of an unknown class as if it were CLASS, which must be llama",
    )
    parser.add_argument(
        "--override",
        metavar="JSON",
        help="fields of config.json to replace first, as vLLM's --hf-overrides does",
    )
    parser.add_argument(
        "--model",
        metavar="NAME",
        help="start from a published model; pe-explorer list --models has all",
    )
    parser.add_argument(
        "--layers",
        metavar="TYPE",
        help="the layer type of config.json or model, such as sliding_attention, if it has several",
    )


def switches(options: Iterable[Option]) -> set[str]:
    """Return the flags that are on or off and need no value."""
    names: list[str] = []
    for option in options:
        if option.switch:
            names += [option.name, *option.aliases]
    return {flags.flag(name) for name in names}


def _positions_help(command: str, e: Encoding) -> str:
    """Return the help of positions, which for some encodings and quantities are offsets."""
    notes, rows = "", e.rows
    if rows != Encoding.rows:
        notes = f"; the rows of {e.called()} are {rows.plural}, {rows.symbol}"
    elif command == "export":
        by_offset = [name for name in quantities.names() if quantities.find(name).by_offset]
        notes = f"; for {' and '.join(by_offset)} they are offsets, key minus query"
    default = f"default {flags.spelled_positions(e.first_range)}"
    if isinstance(e, Stored):
        default += ", as far as the table has rows"
    return f"{flags.POSITIONS_HELP}{notes} ({default})"


def add_pins(group: argparse._ArgumentGroup) -> None:
    """Add the flag for pins; `start_from` reads it, as defaults of other flags depend on it."""
    group.add_argument(
        "--pin",
        metavar="TEXT",
        action="append",
        help=f"{flags.PIN_HELP}, to compare with; for several, give it again",
    )


def add_output(group: argparse._ArgumentGroup, meaning: str) -> None:
    """Add the flag for the file to write."""
    group.add_argument("-o", "--output", metavar="FILE", required=True, help=meaning)


def add_options(
    group: argparse._ArgumentGroup,
    options: Iterable[Option],
    values: Declared,
) -> None:
    """Add a flag for each option, with its default from `values`."""
    for option in options:
        spellings = (option.name, *option.aliases)
        names = [flags.flag(name) for name in spellings]
        _add_flag(group, names, option.parameter, getattr(values, option.field))


def add_fields(
    group: argparse._ArgumentGroup,
    fields: Mapping[str, Parameter],
    values: Mapping[str, Any] | None = None,
) -> None:
    """Add a flag for each field, with its default from `values` where they have it."""
    for name, parameter in fields.items():
        default = (values or {}).get(name, parameter.default)
        _add_flag(group, [flags.flag(name)], parameter, default)


def _add_flag(
    group: argparse._ArgumentGroup,
    names: list[str],
    parameter: Parameter,
    default: Any,
) -> None:
    """Add a flag; its value is stored under its first name, dashes included."""
    first = names[0]
    parse = partial(parameter.parse, first.removeprefix("--"))
    group.add_argument(
        *names,
        dest=first,
        metavar=_metavar(parameter),
        type=reader(parse),
        default=default,
        help=_help(parameter, first).replace("%", "%%"),
    )


def _metavar(parameter: Parameter) -> str:
    if isinstance(parameter, Optional):
        return _metavar(parameter.inner)
    if isinstance(parameter, Flag):
        return "on|off"
    if isinstance(parameter, Choice):
        return "NAME"
    _, _, last_word = parameter.kind.rpartition(" ")
    return (parameter.symbol or last_word).upper()


def default_of(parameter: Parameter) -> str:
    """Return the default of a parameter in words."""
    return f"default {parameter.format(parameter.default) or 'none'}"


def _help(parameter: Parameter, name: str) -> str:
    """Return a flag's help: its meaning, unit, limits or choices, default."""
    default = default_of(parameter)
    if isinstance(parameter, Choice):
        meanings = [f"{choice}: {meaning}" for choice, meaning in parameter.choices.items()]
        choices = "; ".join(meanings)
        return f"{parameter.help} {choices} ({default})"
    limits = parameter.limits
    if isinstance(parameter, Flag):
        bare_name = name.removeprefix("--")
        limits = f"{limits}: {name} alone, or --no-{bare_name}"
    unit = f", in {parameter.unit}" if parameter.unit else ""
    return f"{parameter.help} ({limits}{unit}, {default})"
