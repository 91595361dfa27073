"""Compute turns within the training and target lengths, and the effect of each scaling type."""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from pe_explorer.analysis import context, scaling
from pe_explorer.analysis.context import TARGET_LENGTH, TRAINING_LENGTH, LengthPair
from pe_explorer.analysis.scaling import Scaling
from pe_explorer.analysis.specification_words import format_number
from pe_explorer.arrays import Floats
from pe_explorer.encodings import LIMIT, Encoding, EncodingError, Steady
from pe_explorer.encodings.rope import Rope
from pe_explorer.params import Choice, declare, declared, printed
from pe_explorer.pictures.picture import Options

_PART_CHOICES = {
    "types": "all scaling types, with the factor target length / training length",
    "calculator": "the smallest base or factor that avoids unseen angles",
}

_MAX_EXACT_BASE = 1e15  # bases below this limit are written with all digits
_MAX_EXACT_FACTOR = 1e6  # smaller factors are rounded up to `_FACTOR_DIGITS` significant digits
_FACTOR_DIGITS = 5


@dataclass(frozen=True)
class ContextOptions(Options):
    """Options for the training and target lengths, and for the contents of the table."""

    trained: int | None = declare(TRAINING_LENGTH)
    target: int | None = declare(TARGET_LENGTH)
    part: str = declare(Choice("types", _PART_CHOICES, label="Table", help="What the table shows."))


class CalculatorAnswer(NamedTuple):
    """An answer of the calculator: a text, a formula and an explanation."""

    name: str
    text: str
    formula: str
    why: str
    fields: Mapping[str, Any] = MappingProxyType({})  # exploration fields that apply the answer


class ContextNumbers(NamedTuple):
    """The effect of a target length on an encoding."""

    lengths: LengthPair
    training_turns: Floats  # turns of each pair within the training length, without scaling
    target_turns: Floats  # turns of each pair at the target, with scaling
    scaling: Scaling
    types: tuple[tuple[str, Scaling | EncodingError], ...]  # by name: effect, or error
    answers: tuple[CalculatorAnswer, ...]
    sped_up: Mapping[int, float]  # by pair: frequency ratio of pairs that scaling speeds up

    @property
    def most_sped_up(self) -> float | None:
        return max(self.sped_up.values(), default=None)


# -- the calculator --------------------------------------------------------------------------------


def make_answers(e: Steady, lengths: LengthPair) -> Iterator[CalculatorAnswer]:
    """Yield the smallest base, smallest factors and longest target that avoid unseen angles."""
    yield _make_base_answer(e, lengths)
    if isinstance(e, Rope):
        for name in scaling.SCALING_TYPES[1:]:
            yield _make_factor_answer(e, name, lengths)
    yield _make_target_answer(e, lengths.trained)


def _make_base_answer(e: Steady, lengths: LengthPair) -> CalculatorAnswer:
    name, (trained, target) = "base only", lengths
    base, value = context.find_base(e), context.base_for(e, *lengths)
    if base is None:
        return CalculatorAnswer(name, "none", "", "The encoding has no base.")
    if value is None:
        rows = e.rows.format_count(trained)
        why = f"No base avoids unseen angles, because pair 0 completed no turn in {rows}."
        return CalculatorAnswer(name, "none", "", why)
    first = context.find_first_incomplete_pair(e, trained)
    text = "beyond 10³⁰⁸" if math.isinf(value) else format_number(value)
    if value < _MAX_EXACT_BASE:
        text = f"{math.ceil(value):,}"  # rounded up, because a smaller base leaves unseen angles
    if first is None or target <= trained:
        return CalculatorAnswer(name, text, "current base", "No pair has unseen angles.")
    turns, total = e.turns.fixed, len(e.turns)
    power = printed.fine(math.log(base) / math.log(abs(turns[0] / turns[first])))
    if isinstance(e, Rope):
        power = f"({e.rotary // 2}/{first})"
    why = (
        f"The smallest base that avoids unseen angles without a scaling type. It changes "
        f"{total - 1:,} of {total:,} pairs. If you use it, the base in training changes too."
    )
    formula = f"{printed.exact(base)} · {_format_ratio(lengths)}^{power}"
    answer = CalculatorAnswer(name, text, formula, why)
    whole_base = value if math.isinf(value) else math.ceil(value)
    return _add_encoding(answer, e, lambda: context.replace_base(e, whole_base))


def _make_factor_answer(e: Rope, kind: str, lengths: LengthPair) -> CalculatorAnswer:
    name, (trained, target), value = f"factor of {kind}", lengths, None
    with suppress(EncodingError):
        value = scaling.find_factor(e, kind, *lengths)
    if value is None:
        why = f"No “{kind}” factor is large enough, or the type is unavailable."
        return CalculatorAnswer(name, "none", "", why)
    first = context.find_first_incomplete_pair(e, trained)
    if target <= trained or first is None:
        formula = "not needed"
    elif kind in ("ntk", "dynamic"):
        formula = f"{_format_ratio(lengths)}^({e.rotary - 2}/{2 * first})"
        if kind == "dynamic":
            formula = f"({formula} − 1) · {trained:,} / {target - trained:,}"
    elif value == target / trained:
        formula = f"{target:,} / {trained:,}"
    else:
        formula = f"(1 − k) / ({trained:,}/{target:,} − k), where k is the share of ω that remains"
    factor = Context(prec=_FACTOR_DIGITS, rounding=ROUND_CEILING).create_decimal(value)
    text = format_number(value) if value >= _MAX_EXACT_FACTOR else f"{factor:,f}"
    why = f"The smallest “{kind}” factor that avoids unseen angles at target length {target:,}."
    make_encoding = partial(scaling.with_factor, e, kind, *lengths, value)
    return _add_encoding(CalculatorAnswer(name, text, formula, why), e, make_encoding)


def _make_target_answer(e: Steady, trained: int) -> CalculatorAnswer:
    name, value = "longest target", scaling.find_max_target_length(e, trained)
    if math.isinf(value):
        why = (
            "Each rotating pair completed a turn within the training length, or scaling slows it "
            "enough."
        )
        return CalculatorAnswer(name, "any", "", why)
    why = (
        "The longest target length without unseen angles. ω/ω′ is the factor by which scaling "
        "slows a pair that completed no turn within the training length."
    )
    text = f"{int(value):,}" if value <= LIMIT else format_number(value)
    fields = {"options": {"target": int(value)}} if 1 <= value <= LIMIT else {}
    return CalculatorAnswer(name, text, f"{trained:,} · smallest ω/ω′", why, fields)


def _add_encoding(
    answer: CalculatorAnswer, e: Steady, make_encoding: Callable[[], Encoding]
) -> CalculatorAnswer:
    try:
        return answer._replace(fields={"encoding": make_encoding()})
    except EncodingError as error:
        limits = declared(type(e))[error.name].limits
        why = f"{answer.why} This value is out of range ({limits}), so it cannot be used."
        return answer._replace(why=why)


def _format_ratio(lengths: LengthPair) -> str:
    whole, rest = divmod(lengths.target, lengths.trained)
    return f"({lengths.target:,}/{lengths.trained:,})" if rest else f"{whole:,}"
