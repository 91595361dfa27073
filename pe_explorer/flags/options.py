"""The table of flags for parameters of encodings and options of views.

Flags of the commands take precedence, then parameters of the encoding, then options of views::

    --base              a parameter of the encoding
    --encoding-scale    a parameter whose name has another meaning in some command
    --heatmap-quantity  an option of a view

A command also accepts short names that are free in this command: ``--scale`` in `export`, and
``--quantity`` in `render heatmap`.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from pe_explorer import pictures
from pe_explorer.flags.commands import COMMAND_FLAGS, PLATE, RESERVED, WINDOW
from pe_explorer.params import Declared, Flag, Parameter, declared, listed

ENCODING = "encoding"
_REPEATED = {"panels": "panel"}  # names of flags that are repeated, once for each item of a list


class Option(NamedTuple):
    """A parameter of an encoding, or an option of a view, with its flags."""

    owner: str  # `ENCODING`, or the name of a view
    field: str
    parameter: Parameter
    name: str  # the flag without dashes
    aliases: tuple[str, ...] = ()  # other names that the command accepts

    @property
    def flags(self) -> tuple[str, ...]:
        """All flags of the option; generated commands use the first flag."""
        names = (self.name, *self.aliases)
        return tuple(flag(word) for name in names for word in _spellings(name, self.parameter))


def flag(name: str) -> str:
    """Return the flag for a name, such as ``--first-pair`` for ``first_pair``."""
    return f"--{_REPEATED.get(name, name).replace('_', '-')}"


def parameters(scheme: type[Declared], taken: Collection[str] = RESERVED) -> list[Option]:
    """Return the parameters of an encoding's class, renamed if their names are in `taken`."""
    return _free(ENCODING, scheme, set(taken))


def command_options(fields: Mapping[str, Parameter]) -> list[Option]:
    """Return the options for the flags of a command, named like the fields."""
    return [Option("", name, parameter, name) for name, parameter in fields.items()]


def options(command: str, scheme: type[Declared], command_view: str = "") -> list[Option]:
    """Return the options of an encoding's class and of views, with their flags in a command.

    `command_view` is a view, `WINDOW` or `PLATE` for the options of all views, or an empty string
    for no views.
    """
    taken = set(RESERVED)
    free = _free(ENCODING, scheme, taken)
    for view in pictures.names() if command_view else ():
        free += _free(view, pictures.find(view).Options, taken)
    taken = taken - RESERVED | set(COMMAND_FLAGS[command])
    result = []
    for option in free:
        is_short = option.owner in (ENCODING, command_view)
        former, prefix = _former_names(option), option.name.removesuffix(option.field)
        aliases = [f"{prefix}{name}" for name in former]
        for name in (option.field, *former) if is_short else ():
            spellings = set(_spellings(name, option.parameter))
            if taken.isdisjoint(spellings):
                taken |= spellings
                aliases.append(name)
        if is_short or command_view in (WINDOW, PLATE):
            result.append(option._replace(aliases=tuple(aliases)))
    return result


def _former_names(option: Option) -> list[str]:
    former = {} if option.owner == ENCODING else pictures.find(option.owner).Options.former
    return [old for old, new in former.items() if new == option.field]


def by_choice(options: Iterable[Option]) -> dict[str, list[Option]]:
    """Group options by the choice that enables them: ``--rope-type linear or ntk``, or ""."""
    groups: dict[str, list[Option]] = {"": []}
    for option in options:
        choice, *words = option.parameter.when or ("",)
        when = f"{flag(choice)} {listed(words, 'or')}" if words else ""
        groups.setdefault(when, []).append(option)
    return groups


def _free(owner: str, cls: type[Declared], taken: set[str]) -> list[Option]:
    """Return the fields of a class, with a prefix if a name is taken, and add the names to `taken`.

    All fields with free names get these names before other fields get a prefix.
    """
    parameters = declared(cls)
    before, prefix = ("", ENCODING) if owner == ENCODING else (f"{owner}_", "view")
    names = {field: f"{before}{field}" for field in parameters}
    waiting = list(names)
    while waiting:
        for field in tuple(waiting):
            spellings = _spellings(names[field], parameters[field])
            if taken.isdisjoint(spellings):
                taken.update(spellings)
                waiting.remove(field)
        names |= {field: f"{prefix}_{names[field]}" for field in waiting}
    return [Option(owner, field, parameters[field], name) for field, name in names.items()]


def _spellings(name: str, parameter: Parameter) -> Iterable[str]:
    return (name, f"no_{name}") if isinstance(parameter, Flag) else (name,)
