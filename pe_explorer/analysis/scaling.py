"""The effect of each RoPE scaling type on a model beyond its training length."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal, localcontext
from typing import Any

from pe_explorer.analysis import context
from pe_explorer.analysis.context import ContextReport
from pe_explorer.encodings import LIMIT, EncodingError, Steady
from pe_explorer.encodings.rope import Rope
from pe_explorer.numeric.turns import DECIMAL_DIGITS, ONE_TURN

SCALING_TYPES = ("default", "linear", "ntk", "dynamic", "yarn", "llama3")
"""The scaling types to compare; `list_types` adds `longrope` for lists of factors."""
MIN_FAST_TURNS = 32  # minimum turns within the training length of pairs that distinguish neighbours
_LARGER_BASE_TYPES = ("ntk", "dynamic")  # types that increase the base
_BLEND_TYPES = ("linear", "yarn", "llama3", "proportional")  # types with a formula in `find_factor`


@dataclass(frozen=True)
class Scaling:
    """The effect of an encoding's scaling at a target length."""

    encoding: Steady  # the encoding at the target length
    report: ContextReport
    changed: int  # the number of pairs that scaling changes
    slowest: float  # the longest wavelength of a rotating pair; infinite if no pair rotates
    slowed: (
        float | None
    )  # largest slowdown of pairs with at least `MIN_FAST_TURNS`; None if none exist
    attention: float  # the factor that multiplies cosines and sines


def scaling(e: Steady, trained: int, target: int) -> Scaling:
    """Return the effect of an encoding's scaling at a target length."""
    e = context.adapt_to_length(e, trained, target)
    turns = [(abs(a), abs(b)) for a, b in zip(e.unscaled.turns.fixed, e.turns.fixed, strict=True)]
    limit = MIN_FAST_TURNS * ONE_TURN
    slowdowns = [old / new for old, new in turns if new and trained * old >= limit]
    return Scaling(
        e,
        context.report(e, trained, target),
        len(context.find_changed_pairs(e)),
        max((ONE_TURN / new for _, new in turns if new), default=float("inf")),
        max(slowdowns, default=None),
        e.amplitude,
    )


def extend(e: Rope, rope_type: str, trained: int, target: int) -> Rope:
    """Return an encoding with a scaling type that extends the training length to the target.

    The factor is target / trained, but at least 1. Raise `EncodingError` if the type does
    not allow this factor.
    """
    return with_factor(e, rope_type, trained, target, max(1.0, target / trained))


def with_factor(e: Rope, rope_type: str, trained: int, target: int, factor: float) -> Rope:
    """Return an encoding with a scaling type and a factor; raise the exceptions of `extend`."""
    fields: dict[str, Any] = {"rope_type": rope_type, "attention": None, "sequence_length": None}
    if rope_type in ("dynamic", "yarn", "llama3"):
        fields["original_max_position_embeddings"] = trained
    if rope_type in ("dynamic", "longrope"):
        fields["sequence_length"] = target
    return replace(e, **fields, factor=factor)


def list_types(e: Rope) -> tuple[str, ...]:
    """Return the scaling types to compare for an encoding."""
    return (*SCALING_TYPES, "longrope") if e.short_factor or e.long_factor else SCALING_TYPES


def list_scalings(
    e: Steady, trained: int, target: int
) -> Iterator[tuple[str, Scaling | EncodingError]]:
    """Yield each scaling type with its effect, or with an error if the type does not apply."""
    if not isinstance(e, Rope):
        return
    for rope_type in list_types(e):
        try:
            yield rope_type, scaling(extend(e, rope_type, trained, target), trained, target)
        except EncodingError as error:
            yield rope_type, error


def find_factor(e: Rope, rope_type: str, trained: int, target: int) -> float | None:
    """Return the smallest factor of a type that avoids unseen angles at a target length.

    The factor is at least 1. The types linear, yarn, llama3 and proportional change the
    frequency ω of a pair to ω' = ω·(k + (1-k)/f), where f is the factor and k does not
    depend on f. Therefore, f = (1 - k) / (trained/target - k). The types ntk and dynamic
    increase the base, so their factor follows from `context.compute_slowdown`.

    Return None if no factor suffices, and for types whose factor changes no frequency.
    Raise `EncodingError` if the type does not allow these lengths.
    """
    if rope_type not in (*_LARGER_BASE_TYPES, *_BLEND_TYPES):
        return None
    unscaled_rope = with_factor(e, rope_type, trained, target, 1.0)
    if rope_type in _LARGER_BASE_TYPES:
        slowdown = context.compute_slowdown(unscaled_rope, trained, target)
        if not slowdown:
            return None if slowdown is None else 1.0
        with localcontext() as decimal_context:
            decimal_context.prec = DECIMAL_DIGITS
            exponent = slowdown * (unscaled_rope.rotary - 2) / unscaled_rope.rotary
            stretch = Decimal(unscaled_rope.rope_theta) ** exponent
            if rope_type == "dynamic":
                stretch = (stretch - 1) * trained / (target - trained)
            return float(stretch)
    halved_rope = with_factor(e, rope_type, trained, target, 2.0)
    factor = 1.0
    for turn, halved_turn in zip(unscaled_rope.turns.fixed, halved_rope.turns.fixed, strict=True):
        if target <= trained or trained * turn >= ONE_TURN or not turn:
            continue
        unscaled_part = max(2 * halved_turn - turn, 0)  # k times the unscaled frequency
        if target * unscaled_part >= trained * turn:
            return None
        remaining_turn = trained * turn - target * unscaled_part
        factor = max(factor, (turn - unscaled_part) * target / remaining_turn)
    return factor


def find_max_target_length(e: Steady, trained: int) -> float:
    """Return the maximum length without unseen angles; infinite if there is no limit.

    If frequencies depend on the length in use, each length is checked with its own
    frequencies.
    """
    limit = context.report(context.adapt_to_length(e, trained, LIMIT), trained, LIMIT).longest
    if not isinstance(e, Rope) or e.rope_type not in ("dynamic", "longrope"):
        return limit
    original_length = e.original_max_position_embeddings
    if e.rope_type == "longrope":
        original_limit = context.report(e, trained, trained).longest
        return limit if limit > original_length else min(original_limit, float(original_length))
    return _find_dynamic_limit(e, trained, original_length)


def _find_dynamic_limit(e: Rope, trained: int, original_length: int) -> float:
    first = context.find_first_incomplete_pair(e, trained)
    if first is None:
        return float("inf")
    with localcontext() as decimal_context:
        decimal_context.prec = DECIMAL_DIGITS
        exponent = Decimal(2 * first) / (e.rotary - 2)
        factor, limit = Decimal(e.factor), Decimal(trained) * (1 + Decimal(10) ** -12)

        def has_unseen_angles(length: int) -> bool:
            stretch = factor * max(0, length - original_length) / original_length + 1
            return length >= limit * stretch**exponent

        if not has_unseen_angles(LIMIT):
            return float("inf")
        start = min(trained, LIMIT) + 1
        return float(bisect_left(range(LIMIT + 1), True, start, key=has_unseen_angles) - 1)
