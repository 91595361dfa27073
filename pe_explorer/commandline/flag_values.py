"""Values of the flags of a command, read from what argparse returned."""

import argparse
from collections.abc import Iterable
from typing import Any, TypeVar

from pe_explorer import encodings, flags
from pe_explorer.analysis.comparison import Subject
from pe_explorer.commandline.streams import print_error
from pe_explorer.encodings import Encoding, Stored, Unknown
from pe_explorer.exploration import first_rows
from pe_explorer.flags import ENCODING
from pe_explorer.params import Declared, ParameterError, declared, require_used

Value = TypeVar("Value", bound=Declared)


def flag_value(options: argparse.Namespace, name: str) -> Any:
    """Return the value of the flag of a name."""
    return getattr(options, flags.flag(name))


def declared_value(cls: type[Value], options: argparse.Namespace) -> Value:
    """Return a declared value whose fields have flags of their own names."""
    values = {name: flag_value(options, name) for name in declared(cls)}
    return cls(**values)


def owned_value(cls: type[Value], options: argparse.Namespace, owner: str) -> Value:
    """Return the declared value of an encoding or a view from the options that it owns."""
    owned = [option for option in options.options if option.owner == owner]
    names = {option.field: option.name for option in owned}
    values = {field: flag_value(options, name) for field, name in names.items()}
    typed = [option.field for option in owned if not options.typed.isdisjoint(option.flags)]
    try:
        value = cls(**values)
        require_used(value, typed)
        return value
    except ParameterError as error:  # fields that do not go together
        flag = names.get(error.name, error.name).replace("_", "-")
        raise ParameterError(flag, error.problem) from None


def chosen_encoding(options: argparse.Namespace) -> Encoding:
    """Return the encoding; no file is opened."""
    return owned_value(encodings.find(options.encoding), options, ENCODING)


def require_computable(e: Encoding | Unknown) -> Encoding:
    """Return an encoding that can be computed, or raise an error that names the flag at fault."""
    file_flag = e.locate if isinstance(e, Unknown) else ""
    return encodings.require_known(e, file_flag or "encoding")


def print_file_notes(command: str, found: Iterable[Encoding | Unknown]) -> None:
    """Print what is odd about the files that encodings read."""
    for e in found:
        if isinstance(e, Stored) and e.stored.note:
            print_error(f"pe-explorer {command}: {e.stored.note}")


def chosen_positions(options: argparse.Namespace, what: Encoding | Subject) -> range:
    """Return the positions given, or else the first ones that have rows.

    Raises
    ------
    ParameterError
        If these would be rows of padding, which are only used where they are asked for.
    """
    positions: range | None = options.positions
    if positions is not None:
        return positions
    for name, e in _encodings_by_flag(what):
        if e.shortage:
            raise ParameterError(name, e.shortage)
    return first_rows(options.opened.state.positions, what.domain)


def _encodings_by_flag(what: Encoding | Subject) -> list[tuple[str, Encoding]]:
    """Return the encodings used, each with the flag that decides where its rows begin."""
    if isinstance(what, Encoding):
        return [("row_offset", what)]
    if what.less is not None:
        return [("row_offset", what.encoding), ("pin", what.less)]
    return [("pin" if what.show == "pinned" else "row_offset", what.encoding)]
