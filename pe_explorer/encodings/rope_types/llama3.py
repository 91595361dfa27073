"""The type `llama3`: pairs are changed by how often they turn in the trained length."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import rounded
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.numeric.turns import ONE_TURN
from pe_explorer.params import format_real


@dataclass(frozen=True)
class Llama3(RopeType):
    """Pairs that turn often in the trained length stay, those that hardly turn are slowed down.

    For pair i of the R channels that are turned, with the paper's wavelength λ_i and the trained
    length L::

        s_i = (L/λ_i - low_freq_factor) / (high_freq_factor - low_freq_factor)
        ω_i = rope_theta^(-2i/R) · (s_i + (1 - s_i)/factor)

    with s_i at least 0 and at most 1: pairs of fewer than `low_freq_factor` turns in the trained
    length are divided by the factor, those of more than `high_freq_factor` stay.

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
    def _shares(self) -> tuple[list[int], int]:
        """The numerators of all s_i, and their denominator."""
        low, low_below = self.low_freq_factor.as_integer_ratio()
        high, high_below = self.high_freq_factor.as_integer_ratio()
        common = max(low_below, high_below)  # both are powers of 2
        low, high = low * common // low_below, high * common // high_below
        turns = self.original_max_position_embeddings * common
        denominator = (high - low) * ONE_TURN
        shares = (turns * each - low * ONE_TURN for each in self.paper.fixed)
        return [min(max(each, 0), denominator) for each in shares], denominator

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        above, below = self.factor.as_integer_ratio()
        numerators, denominator = self._shares
        for kept in numerators:
            yield kept * above + (denominator - kept) * below, denominator * above

    def _turns_of(self, pair: int) -> float:
        """Return how often a pair turns in the trained length with the paper's frequency."""
        return self.original_max_position_embeddings * self.paper.fixed[pair] / ONE_TURN

    def _share(self, pair: int) -> float:
        numerators, denominator = self._shares
        return numerators[pair] / denominator

    @property
    def without_effect(self) -> dict[str, str]:
        found = super().without_effect
        names = ("original_max_position_embeddings", "low_freq_factor", "high_freq_factor")
        if self.factor == 1:
            return {**found, **dict.fromkeys(names, "a factor of 1 changes no pair")}
        if self._share(self.pairs - 1) == 1:
            found["factor"] = "every pair turns often enough in the trained length to stay"
        return found

    def frequency(self, pair: int) -> str:
        paper, factor, share = self._power(pair), format_real(self.factor), self._share(pair)
        if share in (0, 1):
            return paper if share else f"{paper} / {factor}"
        low, high = format_real(self.low_freq_factor), format_real(self.high_freq_factor)
        s, turns = f"s_{pair}", f"{self._turns_of(pair):.9f}"
        frequency = f"{paper} · ({s} + (1 - {s})/{factor})"
        return f"{frequency},  {s} = ({turns} - {low})/({high} - {low})"

    def reason(self, pair: int) -> str:
        trained = f"the trained {self.original_max_position_embeddings:,} positions"
        made = f"pair {pair} would make {self._turns_of(pair):.4g} turns in {trained}"
        low, high = format_real(self.low_freq_factor), format_real(self.high_freq_factor)
        share = self._share(pair)
        if share == 1:
            return f"{made}, {high} or more, so its frequency stays"
        if share == 0:
            return f"{made}, {low} or fewer, so its frequency is divided by the factor"
        return f"{made}, between {low} and {high}, so a part of it is divided by the factor"

    def code(self, library: Library) -> tuple[str, ...]:
        low, high = self.low_freq_factor, self.high_freq_factor
        length = self.original_max_position_embeddings
        turns = f"{length} * w / {2 * math.pi!r}"
        return (
            f"w = {self._power_code()}",
            f"s = {library.prefix}.clip(({turns} - {low!r}) / ({high!r} - {low!r}), 0, 1)",
            f"w = w * (s + (1 - s) / {self.factor!r})",
        )

    @property
    def float32_frequencies(self) -> Floats:
        paper = rounded(1 / self._float32_powers(self.rope_theta))
        length, factor = self.original_max_position_embeddings, rounded(self.factor)
        low, high = self.low_freq_factor, self.high_freq_factor
        wavelengths = rounded(2 * np.pi / paper)
        slowed = rounded(paper / factor)
        above_low = rounded(rounded(length / wavelengths) - rounded(low))
        smooth = rounded(above_low / rounded(high - low))
        kept = rounded(smooth * paper)
        mixed = rounded(rounded(rounded(rounded(1 - smooth) * paper) / factor) + kept)
        is_fast, is_slow = wavelengths < length / high, wavelengths > length / low
        return np.where(is_fast, paper, np.where(is_slow, slowed, mixed))
