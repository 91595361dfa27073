"""Sentences that live with the picture: shown while they hold, with the numbers of what is shown.

A sentence has ``{facts}``, which are computed from the exploration that is shown, and settings that
it fits (`when`). One that writes numbers out, or that has neither facts nor settings, is bound to
the exploration that it was written for: it holds there, and wherever all settings that its view
depends on are the same, but for those in `when`.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer import pictures
from pe_explorer.colours.maps import ANGLE_MAPS, VALUE_MAPS
from pe_explorer.encodings import EncodingError
from pe_explorer.exploration import Exploration, Resolved, changes
from pe_explorer.gallery.facts import Fact, Facts
from pe_explorer.gallery.readable import filled
from pe_explorer.gallery.tries import Try, setting, with_settings
from pe_explorer.params import Choice, ParameterError, declared
from pe_explorer.pictures.picture import AnyPicture

Settings = Mapping[str, Any]
"""Values by the paths of settings; a list stands for any of its values."""

_OPTIONS = "options."


class Sentence(NamedTuple):
    """A text, and the settings that it fits."""

    text: str
    when: Settings = MappingProxyType({})

    @property
    def is_bound(self) -> bool:
        """Whether it holds for the exploration that it was written for only."""
        parts = list(string.Formatter().parse(self.text))
        written_out = any(letter.isdigit() for plain, *_ in parts for letter in plain)
        return written_out or not (self.when or any(name for _, name, *_ in parts))

    def said(self, written_for: Exploration, views: Sequence[str], state: Resolved) -> str:
        """Return what it says of views of an exploration, an empty text where it does not hold."""
        if not fits(self.when, state):
            return ""
        if self.is_bound:
            chosen = {path: setting(state, path) for path in self.when}
            if _differ(with_settings(written_for, chosen), state, views):
                return ""
        return filled_text(self.text, facts_of(pictures.find(views[0]), state))


Pieces = tuple[Sentence, ...]
"""Sentences of which the first counts that holds."""


def first_said(
    pieces: Pieces, written_for: Exploration, views: Sequence[str], state: Resolved
) -> str:
    """Return what the first sentence says that holds, an empty text where none does."""
    said = (sentence.said(written_for, views, state) for sentence in pieces)
    return next(filter(None, said), "")


def outcome_of(tried: Try, written_for: Exploration, state: Resolved) -> str:
    """Return what comes out of a try, an empty text where that is not what its words say."""
    assert written_for.panes is not None
    after = tried.applied(written_for)
    try:
        now = tried.applied(state)
    except (ParameterError, LookupError, TypeError):
        return ""  # it cannot be done from here
    return "" if _differ(after, now, written_for.panes.views) else tried.outcome


def fits(when: Settings, state: Exploration) -> bool:
    """Return whether every setting has one of the values that are given for it."""
    for path, wanted in when.items():
        values = wanted if isinstance(wanted, list) else [wanted]
        try:
            if setting(state, path) not in values:
                return False
        except (LookupError, AttributeError, ValueError):
            return False
    return True


def facts_of(picture: type[AnyPicture], state: Resolved) -> Mapping[str, Fact]:
    """Return the facts of what a picture looks at; none of an encoding that is not known here."""
    try:
        subject = picture.subject(state)
    except EncodingError:
        return {}
    if subject.lack:
        return {}
    return Facts(state, subject, partial(picture.facts, state))


def filled_text(text: str, facts: Mapping[str, Fact]) -> str:
    """Return a text with its facts, or an empty one where a fact is missing."""
    try:
        return filled(text, facts)
    except (LookupError, ValueError):
        return ""


def _differ(one: Exploration, other: Exploration, views: Iterable[str]) -> bool:
    """Return whether two explorations differ in what pictures depend on, but for their colours."""
    changed = changes(one, other)
    for view in views:
        picture = pictures.find(view)
        if changed & picture.fields:
            return True
        if f"{_OPTIONS}{view}" in changed and _numbers(picture, one) != _numbers(picture, other):
            return True
    return False


def _numbers(picture: type[AnyPicture], state: Exploration) -> Settings:
    """Return the options of a picture that do not just choose colours."""
    options = picture.options(state)
    return {
        name: getattr(options, name)
        for name, parameter in declared(picture.Options).items()
        if not (isinstance(parameter, Choice) and parameter.choices in (VALUE_MAPS, ANGLE_MAPS))
    }
