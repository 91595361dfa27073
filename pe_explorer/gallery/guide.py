"""The guide: what a view shows, what to look at and what to try, for the present exploration."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pe_explorer import encodings, pictures
from pe_explorer.encodings import Bias, Encoding, EncodingError, Rotary, Stored, Unknown, Waves
from pe_explorer.exploration import HeldTables, Resolved, changes, resolve
from pe_explorer.gallery.sentences import facts_of
from pe_explorer.gallery.tries import Try, setting, with_settings
from pe_explorer.params import ParameterError, capitalised, declared, printed
from pe_explorer.words import given
from pe_explorer.words.templates import filled
from pe_explorer.words.texts import Guide, Offer, Wording, WordsError, fits, read_words

MOST_POINTS = 3
MOST_TRIES = 4
_KIND_OF_ABILITY = {Rotary: "rotary", Waves: "pairs", Bias: "bias", Stored: "stored"}
_ANY = "any"


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


@np.errstate(all="ignore")  # a file may hold any numbers
def explain(view: str, state: Resolved) -> Explanation:
    """Return the words for a view of an exploration."""
    kind, state = pictures.find(view), _as_shown(view, state)
    picture = pictures.picture_of(view, state)
    e, show = state.encoding, ""
    with suppress(EncodingError):
        e, show = picture.subject.encoding, picture.subject.show
    about = capitalised(e.label) if isinstance(e, Unknown) else e.title()
    if not isinstance(e, Unknown):
        about += f": {e.rows.counted(state.count)}, {e.columns.counted(e.width)}"
    try:
        words = read_words(view).guides
    except WordsError as error:
        return Explanation(kind.title, about, f"{kind.help} {error}")
    entry = next((words[fit] for fit in (show, kind_of(e), _ANY) if fit in words), Guide())
    wording = _wording(view, state)
    shows = printed.text(" ".join(wording.every(entry.shows))) or kind.help
    look: list[str] = []
    if picture.is_unavailable():
        try:
            pictures.check(view, state)
        except EncodingError as error:
            shows = f"{shows} {capitalised(error.problem.removesuffix('…'))}."
    else:
        look = list(map(printed.text, wording.every(entry.look)[:MOST_POINTS]))
    tries = tuple(islice(_tries(entry.offers, view, state), MOST_TRIES))
    return Explanation(kind.title, about, shows, tuple(look), tries)


def _as_shown(view: str, state: Resolved) -> Resolved:
    """Return a state with the defaults that are shown instead of options unavailable here."""
    picture = pictures.find(view)(state)
    values = {option: getattr(picture.options, option) for option in declared(picture.Options)}
    lacking = [option for option in values if picture.unavailable_reason(option, values[option])]
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


def _wording(view: str, state: Resolved) -> Wording:
    """Return the words of a view with the facts of an exploration."""
    return Wording(view, facts_of(view, state), partial(setting, state))


# -- what to try ---------------------------------------------------------------------------------


def _tries(offers: Iterable[Offer], view: str, state: Resolved) -> Iterator[Try]:
    """Yield the tries that are legal, have an effect, and leave the view with a picture."""
    wording = _wording(view, state)
    for offer in offers:
        if not fits(offer.when, partial(setting, state)):
            continue
        try:
            settings = {key: _value(key, to, state, wording) for key, to in offer.settings.items()}
            after = resolve(with_settings(state, settings), HeldTables(state))
        except (ParameterError, LookupError, AttributeError, TypeError, ValueError):
            continue
        if not changes(state, after) or pictures.picture_of(view, after).is_unavailable():
            continue
        wording_after = _wording(view, after)
        if label := filled(offer.label, wording_after):
            outcome = printed.text(wording_after.first(offer.then))
            yield Try(printed.text(label), outcome, MappingProxyType(settings))


def _value(path: str, to: Any, state: Resolved, wording: Wording) -> Any:
    """Return the value of a setting: a plain value, a fact, or a multiple of the present value."""
    if not isinstance(to, dict):
        return to
    return given(wording.get(to["fact"])) if "fact" in to else setting(state, path) * to["times"]
