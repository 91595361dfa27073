"""The type `longrope`: a separate divisor for each pair."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.numeric.rounding import Rounding
from pe_explorer.numeric.turns import DECIMAL_DIGITS
from pe_explorer.params import format_real


@dataclass(frozen=True)
class LongRope(RopeType):
    """Each pair has its own divisor, from one of two lists for short and long sequences.

    For pair i of the R rotated channels::

        ω_i = rope_theta^(-2i/R) / e_i

    The divisors e_i are `long_factor` if the longest length in use exceeds the training length L,
    and `short_factor` otherwise. They apply to all positions, not only to those beyond L. Cosines
    and sines are multiplied by `attention`. If `attention` is None and the factor is above 1,
    they are multiplied by sqrt(1 + ln(factor) / ln(L)), whichever list is used.

    Sources
    -------
    Ding et al. 2024, "LongRoPE: Extending LLM Context Window Beyond 2 Million Tokens";
    transformers, `_compute_longrope_parameters`; Phi-3.
    """

    name = "longrope"

    factor: float
    original_max_position_embeddings: int
    sequence_length: int | None
    short_factor: tuple[float, ...]
    long_factor: tuple[float, ...]
    attention: float | None

    def check(self) -> None:
        for name in ("short_factor", "long_factor"):
            count = len(getattr(self, name))
            if count not in (0, self.pairs):
                numbers = "1 number" if count == 1 else f"{count:,} numbers"
                problem = f"has {numbers} for {self.pairs:,} pairs"
                remedy = "give one number per pair, or an empty list to use 1 for every pair"
                raise EncodingError(name, problem, remedy)

    @property
    def _is_long(self) -> bool:
        return (self.sequence_length or 0) > self.original_max_position_embeddings

    @property
    def _divisors(self) -> tuple[float, ...]:
        return (self.long_factor if self._is_long else self.short_factor) or (1.0,) * self.pairs

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        for divisor in self._divisors:
            numerator, denominator = divisor.as_integer_ratio()
            yield denominator, numerator

    @cached_property
    def exact_attention_factor(self) -> Decimal:
        if self.attention is not None:
            return Decimal(self.attention)
        if self.factor <= 1:
            return Decimal(1)
        with localcontext() as context:
            context.prec = DECIMAL_DIGITS
            length = Decimal(self.original_max_position_embeddings)
            return (1 + Decimal(self.factor).ln() / length.ln()).sqrt()

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        name, verb, remedy = "long_factor", "does not exceed", "increase"
        if self._is_long:
            name, verb, remedy = "short_factor", "exceeds", "decrease"
        reasons = super().ineffective_parameters
        reasons[name] = f"the length in use {verb} the training length; {remedy} the length in use"
        if self.attention is not None:
            problem = "it only determines the attention factor, which is set"
            reasons["factor"] = f"{problem}; clear the attention factor"
        if self.sequence_length is None and (self.attention is not None or self.factor <= 1):
            reasons["original_max_position_embeddings"] = "the short list applies to every length"
        return reasons

    def frequency(self, pair: int) -> str:
        return f"{self._format_power(pair)} / {format_real(self._divisors[pair])}"

    def reason(self, pair: int) -> str:
        length = f"the training length of {self.original_max_position_embeddings:,}"
        if self._is_long:
            return f"the long list applies, because the length in use exceeds {length}"
        return f"the short list applies, because the length in use does not exceed {length}"

    def code(self, library: Library) -> tuple[str, ...]:
        return (f"w = {self._format_power_code()} / {self._format_divisor_code(library)}",)

    def typical_code(self, library: Library) -> tuple[str, ...]:
        return (
            *self._list_power_code(library, repr(self.rope_theta)),
            f"frequencies = 1 / ({self._format_divisor_code(library)} * powers)",
        )

    def _format_divisor_code(self, library: Library) -> str:
        return library.array(f"[{', '.join(map(repr, self._divisors))}]")

    def format_attention_code(self) -> str:
        if self.attention is None:
            length = self.original_max_position_embeddings
            return f"math.sqrt(1 + math.log({self.factor!r}) / math.log({length}))"
        return super().format_attention_code()

    @property
    def code_imports(self) -> tuple[str, ...]:
        return ("import math",) if self.attention is None and self.factor > 1 else ()

    def compute_code_frequencies(self, rounding: Rounding) -> Floats:
        powers = self._compute_code_powers(self.rope_theta, rounding)
        return rounding(1 / rounding(rounding(np.array(self._divisors)) * powers))
