"""Comparison of two encodings: their frequencies, pair by pair, and their channels.

Frequencies are compared in fixed point, as integers, so rounding has no effect. If the frequencies
of a pair differ by Δω, its angle error at an offset is |Δω| · offset radians, including whole
turns.
"""

import math
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np

from pe_explorer.analysis.context import differ
from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import Encoding, EncodingError, Rotary, Steady, needs
from pe_explorer.numeric.phasors import TWO_PI
from pe_explorer.numeric.turns import DECIMAL_DIGITS, ONE_TURN

_ROUNDING_NOISE = 1 << 32  # rounding error of a frequency: 2^-224 turns
_EQUAL_RATIO = 1 << 128  # the ratio of equal frequencies, in the units of `_compute_larger_ratio`
_QUERY_POSITION, _KEY_POSITION = 7, 3  # positions of the query and the key in `prove`


@dataclass(frozen=True)
class Comparison:
    """The differences between two encodings, for the pairs that exist in both."""

    ratios: Floats  # ratio of the first to the second frequency, shape (pairs,); 1 if both are 0
    differing: Ints  # the pairs whose frequencies differ by at least 1e-12 (relative)
    largest: tuple[int, float]  # the pair whose ratio is farthest from 1, and the ratio
    differences: tuple[int, ...]  # the absolute differences between frequencies in fixed point
    pairs: tuple[int, int]  # the number of pairs of each encoding
    attention: tuple[float, float]  # the attention factor of each encoding
    permutation: Ints | None
    """The channel of the first encoding that is equivalent to each channel of the second, shape
    (channels,); None if no permutation of channels makes the encodings equal."""

    @property
    def first_pair(self) -> int | None:
        """The first pair whose frequencies differ; None if all frequencies are equal."""
        return int(self.differing[0]) if len(self.differing) else None

    @property
    def differs(self) -> bool:
        """Whether the frequencies of any pair differ."""
        return len(self.differing) > 0

    @property
    def worst(self) -> int | None:
        """The first pair with the largest difference between frequencies; None if all are equal."""
        largest = max(self.differences)
        return self.differences.index(largest) if largest else None

    @property
    def is_permuted(self) -> bool:
        """Whether the encodings are equal up to a permutation of channels."""
        return self.permutation is not None

    @property
    def is_identity(self) -> bool:
        """Whether the encodings are equal, channel by channel."""
        order = self.permutation
        return order is not None and bool(np.array_equal(order, np.arange(len(order))))

    def first_beyond(self, tolerance: float) -> tuple[int, int] | None:
        """Return the first offset at which the angle error of a pair exceeds a tolerance.

        The result also contains the pair. The tolerance is in radians. Return None if all
        frequencies are equal. Raise `EncodingError` if the tolerance is negative or not a
        finite number.
        """
        if not (isinstance(tolerance, int | float) and 0 <= tolerance < math.inf):
            raise EncodingError("tolerance", f"expected at least 0 radians, got {tolerance}")
        if self.worst is None:
            return None
        turns = Fraction(tolerance) / Fraction(TWO_PI)
        offset = math.floor(turns * ONE_TURN / self.differences[self.worst]) + 1
        return offset, self.worst

    def error(self, pair: int, offset: int) -> float:
        """Return the angle error of a pair at an offset in radians, including whole turns."""
        with localcontext() as context:
            context.prec = DECIMAL_DIGITS
            return float(Decimal(self.differences[pair] * abs(offset)) * TWO_PI / ONE_TURN)


def compare(a: Encoding, b: Encoding) -> Comparison:
    """Return a comparison of two encodings; raise `EncodingError` unless both are `Steady`."""
    for e in (a, b):
        if problem := needs.steady(e):
            raise EncodingError("encoding", problem)
    assert isinstance(a, Steady)
    assert isinstance(b, Steady)
    frequencies = list(zip(a.turns.fixed, b.turns.fixed, strict=False))
    ratios = [_compute_ratio(*pair) for pair in frequencies]
    larger_ratios = [_compute_larger_ratio(*pair) for pair in frequencies]
    largest_pair = larger_ratios.index(max(larger_ratios))
    differences = [abs(first - second) for first, second in frequencies]
    differing = [index for index, pair in enumerate(frequencies) if differ(*pair)]
    return Comparison(
        ratios=np.array(ratios),
        differing=np.array(differing, dtype=np.int64),
        largest=(largest_pair, ratios[largest_pair]),
        differences=tuple(value if value > _ROUNDING_NOISE else 0 for value in differences),
        pairs=(len(a.turns), len(b.turns)),
        attention=(a.amplitude, b.amplitude),
        permutation=_find_permutation(a, b),
    )


def unscaled(e: Encoding) -> Encoding:
    """Return the encoding without scaling, for comparisons if no encoding is pinned."""
    return e.unscaled if isinstance(e, Steady) else e


def _compute_ratio(first: int, second: int) -> float:
    if second:
        return first / second
    return math.copysign(math.inf, first) if first else 1.0


def _compute_larger_ratio(first: int, second: int) -> float:
    """Return the larger of two frequencies divided by the smaller, in units of 2^-128.

    The result is rounded to an integer, so that ratios that differ only by rounding are
    equal.
    """
    smaller_frequency, larger_frequency = sorted((abs(first), abs(second)))
    if not smaller_frequency:
        return math.inf if larger_frequency else _EQUAL_RATIO
    return (2 * larger_frequency * _EQUAL_RATIO + smaller_frequency) // (2 * smaller_frequency)


def _find_permutation(a: Steady, b: Steady) -> Ints | None:
    """Return the channel of `a` for each channel of `b`, or None if no permutation exists."""
    if isinstance(a, Rotary) != isinstance(b, Rotary) or a.amplitude != b.amplitude:
        return None
    if a.origin != b.origin or len(a.turns) != len(b.turns):
        return None
    if any(differ(*pair) for pair in zip(a.turns.fixed, b.turns.fixed, strict=True)):
        return None
    meanings_a, meanings_b = _list_channel_meanings(a), _list_channel_meanings(b)
    order_a, order_b = np.lexsort(meanings_a), np.lexsort(meanings_b)
    if not np.array_equal(meanings_a[:, order_a], meanings_b[:, order_b]):
        return None
    return order_a[np.argsort(order_b)]


def _list_channel_meanings(e: Steady) -> Ints:
    """Return two numbers that identify the role of each channel, shape (2, channels)."""
    if isinstance(e, Rotary):
        unrotated_channels = np.arange(e.rotary, e.head_dim)
        return np.hstack(
            [
                [e.channels.member_indices, e.channels.pair_indices],
                [unrotated_channels, unrotated_channels],
            ]
        )
    # These numbers are unique, because at most one column has no wave.
    return np.array([e.sines & (e.wave_indices >= 0), e.wave_indices])


def format_permutation_code(permutation: Ints) -> str:
    """Return NumPy code that assigns a permutation to the variable `permutation`."""
    count = len(permutation)
    moved_channels = np.flatnonzero(permutation != np.arange(count))
    if not len(moved_channels):
        return f"permutation = np.arange({count})"
    rotated_count = int(moved_channels[-1]) + 2  # the last rotated channel is not moved, so add 2
    if rotated_count % 2 == 0 and rotated_count <= count:
        for rows, columns in ((-1, 2), (2, rotated_count // 2)):
            transposed_order = np.arange(rotated_count).reshape(rows, columns).T.ravel()
            if np.array_equal(permutation[:rotated_count], transposed_order):
                code = f"np.arange({rotated_count}).reshape({rows}, {columns}).T.ravel()"
                if rotated_count < count:
                    code = f"np.r_[{code}, {rotated_count}:{count}]"
                return f"permutation = {code}"
    return f"permutation = np.array({permutation.tolist()})"


@dataclass(frozen=True)
class Proof:
    """The product of a random query and key after encoding, computed in several ways."""

    first: float  # the product with the first encoding
    second: float  # the product with the second encoding, before permuting channels
    permuted: float  # the product with the second encoding, after permuting channels
    deinterleaved: float | None  # for rotary encodings, the product in DeepSeek's channel order


def prove(a: Encoding, b: Encoding, permutation: Ints, seed: int = 0) -> Proof:
    """Return products of a random query and key, which are equal if a permutation is correct.

    The query is at position 7 and the key at position 3; their values depend only on the seed. An
    encoding that is not rotary is added to the query and the key.
    """
    random = np.random.default_rng(seed)
    q, k = random.standard_normal((2, len(permutation)))
    deinterleaved = None
    if isinstance(a, Rotary):
        interleaved_e = replace(a, layout="interleaved")  # type: ignore[call-arg]
        order = compare(a, interleaved_e).permutation
        assert order is not None
        query = deinterleave(
            interleaved_e, _apply_encoding(interleaved_e, q[order], _QUERY_POSITION)
        )
        key = deinterleave(interleaved_e, _apply_encoding(interleaved_e, k[order], _KEY_POSITION))
        deinterleaved = float(query @ key)
    permuted = _compute_product(b, q[permutation], k[permutation])
    return Proof(_compute_product(a, q, k), _compute_product(b, q, k), permuted, deinterleaved)


def deinterleave(e: Rotary, x: Floats) -> Floats:
    """Reorder interleaved channels: the first channels of all pairs, then the second channels.

    DeepSeek's models return rotated channels in this order; see
    `apply_rotary_pos_emb_interleave` in transformers. Channels that are not rotated remain
    last.
    """
    order = np.arange(e.rotary).reshape(-1, 2).T.ravel()
    return np.concatenate([x[..., order], x[..., e.rotary :]], axis=-1)


def _compute_product(e: Encoding, q: Floats, k: Floats) -> float:
    return float(_apply_encoding(e, q, _QUERY_POSITION) @ _apply_encoding(e, k, _KEY_POSITION))


def _apply_encoding(e: Encoding, x: Floats, position: int) -> Floats:
    if isinstance(e, Rotary):
        return e.rotate(x[None], [position])[0]
    return x + e.table([position])[0]
