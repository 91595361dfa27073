"""What gestures over the rows of a sentence change: the words and columns shown, their order."""

from __future__ import annotations

from dataclasses import replace

from pe_explorer.analysis.tokens import places_before
from pe_explorer.encodings import require_known
from pe_explorer.exploration import Exploration
from pe_explorer.pictures.tokens import TokenOptions, columns_shown, width_of, words_shown

__all__ = ["with_sentence", "zoomed_columns", "zoomed_words"]


def zoomed_words(
    state: Exploration, options: TokenOptions, factor: float, anchor: float
) -> tuple[int, TokenOptions]:
    """Return how many words are shown, and the options with the first of them."""
    words = words_shown(options, state.count)
    wanted = _zoomed(len(words), factor, options.length)
    top = words.start + round((len(words) - wanted) * anchor)
    return wanted, replace(options, top=min(max(0, top), options.length - wanted))


def zoomed_columns(
    state: Exploration, options: TokenOptions, factor: float, anchor: float
) -> dict[str, int]:
    """Return the options for other columns."""
    width = width_of(options, require_known(state.encoding))
    first, count = columns_shown(options, width)
    wanted = _zoomed(count, factor, width)
    start = min(max(0, first + round((count - wanted) * anchor)), width - wanted)
    return {"first": start, "dimensions": 0 if wanted == width else wanted}


def _zoomed(count: int, factor: float, most: int) -> int:
    """Return another number of cells, at least one more or less than before."""
    wanted = round(count * factor)
    if wanted == count:
        wanted += 1 if factor > 1 else -1
    return min(max(1, wanted), most)


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
