"""The type `yarn`, which slows down slow pairs; a ramp connects slow and fast pairs."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from fractions import Fraction
from functools import cached_property

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.rope_types._rope_type import INTERPOLATION_TEXT, RopeType
from pe_explorer.numeric.phasors import TWO_PI
from pe_explorer.numeric.rounding import Rounding
from pe_explorer.numeric.turns import DECIMAL_DIGITS
from pe_explorer.params import format_real

_MIN_RAMP_LENGTH = Fraction(1, 1000)  # minimum length of a ramp, which avoids a division by 0


@dataclass(frozen=True)
class Yarn(RopeType):
    """The factor slows down slow pairs and leaves fast pairs unchanged, with a ramp between them.

    For pair i of the R rotated channels, with the training length L::

        D(r) = R · ln(L / (2π·r)) / (2 · ln rope_theta)
        low, high = floor(D(beta_fast)), ceil(D(beta_slow))      without `truncate`, unrounded
        γ_i = (i - low) / (high - low), at least 0, at most 1
        ω_i = rope_theta^(-2i/R) · (1 - γ_i + γ_i/factor)

    D(r) is the pair that makes r turns in the training length. `low` is at least 0 and `high` at
    most R - 1. If both are equal, 0.001 is added to `high`. For a short training length or a small
    base, `low` may be above `high`; the formula is used without correction, as in transformers.
    Cosines and sines are multiplied by `attention`. If `attention` is None and the factor is
    above 1, they are multiplied by 0.1·ln(factor) + 1.

    Sources
    -------
    Peng et al. 2023, "YaRN: Efficient Context Window Extension of Large Language Models",
    sections 3.2 to 3.4; transformers, `_compute_yarn_parameters`; DeepSeek-V3 and gpt-oss
    (`truncate` off).
    """

    name = "yarn"

    factor: float
    original_max_position_embeddings: int
    beta_fast: float
    beta_slow: float
    truncate: bool
    attention: float | None

    def check(self) -> None:
        if self.beta_fast < self.beta_slow:
            fast_end, slow_end = format_real(self.beta_fast), format_real(self.beta_slow)
            problem = f"{fast_end} is below beta_slow, {slow_end}, so the ramp would run in reverse"
            raise EncodingError("beta_fast", problem, f"choose {slow_end} or more")

    @cached_property
    def ramp(self) -> tuple[Fraction, Fraction]:
        """The pairs at which the ramp begins and ends."""
        with localcontext() as context:
            context.prec = DECIMAL_DIGITS
            length, base = Decimal(self.original_max_position_embeddings), Decimal(self.rope_theta)
            low, high = (
                self.rotary * (length / (TWO_PI * Decimal(turns))).ln() / (2 * base.ln())
                for turns in (self.beta_fast, self.beta_slow)
            )
            if self.truncate:
                low = low.to_integral_value(ROUND_FLOOR)
                high = high.to_integral_value(ROUND_CEILING)
        begin = max(Fraction(low), Fraction(0))
        end = min(Fraction(high), Fraction(self.rotary - 1))
        return begin, end + _MIN_RAMP_LENGTH if begin == end else end

    @cached_property
    def _ramp_coefficients(self) -> tuple[int, int, int]:
        """The integers a, b and c > 0 for which γ_i is (a·i - b) / c, clipped to [0, 1]."""
        begin, end = self.ramp
        scale = math.lcm(begin.denominator, end.denominator)
        low, high = int(begin * scale), int(end * scale)
        return (scale, low, high - low) if high > low else (-scale, -low, low - high)

    def _compute_ramp_value(self, pair: int) -> Fraction:
        a, b, c = self._ramp_coefficients
        return Fraction(min(max(a * pair - b, 0), c), c)

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        numerator, denominator = self.factor.as_integer_ratio()
        a, b, c = self._ramp_coefficients
        for pair in range(self.pairs):
            ramp_numerator = min(max(a * pair - b, 0), c)
            yield (c - ramp_numerator) * numerator + ramp_numerator * denominator, c * numerator

    @cached_property
    def exact_attention_factor(self) -> Decimal:
        if self.attention is not None:
            return Decimal(self.attention)
        if self.factor <= 1:
            return Decimal(1)
        with localcontext() as context:
            context.prec = DECIMAL_DIGITS
            return Decimal(self.factor).ln() / 10 + 1

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        if self.factor == 1:
            names = ("original_max_position_embeddings", "beta_fast", "beta_slow", "truncate")
            reason = "a factor of 1 changes no pair"
            return {**dict.fromkeys(names, reason), **super().ineffective_parameters}
        is_unchanged = not any(self._compute_ramp_value(pair) for pair in (0, self.pairs - 1))
        if is_unchanged and self.attention is not None:
            return {"factor": "no pair is slow enough to change"}
        return {}

    def frequency(self, pair: int) -> str:
        paper, factor = self._format_power(pair), format_real(self.factor)
        ramp_value, γ = self._compute_ramp_value(pair), f"γ_{pair}"
        if ramp_value in (0, 1):
            return f"{paper} / {factor}" if ramp_value else paper
        begin, end = map(_format_pair, self.ramp)
        frequency = f"{paper} · (1 - {γ} + {γ}/{factor})"
        return f"{frequency},  {γ} = ({pair} - {begin})/({end} - {begin})"

    def reason(self, pair: int) -> str:
        ramp_value = self._compute_ramp_value(pair)
        begin, end = map(_format_pair, self.ramp)
        if ramp_value not in (0, 1):
            share = f"{float(100 * ramp_value):.3g} %"
            cause = f"pair {pair} is {share} of the way along the ramp from {begin} to {end}"
            return f"{cause}, so {INTERPOLATION_TEXT}"
        if self.ramp[0] > self.ramp[1]:
            cause = f"the ramp runs in reverse, from {begin} to {end}"
        elif ramp_value:
            cause = f"pair {pair} is at or after the end of the ramp ({end})"
        else:
            cause = f"pair {pair} is at or before the beginning of the ramp ({begin})"
        if ramp_value:
            return f"{cause}, so the factor divides its frequency"
        return f"{cause}, so its frequency does not change"

    def code(self, library: Library) -> tuple[str, ...]:
        begin, end = map(float, self.ramp)
        is_exact = np.allclose(self._compute_float64_ramp(), (begin, end), rtol=1e-12, atol=1e-12)
        if begin == end or not is_exact:
            # Write the ends as literals, because float64 code would compute wrong or equal ends.
            end = math.nextafter(end, math.inf) if begin == end else end
            end_statements = [f"low, high = {begin!r}, {end!r}"]
        else:
            turns = f"({self.beta_fast!r}, {self.beta_slow!r})"
            length = f"{self.original_max_position_embeddings} / (2 * math.pi * r)"
            pair = f"{self.rotary} * math.log({length}) / (2 * math.log({self.rope_theta!r}))"
            low, high = ("math.floor(low)", "math.ceil(high)") if self.truncate else ("low", "high")
            end_statements = [
                f"low, high = [{pair} for r in {turns}]",
                f"low, high = max({low}, 0), min({high}, {self.rotary - 1})",
            ]
            if self.ramp[1] - self.ramp[0] == _MIN_RAMP_LENGTH:
                end_statements.append("high += 0.001")
        return (
            *end_statements,
            f"ramp = {library.prefix}.clip((i - low) / (high - low), 0, 1)",
            f"w = {self._format_power_code()} * (1 - ramp + ramp / {self.factor!r})",
        )

    def typical_code(self, library: Library) -> tuple[str, ...]:
        low, high = self._compute_float64_ramp()
        low_code = library.array(repr(low))
        ramp_length = library.array(f"{high!r} - {low!r}")
        distance = library.round(f"i - {low_code}")
        return (
            *self._list_power_code(library, repr(self.rope_theta)),
            f"slow = 1 / ({library.array(repr(self.factor))} * powers)",
            f"ramp = ({distance} / {ramp_length}).clip(0, 1)",
            "weight = 1 - ramp",
            "frequencies = slow * (1 - weight) + 1 / powers * weight",
        )

    def format_attention_code(self) -> str:
        if self.attention is None:
            return f"0.1 * math.log({self.factor!r}) + 1"
        return super().format_attention_code()

    @property
    def code_imports(self) -> tuple[str, ...]:
        return ("import math",)

    def _compute_float64_ramp(self) -> tuple[float, float]:
        log_divisor = 2 * math.log(self.rope_theta)
        length = self.original_max_position_embeddings / (2 * math.pi)
        low, high = (
            self.rotary * math.log(length / turns) / log_divisor
            for turns in (self.beta_fast, self.beta_slow)
        )
        if self.truncate:
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, self.rotary - 1)
        return low, high + 0.001 if low == high else high

    def compute_code_frequencies(self, rounding: Rounding) -> Floats:
        powers = self._compute_code_powers(self.rope_theta, rounding)
        factor = rounding(self.factor)
        paper, slow_frequencies = (
            rounding(1 / powers),
            rounding(1 / rounding(factor * powers)),
        )
        low, high = self._compute_float64_ramp()
        distance = rounding(np.arange(self.pairs) - rounding(low))
        ramp = rounding(distance / rounding(high - low)).clip(0, 1)
        weight = rounding(1 - ramp)
        slowed_part = rounding(slow_frequencies * rounding(1 - weight))
        return rounding(slowed_part + rounding(paper * weight))


def _format_pair(pair: Fraction) -> str:
    return str(pair.numerator) if pair.denominator == 1 else f"{float(pair):.6f}"
