"""The guide: what a view shows, what to look at and what to try, for the present exploration.

The words of a view, as `pe_explorer.words.texts` reads them, hold for each kind of encoding what
the view shows (``shows``), what to look at (``look``) and what to try (``try``). A try has a
``label``, an outcome (``then``), settings (``set``), and ``when`` it applies.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer import encodings, pictures
from pe_explorer.encodings import Bias, Encoding, EncodingError, Rotary, Stored, Unknown, Waves
from pe_explorer.exploration import HeldTables, Resolved, changes, resolve
from pe_explorer.gallery.sentences import facts_of
from pe_explorer.gallery.tries import Try, setting, with_settings
from pe_explorer.params import ParameterError, capitalised, declared, printed
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.words import given
from pe_explorer.words.templates import Named, filled
from pe_explorer.words.texts import (
    Alternatives,
    Settings,
    Telling,
    WordsError,
    alternatives,
    damaged,
    fits,
    plain_text,
    read_words,
    telling,
)

MOST_POINTS = 3
MOST_TRIES = 4
_KIND_OF_ABILITY = {Rotary: "rotary", Waves: "pairs", Bias: "bias", Stored: "stored"}
_ANY = "any"


# -- the file --------------------------------------------------------------------------------------


class Offer(NamedTuple):
    """Something to try."""

    label: str
    then: Alternatives
    settings: Settings
    when: Settings


class Guide(NamedTuple):
    """The words for one kind of encoding."""

    shows: tuple[Alternatives, ...] = ()
    look: tuple[Alternatives, ...] = ()
    offers: tuple[Offer, ...] = ()


@cache
def read_guide(view: str) -> Mapping[str, Guide]:
    """Return the words for a view by the kind of encoding, or raise `WordsError`."""
    try:
        return {
            kind: Guide(
                tuple(map(alternatives, words.get("shows", ()))),
                tuple(map(alternatives, words.get("look", ()))),
                tuple(map(_offer, words.get("try", ()))),
            )
            for kind, words in read_words(view).document.items()
        }
    except (LookupError, TypeError, AttributeError):
        raise damaged(view) from None


def _offer(words: Mapping[str, Any]) -> Offer:
    settings, when = dict(words["set"]), dict(words.get("when", {}))
    return Offer(plain_text(words["label"]), alternatives(words.get("then", "")), settings, when)


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
    except WordsError as error:
        return Explanation(kind.title, about, f"{kind.help} {error}")
    entry = next((words[fit] for fit in _kinds(picture) if fit in words), Guide())
    told = _telling(view, state)
    shows = " ".join(_texts(entry.shows, told)) or kind.help
    look: list[str] = []
    if picture.is_lacking():
        try:
            pictures.check(view, state)
        except EncodingError as error:
            shows = f"{shows} {capitalised(error.problem.removesuffix('…'))}."
    else:
        look = _texts(entry.look, told)[:MOST_POINTS]
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


def _texts(parts: Iterable[Alternatives], told: Telling) -> list[str]:
    return [printed.text(text) for text in map(told.first, parts) if text]


def _telling(view: str, state: Resolved) -> Telling:
    """Return the words of a view with the facts of an exploration."""
    return telling(view, facts_of(view, state), partial(setting, state))


# -- what to try ---------------------------------------------------------------------------------


def _tries(offers: Iterable[Offer], view: str, state: Resolved) -> Iterator[Try]:
    """Yield the tries that are legal, have an effect, and leave the view with a picture."""
    facts = facts_of(view, state)
    for offer in offers:
        if not fits(offer.when, partial(setting, state)):
            continue
        try:
            settings = {path: _value(path, to, state, facts) for path, to in offer.settings.items()}
            after = resolve(with_settings(state, settings), HeldTables(state))
        except (ParameterError, LookupError, AttributeError, TypeError, ValueError):
            continue
        if not changes(state, after) or pictures.picture_of(view, after).is_lacking():
            continue
        told = _telling(view, after)
        if label := filled(offer.label, told):
            outcome = printed.text(told.first(offer.then))
            yield Try(printed.text(label), outcome, MappingProxyType(settings))


def _value(path: str, to: Any, state: Resolved, facts: Named) -> Any:
    """Return the value of a setting: a plain value, a fact, or a multiple of the present value."""
    if not isinstance(to, dict):
        return to
    if "fact" in to:
        return given(facts.get(to["fact"]))
    return setting(state, path) * to["times"]
