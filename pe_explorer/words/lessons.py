"""Facts that only lessons use."""

import math
from typing import Any

import numpy as np

from pe_explorer.analysis import distance
from pe_explorer.analysis.tokens import joined, toy_width
from pe_explorer.analysis.word_vectors import toy_vectors
from pe_explorer.arrays import Floats
from pe_explorer.words.facts import FACTS, MOST_NUMBERS, Facts, require, require_fact


def _hand_turns(facts: Facts) -> list[float]:
    """Return the turns of each pair at the cursor, from the first pair on."""
    waves = facts.waves
    return [sum(waves.turn(pair, facts.state.position)) for pair in range(waves.pairs)]


def _distances_after_turn(facts: Facts) -> Floats:
    """Return the cosine distances of rows a turn of the slowest wave or more after the reference.

    Every sine needs its cosine, so that the distances can be computed quickly.
    """
    require(math.isfinite(facts.wavelengths[-1]))
    first = facts.state.reference + math.ceil(facts.wavelengths[-1])
    rows = range(max(first, facts.shown_rows.start), facts.shown_rows.stop)
    require(facts.waves.shift_invariant and 0 < len(rows) * facts.waves.pairs <= MOST_NUMBERS)
    return distance.from_reference(facts.e, facts.state.reference, rows, "cosine")


def _scores(facts: Facts) -> list[list[float]]:
    """Return the cosine similarity of each pair of words of the sentence, at their positions."""
    options: Any = require_fact(facts.state.options.get("tokens"))
    words = options.tokens
    require(options.words == "toy" and len(words) * facts.e.width <= MOST_NUMBERS)
    positions = range(facts.state.start, facts.state.start + len(words))
    rows = joined(toy_vectors(words, toy_width(facts.e)), facts.e, positions, options.join)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    scores: list[list[float]] = (rows @ rows.T).tolist()
    return scores


FACTS |= {
    # cosine distances after the first turn of the slowest wave
    "turned_nearest": lambda facts: float(_distances_after_turn(facts).min()),
    "turned_farthest": lambda facts: float(_distances_after_turn(facts).max()),
    "scores": _scores,  # scores[0][2] is the similarity of the first and the third word
    "hand_turns": _hand_turns,  # hand_turns[1] is the second pair
}
