"""Sentences on a picture, which are shown while they hold, with the numbers of the picture.

A sentence has ``{facts}``, which are computed from the exploration that is shown, and settings that
it applies to (`when`). One with plain numbers, or with neither facts nor settings, is bound to the
exploration that it was written for: it holds there, and wherever all settings that its view depends
on are the same, but for those in `when`.
"""

import string
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from pe_explorer import pictures
from pe_explorer.colours.maps import ANGLE_MAPS, VALUE_MAPS
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration, Resolved, changes
from pe_explorer.gallery.tries import Try, setting, with_settings
from pe_explorer.params import Choice, ParameterError, declared, printed
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.words import Facts
from pe_explorer.words.templates import Named, filled
from pe_explorer.words.texts import Settings, fits

_OPTIONS = "options."


class Sentence(NamedTuple):
    """A text, and the settings that it applies to."""

    text: str
    when: Settings = MappingProxyType({})

    @property
    def is_bound(self) -> bool:
        """Whether it only holds for the exploration that it was written for."""
        parts = list(string.Formatter().parse(self.text))
        written_out = any(letter.isdigit() for plain, *_ in parts for letter in plain)
        return written_out or not (self.when or any(name for _, name, *_ in parts))

    @np.errstate(all="ignore")  # a file may hold any numbers
    def text_for(self, written_for: Exploration, views: Sequence[str], state: Resolved) -> str:
        """Return its text for views of an exploration, empty where it does not hold."""
        if not fits(self.when, partial(setting, state)):
            return ""
        if self.is_bound:
            chosen = {path: setting(state, path) for path in self.when}
            if _differ(with_settings(written_for, chosen), state, views):
                return ""
        return printed.text(filled(self.text, facts_of(views[0], state)))


Alternatives = tuple[Sentence, ...]
"""Alternative sentences; the first that holds wins."""


def first_text(
    alternatives: Alternatives, written_for: Exploration, views: Sequence[str], state: Resolved
) -> str:
    """Return the text of the first sentence that holds, empty where none does."""
    texts = (sentence.text_for(written_for, views, state) for sentence in alternatives)
    return next(filter(None, texts), "")


def outcome_of(tried: Try, written_for: Exploration, state: Resolved) -> str:
    """Return the outcome of a try, an empty text where its words do not hold."""
    assert written_for.panes is not None
    after = tried.applied(written_for)
    try:
        now = tried.applied(state)
    except (ParameterError, LookupError, TypeError):
        return ""  # it cannot be done from here
    return "" if _differ(after, now, written_for.panes.views) else tried.outcome


def facts_of(view: str, state: Resolved) -> Named:
    """Return the facts of the subject of a view; none of an unknown encoding."""
    with suppress(EncodingError):
        subject = pictures.picture_of(view, state).subject
        if not subject.lack:
            return Facts(state, subject)
    return {}


def _differ(one: Exploration, other: Exploration, views: Iterable[str]) -> bool:
    """Return whether two explorations differ in pictures, apart from their colours."""
    changed = changes(one, other)
    for view in views:
        kind = pictures.find(view)
        if changed & kind.fields:
            return True
        if f"{_OPTIONS}{view}" in changed and _numbers(kind(one)) != _numbers(kind(other)):
            return True
    return False


def _numbers(picture: AnyPicture) -> Settings:
    """Return the options of a picture that choose more than colours."""
    return {
        name: getattr(picture.options, name)
        for name, parameter in declared(picture.Options).items()
        if not (isinstance(parameter, Choice) and parameter.choices in (VALUE_MAPS, ANGLE_MAPS))
    }
