"""The differences between two encodings, in few words."""

import numpy as np

from pe_explorer.analysis.specification import Comparison
from pe_explorer.arrays import Ints
from pe_explorer.params import printed

_MOST_WRITTEN_OUT = 8  # channels of a permutation that is written out
_SHOWN_OF_HALF = 3  # channels of each half of a longer one


def differing(found: Comparison) -> str:
    """Return how many pairs differ, and the first of them."""
    count, total = len(found.differing), len(found.ratios)
    others = ""
    if len(set(found.pairs)) > 1:
        first, second = found.pairs
        others = f"; {first:,} pairs and {second:,}: those of both are compared by number"
    if not count:
        return f"none of {total:,}{others}"
    return f"{count:,} of {total:,}, from pair {found.first_pair:,} on{others}"


def largest(found: Comparison, first: str, second: str) -> str:
    """Return the largest ratio above 1, and which of the two encodings turns its pair faster."""
    pair, ratio = found.largest
    if not len(found.differing):
        return "1, for every pair"
    if abs(ratio) == 1:
        return f"pair {pair:,} turns the other way"
    faster = first if abs(ratio) > 1 else second
    times = number(max(abs(ratio), 1 / abs(ratio)) if ratio else float("inf"))
    if times == "infinite":
        return f"pair {pair:,} turns in {faster} only"
    return f"{times}, pair {pair:,}, faster in {faster}"


def beyond(found: Comparison, tolerance: float) -> str:
    """Return from which offset on a pair is off by more than a tolerance in radians."""
    there = found.first_beyond(tolerance)
    if there is None:
        return "at no offset"
    offset, pair = there
    return f"from offset {number(offset)} on, pair {pair:,}"


def attention(found: Comparison) -> str:
    """Return both attention factors, and their squares where they are not 1."""
    first, second = found.attention
    if first == second == 1:
        return "1 and 1"
    one, two, *squares = map(printed.factor, (first, second, first**2, second**2))
    return f"{one} and {two}, squared {' and '.join(squares)}"


def order(found: Comparison) -> str:
    """Return in which order the channels of the first do what those of the second do."""
    if found.permutation is None:
        return "none makes them equal"
    return "the same" if found.is_identity else in_few_numbers(found.permutation)


def in_few_numbers(permutation: Ints) -> str:
    """Return a permutation as text, a long one by its first numbers and where it begins anew."""
    numbers = permutation.tolist()
    if len(numbers) <= _MOST_WRITTEN_OUT:
        return ", ".join(map(str, numbers))
    falls = np.flatnonzero(np.diff(permutation) < 0) + 1
    begins = int(falls[0]) if len(falls) else len(numbers)
    if begins < _SHOWN_OF_HALF:  # each two begin anew
        return f"{', '.join(map(str, numbers[: 2 * _SHOWN_OF_HALF]))}, …"
    parts = [numbers[:_SHOWN_OF_HALF], numbers[begins : begins + _SHOWN_OF_HALF]]
    return " ".join(f"{', '.join(map(str, part))}, …" for part in parts if part)


def number(value: float) -> str:
    """Return a number with four digits, or from 1,000 on without a fraction."""
    return "infinite" if value == float("inf") else printed.rounded(value)
