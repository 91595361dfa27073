"""Pairs that reach unseen angles beyond the training length.

A pair that completes a turn within the training length L has seen every angle. Any
other pair has seen only angles up to L·ω, where ω is the frequency before scaling. If
ω' is the frequency at a length N, the pair reaches unseen angles when N·ω' > L·ω.
Lengths and frequencies are compared as integers, so rounding has no effect.
"""

import math
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from pe_explorer.arrays import Floats, Ints
from pe_explorer.encodings import LIMIT, Steady
from pe_explorer.encodings.abilities.checks import to_whole_number
from pe_explorer.numeric.turns import DECIMAL_DIGITS, ONE_TURN
from pe_explorer.params import Optional, Whole, find_used_parameters

_BASE_NAMES = ("rope_theta", "base")  # names of the base in different schemes
_ORIGINAL_LENGTH_FIELD = "original_max_position_embeddings"
_DEFAULT_LENGTH_RATIO = 4  # default ratio of the target length to the training length
_TYPES_WITH_FACTOR = ("linear", "ntk", "dynamic", "yarn", "longrope", "llama3")
_RATIO_RESOLUTION = 10**12  # relative differences below the reciprocal of this number are ignored


def _make_length_option(label: str, auto: str, meaning: str) -> Optional:
    parameter = Whole(32_768, 1, LIMIT, label=label, unit="positions", help=meaning)
    return Optional(None, parameter, auto=auto)


TRAINING_LENGTH = _make_length_option(
    "Trained",
    "from the encoding, or the number of positions shown",
    "Training length: a whole number up to 2^53, such as 8192 or 32Ki.",
)
TARGET_LENGTH = _make_length_option(
    "Target",
    "from the encoding, or 4 times the training length",
    "Target length: a whole number up to 2^53, such as 32768 or 128Ki.",
)


class LengthPair(NamedTuple):
    """A training length and a target length, in positions."""

    trained: int
    target: int


@dataclass(frozen=True)
class ContextReport:
    """The pairs of an encoding, grouped by the angles that they reach at a target length."""

    turned: Ints  # the pairs that complete a turn within the training length
    within: Ints  # the other pairs that reach only angles seen in training
    new: Ints  # the other pairs that reach unseen angles
    worst: tuple[int, float] | None  # the pair in `new` whose angle grows most, and the factor
    longest: float  # the maximum length without unseen angles; infinite if there is no limit

    @property
    def never_turned(self) -> Ints:
        """The pairs that do not complete a turn within the training length."""
        return np.sort(np.concatenate([self.within, self.new]))


@lru_cache(maxsize=8)  # the Explain panel uses several values of the same report
def report(e: Steady, trained: int, target: int) -> ContextReport:
    """Return a report on the pairs that reach unseen angles at a target length.

    Turns within the training length are counted with the unscaled frequencies. Lengths are
    in positions. Raise `EncodingError` if a length is not an integer from 1 to 2^53.
    """
    trained, target = to_whole_number(trained, "trained", 1), to_whole_number(target, "target", 1)
    unscaled, scaled_turns = (map(abs, turns.fixed) for turns in (e.unscaled.turns, e.turns))
    is_completed = e.unscaled.completes_turn(trained)
    turned, within, new = [], [], []
    worst: tuple[int, float] | None = None
    longest = math.inf
    for pair, (unscaled_turn, turn) in enumerate(zip(unscaled, scaled_turns, strict=True)):
        if is_completed[pair]:
            turned.append(pair)
            continue
        limit = trained * unscaled_turn * (_RATIO_RESOLUTION + 1)
        if turn:
            longest = min(longest, -(-limit // (turn * _RATIO_RESOLUTION)) - 1)
        if target * turn * _RATIO_RESOLUTION < limit or not turn:
            within.append(pair)
            continue
        new.append(pair)
        ratio = target * turn / (trained * unscaled_turn) if unscaled_turn else math.inf
        if worst is None or ratio > worst[1]:
            worst = pair, ratio
    return ContextReport(_to_array(turned), _to_array(within), _to_array(new), worst, longest)


def resolve_lengths(e: Steady, trained: int | None, target: int | None, count: int) -> LengthPair:
    """Return both lengths; a missing length is derived from the parameters of the scheme.

    If no parameter states the training length, it defaults to `count`, the number of
    positions, because a newly opened model shows all positions of its training.
    """
    parameters = {name: e.parameters[name] for name in find_used_parameters(e)}
    if trained is None:
        trained = int(parameters.get(_ORIGINAL_LENGTH_FIELD, count))
    if target is None:
        factor = parameters.get("factor", 1.0)
        length_ratio = factor if factor > 1 else _DEFAULT_LENGTH_RATIO
        target = parameters.get("sequence_length") or min(LIMIT, round(length_ratio * trained))
    return LengthPair(trained, target)


def adapt_to_length(e: Steady, trained: int, target: int) -> Steady:
    """Return the encoding with the frequencies that it has at the target length."""
    if target <= trained or "sequence_length" not in find_used_parameters(e):
        return e
    return replace(e, sequence_length=target)  # type: ignore[call-arg]


def base_for(e: Steady, trained: int, target: int) -> float | None:
    """Return the smallest base that avoids unseen angles at a target length.

    The result is at least the current base. It applies to the encoding without scaling,
    because a larger base replaces scaling. Let ω be the frequency of the first pair that
    does not complete a turn within the training length. Of all pairs that do not complete a
    turn, a larger base slows this pair least, so this pair determines the result::

        base' = base^(1 + ln(target/trained) / ln(ω_0/ω))

    Return infinity if the result is too large for float64. Return None if the encoding has
    no base, or if pair 0 does not complete a turn within the training length, because the
    frequency of pair 0 does not depend on the base. Raise the same exceptions as `report`.
    """
    length_ratio, base = compute_slowdown(e, trained, target), find_base(e)
    if length_ratio is None or base is None:
        return None
    with localcontext() as decimal_context:
        decimal_context.prec = DECIMAL_DIGITS
        return float(Decimal(base) ** (1 + length_ratio))


def find_base(e: Steady) -> float | None:
    """Return the base of an encoding, or None if it has no base."""
    return next((e.parameters[name] for name in _BASE_NAMES if name in e.parameters), None)


def replace_base(e: Steady, base: float) -> Steady:
    """Return the unscaled encoding with another base; raise `EncodingError` if it is invalid."""
    unscaled = e.unscaled
    fields: dict[str, Any] = {name: base for name in _BASE_NAMES if name in e.parameters}
    if unscaled.parameters.get("rope_type") in _TYPES_WITH_FACTOR:
        fields["rope_type"] = "default"
    return replace(unscaled, **fields)


def turns(e: Steady, trained: int, target: int) -> Floats:
    """Return the number of turns of each pair within both lengths, shape (pairs, 2).

    Turns within the training length are counted without scaling. Frequencies that depend on
    the length in use are those at the target. Each value is rounded once. Raise the same
    exceptions as `report`.
    """
    trained, target = to_whole_number(trained, "trained", 1), to_whole_number(target, "target", 1)
    lengths = (trained, e.unscaled), (target, adapt_to_length(e, trained, target))
    columns = [[n * abs(t) / ONE_TURN for t in scheme.turns.fixed] for n, scheme in lengths]
    return np.array(columns, dtype=np.float64).T


def find_first_incomplete_pair(e: Steady, trained: int) -> int | None:
    """Return the first rotating pair without a full turn within `trained`; None if all have one."""
    fixed = map(abs, e.unscaled.turns.fixed)
    return next((i for i, turns in enumerate(fixed) if turns and trained * turns < ONE_TURN), None)


def compute_slowdown(e: Steady, trained: int, target: int) -> Decimal | None:
    """Return ln(target/trained) / ln(ω_0/ω), the increase of the base's exponent.

    `base_for` explains the formula. Return 0 if no pair reaches unseen angles, and None if
    pair 0 does not complete a turn within the training length.
    """
    trained, target = to_whole_number(trained, "trained", 1), to_whole_number(target, "target", 1)
    turns = list(map(abs, e.unscaled.turns.fixed))
    if trained * turns[0] < ONE_TURN:
        return None
    pair = find_first_incomplete_pair(e, trained)
    if pair is None or target <= trained:
        return Decimal(0)
    with localcontext() as decimal_context:
        decimal_context.prec = DECIMAL_DIGITS
        log_ratio = Decimal(turns[0]).ln() - Decimal(turns[pair]).ln()
        return (Decimal(target).ln() - Decimal(trained).ln()) / log_ratio


def find_changed_pairs(e: Steady) -> Ints:
    """Return the pairs whose frequencies scaling changes by at least 1e-12 (relative)."""
    turns = zip(e.unscaled.turns.fixed, e.turns.fixed, strict=True)
    return _to_array([pair for pair, frequencies in enumerate(turns) if differ(*frequencies)])


def compute_speed_ups(e: Steady) -> dict[int, float]:
    """Return the ratio of scaled to unscaled frequency for each pair that scaling speeds up."""
    turns = enumerate(zip(e.unscaled.turns.fixed, e.turns.fixed, strict=True))
    ratios = {pair: abs(new / old) for pair, (old, new) in turns if old and differ(old, new)}
    return {pair: ratio for pair, ratio in ratios.items() if ratio > 1}


def differ(a: int, b: int) -> bool:
    """Return whether two frequencies in fixed point differ by at least 1e-12 (relative)."""
    return abs(a - b) * _RATIO_RESOLUTION >= max(abs(a), abs(b)) and a != b


def _to_array(pairs: list[int]) -> Ints:
    return np.array(pairs, dtype=np.int64)
