"""Reads the words of a view from `resources/guide/`.

A file holds, for each kind of encoding, what the view shows (``shows``), what to look at (``look``)
and what to try (``try``). A text is a string, or ``{"text": …, "when": …}`` where it fits some
settings only; of a list of texts the first counts that fits, and whose numbers there are. A try
has a ``label``, what comes out of it (``then``), what it sets (``set``), and ``when`` it fits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from pe_explorer.assets import asset
from pe_explorer.gallery.sentences import Pieces, Sentence, Settings
from pe_explorer.params import reason
from pe_explorer.reading import read_bytes

_MOST_BYTES = 1 << 20
"""Of a file; what is cut off there is no JSON any more."""


class GuideError(Exception):
    """Words that cannot be read; the message is a sentence."""


class Offer(NamedTuple):
    """Something to try."""

    label: str
    then: Pieces
    settings: Settings
    when: Settings


class Entry(NamedTuple):
    """The words for one kind of encoding."""

    shows: tuple[Pieces, ...] = ()
    look: tuple[Pieces, ...] = ()
    offers: tuple[Offer, ...] = ()


@cache
def read_guide(view: str) -> Mapping[str, Entry]:
    """Return the words for a view by the kind of encoding, or raise `GuideError`."""
    name = f"guide/{view}.json"
    try:
        found = json.loads(read_bytes(asset(name), _MOST_BYTES).decode("utf-8"))
        return {kind: _entry(words) for kind, words in found.items()}
    except OSError as error:
        problem = f"cannot be read ({reason(error)})"
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        problem = "are damaged"
    raise GuideError(f"The words for this view, in {name}, {problem}.")


def _entry(words: Mapping[str, Any]) -> Entry:
    shows = tuple(map(_pieces, words.get("shows", ())))
    look = tuple(map(_pieces, words.get("look", ())))
    offers = tuple(map(_offer, words.get("try", ())))
    return Entry(shows, look, offers)


def _pieces(words: Any) -> Pieces:
    """Return the alternatives of one text."""
    return tuple(map(_piece, words if isinstance(words, list) else [words]))


def _piece(words: str | Mapping[str, Any]) -> Sentence:
    if isinstance(words, str):
        return Sentence(words, {})
    return Sentence(_text(words["text"]), dict(words.get("when", {})))


def _offer(words: Mapping[str, Any]) -> Offer:
    settings, when = dict(words["set"]), dict(words.get("when", {}))
    return Offer(_text(words["label"]), _pieces(words.get("then", "")), settings, when)


def _text(words: object) -> str:
    if not isinstance(words, str):
        raise TypeError
    return words
