"""Reads the words of a view from `resources/guide/`.

A file holds, for each kind of encoding, what the view shows (``shows``), what to look at (``look``)
and what to try (``try``). A text is a string, or ``{"text": …, "when": …}`` where it applies to
some settings only; of a list of texts the first one wins that applies and whose facts exist. A try
has a ``label``, an outcome (``then``), settings (``set``), and ``when`` it applies.
"""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from pe_explorer.assets import asset
from pe_explorer.gallery.sentences import Alternatives, Sentence, Settings
from pe_explorer.params import reason
from pe_explorer.reading import read_bytes

_MOST_BYTES = 1 << 20
"""Bytes of a file; a longer one is cut and so no valid JSON."""


class GuideError(Exception):
    """Words that cannot be read; the message is a sentence."""


class Offer(NamedTuple):
    """Something to try."""

    label: str
    then: Alternatives
    settings: Settings
    when: Settings


class ViewWords(NamedTuple):
    """The words for one kind of encoding."""

    shows: tuple[Alternatives, ...] = ()
    look: tuple[Alternatives, ...] = ()
    offers: tuple[Offer, ...] = ()


@cache
def read_guide(view: str) -> Mapping[str, ViewWords]:
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


def _entry(words: Mapping[str, Any]) -> ViewWords:
    shows = tuple(map(_alternatives, words.get("shows", ())))
    look = tuple(map(_alternatives, words.get("look", ())))
    offers = tuple(map(_offer, words.get("try", ())))
    return ViewWords(shows, look, offers)


def _alternatives(words: Any) -> Alternatives:
    """Return the alternatives of one text."""
    return tuple(map(_alternative, words if isinstance(words, list) else [words]))


def _alternative(words: str | Mapping[str, Any]) -> Sentence:
    if isinstance(words, str):
        return Sentence(words, {})
    return Sentence(_text(words["text"]), dict(words.get("when", {})))


def _offer(words: Mapping[str, Any]) -> Offer:
    settings, when = dict(words["set"]), dict(words.get("when", {}))
    return Offer(_text(words["label"]), _alternatives(words.get("then", "")), settings, when)


def _text(words: object) -> str:
    if not isinstance(words, str):
        raise TypeError
    return words
