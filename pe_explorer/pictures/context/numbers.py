"""The numbers of the context: turns in training and at a target, and the effect of each type."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer.analysis import context, scaling
from pe_explorer.analysis.context import TARGET, TRAINED, Lengths
from pe_explorer.analysis.scaling import Scaling
from pe_explorer.analysis.specification_words import number
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, EncodingError, Steady
from pe_explorer.encodings.rope import Rope
from pe_explorer.params import Choice, declare, printed
from pe_explorer.pictures.picture import Options

_PARTS = {
    "types": "what each type does with the factor target / trained, and what it costs",
    "calculator": "the base or the factor that the target needs, and the longest target",
}

_WRITTEN_IN_FULL = 1e15  # smaller bases have all digits
_LARGE_FACTOR = 1e6  # smaller factors have `_FACTOR_DIGITS`, rounded up
_FACTOR_DIGITS = 5


@dataclass(frozen=True)
class ContextOptions(Options):
    """The two lengths, and the contents of the table."""

    trained: int | None = declare(TRAINED)
    target: int | None = declare(TARGET)
    part: str = declare(Choice("types", _PARTS, label="Table", help="What the table says."))


class Answer(NamedTuple):
    """An answer of the calculator: a text, a formula and an explanation.

    `fields` are the fields of the exploration that apply the answer, empty if it cannot be applied.
    """

    name: str
    text: str
    formula: str
    why: str
    fields: Mapping[str, Any] = MappingProxyType({})


class ContextNumbers(NamedTuple):
    """The effect of a target length on an encoding.

    Attributes
    ----------
    lengths : Lengths
    before, now : (pairs,) float64
        Turns of each pair in training, without scaling, and at the target.
    scaling : Scaling
    types : tuple of (str, Scaling or EncodingError)
        The effect of each type, or why it is unavailable.
    answers : tuple of Answer
    sped_up : mapping of int to float
        The pairs that the scaling speeds up, as a factor below 1 does, and the speed-up.
    """

    lengths: Lengths
    before: Floats
    now: Floats
    scaling: Scaling
    types: tuple[tuple[str, Scaling | EncodingError], ...]
    answers: tuple[Answer, ...]
    sped_up: Mapping[int, float]

    @property
    def most_sped_up(self) -> float | None:
        return max(self.sped_up.values(), default=None)


# -- the calculator --------------------------------------------------------------------------------


def answers_for(e: Steady, lengths: Lengths) -> Iterator[Answer]:
    """Yield the smallest base, the smallest factor of each type, and the longest target."""
    yield _least_base(e, lengths)
    if isinstance(e, Rope):
        for name in scaling.TYPES[1:]:
            yield _least_factor(e, name, lengths)
    yield _longest_target(e, lengths.trained)


def _least_base(e: Steady, lengths: Lengths) -> Answer:
    name, (trained, target) = "base alone", lengths
    base, value = context.base_of(e), context.base_for(e, *lengths)
    if base is None:
        return Answer(name, "none", "", "The encoding has no base.")
    if value is None:
        why = f"Not even pair 0 turned in {e.rows.counted(trained)}, and no base slows it."
        return Answer(name, "none", "", why)
    first = context.first_unturned(e, trained)
    text = "beyond 10³⁰⁸" if math.isinf(value) else number(value)
    if value < _WRITTEN_IN_FULL:
        text = f"{math.ceil(value):,}"  # rounding down would leave a pair with unseen angles
    if first is None or target <= trained:
        return Answer(name, text, "the present one", "No pair is new at it.")
    if isinstance(e, Rope):
        power = f"({e.rotary // 2}/{first})"
    else:
        fixed = e.turns.fixed
        power = printed.fine(math.log(base) / math.log(abs(fixed[0] / fixed[first])))
    total = len(e.turns)
    why = (
        f"The least base at which no pair is new without any type. It changes {total - 1:,} of "
        f"{total:,} pairs, all but the first. Once it is taken, it counts as that of training, too."
    )
    formula = f"{printed.exact(base)} · {_share(lengths)}^{power}"
    return _applied(
        Answer(name, text, formula, why), lambda: context.with_base(e, math.ceil(value))
    )


def _least_factor(e: Rope, rope_type: str, lengths: Lengths) -> Answer:
    name, (trained, target), value = f"factor of {rope_type}", lengths, None
    with suppress(EncodingError):
        value = scaling.factor_for(e, rope_type, *lengths)
    if value is None:
        why = f"No factor of {rope_type} is enough for the target, or the type cannot be had here."
        return Answer(name, "none", "", why)
    first = context.first_unturned(e, trained)
    if target <= trained or first is None:
        formula = "no pair is new without it"
    elif rope_type in ("ntk", "dynamic"):
        formula = f"{_share(lengths)}^({e.rotary - 2}/{2 * first})"
        if rope_type == "dynamic":
            formula = f"({formula} − 1) · {trained:,} / {target - trained:,}"
    elif value == target / trained:
        formula = f"{target:,} / {trained:,}"
    else:
        formula = f"(1 − k) / ({trained:,}/{target:,} − k), k the share of ω that stays"
    rounded_up = Context(prec=_FACTOR_DIGITS, rounding=ROUND_CEILING).create_decimal(value)
    text = number(value) if value >= _LARGE_FACTOR else f"{rounded_up:,f}"
    why = f"The least factor of {rope_type} at which no pair is new at {target:,}."
    make = partial(scaling.with_factor, e, rope_type, *lengths, value)
    return _applied(Answer(name, text, formula, why), make)


def _longest_target(e: Steady, trained: int) -> Answer:
    name, value = "longest target", scaling.longest(e, trained)
    if math.isinf(value):
        return Answer(name, "any", "", "Every pair that moves turned in training, or slows enough.")
    why = (
        "The longest target at which the present settings meet no new angle: ω/ω′ is by how much a "
        "pair that never turned is slowed."
    )
    text = f"{int(value):,}" if value <= LIMIT else number(value)
    fields = {"options": {"target": int(value)}} if 1 <= value <= LIMIT else {}
    return Answer(name, text, f"{trained:,} · least ω/ω′", why, fields)


def _applied(answer: Answer, make: Callable[[], Encoding]) -> Answer:
    try:
        return answer._replace(fields={"encoding": make()})
    except (EncodingError, OverflowError):
        why = f"{answer.why} It is beyond the limits, so it cannot be taken."
        return answer._replace(why=why)


def _share(lengths: Lengths) -> str:
    whole, rest = divmod(lengths.target, lengths.trained)
    return f"({lengths.target:,}/{lengths.trained:,})" if rest else f"{whole:,}"
