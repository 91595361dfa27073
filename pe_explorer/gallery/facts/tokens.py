"""Facts of a sentence: how many words it has, and how far another order moves their rows."""

from pe_explorer import pictures
from pe_explorer.analysis.tokens import join_with, moves, places_before, toy_width
from pe_explorer.analysis.word_vectors import toy_vectors
from pe_explorer.gallery.facts.set_up import NoFactError, SetUp, fact

_MOST_WORDS = 1 << 10  # words that are compared for a fact


@fact
def words(of: SetUp) -> int:
    """Return how many words the sentence of the view of tokens has."""
    count: int = pictures.find("tokens").options(of.state).length
    return count


@fact
def farthest_move(of: SetUp) -> float:
    """Return how far the row that has moved most is from where its word stood before."""
    options = pictures.find("tokens").options(of.state)
    how = join_with(options.join, of.e)
    if not options.before or how == "words" or options.length > _MOST_WORDS:
        raise NoFactError
    if how == "turned" and options.words != "toy":
        raise NoFactError
    of.require_few(options.length * of.e.width)
    places = places_before(options.tokens, options.tokens_before).tolist()
    found = [(word, place) for word, place in enumerate(places) if place >= 0]
    if not found:
        raise NoFactError
    vectors = toy_vectors([options.tokens[word] for word, _ in found], toy_width(of.e))
    now, then = ([of.state.start + each for each in some] for some in zip(*found, strict=True))
    return float(moves(vectors, of.e, now, then, options.join).max())
