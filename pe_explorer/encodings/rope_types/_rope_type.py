"""The base of all types of RoPE: a formula for the frequencies, with its parameters."""

import inspect
from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar, Self

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import power, rounded
from pe_explorer.numeric.turns import Turns, geometric_turns, multiply
from pe_explorer.params import format_real


@dataclass(frozen=True)
class RopeType:
    """A formula for the frequencies of the pairs, and its parameters as fields.

    A type is a subclass in a file of its own: its docstring is its manual page, and its fields
    have the names of the parameters of `rope` that it takes. It defines `ratios`, or `turns`,
    and what says how they are made.
    """

    name: ClassVar[str]
    """The name in configurations."""

    rope_theta: float
    rotary: int  # channels of a head that the frequencies are for, R; two for each pair

    @classmethod
    def of(cls, owner: Any) -> Self:
        """Return the formula with the parameters of an encoding."""
        return cls(**{field.name: getattr(owner, field.name) for field in fields(cls)})

    @classmethod
    def meaning(cls) -> str:
        """Return the effect of the type, for a sentence: the first line of its docstring."""
        text = (inspect.getdoc(cls) or "").partition("\n")[0].rstrip(".")
        return text[:1].lower() + text[1:]

    @classmethod
    def takes(cls, parameter: str) -> bool:
        """Return whether the type has a parameter of this name."""
        return any(field.name == parameter for field in fields(cls))

    @staticmethod
    def turned(head_dim: int, part: float) -> int:
        """Return how many of the channels of a head have frequencies."""
        return int(head_dim * part)

    def check(self) -> None:
        """Raise `EncodingError` where parameters that are legal one by one do not fit together."""

    @property
    def pairs(self) -> int:
        """The number of pairs that are turned together."""
        return self.rotary // 2

    @property
    def paper(self) -> Turns:
        """The frequencies of the paper, rope_theta^(-2i/R)."""
        return geometric_turns(self.rope_theta, 2, self.rotary, self.pairs)

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        """The factor of each frequency of the paper: numerator and denominator."""
        raise NotImplementedError

    @property
    def turns(self) -> Turns:
        """The exact frequencies of the pairs."""
        return multiply(self.paper, self.ratios)

    @property
    def exact_attention_factor(self) -> Decimal:
        """The factor of cosines and sines, to more digits than float64 holds."""
        return Decimal(1)

    @property
    def attention_factor(self) -> float:
        """The factor of cosines and sines, rounded once."""
        return float(self.exact_attention_factor)

    @property
    def without_effect(self) -> dict[str, str]:
        """The parameters that change no number as the others are now, by name, and why."""
        if self.pairs == 1:
            return {"rope_theta": "the only pair turns at the same speed, whatever the base is"}
        return {}

    def frequency(self, pair: int) -> str:
        """Return the formula of a pair's frequency, with its numbers: ``1e6^(-6/128) / 4``."""
        return self._power(pair)

    def reason(self, pair: int) -> str:
        """Return why a pair turns as fast as it does, in a sentence; empty for the paper's."""
        raise NotImplementedError

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that make the frequencies `w` from the numbers `i` of pairs."""
        raise NotImplementedError

    def attention_code(self) -> str:
        """Return code of the attention factor, where it is not 1."""
        return repr(self.attention_factor)

    @property
    def code_imports(self) -> tuple[str, ...]:
        """What the code imports besides its library."""
        return ()

    @property
    def float32_frequencies(self) -> Floats:
        """The frequencies as the usual code computes them: each step rounded to float32."""
        raise NotImplementedError

    # -- what several types need -------------------------------------------------------------------

    def _power(self, pair: int) -> str:
        return power(format_real(self.rope_theta), 2 * pair, self.rotary)

    def _power_code(self) -> str:
        return f"{self.rope_theta!r} ** (-2 * i / {self.rotary})"

    def _float32_powers(self, base: float) -> Floats:
        """Return base^(2i/R) in float32, which the usual code divides by."""
        exponents = rounded(np.arange(0, self.rotary, 2) / self.rotary)
        with np.errstate(over="ignore"):  # a base that is too large for float32 is infinite there
            return rounded(rounded(base) ** exponents)
