"""The type `llama3`: slows down pairs that make few turns in the training length."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.rope_types._rope_type import INTERPOLATION_TEXT, RopeType
from pe_explorer.numeric.rounding import Rounding
from pe_explorer.numeric.turns import ONE_TURN
from pe_explorer.params import format_real, printed


@dataclass(frozen=True)
class Llama3(RopeType):
    """The factor slows down only pairs that make few turns within the training length.

    For pair i of the R rotated channels, with the paper's wavelength λ_i and the training length
    L::

        s_i = (L/λ_i - low_freq_factor) / (high_freq_factor - low_freq_factor)
        ω_i = rope_theta^(-2i/R) · (s_i + (1 - s_i)/factor)

    with s_i clipped to the range from 0 to 1. Frequencies of pairs that make fewer than
    `low_freq_factor` turns in the training length are divided by the factor; those of pairs that
    make more than `high_freq_factor` turns are unchanged.

    Sources
    -------
    Meta's Llama 3.1 code, `apply_scaling`; transformers, `_compute_llama3_parameters`.
    """

    name = "llama3"

    factor: float
    original_max_position_embeddings: int
    low_freq_factor: float
    high_freq_factor: float

    def check(self) -> None:
        if self.low_freq_factor >= self.high_freq_factor:
            low, high = format_real(self.low_freq_factor), format_real(self.high_freq_factor)
            problem = f"{low} is not below high_freq_factor, {high}"
            raise EncodingError("low_freq_factor", problem, f"choose a number below {high}")

    @cached_property
    def _smooth_factors(self) -> tuple[list[int], int]:
        low, low_denominator = self.low_freq_factor.as_integer_ratio()
        high, high_denominator = self.high_freq_factor.as_integer_ratio()
        lcm = max(low_denominator, high_denominator)  # common multiple of two powers of 2
        low, high = low * lcm // low_denominator, high * lcm // high_denominator
        length = self.original_max_position_embeddings * lcm
        denominator = (high - low) * ONE_TURN
        numerators = (length * frequency - low * ONE_TURN for frequency in self.paper_turns.fixed)
        return [min(max(numerator, 0), denominator) for numerator in numerators], denominator

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        factor, divisor = self.factor.as_integer_ratio()
        numerators, denominator = self._smooth_factors
        for numerator in numerators:
            divided_part = (denominator - numerator) * divisor
            yield numerator * factor + divided_part, denominator * factor

    def _count_turns(self, pair: int) -> float:
        return self.original_max_position_embeddings * self.paper_turns.fixed[pair] / ONE_TURN

    def _compute_smooth_factor(self, pair: int) -> float:
        numerators, denominator = self._smooth_factors
        return numerators[pair] / denominator

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        reasons = super().ineffective_parameters
        names = ("original_max_position_embeddings", "low_freq_factor", "high_freq_factor")
        if self.factor == 1:
            return {**reasons, **dict.fromkeys(names, "a factor of 1 changes no pair")}
        if self._compute_smooth_factor(self.pairs - 1) == 1:
            reason = "every pair makes enough turns in the training length to stay unchanged"
            reasons["factor"] = reason
        return reasons

    def frequency(self, pair: int) -> str:
        paper, factor = self._format_power(pair), format_real(self.factor)
        smooth_factor = self._compute_smooth_factor(pair)
        if smooth_factor in (0, 1):
            return paper if smooth_factor else f"{paper} / {factor}"
        low, high = format_real(self.low_freq_factor), format_real(self.high_freq_factor)
        s, turns = f"s_{pair}", f"{self._count_turns(pair):.9f}"
        frequency = f"{paper} · ({s} + (1 - {s})/{factor})"
        return f"{frequency},  {s} = ({turns} - {low})/({high} - {low})"

    def reason(self, pair: int) -> str:
        length = f"the training length of {self.original_max_position_embeddings:,} positions"
        cause = f"pair {pair} would make {printed.turns(self._count_turns(pair))} in {length}"
        low, high = format_real(self.low_freq_factor), format_real(self.high_freq_factor)
        smooth_factor = self._compute_smooth_factor(pair)
        if smooth_factor == 1:
            cause = f"{cause}, which reaches the threshold of {high}"
            return f"{cause}, so its frequency does not change"
        if smooth_factor == 0:
            return f"{cause}, which does not exceed {low}, so the factor divides its frequency"
        return f"{cause}, which is between {low} and {high}, so {INTERPOLATION_TEXT}"

    def code(self, library: Library) -> tuple[str, ...]:
        low, high = self.low_freq_factor, self.high_freq_factor
        turns = f"{self.original_max_position_embeddings} * w / {2 * math.pi!r}"
        return (
            f"w = {self._format_power_code()}",
            f"s = {library.prefix}.clip(({turns} - {low!r}) / ({high!r} - {low!r}), 0, 1)",
            f"w = w * (s + (1 - s) / {self.factor!r})",
        )

    def typical_code(self, library: Library) -> tuple[str, ...]:
        low, high = self.low_freq_factor, self.high_freq_factor
        length, torch = self.original_max_position_embeddings, library.prefix
        return (
            *super().typical_code(library),
            f"factor = {library.array(repr(self.factor))}",
            f"wavelengths = 2 * {torch}.pi / frequencies",
            f"turns = {length} / wavelengths - {library.array(repr(low))}",
            f"smooth = turns / {library.array(f'{high!r} - {low!r}')}",
            "between = (1 - smooth) * frequencies / factor + smooth * frequencies",
            f"is_slow = wavelengths > {length / low!r}",
            f"scaled = {torch}.where(is_slow, frequencies / factor, between)",
            f"frequencies = {torch}.where(wavelengths < {length / high!r}, frequencies, scaled)",
        )

    def compute_code_frequencies(self, rounding: Rounding) -> Floats:
        paper = rounding(1 / self._compute_code_powers(self.rope_theta, rounding))
        length, factor = self.original_max_position_embeddings, rounding(self.factor)
        low, high = self.low_freq_factor, self.high_freq_factor
        wavelengths = rounding(2 * np.pi / paper)
        slow_frequencies = rounding(paper / factor)
        excess_turns = rounding(rounding(length / wavelengths) - rounding(low))
        smooth_factor = rounding(excess_turns / rounding(high - low))
        unchanged_part = rounding(smooth_factor * paper)
        divided_part = rounding(rounding(rounding(1 - smooth_factor) * paper) / factor)
        sums = rounding(divided_part + unchanged_part)
        is_fast, is_slow = wavelengths < length / high, wavelengths > length / low
        return np.where(is_fast, paper, np.where(is_slow, slow_frequencies, sums))
