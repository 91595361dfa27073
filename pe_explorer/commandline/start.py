"""What the flags of a command start from: a session, if one is given, or a first look."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pe_explorer import encodings, flags
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.files.session import Session
from pe_explorer.flags import words
from pe_explorer.flags.words import Word
from pe_explorer.params import Declared, ParameterError

__all__ = ["Start", "start_from"]


@dataclass(frozen=True)
class Start:
    """What flags start from.

    Attributes
    ----------
    found : Session
        As it was read, or a new one, with the encoding and the pins that are asked for.
    positions : range or None
        Those that a session asks for; None where a first look is due.
    """

    found: Session
    positions: range | None

    @property
    def encoding(self) -> Encoding:
        """The encoding whose parameters are flags."""
        return encodings.require_known(self.found.state.encoding)


def start_from(given: Sequence[Word], views: Mapping[str, Declared]) -> Start:
    """Return what the words of a command start from; `views` are the options of each view.

    Raises
    ------
    ParameterError
        If the session cannot be read, or its encoding is not known here and no other is given.
    """
    start = Start(Session(Exploration(options=views)), None)
    paths = words.values(given, "--session")
    if paths:
        found = session.read(paths[-1], views)
        start = Start(found, found.state.positions)
    names = words.values(given, "--encoding")
    if names and names[-1] in encodings.names():
        start = _with_encoding(start, names[-1])
    try:
        encodings.require_known(start.found.state.encoding)
    except ParameterError as error:
        raise ParameterError("session", f"{paths[-1]}: {error.problem}") from None
    if pins := flags.parse_pins(words.values(given, "--pin")):
        state = start.found.state.with_(pins=pins)
        start = Start(dataclasses.replace(start.found, state=state), start.positions)
    return start


def _with_encoding(start: Start, name: str) -> Start:
    """Return a start with another encoding; where its rows mean something else, at others."""
    found, positions = start.found, start.positions
    own = found.state.encoding
    unknown = isinstance(own, Unknown)
    if name == own.name and not unknown:
        return start
    # what a session says of an encoding that is not used is told to nobody
    notes = tuple(note for note in found.notes if not note.startswith("encoding."))
    e = encodings.create(name)
    fields: dict[str, Any] = {"encoding": e}
    if not isinstance(own, Unknown) and own.rows != e.rows:
        first = e.first_range
        fields |= {"start": first.start, "count": len(first)}
        positions = None
    state = found.state.with_(**fields)
    return Start(dataclasses.replace(found, state=state, notes=notes), positions)
