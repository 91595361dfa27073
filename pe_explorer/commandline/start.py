"""What the flags of a command start from: a session, if one is typed, or a first look."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

from pe_explorer import encodings, flags
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.files.session import Session
from pe_explorer.flags import shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import ParameterError

__all__ = ["Start", "start_from"]


class Start(NamedTuple):
    """The values that flags start from.

    Attributes
    ----------
    opened : Session
        The session given, or a new one, with the encoding and the pins given.
    positions : range or None
        Those of the session given; None for those where the encoding begins.
    """

    opened: Session
    positions: range | None

    @property
    def encoding(self) -> Encoding:
        """The encoding whose parameters are flags."""
        return encodings.require_known(self.opened.state.encoding)


def start_from(typed: Sequence[Word]) -> Start:
    """Return the values that a command starts from.

    Raises
    ------
    ParameterError
        If the session cannot be read, or its encoding is not known here and no other is given.
    """
    start = Start(Session(Exploration()), None)
    paths = shell_words.values(typed, "--session")
    if paths:
        opened = session.read(paths[-1])
        start = Start(opened, opened.state.positions)
    names = shell_words.values(typed, "--encoding")
    if names and names[-1] in encodings.names():
        start = _with_encoding(start, names[-1])
    try:
        encodings.require_known(start.opened.state.encoding)
    except ParameterError as error:
        raise ParameterError("session", f"{paths[-1]}: {error.problem}") from None
    pins = flags.parse_pins(shell_words.values(typed, "--pin"))
    if not pins:
        return start
    state = start.opened.state.with_(pins=pins)
    return Start(dataclasses.replace(start.opened, state=state), start.positions)


def _with_encoding(start: Start, name: str) -> Start:
    """Return a start with another encoding, at its own positions if its rows mean others."""
    opened, positions = start.opened, start.positions
    old = opened.state.encoding
    if name == old.name and not isinstance(old, Unknown):
        return start
    new = encodings.create(name)
    fields: dict[str, Any] = {"encoding": new}
    if not isinstance(old, Unknown) and old.rows != new.rows:
        first = new.first_range
        fields |= {"start": first.start, "count": len(first)}
        positions = None
    # problems with an encoding that is not used would only distract
    notes = tuple(note for note in opened.notes if not note.startswith("encoding."))
    state = opened.state.with_(**fields)
    return Start(dataclasses.replace(opened, state=state, notes=notes), positions)
