"""The table of flags: the flag of each parameter of an encoding and each option of a view.

Flags of the commands win, then the encoding's parameters, then the options of views::

    --base              a parameter of the encoding
    --encoding-scale    one whose name means something else in some command
    --heatmap-quantity  an option of a view

Short names that are free in a command are read there, too: ``--scale`` in `export`, and
``--quantity`` in `render heatmap`.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from pe_explorer.flags.commands import COMMAND_FLAGS, PLATE, RESERVED, WINDOW
from pe_explorer.params import Declared, Flag, Parameter, declared, listed

ENCODING = "encoding"
_VIEW = "view"

Views = Mapping[str, type[Declared]]


class Option(NamedTuple):
    """A parameter of an encoding, or an option of a view, with its flags.

    Attributes
    ----------
    owner : str
        `ENCODING`, or the name of the view.
    field : str
        The name of its field there.
    parameter : Parameter
    name : str
        Its name among all options: the flag without dashes.
    aliases : tuple of str
        Other names that the command reads.
    """

    owner: str
    field: str
    parameter: Parameter
    name: str
    aliases: tuple[str, ...] = ()

    @property
    def switch(self) -> bool:
        """Whether it is on or off, and takes no value."""
        return isinstance(self.parameter, Flag)

    @property
    def flags(self) -> tuple[str, ...]:
        """All its flags; the first is used in commands that are written."""
        flags: list[str] = []
        for name in (self.name, *self.aliases):
            flags += [flag(spelling) for spelling in _spellings(name, self.parameter)]
        return tuple(flags)


def flag(name: str) -> str:
    """Return the flag of a name: ``--first-pair`` of ``first_pair``."""
    return f"--{name.replace('_', '-')}"


def parameters(scheme: type[Declared], taken: Collection[str] = RESERVED) -> list[Option]:
    """Return the parameters of an encoding's class, none of them with a name that is `taken`.

    Without these, they have the names that they have in all commands.
    """
    return _of_encoding(scheme, set(taken))


def options(
    command: str,
    scheme: type[Declared],
    views: Views | None = None,
    drawn: str = "",
) -> list[Option]:
    """Return the options that a command has besides its own, as it reads them.

    Parameters
    ----------
    command : str
    scheme : class of an encoding
    views : mapping of str to class, optional
        The options of each view, by its name.
    drawn : str
        The view whose picture is drawn, or `WINDOW` or `PLATE` for all of them; empty for none.
    """
    return _as_read(command, *_named(scheme, views or {}), drawn)


def options_of_each(command: str, scheme: type[Declared], views: Views) -> list[list[Option]]:
    """Return the options that a command has for each view, where that is the one drawn."""
    named, taken = _named(scheme, views)
    return [_as_read(command, named, taken, view) for view in views]


def _named(scheme: type[Declared], views: Views) -> tuple[list[Option], set[str]]:
    """Return the options of an encoding and of all views, and every name that is taken then."""
    taken = set(RESERVED)
    named = _of_encoding(scheme, taken)
    for view, cls in views.items():
        fields = {field: f"{view}_{field}" for field in declared(cls)}
        named += _allocated(view, cls, fields, _VIEW, taken)
    return named, taken


def _as_read(
    command: str, named: Iterable[Option], taken: Collection[str], drawn: str
) -> list[Option]:
    """Return those of the options that a command reads, with the short names that are free."""
    taken_here = set(taken) - RESERVED | set(COMMAND_FLAGS[command])
    is_all = drawn in (WINDOW, PLATE)
    with_aliases = []
    for option in named:
        short = option.owner in (ENCODING, drawn)
        if short or is_all:
            with_aliases.append(_with_alias(option, short=short, taken=taken_here))
    return with_aliases


def by_choice(options: Iterable[Option]) -> dict[str, list[Option]]:
    """Return options by the choice that they belong to: ``--rope-type linear, dynamic or ntk``.

    Those that belong to none come first, under an empty text.
    """
    found: dict[str, list[Option]] = {"": []}
    for option in options:
        found.setdefault(_choices_of(option.parameter), []).append(option)
    return found


def _choices_of(parameter: Parameter) -> str:
    """Return the flag and the choices that a parameter belongs to; empty for all."""
    if not parameter.when:
        return ""
    choice, *words = parameter.when
    return f"{flag(choice)} {listed(words, 'or')}"


def _of_encoding(scheme: type[Declared], taken: set[str]) -> list[Option]:
    fields = {field: field for field in declared(scheme)}
    return _allocated(ENCODING, scheme, fields, ENCODING, taken)


def _allocated(
    owner: str,
    cls: type[Declared],
    wanted: Mapping[str, str],
    prefix: str,
    taken: set[str],
) -> list[Option]:
    """Return the fields of a class under the wanted names, or with a prefix where these are taken.

    Fields whose name is free come first, so that no other gets it. The names are added to `taken`.
    """
    parameters = declared(cls)
    names = dict(wanted)
    waiting = []
    for field, name in wanted.items():
        spellings = _spellings(name, parameters[field])
        if taken.isdisjoint(spellings):
            taken.update(spellings)
        else:
            waiting.append(field)
    for field in waiting:
        name = names[field]
        while not taken.isdisjoint(_spellings(name, parameters[field])):
            name = f"{prefix}_{name}"
        names[field] = name
        taken.update(_spellings(name, parameters[field]))
    return [Option(owner, field, parameters[field], names[field]) for field in wanted]


def _with_alias(option: Option, *, short: bool, taken: set[str]) -> Option:
    """Return an option that may also be read by the name of its field, if that is free."""
    if not short or option.name == option.field:
        return option
    spellings = _spellings(option.field, option.parameter)
    if not taken.isdisjoint(spellings):
        return option
    taken.update(spellings)
    return option._replace(aliases=(option.field,))


def _spellings(name: str, parameter: Parameter) -> Iterable[str]:
    """Return the names that a parameter needs: two if it is on or off."""
    if isinstance(parameter, Flag):
        return (name, f"no_{name}")
    return (name,)
