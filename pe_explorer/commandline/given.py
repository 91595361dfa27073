"""What was given to a command: values of flags, made into what they stand for."""

from __future__ import annotations

import argparse
from typing import Any, TypeVar

from pe_explorer import encodings, flags
from pe_explorer.analysis.comparison import Subject
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import first_rows
from pe_explorer.flags import ENCODING
from pe_explorer.params import Declared, ParameterError, declared

__all__ = ["encoding_of", "known_by_flag", "made_of", "options_of", "positions_of", "value_of"]

Made = TypeVar("Made", bound=Declared)


def value_of(options: argparse.Namespace, name: str) -> Any:
    """Return the value of the flag of a name."""
    return getattr(options, flags.flag(name))


def made_of(cls: type[Made], options: argparse.Namespace) -> Made:
    """Return a declared value of the flags of its fields."""
    return cls(**{name: value_of(options, name) for name in declared(cls)})


def options_of(cls: type[Made], options: argparse.Namespace, owner: str) -> Made:
    """Return a declared value from the options that its fields became."""
    own = {option.field: option for option in options.options if option.owner == owner}
    try:
        return cls(**{field: value_of(options, option.name) for field, option in own.items()})
    except ParameterError as error:  # of fields that do not go together: named as it was typed
        name = own[error.name].name if error.name in own else error.name
        raise ParameterError(name, error.problem) from None


def encoding_of(options: argparse.Namespace) -> Encoding:
    """Return the encoding; no file is opened."""
    return options_of(encodings.find(options.encoding), options, ENCODING)


def known_by_flag(e: Encoding | Unknown) -> Encoding:
    """Return an encoding that can be computed, or raise an error of the flag that is at fault."""
    by_file = isinstance(e, Unknown) and e.locate
    return encodings.require_known(e, by_file or "encoding")


def positions_of(options: argparse.Namespace, what: Encoding | Subject) -> range:
    """Return the positions asked for, or else those of a first look that have rows.

    Raises
    ------
    ParameterError
        Where they would have to be rows of padding, which are only shown to who asks for them.
    """
    asked: range | None = options.positions
    if asked is not None:
        return asked
    for name, e in _by_flag(what):
        if e.shortage:
            raise ParameterError(name, e.shortage)
    return first_rows(options.found.state.positions, what.domain)


def _by_flag(what: Encoding | Subject) -> list[tuple[str, Encoding]]:
    """Return the encodings that are looked at, and the flags that say where their rows begin."""
    if isinstance(what, Encoding):
        return [("row_offset", what)]
    if what.less is not None:
        return [("row_offset", what.encoding), ("pin", what.less)]
    return [("pin" if what.show == "pinned" else "row_offset", what.encoding)]
