"""Sentences about a view, which appear while they are valid.

A sentence can contain ``{facts}``, which are computed from the current exploration, and its
validity can depend on settings (`when`). A sentence is bound to an exploration if its text contains
literal numbers, or if it has neither facts nor settings. A bound sentence is valid only if the
current exploration has the same settings, apart from those in `when` and those without effect on
the view.
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
from pe_explorer.exploration import Exploration, ResolvedState, changes
from pe_explorer.gallery.tries import Try, get_setting, with_settings
from pe_explorer.params import Choice, ParameterError, declared, printed
from pe_explorer.pictures.picture import AnyPicture
from pe_explorer.words import Facts
from pe_explorer.words.templates import FactSource, fill
from pe_explorer.words.texts import Settings, fits


class Sentence(NamedTuple):
    """A text, and the settings that it depends on."""

    text: str
    when: Settings = MappingProxyType({})

    @property
    def is_bound(self) -> bool:
        """Whether the sentence is valid only for the exploration that it was written for."""
        parts = list(string.Formatter().parse(self.text))
        has_digits = any(letter.isdigit() for literal, *_ in parts for letter in literal)
        return has_digits or not (self.when or any(name for _, name, *_ in parts))

    @np.errstate(all="ignore")  # values from a file can be NaN or overflow
    def format_text(
        self, source_state: Exploration, views: Sequence[str], state: ResolvedState
    ) -> str:
        """Return the text for views of an exploration, or an empty string if it does not hold.

        `source_state` is the exploration that the sentence was written for.
        """
        if not fits(self.when, partial(get_setting, state)):
            return ""
        if self.is_bound:
            settings = {path: get_setting(state, path) for path in self.when}
            if _differ(with_settings(source_state, settings), state, views):
                return ""
        return printed.text(fill(self.text, make_facts(views[0], state)))


Alternatives = tuple[Sentence, ...]
"""Alternative sentences, of which the first valid sentence is used."""


def find_first_text(
    alternatives: Alternatives,
    source_state: Exploration,
    views: Sequence[str],
    state: ResolvedState,
) -> str:
    """Return the text of the first valid sentence, or an empty string if no sentence is valid."""
    texts = (sentence.format_text(source_state, views, state) for sentence in alternatives)
    return next(filter(None, texts), "")


def format_outcome(item: Try, source_state: Exploration, state: ResolvedState) -> str:
    """Return the outcome of a try, or an empty string if the outcome does not apply to `state`."""
    assert source_state.panes is not None
    expected_state = item.apply(source_state)
    try:
        actual_state = item.apply(state)
    except (ParameterError, LookupError, TypeError):
        return ""  # the try cannot be applied to this exploration
    return "" if _differ(expected_state, actual_state, source_state.panes.views) else item.outcome


def make_facts(view: str, state: ResolvedState) -> FactSource:
    """Return facts about the subject of a view, or {} if the subject is unavailable."""
    with suppress(EncodingError):
        subject = pictures.make_picture(view, state).subject
        if not subject.missing_reason:
            return Facts(state, subject)
    return {}


def _differ(a: Exploration, b: Exploration, views: Iterable[str]) -> bool:
    changed_fields = changes(a, b)
    for view in views:
        picture = pictures.find(view)
        if changed_fields & picture.fields:
            return True
        options, other_options = (_list_relevant_options(picture(state)) for state in (a, b))
        if f"options.{view}" in changed_fields and options != other_options:
            return True
    return False


def _list_relevant_options(picture: AnyPicture) -> Settings:
    """Return the options of a view except colour maps, which are irrelevant to sentences."""
    return {
        name: getattr(picture.options, name)
        for name, parameter in declared(picture.Options).items()
        if not (isinstance(parameter, Choice) and parameter.choices in (VALUE_MAPS, ANGLE_MAPS))
    }
