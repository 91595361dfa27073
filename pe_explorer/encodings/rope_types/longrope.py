"""The type `longrope`: a divisor of its own for each pair."""

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cached_property

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import rounded
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.numeric.turns import DIGITS
from pe_explorer.params import format_real


@dataclass(frozen=True)
class LongRope(RopeType):
    """Each pair has a divisor of its own, from one list or, for long texts, from another.

    For pair i of the R channels that are turned::

        ω_i = rope_theta^(-2i/R) / e_i

    The e_i are `long_factor` where the longest length in use is above the trained length L, else
    `short_factor`; for all positions, not only for those beyond L. Cosines and sines are
    multiplied by `attention` or, where there is none, by sqrt(1 + ln(factor) / ln(L)) for
    factors above 1, whichever list counts.

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
                problem = f"has {numbers}, but {self.pairs:,} pairs turn"
                remedy = "give one for each pair, or none, which stands for 1 for each"
                raise EncodingError(name, problem, remedy)

    @property
    def _is_long(self) -> bool:
        trained, length = self.original_max_position_embeddings, self.sequence_length
        return length is not None and length > trained

    @property
    def _divisors(self) -> tuple[float, ...]:
        chosen = self.long_factor if self._is_long else self.short_factor
        return chosen or (1.0,) * self.pairs

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        for divisor in self._divisors:
            above, below = divisor.as_integer_ratio()
            yield below, above

    @cached_property
    def exact_attention_factor(self) -> Decimal:
        if self.attention is not None:
            return Decimal(self.attention)
        if self.factor <= 1:
            return Decimal(1)
        with localcontext() as context:
            context.prec = DIGITS
            length = Decimal(self.original_max_position_embeddings)
            return (1 + Decimal(self.factor).ln() / length.ln()).sqrt()

    @property
    def without_effect(self) -> dict[str, str]:
        found = super().without_effect
        if self._is_long:
            found["short_factor"] = "the length in use is beyond the trained one"
        else:
            found["long_factor"] = "the length in use is not beyond the trained one"
        if self.attention is not None:
            found["factor"] = "it only makes the attention factor, which is given"
        if self.sequence_length is None and (self.attention is not None or self.factor <= 1):
            found["original_max_position_embeddings"] = "the short list counts at any length"
        return found

    def frequency(self, pair: int) -> str:
        return f"{self._power(pair)} / {format_real(self._divisors[pair])}"

    def reason(self, pair: int) -> str:
        trained = f"the trained {self.original_max_position_embeddings:,}"
        if self._is_long:
            return f"the long list counts, as the length in use is beyond {trained}"
        return f"the short list counts, as the length in use is not beyond {trained}"

    def code(self, library: Library) -> tuple[str, ...]:
        divisors = ", ".join(map(repr, self._divisors))
        return (f"w = {self._power_code()} / {library.array(f'[{divisors}]')}",)

    def attention_code(self) -> str:
        if self.attention is None:
            length = self.original_max_position_embeddings
            return f"math.sqrt(1 + math.log({self.factor!r}) / math.log({length}))"
        return super().attention_code()

    @property
    def code_imports(self) -> tuple[str, ...]:
        return ("import math",) if self.attention is None and self.factor > 1 else ()

    @property
    def float32_frequencies(self) -> Floats:
        powers = self._float32_powers(self.rope_theta)
        return rounded(1 / rounded(rounded(np.array(self._divisors)) * powers))
