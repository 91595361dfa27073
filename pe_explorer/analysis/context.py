"""What a longer text asks of an encoding: pairs that reach angles which training never had.

A pair that made a whole turn in the trained length T has seen every angle. One that did not has
seen angles up to T·ω only, with ω its frequency before any scaling; at a length N, where its
frequency is ω', it meets new ones if N·ω' is larger. Lengths and frequencies are compared as
whole numbers, so nothing depends on rounding.
"""

import math
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import LIMIT, Steady
from pe_explorer.encodings.abilities.checks import as_whole
from pe_explorer.numeric.turns import DIGITS, ONE_TURN
from pe_explorer.params import Optional, Whole, used

BASES = ("rope_theta", "base")  # the names of the parameter base in different schemes
_ORIGINAL = "original_max_position_embeddings"
_USUAL_STRETCH = 4  # target divided by the trained length, where nothing declares a target
_NEUTRAL_AT_ONE = ("linear", "ntk", "dynamic", "yarn", "longrope", "llama3")  # with a factor of 1
_RESOLUTION = 10**12  # what differs by less than one part in this many counts as equal


def _length(label: str, auto: str, meaning: str) -> Optional:
    inner = Whole(32_768, 1, LIMIT, label=label, unit="positions", help=meaning)
    return Optional(None, inner, auto=auto)


TRAINED = _length(
    "Trained",
    "that of the scheme, or as many as are shown",
    "The length of training. Any whole number up to 2^53 can be typed, also as 32Ki.",
)
TARGET = _length(
    "Target",
    "what the scheme is set for, or 4 times the trained length",
    "The length that texts are to have. Any whole number up to 2^53 can be typed, also as 128Ki.",
)


class Lengths(NamedTuple):
    """A trained length and a target, in positions."""

    trained: int
    target: int


@dataclass(frozen=True)
class Report:
    """What the pairs of an encoding meet at a length beyond the trained one."""

    turned: Ints  # the pairs that made a whole turn in training, and so have seen every angle
    within: Ints  # those that did not, and meet no larger angle than in training
    new: Ints  # those that did not, and meet larger ones
    worst: tuple[int, float] | None  # the first pair whose angles grow most, and their factor
    longest: float  # whole number of positions at which no pair meets a new angle; inf for any

    @property
    def never_turned(self) -> Ints:
        """The pairs that made no whole turn in training."""
        return np.sort(np.concatenate([self.within, self.new]))


@lru_cache(maxsize=8)  # the Explain panel asks for several numbers of the same report
def report(e: Steady, trained: int, target: int) -> Report:
    """Return what the pairs of an encoding meet at a length.

    Turns in training are counted on the unscaled frequencies. Lengths are in positions; raises
    `EncodingError` if one is not a whole number from 1 to 2^53.
    """
    trained, target = as_whole(trained, "trained", 1), as_whole(target, "target", 1)
    before, now = e.unscaled.turns.fixed, e.turns.fixed
    turned, within, new = [], [], []
    worst: tuple[int, float] | None = None
    longest = math.inf
    for pair, (old, fixed) in enumerate(zip(map(abs, before), map(abs, now), strict=True)):
        if trained * old >= ONE_TURN:
            turned.append(pair)
            continue
        if fixed:
            first_larger = -(-trained * old * (_RESOLUTION + 1) // (fixed * _RESOLUTION))
            longest = min(longest, first_larger - 1)
        if target * fixed * _RESOLUTION < trained * old * (_RESOLUTION + 1) or not fixed:
            within.append(pair)
            continue
        new.append(pair)
        ratio = target * fixed / (trained * old) if old else math.inf
        if worst is None or ratio > worst[1]:
            worst = pair, ratio
    return Report(_numbers(turned), _numbers(within), _numbers(new), worst, longest)


def lengths_of(e: Steady, trained: int | None, target: int | None, shown: int) -> Lengths:
    """Return two lengths; one that is not given is that of the scheme or follows from it.

    A scheme that takes no trained length is looked at as if it was trained with as many positions
    as are `shown`: a model opens with those of its training.
    """
    kinds, parameters = used(e), e.parameters
    if trained is None:
        trained = parameters[_ORIGINAL] if _ORIGINAL in kinds else shown
    if target is None:
        in_use = parameters["sequence_length"] if "sequence_length" in kinds else None
        factor = parameters["factor"] if "factor" in kinds else 1.0
        stretch = factor if factor > 1 else _USUAL_STRETCH
        target = in_use or min(LIMIT, round(stretch * trained))
    return Lengths(trained, target)


def in_use(e: Steady, trained: int, target: int) -> Steady:
    """Return an encoding as it is at a length, on which the frequencies of some types depend."""
    if target <= trained or "sequence_length" not in used(e):
        return e
    return replace(e, sequence_length=target)  # type: ignore[call-arg]


def base_for(e: Steady, trained: int, target: int) -> float | None:
    """Return the least base, from that of the encoding on, at which no pair is new at a length.

    No type scales the frequencies then: a larger base alone slows them. The first pair that did
    not turn in training, of frequency ω, decides, since it is slowed least::

        base' = base^(1 + ln(target/trained) / ln(ω_0/ω))

    It is infinite where it is too large for float64, and None where not even pair 0 turned in
    training, whose frequency does not depend on the base, and where there is no base. Raises what
    `report` raises.
    """
    stretch, base = slowing_for(e, trained, target), base_of(e)
    if stretch is None or base is None:
        return None
    with localcontext() as context:
        context.prec = DIGITS
        return float(Decimal(base) ** (1 + stretch))


def base_of(e: Steady) -> float | None:
    """Return the base of an encoding, None where it has none."""
    return next((e.parameters[name] for name in BASES if name in e.parameters), None)


def with_base(e: Steady, base: float) -> Steady:
    """Return an encoding without scaling, and with another base; raises if it cannot have it."""
    plain = e.unscaled
    changed: dict[str, Any] = {name: base for name in BASES if name in e.parameters}
    if plain.parameters.get("rope_type") in _NEUTRAL_AT_ONE:
        changed["rope_type"] = "default"
    return replace(plain, **changed)


def turns(e: Steady, trained: int, target: int) -> Floats:
    """Return the turns of each pair in training, without scaling, and at the target: (pairs, 2).

    Each is rounded once. Frequencies that depend on the length in use are those of the target.
    Raises what `report` raises.
    """
    trained, target = as_whole(trained, "trained", 1), as_whole(target, "target", 1)
    both = zip(e.unscaled.turns.fixed, in_use(e, trained, target).turns.fixed, strict=True)
    rows = [(trained * abs(old) / ONE_TURN, target * abs(new) / ONE_TURN) for old, new in both]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def first_unturned(e: Steady, trained: int) -> int | None:
    """Return the first pair that turns at all and made no whole turn in training, None for none."""
    fixed = map(abs, e.unscaled.turns.fixed)
    return next((pair for pair, old in enumerate(fixed) if old and trained * old < ONE_TURN), None)


def slowing_for(e: Steady, trained: int, target: int) -> Decimal | None:
    """Return ln(target/trained) / ln(ω_0/ω), by which the exponent of the base must grow.

    It is 0 where no pair is new, and None where not even pair 0 turned; see `base_for`.
    """
    trained, target = as_whole(trained, "trained", 1), as_whole(target, "target", 1)
    fixed = [abs(each) for each in e.unscaled.turns.fixed]
    if trained * fixed[0] < ONE_TURN:
        return None
    first = first_unturned(e, trained)
    if first is None or target <= trained:
        return Decimal(0)
    with localcontext() as context:
        context.prec = DIGITS
        fall = Decimal(fixed[0]).ln() - Decimal(fixed[first]).ln()
        return (Decimal(target).ln() - Decimal(trained).ln()) / fall


def changed(e: Steady) -> Ints:
    """Return the numbers of the pairs whose frequencies a scaling changes, by 1e-12 or more."""
    both = zip(e.unscaled.turns.fixed, e.turns.fixed, strict=True)
    return _numbers([pair for pair, (old, now) in enumerate(both) if differ(old, now)])


def sped_up(e: Steady) -> dict[int, float]:
    """Return by how much each pair turns faster than without scaling, those that do."""
    before, now = e.unscaled.turns.fixed, e.turns.fixed
    ratios = {pair: abs(now[pair] / before[pair]) for pair in changed(e).tolist() if before[pair]}
    return {pair: ratio for pair, ratio in ratios.items() if ratio > 1}


def differ(one: int, other: int) -> bool:
    """Return whether two frequencies, in fixed point, are apart by one part in 10^12 or more."""
    return abs(one - other) * _RESOLUTION >= max(abs(one), abs(other)) and one != other


def _numbers(pairs: list[int]) -> Ints:
    return np.array(pairs, dtype=np.int64)
