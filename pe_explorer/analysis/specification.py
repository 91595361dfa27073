"""Whether two encodings mean the same: their frequencies, pair by pair, and their channels.

Frequencies are compared as whole numbers, in fixed point, so nothing depends on rounding. A pair
is off by |Δω| · offset radians where its frequencies differ by Δω, whole turns counted.
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
from pe_explorer.numeric.turns import DIGITS, ONE_TURN

_ROUNDING_NOISE = 1 << 32  # largest difference of two ways to one frequency: 2^-224 turns
_RATIO_OF_1 = 1 << 128  # the ratio of equal frequencies, in the units of `_ratio_above_1`
_QUERY_POSITION, _KEY_POSITION = 7, 3  # in the proof of a permutation


@dataclass(frozen=True)
class Comparison:
    """The differences between two encodings, pair by pair; pairs that only one has are left out."""

    ratios: Floats  # (pairs,), frequencies of the first divided by those of the second; 1 for 0 / 0
    differing: Ints  # the pairs whose frequencies differ by more than one part in 10^12
    largest: tuple[int, float]  # the pair whose ratio is farthest from 1, and that ratio
    differences: tuple[int, ...]  # of frequencies, in turns per position in fixed point
    pairs: tuple[int, int]  # how many pairs each of the two has
    attention: tuple[float, float]  # the factor of cosines and sines of each
    permutation: Ints | None
    """At each channel of the second, the channel of the first that does the same, (channels,);
    None where no permutation of channels makes the two equal."""

    @property
    def first_pair(self) -> int | None:
        """The first pair whose frequencies differ, None where all are the same."""
        return int(self.differing[0]) if len(self.differing) else None

    @property
    def differs(self) -> bool:
        """Whether the frequencies of any pair differ."""
        return len(self.differing) > 0

    @property
    def worst(self) -> int | None:
        """The pair whose angles part fastest, the first of equals; None where none part."""
        largest = max(self.differences)
        return self.differences.index(largest) if largest else None

    @property
    def is_permuted(self) -> bool:
        """Whether all is the same but for the order of channels."""
        return self.permutation is not None

    @property
    def is_identity(self) -> bool:
        """Whether all is the same, channel by channel."""
        found = self.permutation
        return found is not None and bool(np.array_equal(found, np.arange(len(found))))

    def first_beyond(self, tolerance: float) -> tuple[int, int] | None:
        """Return the first offset at which a pair is off by more than a tolerance, and the pair.

        The tolerance is in radians; raises `EncodingError` if it is no number from 0 on.
        """
        if not (isinstance(tolerance, int | float) and 0 <= tolerance < math.inf):
            raise EncodingError("tolerance", f"{tolerance} is no number of radians from 0 on")
        if self.worst is None:
            return None
        turns = Fraction(tolerance) / Fraction(TWO_PI)
        offset = math.floor(turns * ONE_TURN / self.differences[self.worst]) + 1
        return offset, self.worst

    def error(self, pair: int, offset: int) -> float:
        """Return by how many radians a pair is off at an offset, whole turns counted."""
        with localcontext() as context:
            context.prec = DIGITS
            return float(Decimal(self.differences[pair] * abs(offset)) * TWO_PI / ONE_TURN)


def compare(a: Encoding, b: Encoding) -> Comparison:
    """Return how two encodings differ; raises `EncodingError` for one without steady angles."""
    for e in (a, b):
        if problem := needs.steady(e):
            raise EncodingError("encoding", problem)
    assert isinstance(a, Steady)
    assert isinstance(b, Steady)
    both = list(zip(a.turns.fixed, b.turns.fixed, strict=False))
    ratios = np.array([_ratio(*pair) for pair in both])
    farness = [_ratio_above_1(*pair) for pair in both]
    pair = farness.index(max(farness))
    apart = [abs(one - other) for one, other in both]
    return Comparison(
        ratios=ratios,
        differing=np.array([i for i, pair in enumerate(both) if differ(*pair)], dtype=np.int64),
        largest=(pair, float(ratios[pair])),
        differences=tuple(each if each > _ROUNDING_NOISE else 0 for each in apart),
        pairs=(len(a.turns), len(b.turns)),
        attention=(a.amplitude, b.amplitude),
        permutation=_permutation(a, b),
    )


def unscaled(e: Encoding) -> Encoding:
    """Return what an encoding is compared with where nothing is pinned: itself, without scaling."""
    return e.unscaled if isinstance(e, Steady) else e


def _ratio(one: int, other: int) -> float:
    """Return the quotient of two frequencies, rounded once; 1 of two that are 0."""
    if other:
        return one / other
    return math.copysign(math.inf, one) if one else 1.0


def _ratio_above_1(one: int, other: int) -> float:
    """Return the ratio of two frequencies, the larger divided by the other, in units of 2^-128.

    It is a whole number: ratios that are the same but for rounding are equal.
    """
    small, large = sorted((abs(one), abs(other)))
    if not small:
        return math.inf if large else _RATIO_OF_1
    return (2 * large * _RATIO_OF_1 + small) // (2 * small)


# -- channels --------------------------------------------------------------------------------------


def _permutation(a: Steady, b: Steady) -> Ints | None:
    """Return which channel of `a` does what each channel of `b` does, None if that is not all."""
    if isinstance(a, Rotary) != isinstance(b, Rotary) or a.amplitude != b.amplitude:
        return None
    if a.origin != b.origin or len(a.turns) != len(b.turns):
        return None
    if any(differ(*pair) for pair in zip(a.turns.fixed, b.turns.fixed, strict=True)):
        return None
    of_a, of_b = _meanings(a), _meanings(b)
    order_a, order_b = np.lexsort(of_a), np.lexsort(of_b)
    if not np.array_equal(of_a[:, order_a], of_b[:, order_b]):
        return None
    found = np.empty(len(order_b), dtype=np.int64)
    found[order_b] = order_a
    return found


def _meanings(e: Steady) -> Ints:
    """Return two numbers for each channel that say what it does, shape (2, channels)."""
    if isinstance(e, Rotary):
        rest = np.arange(e.rotary, e.head_dim)
        return np.hstack([[e.channels.member_of, e.channels.pair_of], [rest, rest]])
    return np.array([e.sines & (e.wave_of >= 0), e.wave_of])  # one column at most has no wave


def permutation_code(permutation: Ints) -> str:
    """Return code that makes a permutation as `permutation`, with NumPy as `np`."""
    count = len(permutation)
    moved = np.flatnonzero(permutation != np.arange(count))
    if not len(moved):
        return f"permutation = np.arange({count})"
    turned = int(moved[-1]) + 2  # the last channel that is turned stays where it is
    rest = f", {turned}:{count}" if turned < count else ""
    for shape in ("-1, 2", f"2, {turned // 2}"):
        rows, columns = (int(part) for part in shape.split(", "))
        if turned % 2 or turned > count:
            continue
        regular = np.arange(turned).reshape(rows, columns).T.ravel()
        if np.array_equal(permutation[:turned], regular):
            code = f"np.arange({turned}).reshape({shape}).T.ravel()"
            return f"permutation = {f'np.r_[{code}{rest}]' if rest else code}"
    return f"permutation = np.array({permutation.tolist()})"


@dataclass(frozen=True)
class Proof:
    """The product of a rotated query and a rotated key, drawn at random, in several ways."""

    first: float  # by the first encoding
    second: float  # by the second with the channels as they are
    permuted: float  # by the second, with the channels in the order of the permutation
    deinterleaved: float | None  # as DeepSeek's code takes channels; None where none is rotated


def prove(a: Encoding, b: Encoding, permutation: Ints, seed: int = 0) -> Proof:
    """Return products of a random query and key, which are equal where a permutation is right.

    The query is at position 7 and the key at position 3; both have the same numbers for the same
    seed. An encoding that is added to them instead is added.
    """
    random = np.random.default_rng(seed)
    q, k = random.standard_normal((2, len(permutation)))
    deinterleaved = None
    if isinstance(a, Rotary):
        # What interleaved channels are called in the order of `a`.
        side_by_side = replace(a, layout="interleaved")  # type: ignore[call-arg]
        order = compare(a, side_by_side).permutation
        assert order is not None
        turned = [
            deinterleave(side_by_side, _applied(side_by_side, x[order], position))
            for x, position in ((q, _QUERY_POSITION), (k, _KEY_POSITION))
        ]
        deinterleaved = float(turned[0] @ turned[1])
    return Proof(
        _product(a, q, k),
        _product(b, q, k),
        _product(b, q[permutation], k[permutation]),
        deinterleaved,
    )


def deinterleave(e: Rotary, x: Floats) -> Floats:
    """Return channels in pairs side by side as all first members of pairs, then all second ones.

    DeepSeek's models rotate so, `apply_rotary_pos_emb_interleave` of transformers: what comes out
    is in another order than what goes in.
    """
    places = np.arange(e.rotary).reshape(-1, 2).T.ravel()
    return np.concatenate([x[..., places], x[..., e.rotary :]], axis=-1)


def _product(e: Encoding, q: Floats, k: Floats) -> float:
    return float(_applied(e, q, _QUERY_POSITION) @ _applied(e, k, _KEY_POSITION))


def _applied(e: Encoding, x: Floats, position: int) -> Floats:
    if isinstance(e, Rotary):
        return e.rotate(x[None], [position])[0]
    return x + e.table([position])[0]
