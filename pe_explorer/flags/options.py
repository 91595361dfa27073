"""The flags for parameters of encodings and options of views.

If names conflict, flags of commands have the highest priority, then parameters of the
encoding, then options of views. Names with a lower priority get a prefix::

    --base              a parameter of the encoding
    --encoding-scale    a parameter whose name has another meaning in some command
    --heatmap-quantity  an option of a view

A command also accepts names without a prefix if they are unambiguous in the command:
``--scale`` in `export`, and ``--quantity`` in `render heatmap`.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from pe_explorer import pictures
from pe_explorer.flags.commands import COMMAND_FLAGS, PLATE, RESERVED_NAMES, WINDOW
from pe_explorer.params import Declared, Flag, Parameter, declared, join_words

ENCODING = "encoding"
_REPEATED_FLAGS = {"panels": "panel"}  # flags given once for each item of a list, by field name


class Option(NamedTuple):
    """A parameter of an encoding, or an option of a view, with its flags."""

    owner: str  # `ENCODING`, or the name of a view
    field: str
    parameter: Parameter
    name: str  # name of the first flag, with underscores instead of hyphens
    aliases: tuple[str, ...] = ()  # other names that the command accepts

    @property
    def flags(self) -> tuple[str, ...]:
        """All flags of the option; generated commands use the first flag."""
        names = (self.name, *self.aliases)
        return tuple(flag(word) for name in names for word in _list_spellings(name, self.parameter))


def flag(name: str) -> str:
    """Return the flag for a name, such as ``--first-pair`` for ``first_pair``."""
    return f"--{_REPEATED_FLAGS.get(name, name).replace('_', '-')}"


def parameters(scheme: type[Declared], taken_names: Iterable[str] = RESERVED_NAMES) -> list[Option]:
    """Return parameters of an encoding class as options; those in `taken_names` get a prefix."""
    return _make_named_options(ENCODING, scheme, set(taken_names))


def make_command_options(fields: Mapping[str, Parameter]) -> list[Option]:
    """Return the fields of a command as options without prefixes."""
    return [Option("", name, parameter, name) for name, parameter in fields.items()]


def options(command: str, scheme: type[Declared], command_view: str = "") -> list[Option]:
    """Return the options of an encoding class and of views, with their flags in a command.

    `command_view` is the view to draw. `WINDOW` and `PLATE` include the options of all
    views, and an empty string includes no options of views.
    """
    taken_names = set(RESERVED_NAMES)
    all_options = _make_named_options(ENCODING, scheme, taken_names)
    for view in pictures.names() if command_view else ():
        all_options += _make_named_options(view, pictures.find(view).Options, taken_names)
    taken_names = taken_names - RESERVED_NAMES | set(COMMAND_FLAGS[command])
    result = []
    for option in all_options:
        has_short_name = option.owner in (ENCODING, command_view)
        renamed_fields = (
            {} if option.owner == ENCODING else pictures.find(option.owner).Options.former_names
        )
        former_names = [old for old, new in renamed_fields.items() if new == option.field]
        prefix = option.name.removesuffix(option.field)
        aliases = [f"{prefix}{name}" for name in former_names]
        for name in (option.field, *former_names) if has_short_name else ():
            spellings = set(_list_spellings(name, option.parameter))
            if taken_names.isdisjoint(spellings):
                taken_names |= spellings
                aliases.append(name)
        if has_short_name or command_view in (WINDOW, PLATE):
            result.append(option._replace(aliases=tuple(aliases)))
    return result


def group_by_choice(options: Iterable[Option]) -> dict[str, list[Option]]:
    """Group options by the choice that enables them, or by "" if always enabled."""
    groups: dict[str, list[Option]] = {"": []}
    for option in options:
        flag_name, *words = option.parameter.when or ("",)
        choice = f"{flag(flag_name)} {join_words(words, 'or')}" if words else ""
        groups.setdefault(choice, []).append(option)
    return groups


def _make_named_options(owner: str, cls: type[Declared], taken_names: set[str]) -> list[Option]:
    """Return the fields of a class as options, and add their names to `taken_names`.

    A field whose name is taken gets a prefix. Fields with free names are processed first, so
    that no prefixed name can equal one of their names.
    """
    parameters = declared(cls)
    owner_prefix, prefix = ("", ENCODING) if owner == ENCODING else (f"{owner}_", "view")
    names = {field: f"{owner_prefix}{field}" for field in parameters}
    unnamed_fields = list(names)
    while unnamed_fields:
        for field in tuple(unnamed_fields):
            spellings = _list_spellings(names[field], parameters[field])
            if taken_names.isdisjoint(spellings):
                taken_names.update(spellings)
                unnamed_fields.remove(field)
        names |= {field: f"{prefix}_{names[field]}" for field in unnamed_fields}
    return [Option(owner, field, parameters[field], name) for field, name in names.items()]


def _list_spellings(name: str, parameter: Parameter) -> Iterable[str]:
    return (name, f"no_{name}") if isinstance(parameter, Flag) else (name,)
