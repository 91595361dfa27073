"""The numbers of the context: turns in training and at a target, and what each type makes of it."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pe_explorer.analysis import context, scaling
from pe_explorer.analysis.context import TARGET, TRAINED, Lengths
from pe_explorer.analysis.scaling import Scaling
from pe_explorer.arrays import Floats
from pe_explorer.encodings import EncodingError, Steady
from pe_explorer.encodings.rope import Rope
from pe_explorer.params import Choice, declare
from pe_explorer.pictures.picture import Options

_PARTS = {
    "types": "what each type does with the factor target / trained, and what it costs",
    "calculator": "the base or the factor that the target needs, and the longest target",
}


@dataclass(frozen=True)
class ContextOptions(Options):
    """The two lengths, and what the table says."""

    trained: int | None = declare(TRAINED)
    target: int | None = declare(TARGET)
    part: str = declare(Choice("types", _PARTS, label="Table", help="What the table says."))


class CalculatorAnswer(NamedTuple):
    """The answer of the calculator to one question.

    Attributes
    ----------
    value : float or None
        None where nothing helps.
    encoding : Steady or None
        What the button makes the current encoding, None where it cannot be.
    """

    value: float | None
    encoding: Steady | None = None


class ContextNumbers(NamedTuple):
    """What a target means for an encoding.

    Attributes
    ----------
    lengths : Lengths
    before, now : (pairs,) float64
        Turns of each pair in training, without scaling, and at the target.
    current : Scaling
    types : tuple of (str, Scaling or EncodingError)
        What each type does, or why there is none.
    base : Answer
        The least base at which no pair is new without any type.
    factors : tuple of (str, Answer)
        The least factor of each type.
    longest : float
        The longest target at which no pair is new now.
    """

    lengths: Lengths
    before: Floats
    now: Floats
    current: Scaling
    types: tuple[tuple[str, Scaling | EncodingError], ...]
    base: CalculatorAnswer
    factors: tuple[tuple[str, CalculatorAnswer], ...]
    longest: float


def compute(e: Steady, lengths: Lengths, options: ContextOptions) -> ContextNumbers:
    """Return what the target means for an encoding."""
    current = scaling.scaling(e, *lengths)
    before, now = context.turns(e, *lengths).T
    wants_types = options.part == "types"
    return ContextNumbers(
        lengths,
        before,
        now,
        current,
        types=tuple(scaling.scalings(e, *lengths)) if wants_types else (),
        base=CalculatorAnswer(None) if wants_types else _base(e, lengths),
        factors=() if wants_types else _factors(e, lengths),
        longest=scaling.longest(e, lengths.trained),
    )


def _base(e: Steady, lengths: Lengths) -> CalculatorAnswer:
    """Return the least base, and the encoding with it, rounded up to a whole number."""
    value = context.base_for(e, *lengths)
    if value is None or math.isinf(value):
        return CalculatorAnswer(value)
    whole = value if value == context.base_of(e) else float(math.ceil(value))
    try:
        return CalculatorAnswer(value, context.with_base(e, whole))
    except EncodingError:  # beyond the limits
        return CalculatorAnswer(value)


def _factors(e: Steady, lengths: Lengths) -> tuple[tuple[str, CalculatorAnswer], ...]:
    """Return the least factor of each type, and the encoding with it."""
    if not isinstance(e, Rope):
        return ()
    types = [name for name in scaling.TYPES if name != "default"]
    return tuple((name, _factor(e, name, lengths)) for name in types)


def _factor(e: Rope, rope_type: str, lengths: Lengths) -> CalculatorAnswer:
    try:
        value = scaling.factor_for(e, rope_type, *lengths)
    except EncodingError:
        return CalculatorAnswer(None)
    if value is None:
        return CalculatorAnswer(None)
    try:
        return CalculatorAnswer(value, scaling.with_factor(e, rope_type, *lengths, value))
    except EncodingError:  # beyond the limits
        return CalculatorAnswer(value)


def exponents(turns: Floats) -> Floats:
    """Return the logarithms of turns to base 10, nan of those that make none."""
    with np.errstate(divide="ignore"):
        found = np.log10(turns)
    found[~np.isfinite(found)] = np.nan
    return found
