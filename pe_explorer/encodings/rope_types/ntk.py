"""The type `ntk`: a larger base that does not depend on the length."""

from dataclasses import dataclass
from decimal import Decimal, localcontext

from pe_explorer.arrays import Floats
from pe_explorer.encodings.abilities.checks import EncodingError
from pe_explorer.encodings.abilities.code import Library
from pe_explorer.encodings.rope_types._rope_type import RopeType
from pe_explorer.numeric.rounding import Rounding
from pe_explorer.numeric.turns import DECIMAL_DIGITS, Turns, make_geometric_turns
from pe_explorer.params import format_real


@dataclass(frozen=True)
class LargerBaseType(RopeType):
    """A type with the base rope_theta·stretch^(R/(R - 2)) instead of rope_theta.

    The larger base slows down the slowest pair by the stretch, and does not change the
    fastest pair.
    """

    factor: float

    def check(self) -> None:
        if self.rotary == 2:
            problem = f"{self.name} cannot rotate only 2 channels, because it divides by R - 2"
            remedy = "rotate at least 4 channels, or choose another type"
            raise EncodingError("rope_type", problem, remedy)

    @property
    def stretch(self) -> Decimal:
        """The factor by which the slowest pair is slowed down."""
        raise NotImplementedError

    def _write_stretch(self, factor: str) -> str:
        """Return code for the stretch, given the factor as text."""
        raise NotImplementedError

    @property
    def base(self) -> Decimal:
        """The base that replaces rope_theta."""
        with localcontext() as context:
            context.prec = DECIMAL_DIGITS
            exponent = Decimal(self.rotary) / (self.rotary - 2)
            return Decimal(self.rope_theta) * self.stretch**exponent

    @property
    def turns(self) -> Turns:
        return make_geometric_turns(self.base, 2, self.rotary, self.pairs)

    def frequency(self, pair: int) -> str:
        stretch = self._write_stretch(format_real(self.factor))
        stretch = stretch.replace(" * ", " · ").replace(" / ", "/")
        base = f"{format_real(self.rope_theta)} · {stretch}^({self.rotary}/{self.rotary - 2})"
        return f"({base})^(-{2 * pair}/{self.rotary})"

    def reason(self, pair: int) -> str:
        theta_text = format_real(self.rope_theta)
        return f'"{self.name}" uses the base {float(self.base):.6g} instead of {theta_text}'

    def code(self, library: Library) -> tuple[str, ...]:
        return (self._format_base_code(), f"w = base ** (-2 * i / {self.rotary})")

    def typical_code(self, library: Library) -> tuple[str, ...]:
        powers = self._list_power_code(library, "base")
        return (self._format_base_code(), *powers, "frequencies = 1 / powers")

    def _format_base_code(self) -> str:
        stretch = f"{self._write_stretch(repr(self.factor))} ** ({self.rotary} / {self.rotary - 2})"
        return f"base = {self.rope_theta!r} * {stretch}"

    def compute_code_frequencies(self, rounding: Rounding) -> Floats:
        return rounding(1 / self._compute_code_powers(float(self.base), rounding))


@dataclass(frozen=True)
class Ntk(LargerBaseType):
    """A larger base slows down the slowest pair by the factor; the fastest is unchanged.

    For pair i of the R >= 4 rotated channels::

        ω_i = b^(-2i/R),    b = rope_theta · factor^(R/(R - 2))

    Some sources call the factor α.

    Sources
    -------
    bloc97 2023, "NTK-Aware Scaled RoPE"; `LlamaNTKScaledRotaryEmbedding` in jquesnelle/yarn;
    Hunyuan in transformers, as `dynamic` with `alpha`.
    """

    name = "ntk"

    @property
    def stretch(self) -> Decimal:
        return Decimal(self.factor)

    def _write_stretch(self, factor: str) -> str:
        return factor
