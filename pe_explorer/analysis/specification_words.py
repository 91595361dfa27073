"""The differences between two encodings as short texts."""

import numpy as np

from pe_explorer.analysis.specification import Comparison
from pe_explorer.arrays import Ints
from pe_explorer.params import printed

_MAX_PERMUTATION_LENGTH = 8  # maximum length of a permutation that is written in full
_CHANNELS_PER_HALF = 3  # channels shown from each half of a longer permutation


def describe_differing_pairs(comparison: Comparison) -> str:
    """Describe how many pairs differ, and which pair is the first that differs."""
    count, total = len(comparison.differing), len(comparison.ratios)
    text = f"{count:,} of {total:,}, from pair {comparison.first_pair:,} on" if count else ""
    text = text or f"none of {total:,}"
    first, second = comparison.pairs
    if first == second:
        return text
    return f"{text}; with {first:,} and {second:,} pairs, only common pairs are compared"


def describe_largest_ratio(comparison: Comparison, first: str, second: str) -> str:
    """Describe the largest frequency ratio, its pair, and the encoding that rotates it faster."""
    pair, ratio = comparison.largest
    if not len(comparison.differing):
        return "1, for every pair"
    if abs(ratio) == 1:
        return f"pair {pair:,} rotates in the opposite direction"
    faster_name = first if abs(ratio) > 1 else second
    if not 0 < abs(ratio) < float("inf"):
        return f"pair {pair:,} rotates only in {faster_name}"
    larger_ratio_text = format_number(max(abs(ratio), 1 / abs(ratio)))
    return f"{larger_ratio_text}, pair {pair:,}, faster in {faster_name}"


def describe_first_offset(comparison: Comparison, tolerance: float) -> str:
    """Describe the offset at which an angle error first exceeds a tolerance in radians."""
    if (result := comparison.first_beyond(tolerance)) is None:
        return "at no offset"
    return f"from offset {format_number(result[0])} on, pair {result[1]:,}"


def attention(comparison: Comparison) -> str:
    """Describe both attention factors, with their squares unless both factors are 1."""
    first, second = comparison.attention
    if first == second == 1:
        return "1 and 1"
    first_text, second_text, *squares = map(printed.factor, (first, second, first**2, second**2))
    return f"{first_text} and {second_text}, squared {' and '.join(squares)}"


def order(comparison: Comparison) -> str:
    """Describe the permutation of the first encoding's channels that gives the second encoding."""
    if comparison.permutation is None:
        return "none makes them equal"
    return "the same" if comparison.is_identity else abbreviate(comparison.permutation)


def abbreviate(permutation: Ints) -> str:
    """Return a permutation as text, shortened to a few channels if it is long."""
    texts = list(map(str, permutation.tolist()))
    if len(texts) <= _MAX_PERMUTATION_LENGTH:
        return ", ".join(texts)
    descents = np.flatnonzero(np.diff(permutation) < 0) + 1
    second_half_start = int(descents[0]) if len(descents) else len(texts)
    if second_half_start < _CHANNELS_PER_HALF:  # channels of both halves alternate
        return f"{', '.join(texts[: 2 * _CHANNELS_PER_HALF])}, …"
    parts = [texts[start:][:_CHANNELS_PER_HALF] for start in (0, second_half_start)]
    return " ".join(f"{', '.join(part)}, …" for part in parts if part)


def format_number(value: float) -> str:
    """Format a number with four significant digits, or as an integer if it is at least 1,000."""
    return "infinite" if value == float("inf") else printed.format_rounded(value)
