"""Rotary position embedding, RoPE, with the frequencies of the paper."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.float32_angles import (
    Float32Angles,
    float32_positions,
    rounded,
)
from pe_explorer.encodings.abilities.rotary import Rotary
from pe_explorer.encodings.abilities.waves import power
from pe_explorer.numeric.positions import Positions
from pe_explorer.numeric.turns import Turns, geometric
from pe_explorer.params import Choice, Real, Whole, declare, declared
from pe_explorer.values import frozen


@frozen
class Rope(Rotary, Float32Angles):
    """Queries and keys are rotated by their position, one pair of channels at a time.

    For position p and pair i of the R = rotary channels of a head::

        ω_i = rope_theta^(-2i/R),    R = int(head_dim · partial_rotary_factor)
        y_a = x_a·cos(p·ω_i) - x_b·sin(p·ω_i)
        y_b = x_b·cos(p·ω_i) + x_a·sin(p·ω_i)

    with a, b = i, i + R/2 for the layout `half` and 2i, 2i + 1 for `interleaved`. The product
    of a rotated query and a rotated key depends on the offset between their positions only.

    Sources
    -------
    Su et al. 2021, section 3.2; `half` as in transformers' Llama (`apply_rotary_pos_emb`),
    `interleaved` as in Meta's Llama code, GPT-J and GLM; `partial_rotary_factor` as in Phi-3
    and GPT-NeoX.
    """

    name: ClassVar[str] = "rope"
    spelling: ClassVar[str] = "RoPE"
    family: ClassVar[str] = "rotary"
    rank: ClassVar[int] = 100

    head_dim: int = declare(
        Whole(
            128,
            2,
            65_536,
            comfort=(2, 256),
            doubling=True,
            label="Head dim",
            symbol="d",
            unit="channels",
            help="Channels of one attention head: head_dim in a model's configuration.",
        )
    )
    rope_theta: float = declare(
        Real(
            1e4,
            1.0,
            1e12,
            above=True,
            log=True,
            comfort=(1.1, 1e8),
            label="Base",
            symbol="θ",
            help="The larger, the slower the pairs turn: rope_theta in a model's configuration.",
        )
    )
    partial_rotary_factor: float = declare(
        Real(
            1.0,
            0.0,
            1.0,
            above=True,
            comfort=(0.05, 1.0),
            label="Rotary part",
            help="Share of a head's channels that is turned; the others stay unchanged.",
            seldom=True,
        )
    )
    layout: str = declare(
        Choice(
            "half",
            {
                "half": "channel i turns with channel i + R/2: Llama in transformers, NeoX",
                "interleaved": "channel 2i turns with channel 2i + 1: Meta's Llama, GPT-J",
            },
            label="Layout",
            help="Which channels of a head turn together; scores are the same.",
            seldom=True,
        )
    )

    def check_together(self) -> None:
        """Refuse a rotary width that has no pairs."""
        if self.rotary < 2 or self.rotary % 2:
            product = f"int({self.head_dim} · {self.partial_rotary_factor}) = {self.rotary}"
            problem = f"turns {product} channels, which do not make pairs"
            remedy = "choose an even number of at least 2"
            name = "head_dim" if self.head_dim % 2 else "partial_rotary_factor"
            raise EncodingError(name, problem, remedy)

    @property
    def without_effect(self) -> dict[str, str]:
        """Base and layout, where only one pair is turned."""
        if self.pairs > 1:
            return {}
        return {
            "rope_theta": "the only pair turns by 1 radian per position, whatever the base is",
            "layout": "the only pair has only one place",
        }

    @property
    def rotary(self) -> int:
        """The number of channels that are turned."""
        return int(self.head_dim * self.partial_rotary_factor)

    @property
    def turns(self) -> Turns:
        """The exact frequencies of the pairs."""
        return geometric(self.rope_theta, 2, self.rotary, self.pairs)

    def float32_angles(self, positions: Positions) -> Floats:
        """Return the angles of the usual code: frequencies are ``1 / theta ** (arange / R)``."""
        exponents = rounded(np.arange(0, self.rotary, 2) / self.rotary)
        powers = rounded(rounded(self.rope_theta) ** exponents)
        frequencies = rounded(1 / powers)
        return rounded(float32_positions(positions) * frequencies)

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that make the table."""
        prefix = library.prefix
        numbers = library.arange(self.pairs, double=True)
        frequencies = f"{self.rope_theta!r} ** (-2 * i / {self.rotary})"
        if self.layout == "interleaved":
            channels = library.pairs("angles", "angles", self.rotary)
        else:
            channels = library.join("angles", "angles")
        return (
            f"i = {numbers}",
            f"angles = positions[:, None] * {frequencies}",
            f"channels = {channels}",
            f"cos, sin = {prefix}.cos(channels), {prefix}.sin(channels)",
            f"table = {library.join('cos', 'sin')}",
        )

    def explain(self, position: int, column: int) -> tuple[str, ...]:
        """Return the formula of one value, then with its numbers."""
        pair = int(self.wave_of[column])
        function = "cos" if column < self.rotary else "sin"
        base = declared(type(self))["rope_theta"].format(self.rope_theta)
        frequency = power(base, 2 * pair, self.rotary)
        formula = f"{function}(p · ω_{pair}),  ω_{pair} = {frequency}"
        lines = self.angle_lines(function, pair, position)
        value = self.value(position, column)
        return (formula, *lines, f"= {value:+.6f}")
