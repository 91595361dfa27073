"""The guide: what a view shows, what to look at and what to try, for the present exploration.

The words of a view are a file of `resources/guide/`. It holds, for each kind of encoding, what the
view shows (``shows``), what to look at (``look``) and what to try (``try``). A text is a string, or
``{"text": …, "when": …}`` where it applies to some settings only; of a list of texts the first one
wins that applies and whose facts exist. A try has a ``label``, an outcome (``then``), settings
(``set``), and ``when`` it applies.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer import encodings, pictures
from pe_explorer.assets import asset
from pe_explorer.encodings import Bias, Encoding, EncodingError, Rotary, Stored, Unknown, Waves
from pe_explorer.exploration import HeldTables, Resolved, changes, resolve
from pe_explorer.gallery.sentences import (
    Alternatives,
    Sentence,
    Settings,
    facts_of,
    filled_text,
    fits,
)
from pe_explorer.gallery.tries import Try, setting, with_settings
from pe_explorer.params import ParameterError, capitalised, declared, reason
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.reading import read_bytes

MOST_POINTS = 3
MOST_TRIES = 4
_KIND_OF_ABILITY = {Rotary: "rotary", Waves: "pairs", Bias: "bias", Stored: "stored"}
_ANY = "any"
_MOST_BYTES = 1 << 20  # of a file; a longer one is cut and so no valid JSON


# -- the file --------------------------------------------------------------------------------------


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
        return {
            kind: ViewWords(
                tuple(map(_alternatives, words.get("shows", ()))),
                tuple(map(_alternatives, words.get("look", ()))),
                tuple(map(_offer, words.get("try", ()))),
            )
            for kind, words in found.items()
        }
    except OSError as error:
        problem = f"cannot be read ({reason(error)})"
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        problem = "are damaged"
    raise GuideError(f"The words for this view, in {name}, {problem}.")


def _alternatives(words: Any) -> Alternatives:
    parts = words if isinstance(words, list) else [words]
    named: list[Any] = [{"text": part} if isinstance(part, str) else part for part in parts]
    return tuple(Sentence(_text(part["text"]), dict(part.get("when", {}))) for part in named)


def _offer(words: Mapping[str, Any]) -> Offer:
    settings, when = dict(words["set"]), dict(words.get("when", {}))
    return Offer(_text(words["label"]), _alternatives(words.get("then", "")), settings, when)


def _text(words: object) -> str:
    if not isinstance(words, str):
        raise TypeError
    return words


# -- the words -------------------------------------------------------------------------------------


class Explanation(NamedTuple):
    """The words for a view of an exploration."""

    title: str
    """The view."""
    about: str
    """The encoding and the rows shown."""
    shows: str
    """What the view shows."""
    look: tuple[str, ...] = ()
    """What to look at, with numbers of this exploration."""
    tries: tuple[Try, ...] = ()
    """What to try; each is legal and has an effect."""


def explain(view: str, state: Resolved) -> Explanation:
    """Return the words for a view of an exploration."""
    kind, state = pictures.find(view), _as_shown(view, state)
    picture = pictures.picture_of(view, state)
    about = _about(picture)
    try:
        words = read_guide(view)
    except GuideError as error:
        return Explanation(kind.title, about, f"{kind.help} {error}")
    entry = next((words[fit] for fit in _kinds(picture) if fit in words), ViewWords())
    facts = facts_of(view, state)
    shows = " ".join(_texts(entry.shows, state, facts)) or kind.help
    look: list[str] = []
    if picture.is_lacking():
        try:
            pictures.check(view, state)
        except EncodingError as error:
            shows = f"{shows} {capitalised(error.problem.removesuffix('…'))}."
    else:
        look = _texts(entry.look, state, facts)[:MOST_POINTS]
    tries = tuple(islice(_tries(entry.offers, view, state), MOST_TRIES))
    return Explanation(kind.title, about, shows, tuple(look), tries)


def _as_shown(view: str, state: Resolved) -> Resolved:
    """Return a state with the defaults that are shown instead of options unavailable here."""
    picture = pictures.find(view)(state)
    values = {option: getattr(picture.options, option) for option in declared(picture.Options)}
    lacking = [option for option in values if picture.lack_of(option, values[option])]
    if not lacking:
        return state
    usual = picture.Options.default()
    shown = {option: getattr(usual, option) for option in lacking}
    return resolve(pictures.with_options(state, view, **shown), HeldTables(state))


def kind_of(e: Encoding | Unknown) -> str:
    """Return the kind of words for an encoding, by its abilities."""
    if isinstance(e, Waves) and not isinstance(e, Rotary) and not e.pairs:
        return "waves"
    scheme: type = type(e)
    if isinstance(e, Unknown) and e.name in encodings.names():  # its file is missing
        scheme = encodings.find(e.name)
    kinds = [kind for ability, kind in _KIND_OF_ABILITY.items() if issubclass(scheme, ability)]
    return kinds[0] if kinds else "numbers"


def _kinds(picture: AnyPicture) -> Iterator[str]:
    """Yield the kinds of words that fit, the best first."""
    try:
        subject = picture.subject
        yield subject.show
        yield kind_of(subject.encoding)
    except EncodingError:
        yield kind_of(picture.state.encoding)
    yield _ANY


def _about(picture: AnyPicture) -> str:
    """Return the encoding and the rows shown, in a line."""
    try:
        e: Encoding | Unknown = picture.subject.encoding
    except EncodingError:
        e = picture.state.encoding
    if isinstance(e, Unknown):
        return capitalised(e.label)
    rows = e.rows.counted(picture.state.count)
    columns = e.columns.counted(e.width)
    return f"{e.title()}: {rows}, {columns}"


def _texts(parts: Iterable[Alternatives], state: Resolved, facts: Mapping[str, Any]) -> list[str]:
    return [text for words in parts if (text := _first_text(words, state, facts))]


def _first_text(alternatives: Alternatives, state: Resolved, facts: Mapping[str, Any]) -> str:
    """Return the first text that applies and can be filled, or an empty one."""
    texts = (filled_text(each.text, facts) for each in alternatives if fits(each.when, state))
    return next(filter(None, texts), "")


# -- what to try ---------------------------------------------------------------------------------


def _tries(offers: Iterable[Offer], view: str, state: Resolved) -> Iterator[Try]:
    """Yield the tries that are legal, have an effect, and leave the view with a picture."""
    facts = facts_of(view, state)
    for offer in offers:
        if not fits(offer.when, state):
            continue
        try:
            settings = {path: _value(path, to, state, facts) for path, to in offer.settings.items()}
            after = resolve(with_settings(state, settings), HeldTables(state))
        except (ParameterError, LookupError, AttributeError, TypeError, ValueError):
            continue
        if not changes(state, after) or pictures.picture_of(view, after).is_lacking():
            continue
        facts_after = facts_of(view, after)
        outcome = _first_text(offer.then, after, facts_after)
        if label := filled_text(offer.label, facts_after):
            yield Try(label, outcome, MappingProxyType(settings))


def _value(path: str, to: Any, state: Resolved, facts: Mapping[str, Any]) -> Any:
    """Return the value of a setting: a plain value, a fact, or a multiple of the present value."""
    if not isinstance(to, dict):
        return to
    if "fact" in to:
        return facts[to["fact"]]
    return setting(state, path) * to["times"]
