"""Facts of a sentence: how many words it has, and how far another order moves their rows."""

from __future__ import annotations

from pe_explorer import pictures
from pe_explorer.analysis.tokens import lengths, places_before
from pe_explorer.gallery.facts.set_up import NoFactError, SetUp, fact

_MOST = 1 << 10  # words that are compared for a fact


@fact
def words(of: SetUp) -> int:
    """Return how many words the sentence of the view of tokens has."""
    count: int = pictures.find("tokens").options(of.state).length
    return count


@fact
def farthest_move(of: SetUp) -> float:
    """Return how far the row that has moved most is from where its word stood before."""
    options = pictures.find("tokens").options(of.state)
    if not options.before or options.join == "words" or options.length > _MOST:
        raise NoFactError
    of.require_few(options.length * of.e.width)
    places = places_before(options.tokens, options.tokens_before).tolist()
    now = [of.state.start + word for word, place in enumerate(places) if place >= 0]
    then = [of.state.start + place for place in places if place >= 0]
    if not now:
        raise NoFactError
    return float(lengths(of.e.table(now) - of.e.table(then)).max())
