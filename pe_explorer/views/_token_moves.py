"""What gestures over the rows of a sentence change: the words shown, and their order."""

from __future__ import annotations

from dataclasses import replace

from pe_explorer.analysis.tokens import places_before
from pe_explorer.exploration import Exploration
from pe_explorer.pictures.tokens import TokenOptions, words_shown
from pe_explorer.views._columns import zoomed_count

__all__ = ["with_sentence", "zoomed_words"]


def zoomed_words(
    state: Exploration, options: TokenOptions, factor: float, anchor: float
) -> tuple[int, TokenOptions]:
    """Return how many words are shown, and the options with the first of them."""
    words = words_shown(options, state.count)
    wanted = zoomed_count(len(words), factor, options.length)
    top = words.start + round((len(words) - wanted) * anchor)
    return wanted, replace(options, top=min(max(0, top), options.length - wanted))


def with_sentence(options: TokenOptions, sentence: str) -> TokenOptions:
    """Return options with another sentence; one of the same words is compared with that before."""
    changed = replace(options, sentence=sentence)
    if not _same_words(changed, options):
        return changed
    first = replace(options, sentence=options.before)
    kept = bool(options.before) and _same_words(changed, first)
    return replace(changed, before=options.before if kept else options.sentence)


def _same_words(one: TokenOptions, other: TokenOptions) -> bool:
    """Return whether two sentences have the same words, in whatever order."""
    if one.length != other.length:
        return False
    return bool((places_before(one.tokens, other.tokens) >= 0).all())
