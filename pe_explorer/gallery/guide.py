"""The guide, which explains the current view and suggests details and experiments."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from pe_explorer import encodings, pictures
from pe_explorer.encodings import Bias, Encoding, EncodingError, Rotary, Stored, Unknown, Waves
from pe_explorer.exploration import ResolvedState, ResolvedTables, changes, resolve
from pe_explorer.gallery.sentences import make_facts
from pe_explorer.gallery.tries import Try, get_setting, with_settings
from pe_explorer.params import ParameterError, capitalise, declared, printed, with_full_stop
from pe_explorer.words import require_fact
from pe_explorer.words.templates import fill
from pe_explorer.words.texts import Guide, Suggestion, Wording, WordsError, fits, read_words

MAX_POINTS = 3
MAX_TRIES = 4
_ABILITY_KINDS = {Rotary: "rotary", Waves: "pairs", Bias: "bias", Stored: "stored"}


class Explanation(NamedTuple):
    """The texts of the guide for a view of an exploration."""

    title: str  # the title of the view
    about: str  # the encoding, with the numbers of rows and columns
    shows: str  # a description of the view
    look: tuple[str, ...] = ()  # points to look at, with values of this exploration
    tries: tuple[Try, ...] = ()  # tries that are valid and change the exploration


@np.errstate(all="ignore")  # values from a file can be NaN or overflow
def explain(view: str, state: ResolvedState) -> Explanation:
    """Return the texts of the guide for a view of an exploration."""
    picture_class, state = pictures.find(view), _with_available_options(view, state)
    picture = pictures.make_picture(view, state)
    e, show = state.encoding, ""
    with suppress(EncodingError):
        e, show = picture.subject.encoding, picture.subject.show
    about = capitalise(e.label) if isinstance(e, Unknown) else e.title()
    if not isinstance(e, Unknown):
        about += f": {e.rows.format_count(state.count)}, {e.columns.format_count(e.width)}"
    try:
        guides = read_words(view).guides
    except WordsError as error:
        return Explanation(picture_class.title, about, f"{picture_class.help} {error}")
    guide = next((guides[key] for key in (show, find_kind(e), "any") if key in guides), Guide())
    wording = _make_wording(view, state)
    shows = printed.text(" ".join(wording.list_valid_texts(guide.shows))) or picture_class.help
    look: tuple[str, ...] = ()
    if picture.is_unavailable():
        try:
            pictures.check(view, state)
        except EncodingError as error:
            shows = f"{shows} {with_full_stop(capitalise(error.problem.removesuffix('…')))}"
    else:
        look = tuple(map(printed.text, wording.list_valid_texts(guide.look)[:MAX_POINTS]))
    tries = tuple(islice(_list_tries(guide.suggestions, view, state), MAX_TRIES))
    return Explanation(picture_class.title, about, shows, look, tries)


def _with_available_options(view: str, state: ResolvedState) -> ResolvedState:
    picture = pictures.find(view)(state)
    options, defaults = picture.options, picture.Options.default()
    replacements = {
        name: getattr(defaults, name)
        for name in declared(picture.Options)
        if picture.unavailable_reason(name, getattr(options, name))
    }
    if not replacements:
        return state
    return resolve(pictures.with_options(state, view, **replacements), ResolvedTables(state))


def find_kind(e: Encoding | Unknown) -> str:
    """Return the guide's key for an encoding, which depends on the encoding's abilities."""
    if isinstance(e, Waves) and not isinstance(e, Rotary) and not e.pairs:
        return "waves"
    scheme: type = type(e)
    if isinstance(e, Unknown) and e.name in encodings.names():  # an encoding whose file is missing
        scheme = encodings.find(e.name)
    kinds = [kind for ability, kind in _ABILITY_KINDS.items() if issubclass(scheme, ability)]
    return kinds[0] if kinds else "numbers"


def _make_wording(view: str, state: ResolvedState) -> Wording:
    return Wording(view, make_facts(view, state), partial(get_setting, state))


def _list_tries(
    suggestions: Iterable[Suggestion], view: str, state: ResolvedState
) -> Iterator[Try]:
    wording = _make_wording(view, state)
    for suggestion in suggestions:
        if not fits(suggestion.when, partial(get_setting, state)):
            continue
        items = suggestion.settings.items()
        try:
            settings = {path: _compute_value(path, value, state, wording) for path, value in items}
            new_state = resolve(with_settings(state, settings), ResolvedTables(state))
        except (ParameterError, LookupError, AttributeError, TypeError, ValueError):
            continue
        if not changes(state, new_state) or pictures.make_picture(view, new_state).is_unavailable():
            continue
        new_wording = _make_wording(view, new_state)
        if label := fill(suggestion.label, new_wording):
            outcome = printed.text(new_wording.first(suggestion.then))
            yield Try(printed.text(label), outcome, MappingProxyType(settings))


def _compute_value(path: str, value: Any, state: ResolvedState, wording: Wording) -> Any:
    if not isinstance(value, dict):
        return value
    if "fact" in value:
        return require_fact(wording.get(value["fact"]))
    return get_setting(state, path) * value["times"]
