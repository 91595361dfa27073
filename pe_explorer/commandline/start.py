"""What the flags of a command start from: a session or an exhibit, if typed, or a first look."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from pe_explorer import encodings, flags, quantities
from pe_explorer.encodings import Encoding, Unknown
from pe_explorer.exploration import Exploration
from pe_explorer.files import session
from pe_explorer.files.session import Session
from pe_explorer.flags import SHOWN, Request, shell_words
from pe_explorer.flags.shell_words import Word
from pe_explorer.params import ParameterError, declared

if TYPE_CHECKING:
    from pe_explorer.gallery.exhibits import Exhibit


_HOW = ("what", "dtype", "carry")
"""Fields of a request that say nothing of what is explored."""
_FIXED = (
    "session",
    "encoding",
    "positions",
    "pin",
    "panes",
    "arrangement",
    "active",
    *SHOWN,
    *(name for name in declared(Request) if name not in _HOW),
    *quantities.options(),
)
"""Names of the flags that an exhibit stands for, besides the options of encodings and views."""


_EXHIBIT = "--exhibit"


class Start(NamedTuple):
    """The values that flags start from.

    Attributes
    ----------
    opened : Session
        The session given, or a new one, with the encoding and the pins given.
    positions : range or None
        Those of the session or the exhibit given; None for those where the encoding begins.
    exhibit : Exhibit or None
        The exhibit given.
    """

    opened: Session
    positions: range | None
    exhibit: Exhibit | None = None

    @property
    def encoding(self) -> Encoding:
        """The encoding whose parameters are flags."""
        return encodings.require_known(self.opened.state.encoding)


def start_from(typed: Sequence[Word]) -> Start:
    """Return the values that a command starts from.

    Raises
    ------
    ParameterError
        If the session cannot be read, or its encoding is not known here and no other is given;
        or if there is no such exhibit, or flags stand beside it that change what it shows.
    """
    if shell_words.values(typed, _EXHIBIT):
        return _start_from_exhibit(typed)
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


def _start_from_exhibit(typed: Sequence[Word]) -> Start:
    from pe_explorer.gallery.exhibits import find  # the gallery takes a while to load

    refuse_beside_exhibit(typed, map(flags.flag, _FIXED))
    exhibit = find(shell_words.values(typed, _EXHIBIT)[-1])
    state = exhibit.exploration
    return Start(Session(state), state.positions, exhibit)


def refuse_beside_exhibit(typed: Sequence[Word], fixed: Iterable[str]) -> None:
    """Raise `ParameterError` if one of the flags that an exhibit stands for is typed, too."""
    known = set(fixed)
    for word in typed:
        if word.flag in known:
            problem = f"an exhibit fixes all that it shows; leave {word.flag} out"
            raise ParameterError("exhibit", problem)


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
