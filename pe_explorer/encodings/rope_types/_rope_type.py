"""The base class of RoPE types: formulas for the frequencies."""

import inspect
from collections.abc import Iterable
from dataclasses import dataclass, fields
from decimal import Decimal
from typing import Any, ClassVar, Self

import numpy as np

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import format_power
from pe_explorer.numeric.rounding import Rounding
from pe_explorer.numeric.turns import Turns, make_geometric_turns, multiply
from pe_explorer.params import format_real

INTERPOLATION_TEXT = (
    "its frequency is interpolated between the original and the original divided by the factor"
)
"""The end of a sentence about a pair whose frequency is divided by only a part of the factor."""


@dataclass(frozen=True)
class RopeType:
    """A formula for the frequencies of the pairs, with its parameters as fields.

    A type is a subclass in its own file, with its manual page as the docstring. Its fields have the
    same names as parameters of `rope`, and `name` is the name of the type in configurations. A type
    defines `ratios` or `turns`, and methods that explain the frequencies.
    """

    name: ClassVar[str]
    rope_theta: float
    rotary: int  # R, the number of channels in a head that have frequencies: two per pair

    @classmethod
    def from_encoding(cls, owner: Any) -> Self:
        """Create the formula from the parameters of an encoding."""
        return cls(**{field.name: getattr(owner, field.name) for field in fields(cls)})

    @classmethod
    def meaning(cls) -> str:
        """Return the first line of the docstring, which describes the effect of the type."""
        text = (inspect.getdoc(cls) or "").partition("\n")[0].rstrip(".")
        return text[:1].lower() + text[1:]

    @classmethod
    def has_parameter(cls, parameter: str) -> bool:
        """Return whether the type has a parameter of this name."""
        return any(field.name == parameter for field in fields(cls))

    @staticmethod
    def compute_rotary_width(head_dim: int, part: float) -> int:
        """Return the number of channels of a head that have frequencies."""
        return int(head_dim * part)

    def check(self) -> None:
        """Raise `EncodingError` if individually valid parameters are incompatible."""

    @property
    def pairs(self) -> int:
        """The number of pairs with frequencies."""
        return self.rotary // 2

    @property
    def paper_turns(self) -> Turns:
        """The frequencies of the paper, rope_theta^(-2i/R)."""
        return make_geometric_turns(self.rope_theta, 2, self.rotary, self.pairs)

    @property
    def ratios(self) -> Iterable[tuple[int, int]]:
        """The factors for the frequencies of the paper, as numerators and denominators."""
        raise NotImplementedError

    @property
    def turns(self) -> Turns:
        """The exact frequencies of the pairs."""
        return multiply(self.paper_turns, self.ratios)

    @property
    def exact_attention_factor(self) -> Decimal:
        """The factor that multiplies cosines and sines, with more digits than float64."""
        return Decimal(1)

    @property
    def ineffective_parameters(self) -> dict[str, str]:
        """The parameters that have no effect because of the other parameters, with the reasons."""
        if self.pairs == 1:
            return {"rope_theta": "the only pair has frequency 1 for every base"}
        return {}

    def frequency(self, pair: int) -> str:
        """Return a pair's frequency as a formula with values, such as ``1e6^(-6/128) / 4``."""
        return self._format_power(pair)

    def reason(self, pair: int) -> str:
        """Return why a pair's frequency differs from the paper's; empty if they are equal."""
        raise NotImplementedError

    def code(self, library: Library) -> tuple[str, ...]:
        """Return lines of code that compute the frequencies `w` from the indices `i` of pairs."""
        raise NotImplementedError

    def format_attention_code(self) -> str:
        """Return code for an attention factor other than 1."""
        return repr(float(self.exact_attention_factor))

    @property
    def code_imports(self) -> tuple[str, ...]:
        """The imports that the code needs in addition to its library."""
        return ()

    def compute_code_frequencies(self, rounding: Rounding) -> Floats:
        """Return the frequencies that typical code computes, with every step rounded."""
        raise NotImplementedError

    def typical_code(self, library: Library) -> tuple[str, ...]:
        """Return lines of PyTorch code for `frequencies`, as in `compute_code_frequencies`."""
        return (*self._list_power_code(library, repr(self.rope_theta)), "frequencies = 1 / powers")

    def _list_power_code(self, library: Library, base: str) -> tuple[str, ...]:
        return (
            f"exponents = {library.round(f'2 * i / {self.rotary}')}",
            f"powers = {library.array(base)} ** exponents",
        )

    def _format_power(self, pair: int) -> str:
        return format_power(format_real(self.rope_theta), 2 * pair, self.rotary)

    def _format_power_code(self) -> str:
        return f"{self.rope_theta!r} ** (-2 * i / {self.rotary})"

    def _compute_code_powers(self, base: float, rounding: Rounding) -> Floats:
        exponents = rounding(np.arange(0, self.rotary, 2) / self.rotary)
        with np.errstate(over="ignore"):  # a base beyond float32 overflows to infinity
            return rounding(rounding(base) ** exponents)
