"""The type `ntk`: a larger base, always."""

from dataclasses import dataclass
from decimal import Decimal, localcontext

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.abilities.waves import rounded
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.numeric.turns import DIGITS, Turns, geometric_turns
from pe_explorer.params import format_real


@dataclass(frozen=True)
class LargerBase(RopeType):
    """Another base in the place of rope_theta: rope_theta·stretch^(R/(R - 2)).

    With it the slowest pair turns more slowly by the stretch, and the fastest as before.
    """

    def check(self) -> None:
        if self.rotary == 2:  # for which the exponent has no value
            problem = f"{self.name} cannot turn 2 channels: it divides by R - 2"
            remedy = "choose a head_dim and a rotary part that turn 4 or more, or another type"
            raise EncodingError("rope_type", problem, remedy)

    @property
    def stretch(self) -> Decimal:
        """By how much the slowest pair is slowed down."""
        raise NotImplementedError

    def _stretch_text(self) -> str:
        raise NotImplementedError

    def _stretch_code(self) -> str:
        raise NotImplementedError

    @property
    def base(self) -> Decimal:
        """The base that counts."""
        with localcontext() as context:
            context.prec = DIGITS
            exponent = Decimal(self.rotary) / (self.rotary - 2)
            return Decimal(self.rope_theta) * self.stretch**exponent

    @property
    def turns(self) -> Turns:
        return geometric_turns(self.base, 2, self.rotary, self.pairs)

    def frequency(self, pair: int) -> str:
        exponent = f"({self.rotary}/{self.rotary - 2})"
        base = f"({format_real(self.rope_theta)} · {self._stretch_text()}^{exponent})"
        return f"{base}^(-{2 * pair}/{self.rotary})"

    def reason(self, pair: int) -> str:
        before = format_real(self.rope_theta)
        return f"{self.name} takes {float(self.base):.6g} as the base instead of {before}"

    def code(self, library: Library) -> tuple[str, ...]:
        exponent = f"({self.rotary} / {self.rotary - 2})"
        return (
            f"base = {self.rope_theta!r} * {self._stretch_code()} ** {exponent}",
            f"w = base ** (-2 * i / {self.rotary})",
        )

    @property
    def float32_frequencies(self) -> Floats:
        return rounded(1 / self._float32_powers(float(self.base)))


@dataclass(frozen=True)
class Ntk(LargerBase):
    """The slowest pair turns more slowly by the factor, the fastest stays: a larger base.

    For pair i of the R channels that are turned, four or more::

        ω_i = b^(-2i/R),    b = rope_theta · factor^(R/(R - 2))

    The factor is called α, too.

    Sources
    -------
    bloc97 2023, "NTK-Aware Scaled RoPE"; `LlamaNTKScaledRotaryEmbedding` in jquesnelle/yarn;
    Hunyuan in transformers, as `dynamic` with `alpha`.
    """

    name = "ntk"

    factor: float

    @property
    def stretch(self) -> Decimal:
        return Decimal(self.factor)

    def _stretch_text(self) -> str:
        return format_real(self.factor)

    def _stretch_code(self) -> str:
        return repr(self.factor)
