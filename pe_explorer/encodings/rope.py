"""Rotary position embedding (RoPE), with the frequencies of every `rope_type`."""

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Self

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.caching import cache_results
from pe_explorer.encodings.abilities.base import ValueFacts
from pe_explorer.encodings.abilities.checks import EncodingError, to_positions
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.rotary import Rotary
from pe_explorer.encodings.abilities.waves import CodeAngles, Steady
from pe_explorer.encodings.rope_types import PARAMETERS, TYPES, RopeType
from pe_explorer.numeric import block_means, rotation
from pe_explorer.numeric.positions import Positions, count_positions, list_doubled_centres
from pe_explorer.numeric.rounding import FLOAT32, Rounding
from pe_explorer.numeric.turns import Turns, to_half_steps
from pe_explorer.params import Choice, Real, Whole, capitalise, declare


def _declare_for_types(name: str) -> Any:
    types = [rope_type for rope_type, formula in TYPES.items() if formula.has_parameter(name)]
    return declare(replace(PARAMETERS[name], when=("rope_type", *types)))


@dataclass(frozen=True)
class Rope(Rotary, Steady, CodeAngles):
    """Queries and keys are rotated by their position, one pair of channels at a time.

    For position p and pair i of the R = rotary channels of a head::

        ω_i = rope_theta^(-2i/R),    R = int(head_dim · partial_rotary_factor)
        y_a = x_a·cos(p·ω_i) - x_b·sin(p·ω_i)
        y_b = x_b·cos(p·ω_i) + x_a·sin(p·ω_i)

    with a, b = i, i + R/2 for the layout `half` and 2i, 2i + 1 for `interleaved`. The product of a
    rotated query and a rotated key depends only on the offset between their positions.

    These are the frequencies of the `rope_type` default. Other types change the frequencies, so
    that a model can read sequences beyond its training length; `rope_types` has a file for each
    type. Two types also multiply cosines and sines by an attention factor.

    Sources
    -------
    Su et al. 2021, section 3.2; `half` as in transformers' Llama (`apply_rotary_pos_emb`),
    `interleaved` as in Meta's Llama code, GPT-J and GLM; `partial_rotary_factor` as in Phi-3
    and GPT-NeoX. The types are those of transformers 5 (`modeling_rope_utils`), and `ntk`.
    """

    name = "rope"
    spelling = "RoPE"
    family = "rotary"
    rank = 100

    head_dim: int = declare(
        Whole(
            128,
            2,
            65_536,
            slider_range=(2, 256),
            has_binary_steps=True,
            label="Head dim",
            symbol="d",
            unit="channels",
            help="The number of channels of an attention head: head_dim in config.json.",
        )
    )
    rope_theta: float = declare(
        Real(
            1e4,
            1.0,
            1e12,
            excludes_low=True,
            log=True,
            slider_range=(1.1, 1e8),
            label="Base",
            symbol="θ",
            help="A larger base lowers the frequencies: rope_theta in config.json.",
        )
    )
    rope_type: str = declare(
        Choice(
            "default",
            {name: formula.meaning() for name, formula in TYPES.items()},
            label="Type",
            help="How the frequencies change for texts longer than the training length: "
            "rope_type in config.json.",
        )
    )
    factor: float = _declare_for_types("factor")
    original_max_position_embeddings: int = _declare_for_types("original_max_position_embeddings")
    sequence_length: int | None = _declare_for_types("sequence_length")
    short_factor: tuple[float, ...] = _declare_for_types("short_factor")
    long_factor: tuple[float, ...] = _declare_for_types("long_factor")
    low_freq_factor: float = _declare_for_types("low_freq_factor")
    high_freq_factor: float = _declare_for_types("high_freq_factor")
    beta_fast: float = _declare_for_types("beta_fast")
    beta_slow: float = _declare_for_types("beta_slow")
    truncate: bool = _declare_for_types("truncate")
    attention: float | None = _declare_for_types("attention")
    partial_rotary_factor: float = declare(
        Real(
            1.0,
            0.0,
            1.0,
            excludes_low=True,
            slider_range=(0.05, 1.0),
            label="Rotary part",
            help="The share of a head's channels that rotates; the other channels stay unchanged.",
            is_advanced=True,
        )
    )
    layout: str = declare(
        Choice(
            "half",
            {
                "half": "channels i and i + R/2 form a pair (R: rotary dimension), as in "
                "transformers and NeoX",
                "interleaved": "channels 2i and 2i + 1 form a pair, as in Meta's Llama and GPT-J",
            },
            label="Layout",
            help="Which channels form a pair. Queries and keys must use the same layout.",
            is_advanced=True,
        )
    )

    def check_combination(self) -> None:
        if self.rotary < 2 or self.rotary % 2:
            product, name = f"int({self.head_dim} · {self.partial_rotary_factor}) = ", "head_dim"
            if self.rotary == self.head_dim:
                product = ""
            elif self.head_dim % 2 == 0:
                name = "partial_rotary_factor"
            problem = f"rotates {product}{self.rotary} channels, which do not form pairs"
            raise EncodingError(name, problem, "choose an even number of at least 2")
        self.scaling.check()

    @cached_property
    def scaling(self) -> RopeType:
        """The formula for the frequencies."""
        return TYPES[self.rope_type].from_encoding(self)

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        if self.pairs > 1:
            return self.scaling.ineffective_parameters
        return {**self.scaling.ineffective_parameters, "layout": "there is only one pair"}

    @property
    def unscaled(self) -> Self:
        e = replace(self, factor=1.0, sequence_length=None, attention=None)
        return replace(e, short_factor=(), long_factor=())

    @property
    def rotary(self) -> int:
        return TYPES[self.rope_type].compute_rotary_width(self.head_dim, self.partial_rotary_factor)

    @property
    def turns(self) -> Turns:
        return _compute_turns(self.scaling)

    @property
    def attention_factor(self) -> float:
        return float(self.scaling.exact_attention_factor)

    @property
    def exact_amplitude(self) -> Decimal:
        return self.scaling.exact_attention_factor

    def compute_code_angles(self, positions: Positions, rounding: Rounding = FLOAT32) -> Floats:
        """Return the angles of typical code, computed in the same steps as in transformers.

        Frequencies are ``1 / base ** (arange(0, R, 2) / R)`` before scaling.
        """
        frequencies = rounding(self.scaling.compute_code_frequencies(rounding), "frequencies")
        return rounding(rounding(positions, "positions")[:, None] * frequencies, "angles")

    def score(self, offsets: Any) -> Floats:
        """Return how well a query matches an equal key at each offset.

        Parameters
        ----------
        offsets : range, sequence or array of shape (m,)
            Key position minus query position, within ±2^53.

        Returns
        -------
        (m,) float64
            The mean over the pairs of cos(offset·ω_i), which is 1 at offset 0. The score is the
            product of two rotated vectors of ones, divided by the rotary width.

        Raises
        ------
        EncodingError
            If an offset is not a finite number within its limits.
        """
        checked_offsets = to_positions(offsets, "offsets")
        sums = np.zeros(count_positions(checked_offsets))
        half_steps = to_half_steps(checked_offsets, self.origin)
        for rows, _, block in rotation.sweep(self.turns, half_steps):
            sums[rows] += block.real.sum(axis=1)
        return sums / self.pairs

    @property
    def code_imports(self) -> tuple[str, ...]:
        return self.scaling.code_imports

    def code(self, library: Library) -> tuple[str, ...]:
        return (
            f"i = {library.arange(self.pairs, double=True)}",
            *self.scaling.code(library),
            "angles = positions[:, None] * w",
            *self._list_table_code(library, self.scaling.format_attention_code()),
        )

    def typical_code(self, library: Library) -> tuple[str, ...]:
        attention = library.array(self.scaling.format_attention_code())
        return (
            f"i = {library.arange(self.pairs, double=True)}",
            *self.scaling.typical_code(library),
            *library.cast("frequencies"),
            f"positions = {library.round('positions')}",
            *library.cast("positions"),
            "angles = positions[:, None] * frequencies",
            *library.cast("angles"),
            *self._list_table_code(library, attention),
        )

    def _list_table_code(self, library: Library, attention_code: str) -> tuple[str, ...]:
        cos, sin = (f"{library.prefix}.{name}(channels)" for name in ("cos", "sin"))
        if self.layout == "interleaved":
            channels = library.pairs("angles", "angles", self.rotary)
        else:
            channels = library.join("angles", "angles")
        attention = []
        if self.attention_factor != 1:
            attention = [f"attention = {attention_code}"]
            cos, sin = f"attention * {cos}", f"attention * {sin}"
        return (
            f"channels = {channels}",
            *attention,
            f"cos, sin = {cos}, {sin}",
            f"table = {library.join('cos', 'sin')}",
        )

    def explain(self, position: int, column: int) -> tuple[str, ...]:
        pair = int(self.wave_indices[column])
        factor = "" if self.attention_factor == 1 else f"{self.attention_factor:.6g} · "
        function = f"{factor}{'cos' if column < self.rotary else 'sin'}"
        formula = f"{function}(p · ω_{pair}),  ω_{pair} = {self.scaling.frequency(pair)}"
        lines = self.format_angle_lines(function, pair, position)
        value = f"= {self.value(position, column):+.6f}"
        reason = self.scaling.reason(pair)
        return (formula, *lines, value, *([f"{capitalise(reason)}."] if reason else []))

    def reading(self, position: int, column: int) -> ValueFacts:
        pair, facts = int(self.wave_indices[column]), super().reading(position, column)
        reason = self.scaling.reason(pair)
        if not reason:
            return facts
        unscaled, scaled = self.scaling.paper_turns.fixed[pair], self.turns.fixed[pair]
        return (
            *facts,
            ("Frequency divided by", f"{unscaled / scaled:.12g}" if scaled else "infinite"),
            ("Why", reason),
        )

    def _fill(self, positions: Positions, out: Floats) -> None:
        self._write(to_half_steps(positions, self.origin), out, None)

    def _fill_means(self, start: int, block: int, out: Floats) -> None:
        centres = list_doubled_centres(start + self.origin, block, len(out))
        self._write(centres, out, block_means.amplitudes(self.turns, block))

    def _write(self, half_steps: Positions, out: Floats, amplitude: Floats | None) -> None:
        cosines, sines = out[:, : self.rotary], out[:, self.rotary :]
        factor, channels = self.attention_factor, self.channels
        for rows, pairs, block in rotation.sweep(self.turns, half_steps, amplitude):
            if factor != 1:
                block = block * factor
            for columns in channels.find_slices(pairs):
                cosines[rows, columns] = block.real
                sines[rows, columns] = block.imag


@cache_results(2**26)
def _compute_turns(formula: RopeType) -> Turns:
    return formula.turns
