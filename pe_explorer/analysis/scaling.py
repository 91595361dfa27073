"""What each type of RoPE does to a model that is read beyond its trained length, and its cost."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Any

from pe_explorer.analysis import context
from pe_explorer.analysis.context import Report
from pe_explorer.encodings import LIMIT, EncodingError, Steady
from pe_explorer.encodings.rope import Rope
from pe_explorer.numeric.turns import DIGITS, ONE_TURN

TYPES = ("default", "linear", "ntk", "dynamic", "yarn", "llama3")
"""The types that are compared, and `longrope` besides where its lists are given."""
FAST_TURNS = 32  # turns in training that make a pair fast enough to distinguish neighbours
_TYPES_WITH_LARGER_BASE = ("ntk", "dynamic")
_TYPES_BY_SHARES = ("linear", "yarn", "llama3", "proportional")


@dataclass(frozen=True)
class Scaling:
    """What one encoding does at a length beyond the trained one."""

    encoding: Steady  # as it is at that length
    report: Report
    changed: int  # the number of pairs that a scaling changes
    slowest: float  # positions that a turn of the slowest pair takes; infinite where none turns
    slowed: float | None  # the most that a pair of `FAST_TURNS` in training is slowed, if any
    attention: float  # the factor of cosines and sines


def scaling(e: Steady, trained: int, target: int) -> Scaling:
    """Return what an encoding does at a length, as it is in use there."""
    e = context.in_use(e, trained, target)
    now = [abs(each) for each in e.turns.fixed]
    before = map(abs, e.unscaled.turns.fixed)
    ratios = [
        old / fixed
        for old, fixed in zip(before, now, strict=True)
        if fixed and trained * old >= FAST_TURNS * ONE_TURN
    ]
    turning = [fixed for fixed in now if fixed]
    return Scaling(
        e,
        context.report(e, trained, target),
        len(context.changed(e)),
        ONE_TURN / min(turning) if turning else float("inf"),
        max(ratios, default=None),
        e.amplitude,
    )


def scaled(e: Rope, rope_type: str, trained: int, target: int) -> Rope:
    """Return an encoding with a type that makes of the trained length the target.

    The factor is target / trained, and at least 1; raises `EncodingError` if the type cannot have
    it.
    """
    return with_factor(e, rope_type, trained, target, max(1.0, target / trained))


def with_factor(e: Rope, rope_type: str, trained: int, target: int, factor: float) -> Rope:
    """Return an encoding with a type and a factor; raises `EncodingError` as `scaled` does."""
    fields: dict[str, Any] = {"rope_type": rope_type, "attention": None, "sequence_length": None}
    if rope_type in ("dynamic", "yarn", "llama3"):
        fields["original_max_position_embeddings"] = trained
    if rope_type in ("dynamic", "longrope"):
        fields["sequence_length"] = target
    return replace(e, **fields, factor=factor)


def types_of(e: Rope) -> tuple[str, ...]:
    """Return the types that are compared for an encoding."""
    return (*TYPES, "longrope") if e.short_factor or e.long_factor else TYPES


def scalings(e: Steady, trained: int, target: int) -> Iterator[tuple[str, Scaling | EncodingError]]:
    """Yield each type by its name and what it does, or why there is none."""
    if not isinstance(e, Rope):
        return
    for rope_type in types_of(e):
        try:
            yield rope_type, scaling(scaled(e, rope_type, trained, target), trained, target)
        except EncodingError as error:
            yield rope_type, error


# -- what a target needs ---------------------------------------------------------------------------


def factor_for(e: Rope, rope_type: str, trained: int, target: int) -> float | None:
    """Return the least factor of a type, from 1 on, at which no pair is new at a length.

    A pair of frequency ω keeps the share k of it whatever the factor f is, ω' = ω·(k + (1-k)/f)
    for linear, yarn and llama3, so that f = (1 - k) / (trained/target - k). The other types take a
    larger base, and for them it follows from that of `context.base_for`. None where no factor is
    enough, and for types whose factor changes no frequency; raises `EncodingError` if the type
    cannot have these lengths.
    """
    if rope_type in _TYPES_WITH_LARGER_BASE:
        return _factor_of_base(e, rope_type, trained, target)
    if rope_type not in _TYPES_BY_SHARES:
        return None
    once = with_factor(e, rope_type, trained, target, 1.0).turns.fixed
    twice = with_factor(e, rope_type, trained, target, 2.0).turns.fixed
    needed = 1.0
    for plain, halved in zip(once, twice, strict=True):
        if target <= trained or trained * plain >= ONE_TURN or not plain:
            continue
        kept = max(2 * halved - plain, 0)  # the share k, times the frequency
        if target * kept >= trained * plain:
            return None
        needed = max(needed, (plain - kept) * target / (trained * plain - target * kept))
    return needed


def _factor_of_base(e: Rope, rope_type: str, trained: int, target: int) -> float | None:
    plain = with_factor(e, rope_type, trained, target, 1.0)
    slowing = context.slowing_for(plain, trained, target)
    if slowing is None:
        return None
    if not slowing:
        return 1.0
    with localcontext() as precise:
        precise.prec = DIGITS
        exponent = slowing * (plain.rotary - 2) / plain.rotary
        stretch = Decimal(plain.rope_theta) ** exponent
        if rope_type == "dynamic":
            stretch = (stretch - 1) * trained / (target - trained)
        return float(stretch)


def longest(e: Steady, trained: int) -> float:
    """Return the longest target at which an encoding has no new angles; infinite for all.

    Frequencies that depend on the length in use are those of that length.
    """
    found = context.report(context.in_use(e, trained, LIMIT), trained, LIMIT).longest
    if not isinstance(e, Rope) or e.rope_type not in ("dynamic", "longrope"):
        return found
    original = e.original_max_position_embeddings
    if e.rope_type == "longrope":
        short = context.report(e, trained, trained).longest
        return found if found > original else min(short, float(original))
    return _longest_dynamic(e, trained, original)


def _longest_dynamic(e: Rope, trained: int, original: int) -> float:
    """Return the same where the base grows with the length: each length is tried by itself."""
    first = context.first_unturned(e, trained)
    if first is None:
        return float("inf")
    with localcontext() as precise:
        precise.prec = DIGITS
        exponent = Decimal(2 * first) / (e.rotary - 2)
        factor, limit = Decimal(e.factor), Decimal(trained) * (1 + Decimal(10) ** -12)

        def has_new(length: int) -> bool:
            stretch = factor * max(0, length - original) / original + 1
            return length >= limit * stretch**exponent

        if not has_new(LIMIT):
            return float("inf")
        first_new = bisect_left(range(LIMIT + 1), True, min(trained, LIMIT) + 1, key=has_new)
    return float(first_new - 1)
