"""Facts that only lessons use."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from pe_explorer.analysis import curves, distance
from pe_explorer.analysis.tokens import compute_toy_width, join_rows
from pe_explorer.analysis.word_vectors import make_toy_vectors
from pe_explorer.arrays import Floats
from pe_explorer.encodings import Bias
from pe_explorer.words.facts import FACTS, MAX_VALUES, Facts, register_fact, require, require_fact

_PAIR_INDEX = 1  # index of the pair in the lesson on sines and cosines
_DECIMAL_COUNT = 3


def _compute_hand_turns(facts: Facts) -> list[float]:
    """Return the number of turns of each pair at the cursor."""
    waves = facts.waves
    return [sum(waves.turn(pair, facts.state.position)) for pair in range(waves.pairs)]


def _compute_turns_apart(facts: Facts) -> list[float]:
    """Return the number of turns of each pair from the reference to the cursor."""
    waves, offset = facts.waves, facts.state.position - facts.state.reference
    return [sum(waves.turns.turn(pair, offset)) for pair in range(waves.pairs)]


def _find_slowest_quarter(facts: Facts) -> int:
    """Return the first row in which every wave is at least a quarter turn past the reference."""
    require(math.isfinite(facts.wavelengths[-1]))
    return facts.state.reference + math.ceil(facts.wavelengths[-1] / 4)


def _compute_late_distances(facts: Facts) -> Floats:
    """Return the cosine distances of the shown rows that are not before `_find_slowest_quarter`.

    Each sine must have a matching cosine, so that the distances can be computed quickly.
    """
    rows = range(max(_find_slowest_quarter(facts), facts.shown_rows.start), facts.shown_rows.stop)
    require(facts.waves.is_shift_invariant and 0 < len(rows) * facts.waves.pairs <= MAX_VALUES)
    return distance.from_reference(facts.e, facts.state.reference, rows, "cosine")


def _compute_scores(facts: Facts) -> list[list[float]]:
    """Return the cosine similarity of each pair of words in the sentence."""
    options: Any = require_fact(facts.state.options.get("tokens"))
    words = options.tokens
    require(options.words == "toy" and options.join in ("sum", "words"))
    require(not isinstance(facts.e, Bias) and len(words) * facts.e.width <= MAX_VALUES)
    positions = range(facts.state.start, facts.state.start + len(words))
    vectors = make_toy_vectors(words, compute_toy_width(facts.e))
    rows = join_rows(vectors, facts.e, positions, options.join)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    scores: list[list[float]] = (rows @ rows.T).tolist()
    return scores


FACTS |= {
    "slowest_quarter": _find_slowest_quarter,
    # smallest and largest cosine distance of the shown rows from `slowest_quarter` on
    "late_nearest": lambda facts: float(_compute_late_distances(facts).min()),
    "late_farthest": lambda facts: float(_compute_late_distances(facts).max()),
    "scores": _compute_scores,  # scores[0][2] is the similarity of the first and the third word
    "hand_turns": _compute_hand_turns,  # number of turns of each pair at the cursor
    "unseen": lambda facts: len(facts["report"].new),  # number of pairs that reach unseen angles
    "turns_apart": _compute_turns_apart,
    # Cosine of the second pair at the cursor and at the reference. Then, differences between these
    # positions: of the sines, of the cosines, and of the sines k positions later.
    "hand_cosine": lambda facts: _round_number(
        math.cos(_compute_angle(facts, facts.state.position))
    ),
    "reference_cosine": lambda facts: _round_number(
        math.cos(_compute_angle(facts, facts.state.reference))
    ),
    "sine_gap": lambda facts: _compute_gap(facts, math.sin),
    "cosine_gap": lambda facts: _compute_gap(facts, math.cos),
    "result_gap": lambda facts: _compute_gap(facts, math.sin, facts["shift_by"]),
    # Sine of the second pair k positions after the cursor or the reference, as a sum of products.
    "sum_rule": lambda facts: _format_sum_rule(facts, facts.state.position),
    "reference_sum_rule": lambda facts: _format_sum_rule(facts, facts.state.reference),
    # Number of positions between the reference and the cursor. Then, the distance of neighbouring
    # rows minus that from the reference to the cursor, and the second divided by the first.
    "cursor_separation": lambda facts: abs(facts.state.position - facts.state.reference),
    "next_lead": lambda facts: facts["next_anywhere"] - _compute_far_distance(facts),
    "next_ratio": lambda facts: _compute_far_distance(facts) / facts["next_anywhere"],
}


@register_fact
def read_off(facts: Facts) -> list[float]:
    """Return the positions of the first two lines of the waves view."""
    options = facts.state.options.get("waves")
    places = [getattr(options, line, None) for line in ("line1", "line2")]
    return [require_fact(place) for place in places]


@register_fact
def line_gap(facts: Facts) -> float:
    """Return the absolute difference of the first curve's values at the first two lines.

    The lines must be at least two positions apart.
    """
    first, second = facts["read_off"]
    columns = sorted(getattr(facts.state.options["waves"], "dimensions", ()))[:1]
    require(abs(second - first) >= 2 and columns and columns[0] < facts.waves.width)
    first_value, second_value = (
        float(curves.heights(facts.e, columns, p)[0]) for p in (first, second)
    )
    return abs(first_value - second_value)


@register_fact
def nearer(facts: Facts) -> int:
    """Return how many shown rows are closer to the reference than its neighbours are."""
    offsets = np.abs(np.array(facts.shown_rows) - facts.state.reference)
    return int((facts.curve[offsets >= 2] < facts["next_anywhere"]).sum())


def _compute_angle(facts: Facts, position: int) -> float:
    require(facts.waves.pairs > _PAIR_INDEX)
    return math.tau * facts.waves.turn(_PAIR_INDEX, position)[1]


def _compute_gap(facts: Facts, function: Callable[[float], float], later: int = 0) -> float:
    ends = facts.state.position, facts.state.reference
    first_value, second_value = (function(_compute_angle(facts, end + later)) for end in ends)
    return abs(first_value - second_value)


def _format_sum_rule(facts: Facts, position: int) -> str:
    angle = _compute_angle(facts, position)
    by = math.tau * facts.waves.turns.turn(_PAIR_INDEX, facts["shift_by"])[1]
    factors = math.sin(angle), math.cos(by), math.cos(angle), math.sin(by)
    numbers = map(_round_number, (*factors, math.sin(angle + by)))
    sine, shift_cosine, cosine, shift_sine, total = (f"{n:.{_DECIMAL_COUNT}f}" for n in numbers)
    products = ((sine, shift_cosine), (cosine, shift_sine))
    terms = (f"{_add_brackets(a)}·{_add_brackets(b)}" for a, b in products)
    return f"{' + '.join(terms)} ≈ {total}"


def _add_brackets(number: str) -> str:
    return f"({number})" if number.startswith("-") else number


def _compute_far_distance(facts: Facts) -> float:
    require(facts["cursor_separation"] >= 2)
    distance_at_cursor: float = facts["cursor_distance"]
    return distance_at_cursor


def _round_number(number: float) -> float:
    return round(number, _DECIMAL_COUNT) + 0.0  # adding 0.0 turns -0.0 into 0.0
